package reasoning

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/silence"
)

// Foresight thinks cycles through before anything of them is recorded, so that one that tells
// nothing is one record, and one that finds exactly what the last found is none. It keeps what
// the last looked at; the first that it records is in full. It is safe for concurrent use.
type Foresight struct {
	reasoner *Reasoner

	mu     sync.Mutex
	reader *silence.Reader
	last   *silence.List // of the last that was recorded; nil before the first
	at     domain.Millis // when that was
}

// differsWithin is how old the cycle before may be: an older one may go before the next refers to it,
// when its time to be kept is over.
const differsWithin = 24 * time.Hour

// NewForesight is that of a reasoner.
func NewForesight(r *Reasoner) *Foresight {
	return &Foresight{reasoner: r, reader: silence.NewReader(r.cfg.Reader)}
}

// Silently thinks through the cycle that a spine signal, the first entry of the batch, would
// open. done says that nothing is left to do: it told nothing, and is recorded; or, of a signal
// that nothing caused, it found what the last one did. Otherwise nothing is recorded, and the
// signal is to be, as it is. Errors are those of the log and of its folds; calling it again is safe.
func (f *Foresight) Silently(ctx context.Context, batch domain.Batch) (recorded, done bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.reasoner.cfg.Reader.Find(ctx, batch.Entries[0].Envelope.ID); err == nil {
		f.last = nil // it was recorded, and whoever did so was told that this isn't known
		return true, true, nil
	} else if domain.CategoryOf(err) != domain.NotFound {
		return false, false, err
	}
	before := f.last
	if f.reasoner.cfg.Now().Sub(f.at) >= differsWithin {
		before = nil
	}
	made, err := f.reasoner.silently(ctx, batch, f.reader, before, nil)
	if err != nil || made.list == nil {
		return false, false, err
	}
	if batch.Entries[0].Envelope.Parent.IsZero() && len(made.batch.Entries) == 1 {
		same, err := f.reader.Same(ctx, f.last, f.at, made.list, made.at)
		if err != nil || same {
			return false, same, err
		}
	}
	if err := f.reasoner.append(made.ctx, made.batch); err != nil {
		return false, false, err
	}
	f.last, f.at = made.list, made.at
	return true, true, nil
}

// ThinkAgain makes the recorded cycle of a silent spine signal again: as one record that differs
// from the same as then, or, when it would tell something today, as a signal and its steps. It goes
// on where the log says it is.
func (r *Reasoner) ThinkAgain(ctx context.Context, recorded domain.Record) error {
	if made, err := r.cfg.Reader.Find(ctx, recorded.Envelope.ID); err == nil {
		if domain.IsSilent(made.Envelope) {
			return nil
		}
		_, err = r.Cycle(ctx, made)
		return err
	} else if domain.CategoryOf(err) != domain.NotFound {
		return err
	}
	signal, err := domain.Decode[domain.SpineSignalEmitted](recorded.Envelope)
	if err != nil {
		return err
	}
	reader := silence.NewReader(r.cfg.Reader)
	before, then, err := reader.Lists(ctx, recorded)
	if err != nil {
		return err
	}
	signal.Silent, signal.Read = nil, 0
	entry, err := again(recorded.Envelope, recorded.Envelope.Timestamp, signal)
	if err != nil {
		return err
	}
	batch := domain.Batch{Entries: []domain.Entry{entry}}
	made, err := r.silently(ctx, batch, reader, before, then)
	if err != nil {
		return err
	}
	if made.list != nil {
		return r.append(made.ctx, made.batch)
	}
	if err := r.append(commands.Aside(ctx), batch); err != nil {
		return err
	}
	_, err = r.Cycle(ctx, domain.Record{Envelope: entry.Envelope})
	return err
}

// again is an envelope with another payload.
func again(e domain.Envelope, at domain.Millis, payload domain.SpineSignalEmitted) (domain.Entry, error) {
	entry, err := domain.New(domain.Lineage{Trace: e.Trace, Parent: e.Parent, Principal: e.Principal}, e.ID, at, e.Source, payload)
	entry.Envelope.Keys = slices.DeleteFunc(slices.Clone(e.Keys), func(k domain.Key) bool { return k == domain.SilentKey })
	if payload.Silent != nil {
		entry.Envelope.Keys = append(entry.Envelope.Keys, domain.SilentKey)
	}
	return entry, err
}

// madeSilently is a silent cycle that isn't recorded yet; without a list it isn't silent.
type madeSilently struct {
	ctx   context.Context // of the act whose step it is
	batch domain.Batch
	list  *silence.List
	at    domain.Millis
}

