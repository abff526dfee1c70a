package player

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"chalie/domain"
	"chalie/domain/silence"
	"chalie/replay"
	"chalie/replay/baseline"
	"chalie/replay/narrate"
)

// comparing is a walk in which nothing is changed: each step that is made is compared with
// the recorded one, and the log goes on with that.
type comparing struct {
	walk
	then    *behind // what the code sees
	wanted  func(domain.TraceID) bool
	from    domain.Position // earlier traces aren't replayed
	today   Version
	traces  map[domain.TraceID]*tracing
	batch   []domain.Record          // the recorded step
	used    []bool                   // of batch: it is the twin of an envelope that was made
	made    map[domain.Position]bool // records of early steps that weren't passed yet
	claimed domain.Position          // the last position of the compared batch
	first   domain.Position          // the first position of the log
	started Version                  // of the process that wrote, without its rules
	roots   int
	report  Report
	kinds   tally
	silent  *silence.Reader

	heard, known domain.Position // of a step that doesn't say what it had read; see view
}

var _ course = (*comparing)(nil)

// tracing is the state of one replayed trace.
type tracing struct {
	last    mark // the latest record that agrees; at first the opening
	opened  domain.Position
	ground  *domain.ReasoningStarted // as recorded; nil before there is one
	open    map[Act]bool             // acts without an end
	decides bool                     // it has decisions
	erased  bool                     // a payload of it can't be read
	cut     bool                     // its beginning isn't in the log
	part    bool                     // the log is a part of that in which it was recorded
	over    bool                     // it is not replayed any further
	differs bool                     // a step of it is decided differently
	rules   string                   // by which its ground was laid again
}

// mark is the part of a record that a report needs.
type mark struct {
	position domain.Position
	id       domain.ID
	t        domain.EventType
	at       domain.Millis
}

func markOf(rec domain.Record) mark {
	return mark{rec.Position, rec.Envelope.ID, rec.Envelope.Type, rec.Envelope.Timestamp}
}

func newComparing(log replay.Log, start StartRuntime, through domain.Position) (*comparing, error) {
	c := &comparing{
		silent: silence.NewReader(log), then: &behind{base: log, recent: newRecent()}, traces: map[domain.TraceID]*tracing{}, made: map[domain.Position]bool{}, kinds: tally{},
	}
	c.walk = newWalk(log, c.then, 0, through)
	return c, c.start(start, recorded{c})
}

// begin lets the walk begin shortly before a position, where the pace has to begin.
func (c *comparing) begin(ctx context.Context, at domain.Position) error {
	first, err := c.log.Select(ctx, domain.Selector{}, 1, 1)
	if err != nil || len(first) == 0 || at <= first[0].Position+farAhead {
		return err
	}
	b, err := c.resume(ctx, at-1-farAhead)
	c.first, c.then.through, c.started = first[0].Position, b.At, Version{Build: b.Build, Amendments: b.Amendments}
	return err
}

// run walks to the end.
func (c *comparing) run(ctx context.Context, told func(domain.Position)) (Report, error) {
	defer c.stopAll()
	if told == nil {
		told = func(domain.Position) {}
	}
	err := c.follow(ctx, c, told)
	return c.sum(), err
}

// wants implements course.
func (c *comparing) wants(trace domain.TraceID) bool { return c.wanted(trace) }

// pass implements course: it compares the step that a record begins, and folds the record.
func (c *comparing) pass(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	if c.first == 0 {
		c.first = rec.Position
	}
	switch env.Type {
	case domain.SystemStartedType:
		c.restarted(env)
	case domain.AttemptFailedType:
		c.stop(Act{Trace: env.Trace}) // the code was left behind, and began again from the log
	}
	if c.wanted(env.Trace) {
		if env.ID == env.Trace.ID && rec.Position >= c.from {
			c.roots++
		}
		if err := c.open(ctx, rec); err != nil {
			return err
		}
		if rec.Position > c.claimed && !c.made[rec.Position] {
			if err := c.decide(ctx, rec); err != nil {
				return err
			}
		}
		if err := c.note(ctx, rec); err != nil {
			return err
		}
	}
	delete(c.made, rec.Position)
	c.then.through = rec.Position
	c.then.recent.add(rec)
	if err := c.runtime.Apply(rec); err != nil {
		return fmt.Errorf("fold the record at position %d: %w", rec.Position, err)
	}
	return nil
}

