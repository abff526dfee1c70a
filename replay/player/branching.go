package player

import (
	"context"
	"crypto/sha256"
	"time"

	"chalie/domain"
	"chalie/domain/memlog"
	"chalie/domain/silence"
	"chalie/replay"
)

// branching is a walk that builds a branch: what came in, as the change has it, and the
// steps that are made of that.
type branching struct {
	governed bool // the first record behind the fork was reached
	walk
	planned
	scope  Scope
	branch *memlog.Log

	looked domain.Position // through which the starts of episodes were looked at
	at     domain.Millis   // the writer's clock of an append
	woken  []Act           // acts that a step of another act has woken

	pasts   map[domain.TraceID]*past
	models  []string                  // models of the latest recorded start
	unknown map[domain.TraceID]string // traces with an unknown outcome, and why
	asked   map[domain.TraceID]string // of those, the model that would have been called
	loose   map[domain.ID]bool        // calls without a recorded answer
	shut    map[domain.Principal]bool // whom nothing lets in, in the branch

	falling falling
	anew    map[domain.TraceID]*touched
	order   []domain.TraceID // of anew
	skipped map[domain.TraceID]bool
	silent  *silence.Reader // of the log
}

var _ course = (*branching)(nil)

// move has a run make its next step and commits it to the branch, or run to its end. The
// error is the log's or ctx's; the code's own error is noted.
func (w *branching) move(ctx context.Context, r *run) (ended bool, err error) {
	w.moving = r
	defer func() { w.moving = nil }()
	for {
		batch, more := w.next(ctx, r)
		if !more {
			delete(w.runs, r.act)
			return true, w.ended(ctx, r, r.err)
		}
		r.receipt, r.refused = w.commit(ctx, r, &batch)
		if err := ctx.Err(); err != nil { // the code would offer it again and again
			w.stop(r.act)
			return true, err
		}
		// The code handles a failed condition itself.
		if r.refused == nil && !r.waits(batch) {
			return false, nil
		}
	}
}

// early has an act come to a step, which is appended where it was.
func (w *branching) early(ctx context.Context, rec domain.Record) error {
	act, ok, err := w.makes(ctx, rec)
	if err != nil {
		return err
	}
	if r := w.under(act); ok && r.made == nil {
		w.now, w.moving = clockOf(rec.Envelope), r
		batch, more := w.next(ctx, r)
		r.made, w.moving = &madeStep{batch, more}, nil
	}
	return nil
}

// wants implements course.
func (w *branching) wants(trace domain.TraceID) bool {
	return w.scope.Trace.IsZero() || trace == w.scope.Trace
}

// makes is the act that makes a recorded step in the branch; false when none does.
func (w *branching) makes(ctx context.Context, rec domain.Record) (Act, bool, error) {
	decided, err := isDecided(ctx, w.log, rec)
	if err != nil || !decided {
		return Act{}, false, err
	}
	act, ok, err := w.decides(ctx, rec)
	if err != nil || !ok || w.unknown[act.Trace] != "" {
		return act, false, err
	}
	ok, err = w.isAskedFor(ctx, act, rec)
	return act, ok, err
}

// waits reports whether an act makes no further step by itself after a batch: it has
// ended, or waits for the person. Its code then ends.
func (r *run) waits(batch domain.Batch) bool {
	for _, e := range batch.Entries {
		switch env := e.Envelope; {
		case env.Type == domain.ApprovalProposedType, env.Type == domain.ReasoningConcludedType, domain.IsSilent(env):
			return true
		case env.Kind == domain.KindResult:
			if id, ok := domain.InvocationOf(env); ok && id == r.act.Invocation {
				return true
			}
		}
	}
	return false
}

// ended notes the error with which a run's code ended.
func (w *branching) ended(ctx context.Context, r *run, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if domain.CodeOf(err) == "not_due" {
		return nil // the log doesn't have it in the branch, or not yet
	}
	if err != nil && w.unknown[r.act.Trace] == "" {
		w.unknown[r.act.Trace] = inWords(err)
	}
	return nil
}

