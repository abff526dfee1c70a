package explain

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"chalie/domain"
	"chalie/domain/relate"
	"chalie/replay"
	"chalie/replay/narrate"
	"chalie/replay/player"
)

// Counterfactual is one change with which the outcome might have been different.
type Counterfactual struct {
	Kind CounterfactualKind `json:"kind"`
	// Words describe the change, worded to follow "if".
	Words    string              `json:"words"`
	Edit     *player.Edit        `json:"edit,omitempty" doc:"Of something that came in."`
	Without  domain.ID           `json:"without,omitzero" doc:"Something that came in, and wouldn't have."`
	Approve  domain.ID           `json:"approve,omitzero" doc:"A proposal to which you would have said yes at once."`
	Set      map[string]string   `json:"set,omitempty" doc:"A parameter by name."`
	Policy   *domain.PolicyRules `json:"policy,omitempty" doc:"In place of the one that was in force."`
	Decision domain.ID           `json:"decision,omitzero"`
	Trace    domain.TraceID      `json:"trace_id,omitzero" doc:"Of that decision."`
	// Verified says that today's code was run with the change, and let it through.
	Verified bool             `json:"verified" doc:"The decision was made again with it, and let it through."`
	Else     []player.Outcome `json:"else" doc:"What else would have come of it, as far as was looked."`
	Through  domain.Position  `json:"through,omitempty" doc:"How far it was looked what else it does."`

	said narrate.Phrase // Words with references to records
	asks bool           // the person would have been asked to approve it
}

// CounterfactualKind is the kind of a change.
type CounterfactualKind string

// The kinds.
const (
	ChangeEnergy    CounterfactualKind = "energy"    // a signal's energy
	ChangeParameter CounterfactualKind = "parameter" // a parameter of decisions
	ChangeWithout   CounterfactualKind = "without"   // an input left out
	ChangeAttention CounterfactualKind = "attention" // the person's attention
	ChangeRelation  CounterfactualKind = "relation"  // a relation between items
	ChangeTime      CounterfactualKind = "time"      // the time at which something came or is due
	ChangePolicy    CounterfactualKind = "policy"    // a rule of the policy
	ChangeApproval  CounterfactualKind = "approval"  // the person's approval
)

// phrase is the change for a sentence.
func (r Counterfactual) phrase() narrate.Phrase {
	if len(r.said) > 0 {
		return r.said
	}
	return narrate.Words(r.Words)
}

// AsReplay is the change as flags of a what-if replay; "" of a policy.
func (r Counterfactual) AsReplay() string {
	switch {
	case !r.Without.IsZero():
		return "--without " + r.Without.String()
	case !r.Approve.IsZero():
		return "--approve " + r.Approve.String()
	case r.Edit != nil:
		return fmt.Sprintf("--edit %s %s=%s", r.Edit.ID, r.Edit.Field, r.Edit.Value)
	}
	for name, value := range r.Set {
		return "--set " + name + "=" + value
	}
	return ""
}

// maxTrials bounds the changes that are tried for one question.
const maxTrials = 4

// change finds the smallest change that helps: it replays the decision with each
// candidate, the smallest first. What isn't tried isn't offered.
func (s *inquiry) change(ctx context.Context) error {
	if !s.out.Surfaced.IsZero() {
		return nil
	}
	candidates, err := s.candidates(ctx)
	if err != nil {
		return err
	}
	return s.tryInTurn(ctx, candidates[:min(len(candidates), maxTrials)])
}

// tryInTurn tries changes until one helps, two at a time. Which one is told doesn't depend on
// which is done first.
func (s *inquiry) tryInTurn(ctx context.Context, candidates []Counterfactual) error {
	for len(candidates) > 0 && s.out.Change == nil {
		n := min(len(candidates), 2)
		if err := s.tryTogether(ctx, candidates[:n]); err != nil {
			return err
		}
		candidates = candidates[n:]
	}
	return nil
}

// tryTogether tries changes at the same time. The first that helps ends those behind it.
func (s *inquiry) tryTogether(ctx context.Context, candidates []Counterfactual) error {
	ctx, cancel := context.WithCancel(ctx)
	var trials sync.WaitGroup
	defer trials.Wait()
	defer cancel()
	type result struct {
		tried Tried
		err   error
	}
	results := make([]chan result, len(candidates))
	for i, c := range candidates {
		results[i] = make(chan result, 1)
		if s.trial == nil {
			results[i] <- result{}
			continue
		}
		attempt, err := s.attempt(ctx, c)
		if err != nil {
			return err
		}
		candidates[i].Through = attempt.Through
		trials.Go(func() {
			tried, err := s.trial.Try(ctx, attempt)
			results[i] <- result{tried, err}
		})
	}
	for i, c := range candidates {
		r := <-results[i]
		switch {
		case domain.CodeOf(r.err) == player.CodeNotRecorded || domain.CategoryOf(r.err) == domain.Validation:
			s.untriable = cmp.Or(s.untriable, messageOf(r.err))
		case r.err != nil:
			return r.err
		case r.tried.Helps:
			c.Through = candidates[i].Through
			c.Verified, c.Else = true, append([]player.Outcome{}, r.tried.Else...)
			s.out.Change = &c
			return nil
		case s.trial != nil:
			s.out.Failed = append(s.out.Failed, c)
		}
	}
	return nil
}

