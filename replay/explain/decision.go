package explain

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"chalie/domain"
	"chalie/domain/relate"
	"chalie/domain/silence"
	"chalie/replay"
	"chalie/replay/narrate"
)

// Bounds of reading decisions.
const (
	decisionPage     = 256      // records at a time
	maxDecisionBytes = 64 << 20 // of payloads
	latestDecisions  = 60       // for an item that stays in the world state
	maxLate          = 8        // pages read to finish begun episodes
)

// episode is the part of an episode that decides what is told: its opening and ground,
// the model's last reply, and its end.
type episode struct {
	started domain.Record
	replied domain.Record // zero when there was no reply
	end     domain.Record // zero when it hasn't ended
	calls   []domain.Record
	// silent is the whole of a silent cycle, whose one record is started and end; nil of any
	// other, and where it can't be read.
	silent *silence.Cycle
}

// ground is its ground; nil when the payload can't be read.
func (d *episode) ground() *domain.ReasoningStarted {
	if d.silent != nil {
		return &d.silent.Started
	}
	return startedOf(d.started.Envelope)
}

// conclusion is its conclusion; nil while it hasn't ended, or when the payload can't be
// read.
func (d *episode) conclusion() *domain.ReasoningConcluded {
	if d.silent != nil {
		return &d.silent.Ended
	}
	c, readable := decoded[domain.ReasoningConcluded](d.end.Envelope)
	if d.end.Position == 0 || !readable {
		return nil
	}
	return &c
}

// going says whether to read further decisions.
type going int

const (
	goOn   going = iota
	finish       // only those that have begun
)

// rests are the evidence of the finding that a rejected candidate belongs to.
func (d *episode) rests(candidate domain.ID) []domain.ID {
	if d.silent != nil {
		return restsOn(d.silent.Replied.Findings, candidate)
	}
	return restsOf(d.replied.Envelope, candidate)
}

// episodes reads episodes in the order of their ends, unfinished ones last.
type episodes struct {
	*walk
	through domain.Position
	asking  domain.TraceID // left out; see Asking
	visit   func(*episode) (going, error)

	open     []*episode // in the order in which they began
	seen     int
	bytes    int
	finished bool
	late     int // pages since
}

// read visits the decisions that begin at a position or later. cut says that there were
// more than the bound.
func (r *episodes) read(ctx context.Context, from domain.Position) (cut bool, err error) {
	for at := from; at <= r.through; {
		page, next, err := r.page(ctx, at)
		if err != nil {
			return false, err
		}
		for _, rec := range page {
			if rec.Position > r.through {
				break
			}
			if err := r.take(ctx, rec); err != nil {
				return false, err
			}
			if r.finished && len(r.open) == 0 {
				return false, nil
			}
			if r.seen >= maxDecisions || r.bytes > maxDecisionBytes {
				return true, nil
			}
		}
		if r.finished {
			r.late++
		}
		if r.late > maxLate {
			return true, nil
		}
		if next == 0 {
			break
		}
		at = next
	}
	for _, d := range r.open {
		if _, err := r.visit(d); err != nil {
			return false, err
		}
	}
	return false, nil
}

// page is the records of decisions from a position, in order, and where to read on; 0 at the end.
func (r *episodes) page(ctx context.Context, at domain.Position) (page []domain.Record, next domain.Position, err error) {
	for _, topic := range []domain.Topic{domain.TopicReasoning, domain.TopicSpine} {
		more, err := r.log.Select(ctx, domain.Selector{Topic: topic}, at, decisionPage)
		if err != nil {
			return nil, 0, err
		}
		if n := len(more); n == decisionPage && (next == 0 || more[n-1].Position+1 < next) {
			next = more[n-1].Position + 1
		}
		page = append(page, more...)
	}
	domain.SortFunc(page, func(a, b domain.Record) int { return cmp.Compare(a.Position, b.Position) })
	if next != 0 { // of the topic that is further on the rest is read with the next page
		page = slices.DeleteFunc(page, func(rec domain.Record) bool { return rec.Position >= next })
	}
	return page, next, nil
}

