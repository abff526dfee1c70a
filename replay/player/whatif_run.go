package player

import (
	"context"
	"crypto/sha256"
	"time"

	"chalie/domain"
	"chalie/domain/memlog"
	"chalie/replay"
)

// whatIfRun walks the log and builds the branch.
type whatIfRun struct {
	planned
	log     replay.Log
	scope   Scope
	branch  *memlog.Log
	runtime Runtime

	now    domain.Millis // the clock of the current step
	at     domain.Millis // the writer's clock of an append
	moving *run          // the run whose turn it is; nil for none
	runs   map[Act]*run
	minted map[Act]uint64
	woken  []Act // acts that a step of another act has woken

	pasts   map[domain.TraceID]*past
	models  []string // models of the latest recorded start
	feed    feed
	pace    pace
	holds   map[domain.Position][]domain.TraceID // episodes that start with the world state of a position; of those that don't say how far they had read
	unknown map[domain.TraceID]string            // traces with an unknown outcome, and why
	asked   map[domain.TraceID]string            // of those, the model that would have been called
	loose   map[domain.ID]bool                   // calls without a recorded answer
	shut    map[domain.Principal]bool            // whom nothing lets in, in the branch

	falling falling
	anew    map[domain.TraceID]*touched
	order   []domain.TraceID // of anew
	skipped map[domain.TraceID]bool
}

// run is an act under way in a branch. Its code is suspended until the walk reaches the
// recorded act's next step, so that each step sees the state of its time.
type run struct {
	routine
	act   Act
	names idBook
	begun bool
	made  *madeStep // before its own record is passed
}

// madeStep is a batch that code has come to, or its end.
type madeStep struct {
	batch domain.Batch
	more  bool
}

// under is the run of an act. It starts with its first move.
func (w *whatIfRun) under(act Act) *run {
	r := w.runs[act]
	if r == nil {
		r = &run{act: act, names: w.naming(act)}
		w.runs[act] = r
	}
	return r
}

// move has a run make its next step and commits it to the branch, or run to its end. The
// error is the log's or ctx's; the code's own error is noted.
func (w *whatIfRun) move(ctx context.Context, r *run) (ended bool, err error) {
	w.moving = r
	defer func() { w.moving = nil }()
	for {
		batch, more := w.next(ctx, r)
		if !more {
			delete(w.runs, r.act)
			return true, w.ended(ctx, r, r.err)
		}
		// The code handles a failed condition itself.
		if r.receipt, r.refused = w.commit(ctx, r, &batch); r.refused == nil && !r.waits(batch) {
			return false, nil
		}
	}
}

// next is what the code of a run appends next; false when it ends.
func (w *whatIfRun) next(ctx context.Context, r *run) (domain.Batch, bool) {
	if made := r.made; made != nil {
		r.made = nil
		return made.batch, made.more
	}
	if !r.begun {
		r.begun = true
		r.begin(ctx, w.runtime, r.act)
	}
	return r.resume()
}

// makeEarly has acts come to the steps that had read the log until a position. They are
// appended where they were.
func (w *whatIfRun) makeEarly(ctx context.Context, pos domain.Position) error {
	for _, first := range w.pace.due(pos) {
		rec, ok, err := w.feed.at(ctx, first)
		if err != nil || !ok {
			return err
		}
		act, ok, err := w.makes(ctx, rec)
		if err != nil {
			return err
		}
		if r := w.under(act); ok && r.made == nil {
			w.now, w.moving = clockOf(rec.Envelope), r
			batch, more := w.next(ctx, r)
			r.made, w.moving = &madeStep{batch, more}, nil
		}
	}
	return nil
}

// makes is the act that makes a recorded step in the branch; false when none does.
func (w *whatIfRun) makes(ctx context.Context, rec domain.Record) (Act, bool, error) {
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
		case env.Type == domain.ApprovalProposedType, env.Type == domain.ReasoningConcludedType:
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
func (w *whatIfRun) ended(ctx context.Context, r *run, err error) error {
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

// stop ends the run of an act at its present step.
func (w *whatIfRun) stop(act Act) {
	r := w.runs[act]
	if r == nil {
		return
	}
	delete(w.runs, act)
	w.moving = r
	defer func() { w.moving = nil }()
	r.end()
}

// stopAll stops all runs.
func (w *whatIfRun) stopAll() {
	for act := range w.runs {
		w.stop(act)
	}
}

// branchLog is the branch as a run sees it.
type branchLog struct{ w *whatIfRun }

var _ EnvironmentLog = branchLog{}

// Append implements domain.Appender: the batch is handed over, and the turn with it.
func (l branchLog) Append(_ context.Context, batch domain.Batch) (domain.Receipt, error) {
	return l.w.moving.caught(batch)
}

// Select implements domain.Reader.
func (l branchLog) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if r := l.w.moving; r != nil {
		s = r.names.selector(s)
	}
	return l.w.branch.Select(ctx, s, from, limit)
}

// Find implements domain.Reader.
func (l branchLog) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	if r := l.w.moving; r != nil {
		id = r.names.of(id)
	}
	return l.w.branch.Find(ctx, id)
}

