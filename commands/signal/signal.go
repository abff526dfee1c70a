package signal

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/limit"
	"chalie/commands/screen"
	"chalie/domain"
)

// Config is what the signal commands need. All fields but PerMinute, Volume,
// Surroundings and Priority are required.
type Config struct {
	commands.Env
	PerMinute int           // accepted signals per caller and sliding minute; 0 for no limit
	Volume    *limit.Volume `optional:"yes"` // bounds the bytes they take in the log; nil for no limit
	// Surroundings decides what a context_update changes, in the same append; nil for
	// nothing.
	Surroundings *Surroundings `optional:"yes"`
	// Priority knows whether a person waits for an answer; signals are then slowed down.
	// nil for never.
	Priority background.Priority `optional:"yes"`
}

// Validate returns a validation error about the first field that is wrong.
func (c Config) Validate() error {
	const op = "configure signals"
	if err := commands.Complete(op, c); err != nil {
		return err
	}
	if c.PerMinute < 0 {
		return domain.Invalid(op, "PerMinute", fmt.Sprintf("PerMinute is %d: give 0 for no limit, or more", c.PerMinute))
	}
	return nil
}

// Signals takes in signals.
type Signals struct {
	cfg      Config
	limit    limit.Rate
	warmUp   *warmUp
	requests *commands.Requests
	throttle *throttle
}

// New makes the signal commands. The rate limit holds over restarts: the signals of the
// last minute are read from the log before the first one is counted.
func New(ctx context.Context, cfg Config) (*Signals, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Signals{cfg: cfg, limit: limit.NewRate("signals", cfg.PerMinute, cfg.Volume.Limiter()), requests: commands.NewRequests(cfg.Reader, cfg.Clock, cfg.IDs), throttle: newThrottle(cfg.Priority)}
	var err error
	s.warmUp, err = newWarmUp(ctx, cfg)
	return s, err
}

// Submit records one signal and returns its id, that of its envelope.
//
// Errors: validation, policy (the caller may not send this type),
// CodeRateLimited, and what domain.Appender returns.
func (s *Signals) Submit(ctx context.Context, c commands.Caller, sig domain.SignalReceived) (domain.ID, error) {
	taken, err := s.one(c, sig)
	if err != nil {
		return domain.ID{}, err
	}
	return taken.entries[0].Envelope.ID, s.append(ctx, c, taken, taken.batch())
}

// SubmitOnce is Submit for a request that carries an Idempotency-Key. answer makes the
// response, which every repeat gets too.
func (s *Signals) SubmitOnce(ctx context.Context, c commands.Caller, sig domain.SignalReceived, req commands.Request, answer func(domain.ID) commands.Answer) (commands.Answer, error) {
	return s.requests.Once(ctx, c, req, func(seal commands.Sealer) (commands.Answer, error) {
		taken, err := s.one(c, sig)
		if err != nil {
			return commands.Answer{}, err
		}
		a := answer(taken.entries[0].Envelope.ID)
		batch, err := seal(taken.batch(), a)
		if err != nil {
			return commands.Answer{}, err
		}
		return a, s.append(ctx, c, taken, batch)
	})
}

// one is a batch of one signal.
func (s *Signals) one(c commands.Caller, sig domain.SignalReceived) (*Overheard, error) {
	h, err := s.heard(c, sig)
	if err != nil {
		return nil, err
	}
	var taken Overheard
	taken.Add(h)
	return &taken, nil
}

// append appends a batch, which begins with the signals, if the rate limit has room for
// them.
func (s *Signals) append(ctx context.Context, c commands.Caller, taken *Overheard, b domain.Batch) error {
	if err := s.seeded(ctx); err != nil {
		return err
	}
	if err := s.limit.Reserve("submit signal", c.Principal, taken.Len(), limit.Weight(taken.entries...), s.cfg.Now()); err != nil {
		return err
	}
	return s.appendReserved(ctx, c, taken, b)
}

// appendReserved appends a batch whose signals the rate limit has admitted, and settles
// the reservation. It returns once the fold knows what they changed, so the next request
// sees it.
func (s *Signals) appendReserved(ctx context.Context, c commands.Caller, taken *Overheard, b domain.Batch) error {
	leave, err := s.throttle.enter(ctx)
	var receipt domain.Receipt
	if err == nil {
		receipt, err = s.cfg.Log.Append(ctx, b)
		leave()
	}
	s.limit.Settled(c.Principal, taken.Len(), limit.Weight(taken.entries...), receipt, err, s.cfg.Now())
	if err != nil || len(taken.changes) == 0 {
		return err
	}
	s.cfg.Surroundings.emit(ctx, taken.changes...)
	// The batch is in the log even when the wait fails.
	_ = s.cfg.Surroundings.cfg.Applied.WaitFor(ctx, receipt.Positions[taken.Len()+len(taken.changes)-1])
	return nil
}