// take adds a record to its episode.
func (r *episodes) take(ctx context.Context, rec domain.Record) error {
	r.bytes += len(rec.Envelope.Payload.Bytes)
	if rec.Topic == domain.TopicSpine {
		if r.finished || !domain.IsSilent(rec.Envelope) || rec.Envelope.Trace == r.asking {
			return nil
		}
		d, err := r.silentEpisode(ctx, rec)
		if err != nil {
			return err
		}
		return r.ended(d)
	}
	if rec.Envelope.Type == domain.ReasoningStartedType {
		if !r.finished && rec.Envelope.Trace != r.asking {
			r.open = append(r.open, &episode{started: rec})
		}
		return nil
	}
	for i, d := range r.open {
		if d.started.Envelope.Trace != rec.Envelope.Trace {
			continue
		}
		switch rec.Envelope.Type {
		case domain.ModelRepliedType:
			d.replied = rec
		case domain.ModelCalledType, domain.CallRejectedType:
			d.calls = append(d.calls, rec)
		case domain.ReasoningConcludedType:
			d.end = rec
			r.open = append(r.open[:i:i], r.open[i+1:]...)
			return r.ended(d)
		}
		return nil
	}
	return nil
}

func (r *episodes) ended(d *episode) error {
	r.seen++
	next, err := r.visit(d)
	r.finished = r.finished || next == finish
	return err
}

// latest is the position from which about count events of a type remain. It goes back in
// growing steps until there are enough.
func latest(ctx context.Context, log replay.Log, topic domain.Topic, is domain.EventType, count int, from, tail domain.Position) (domain.Position, error) {
	return latestOf(count, from, tail, func(begin domain.Position) ([]domain.Position, error) {
		return positionsOf(ctx, log, topic, is, begin, tail)
	})
}

// latestDecided is the position from which the latest decisions remain.
func latestDecided(ctx context.Context, log replay.Log, from, tail domain.Position) (domain.Position, error) {
	return latestOf(latestDecisions, from, tail, func(begin domain.Position) ([]domain.Position, error) {
		found, err := positionsOf(ctx, log, domain.TopicReasoning, domain.ReasoningStartedType, begin, tail)
		if err != nil {
			return nil, err
		}
		err = eachOfTopic(ctx, log, domain.TopicSpine, begin, tail, func(rec domain.Record) {
			if domain.IsSilent(rec.Envelope) {
				found = append(found, rec.Position)
			}
		})
		slices.Sort(found)
		return found, err
	})
}

func latestOf(count int, from, tail domain.Position, positions func(begin domain.Position) ([]domain.Position, error)) (domain.Position, error) {
	for span := domain.Position(1024); ; span *= 4 {
		begin := from
		if tail > from+span {
			begin = tail - span
		}
		found, err := positions(begin)
		switch {
		case err != nil:
			return 0, err
		case len(found) >= count:
			return found[len(found)-count], nil
		case begin == from:
			return from, nil
		}
	}
}

func positionsOf(ctx context.Context, log replay.Log, topic domain.Topic, is domain.EventType, from, through domain.Position) (out []domain.Position, err error) {
	err = eachOfTopic(ctx, log, topic, from, through, func(rec domain.Record) {
		if rec.Envelope.Type == is {
			out = append(out, rec.Position)
		}
	})
	return out, err
}

// eachOfTopic reads a stretch of a topic in its order.
func eachOfTopic(ctx context.Context, log replay.Log, topic domain.Topic, from, through domain.Position, take func(domain.Record)) error {
	for from <= through {
		page, err := log.Select(ctx, domain.Selector{Topic: topic}, from, decisionPage)
		if err != nil {
			return err
		}
		for _, rec := range page {
			if rec.Position <= through {
				take(rec)
			}
		}
		if len(page) < decisionPage {
			break
		}
		from = page[len(page)-1].Position + 1
	}
	return nil
}

