package silence

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"slices"

	"chalie/domain"
)

// List is what a silent cycle looked at, in full. It doesn't change once it is made.
type List struct {
	id      domain.ID // of its record
	nth     int
	rules   domain.SilentRules
	items   []domain.SilentItem
	related []domain.SeenRelation
	held    []domain.SilentFinding
	recent  []domain.ID
	found   domain.ID
}

// Cycle is a silent cycle as its steps would have recorded it.
type Cycle struct {
	Started domain.ReasoningStarted
	Replied domain.ModelReplied // the evidence of its findings alone
	Ended   domain.ReasoningConcluded
}

// Code is the hash of the rules, and the version of the program, that a cycle went by.
func (l *List) Code() (rules, build string) { return l.rules.Rules, l.rules.Build }

// place is where an envelope stands in the log, and its clock; zero of one that isn't there any more.
type place struct {
	position domain.Position
	clock    domain.Millis
}

// apply is the list of a silent cycle, given that of the one it differs from; false when the two
// don't fit.
func (l *List) apply(id domain.ID, c *domain.SilentCycle) (*List, bool) {
	out := List{id: id, nth: c.Nth}
	if c.Rules != nil {
		out.rules = *c.Rules
	} else if l != nil {
		out.rules, out.recent, out.found = l.rules, l.recent, l.found
	}
	if l == nil {
		l = &List{}
	}
	items, fits := pushed(l.items, c.Pushed)
	out.items, fits = changed(items, c.Went, c.Came, fits)
	out.related, fits = changed(l.related, c.Unrelated, c.Related, fits)
	out.held, fits = changed(l.held, c.Released, c.Held, fits)
	if c.Recent != nil {
		out.recent = *c.Recent
	}
	if !c.Found.IsZero() {
		out.found = c.Found
	}
	return &out, fits
}

// pushed is a list of which some places are pushed out.
func pushed(items []domain.SilentItem, places []int) ([]domain.SilentItem, bool) {
	if len(places) == 0 {
		return items, true
	}
	out := slices.Clone(items)
	for _, i := range places {
		if i < 0 || i >= len(out) {
			return out, false
		}
		out[i].Pushed = true
	}
	return out, true
}

// pushedSince are the places of what was pushed out.
func pushedSince(before, after []domain.SilentItem) (places []int) {
	for i, one := range before {
		was := one.Pushed
		if one.Pushed = true; !was && slices.Contains(after, one) {
			places = append(places, i)
		}
	}
	return places
}

// changed is a list without some places, and with what came behind it.
func changed[T any](before []T, went []int, came []T, fits bool) ([]T, bool) {
	out := make([]T, 0, max(0, len(before)-len(went))+len(came))
	for i, one := range before {
		if len(went) > 0 && went[0] == i {
			went = went[1:]
			continue
		}
		out = append(out, one)
	}
	return append(out, came...), fits && len(went) == 0
}

// difference is what changed makes of one list the other, as far as the order of what stays and
// comes allows.
func difference[T any](before, after []T, same func(a, b T) bool) (went []int, came []T) {
	for i, one := range before {
		if !slices.ContainsFunc(after, func(t T) bool { return same(one, t) }) {
			went = append(went, i)
		}
	}
	for _, one := range after {
		if !slices.ContainsFunc(before, func(t T) bool { return same(one, t) }) {
			came = append(came, one)
		}
	}
	return went, came
}

func sameItem(a, b domain.SilentItem) bool { return a == b }

func sameRelation(a, b domain.SeenRelation) bool { return a == b }

func sameFinding(a, b domain.SilentFinding) bool {
	return a.Gate == b.Gate && a.Because == b.Because && a.By == b.By && a.Told == b.Told && slices.Equal(a.Evidence, b.Evidence)
}

func sameRules(a, b domain.SilentRules) bool { return reflect.DeepEqual(a, b) }

// minus is the list as its difference to another; in full when that is nil.
func (l *List) minus(before *List) domain.SilentCycle {
	var c domain.SilentCycle
	if before == nil || before.nth+1 >= domain.FullEvery || !sameRules(before.rules, l.rules) {
		c.Rules, c.Recent, before = &l.rules, &l.recent, &List{}
	} else {
		c.Since, c.Nth = before.id, before.nth+1
		if !slices.Equal(before.recent, l.recent) {
			c.Recent = &l.recent
		}
	}
	if l.found != before.found {
		c.Found = l.found
	}
	c.Pushed = pushedSince(before.items, l.items)
	items, _ := pushed(before.items, c.Pushed)
	c.Went, c.Came = difference(items, l.items, sameItem)
	c.Unrelated, c.Related = difference(before.related, l.related, sameRelation)
	c.Released, c.Held = difference(before.held, l.held, sameFinding)
	return c
}