// touched is a trace that is decided again, or that lost an input.
type touched struct {
	opened  domain.Position
	decided bool // by today's code
	differs bool // the branch has different records of it
}

func newBranching(ctx context.Context, log replay.Log, p planned, scope Scope) (*branching, error) {
	w := &branching{
		planned: p, scope: scope, pasts: map[domain.TraceID]*past{},
		unknown: map[domain.TraceID]string{}, asked: map[domain.TraceID]string{},
		silent: silence.NewReader(log), loose: map[domain.ID]bool{}, shut: map[domain.Principal]bool{}, anew: map[domain.TraceID]*touched{}, skipped: map[domain.TraceID]bool{},
	}
	w.falling.told, w.falling.begun = map[dueAt]bool{}, map[domain.ID]domain.Record{}
	var err error
	if w.branch, err = memlog.Branch(ctx, log, p.fork, recording{w}); err == nil {
		w.walk = newWalk(log, w.branch, p.fork, log.Tail())
	}
	return w, err
}

// recording is the clock of the branch: an append gets its recorded time, however late
// the act runs.
type recording struct{ *branching }

// Now implements domain.Clock.
func (r recording) Now() time.Time { return r.at.Time() }

// begin makes the runtime, which begins at the fork or before it.
func (w *branching) begin(ctx context.Context, start StartRuntime) error {
	if err := w.start(start, effects{w}); err != nil {
		return err
	}
	w.looked = w.fork
	if err := w.lookAhead(ctx, w.fork+holdsAhead); err != nil {
		return err
	}
	at := w.fork
	for pos := range w.holds {
		at = min(at, max(pos, 1)-1)
	}
	b, err := w.resume(ctx, at)
	w.falling.then, w.falling.here = b.Plans, b.Plans.Clone()
	return err
}

// holdsAhead is how many records may stand between the world state with which an episode
// began and its start: many times what comes in while it is put together.
const holdsAhead = 16 * feedPage

// lookAhead finds the position of the world state with which each episode began, of those
// that start at a position or before.
func (w *branching) lookAhead(ctx context.Context, through domain.Position) error {
	const page = 256
	for w.looked < through {
		records, err := w.log.Select(ctx, domain.Selector{Topic: domain.TopicReasoning}, w.looked+1, page)
		if err != nil {
			return err
		}
		if len(records) < page {
			w.looked = through
		}
		for _, rec := range records {
			w.looked = max(w.looked, rec.Position)
			if rec.Envelope.Type != domain.ReasoningStartedType || domain.ReadOf(rec.Envelope) >= max(w.fork, 1) {
				continue
			}
			started, err := domain.Decode[domain.ReasoningStarted](rec.Envelope)
			if err == nil && started.World.Position != rec.Position-1 {
				w.holds[started.World.Position] = append(w.holds[started.World.Position], rec.Envelope.Trace)
			}
		}
	}
	return nil
}

// build walks the log.
func (w *branching) build(ctx context.Context, progress func(done, total domain.Position)) error {
	tail := w.log.Tail()
	if err := w.follow(ctx, w, func(pos domain.Position) { progress(pos, tail) }); err != nil {
		return err
	}
	progress(tail, tail)
	if err := w.comeLate(ctx, nil); err != nil {
		return err
	}
	return w.fallDue(ctx, w.branch.Newest(), tail)
}

// pass handles one record of the log.
func (w *branching) pass(ctx context.Context, rec domain.Record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if rec.Position+holdsAhead/2 > w.looked {
		if err := w.lookAhead(ctx, rec.Position+holdsAhead); err != nil {
			return err
		}
	}
	if rec.Position > w.fork && !w.governed {
		w.governed = true
		if err := w.govern(ctx, rec); err != nil {
			return err
		}
	}
	var err error
	if rec.Position <= w.fork {
		err = w.apply(rec)
	} else if err = w.comeLate(ctx, &rec); err == nil {
		if err = w.fallDue(ctx, rec.RecordedAt, rec.Position); err == nil {
			err = w.happen(ctx, rec)
		}
	}
	if err == nil {
		err = w.recorded(rec)
	}
	return err
}