// early implements course.
func (c *comparing) early(ctx context.Context, rec domain.Record) error {
	if err := c.open(ctx, rec); err != nil {
		return err
	}
	if tr := c.traces[rec.Envelope.Trace]; tr == nil || tr.part {
		return nil // what it had read are positions of another log
	}
	claimed := c.claimed
	c.claimed = rec.Position
	if err := c.decide(ctx, rec); err != nil {
		return err
	}
	for at := rec.Position; at <= c.claimed; at++ {
		c.made[at] = true
	}
	c.claimed = claimed
	return nil
}

// restarted ends the acts of the earlier process: the next process starts with the state
// of the log alone.
func (c *comparing) restarted(env domain.Envelope) {
	c.stopAll()
	if p, err := domain.Decode[domain.SystemStarted](env); err == nil {
		c.started = Version{Build: p.Version, Amendments: p.Amendments}
	}
}

// open begins a trace that may have decisions.
func (c *comparing) open(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	tr := c.traces[env.Trace]
	if tr != nil || rec.Position < c.from || !domain.OpensReasoning(env.Type) && !beginsItself(env) {
		return nil
	}
	tr = &tracing{opened: rec.Position, last: markOf(rec), open: map[Act]bool{}}
	c.traces[env.Trace] = tr
	if domain.IsSilent(env) {
		return c.openSilent(ctx, rec, tr)
	}
	if beginsItself(env) {
		return nil
	}
	ground, started, err := c.groundOf(ctx, rec)
	if err != nil || ground == nil {
		return err
	}
	if ground.World.Position >= started {
		tr.part = true // its ground has the positions of another log
	}
	tr.ground = ground
	if ground.Read == 0 && !tr.part {
		at := max(ground.World.Position, rec.Position)
		c.holds[at] = append(c.holds[at], env.Trace)
	}
	return nil
}

// openSilent begins the trace of a silent cycle. What can't be worked out any more, because a
// record that it differs from is gone, can't be decided again.
func (c *comparing) openSilent(ctx context.Context, rec domain.Record, tr *tracing) error {
	cycle, err := c.silent.Cycle(ctx, rec)
	switch {
	case domain.CodeOf(err) == domain.CodeErased:
		tr.decides = true
		c.leave(rec.Envelope.Trace, tr, &tr.erased)
		return nil
	case err != nil:
		return err
	}
	tr.ground, tr.part = &cycle.Started, cycle.Started.World.Position >= rec.Position
	return nil
}

