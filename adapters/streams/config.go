package streams

import (
	"context"
	"crypto/tls"
	"log/slog"
	"math/rand/v2"
	"net"
	"time"

	"chalie/commands"
	"chalie/commands/signal"
	"chalie/domain"
)

// Config says what a Listener works with. Book, Signals and Clock are required;
// the rest has defaults.
type Config struct {
	Book    commands.View[domain.Registry]
	Signals *signal.Signals
	Clock   domain.Clock

	// Applied waits for the folds of the log, to pace what comes in; nil for no
	// pace but the log's own. Its failures are for others to see: they pace
	// nothing.
	Applied commands.Barrier
	Behind  domain.Position // how far the folds may be behind; default 20,000

	Logger *slog.Logger // default: nothing is logged

	// Dial connects to an address that wasn't resolved yet. Default: TCP, to
	// nothing that commands.CheckDialled refuses.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	TLS  *tls.Config // for wss; default: what the machine trusts

	LookEvery     time.Duration // default 1 s
	ConnectWithin time.Duration // with the handshake; default 10 s
	PingEvery     time.Duration // of silence; default 20 s
	WriteWithin   time.Duration // default 5 s
	Grace         time.Duration // default 3 s

	Batch      int           // default 256
	BatchEvery time.Duration // default 5 ms
	PerSecond  int           // signals of one stream, at most; default 100,000, negative for no limit

	FirstPause, LongestPause time.Duration // default 1 s and 30 s
	HealthyAfter             time.Duration // default 1 min
	// Part picks from a pause what is waited; default: any part of it, at random.
	Part func(pause time.Duration) time.Duration
}

// Bounds of what a server sends.
const (
	MaxMessageBytes   = 64 << 10 // of a message
	MaxSkippedBytes   = 16 << 20 // of a message too large, before the connection is closed
	maxHandshakeBytes = 64 << 10 // of an answer to the handshake
)

// Validate returns a validation error about the first field that is wrong.
func (c Config) Validate() error {
	const op = "configure streams"
	if c.Book == nil || c.Signals == nil || c.Clock == nil {
		return domain.Invalid(op, "", "Book, Signals and Clock are required")
	}
	for _, d := range []time.Duration{
		c.LookEvery, c.ConnectWithin, c.PingEvery, c.WriteWithin, c.Grace, c.BatchEvery, c.FirstPause, c.LongestPause, c.HealthyAfter,
	} {
		if d < 0 {
			return domain.Invalid(op, "", "times can't be negative")
		}
	}
	if c.Batch < 0 {
		return domain.Invalid(op, "Batch", "Batch can't be negative")
	}
	return nil
}

func (c Config) withDefaults() Config {
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{
		{&c.LookEvery, time.Second},
		{&c.ConnectWithin, 10 * time.Second},
		{&c.PingEvery, 20 * time.Second},
		{&c.WriteWithin, 5 * time.Second},
		{&c.Grace, 3 * time.Second},
		{&c.BatchEvery, 5 * time.Millisecond},
		{&c.FirstPause, time.Second},
		{&c.LongestPause, 30 * time.Second},
		{&c.HealthyAfter, time.Minute},
	} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if c.Batch == 0 {
		c.Batch = 256
	}
	if c.PerSecond == 0 {
		c.PerSecond = 100_000
	}
	if c.Behind == 0 {
		c.Behind = 20_000
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Dial == nil {
		c.Dial = guardedDial
	}
	if c.Part == nil {
		c.Part = func(pause time.Duration) time.Duration { return rand.N(pause) + 1 }
	}
	return c
}