// item finds the outcome of one item of the world state, a signal or a plan, in
// decisions.
type item struct {
	*inquiry
	id     domain.ID
	isPlan bool // or else a signal
}

// names reports whether a record's payload contains the item's id, so that most records
// need not be decoded.
func (it item) names(rec domain.Record) bool {
	return bytes.Contains(rec.Envelope.Payload.Bytes, []byte(it.id.String()))
}

// seen is the item as a decision saw it; false when it didn't.
func (it item) seen(ground *domain.ReasoningStarted) (domain.SeenItem, bool) {
	for _, items := range [][]domain.SeenItem{ground.World.Items, ground.World.LeftOut} {
		if i := slices.IndexFunc(items, func(s domain.SeenItem) bool { return s.EnvelopeID == it.id }); i >= 0 {
			return items[i], true
		}
	}
	return domain.SeenItem{}, false
}

// judge is a decision's outcome for the item; ok is false when it didn't consider the
// item.
func (it item) judge(ctx context.Context, d *episode) (c Decision, ok bool, err error) {
	if d.silent != nil {
		if _, in := it.seen(&d.silent.Started); !in && !slices.ContainsFunc(d.silent.Ended.Rejected, func(r domain.Rejected) bool { return r.EnvelopeID == it.id }) {
			return c, false, nil
		}
	} else if !it.names(d.started) && !it.names(d.replied) && !it.names(d.end) {
		return c, false, nil
	}
	if c, err = it.of(ctx, d); err != nil {
		return c, false, err
	}
	ground := d.ground()
	if ground == nil {
		c.Gate = domain.GateErased
		return c, true, nil
	}
	c.At = ground.AsOf
	seen, in := it.seen(ground)
	if in {
		if err := it.weigh(ctx, &c, ground, seen); err != nil {
			return c, true, err
		}
	}
	if end := d.conclusion(); end != nil {
		if end.Shown != domain.ShownNot && slices.ContainsFunc(end.Evidence, it.isIt) {
			c.Gate, it.out.Surfaced = domain.Gate(""), d.end.Envelope.ID
			return c, true, nil
		}
		if i := slices.IndexFunc(end.Rejected, func(r domain.Rejected) bool { return r.EnvelopeID == it.id }); i >= 0 {
			return c, true, it.rejected(ctx, &c, d, end.Rejected[i])
		}
	}
	if !in {
		return c, false, nil // it was seen only as related to another, or in an old answer
	}
	it.noNotice(&c, d, seen)
	return c, true, nil
}

func (it item) isIt(ev domain.Evidence) bool { return ev.EnvelopeID == it.id }

// of is a decision without an outcome for any item.
func (s *inquiry) of(ctx context.Context, d *episode) (Decision, error) {
	rec := d.end
	if rec.Position == 0 {
		rec = d.started
	}
	e := rec.Envelope
	c := Decision{Decision: e.ID, Trace: e.Trace, Position: rec.Position, At: rec.RecordedAt, Numbers: Numbers{}}
	opening, err := s.openingOf(ctx, e.Trace)
	if err != nil {
		return c, err
	}
	c.Kind = kindOf(opening, e)
	c.set, err = s.settingsThen(ctx, d.started)
	return c, err
}

// kindOf is the kind of decision that an episode is, by its opening.
func kindOf(opening domain.Record, e domain.Envelope) Decider {
	switch {
	case opening.Envelope.Type == domain.SpineSignalEmittedType:
		return ByCycle
	case e.Principal == domain.PrincipalOperator:
		return ByAnswer
	case opening.Position == 0:
		return ByCycle // most are
	}
	return ByPassing
}

