package replay

import (
	"context"
	"fmt"

	"chalie/domain"
)

// performance goes through a log once, in order, and replays the traces that are wanted.
type performance struct {
	base    Base
	stage   Stage
	log     *behind
	feed    feed
	wanted  func(domain.TraceID) bool
	from    domain.Position // what begins before isn't replayed
	today   Version
	told    func(domain.Position) // of every page; nil for nobody
	traces  map[domain.TraceID]*tracing
	acts    map[Act]*acting
	calls   map[domain.ID]Act // invocations without an end
	leaving map[domain.ID]Act // by the tool.dispatched that what a skill does follows from
	holds   map[domain.Position][]domain.TraceID
	heard   domain.Position // how much of the conversation the code finds folded; 0 for all
	known   domain.Position // how much of the interfaces the code finds folded; 0 for all
	claimed domain.Position // the last of the batch that was replayed
	first   domain.Position // that the log holds
	started Version         // of the process that wrote
	roots   int
	report  Report
}

// tracing is one trace that is replayed.
type tracing struct {
	opened  domain.Position
	last    mark                     // the latest of its records that agrees; at first its opening
	ground  *domain.ReasoningStarted // as recorded; nil before there is one
	acts    int                      // without an end
	decides bool                     // there was something to decide
	erased  bool                     // something of it can't be read any more
	cut     bool                     // its beginning, or its ground, isn't in the log
	over    bool                     // it isn't replayed any further
}

func newPerformance(base Base, staging Staging, params domain.Params, through domain.Position) (*performance, error) {
	w := &performance{
		base: base, log: &behind{base: base, recent: newRecent()}, feed: feed{log: base, through: through},
		traces: map[domain.TraceID]*tracing{}, acts: map[Act]*acting{}, calls: map[domain.ID]Act{}, leaving: map[domain.ID]Act{},
		holds: map[domain.Position][]domain.TraceID{},
	}
	var err error
	w.stage, err = staging(Scene{Log: w.log, Clock: w.log, IDs: w.log, Effects: recorded{w}, Params: params})
	return w, err
}

// run walks to the end. Nothing of it is left when it returns.
func (w *performance) run(ctx context.Context) (Report, error) {
	defer func() {
		for _, a := range w.acts {
			a.end()
		}
	}()
	var before domain.Record
	first, err := w.base.Select(ctx, domain.Selector{}, 1, 1)
	if err != nil || len(first) == 0 {
		return w.sum(), err
	}
	w.first = first[0].Position
	for pos := w.first; ; pos++ {
		rec, ok, err := w.feed.at(ctx, pos)
		if err != nil || !ok {
			return w.sum(), err
		}
		if err := w.take(ctx, rec, before); err != nil {
			return w.sum(), err
		}
		if before = rec; pos%feedPage == 0 {
			if ctx.Err() != nil {
				return w.sum(), ctx.Err()
			}
			if w.feed.move(pos); w.told != nil {
				w.told(pos)
			}
		}
	}
}

// take replays a record if it is a decision, and folds it.
func (w *performance) take(ctx context.Context, rec, before domain.Record) error {
	env := rec.Envelope
	if env.Type == domain.SystemStartedType {
		w.restarted(env)
	}
	if w.wanted(env.Trace) {
		if err := w.open(ctx, rec); err != nil {
			return err
		}
		if act, ok := w.whose(rec, before); ok && rec.Position > w.claimed {
			if err := w.decide(ctx, act, rec); err != nil {
				return err
			}
		}
		w.note(rec)
	}
	w.log.through = rec.Position
	w.log.recent.add(rec)
	if err := w.stage.Apply(rec); err != nil {
		return fmt.Errorf("fold the record at position %d: %w", rec.Position, err)
	}
	for _, trace := range w.holds[rec.Position] {
		w.stage.Hold(trace)
	}
	delete(w.holds, rec.Position)
	return nil
}

// restarted ends what the process before had under way: what comes then is done by
// another, which knows what the log says and nothing else.
func (w *performance) restarted(env domain.Envelope) {
	for _, a := range w.acts {
		a.end()
	}
	if p, err := domain.Decode[domain.SystemStarted](env); err == nil {
		w.started = Version{Build: p.Version}
	}
}

