package player

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"chalie/domain"
	"chalie/domain/memlog"
	"chalie/replay/narrate"
)

// replayRun walks a log once, in order, and replays the wanted traces.
type replayRun struct {
	base    memlog.Base
	runtime Runtime
	log     *behind
	feed    feed
	wanted  func(domain.TraceID) bool
	from    domain.Position // earlier traces aren't replayed
	today   Version
	told    func(domain.Position) // called for every page; may be nil
	traces  map[domain.TraceID]*tracing
	acts    map[Act]*coroutine
	calls   map[domain.ID]Act // invocations without an end
	leaving map[domain.ID]Act // by the tool.dispatched that a skill's changes follow from
	holds   map[domain.Position][]domain.TraceID
	pace    pace
	made    map[domain.Position]bool // records of early steps that weren't passed yet
	heard   domain.Position          // position through which the code sees the conversation folded; 0 for all
	known   domain.Position          // position through which the code sees the interfaces folded; 0 for all
	claimed domain.Position          // the last position of the replayed batch
	first   domain.Position          // the first position of the log
	started Version                  // of the process that wrote
	roots   int
	report  Report
}

// tracing is the state of one replayed trace.
type tracing struct {
	opened  domain.Position
	last    mark                     // the latest record that agrees; at first the opening
	ground  *domain.ReasoningStarted // as recorded; nil before there is one
	acts    int                      // without an end
	decides bool                     // it has decisions
	erased  bool                     // a payload of it can't be read
	cut     bool                     // its beginning, or its ground, isn't in the log
	over    bool                     // it is not replayed any further
}

func newReplayRun(base memlog.Base, start StartRuntime, params domain.Params, through domain.Position) (*replayRun, error) {
	w := &replayRun{
		base: base, log: &behind{base: base, recent: newRecent()}, feed: feed{log: base, through: through},
		traces: map[domain.TraceID]*tracing{}, acts: map[Act]*coroutine{}, calls: map[domain.ID]Act{}, leaving: map[domain.ID]Act{},
		holds: map[domain.Position][]domain.TraceID{}, made: map[domain.Position]bool{},
	}
	var err error
	w.runtime, err = start(Environment{Log: w.log, Clock: w.log, IDs: w.log, Effects: recorded{w}, Params: params})
	return w, err
}