// heard checks a signal and makes its envelope, the first of a new trace, and that of its
// change.
func (s *Signals) heard(c commands.Caller, sig domain.SignalReceived) (Heard, error) {
	if sig.Source == "" {
		sig.Source = c.Name
	}
	if err := sig.Check(); err != nil {
		return Heard{}, err
	}
	if err := c.MayEmit(sig.SignalType); err != nil {
		return Heard{}, err
	}
	id := s.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, s.cfg.Now(), c.Source, screen.Signal(c, sig))
	if err != nil {
		return Heard{}, err
	}
	if size := len(entry.Envelope.Payload.Bytes); size > domain.MaxPayloadBytes {
		return Heard{}, domain.Invalid("submit signal", "", fmt.Sprintf(
			"the signal takes %d bytes when stored, the bound is %d: shorten its content or metadata", size, domain.MaxPayloadBytes))
	}
	told, err := s.cfg.Surroundings.toldBy(c, sig, entry.Envelope)
	return Heard{entry, told}, err
}

// Item is one element of a batch. Err is set when it could not even be read as
// a signal; it then counts as rejected for that reason.
type Item struct {
	Signal domain.SignalReceived
	Err    error
}

// Outcome is the result of a batch.
type Outcome struct {
	Accepted int
	IDs      []domain.ID // of the accepted ones, in order
	Rejected []Rejection // by index
}

// Rejection is the reason why one item was not accepted.
type Rejection struct {
	Index int
	Err   error
}

// envelopeOverhead is an upper bound for what an envelope takes in a batch beside its
// payload.
const envelopeOverhead = 1024

// SubmitBatch judges each item on its own: validity, permission, rate. All
// accepted ones are appended together; with none, nothing is.
//
// Errors: validation when there are too many, CodeTooLarge when the accepted
// ones don't fit in one append, and what domain.Appender returns. Nothing is
// stored then.
func (s *Signals) SubmitBatch(ctx context.Context, c commands.Caller, items []Item) (Outcome, error) {
	if err := checkBatch(items); err != nil {
		return Outcome{}, err
	}
	if err := s.seeded(ctx); err != nil {
		return Outcome{}, err
	}
	out, taken := s.judge(c, items)
	if taken.Len() == 0 {
		return out, nil
	}
	batch, err := s.fitting(c, taken)
	if err != nil {
		return Outcome{}, err
	}
	return out, s.appendReserved(ctx, c, taken, batch)
}

// SubmitBatchOnce is SubmitBatch for a request that carries an Idempotency-Key.
// A batch of which nothing was accepted leaves no trace, so it may be sent again.
func (s *Signals) SubmitBatchOnce(ctx context.Context, c commands.Caller, items []Item, req commands.Request, answer func(Outcome) commands.Answer) (commands.Answer, error) {
	if err := checkBatch(items); err != nil {
		return commands.Answer{}, err
	}
	return s.requests.Once(ctx, c, req, func(seal commands.Sealer) (commands.Answer, error) {
		if err := s.seeded(ctx); err != nil {
			return commands.Answer{}, err
		}
		out, taken := s.judge(c, items)
		a := answer(out)
		if taken.Len() == 0 {
			return a, nil
		}
		batch, err := s.fitting(c, taken)
		if err != nil {
			return commands.Answer{}, err
		}
		if batch, err = seal(batch, a); err != nil {
			s.limit.Release(c.Principal, taken.Len(), limit.Weight(taken.entries...))
			return commands.Answer{}, err
		}
		return a, s.appendReserved(ctx, c, taken, batch)
	})
}

func checkBatch(items []Item) error {
	if len(items) > domain.MaxSignalsPerBatch {
		return domain.Invalid("submit batch", "", fmt.Sprintf(
			"the batch has %d signals, the bound is %d: send several batches", len(items), domain.MaxSignalsPerBatch))
	}
	return nil
}

