package commands

import (
	"context"
	"fmt"

	"chalie/domain"
)

// SignalsConfig is what the signal commands need. All fields but PerMinute,
// Volume and Priority are required.
type SignalsConfig struct {
	Env
	PerMinute int     // accepted signals per caller and sliding minute; 0 for no limit
	Volume    *Volume `optional:"yes"` // bounds what those take when they are stored; nil for no limit
	// Priority knows whether somebody waits for an answer, whom signals make room for;
	// nil for nobody.
	Priority Priority `optional:"yes"`
}

// Validate returns a validation error about the first field that is wrong.
func (c SignalsConfig) Validate() error {
	const op = "configure signals"
	if err := Complete(op, c); err != nil {
		return err
	}
	switch {
	case c.PerMinute < 0:
		return domain.Invalid(op, "PerMinute", fmt.Sprintf("PerMinute is %d: give 0 for no limit, or more", c.PerMinute))
	}
	return nil
}

// Signals takes in what is overheard.
type Signals struct {
	cfg      SignalsConfig
	limit    rate
	seeding  *seeding
	requests *requests
	room     *room
}

// NewSignals makes the signal commands. The rate limit holds over restarts: what
// an earlier process took in within the last minute is read before the first
// signal that is counted.
func NewSignals(ctx context.Context, cfg SignalsConfig) (*Signals, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Signals{cfg: cfg, limit: newRate("signals", cfg.PerMinute, cfg.Volume.limiter()), requests: newRequests(cfg.Reader, cfg.Clock, cfg.IDs), room: newRoom(cfg.Priority)}
	var err error
	s.seeding, err = newSeeding(ctx, cfg)
	return s, err
}

// Submit records one signal and returns its id, that of its envelope.
//
// Errors: validation, policy (the caller may not send this type),
// CodeRateLimited, and what domain.Appender returns.
func (s *Signals) Submit(ctx context.Context, c Caller, sig domain.SignalReceived) (domain.ID, error) {
	entry, err := s.entry(c, sig)
	if err != nil {
		return domain.ID{}, err
	}
	err = s.append(ctx, c, domain.Batch{Entries: []domain.Entry{entry}}, 1)
	return entry.Envelope.ID, err
}

// SubmitOnce is Submit for a request that carries an Idempotency-Key. answer
// makes what the caller is told, now and on every repeat.
func (s *Signals) SubmitOnce(ctx context.Context, c Caller, sig domain.SignalReceived, req Request, answer func(domain.ID) Answer) (Answer, error) {
	return s.requests.once(ctx, c, req, func(seal sealer) (Answer, error) {
		entry, err := s.entry(c, sig)
		if err != nil {
			return Answer{}, err
		}
		a := answer(entry.Envelope.ID)
		batch, err := seal(domain.Batch{Entries: []domain.Entry{entry}}, a)
		if err != nil {
			return Answer{}, err
		}
		return a, s.append(ctx, c, batch, 1)
	})
}

// append reserves places for the signals of a batch, its first n entries, or refuses it.
func (s *Signals) append(ctx context.Context, c Caller, b domain.Batch, n int) error {
	if err := s.seeded(ctx); err != nil {
		return err
	}
	bytes := weight(b.Entries[:n]...)
	if err := s.limit.reserve("submit signal", c.Principal, n, bytes, s.cfg.Now()); err != nil {
		return err
	}
	return s.appendReserved(ctx, c, b, n, bytes)
}

// appendReserved appends a batch whose n signals have places, and settles them.
func (s *Signals) appendReserved(ctx context.Context, c Caller, b domain.Batch, n, bytes int) error {
	leave, err := s.room.enter(ctx)
	var receipt domain.Receipt
	if err == nil {
		receipt, err = s.cfg.Log.Append(ctx, b)
		leave()
	}
	s.limit.settled(c.Principal, n, bytes, receipt, err, s.cfg.Now())
	return err
}

// entry judges a signal and makes its envelope, the first of a new trace.
func (s *Signals) entry(c Caller, sig domain.SignalReceived) (domain.Entry, error) {
	if sig.Source == "" {
		sig.Source = c.Name
	}
	if err := sig.Check(); err != nil {
		return domain.Entry{}, err
	}
	if err := c.mayEmit(sig.SignalType); err != nil {
		return domain.Entry{}, err
	}
	sig = screenSignal(c, sig)
	id := s.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, s.cfg.Now(), c.Source, sig)
	if err != nil {
		return domain.Entry{}, err
	}
	if size := len(entry.Envelope.Payload.Bytes); size > domain.MaxPayloadBytes {
		return domain.Entry{}, domain.Invalid("submit signal", "", fmt.Sprintf(
			"the signal takes %d bytes when stored, the bound is %d: shorten its content or metadata", size, domain.MaxPayloadBytes))
	}
	return entry, nil
}
