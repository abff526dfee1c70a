package domain

import (
	"slices"
	"time"
)

// Bounds of what news is related to besides plans.
const (
	MaxEntries = 200 // entries of lists, the newest
	MaxAsked   = 20  // messages of the person, the latest
	// AskedFor is how long news of what the person asked is news to them.
	AskedFor = 24 * time.Hour
)

// Interests is the fold of what isn't planned, and of which news is news to the person all
// the same: what is on their lists, and what they have asked lately. Which of their messages
// is a question follows from its words, so a reader of those tells. The zero value has none.
type Interests struct {
	Entries []Interest `json:"entries"` // oldest first, at most MaxEntries
	Asked   []Interest `json:"asked"`   // the person's messages, oldest first, at most MaxAsked
}

// Interest is an entry of a list or a message, by reference.
type Interest struct {
	ID         ID       `json:"id"`
	List       ID       `json:"list,omitzero"` // of an entry
	Position   Position `json:"pos"`
	RecordedAt Millis   `json:"at"`
}

// Evolve folds one record. It reads no payload: what is erased has no words to relate
// anything to.
func (i *Interests) Evolve(rec Record) {
	e := rec.Envelope
	switch e.Type {
	case MessageReceivedType:
		if e.Principal == PrincipalOperator {
			i.Asked = newest(append(i.Asked, Interest{ID: e.ID, Position: rec.Position, RecordedAt: rec.RecordedAt}), MaxAsked)
		}
	case ListItemAddedType:
		of, _ := PlanOf(e)
		i.Entries = newest(append(i.Entries, Interest{ID: e.ID, List: of, Position: rec.Position, RecordedAt: rec.RecordedAt}), MaxEntries)
	case ListItemRemovedType:
		gone := itemOf(e)
		i.Entries = slices.DeleteFunc(i.Entries, func(x Interest) bool { return x.ID == gone })
	case ListRemovedType:
		of, _ := PlanOf(e)
		i.Entries = slices.DeleteFunc(i.Entries, func(x Interest) bool { return x.List == of })
	}
}

func newest(all []Interest, most int) []Interest { return all[max(0, len(all)-most):] }

// Candidates are those that news may bear on at now. They take a place in mind only with
// news that does.
func (i *Interests) Candidates(setbacks *Setbacks, now Millis) []Candidate {
	out := make([]Candidate, 0, len(i.Entries)+len(i.Asked))
	for _, e := range i.Entries {
		out = append(out, Candidate{Kind: ItemEntry, EnvelopeID: e.ID, Position: e.Position, RecordedAt: e.RecordedAt, Phase: PhaseOpen})
	}
	for _, a := range i.Asked {
		since := setbacks.Since(a.Position, a.RecordedAt, now)
		if now.Sub(since) < AskedFor {
			out = append(out, Candidate{Kind: ItemQuestion, EnvelopeID: a.ID, Position: a.Position, RecordedAt: a.RecordedAt, Ahead: a.RecordedAt - since, Energy: One})
		}
	}
	return out
}

// Clone is a copy that shares nothing with the original.
func (i *Interests) Clone() Interests {
	return Interests{Entries: slices.Clone(i.Entries), Asked: slices.Clone(i.Asked)}
}
