package background

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// Buffer is how many signals wait to be recorded. When it is full a further
// one is lost, and counted.
const Buffer = 256

// EmitterConfig has the dependencies of emission. All are required.
type EmitterConfig struct {
	commands.Env
}

// Emitter records what services noticed. It never fails a service: one that emits
// goes on as if nothing had happened, whatever the signal's fate.
//
// A signal that an envelope caused is recorded once for that cause, however often
// it is emitted. It opens an episode of its own: its id is the trace's, its parent
// is the cause, and so is who answers for it. One without a cause has no parent,
// and its service answers for it.
//
// An Emitter is safe for concurrent use.
type Emitter struct {
	cfg     EmitterConfig
	pending chan domain.Batch

	mu     sync.Mutex
	counts EmitterCounts
	ahead  Ahead
}

// Ahead is how an emitter thinks of a signal before it records it. The zero value doesn't.
type Ahead struct {
	Foresight Foresight
	Priority  Priority        // while a message waits, nothing is thought ahead; nil: none does
	Bounds    commands.Bounds // of one
}

// Foresight thinks a cycle through before its signal is recorded.
type Foresight interface {
	// Silently records a signal, the first entry of a batch, together with its cycle, when that tells
	// nothing. done without recorded says that not even that is worth a record. Not done, nothing
	// is recorded.
	Silently(ctx context.Context, batch domain.Batch) (recorded, done bool, err error)
}

// How long a signal waits to be thought of while somebody waits for an answer, and how long that may
// take, with all that it waits for: then it is left to the consumer.
const (
	aheadWaits = 5 * time.Second
	aheadTakes = 5 * time.Second
)

// quiet waits until no message waits, for a while; false when one still does.
func (a *Ahead) quiet(ctx context.Context) bool {
	if a.Priority == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, aheadWaits)
	defer cancel()
	for {
		changed := a.Priority.Changed()
		if !a.Priority.Waiting() {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// ThinkAhead has cycles thought through before their signals are recorded, from now on.
func (e *Emitter) ThinkAhead(a Ahead) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ahead = a
}

// EmitterCounts counts signals since the start, by their fate.
type EmitterCounts struct {
	Recorded map[domain.SpineType]uint64
	Lost     uint64 // the buffer was full, or the signal made no sense
}

// NewEmitter checks the configuration. Run does the recording.
func NewEmitter(cfg EmitterConfig) (*Emitter, error) {
	if err := commands.Complete("configure spine", cfg); err != nil {
		return nil, err
	}
	return &Emitter{cfg: cfg, pending: make(chan domain.Batch, Buffer), counts: EmitterCounts{Recorded: map[domain.SpineType]uint64{}}}, nil
}

// Emit hands a signal over and forgets it. It doesn't wait and doesn't fail; one
// that is still in the buffer when the process dies is lost. cause is the envelope
// that made the service notice; the zero Envelope for none.
func (e *Emitter) Emit(ctx context.Context, cause domain.Envelope, s domain.SpineSignal) {
	batch, err := e.batch(cause, s)
	if err != nil {
		e.lose(ctx, s.Type, err)
		return
	}
	select {
	case e.pending <- batch:
	default:
		e.lose(ctx, s.Type, errSpineFull)
	}
}

var errSpineFull = &domain.Error{Op: "emit signal", Category: domain.Dependency, Code: "spine_full", Retriable: true,
	Message: "too many signals wait to be recorded; this one is left out"}

// Record is Emit for callers that read the log and can come back to the cause: it returns
// when the signal is durable, or was before. Errors: validation, and what
// domain.Appender returns; calling it again is safe.
func (e *Emitter) Record(ctx context.Context, cause domain.Envelope, s domain.SpineSignal) error {
	batch, err := e.batch(cause, s)
	if err != nil {
		return err
	}
	return e.append(ctx, batch)
}

func (e *Emitter) batch(cause domain.Envelope, s domain.SpineSignal) (domain.Batch, error) {
	payload, err := domain.NewSpineSignal(s)
	if err != nil {
		return domain.Batch{}, err
	}
	id := e.cfg.IDs.NewID()
	lineage := domain.Begin(domain.TraceID{ID: id}, domain.Principal(s.Source))
	if !cause.ID.IsZero() {
		lineage = domain.Resume(cause, domain.TraceID{ID: id})
	}
	entry, err := domain.New(lineage, id, e.cfg.Now(), domain.Source(s.Source), payload)
	if err != nil {
		return domain.Batch{}, err
	}
	batch := domain.Batch{Entries: []domain.Entry{entry}}
	keys := []domain.Key{domain.SpineTypeKey(s.Type)}
	if !cause.ID.IsZero() {
		key := domain.EmittedKey(s.Type, cause.ID)
		keys = append(keys, key)
		batch.Conditions = []domain.Condition{{Key: key}}
	}
	batch.Entries[0].Envelope.Keys = keys
	return batch, nil
}

func (e *Emitter) append(ctx context.Context, b domain.Batch) error {
	recorded, done, err := e.silently(ctx, b)
	if err == nil && !done {
		_, err = e.cfg.Log.Append(ctx, b)
		recorded = err == nil
	}
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil // it was emitted before
	}
	if err != nil || !recorded {
		return err
	}
	t := typeIn(b)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.counts.Recorded[t]++
	return nil
}