// cycle is the cycle that looked at the list at a moment, with the world folded through a
// position.
func (l *List) cycle(at domain.Millis, through domain.Position, where func(domain.ID) (place, error)) (Cycle, error) {
	all, pushed, err := l.candidates(where)
	if err != nil {
		return Cycle{}, err
	}
	rules := l.rules.World()
	var bonuses []domain.Relation
	for _, rel := range l.related {
		if rel.Score >= rules.Surfaces {
			bonuses = append(bonuses, domain.Relation{A: rel.Signal, B: rel.Commitment, Bonus: rel.Score})
		}
	}
	seen := rules.Assemble(all, bonuses, at)
	for _, c := range pushed {
		salience, _ := rules.Salience(c, at)
		seen.LeftOut = append(seen.LeftOut, domain.Item{Candidate: c, Salience: salience, Gate: domain.GateOverCapacity})
	}
	out := Cycle{
		Started: domain.ReasoningStarted{
			AsOf: at, Zone: l.rules.Zone, World: domain.SeenIn(seen, through), Recent: append([]domain.ID{}, l.recent...),
			Relations: append([]domain.SeenRelation{}, l.related...), Found: l.found, Models: append([]string{}, l.rules.Models...),
			Verifier: l.rules.Verifier, Limits: l.rules.Limits, Rules: l.rules.Rules, Build: l.rules.Build,
		},
		Ended: domain.ReasoningConcluded{Outcome: domain.OutcomeHeld, Rejected: []domain.Rejected{}},
	}
	slices.SortFunc(out.Started.Relations, func(a, b domain.SeenRelation) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), bytes.Compare(a.Signal[:], b.Signal[:]), bytes.Compare(a.Commitment[:], b.Commitment[:]))
	})
	for _, f := range l.held {
		out.Replied.Findings = append(out.Replied.Findings, domain.Finding{Evidence: f.Evidence})
		detail := f.Detail(at, l.rules)
		for _, e := range f.Evidence {
			out.Ended.Rejected = append(out.Ended.Rejected, domain.Rejected{EnvelopeID: e.EnvelopeID, Because: f.Because, Score: e.Weight, Gate: f.Gate, Detail: detail})
		}
	}
	return out, nil
}

// candidates are the items as candidates: those that compete, and those pushed out, the newest
// first.
func (l *List) candidates(where func(domain.ID) (place, error)) (all, pushed []domain.Candidate, err error) {
	for _, it := range l.items {
		at, err := where(it.ID)
		if err != nil {
			return nil, nil, err
		}
		c := domain.Candidate{
			Kind: it.Kind, EnvelopeID: it.ID, TextID: it.TextID, Position: at.position, RecordedAt: cmp.Or(it.Since, at.clock),
			Energy: it.Energy, Phase: it.Phase, Moment: it.Moment, Over: it.Over,
		}
		if it.Pushed {
			pushed = append(pushed, c)
		} else {
			all = append(all, c)
		}
	}
	slices.SortFunc(pushed, func(a, b domain.Candidate) int { return cmp.Compare(b.Position, a.Position) })
	return all, pushed, nil
}

// sum is a checksum of what a cycle looked at and decided.
func (c *Cycle) sum() uint32 {
	h := crc32.NewIEEE()
	var eight [8]byte
	number := func(n int64) {
		binary.BigEndian.PutUint64(eight[:], uint64(n))
		_, _ = h.Write(eight[:]) // a hash takes every write
	}
	text := func(s string) {
		number(int64(len(s)))
		_, _ = h.Write([]byte(s))
	}
	for _, items := range [][]domain.SeenItem{c.Started.World.Items, c.Started.World.LeftOut} {
		number(int64(len(items)))
		for _, it := range items {
			text(string(it.EnvelopeID[:]) + string(it.TextID[:]))
			text(string(it.Kind) + string(it.Phase))
			text(string(it.Gate))
			number(int64(it.Moment))
			number(int64(it.Salience))
			number(int64(it.Bonus))
		}
	}
	for _, rel := range c.Started.Relations {
		text(string(rel.Signal[:]) + string(rel.Commitment[:]))
		number(int64(rel.Score))
	}
	for _, r := range c.Ended.Rejected {
		text(string(r.EnvelopeID[:]) + string(r.Because[:]))
		number(int64(r.Score))
		text(string(r.Gate) + r.Detail)
	}
	return h.Sum32()
}
