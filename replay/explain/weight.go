package explain

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
	"chalie/replay/player"
)

// weightier are the changes that would have raised an item's salience, of the item and of
// the rules, where it bears on something; or else those of its relations.
func (s *inquiry) weightier(ctx context.Context, c Decision) ([]Counterfactual, error) {
	if c.isHopeless() || s.isPlan() {
		return s.related(ctx, c)
	}
	ground, err := s.groundOf(ctx, c.Trace)
	if err != nil || ground == nil {
		return nil, err
	}
	heard, readable := decoded[domain.SignalReceived](s.target.Envelope)
	if !readable {
		return nil, nil
	}
	rules := c.params().World
	w := weighing{inquiry: s, c: c, ground: ground, rules: rules, energy: domain.PPMOf(min(max(heard.ActivationEnergy, 0), 1)), age: millis(&c, "age_ms")}
	switch c.Gate {
	case domain.GateBelowThreshold:
		return w.overThreshold(), nil
	case domain.GateNotInFive:
		return w.amongFive(), nil
	case domain.GateOverCapacity:
		return w.withinCapacity(), nil
	}
	return nil, nil
}

// weighing is a signal's salience in one decision.
type weighing struct {
	*inquiry
	c      Decision
	ground *domain.ReasoningStarted
	rules  domain.WorldRules
	energy domain.PPM
	age    time.Duration
}

// moreEnergy is the change of the signal's energy.
func (w weighing) moreEnergy(least domain.PPM) Counterfactual {
	return Counterfactual{Kind: ChangeEnergy, Words: fmt.Sprintf("it had come in with an activation energy of %s instead of %s", score(least), score(w.energy)),
		Edit: &player.Edit{ID: w.target.Envelope.ID, Field: "activation_energy", Value: score(least)}}
}

func parameter(name, value, words string) Counterfactual {
	return Counterfactual{Kind: ChangeParameter, Words: words, Set: map[string]string{name: value}}
}

func (w weighing) overThreshold() []Counterfactual {
	var out []Counterfactual
	if least, ok := leastEnergy(w.rules, w.age, func(p domain.PPM) bool { return p >= w.rules.Threshold }); ok {
		out = append(out, w.moreEnergy(least))
	}
	if half, ok := leastHalfLife(w.rules, w.energy, w.age); ok {
		half = longer(half)
		out = append(out, parameter("half_life", lasting(half), fmt.Sprintf("the half-life of what is heard had been %s instead of %s", lasting(half), lasting(w.rules.SignalHalfLife))))
	}
	salience := ppm(&w.c, "salience")
	out = append(out, parameter("threshold", score(salience), fmt.Sprintf("%s had been enough to count, instead of %s", score(salience), score(w.rules.Threshold))))
	if age, ok := mostAge(w.rules, w.energy); ok {
		from := w.ground.AsOf.Add(-age)
		out = append(out, Counterfactual{Kind: ChangeTime, Words: fmt.Sprintf("it had been heard at %s instead of %s, or later", w.exactly(from), w.exactly(w.target.RecordedAt)),
			Edit: &player.Edit{ID: w.target.Envelope.ID, Field: player.AtField, Value: atTime(from)}})
	}
	return out
}

// exactly is a moment to the second.
func (w weighing) exactly(m domain.Millis) string {
	zone, suffix := w.zone, ""
	if zone == nil {
		zone, suffix = time.UTC, " UTC"
	}
	return m.Time().In(zone).Format("15:04:05") + suffix
}

func (w weighing) amongFive() []Counterfactual {
	n := len(w.ground.World.Items)
	if n == 0 {
		return nil
	}
	var out []Counterfactual
	last := w.ground.World.Items[n-1]
	beats := func(p domain.PPM) bool { return p > last.Salience }
	if least, ok := leastEnergy(w.rules, w.age, beats); ok && last.Bonus == 0 {
		out = append(out, w.moreEnergy(least))
	}
	slots := n + 1
	for _, left := range w.ground.World.LeftOut {
		if left.EnvelopeID == w.target.Envelope.ID {
			break
		}
		if left.Gate == domain.GateNotInFive {
			slots++
		}
	}
	return append(out, parameter("context", fmt.Sprint(slots), fmt.Sprintf("%d things had been in mind at once, instead of %d", slots, n)))
}

func (w weighing) withinCapacity() []Counterfactual {
	newer := 0
	for _, items := range [][]domain.SeenItem{w.ground.World.Items, w.ground.World.LeftOut} {
		for _, item := range items {
			if item.Kind == domain.ItemSignal && item.Gate != domain.GateOverCapacity {
				newer++
			}
		}
	}
	for _, item := range w.ground.World.LeftOut { // in the order of the newest first
		if item.Gate != domain.GateOverCapacity {
			continue
		}
		newer++
		if item.EnvelopeID == w.target.Envelope.ID {
			break
		}
	}
	return []Counterfactual{parameter("capacity", fmt.Sprint(newer), fmt.Sprintf("%d signals had been remembered, instead of %d", newer, w.rules.Capacity))}
}