// attempt is the trial of a change, up to the decision that it is of.
func (s *inquiry) attempt(ctx context.Context, c Counterfactual) (Attempt, error) {
	a := Attempt{Remedy: c, From: s.target.Position, Through: s.tail}
	if s.target.Envelope.Type == domain.SignalReceivedType || s.isPlan() {
		a.About = s.target.Envelope.ID
	}
	for _, one := range s.out.Considered {
		if one.Decision == c.Decision {
			a.Through = one.Position
		}
	}
	if len(c.Set) > 0 { // it goes on
		a.Through = min(s.tail, a.Through+settingFor)
	}
	if c.Policy != nil { // the call was decided on while its trace was under way
		opening, err := s.openingOf(ctx, c.Trace)
		if err != nil {
			return Attempt{}, err
		}
		a.From = min(a.From, cmp.Or(opening.Position, a.From))
	}
	return a, nil
}

// settingFor is for how many records after the decision it is looked what a setting would
// have done.
const settingFor = 1000

// candidates are the changes that might help, the smallest first, for one decision of
// each gate: the last one, or the closest.
func (s *inquiry) candidates(ctx context.Context) ([]Counterfactual, error) {
	var out []Counterfactual
	for _, c := range s.closest() {
		more, err := s.helping(ctx, c)
		if err != nil {
			return nil, err
		}
		for i := range more {
			more[i].Decision, more[i].Trace = c.Decision, c.Trace
			more[i].Words = more[i].phrase().String()
		}
		out = append(out, more...)
	}
	return out, nil
}

// helping are the changes that might get past the gate of one decision.
func (s *inquiry) helping(ctx context.Context, c Decision) ([]Counterfactual, error) {
	switch c.Kind {
	case ByClock:
		return nil, nil // a replay takes everything at the time at which it came
	case ByPolicy, ByTool:
		return s.usable(ctx, c)
	}
	switch c.Gate {
	case domain.GateCooldown, domain.GateAlreadyTold:
		return s.afterTold(ctx, c)
	case domain.GateAttention:
		return s.unfocused(ctx, c)
	case domain.GateDismissed, domain.GateSilenced:
		s.takeBack(c)
		return nil, nil
	case domain.GateBelowThreshold, domain.GateNotInFive, domain.GateOverCapacity, domain.GateUnrelated:
		return s.weightier(ctx, c)
	case domain.GateNothingFound:
		return s.foundSooner(ctx, c)
	}
	return nil, nil
}

// isHopeless reports whether an item's weight alone could not have had it told, because it
// bears on nothing.
func (c Decision) isHopeless() bool {
	return isUnrelated(c.Gate) && (c.Kind != ByCycle || c.near.score < c.params().World.Surfaces)
}

// ease orders decisions by how near their gates are to telling the person.
func (c Decision) ease() int {
	if c.isHopeless() {
		return 3
	}
	switch c.Gate {
	case domain.GateCooldown, domain.GateAttention, domain.GateApproval, domain.GateApprovalRefused, domain.GateApprovalExpired, domain.GateScope:
		return 0
	case domain.GateAlreadyTold, domain.GateDismissed, domain.GateSilenced, domain.GatePolicy, domain.GateOffline, domain.GateNotDue, domain.GateLate:
		return 1
	case domain.GateBelowThreshold, domain.GateNotInFive, domain.GateOverCapacity:
		return 2
	case domain.GateUnrelated, domain.GateNothingFound, domain.GateNotBrought:
		return 3
	}
	return 4
}

// closest is one decision of each gate, in the order of ease.
func (s *inquiry) closest() []Decision {
	at := map[domain.Gate]int{}
	var out []Decision
	for _, c := range s.out.Considered {
		if c.Gate == domain.Gate("") || c.Gate == domain.GateErased {
			continue
		}
		i, known := at[c.Gate]
		switch {
		case !known:
			at[c.Gate] = len(out)
			out = append(out, c)
		case !nearer(out[i], c):
			out[i] = c
		}
	}
	domain.SortStableFunc(out, func(a, b Decision) int { return cmp.Compare(a.ease(), b.ease()) })
	return out
}