// weigh adds the item's recorded scores.
func (it item) weigh(ctx context.Context, c *Decision, ground *domain.ReasoningStarted, seen domain.SeenItem) error {
	rules := c.params().World
	c.Numbers["salience"], c.Numbers["bonus"] = seen.Salience.Float(), seen.Bonus.Float()
	c.Numbers["threshold"] = rules.Threshold.Float()
	since, err := domain.CountsSince(ctx, it.log, it.target, ground.World.Position, ground.AsOf)
	if err != nil {
		return err
	}
	c.Numbers["age_ms"] = float64(max(0, ground.AsOf-since))
	if n := len(ground.World.Items); seen.Gate == domain.GateNotInFive && n > 0 {
		last := ground.World.Items[n-1]
		c.Numbers["slots"], c.Numbers["last_in"] = float64(n), (last.Salience + last.Bonus).Float()
	}
	c.near = it.related(ground)
	if c.near.known {
		c.Numbers["relation"] = c.near.score.Float()
	}
	if c.Kind == ByCycle {
		c.Numbers["relation_needed"] = rules.Surfaces.Float()
	}
	return nil
}

// nearest is the item that another item is most related to.
type nearest struct {
	id      domain.ID
	text    domain.ID // the envelope with its text
	score   domain.PPM
	reasons []relate.Evidence // for the score and against it; none when they aren't known
	known   bool
	today   bool // the score is computed today, because none was recorded
}

// related is the item's strongest recorded relation.
func (it item) related(ground *domain.ReasoningStarted) nearest {
	var best nearest
	for _, rel := range ground.Relations {
		own, other := rel.Signal, rel.Commitment
		if it.isPlan {
			own, other = other, own
		}
		if own == it.id && rel.Score > best.score {
			best = nearest{id: other, text: other, score: rel.Score, known: true}
		}
	}
	for _, items := range [][]domain.SeenItem{ground.World.Items, ground.World.LeftOut} {
		if i := slices.IndexFunc(items, func(s domain.SeenItem) bool { return s.EnvelopeID == best.id }); best.known && i >= 0 {
			best.text = items[i].Text()
		}
	}
	return best
}

// rejected adds the decision that a rule of notices made on a candidate.
func (it item) rejected(ctx context.Context, c *Decision, d *episode, r domain.Rejected) error {
	c.Gate, c.because, c.rests = r.Gate, r.Because, d.rests(r.EnvelopeID)
	c.Numbers["score"] = r.Score.Float()
	if r.Because.IsZero() {
		return nil
	}
	told, err := it.log.Find(ctx, r.Because)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	if err != nil || told.Envelope.Type != domain.ReasoningConcludedType {
		return err
	}
	since, err := domain.CountsSince(ctx, it.log, told, d.end.Position, d.end.Envelope.Timestamp)
	c.Numbers["told_ago_ms"] = float64(max(0, d.end.Envelope.Timestamp-since))
	return err
}

// noNotice finds the gate of an item that no rule rejected and that still wasn't told.
func (it item) noNotice(c *Decision, d *episode, seen domain.SeenItem) {
	end := d.conclusion()
	bears := c.near.known && c.near.score >= c.params().World.Surfaces
	switch {
	case d.end.Position == 0:
		c.Gate = domain.GateUnderWay
	case seen.Gate != domain.Gate("") && !bears:
		c.Gate = seen.Gate
	case end == nil:
		c.Gate = domain.GateErased
	case end.Outcome == domain.OutcomeFailed:
		c.Gate = domain.GateFailed
	case end.Outcome == domain.OutcomeYielded:
		c.Gate = domain.GateYielded
	case end.Outcome == domain.OutcomeCancelled:
		c.Gate = domain.GateCancelled
	case c.Kind != ByCycle:
		c.Gate = domain.GateNotUsed
	case bears:
		c.Gate = domain.GateNotBrought
	default:
		c.Gate = domain.GateUnrelated
	}
}