// silently is the record of a cycle that tells nothing, as the difference to another. Made again it
// goes by the code that it names, whichever makes it.
func (r *Reasoner) silently(ctx context.Context, batch domain.Batch, reader *silence.Reader, before, then *silence.List) (madeSilently, error) {
	made := madeSilently{ctx: r.cfg.Act(ctx)}
	opening := batch.Entries[0].Envelope
	signal, err := domain.Decode[domain.SpineSignalEmitted](opening)
	if err != nil {
		return made, err
	}
	tail := r.cfg.Tail.Tail()
	thought, silent, err := r.thinkThrough(made.ctx, opening, tail)
	// What came in meanwhile may have been seen by one part of it and not by another: then no
	// replay could make it again.
	if err != nil || !silent || r.cfg.Tail.Tail() != tail || thought.Started.World.Position != tail {
		return made, err
	}
	if then != nil {
		thought.Started.Rules, thought.Started.Build = then.Code()
	}
	packed, list, ok, err := reader.Pack(ctx, before, thought.Considered)
	if err != nil || !ok {
		return made, err
	}
	signal.Silent, signal.Read = &packed, tail
	entry, err := again(opening, thought.Started.AsOf, signal)
	if err != nil {
		return made, err
	}
	made.batch = domain.Batch{Entries: append([]domain.Entry{entry}, thought.reasons...), Conditions: batch.Conditions}
	made.list, made.at = list, thought.Started.AsOf
	return made, nil
}

// thought is a cycle that was thought through.
type thought struct {
	silence.Considered
	reasons []domain.Entry // the relations.found, if there is one
}

// thinkThrough makes the steps of a cycle without recording them, with the clock standing. It ends
// as soon as one would have an effect: before a tool is called, and before anything is told.
func (r *Reasoner) thinkThrough(ctx context.Context, opening domain.Envelope, tail domain.Position) (out thought, silent bool, err error) {
	if !unmoved(r.cfg.Models[0]) {
		return out, false, nil // what another model says is recorded as it says it
	}
	now := r.cfg.Now()
	log := &unrecorded{reader: r.cfg.Reader, tail: tail, trace: opening.Trace, at: now}
	log.add(domain.TopicSpine, opening)
	mind, notices := &heldMind{Mind: r.cfg.Mind}, &heldNotices{Notices: r.cfg.Notices}
	inner := Reasoner{cfg: r.cfg}
	inner.cfg.Env = commands.Env{Log: log, Reader: log, Tail: log, Clock: standing(now), IDs: r.cfg.IDs, Logger: r.cfg.Logger}
	inner.cfg.Mind, inner.cfg.Tools, inner.cfg.Approvals = mind, noCalls{r.cfg.Tools}, nil
	inner.cfg.Applied = through{r.cfg.Applied, tail}
	if r.cfg.Notices != nil {
		inner.cfg.Notices = notices
	}
	_, err = inner.Cycle(ctx, domain.Record{Envelope: opening})
	switch {
	case errors.Is(err, errHasEffect):
		return out, false, nil
	case err != nil:
		return out, false, err
	}
	return log.thought(opening.ID, mind.ground, notices.verdicts)
}

// errHasEffect ends the thinking through of a cycle that isn't silent. It is permanent.
var errHasEffect = &domain.Error{Op: "think ahead", Category: domain.Policy, Code: "has_effect", Message: "the cycle tells or does something"}

// unrecorded is a log with the steps of one trace that aren't recorded.
type unrecorded struct {
	reader domain.Reader
	tail   domain.Position // of the log, which ends there
	trace  domain.TraceID
	at     domain.Millis
	steps  []domain.Record
}

func (u *unrecorded) add(topic domain.Topic, e domain.Envelope) domain.Position {
	at := u.tail + 1 + domain.Position(len(u.steps))
	u.steps = append(u.steps, domain.Record{Position: at, Topic: topic, RecordedAt: u.at, Envelope: e})
	return at
}

// Append implements domain.Appender.
func (u *unrecorded) Append(_ context.Context, b domain.Batch) (domain.Receipt, error) {
	receipt := domain.Receipt{RecordedAt: u.at}
	for _, entry := range b.Entries {
		if !isThought(entry.Envelope) {
			return domain.Receipt{}, errHasEffect
		}
		receipt.Positions = append(receipt.Positions, u.add(entry.Topic, entry.Envelope))
	}
	return receipt, nil
}

