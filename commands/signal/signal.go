package signal

import (
	"context"
	"errors"
	"fmt"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/limit"
	"chalie/domain"
)

// Config is what the signal commands need. All fields but Surroundings and Priority are
// required.
type Config struct {
	commands.Env
	// Surroundings decides what a context_update changes, in the same append; nil for
	// nothing.
	Surroundings *Surroundings `optional:"yes"`
	// Priority knows whether a person waits for an answer; signals are then slowed down.
	// nil for never.
	Priority background.Priority `optional:"yes"`
}

// Signals takes in signals.
type Signals struct {
	cfg      Config
	requests *commands.Requests
	throttle *throttle
}

// New returns a validation error when something is missing.
func New(cfg Config) (*Signals, error) {
	if err := commands.Complete("configure signals", cfg); err != nil {
		return nil, err
	}
	return &Signals{cfg: cfg, requests: commands.NewRequests(cfg.Reader, cfg.Clock, cfg.IDs), throttle: newThrottle(cfg.Priority)}, nil
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
	return taken.entries[0].Envelope.ID, s.append(ctx, taken, taken.batch())
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
		return a, s.append(ctx, taken, batch)
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

// append appends a batch, which begins with the signals. It returns once the fold knows
// what they changed, so the next request sees it.
func (s *Signals) append(ctx context.Context, taken *Overheard, b domain.Batch) error {
	leave, err := s.throttle.enter(ctx)
	if err != nil {
		return err
	}
	receipt, err := s.cfg.Log.Append(ctx, b)
	leave()
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
	sig.Marks = nil // they aren't its sender's to make
	id := s.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, s.cfg.Now(), c.Source, sig)
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
	return s.submit(ctx, c, items, func(_ Outcome, b domain.Batch) (domain.Batch, error) { return b, nil })
}

// SubmitBatchOnce is SubmitBatch for a request that carries an Idempotency-Key.
// A batch of which nothing was accepted leaves no trace, so it may be sent again.
func (s *Signals) SubmitBatchOnce(ctx context.Context, c commands.Caller, items []Item, req commands.Request, answer func(Outcome) commands.Answer) (commands.Answer, error) {
	if err := checkBatch(items); err != nil {
		return commands.Answer{}, err
	}
	return s.requests.Once(ctx, c, req, func(seal commands.Sealer) (commands.Answer, error) {
		out, err := s.submit(ctx, c, items, func(out Outcome, b domain.Batch) (domain.Batch, error) { return seal(b, answer(out)) })
		if err != nil {
			return commands.Answer{}, err
		}
		return answer(out), nil
	})
}

// submit appends what can be accepted of a batch. What the log has no room for is left out
// then, and the others are offered again.
func (s *Signals) submit(ctx context.Context, c commands.Caller, items []Item, seal func(Outcome, domain.Batch) (domain.Batch, error)) (Outcome, error) {
	if err := checkBatch(items); err != nil {
		return Outcome{}, err
	}
	heard, refused := make([]Heard, len(items)), make([]error, len(items))
	for i, item := range items {
		if refused[i] = item.Err; item.Err == nil {
			heard[i], refused[i] = s.heard(c, item.Signal)
		}
	}
	for {
		out, taken := accepted(heard, refused)
		if taken.Len() == 0 {
			return out, nil
		}
		batch, err := fitting(taken)
		if err == nil {
			batch, err = seal(out, batch)
		}
		if err == nil {
			err = s.append(ctx, taken, batch)
		}
		over, some := errors.AsType[*limit.Over](err)
		if !some {
			return out, err
		}
		for i := range heard {
			if err := over.Refused[heard[i].entry.Envelope.ID]; err != nil && refused[i] == nil {
				refused[i] = err
			}
		}
	}
}

func checkBatch(items []Item) error {
	if len(items) > domain.MaxSignalsPerBatch {
		return domain.Invalid("submit batch", "", fmt.Sprintf(
			"the batch has %d signals, the bound is %d: send several batches", len(items), domain.MaxSignalsPerBatch))
	}
	return nil
}

// accepted are those that aren't refused.
func accepted(heard []Heard, refused []error) (Outcome, *Overheard) {
	var out Outcome
	taken := Overheard{entries: make([]domain.Entry, 0, len(heard))}
	for i, h := range heard {
		if refused[i] != nil {
			out.Rejected = append(out.Rejected, Rejection{i, refused[i]})
			continue
		}
		taken.put(h)
		out.IDs = append(out.IDs, h.entry.Envelope.ID)
	}
	out.Accepted = taken.Len()
	return out, &taken
}

// fitting is the accepted signals as one batch, or says that it is too large for one append.
func fitting(taken *Overheard) (domain.Batch, error) {
	batch := taken.batch()
	size := envelopeOverhead // for the remembered answer
	for _, e := range batch.Entries {
		size += len(e.Envelope.Payload.Bytes) + envelopeOverhead
	}
	if size > domain.MaxBatchBytes {
		return domain.Batch{}, &domain.Error{Op: "submit batch", Category: domain.Validation, Code: domain.CodeTooLarge,
			Message: fmt.Sprintf("the batch takes %d bytes when stored, the bound is %d: send several smaller ones", size, domain.MaxBatchBytes)}
	}
	return batch, nil
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
