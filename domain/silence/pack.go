package silence

import (
	"context"
	"encoding/json"
	"slices"

	"chalie/domain"
)

// Considered is what a cycle that told nothing went through.
type Considered struct {
	Opening  domain.ID
	Assembly domain.Assembly
	Params   domain.Params // that it went by
	Started  domain.ReasoningStarted
	Findings []domain.Finding
	Held     []domain.SilentFinding // of each finding, in their order
	Ended    domain.ReasoningConcluded
}

// maxSilentBytes bounds a silent cycle's payload. What looked at more is recorded in steps.
const maxSilentBytes = domain.MaxPayloadBytes / 4

// Pack makes one record of a cycle, as the difference to the one before; nil for none. It returns
// what the next one differs from. False says that the record wouldn't give the same again: such a
// cycle is recorded in steps.
func (r *Reader) Pack(ctx context.Context, before *List, c Considered) (domain.SilentCycle, *List, bool, error) {
	list, ok, err := r.listOf(ctx, c)
	if err != nil || !ok {
		return domain.SilentCycle{}, nil, false, err
	}
	for {
		packed := list.minus(before)
		packed.World = c.Started.World.Position
		if packed.Since.IsZero() {
			before = nil
		}
		if read, fits := before.apply(c.Opening, &packed); fits {
			cycle, err := read.cycle(c.Started.AsOf, c.Started.World.Position, r.where(ctx))
			if err != nil {
				return domain.SilentCycle{}, nil, false, err
			}
			if cycle.gives(c) {
				packed.Sum = cycle.sum()
				text, err := json.Marshal(packed)
				return packed, read, err == nil && len(text) <= maxSilentBytes, nil
			}
		}
		if before == nil {
			return domain.SilentCycle{}, nil, false, nil
		}
		before = nil // the order isn't that of a difference: in full
	}
}

// Same reports whether two cycles found the same: the same candidates with the same gates, the same relations,
// and the same kept back for the same reasons. Only weights and ages may differ.
func (r *Reader) Same(ctx context.Context, a *List, at domain.Millis, b *List, now domain.Millis) (bool, error) {
	if a == nil || b == nil || !sameRules(a.rules, b.rules) || !slices.Equal(a.recent, b.recent) {
		return false, nil
	}
	first := *a
	first.nth = 0 // also where a full one is next
	d := b.minus(&first)
	if len(d.Pushed)+len(d.Went)+len(d.Came)+len(d.Unrelated)+len(d.Related)+len(d.Released)+len(d.Held) > 0 {
		return false, nil
	}
	then, err := a.gates(at, r.where(ctx))
	if err != nil {
		return false, err
	}
	today, err := b.gates(now, r.where(ctx))
	if err != nil || len(then) != len(today) {
		return false, err
	}
	for of, gate := range then {
		if other, ok := today[of]; !ok || other != gate {
			return false, nil
		}
	}
	return true, nil
}

// seat is one candidate: an envelope may give more than one.
type seat struct {
	id   domain.ID
	kind domain.ItemKind
}

// gates is the gate of each candidate at a moment.
func (l *List) gates(at domain.Millis, where func(domain.ID) (place, error)) (map[seat]domain.Gate, error) {
	c, err := l.cycle(at, 0, where)
	if err != nil {
		return nil, err
	}
	out := map[seat]domain.Gate{}
	for _, items := range [][]domain.SeenItem{c.Started.World.Items, c.Started.World.LeftOut} {
		for _, it := range items {
			out[seat{it.EnvelopeID, it.Kind}] = it.Gate
		}
	}
	return out, nil
}

// listOf is the list of what was considered; false when it is more than a list has.
func (r *Reader) listOf(ctx context.Context, c Considered) (*List, bool, error) {
	if len(c.Held) != len(c.Findings) {
		return nil, false, nil
	}
	w, n := c.Params.World, c.Params.Notices
	s := c.Started
	out := List{
		id: c.Opening, related: s.Relations, recent: s.Recent, found: s.Found, held: c.Held,
		rules: domain.SilentRules{
			Zone: s.Zone, Over: s.World.Over, Models: s.Models, Verifier: s.Verifier, Limits: s.Limits, Rules: s.Rules, Build: s.Build,
			Slots: w.Slots, Threshold: w.Threshold, OpenTask: w.OpenTask, Surfaces: w.Surfaces,
			SignalHalfLife: w.SignalHalfLife.Milliseconds(), DueHalfLife: w.DueHalfLife.Milliseconds(), FiredFor: w.FiredFor.Milliseconds(),
			Cooldown: n.Cooldown.Milliseconds(), Repeated: n.Repeated.Milliseconds(),
		},
	}
	where := r.where(ctx)
	for _, items := range [][]domain.Item{c.Assembly.Items, c.Assembly.LeftOut} {
		for _, it := range items {
			one := domain.SilentItem{ID: it.EnvelopeID, Kind: it.Kind, TextID: it.TextID, Energy: it.Energy, Phase: it.Phase,
				Moment: it.Moment, Over: it.Over, Pushed: it.Gate == domain.GateOverCapacity}
			if one.Over != 0 && one.Over <= c.Started.AsOf {
				one.Over = 1
			}
			at, err := where(it.EnvelopeID)
			if err != nil {
				return nil, false, err
			}
			if at.position != it.Position {
				return nil, false, nil
			}
			if !it.Kind.IsPlan() && it.Since() != at.clock {
				one.Since = it.Since()
			}
			out.items = append(out.items, one)
		}
	}
	return &out, true, nil
}

// gives reports whether a cycle is what was considered.
func (c *Cycle) gives(of Considered) bool {
	s, t := &c.Started, &of.Started
	world := slices.Equal(s.World.Items, t.World.Items) && slices.Equal(s.World.LeftOut, t.World.LeftOut) && s.World.Unlisted == t.World.Unlisted &&
		s.World.Over == t.World.Over && s.World.Position == t.World.Position
	ground := s.Zone == t.Zone && slices.Equal(s.Recent, t.Recent) && slices.Equal(s.Relations, t.Relations) && s.Found == t.Found &&
		slices.Equal(s.Models, t.Models) && s.Verifier == t.Verifier && s.Limits == t.Limits && s.Rules == t.Rules && s.Build == t.Build
	found := slices.EqualFunc(c.Replied.Findings, of.Findings, func(a, b domain.Finding) bool { return slices.Equal(a.Evidence, b.Evidence) })
	return world && ground && found && of.Ended.Outcome == domain.OutcomeHeld && slices.Equal(c.Ended.Rejected, of.Ended.Rejected)
}
