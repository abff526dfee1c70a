package narrate

import (
	"maps"

	"chalie/domain"
)

// entries has every type of the catalogue.
var entries = joined(said, spoken, thoughts, tools, approvals, plans, senders, house)

// unknown is the entry for types unknown to this version.
var unknown = event[struct{}]{}.entry()

func joined(lists ...map[domain.EventType]Entry) map[domain.EventType]Entry {
	out := map[domain.EventType]Entry{}
	for _, list := range lists {
		maps.Copy(out, list)
	}
	return out
}

// Types are those that have an entry, in no order.
func Types() []domain.EventType {
	out := make([]domain.EventType, 0, len(entries))
	for t := range entries {
		out = append(out, t)
	}
	return out
}