// isThought reports whether an envelope is a step of a cycle that has no effect.
func isThought(e domain.Envelope) bool {
	switch e.Type {
	case domain.ReasoningStartedType, domain.RelationsFoundType, domain.ModelCalledType, domain.ModelRepliedType:
		return true
	case domain.ReasoningConcludedType:
		end, err := domain.Decode[domain.ReasoningConcluded](e)
		return err == nil && end.Outcome == domain.OutcomeHeld && end.Shown == domain.ShownNot && len(e.Errors) == 0
	}
	return false
}

// Select implements domain.Reader.
func (u *unrecorded) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if s.Trace != u.trace {
		return u.reader.Select(ctx, s, from, limit)
	}
	i := slices.IndexFunc(u.steps, func(rec domain.Record) bool { return rec.Position >= from })
	if i < 0 {
		return nil, nil
	}
	return u.steps[i:min(len(u.steps), i+limit)], nil
}

// Find implements domain.Reader.
func (u *unrecorded) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	for _, rec := range u.steps {
		if rec.Envelope.ID == id {
			return rec, nil
		}
	}
	return u.reader.Find(ctx, id)
}

// Since implements domain.Reader.
func (u *unrecorded) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	return u.reader.Since(ctx, t)
}

// Tail implements domain.Tailer.
func (u *unrecorded) Tail() domain.Position { return u.tail }

// Wait implements domain.Tailer. Nothing comes while it is thought.
func (u *unrecorded) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	if u.tail > after {
		return u.tail, nil
	}
	<-ctx.Done()
	return 0, ctx.Err()
}

// thought is what the steps come to; false when they didn't come to an end.
func (u *unrecorded) thought(opening domain.ID, ground ContextSnapshot, verdicts []Verdict) (out thought, silent bool, err error) {
	out.Opening, out.Assembly, out.Params = opening, ground.Assembly, ground.Params
	for _, rec := range u.steps {
		e := rec.Envelope
		switch e.Type {
		case domain.ReasoningStartedType:
			out.Started, err = domain.Decode[domain.ReasoningStarted](e)
		case domain.RelationsFoundType:
			e.Parent = opening
			out.reasons = append(out.reasons, domain.Entry{Topic: rec.Topic, Envelope: e})
		case domain.ModelRepliedType:
			var replied domain.ModelReplied
			replied, err = domain.Decode[domain.ModelReplied](e)
			out.Findings = replied.Findings
		case domain.ReasoningConcludedType:
			out.Ended, err = domain.Decode[domain.ReasoningConcluded](e)
			silent = true
		}
		if err != nil {
			return out, false, err
		}
	}
	for i, v := range verdicts {
		if i == len(out.Findings) {
			break
		}
		held := domain.SilentFinding{Evidence: out.Findings[i].Evidence, Gate: v.Gate, Because: v.Because, By: v.By}
		if v.By != 0 && v.By != domain.HeldByAttention {
			held.Told = u.at.Add(-v.Since)
		}
		out.Held = append(out.Held, held)
	}
	return out, silent, nil
}

// heldMind keeps the ground that it lays.
type heldMind struct {
	Mind
	ground ContextSnapshot
}

// Ground implements Mind.
func (m *heldMind) Ground(ctx context.Context, now domain.Millis, opening domain.ID) (_ ContextSnapshot, err error) {
	m.ground, err = m.Mind.Ground(ctx, now, opening)
	return m.ground, err
}

// heldNotices keeps what it judges.
type heldNotices struct {
	Notices
	verdicts []Verdict
}

// Judge implements Notices.
func (n *heldNotices) Judge(ctx context.Context, of Notice) (Verdict, error) {
	v, err := n.Notices.Judge(ctx, of)
	n.verdicts = append(n.verdicts, v)
	return v, err
}

// noCalls are the tools of a cycle that is thought through: none is called.
type noCalls struct{ ToolCaller }

// Call implements ToolCaller.
func (noCalls) Call(context.Context, commands.Caller, tool.Invocation) (tool.Invoked, error) {
	return tool.Invoked{}, errHasEffect
}

// through is a barrier that waits for no more than the log held.
type through struct {
	commands.Barrier
	tail domain.Position
}

// WaitFor implements commands.Barrier.
func (t through) WaitFor(ctx context.Context, at domain.Position) error {
	return t.Barrier.WaitFor(ctx, min(at, t.tail))
}

// standing is a clock that stands.
type standing domain.Millis

// Now implements domain.Clock.
func (s standing) Now() time.Time { return domain.Millis(s).Time() }
