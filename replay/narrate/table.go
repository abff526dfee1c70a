package narrate

import (
	"maps"

	"chalie/domain"
)

// entries has every type of the catalogue but those of what happens to plans, see planEntry.
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

// known is the entry of a type; false when there is none.
func known(t domain.EventType) (Entry, bool) {
	if one, ok := entries[t]; ok {
		return one, true
	}
	return planEntry(t)
}