// happen handles one record behind the fork.
func (w *branching) happen(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	switch {
	case env.Type == domain.ReasoningStartedType:
		if started, err := domain.Decode[domain.ReasoningStarted](env); err == nil && len(started.Models) > 0 {
			w.models = started.Models
		}
	case domain.IsSilent(env):
		if signal, err := domain.Decode[domain.SpineSignalEmitted](env); err == nil && signal.Silent != nil && signal.Silent.Rules != nil {
			w.models = signal.Silent.Rules.Models
		}
	}
	decided, err := isDecided(ctx, w.log, rec)
	if err != nil {
		return err
	}
	if decided {
		act, ok, err := w.decides(ctx, rec)
		if err != nil {
			return err
		}
		if ok {
			return w.step(ctx, act, rec)
		}
	}
	return w.come(ctx, rec)
}

// decides is the act of a recorded step, and whether it is decided again.
func (w *branching) decides(ctx context.Context, rec domain.Record) (Act, bool, error) {
	trace := rec.Envelope.Trace
	if !w.scope.Trace.IsZero() && trace != w.scope.Trace {
		return Act{}, false, nil
	}
	p, err := w.pastOf(ctx, trace)
	if err != nil || p.opened.Position < w.scope.Since {
		return Act{}, false, err
	}
	if p.erased {
		w.skipped[trace] = true
		return Act{}, false, nil
	}
	act, err := w.actOf(ctx, rec)
	if err != nil {
		return act, false, err
	}
	w.touch(trace, p.opened.Position).decided = true
	return act, true, nil
}

func (w *branching) touch(trace domain.TraceID, opened domain.Position) *touched {
	t := w.anew[trace]
	if t == nil {
		t = &touched{opened: opened}
		w.anew[trace] = t
		w.order = append(w.order, trace)
	}
	return t
}

// step has an act make its next step at the moment of a recorded one, and run to its end
// when the recorded act ended.
func (w *branching) step(ctx context.Context, act Act, rec domain.Record) error {
	env := rec.Envelope
	w.now, w.at = clockOf(env), rec.Clock()
	if endsAct(env, act) {
		defer delete(w.pasts, act.Trace) // to bound the memory
	}
	if _, err := w.branch.Find(ctx, env.ID); domain.CategoryOf(err) != domain.NotFound {
		return err // it is part of the step before
	}
	asked, err := w.isAskedFor(ctx, act, rec)
	if err != nil {
		return err
	}
	if !asked || w.unknown[act.Trace] != "" {
		w.anew[act.Trace].differs = true
		return nil
	}
	ended, err := w.move(ctx, w.under(act))
	if err != nil {
		return err
	}
	// An act that waited then and doesn't in the branch continues at once.
	if !ended && (endsAct(env, act) || env.Type == domain.ApprovalProposedType) {
		if err := w.finish(ctx, act); err != nil {
			return err
		}
	}
	if err := w.finishWoken(ctx); err != nil {
		return err
	}
	if _, err := w.branch.Find(ctx, env.ID); err != nil {
		if domain.CategoryOf(err) != domain.NotFound {
			return err
		}
		w.anew[act.Trace].differs = true
	}
	return nil
}

// finishWoken goes on with what the person has said yes or no to.
func (w *branching) finishWoken(ctx context.Context) error {
	for len(w.woken) > 0 {
		next := w.woken[0]
		w.woken = w.woken[1:]
		if err := w.finish(ctx, next); err != nil {
			return err
		}
	}
	return nil
}

// finish has an act make all steps that it makes by itself.
func (w *branching) finish(ctx context.Context, act Act) error {
	for {
		ended, err := w.move(ctx, w.under(act))
		if ended || err != nil {
			return err
		}
	}
}

// isAskedFor reports whether the act of a recorded step exists in the branch: a directly
// requested invocation may be missing.
func (w *branching) isAskedFor(ctx context.Context, act Act, rec domain.Record) (bool, error) {
	if act.Invocation.IsZero() {
		return true, nil
	}
	if act.Invocation == rec.Envelope.ID {
		if w.without[rec.Envelope.ID] || w.shut[rec.Envelope.Principal] {
			return false, nil
		}
		return w.follows(ctx, rec)
	}
	_, err := w.branch.Find(ctx, act.Invocation)
	if domain.CategoryOf(err) == domain.NotFound {
		return false, nil
	}
	return err == nil, err
}