// open begins with a trace that may have something to decide.
func (w *performance) open(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	if env.ID == env.Trace.ID && rec.Position >= w.from {
		w.roots++
	}
	tr := w.traces[env.Trace]
	if tr != nil || rec.Position < w.from || !domain.OpensReasoning(env.Type) && !beginsItself(env) {
		return nil
	}
	tr = &tracing{opened: rec.Position, last: markOf(rec)}
	w.traces[env.Trace] = tr
	if beginsItself(env) {
		return nil
	}
	ground, started, err := w.groundOf(ctx, rec)
	if err != nil || ground == nil {
		return err
	}
	if ground.World.Position >= started {
		// What it was decided on had other positions: this log is a part of another.
		tr.cut, tr.over = true, true
		return nil
	}
	tr.ground = ground
	at := max(ground.World.Position, rec.Position)
	w.holds[at] = append(w.holds[at], env.Trace)
	return nil
}

// groundOf is how the episode of an opening was started, and where that stands; nil
// when it wasn't, or nobody can read it any more.
func (w *performance) groundOf(ctx context.Context, opening domain.Record) (*domain.ReasoningStarted, domain.Position, error) {
	const page, most = 32, 1024 // steers may come before it, but not for long
	for from, seen := opening.Position+1, 0; seen < most; seen += page {
		records, err := w.base.Select(ctx, domain.Selector{Trace: opening.Envelope.Trace}, from, page)
		if err != nil {
			return nil, 0, err
		}
		for _, rec := range records {
			if from = rec.Position + 1; rec.Envelope.Type != domain.ReasoningStartedType {
				continue
			}
			ground, err := domain.Decode[domain.ReasoningStarted](rec.Envelope)
			if err != nil {
				return nil, 0, nil //nolint:nilerr // the step itself is looked at when its turn comes
			}
			return &ground, rec.Position, nil
		}
		if len(records) < page {
			break
		}
	}
	return nil, 0, nil
}

// whose is the act that decided a record; false for one that is given.
func (w *performance) whose(rec, before domain.Record) (Act, bool) {
	env := rec.Envelope
	switch {
	case isAsked(env):
		return Act{Trace: env.Trace, Invocation: env.ID}, true
	case !isDecision(rec, before):
		return Act{}, false
	case bySkills(env.Type):
		act, ok := w.leaving[env.Parent]
		return act, ok
	}
	if id, ok := domain.InvocationOf(env); ok && env.Type != domain.ToolInvokedType {
		act, known := w.calls[id]
		return act, known
	}
	return Act{Trace: env.Trace}, true
}

// note remembers whose invocations are under way, what ends, and what can't be read.
func (w *performance) note(rec domain.Record) {
	env := rec.Envelope
	if tr := w.traces[env.Trace]; tr != nil && env.Payload.Encoding != domain.EncodingJSON {
		w.leave(env.Trace, tr, &tr.erased)
	}
	id, ok := domain.InvocationOf(env)
	if !ok {
		return
	}
	switch {
	case env.Type == domain.ToolInvokedType:
		act := Act{Trace: env.Trace}
		if isAsked(env) {
			act.Invocation = id
		}
		w.calls[id] = act
	case env.Type == domain.ToolDispatchedType:
		w.leaving[env.ID] = w.calls[id]
	case env.Kind == domain.KindResult:
		act := w.calls[id]
		delete(w.calls, id)
		for at := range w.leaving {
			if w.leaving[at] == act {
				delete(w.leaving, at)
			}
		}
		if a := w.acts[act]; a != nil && isEnd(env, act) {
			w.finished(a)
		}
	}
}

// leave gives up on a trace.
func (w *performance) leave(trace domain.TraceID, tr *tracing, why *bool) {
	*why, tr.over = true, true
	for act, a := range w.acts {
		if act.Trace == trace {
			a.end()
			delete(w.acts, act)
		}
	}
}

// finished lets go of an act that has come to its end.
func (w *performance) finished(a *acting) {
	a.end()
	delete(w.acts, a.act)
	if tr := w.traces[a.act.Trace]; tr != nil {
		tr.acts--
	}
}

// sum counts what became of the traces.
func (w *performance) sum() Report {
	out := w.report
	for _, tr := range w.traces {
		if !tr.decides {
			continue
		}
		out.Traces++
		switch {
		case tr.erased:
			out.Erased++
		case tr.cut:
			out.Cut++
		case tr.acts > 0 && !tr.over:
			out.Open++
		}
	}
	out.Skipped = out.Erased + out.Cut + out.Open
	out.WithoutDecisions = max(0, w.roots-out.Traces)
	out.Identical = out.Diverged == 0
	return out
}
