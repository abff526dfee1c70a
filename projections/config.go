package projections

import (
	"fmt"
	"log/slog"
	"time"

	"chalie/domain"
)

// Config tunes a Runner. The zero Config means the defaults.
type Config struct {
	// For is what the projection is for, as its Kind has it; Status says it.
	For string
	// Batch is how many records are read at a time. Default 1024. Large records come
	// in smaller batches, of batchBytes.
	Batch int
	// SaveEvery is how many records may be applied before the state is saved.
	// Default 4096. A crash costs folding about that many again.
	SaveEvery int
	// SaveAfter is how long an applied record may wait to be saved while
	// nothing else comes. Default 1 s.
	SaveAfter time.Duration
	// RetryAfter is the pause before something retriable is tried again.
	// Default 1 s.
	RetryAfter time.Duration
	// Log takes messages for the operator. Default: nothing is logged.
	Log *slog.Logger
}

// batchBytes bounds a batch. Those that are shared add up.
const batchBytes = domain.PageBytes

// unsavedFactor × SaveEvery records may wait for a store that refuses them;
// then folding pauses, so that memory stays bounded.
const unsavedFactor = 16

// Validate fails on a value that can't work.
func (c Config) Validate() error {
	for _, f := range []struct {
		field string
		value int64
	}{
		{"Batch", int64(c.Batch)}, {"SaveEvery", int64(c.SaveEvery)},
		{"SaveAfter", int64(c.SaveAfter)}, {"RetryAfter", int64(c.RetryAfter)},
	} {
		if f.value < 0 {
			return domain.Invalid("configure projections", f.field, fmt.Sprintf("%s is %d: give a number above 0, or 0 for the default", f.field, f.value))
		}
	}
	return nil
}

func (c Config) withDefaults() Config {
	if c.Batch == 0 {
		c.Batch = 1024
	}
	if c.SaveEvery == 0 {
		c.SaveEvery = 4096
	}
	if c.SaveAfter == 0 {
		c.SaveAfter = time.Second
	}
	if c.RetryAfter == 0 {
		c.RetryAfter = time.Second
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}
