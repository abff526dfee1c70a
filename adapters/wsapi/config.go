package wsapi

import (
	"context"
	"log/slog"
	"time"

	"chalie/commands"
	"chalie/commands/message"
	"chalie/domain"
	"chalie/domain/guest"
)

// Buffer holds the numbers of the frames that can still be sent. It is safe for
// concurrent use. It holds all frames of a record or none, except for the oldest record,
// which may be partly dropped.
type Buffer interface {
	// After returns the numbers of the frames after seq, oldest first, and the number of
	// the last dropped frame; 0 when none was dropped.
	After(seq domain.Seq) (frames []domain.Seq, dropped domain.Seq)
	// Wait returns once there is a frame after the given number, or ctx's error.
	Wait(ctx context.Context, after domain.Seq) error
}

// Talk takes in the person's messages. Its errors are shown to the client that sent the
// message.
type Talk interface {
	SayHeard(ctx context.Context, c commands.Caller, msg domain.MessageReceived, heard message.Heard) (domain.ID, error)
	Act(ctx context.Context, c commands.Caller, action domain.ActionReceived) (domain.ID, error)
	Steer(ctx context.Context, c commands.Caller, text string) (domain.ID, error)
	Cancel(ctx context.Context, c commands.Caller, exchange domain.ID) (domain.ID, error)
}

// Tokens finds the token of a proposal that waits for the person's approval.
type Tokens interface {
	Token(proposal domain.ID) string
}

// Hosts says which addresses lead to this machine, so that no frame sends a browser
// there.
type Hosts interface {
	Rule() guest.Host
}

var (
	_ Talk  = (*message.Messages)(nil)
	_ Hosts = (*commands.Hosts)(nil)
)

// Config is what the hub needs. All fields without a default are required.
type Config struct {
	Buffer Buffer
	Reader domain.Reader
	Tail   domain.Tailer
	Talk   Talk
	Tokens Tokens
	Hosts  Hosts // nil: loopback alone is this machine
	// Ready returns once the Buffer has caught up with the log's end at the start. No
	// frame is sent before; messages are taken in.
	Ready  func(context.Context) error
	Logger *slog.Logger

	MaxMessageBytes int           // default 128 KiB
	MaxClients      int           // default 20,000
	PingEvery       time.Duration // default 15 s
	SilentFor       time.Duration // without a byte from the client; default 45 s
	WriteWithin     time.Duration // for every 16 KiB a client takes; default 10 s
	MessageWithin   time.Duration // from a message's first frame to its end; default 60 s
	OpeningGrace    time.Duration // for a new client to say where it resumes; default 1 s
}

// Validate returns a validation error when something is missing or out of
// bounds.
func (c Config) Validate() error {
	const op = "configure sockets"
	if c.Buffer == nil || c.Reader == nil || c.Tail == nil || c.Talk == nil || c.Tokens == nil || c.Ready == nil || c.Logger == nil {
		return domain.Invalid(op, "", "Buffer, Reader, Tail, Talk, Tokens, Ready and Logger are required")
	}
	if c.MaxMessageBytes < 0 || c.MaxClients < 0 || c.PingEvery < 0 || c.SilentFor < 0 ||
		c.WriteWithin < 0 || c.MessageWithin < 0 || c.OpeningGrace < 0 {
		return domain.Invalid(op, "", "a bound is negative: give a positive one, or 0 for its default")
	}
	c = c.withDefaults()
	if c.SilentFor <= c.PingEvery {
		return domain.Invalid(op, "SilentFor", "SilentFor must be longer than PingEvery, or clients are cut off before they could answer a ping")
	}
	return nil
}

func (c Config) withDefaults() Config {
	orDefault(&c.MaxMessageBytes, 128<<10)
	orDefault(&c.MaxClients, 20_000)
	orDefault(&c.PingEvery, 15*time.Second)
	orDefault(&c.SilentFor, 45*time.Second)
	orDefault(&c.WriteWithin, 10*time.Second)
	orDefault(&c.MessageWithin, time.Minute)
	orDefault(&c.OpeningGrace, time.Second)
	return c
}

func orDefault[T comparable](value *T, usual T) {
	var none T
	if *value == none {
		*value = usual
	}
}