// nearer reports whether a decision came closer to passing its gate than a later one.
func nearer(a, later Decision) bool {
	switch a.Gate {
	case domain.GateCooldown, domain.GateAlreadyTold:
		return a.Numbers["told_ago_ms"] > later.Numbers["told_ago_ms"]
	case domain.GateNotInFive:
		return a.Numbers["last_in"]-a.Numbers["salience"] < later.Numbers["last_in"]-later.Numbers["salience"]
	case domain.GateUnrelated:
		return a.near.known && a.near.score > later.near.score
	}
	return false
}

// afterTold are the changes past a rule that rejects a candidate because of an earlier
// notice.
func (s *inquiry) afterTold(ctx context.Context, c Decision) ([]Counterfactual, error) {
	before, err := s.log.Find(ctx, c.because)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil, nil // its record is no longer kept
	}
	if err != nil {
		return nil, err
	}
	told, _ := decoded[domain.ReasoningConcluded](before.Envelope)
	reply, findings, err := s.alike(ctx, before, c.rests)
	if err != nil {
		return nil, err
	}
	rests := told.Evidence
	if len(findings) > 0 {
		rests = nil
	}
	for _, i := range findings {
		rests = append(rests, reply.Findings[i].Evidence...)
	}
	about := s.target.Envelope.ID
	if slices.ContainsFunc(told.Evidence, func(ev domain.Evidence) bool { return ev.EnvelopeID == about }) {
		// The same was told before, so no change is needed.
		s.after = append(s.after, narrate.Sayf("You were told of it before that; ask why of %s.", narrate.About(before, "that")))
		return nil, nil
	}
	var out []Counterfactual
	if name, was, ok := s.quietFor(c); ok {
		ago := rounded(millis(&c, "told_ago_ms"))
		words := fmt.Sprintf("the same had been told again after %s, and not only after %s", lasting(ago), lasting(was))
		if name == "cooldown" {
			words = fmt.Sprintf("the cooldown had been %s instead of %s", lasting(ago), lasting(was))
		}
		if ago > 0 && ago < was {
			out = append(out, parameter(name, lasting(ago), words))
		}
	}
	without, err := s.unheard(ctx, rests)
	return append(out, without...), err
}

// takeBack says how the person has such things told again.
func (s *inquiry) takeBack(c Decision) {
	how := "Say “undo” to have that taken back, as long as it is the last thing that you changed."
	if c.Gate == domain.GateSilenced {
		how = "The page Settings, and chalie set, list what you aren't told, and take it back."
	}
	s.after = append(s.after, narrate.Words(how))
}

// quietFor is the parameter of a gate that waits for a time after an earlier notice, with
// its value.
func (s *inquiry) quietFor(c Decision) (name string, was time.Duration, ok bool) {
	rules := c.params().Notices
	switch {
	case c.Gate == domain.GateCooldown:
		return "cooldown", rules.Cooldown, true
	case c.Kind == ByPassing:
		return "directed", rules.Directed, true
	case c.Gate == domain.GateAlreadyTold:
		return "repeated", rules.Repeated, true
	}
	return "", 0, false
}

// rounded is a passed duration, rounded down to a value that a person would set.
func rounded(d time.Duration) time.Duration {
	switch {
	case d >= 2*time.Minute:
		return d.Truncate(time.Minute)
	case d >= time.Second:
		return d.Truncate(time.Second)
	}
	return d.Truncate(time.Millisecond)
}

// unheard are the signals and messages behind the earlier notice: without them this would
// have been the first.
func (s *inquiry) unheard(ctx context.Context, rests []domain.Evidence) ([]Counterfactual, error) {
	var out []Counterfactual
	for _, ev := range rests {
		rec, err := s.log.Find(ctx, ev.EnvelopeID)
		if domain.CategoryOf(err) == domain.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		passed := rec.Envelope.Type == domain.MessageReceivedType && rec.Envelope.Principal != domain.PrincipalOperator
		if rec.Envelope.Type != domain.SignalReceivedType && !passed {
			continue
		}
		out = append(out, Counterfactual{Kind: ChangeWithout, Without: rec.Envelope.ID,
			said: narrate.Sayf("%s had not come in at %s, which was told first", s.quotedOf(rec), s.clock(rec.RecordedAt))})
		if len(out) == 2 {
			break
		}
	}
	return out, nil
}