// groundOf is the reasoning.started of an opening, and its position; nil when there is
// none, or it can't be read.
func (c *comparing) groundOf(ctx context.Context, opening domain.Record) (*domain.ReasoningStarted, domain.Position, error) {
	const page, most = 32, 1024 // steers may come before it, but not for long
	for from, seen := opening.Position+1, 0; seen < most; seen += page {
		records, err := c.log.Select(ctx, domain.Selector{Trace: opening.Envelope.Trace}, from, page)
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

// note takes account of given ends, of interruptions, and of what is erased.
func (c *comparing) note(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	tr := c.traces[env.Trace]
	if tr == nil {
		return nil
	}
	if env.Payload.Encoding != domain.EncodingJSON {
		c.leave(env.Trace, tr, &tr.erased)
		return nil
	}
	if len(tr.open) == 0 || env.Kind != domain.KindResult {
		return nil
	}
	act, err := c.actOf(ctx, rec)
	if err == nil && tr.open[act] && isEnd(env, act) {
		c.finished(tr, act)
	}
	return err
}

// leave stops replaying a trace, for a reason.
func (c *comparing) leave(trace domain.TraceID, tr *tracing, why *bool) {
	*why, tr.over = true, true
	for act := range tr.open {
		c.stop(act)
	}
	for act := range c.runs {
		if act.Trace == trace {
			c.stop(act)
		}
	}
	clear(tr.open)
}

// finished removes an act that has ended.
func (c *comparing) finished(tr *tracing, act Act) {
	c.stop(act)
	delete(tr.open, act)
}

// sum makes the report of all traces.
func (c *comparing) sum() Report {
	out := c.report
	for _, tr := range c.traces {
		if !tr.decides {
			continue
		}
		out.Traces++
		switch {
		case tr.erased:
			out.Erased++
		case tr.cut:
			out.Cut++
		case len(tr.open) > 0 && !tr.over:
			out.Open++
		}
	}
	out.Skipped = out.Erased + out.Cut + out.Open
	out.WithoutDecisions = max(0, c.roots-out.Traces)
	out.Identical, out.Kinds = out.Diverged == 0, c.kinds.list()
	return out
}

// decide has today's code make the step that a record begins, if that was decided, and
// compares.
func (c *comparing) decide(ctx context.Context, rec domain.Record) error {
	decided, err := isDecided(ctx, c.log, rec)
	if err != nil || !decided {
		return err
	}
	batch, err := c.feed.batchAt(ctx, rec)
	if err != nil {
		return err
	}
	act, err := c.actOf(ctx, rec)
	if err != nil {
		return err
	}
	c.claimed = batch[len(batch)-1].Position
	tr := c.traces[act.Trace]
	if tr == nil {
		if c.from > c.first {
			return nil // it began before the requested time
		}
		tr = &tracing{cut: true, over: true}
		c.traces[act.Trace] = tr
	}
	tr.decides = true
	if tr.over {
		return nil
	}
	if slices.ContainsFunc(batch, func(r domain.Record) bool { return r.Envelope.Payload.Encoding != domain.EncodingJSON }) {
		c.leave(act.Trace, tr, &tr.erased)
		return nil
	}
	tr.open[act] = true
	r := c.under(act)
	c.batch, c.now = batch, c.momentOf(batch[0])
	m, err := c.step(ctx, r, tr)
	if err == nil && m != nil {
		given, err := c.given(ctx, tr, batch)
		if err != nil {
			return err
		}
		if given {
			c.report.Given++
			c.take(tr, act, batch)
			return nil
		}
	}
	if err == nil && m == nil {
		tr.last = markOf(batch[len(batch)-1])
		if slices.ContainsFunc(batch, func(rec domain.Record) bool { return isEnd(rec.Envelope, act) }) {
			m, err = c.finish(ctx, r, tr)
		}
	}
	if err == nil && m != nil {
		var counts bool
		if counts, err = c.diverged(ctx, tr, act, m); !counts || err != nil {
			return err
		}
		c.take(tr, act, batch)
	}
	c.report.Steps++
	c.report.Envelopes += len(batch)
	return err
}

// step makes one step. The code went on from the step before, or, when the process had
// ended or somebody else had taken it up, from what the log said.
func (c *comparing) step(ctx context.Context, r *run, tr *tracing) ([]miss, error) {
	read := readOf(c.batch)
	if read == 0 || read >= c.batch[0].Position { // a part of another log has its positions
		m, err := c.stepUnread(ctx, r, tr)
		if m == nil && !tr.part {
			c.report.Unread++
		}
		return m, err
	}
	through := c.then.through
	c.then.through = min(through, read)
	defer func() { c.then.through = through }()
	if r.rests() {
		if m, err := c.move(ctx, r, tr); m == nil || err != nil {
			return m, err
		}
	}
	c.restart(r)
	return c.move(ctx, r, tr)
}

// readOf is the position through which a step had read the log; 0 when that isn't recorded.
func readOf(batch []domain.Record) (read domain.Position) {
	for _, rec := range batch {
		read = max(read, domain.ReadOf(rec.Envelope))
	}
	return read
}

// momentOf is the recorded clock of a step.
func (c *comparing) momentOf(rec domain.Record) domain.Millis {
	if tr := c.traces[rec.Envelope.Trace]; rec.Envelope.Type == domain.ReasoningStartedType && tr != nil && tr.ground != nil {
		return tr.ground.AsOf
	}
	return rec.Envelope.Timestamp
}

// move runs the code to its next step and compares that with the recorded one. Code that
// didn't agree is ended.
func (c *comparing) move(ctx context.Context, r *run, tr *tracing) ([]miss, error) {
	c.moving = r
	defer func() { c.moving = nil }()
	for {
		b, more := c.next(ctx, r)
		if !more {
			return nextOf(0, c.batch[0].Envelope.Type, domain.Envelope{}), fatal(ctx, r.err)
		}
		if b.Entries[0].Envelope.Trace != r.act.Trace {
			found, err := c.elsewhere(ctx, r, tr, b)
			if err != nil {
				return nil, err
			}
			if found {
				continue
			}
		}
		if first := b.Entries[0].Envelope; first.Type == domain.ReasoningStartedType {
			if started, err := domain.Decode[domain.ReasoningStarted](first); err == nil {
				tr.rules = started.Rules
			}
		}
		m, err := c.agrees(ctx, r, &b, c.batch)
		if m != nil || err != nil {
			r.end()
		}
		return m, err
	}
}

// agrees compares a batch with a recorded one, whose ids it gets. One that agrees is what
// the log goes on with.
func (c *comparing) agrees(ctx context.Context, r *run, b *domain.Batch, batch []domain.Record) ([]miss, error) {
	whole := c.batch
	defer func() { c.batch = whole }()
	c.batch, c.used = batch, make([]bool, len(batch))
	*b = unreasoned(batch, *b)
	if err := r.names.settle(ctx, c, b); err != nil {
		return nil, err
	}
	tr := c.traces[batch[0].Envelope.Trace]
	m := compareAll(batch, *b, tr != nil && tr.part)
	if m == nil {
		r.receipt, r.refused = receiptOf(batch), nil
	}
	return m, nil
}

// twin implements course: the first of its type in the recorded step.
func (c *comparing) twin(_ context.Context, _ Act, env domain.Envelope) (*domain.Envelope, error) {
	for i, rec := range c.batch {
		if !c.used[i] && rec.Envelope.Type == env.Type {
			c.used[i] = true
			return &rec.Envelope, nil
		}
	}
	return nil, nil
}

// asThen implements course: all is compared, but what narrate says isn't.
func (c *comparing) asThen(now, _ []byte) []byte { return now }

// elsewhere compares a batch that the code appends to another trace, where it was
// recorded before the current step: a decision on a proposal belongs to the proposal's
// trace.
func (c *comparing) elsewhere(ctx context.Context, r *run, tr *tracing, b domain.Batch) (bool, error) {
	const most = 256
	records, err := c.then.Select(ctx, domain.Selector{Trace: b.Entries[0].Envelope.Trace}, tr.last.position+1, most)
	if err != nil {
		return false, err
	}
	n := len(b.Entries)
	for i := 0; i+n <= len(records); i++ {
		own := domain.Batch{Entries: slices.Clone(b.Entries), Conditions: slices.Clone(b.Conditions)}
		names := r.names.clone()
		m, err := c.agrees(ctx, r, &own, records[i:i+n])
		if m == nil || err != nil {
			return err == nil, err
		}
		r.names = names
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
func (c *comparing) finish(ctx context.Context, r *run, tr *tracing) ([]miss, error) {
	if r.rests() {
		through := c.then.through
		c.then.through, c.moving = c.claimed, r
		b, more := c.next(ctx, r)
		c.then.through, c.moving = through, nil
		if more {
			return nextOf(len(c.batch), "", b.Entries[0].Envelope), nil
		}
		if err := fatal(ctx, r.err); err != nil {
			return nil, err
		}
	}
	c.finished(tr, r.act)
	return nil, nil
}

// diverged notes how a step is decided differently today, unless its inputs can't be read any
// more: then it returns false.
func (c *comparing) diverged(ctx context.Context, tr *tracing, act Act, found []miss) (bool, error) {
	erased, err := c.restsOnErased(ctx, tr, c.batch)
	if err != nil {
		return false, err
	}
	if erased {
		c.leave(act.Trace, tr, &tr.erased)
		return false, nil
	}
	seen := map[tallyKey]bool{}
	for _, m := range found {
		if err := c.differs(ctx, tr, act, m, seen); err != nil {
			return false, err
		}
	}
	c.report.Differ++
	if !tr.differs {
		tr.differs = true
		c.report.Diverged++
	}
	return true, nil
}

// differs counts one difference of a step, and each kind once for the step.
func (c *comparing) differs(ctx context.Context, tr *tracing, act Act, m miss, seen map[tallyKey]bool) error {
	where, recorded := tr.last, domain.Envelope{}
	if m.index < len(c.batch) {
		recorded = c.batch[m.index].Envelope
	}
	switch {
	case m.field != fieldNext:
		where = markOf(c.batch[m.index])
	case m.index > 0:
		where = markOf(c.batch[m.index-1])
	}
	skill, err := c.skillOf(ctx)
	if err != nil {
		return err
	}
	d := Divergence{
		Trace: act.Trace, Envelope: where.id, Position: where.position, Type: where.t,
		Field: m.field, Recorded: orNull(m.recorded), Replayed: orNull(m.replayed), Versions: Versions{Recorded: c.started, Replayed: Version{c.today.Build, tr.rules, c.today.Amendments}},
	}
	if tr.ground != nil {
		d.Versions.Recorded.Build, d.Versions.Recorded.Rules = tr.ground.Build, tr.ground.Rules
	}
	kind, deed := baseline.KindOf(baseline.Difference{Recorded: recorded, Replayed: m.made, Field: m.field, Skill: skill})
	key := tallyKey{kind, baseline.Explains(kind, c.started.Amendments), c.started == c.today}
	if !seen[key] {
		seen[key] = true
		c.kinds.add(key, deed, d)
	}
	return nil
}

// skillOf is the skill whose answer or changes the current step has; "" for none.
func (c *comparing) skillOf(ctx context.Context) (string, error) {
	for _, rec := range c.batch {
		id, ok := domain.InvocationOf(rec.Envelope)
		if !ok {
			continue
		}
		first, err := c.log.Find(ctx, id)
		if err != nil {
			return "", unlessNotFound(err)
		}
		invoked, err := domain.Decode[domain.ToolInvoked](first.Envelope)
		if err != nil || !invoked.InterfaceID.IsZero() {
			return "", nil //nolint:nilerr // erased, or what an interface answered
		}
		return invoked.Tool, nil
	}
	return "", nil
}

func unlessNotFound(err error) error {
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	return err
}

// orNull is a value as JSON; null for none.
func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

// given reports whether a step can't be decided again because the log is a part of another:
// a record that it refers to, or its episode rests on, isn't there. Then it is taken as it
// was recorded.
func (c *comparing) given(ctx context.Context, tr *tracing, batch []domain.Record) (bool, error) {
	if tr.part {
		return true, nil
	}
	return c.anyReferred(ctx, tr, batch, func(_ domain.Record, found bool) bool { return !found })
}

// take takes a step as it was recorded. Today's code goes on from what the log then says.
func (c *comparing) take(tr *tracing, act Act, batch []domain.Record) {
	tr.last = markOf(batch[len(batch)-1])
	c.stop(act)
	if slices.ContainsFunc(batch, func(rec domain.Record) bool { return isEnd(rec.Envelope, act) }) {
		c.finished(tr, act)
	}
}

// restsOnErased reports whether a record that a step refers to, or its episode rests on,
// can't be read any more.
func (c *comparing) restsOnErased(ctx context.Context, tr *tracing, batch []domain.Record) (bool, error) {
	return c.anyReferred(ctx, tr, batch, func(rec domain.Record, found bool) bool {
		return found && rec.Envelope.Payload.Encoding != domain.EncodingJSON
	})
}

func (c *comparing) anyReferred(ctx context.Context, tr *tracing, batch []domain.Record, is func(rec domain.Record, found bool) bool) (bool, error) {
	for _, id := range referencesOf(tr, batch) {
		rec, err := c.log.Find(ctx, id)
		found := domain.CategoryOf(err) != domain.NotFound
		if err != nil && found {
			return false, err
		}
		if is(rec, found) {
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
	if domain.IsSilent(env) {
		return true
	}
	switch origin, _ := narrate.OriginOf(env.Type); origin {
	case narrate.OriginDecided:
		switch env.Type {
		case domain.ToolInvokedType:
			_, _, called := domain.CallOf(env)
			return called
		case domain.ToolFailedType:
			return before.Envelope.Type != domain.ApprovalRefusedType || before.Envelope.ID != env.Parent
		case domain.ReasoningConcludedType: // that a backup failed is told as it came from the disk
			return env.Source != domain.SourceBackup
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
		return env.Type == domain.ReasoningConcludedType || domain.IsSilent(env)
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
