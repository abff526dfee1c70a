package player

import (
	"context"
	"time"

	"chalie/domain"
	"chalie/replay"
)

// walk passes the records of a log in order and lets today's code make the steps that it
// made then, each with the log and its folds as that step had read them. A replay and a
// what-if are walks; what becomes of a step, and of what came in, is their course.
type walk struct {
	log     replay.Log
	seen    replay.Log      // the log as the code sees it
	begins  domain.Position // the last record that is taken as it is
	after   domain.Position // the record behind which the walk begins
	runtime Runtime

	now    domain.Millis // the clock of the current step
	moving *run          // the run whose turn it is; nil for none
	runs   map[Act]*run
	minted map[Act]uint64

	feed  feed
	pace  pace
	holds map[domain.Position][]domain.TraceID // episodes that start with the world of a position: those that don't say how far they had read
}

// course is what a walk does on its way.
type course interface {
	// pass takes the next record.
	pass(ctx context.Context, rec domain.Record) error
	// early makes the step that a later record begins: it had read the log until here.
	early(ctx context.Context, rec domain.Record) error
	// wants reports whether the steps of a trace are made.
	wants(trace domain.TraceID) bool
	// twin is the recorded step that corresponds to one of an act; nil for none.
	twin(ctx context.Context, act Act, env domain.Envelope) (*domain.Envelope, error)
	// asThen copies into a payload what can't be made again from that of its twin.
	asThen(now, then []byte) []byte
}

func newWalk(log, seen replay.Log, begins, through domain.Position) walk {
	return walk{
		log: log, seen: seen, begins: begins, runs: map[Act]*run{}, minted: map[Act]uint64{},
		feed: feed{log: log, through: through}, holds: map[domain.Position][]domain.TraceID{},
	}
}

// start makes the runtime.
func (w *walk) start(start StartRuntime, effects Effects) (err error) {
	w.runtime, err = start(Environment{Log: codeLog{w}, Clock: w, IDs: w, Effects: effects})
	return err
}

// resume lets the walk begin behind a position at or before the given one, if what the
// folds had there is kept.
func (w *walk) resume(ctx context.Context, at domain.Position) (Beginning, error) {
	b, err := w.runtime.Begin(ctx, at)
	w.after = b.At
	return b, err
}

// follow walks to the end. told is called now and then.
func (w *walk) follow(ctx context.Context, on course, told func(domain.Position)) error {
	first, err := w.log.Select(ctx, domain.Selector{}, w.after+1, 1)
	if err != nil || len(first) == 0 {
		return err
	}
	for pos := first[0].Position; ; pos++ {
		rec, ok, err := w.feed.at(ctx, pos)
		if err != nil || !ok {
			return err
		}
		if pos > w.begins {
			if err := w.pace.look(ctx, &w.feed, pos, on.wants); err != nil {
				return err
			}
		}
		if rec.Position == pos { // or the one there went
			if err := on.pass(ctx, rec); err != nil {
				return err
			}
		}
		for _, trace := range w.holds[pos] {
			w.runtime.Hold(trace)
		}
		delete(w.holds, pos)
		for _, first := range w.pace.due(pos) {
			if rec, ok, err = w.feed.at(ctx, first); err == nil && ok {
				err = on.early(ctx, rec)
			}
			if err != nil {
				return err
			}
		}
		if pos%feedPage == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			told(pos)
			w.feed.move(pos)
		}
	}
}

// run is an act under way in a branch. Its code is suspended until the walk reaches the
// recorded act's next step, so that each step sees the state of its time.
type run struct {
	routine
	act   Act
	names idBook
	begun bool
	made  *madeStep // in a branch: before its own record is passed
}

// madeStep is a batch that code has come to, or its end.
type madeStep struct {
	batch domain.Batch
	more  bool
}

// under is the run of an act. It starts with its first move.
func (w *walk) under(act Act) *run {
	r := w.runs[act]
	if r == nil {
		r = &run{act: act, names: w.naming(act)}
		w.runs[act] = r
	}
	return r
}

// restart has a run begin from what the log says.
func (w *walk) restart(r *run) {
	w.moving = r
	r.end()
	w.moving = nil
	r.names, r.begun, r.made, w.minted[r.act] = w.naming(r.act), false, nil, 0
}

// next is what the code of a run appends next; false when it ends.
func (w *walk) next(ctx context.Context, r *run) (domain.Batch, bool) {
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

// stop ends the run of an act at its present step.
func (w *walk) stop(act Act) {
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
func (w *walk) stopAll() {
	for act := range w.runs {
		w.stop(act)
	}
}

// codeLog is the log as a run sees it: by the ids that it has for what it made.
type codeLog struct{ w *walk }

var _ EnvironmentLog = codeLog{}

// Append implements domain.Appender: the batch is handed over, and the turn with it.
func (l codeLog) Append(_ context.Context, batch domain.Batch) (domain.Receipt, error) {
	return l.w.moving.caught(batch)
}

// Select implements domain.Reader.
func (l codeLog) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if r := l.w.moving; r != nil {
		s = r.names.selector(s)
	}
	return l.w.seen.Select(ctx, s, from, limit)
}

// Find implements domain.Reader.
func (l codeLog) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	if r := l.w.moving; r != nil {
		id = r.names.of(id)
	}
	return l.w.seen.Find(ctx, id)
}

// Since implements domain.Reader.
func (l codeLog) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	return l.w.seen.Since(ctx, t)
}

// Tail implements domain.Tailer.
func (l codeLog) Tail() domain.Position { return l.w.seen.Tail() }

// Wait implements domain.Tailer.
func (l codeLog) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	return l.w.seen.Wait(ctx, after)
}

// Now implements domain.Clock for the runtime.
func (w *walk) Now() time.Time { return w.now.Time() }

// endsAct reports whether a recorded step ended its act.
func endsAct(env domain.Envelope, act Act) bool {
	if act.Invocation.IsZero() {
		return env.Type == domain.ReasoningConcludedType || domain.IsSilent(env)
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
func (w *walk) actOf(ctx context.Context, rec domain.Record) (Act, error) {
	env := rec.Envelope
	act := Act{Trace: env.Trace}
	id, ok := domain.InvocationOf(env)
	if !ok && (rec.Topic == domain.TopicCommitments || rec.Topic == domain.TopicMemory || rec.Topic == domain.TopicPolicy) {
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