// heard answers for a signal: it reads the decisions from the signal on to the first that
// saw it faded or pushed out. A signal only loses weight, so it can't come back.
func (s *inquiry) heard(ctx context.Context) error {
	it := item{inquiry: s, id: s.target.Envelope.ID}
	beyond := false
	r := episodes{walk: s.walk, through: s.tail, asking: s.asker, visit: func(d *episode) (going, error) {
		if !s.out.Surfaced.IsZero() {
			return finish, nil
		}
		c, considered, err := it.judge(ctx, d)
		if err != nil || !considered {
			beyond = beyond || err == nil && it.outOfReach(d)
			if beyond {
				return finish, err
			}
			return goOn, err
		}
		s.out.Considered = append(s.out.Considered, c)
		if c.Gate == domain.GateBelowThreshold || c.Gate == domain.GateOverCapacity {
			return finish, nil
		}
		return goOn, nil
	}}
	var err error
	if s.out.Cut, err = r.read(ctx, s.target.Position+1); err != nil {
		return err
	}
	if err := it.compared(ctx); err != nil {
		return err
	}
	if len(s.out.Considered) > 0 {
		return nil
	}
	if beyond && s.gap.Went == 0 {
		s.out.Never = NeverInTime
		s.before = append(s.before, narrate.Words("No decision considered it: when Chalie thought next, too many newer signals had come."))
		return nil
	}
	return s.never(ctx)
}

// outOfReach reports whether a decision had folded the log through the item and didn't
// see it, because so many items came after it that it isn't even listed as left out.
func (it item) outOfReach(d *episode) bool {
	ground := d.ground()
	return ground != nil && ground.World.Position >= it.target.Position && ground.World.Unlisted == 0
}

// compared finds what came closest to the item in the decisions that found it unrelated: the
// first of each run that is told, and the last of each gate, which may be tried with a change.
func (it item) compared(ctx context.Context) error {
	all := it.out.Considered
	groups, final, last := 0, 0, map[domain.Gate]int{}
	for i := range all {
		if last[all[i].Gate] = i; i > 0 && !isLike(all[i-1], all[i]) {
			final = i
		}
	}
	for i := range all {
		c := &all[i]
		first := i == 0 || !isLike(all[i-1], *c)
		if first {
			groups++
		}
		if c.Kind != ByCycle || !isUnrelated(c.Gate) || last[c.Gate] != i && i != final && (!first || groups > maxTold) {
			continue
		}
		ground, err := it.groundOf(ctx, c.Trace)
		if err != nil {
			return err
		}
		if ground == nil {
			continue
		}
		if err := it.nearestOf(ctx, c, ground); err != nil {
			return err
		}
	}
	return nil
}

// nearestOf adds to a decision what came closest to the item, with the reasons for and
// against it: as they were recorded, or, of a decision that recorded none, as today's code
// compares the texts of then.
func (it item) nearestOf(ctx context.Context, c *Decision, ground *domain.ReasoningStarted) (err error) {
	pairs, recorded := []relate.Relation(nil), !ground.Found.IsZero()
	switch {
	case recorded && it.isPlan:
		pairs, err = it.relationsTo(ctx, ground, it.id)
	case recorded:
		pairs, err = it.relationsOf(ctx, ground, it.target)
	case c.near.known:
		pairs, err = it.relatedAgain(ctx, c.Trace, *ground)
	default:
		c.near, err = it.compare(ctx, ground)
	}
	best := relate.Relation{}
	for _, pair := range pairs {
		own, other := it.sides(pair)
		switch {
		case own != it.id:
		case c.near.known && other == c.near.id && pair.Score == c.near.score:
			c.near.reasons = pair.Evidence
		case !c.near.known && pair.For() > best.For():
			best = pair
		}
	}
	if _, other := it.sides(best); !other.IsZero() {
		c.near = nearest{id: other, text: ground.Seen(other).Text(), score: best.Score, reasons: best.Evidence, known: true}
	}
	if c.near.known {
		c.Numbers["relation"] = c.near.score.Float()
	}
	return err
}

// sides are the item's side of a pair, and the other.
func (it item) sides(pair relate.Relation) (own, other domain.ID) {
	if it.isPlan {
		return pair.Commitment, pair.Signal
	}
	return pair.Signal, pair.Commitment
}

// isUnrelated reports whether a gate says that the item had no strong relation.
func isUnrelated(gate domain.Gate) bool {
	switch gate {
	case domain.GateUnrelated, domain.GateBelowThreshold, domain.GateNotInFive, domain.GateOverCapacity:
		return true
	}
	return false
}