// Since implements domain.Reader.
func (l branchLog) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	return l.w.branch.Since(ctx, t)
}

// Tail implements domain.Tailer.
func (l branchLog) Tail() domain.Position { return l.w.branch.Tail() }

// Wait implements domain.Tailer.
func (l branchLog) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	return l.w.branch.Wait(ctx, after)
}

// touched is a trace that is decided again, or that lost an input.
type touched struct {
	opened  domain.Position
	decided bool // by today's code
	differs bool // the branch has different records of it
}

func newBranching(ctx context.Context, log replay.Log, change Change, scope Scope) (*whatIfRun, error) {
	p, err := plan(ctx, log, change, scope)
	if err != nil {
		return nil, err
	}
	w := &whatIfRun{
		planned: p, log: log, scope: scope, runs: map[Act]*run{}, minted: map[Act]uint64{}, pasts: map[domain.TraceID]*past{},
		holds: map[domain.Position][]domain.TraceID{}, unknown: map[domain.TraceID]string{}, asked: map[domain.TraceID]string{},
		loose: map[domain.ID]bool{}, shut: map[domain.Principal]bool{}, anew: map[domain.TraceID]*touched{}, skipped: map[domain.TraceID]bool{},
	}
	w.falling.told, w.falling.begun = map[dueAt]bool{}, map[domain.ID]domain.Record{}
	w.branch, err = memlog.Branch(ctx, log, p.fork, recording{w})
	return w, err
}

// recording is the clock of the branch: an append gets its recorded time, however late
// the act runs.
type recording struct{ *whatIfRun }

// Now implements domain.Clock.
func (r recording) Now() time.Time { return r.at.Time() }

// Now implements domain.Clock for the runtime.
func (w *whatIfRun) Now() time.Time { return w.now.Time() }

// begin makes the runtime, and sets the change's policy.
func (w *whatIfRun) begin(ctx context.Context, start StartRuntime) error {
	env := Environment{Log: branchLog{w}, Clock: w, IDs: w, Effects: effects{w}}
	if w.Params != nil {
		env.Params = *w.Params
	}
	var err error
	if w.runtime, err = start(env); err != nil {
		return err
	}
	return w.lookAhead(ctx)
}

// lookAhead finds the position of the world state with which each episode began.
func (w *whatIfRun) lookAhead(ctx context.Context) error {
	const page = 256
	for from := w.fork + 1; ; {
		records, err := w.log.Select(ctx, domain.Selector{Topic: domain.TopicReasoning}, from, page)
		if err != nil {
			return err
		}
		for _, rec := range records {
			from = rec.Position + 1
			if rec.Envelope.Type != domain.ReasoningStartedType {
				continue
			}
			started, err := domain.Decode[domain.ReasoningStarted](rec.Envelope)
			if err == nil && started.World.Position != rec.Position-1 && started.Read < max(w.fork, 1) {
				w.holds[started.World.Position] = append(w.holds[started.World.Position], rec.Envelope.Trace)
			}
		}
		if len(records) < page {
			return nil
		}
	}
}

// walk reads the log in order.
func (w *whatIfRun) walk(ctx context.Context, progress func(done, total domain.Position)) error {
	tail := w.log.Tail()
	w.feed = feed{log: w.log, through: tail}
	first, err := w.log.Select(ctx, domain.Selector{}, 1, 1)
	if err != nil || len(first) == 0 {
		return err
	}
	for pos := first[0].Position; ; pos++ {
		rec, ok, err := w.feed.at(ctx, pos)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if pos%feedPage == 0 {
			progress(pos-1, tail)
			w.feed.move(pos)
		}
		if rec.Position > w.fork {
			if err := w.pace.look(ctx, &w.feed, pos, func(domain.TraceID) bool { return true }); err != nil {
				return err
			}
		}
		if err := w.pass(ctx, rec); err != nil {
			return err
		}
	}
	progress(tail, tail)
	if err := w.comeLate(ctx, nil); err != nil {
		return err
	}
	return w.fallDue(ctx, w.branch.Newest(), tail)
}