// silently tries whether a signal's cycle would tell nothing. What can't be thought through is
// left to the consumer, which counts attempts.
func (e *Emitter) silently(ctx context.Context, b domain.Batch) (recorded, done bool, err error) {
	e.mu.Lock()
	ahead := e.ahead
	e.mu.Unlock()
	if ahead.Foresight == nil || !ahead.quiet(ctx) {
		return false, false, nil
	}
	thinking, cancel := context.WithTimeout(ctx, aheadTakes)
	defer cancel()
	var was, is atomic.Bool
	err = ahead.Bounds.Try(thinking, func(ctx context.Context) error {
		recorded, done, err := ahead.Foresight.Silently(ctx, b)
		was.Store(recorded)
		is.Store(done)
		return err
	})
	late := err != nil && thinking.Err() != nil && ctx.Err() == nil
	if _, ok := errors.AsType[*commands.Broken](err); ok || late || domain.IsPermanent(err) && domain.CodeOf(err) != domain.CodeConditionFailed {
		e.cfg.Logger.WarnContext(ctx, "a background cycle can't be thought through ahead; it is taken up in steps", "type", string(typeIn(b)), "err", err)
		return false, false, nil
	}
	return was.Load(), is.Load(), err
}

// How long a log that can't be written is left alone, and how long recording what
// is left may take once the program stops.
const (
	emitAgainAfter  = 100 * time.Millisecond
	emitAgainAtMost = 5 * time.Second
	emitLastWithin  = time.Second
)

// Run records what was emitted, in order, until ctx ends, and then what is still
// there. While the log can't be written it tries again.
func (e *Emitter) Run(ctx context.Context) error {
	for {
		select {
		case batch := <-e.pending:
			e.persist(ctx, batch)
		case <-ctx.Done():
			e.drain(context.WithoutCancel(ctx))
			return nil
		}
	}
}

func (e *Emitter) persist(ctx context.Context, batch domain.Batch) {
	pause := emitAgainAfter
	for {
		err := e.append(ctx, batch)
		switch {
		case err == nil:
			return
		case ctx.Err() != nil:
			e.requeue(ctx, batch)
			return
		case !domain.IsRetriable(err) && domain.CodeOf(err) != domain.CodeOutcomeUnknown:
			e.lose(ctx, typeIn(batch), err)
			return
		}
		if !commands.Sleep(ctx, pause) {
			e.requeue(ctx, batch)
			return
		}
		pause = min(2*pause, emitAgainAtMost)
	}
}

// requeue keeps what was being recorded for the last round.
func (e *Emitter) requeue(ctx context.Context, batch domain.Batch) {
	select {
	case e.pending <- batch:
	default:
		e.lose(ctx, typeIn(batch), errSpineFull)
	}
}

func (e *Emitter) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, emitLastWithin)
	defer cancel()
	for {
		select {
		case batch := <-e.pending:
			if err := e.append(ctx, batch); err != nil {
				e.lose(ctx, typeIn(batch), err)
			}
		default:
			return
		}
	}
}

func typeIn(b domain.Batch) domain.SpineType {
	t, _ := domain.SpineTypeOf(b.Entries[0].Envelope)
	return t
}

func (e *Emitter) lose(ctx context.Context, t domain.SpineType, err error) {
	e.cfg.Logger.DebugContext(ctx, "a spine signal was not recorded", "type", string(t), "err", err)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.counts.Lost++
}

// Counts are the signals since the start, by their fate.
func (e *Emitter) Counts() EmitterCounts {
	e.mu.Lock()
	defer e.mu.Unlock()
	return EmitterCounts{Recorded: maps.Clone(e.counts.Recorded), Lost: e.counts.Lost}
}

// noticed is the signal that follows from an envelope alone.
type noticed func(domain.Envelope) (domain.SpineSignal, bool)

var _ Noticing = noticed(nil)

// Notice implements Noticing.
func (n noticed) Notice(_ context.Context, rec domain.Record) (domain.SpineSignal, bool, error) {
	s, ok := n(rec.Envelope)
	return s, ok, nil
}

// NoticePlans notices what happens to tasks and memories.
func NoticePlans() Noticing { return noticed(domain.PlanSignal) }

// NoticeDue notices what falls due.
func NoticeDue() Noticing { return noticed(domain.DueSignal) }

// View is the state of the spine at a moment.
type View struct {
	Pulses    []Pulse       // of the services that run, by name
	Idle      time.Duration // after how long of nothing the idle service says so
	Consumers []ConsumerView
	Emitted   EmitterCounts
}

// ConsumerView is one consumer with its queue.
type ConsumerView struct {
	Name  string
	Depth int // how many signals wait at most
	ConsumerState
}

// View is the consumer now.
func (c *Consumer) View() ConsumerView {
	return ConsumerView{Name: c.cfg.Name, Depth: c.cfg.Depth, ConsumerState: c.State()}
}
