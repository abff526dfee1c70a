package limit

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"chalie/domain"
)

// CallersConfig is what Callers need. Reader and Clock are required.
type CallersConfig struct {
	Reader    domain.Reader
	Clock     domain.Clock
	PerMinute int     // signals, and as many messages, per caller and sliding minute; 0 for no limit
	Volume    *Volume // bounds the bytes they take in the log; nil for no limit
}

// Callers bound the signals that each caller has recorded in a sliding minute, and the
// messages that each program has: every message is reasoned about and shown, and the
// person has no bound. A broadcast has none either; it is read as fast as the log takes it.
//
// The bounds hold over restarts: what earlier processes recorded in the last minute is read
// from the log before the first is counted. It isn't read at the start, since after a
// broadcast of millions a minute it takes seconds.
type Callers struct {
	cfg               CallersConfig
	signals, messages Rate

	warm    atomic.Bool
	turn    chan struct{}   // holds one while a read is under way
	known   int             // topics read; guarded by turn
	through domain.Position // the last record of earlier processes
}

// NewCallers returns a validation error about the configuration, or the log's.
func NewCallers(ctx context.Context, cfg CallersConfig) (*Callers, error) {
	if cfg.PerMinute < 0 {
		return nil, domain.Invalid("configure limits", "PerMinute", fmt.Sprintf("PerMinute is %d: give 0 for no limit, or more", cfg.PerMinute))
	}
	bytes := cfg.Volume.Limiter()
	c := &Callers{cfg: cfg, turn: make(chan struct{}, 1),
		signals: NewRate("signals", cfg.PerMinute, bytes), messages: NewRate("messages", cfg.PerMinute, bytes)}
	c.warm.Store(cfg.PerMinute == 0 && bytes.Limit == 0)
	end, err := cfg.Reader.Since(ctx, math.MaxInt64)
	c.through = end - 1
	return c, err
}

// rateOf is what an envelope counts for, and the operation it is refused as; nil for
// nothing.
func (c *Callers) rateOf(e *domain.Envelope) (rate *Rate, op string) {
	switch {
	case e.Type == domain.SignalReceivedType && !e.Principal.IsStream():
		return &c.signals, "submit signal"
	case e.Type == domain.MessageReceivedType && e.Principal != domain.PrincipalOperator:
		return &c.messages, "say"
	}
	return nil, ""
}

// Over is the error of a batch with envelopes for which there is no room, by their ids. It
// wraps the error of the first.
type Over struct {
	Refused map[domain.ID]error
	first   error
}

func (o *Over) Error() string { return o.first.Error() }

// Unwrap is the first envelope's error.
func (o *Over) Unwrap() error { return o.first }

// Admission is the room that was reserved for a batch.
type Admission struct {
	callers *Callers
	entries []domain.Entry
}

// Admit reserves room for all of a batch, and an Admission has to be settled; or it
// refuses it with an Over, and reserves nothing.
func (c *Callers) Admit(ctx context.Context, entries []domain.Entry) (Admission, error) {
	a := Admission{callers: c, entries: entries}
	var over *Over
	counted := false
	for i := range entries {
		e := &entries[i].Envelope
		rate, op := c.rateOf(e)
		if rate == nil {
			continue
		}
		if !counted {
			if err := c.know(ctx); err != nil {
				return Admission{}, err
			}
			counted = true
		}
		err := rate.Reserve(op, e.Principal, 1, len(e.Payload.Bytes), c.now())
		if err == nil {
			continue
		}
		if over == nil {
			over = &Over{Refused: map[domain.ID]error{}, first: err}
		}
		over.Refused[e.ID] = err
	}
	if over == nil {
		return a, nil
	}
	a.each(func(rate *Rate, e *domain.Envelope) {
		if over.Refused[e.ID] == nil {
			rate.Release(e.Principal, 1, len(e.Payload.Bytes))
		}
	})
	return Admission{}, over
}

// Settle counts what was recorded, and gives back what wasn't.
func (a Admission) Settle(receipt domain.Receipt, err error) {
	now := a.callers.now()
	a.each(func(rate *Rate, e *domain.Envelope) {
		rate.Settled(e.Principal, 1, len(e.Payload.Bytes), receipt, err, now)
	})
}

func (a Admission) each(fn func(*Rate, *domain.Envelope)) {
	for i := range a.entries {
		if rate, _ := a.callers.rateOf(&a.entries[i].Envelope); rate != nil {
			fn(rate, &a.entries[i].Envelope)
		}
	}
}

func (c *Callers) now() domain.Millis { return domain.MillisOf(c.cfg.Clock.Now()) }

// know returns once the last minute's records are counted. After an error the next call
// starts again.
func (c *Callers) know(ctx context.Context) error {
	if c.warm.Load() {
		return nil
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return &domain.Error{Op: "append", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: ctx.Err(),
			Message: "the wait for the last minute's count ended; nothing was recorded"}
	}
	defer func() { <-c.turn }()
	if c.warm.Load() {
		return nil
	}
	topics, rates := []domain.Topic{domain.TopicSignals, domain.TopicMessages}, []*Rate{&c.signals, &c.messages}
	for ; c.known < len(topics); c.known++ {
		of := Seeds{Topic: topics[c.known], Through: c.through, Whose: c.whose}
		if err := rates[c.known].SeedFrom(ctx, c.cfg.Reader, of, c.now()); err != nil {
			return err
		}
	}
	c.warm.Store(true)
	return nil
}

func (c *Callers) whose(rec domain.Record) (domain.Principal, bool) {
	rate, _ := c.rateOf(&rec.Envelope)
	return rec.Envelope.Principal, rate != nil
}