// twin implements course: the next recorded step of the same identity, unless the branch
// has it already.
func (w *branching) twin(ctx context.Context, act Act, env domain.Envelope) (*domain.Envelope, error) {
	if env.Trace != act.Trace {
		return nil, nil
	}
	p, err := w.pastOf(ctx, env.Trace)
	if err != nil {
		return nil, err
	}
	twin := p.take(env)
	if twin == nil {
		return nil, nil
	}
	if _, err := w.branch.Find(ctx, twin.ID); domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	return twin, nil
}

// asThen implements course: a branch's clock measures no duration, and its positions are
// its own.
func (w *branching) asThen(now, then []byte) []byte {
	return copied(copied(now, then, "duration_ms"), then, "read")
}

// commit appends a batch of an act, and applies it to the runtime.
func (w *branching) commit(ctx context.Context, r *run, batch *domain.Batch) (domain.Receipt, error) {
	if err := r.names.settle(ctx, w, batch); err != nil {
		return domain.Receipt{}, err
	}
	receipt, err := w.branch.Append(ctx, *batch)
	if err != nil || receipt.Duplicate {
		return receipt, err
	}
	for i, e := range batch.Entries {
		t := w.anew[e.Envelope.Trace]
		if t != nil && !w.branch.Shares(receipt.Positions[i]) {
			t.differs = true
		}
		if err := w.apply(domain.Record{Position: receipt.Positions[i], Topic: e.Topic, RecordedAt: receipt.RecordedAt, Ahead: receipt.Ahead, Envelope: e.Envelope}); err != nil {
			return receipt, err
		}
		if e.Envelope.Trace != r.act.Trace {
			w.wake(ctx, e.Envelope)
		}
		if id, _ := domain.InvocationOf(e.Envelope); e.Envelope.Type == domain.ApprovalProposedType && w.granted[id] {
			if err := w.grant(ctx, id, e.Envelope); err != nil {
				return receipt, err
			}
		}
	}
	return receipt, nil
}

// grant says yes to a proposal, as the person would.
func (w *branching) grant(ctx context.Context, invocation domain.ID, proposal domain.Envelope) error {
	sum := sha256.Sum256(append([]byte("yes to "), proposal.ID[:]...))
	said := domain.Lineage{Trace: proposal.Trace, Parent: proposal.ID, Principal: domain.PrincipalOperator}
	yes, err := domain.New(said, mintedAt(w.now, sum), w.now, "replay", domain.ApprovalGranted{InvocationID: invocation, Actor: domain.ActorOperator, Channel: "replay"})
	if err != nil {
		return err
	}
	yes.Envelope.Keys = []domain.Key{domain.InvocationKey(invocation)}
	if err := w.write(ctx, domain.Record{Topic: yes.Topic, RecordedAt: w.at, Envelope: yes.Envelope}); err != nil {
		return err
	}
	w.wake(ctx, yes.Envelope)
	return nil
}

// wake notes that an act can continue: the person has decided its proposal.
func (w *branching) wake(ctx context.Context, env domain.Envelope) {
	id, ok := domain.InvocationOf(env)
	if !ok || env.Type != domain.ApprovalGrantedType && env.Type != domain.ApprovalRefusedType {
		return
	}
	rec, err := w.branch.Find(ctx, id)
	if err != nil {
		return
	}
	act := Act{Trace: env.Trace, Invocation: id}
	if _, _, called := domain.CallOf(rec.Envelope); called {
		act.Invocation = domain.ID{}
	}
	// It may be of a trace from before the branch.
	var opened domain.Position
	if p, err := w.pastOf(ctx, env.Trace); err == nil {
		opened = p.opened.Position
	}
	w.touch(env.Trace, opened).differs = true
	w.woken = append(w.woken, act)
}
