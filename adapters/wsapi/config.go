package wsapi

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"chalie/domain"
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

// Dialect is what the clients of a hub are sent, and what they may say. It is safe for
// concurrent use.
type Dialect interface {
	// Frames are the JSON of a record's frames, by their numbers. They are those that the
	// Buffer has of the record.
	Frames(ctx context.Context, rec domain.Record) (map[domain.Seq][]byte, error)
	// Unreadable stands in the place of a frame whose record can't be read.
	Unreadable(seq domain.Seq, message string) []byte
	// Refusal is an error that one client alone is sent. seq is a number of its own behind what
	// it was sent. ends: it is the last, because the client's session is over.
	Refusal(seq domain.Seq, message string, ends bool) []byte
	// Gap says that the frames from one number to another are gone.
	Gap(from, to domain.Seq) []byte
	// Ping is sent to a client every now and then beside the protocol's own; nil for none.
	Ping() []byte
	// Opening is the number that a request to become a socket resumes from; false when it
	// names none. The error is validation.
	Opening(r *http.Request) (last domain.Seq, resumes bool, err error)
	// Handle acts on a message. It is UTF-8 and may be anything else. The error is for the
	// client.
	Handle(ctx context.Context, c *Client, text []byte) error
}

// Config is what the hub needs. All fields without a default are required.
type Config struct {
	Buffer Buffer
	Reader domain.Reader
	Tail   domain.Tailer
	Speaks Dialect
	// Ready returns once the Buffer has caught up with the log's end at the start. No
	// frame is sent before; messages are taken in.
	Ready  func(context.Context) error
	Logger *slog.Logger
	// Epochs are those of the log, once it was started; nil: clients aren't told of any.
	Epochs func() domain.Epochs

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
	if c.Buffer == nil || c.Reader == nil || c.Tail == nil || c.Speaks == nil || c.Ready == nil || c.Logger == nil {
		return domain.Invalid(op, "", "Buffer, Reader, Tail, Speaks, Ready and Logger are required")
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