// run walks to the end. All its goroutines have ended when it returns.
func (w *replayRun) run(ctx context.Context) (Report, error) {
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
		if err := w.pace.look(ctx, &w.feed, pos, w.wanted); err != nil {
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
func (w *replayRun) take(ctx context.Context, rec, before domain.Record) error {
	env := rec.Envelope
	if env.Type == domain.SystemStartedType {
		w.restarted(env)
	}
	if w.wanted(env.Trace) {
		if env.ID == env.Trace.ID && rec.Position >= w.from {
			w.roots++
		}
		if err := w.open(ctx, rec); err != nil {
			return err
		}
		if act, ok := w.whose(rec, before); ok && rec.Position > w.claimed && !w.made[rec.Position] {
			if err := w.decide(ctx, act, rec); err != nil {
				return err
			}
		}
		w.note(rec)
	}
	delete(w.made, rec.Position)
	w.log.through = rec.Position
	w.log.recent.add(rec)
	if err := w.runtime.Apply(rec); err != nil {
		return fmt.Errorf("fold the record at position %d: %w", rec.Position, err)
	}
	for _, trace := range w.holds[rec.Position] {
		w.runtime.Hold(trace)
	}
	delete(w.holds, rec.Position)
	return w.makeEarly(ctx, rec.Position)
}

// makeEarly makes the steps that had read the log until a position, and no further.
func (w *replayRun) makeEarly(ctx context.Context, pos domain.Position) error {
	for _, first := range w.pace.due(pos) {
		rec, ok, err := w.feed.at(ctx, first)
		if err != nil || !ok {
			return err
		}
		before, _, err := w.feed.at(ctx, first-1)
		if err != nil {
			return err
		}
		if err := w.open(ctx, rec); err != nil {
			return err
		}
		act, ok := w.whose(rec, before)
		if !ok {
			continue
		}
		claimed := w.claimed
		if err := w.decide(ctx, act, rec); err != nil {
			return err
		}
		for at := first; at <= w.claimed; at++ {
			w.made[at] = true
		}
		w.claimed = claimed
	}
	return nil
}

// restarted ends the acts of the earlier process: the next process starts with the state
// of the log alone.
func (w *replayRun) restarted(env domain.Envelope) {
	for _, a := range w.acts {
		a.end()
	}
	if p, err := domain.Decode[domain.SystemStarted](env); err == nil {
		w.started = Version{Build: p.Version}
	}
}

// open begins a trace that may have decisions.
func (w *replayRun) open(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
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
		// Its ground has other positions: this log is a part of another.
		tr.cut, tr.over = true, true
		return nil
	}
	tr.ground = ground
	if ground.Read == 0 {
		at := max(ground.World.Position, rec.Position)
		w.holds[at] = append(w.holds[at], env.Trace)
	}
	return nil
}

// groundOf is the reasoning.started of an opening, and its position; nil when there is
// none, or it can't be read.
func (w *replayRun) groundOf(ctx context.Context, opening domain.Record) (*domain.ReasoningStarted, domain.Position, error) {
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

// whose is the act that decided a record; false for a given one.
func (w *replayRun) whose(rec, before domain.Record) (Act, bool) {
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

// note updates the invocations under way, ended acts, and erased traces.
func (w *replayRun) note(rec domain.Record) {
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

// leave stops replaying a trace, for a reason.
func (w *replayRun) leave(trace domain.TraceID, tr *tracing, why *bool) {
	*why, tr.over = true, true
	for act, a := range w.acts {
		if act.Trace == trace {
			a.end()
			delete(w.acts, act)
		}
	}
}

// finished removes an act that has ended.
func (w *replayRun) finished(a *coroutine) {
	a.end()
	delete(w.acts, a.act)
	if tr := w.traces[a.act.Trace]; tr != nil {
		tr.acts--
	}
}

// sum makes the report of all traces.
func (w *replayRun) sum() Report {
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

// decide has today's code make the step that a record begins, and compares.
func (w *replayRun) decide(ctx context.Context, act Act, rec domain.Record) error {
	batch, err := w.feed.batchAt(ctx, rec)
	if err != nil {
		return err
	}
	w.claimed = batch[len(batch)-1].Position
	tr := w.traces[act.Trace]
	if tr == nil {
		if w.from > w.first {
			return nil // it began before the requested time
		}
		tr = &tracing{cut: true, over: true}
		w.traces[act.Trace] = tr
	}
	tr.decides = true
	if tr.over {
		return nil
	}
	for _, r := range batch {
		if r.Envelope.Payload.Encoding != domain.EncodingJSON {
			w.leave(act.Trace, tr, &tr.erased)
			return nil
		}
	}
	a := w.acts[act]
	if a == nil {
		a = &coroutine{act: act, log: w.log, opened: tr.opened, last: tr.last}
		w.acts[act] = a
		tr.acts++
	}
	m, err := w.step(ctx, a, batch)
	if err == nil && m == nil {
		tr.last = a.last
		w.report.Steps++
		w.report.Envelopes += len(batch)
		if last := batch[len(batch)-1]; isEnd(last.Envelope, act) || len(batch) > 1 && endsIn(batch, act) {
			m, err = w.finish(ctx, a)
		}
	}
	if err != nil || m == nil {
		return err
	}
	return w.diverged(ctx, tr, a, batch, m)
}

func endsIn(batch []domain.Record, act Act) bool {
	for _, rec := range batch {
		if isEnd(rec.Envelope, act) {
			return true
		}
	}
	return false
}

// step makes one step. The code went on from the step before, or, when the process had
// ended or somebody else had taken it up, from what the log said.
func (w *replayRun) step(ctx context.Context, a *coroutine, batch []domain.Record) (*miss, error) {
	read := readOf(batch)
	if read == 0 || read >= batch[0].Position { // a part of another log has its positions
		w.report.Unread++
		return w.stepUnread(ctx, a, batch)
	}
	through := w.log.through
	w.log.through = min(through, read)
	defer func() { w.log.through = through }()
	at := w.momentOf(batch[0])
	if a.rests() {
		if m, err := w.move(ctx, a, batch, at); m == nil || err != nil {
			return m, err
		}
	}
	return w.anew(ctx, a, batch, view{at: at})
}

// readOf is the position through which a step had read the log; 0 when that isn't recorded.
func readOf(batch []domain.Record) (read domain.Position) {
	for _, rec := range batch {
		read = max(read, domain.ReadOf(rec.Envelope))
	}
	return read
}

// anew starts the code from the log's state, with a view.
func (w *replayRun) anew(ctx context.Context, a *coroutine, batch []domain.Record, v view) (*miss, error) {
	through := w.log.through
	if v.through != 0 {
		w.log.through = v.through
	}
	w.heard, w.known = v.heard, v.known
	defer func() { w.log.through, w.heard, w.known = through, 0, 0 }()
	a.begin(ctx, w.runtime)
	return w.move(ctx, a, batch, v.at)
}

// momentOf is the recorded clock of a step.
func (w *replayRun) momentOf(rec domain.Record) domain.Millis {
	if tr := w.traces[rec.Envelope.Trace]; rec.Envelope.Type == domain.ReasoningStartedType && tr != nil && tr.ground != nil {
		return tr.ground.AsOf
	}
	return rec.Envelope.Timestamp
}

// move runs the code to its next step and compares that with a batch. Code that didn't
// agree is ended.
func (w *replayRun) move(ctx context.Context, a *coroutine, batch []domain.Record, at domain.Millis) (*miss, error) {
	a.prepare(batch, at)
	for {
		b, ok := a.resume()
		if !ok {
			return &miss{0, difference{fieldNext, textValue(string(batch[0].Envelope.Type)), nil}}, fatal(ctx, a.err)
		}
		if b.Entries[0].Envelope.Trace != a.act.Trace {
			found, err := w.elsewhere(ctx, a, b)
			if err != nil {
				return nil, err
			}
			if found {
				continue
			}
		}
		m := a.judge(b)
		if m != nil {
			a.end()
		}
		return m, nil
	}
}

// elsewhere compares a batch that the code appends to another trace, where it was
// recorded before the current step: a decision on a proposal belongs to the proposal's
// trace.
func (w *replayRun) elsewhere(ctx context.Context, a *coroutine, b domain.Batch) (bool, error) {
	const most = 256
	records, err := w.log.Select(ctx, domain.Selector{Trace: b.Entries[0].Envelope.Trace}, a.last.position+1, most)
	if err != nil {
		return false, err
	}
	n := len(b.Entries)
	for i := 0; i+n <= len(records); i++ {
		if compareAll(records[i:i+n], b, renamed{}) == nil {
			a.receipt = receiptOf(records[i : i+n])
			return true, nil
		}
	}
	return false, nil
}

// fatal is an error that ends the replay: the log can't be read, or ctx has ended. Any
// other error is the outcome of today's code.
func fatal(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case domain.CategoryOf(err) == domain.Dependency && domain.CodeOf(err) != CodeNotRecorded && !errors.Is(err, errBrokenOff):
		return err
	}
	return nil
}

// finish runs the code of an ended act to its end: it must make no further step.
func (w *replayRun) finish(ctx context.Context, a *coroutine) (*miss, error) {
	if a.rests() {
		w.log.through = w.claimed
		b, more := a.resume()
		w.log.through = a.batch[0].Position - 1
		if more {
			return &miss{len(a.batch), difference{fieldNext, nil, textValue(string(b.Entries[0].Envelope.Type))}}, nil
		}
		if err := fatal(ctx, a.err); err != nil {
			return nil, err
		}
	}
	w.finished(a)
	return nil, nil
}

// diverged notes that a trace is decided differently today, unless its inputs can't be
// read any more.
func (w *replayRun) diverged(ctx context.Context, tr *tracing, a *coroutine, batch []domain.Record, m *miss) error {
	erased, err := w.restsOnErased(ctx, tr, batch)
	if err != nil {
		return err
	}
	if erased {
		w.leave(a.act.Trace, tr, &tr.erased)
		return nil
	}
	where := a.last
	switch {
	case m.field != fieldNext:
		where = markOf(batch[m.index])
	case m.index > 0:
		where = markOf(batch[m.index-1])
	}
	d := &Divergence{
		Trace: a.act.Trace, Envelope: where.id, Position: where.position, Type: where.t,
		Field: m.field, Recorded: orNull(m.recorded), Replayed: orNull(m.replayed), Versions: Versions{Recorded: w.started, Replayed: w.today},
	}
	if tr.ground != nil {
		d.Versions.Recorded = Version{tr.ground.Build, tr.ground.Rules}
	}
	w.report.Diverged++
	if w.report.Divergence == nil {
		w.report.Divergence = d
	}
	if len(w.report.Differing) < MaxDiffering {
		w.report.Differing = append(w.report.Differing, Differing{d.Trace, d.Position, d.Type, d.Field})
	}
	var over bool
	w.leave(a.act.Trace, tr, &over)
	return nil
}

// orNull is a value as JSON; null for none.
func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// restsOnErased reports whether a record that a step refers to, or its episode rests on,
// can't be read any more.
func (w *replayRun) restsOnErased(ctx context.Context, tr *tracing, batch []domain.Record) (bool, error) {
	for _, id := range referencesOf(tr, batch) {
		rec, err := w.base.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			continue
		}
		if err != nil {
			return false, err
		}
		if rec.Envelope.Payload.Encoding != domain.EncodingJSON {
			return true, nil
		}
	}
	return false, nil
}

func referencesOf(tr *tracing, batch []domain.Record) []domain.ID {
	var out []domain.ID
	if g := tr.ground; g != nil {
		for _, items := range [][]domain.SeenItem{g.World.Items, g.World.LeftOut} {
			for _, item := range items {
				out = append(out, item.EnvelopeID, item.Text())
			}
		}
		for _, rel := range g.Relations {
			out = append(out, rel.Signal, rel.Commitment)
		}
		out = append(out, g.Recent...)
	}
	for _, rec := range batch {
		if end, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope); err == nil {
			for _, e := range end.Evidence {
				out = append(out, e.EnvelopeID)
			}
		}
	}
	return out
}

// skillSource is the source of changes by skills.
const skillSource domain.Source = "skills"

// isDecision reports whether a record was decided by Chalie's code. The end of a call
// that the person denied follows directly: it belongs to the person's decision, which is
// the record before it.
func isDecision(rec domain.Record, before domain.Record) bool {
	env := rec.Envelope
	switch origin, _ := narrate.OriginOf(env.Type); origin {
	case narrate.OriginDecided:
		switch env.Type {
		case domain.ToolInvokedType:
			_, _, called := domain.CallOf(env)
			return called
		case domain.ToolFailedType:
			return before.Envelope.Type != domain.ApprovalRefusedType || before.Envelope.ID != env.Parent
		}
		return true
	case narrate.OriginSkill:
		return env.Source == skillSource
	}
	return false
}

// bySkills reports whether a skill changes records of a type.
func bySkills(t domain.EventType) bool {
	origin, _ := narrate.OriginOf(t)
	return origin == narrate.OriginSkill
}

// isEnd reports whether a record ends its act.
func isEnd(env domain.Envelope, act Act) bool {
	if act.Invocation.IsZero() {
		return env.Type == domain.ReasoningConcludedType
	}
	return slices.Contains([]domain.EventType{domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType}, env.Type)
}

// proposalPrefix begins the keys that have the hash of a token.
const proposalPrefix = "proposal/"

// ownReasons are the codes of failed calls whose text is Chalie's own; other texts come
// from the called interface.
var ownReasons = []string{
	string(domain.CodeDenied), string(domain.CodeNotDispatched), string(domain.CodeInterrupted),
	string(domain.CodeApprovalRefused), string(domain.CodeApprovalExpired), string(domain.CodeConditionFailed), "skill_failed",
}