// unfocused is the change of the person's attention.
func (s *inquiry) unfocused(ctx context.Context, c Decision) ([]Counterfactual, error) {
	said, err := lastBefore(ctx, s.log, domain.TopicMessages, c.Position, func(rec domain.Record) bool {
		p, ok := decoded[domain.ContextUpdated](rec.Envelope)
		return ok && rec.Envelope.Type == domain.ContextUpdatedType && p.Attention != nil
	})
	if err != nil || said.Position == 0 {
		return nil, err
	}
	return []Counterfactual{{Kind: ChangeAttention, Words: fmt.Sprintf("your attention had been %s instead of %s when that was reported at %s", domain.AttentionAmbient, domain.AttentionFocused, s.clock(said.RecordedAt)),
		Edit: &player.Edit{ID: said.Envelope.ID, Field: "attention", Value: domain.AttentionAmbient}}}, nil
}

// lastBefore is the last record of a topic before a position for which meant is true; the
// zero Record when there is none. It goes back in growing steps.
func lastBefore(ctx context.Context, log replay.Log, topic domain.Topic, end domain.Position, meant func(domain.Record) bool) (domain.Record, error) {
	for span := domain.Position(1024); end > 1; span *= 4 {
		begin := domain.Position(1)
		if end > span {
			begin = end - span
		}
		var last domain.Record
		for from := begin; from < end; {
			page, err := log.Select(ctx, domain.Selector{Topic: topic}, from, decisionPage)
			if err != nil {
				return domain.Record{}, err
			}
			for _, rec := range page {
				if rec.Position < end && meant(rec) {
					last = rec
				}
			}
			if len(page) < decisionPage {
				break
			}
			from = page[len(page)-1].Position + 1
		}
		if last.Position > 0 {
			return last, nil
		}
		end = begin
	}
	return domain.Record{}, nil
}

// maxCompared bounds the items of the world state that an item is compared with.
const maxCompared = 200

// compare finds the item that another came closest to in a decision that recorded no
// relation, because it was too weak: the one for which most speaks, whatever speaks against
// it. Texts and times are those of the decision; the comparison is today's code.
func (it item) compare(ctx context.Context, ground *domain.ReasoningStarted) (nearest, error) {
	zone, err := time.LoadLocation(ground.Zone)
	if err != nil {
		zone = time.UTC
	}
	own, ok := it.seen(ground)
	if !ok {
		return nearest{}, nil
	}
	mine, ok, err := it.read(ctx, own, zone)
	if err != nil || !ok {
		return nearest{}, err
	}
	var best nearest
	var most domain.PPM
	compared := 0
	for _, items := range [][]domain.SeenItem{ground.World.Items, ground.World.LeftOut} {
		for _, other := range items {
			if !it.opposite(other) || compared == maxCompared {
				continue
			}
			compared++
			theirs, ok, err := it.read(ctx, other, zone)
			if err != nil {
				return nearest{}, err
			}
			if !ok {
				continue
			}
			rel := relate.Between(mine, theirs)
			if it.isPlan {
				rel = relate.Between(theirs, mine)
			}
			if tied := rel.For(); !best.known || cmp.Or(cmp.Compare(tied, most), cmp.Compare(rel.Score, best.score)) > 0 {
				most = tied
				best = nearest{id: other.EnvelopeID, text: other.Text(), score: rel.Score, reasons: rel.Evidence, known: true, today: true}
			}
		}
	}
	return best, nil
}

// opposite reports whether two items may be related: a signal and a plan.
func (it item) opposite(other domain.SeenItem) bool {
	isPlan := other.Kind.IsMinded() && other.Phase != domain.PhaseDone
	if it.isPlan {
		return other.Kind == domain.ItemSignal && other.Gate != domain.GateBelowThreshold && other.Gate != domain.GateOverCapacity
	}
	return isPlan
}

// read reads an item's terms for comparison; false when its text can't be read.
func (it item) read(ctx context.Context, seen domain.SeenItem, zone *time.Location) (relate.Terms, bool, error) {
	rec, err := it.log.Find(ctx, seen.Text())
	if domain.CategoryOf(err) == domain.NotFound {
		return relate.Terms{}, false, nil
	}
	if err != nil {
		return relate.Terms{}, false, err
	}
	text := relate.Text{ID: seen.EnvelopeID, Kind: relate.Kind(seen.Kind), At: rec.Clock(), Due: seen.Moment}
	if p, readable := decoded[domain.SignalReceived](rec.Envelope); readable {
		text.Text, text.Source = p.Content, p.Source
		if p.Topic != nil {
			text.Topic = *p.Topic
		}
	} else if text.Text, err = domain.PlanWords(rec.Envelope); err != nil {
		return relate.Terms{}, false, nil //nolint:nilerr // erased, or of a type without a text
	}
	return relate.Read(text, zone), text.Text != "", nil
}