// judge splits the items into accepted ones, for which the rate limit has reserved room,
// and rejections.
func (s *Signals) judge(c commands.Caller, items []Item) (Outcome, *Overheard) {
	var out Outcome
	taken := Overheard{entries: make([]domain.Entry, 0, len(items))}
	for i, item := range items {
		h, err := Heard{}, item.Err
		if err == nil {
			h, err = s.heard(c, item.Signal)
		}
		if err == nil {
			err = s.limit.Reserve("submit signal", c.Principal, 1, limit.Weight(h.entry), s.cfg.Now())
		}
		if err != nil {
			out.Rejected = append(out.Rejected, Rejection{i, err})
			continue
		}
		taken.put(h)
		out.IDs = append(out.IDs, h.entry.Envelope.ID)
	}
	out.Accepted = taken.Len()
	return out, &taken
}

// fitting is the accepted signals as one batch. When it is too large for one append, its
// reservations are given back.
func (s *Signals) fitting(c commands.Caller, taken *Overheard) (domain.Batch, error) {
	batch := taken.batch()
	size := envelopeOverhead // for the remembered answer
	for _, e := range batch.Entries {
		size += len(e.Envelope.Payload.Bytes) + envelopeOverhead
	}
	if size <= domain.MaxBatchBytes {
		return batch, nil
	}
	s.limit.Release(c.Principal, taken.Len(), limit.Weight(taken.entries...))
	return domain.Batch{}, &domain.Error{Op: "submit batch", Category: domain.Validation, Code: domain.CodeTooLarge,
		Message: fmt.Sprintf("the batch takes %d bytes when stored, the bound is %d: send several smaller ones", size, domain.MaxBatchBytes)}
}

// besideAnswers is how many appends of signals may be under way while somebody
// waits for an answer. One would leave the log idle between two of them; with two,
// a flood of signals slows an answer to twice what it takes alone at worst, and
// without a bound to three or four times.
const besideAnswers = 2

// throttle bounds how much of the log signals take while somebody waits for an answer. A
// signal can wait some milliseconds; a person would notice them.
type throttle struct {
	priority background.Priority // nil when nobody ever waits
	slots    chan struct{}       // each element is an append under way
}

func newThrottle(p background.Priority) *throttle {
	return &throttle{priority: p, slots: make(chan struct{}, besideAnswers)}
}

// enter waits for a slot while a person waits for an answer; leave gives it back. The
// error is retriable: nothing was appended.
func (r *throttle) enter(ctx context.Context) (leave func(), err error) {
	if r.priority == nil || !r.priority.Waiting() {
		return func() {}, nil
	}
	select {
	case r.slots <- struct{}{}:
		return func() { <-r.slots }, nil
	case <-ctx.Done():
		return nil, &domain.Error{Op: "submit signal", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: context.Cause(ctx),
			Message: "it was given up while it waited for an answer to be finished; nothing was recorded: send it again"}
	}
}

// warmUp reads the signals of the last minute that an earlier process stored. It isn't
// done at the start: after a broadcast of millions a minute it takes seconds, and a
// person without signals doesn't need it.
type warmUp struct {
	done    atomic.Bool
	turn    chan struct{}   // holds one while a read is under way
	through domain.Position // the last record of earlier processes
}

// newWarmUp is a finished one when there is no limit.
func newWarmUp(ctx context.Context, cfg Config) (*warmUp, error) {
	s := &warmUp{turn: make(chan struct{}, 1)}
	if cfg.PerMinute == 0 && cfg.Volume.Limiter().Limit == 0 {
		s.done.Store(true)
		return s, nil
	}
	end, err := cfg.Reader.Since(ctx, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	s.through = end - 1
	return s, nil
}

// seeded returns once the limiter knows the last minute's signals. After an error the
// next call starts again.
func (s *Signals) seeded(ctx context.Context) error {
	if s.warmUp.done.Load() {
		return nil
	}
	select {
	case s.warmUp.turn <- struct{}{}:
	case <-ctx.Done():
		return &domain.Error{Op: "submit signal", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: ctx.Err(),
			Message: "the wait for the last minute's count ended; nothing was recorded"}
	}
	defer func() { <-s.warmUp.turn }()
	if s.warmUp.done.Load() {
		return nil
	}
	err := s.limit.SeedFrom(ctx, s.cfg.Reader, limit.Seeds{Topic: domain.TopicSignals, Event: domain.SignalReceivedType, Through: s.warmUp.through}, s.cfg.Now())
	if err != nil {
		return err
	}
	s.warmUp.done.Store(true)
	return nil
}