// pass handles one record of the log.
func (w *whatIfRun) pass(ctx context.Context, rec domain.Record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if rec.Position == w.fork+1 {
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
	for _, trace := range w.holds[rec.Position] {
		w.runtime.Hold(trace)
	}
	delete(w.holds, rec.Position)
	if err == nil {
		err = w.makeEarly(ctx, rec.Position)
	}
	return err
}

// happen handles one record behind the fork.
func (w *whatIfRun) happen(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	if env.Type == domain.ReasoningStartedType {
		if started, err := domain.Decode[domain.ReasoningStarted](env); err == nil && len(started.Models) > 0 {
			w.models = started.Models
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
func (w *whatIfRun) decides(ctx context.Context, rec domain.Record) (Act, bool, error) {
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

func (w *whatIfRun) touch(trace domain.TraceID, opened domain.Position) *touched {
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
func (w *whatIfRun) step(ctx context.Context, act Act, rec domain.Record) error {
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
func (w *whatIfRun) finishWoken(ctx context.Context) error {
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
func (w *whatIfRun) finish(ctx context.Context, act Act) error {
	for {
		ended, err := w.move(ctx, w.under(act))
		if ended || err != nil {
			return err
		}
	}
}

// isAskedFor reports whether the act of a recorded step exists in the branch: a directly
// requested invocation may be missing.
func (w *whatIfRun) isAskedFor(ctx context.Context, act Act, rec domain.Record) (bool, error) {
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

// endsAct reports whether a recorded step ended its act.
func endsAct(env domain.Envelope, act Act) bool {
	if act.Invocation.IsZero() {
		return env.Type == domain.ReasoningConcludedType
	}
	id, ok := domain.InvocationOf(env)
	return ok && id == act.Invocation && env.Kind == domain.KindResult
}

// clockOf is the clock of a recorded step.
func clockOf(env domain.Envelope) domain.Millis {
	if env.Type == domain.ReasoningStartedType {
		if started, err := domain.Decode[domain.ReasoningStarted](env); err == nil {
			return started.AsOf
		}
	}
	return env.Timestamp
}

// commit appends a batch of an act, and applies it to the runtime.
func (w *whatIfRun) commit(ctx context.Context, r *run, batch *domain.Batch) (domain.Receipt, error) {
	if err := r.names.settle(ctx, batch); err != nil {
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
func (w *whatIfRun) grant(ctx context.Context, invocation domain.ID, proposal domain.Envelope) error {
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
func (w *whatIfRun) wake(ctx context.Context, env domain.Envelope) {
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
	w.touch(env.Trace, 0).differs = true
	w.woken = append(w.woken, act)
}

// isDecided reports whether a record was decided by Chalie's code, and is made again in a
// branch. It differs from isDecision in two points: a directly requested invocation
// counts, too, and the cause of an end is looked up, because the record before it may be
// gone.
func isDecided(ctx context.Context, log domain.Reader, rec domain.Record) (bool, error) {
	switch env := rec.Envelope; env.Type {
	case domain.ToolInvokedType:
		return true, nil
	case domain.ToolFailedType:
		parent, err := log.Find(ctx, env.Parent)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return false, err
		}
		return isDecision(rec, parent), nil
	}
	return isDecision(rec, domain.Record{}), nil
}

// actOf is the act of a recorded step: its episode, or the directly requested invocation.
// A skill's change belongs to the invocation it follows from.
func (w *whatIfRun) actOf(ctx context.Context, rec domain.Record) (Act, error) {
	env := rec.Envelope
	act := Act{Trace: env.Trace}
	id, ok := domain.InvocationOf(env)
	if !ok && (rec.Topic == domain.TopicCommitments || rec.Topic == domain.TopicMemory) {
		parent, err := w.log.Find(ctx, env.Parent)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return act, err
		}
		id, ok = domain.InvocationOf(parent.Envelope)
	}
	if !ok {
		return act, nil
	}
	first, err := w.log.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return act, nil
	}
	if err != nil {
		return act, err
	}
	if _, _, called := domain.CallOf(first.Envelope); !called {
		act.Invocation = id
	}
	return act, nil
}