// related are the changes of an item's relations. What had faded or was pushed out wasn't
// related to anything, so that they can't help it.
func (s *inquiry) related(ctx context.Context, c Decision) ([]Counterfactual, error) {
	if c.Kind != ByCycle || c.Gate == domain.GateBelowThreshold || c.Gate == domain.GateOverCapacity {
		return nil, nil
	}
	var out []Counterfactual
	enough := c.params().World.Surfaces
	if c.near.known && c.near.score >= enough {
		return nil, nil
	}
	// Only what is at least half of it is near.
	if c.near.known && c.near.score > 0 && 2*c.near.score >= enough {
		out = append(out, parameter("surfaces", score(c.near.score), fmt.Sprintf("a relation of %s had been enough, instead of %s", score(c.near.score), score(enough))))
	}
	worded, err := s.worded(ctx, c)
	return append(out, worded...), err
}

// worded is the signal with the words of a plan behind its own, and then with news of it:
// of the nearest plan, or else of the weightiest that was in mind. None where one of them
// can't be read.
func (s *inquiry) worded(ctx context.Context, c Decision) ([]Counterfactual, error) {
	heard, readable := decoded[domain.SignalReceived](s.target.Envelope)
	if !readable || s.target.Envelope.Type != domain.SignalReceivedType {
		return nil, nil
	}
	plan := c.near.text
	if !c.near.known {
		ground, err := s.groundOf(ctx, c.Trace)
		if err != nil || ground == nil {
			return nil, err
		}
		i := slices.IndexFunc(ground.World.Items, func(item domain.SeenItem) bool { return item.Kind.IsMinded() })
		if i < 0 {
			return nil, nil
		}
		plan = ground.World.Items[i].Text()
	}
	rec, err := s.log.Find(ctx, plan)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil, nil
	}
	if err != nil || textOf(rec.Envelope) == "" {
		return nil, err
	}
	named, about := narrate.About(rec, narrate.Quoted(textOf(rec.Envelope))), s.target.Envelope.ID
	says := func(said narrate.Phrase, content string) Counterfactual {
		return Counterfactual{Kind: ChangeRelation, said: said, Edit: &player.Edit{ID: about, Field: "content", Value: content}}
	}
	return []Counterfactual{
		says(narrate.Sayf("it had spoken of %s as well", named), heard.Content+": "+textOf(rec.Envelope)),
		says(narrate.Sayf("it had said as well that %s is cancelled", named), heard.Content+": "+textOf(rec.Envelope)+" is cancelled"),
	}, nil
}

// foundSooner are the changes with which a cycle without findings would have had one.
func (s *inquiry) foundSooner(ctx context.Context, c Decision) ([]Counterfactual, error) {
	ground, err := s.groundOf(ctx, c.Trace)
	if err != nil || ground == nil || len(ground.Relations) == 0 {
		return nil, err
	}
	strongest, enough := ground.Relations[0].Score, c.params().World.Surfaces
	if strongest >= enough {
		return nil, nil
	}
	return []Counterfactual{parameter("surfaces", score(strongest), fmt.Sprintf("a relation of %s had been enough, instead of %s", score(strongest), score(enough)))}, nil
}

// leastEnergy is the least activation energy with which a signal of some age passes
// a test of its salience; false when none is enough.
func leastEnergy(rules domain.WorldRules, age time.Duration, enough func(domain.PPM) bool) (domain.PPM, bool) {
	n := sort.Search(int(domain.One)+1, func(energy int) bool {
		salience, _ := rules.Salience(domain.Candidate{Kind: domain.ItemSignal, Energy: domain.PPM(energy), RecordedAt: 0}, domain.Millis(age.Milliseconds()))
		return enough(salience)
	})
	return domain.PPM(n), n <= int(domain.One)
}

// leastHalfLife is the shortest half-life, in whole milliseconds, with which a signal
// of some energy and age still weighs enough; false when none up to ten years does.
func leastHalfLife(rules domain.WorldRules, energy domain.PPM, age time.Duration) (time.Duration, bool) {
	const most = 3650 * 24 * time.Hour
	n := sort.Search(int(most.Milliseconds()), func(ms int) bool {
		rules.SignalHalfLife = time.Duration(ms+1) * time.Millisecond
		salience, _ := rules.Salience(domain.Candidate{Kind: domain.ItemSignal, Energy: energy}, domain.Millis(age.Milliseconds()))
		return salience >= rules.Threshold
	})
	return time.Duration(n+1) * time.Millisecond, n < int(most.Milliseconds())
}

// mostAge is how old a signal of some energy may be and still weigh enough, in whole
// milliseconds; false when it never does.
func mostAge(rules domain.WorldRules, energy domain.PPM) (time.Duration, bool) {
	const most = 3650 * 24 * time.Hour
	n := sort.Search(int(most.Milliseconds()), func(ms int) bool {
		salience, _ := rules.Salience(domain.Candidate{Kind: domain.ItemSignal, Energy: energy}, domain.Millis(ms))
		return salience < rules.Threshold
	})
	return time.Duration(n-1) * time.Millisecond, n > 0
}

// score writes a score as it is set: exactly, with no more digits than it has.
func score(p domain.PPM) string { return strconv.FormatFloat(p.Float(), 'f', -1, 64) }

// longer is a half-life in words that still is long enough: rounded up to a whole
// second, or minute when it is over an hour.
func longer(d time.Duration) time.Duration {
	unit := time.Second
	if d > time.Hour {
		unit = time.Minute
	}
	if up := d.Truncate(unit); up < d {
		return up + unit
	}
	return d
}

// lasting writes a duration as it is set, without zero parts: 12m, 10h1m.
func lasting(d time.Duration) string {
	text := d.String()
	if d >= time.Minute && d%time.Minute == 0 {
		text = strings.TrimSuffix(text, "0s")
	}
	if d >= time.Hour && d%time.Hour == 0 {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
