package models

import (
	"slices"

	"chalie/domain"
)

// sources numbers what a model is told of, from 1. It can only refer to those
// numbers, so whatever it rests on was in its prompt.
type sources struct{ list []source }

type source struct {
	id     domain.ID
	role   string     // as evidence
	weight domain.PPM // as evidence, unless the model says otherwise
}

// Roles of evidence.
const (
	roleHeard   = "heard"
	rolePlanned = "planned"
	roleContext = "context"
	roleTool    = "tool_result"
	roleAsked   = "asked"
)

// number is that of an item, a new one if it has none yet.
func (s *sources) number(id domain.ID, role string, weight domain.PPM) int {
	if i := slices.IndexFunc(s.list, func(x source) bool { return x.id == id }); i >= 0 {
		return i + 1
	}
	s.list = append(s.list, source{id, role, weight})
	return len(s.list)
}

// evidence is an item by its number; false when there is no such item. A weight
// of 0 takes the item's own.
func (s *sources) evidence(n int, weight domain.PPM) (domain.Evidence, bool) {
	if n < 1 || n > len(s.list) {
		return domain.Evidence{}, false
	}
	x := s.list[n-1]
	if weight <= 0 {
		weight = x.weight
	}
	return domain.Evidence{EnvelopeID: x.id, Role: x.role, Weight: min(weight, domain.One)}, true
}

// roleOf is what an item of the world is as evidence.
func roleOf(kind domain.ItemKind) string {
	switch kind {
	case domain.ItemSignal, domain.ItemMessage:
		return roleHeard
	case domain.ItemContext:
		return roleContext
	}
	return rolePlanned
}

// add puts evidence behind what is there; of one item only the greatest weight
// counts.
func add(list []domain.Evidence, e domain.Evidence) []domain.Evidence {
	if i := slices.IndexFunc(list, func(x domain.Evidence) bool { return x.EnvelopeID == e.EnvelopeID }); i >= 0 {
		list[i].Weight = max(list[i].Weight, e.Weight)
		return list
	}
	return append(list, e)
}
