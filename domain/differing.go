package domain

import "slices"

// DifferencesAccepted says that the person accepts what today's code decides otherwise than it
// was decided, by kind: a replay counts those from then on, and tells of others.
type DifferencesAccepted struct {
	Kinds []AcceptedKind `json:"kinds"`
	Build string         `json:"build"` // the version of the program that decided otherwise
}

// AcceptedKind is one kind of differences, and how many decisions of a whole replay had it.
type AcceptedKind struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// AcceptedKey marks every acceptance.
const AcceptedKey Key = "differences"

// Keys go onto the event's envelope.
func (DifferencesAccepted) Keys() []Key { return []Key{AcceptedKey} }

// Acceptance is a kind as it was accepted last.
type Acceptance struct {
	EnvelopeID ID        `json:"envelope_id" doc:"Of the differences.accepted."`
	At         Millis    `json:"at"`
	By         Principal `json:"by"`
	Build      string    `json:"build" doc:"The version of the program that decided otherwise then."`
	Count      int       `json:"count" doc:"How many decisions of the whole log had it then."`
}

// Accepted is the fold of what was accepted, by kind. The zero value has none.
type Accepted map[string]Acceptance

// Evolve folds an acceptance; other records pass it by. An erased one accepts nothing. The
// error is CodeUndecodable.
func (a *Accepted) Evolve(rec Record) error {
	if rec.Envelope.Type != DifferencesAcceptedType {
		return nil
	}
	p, err := Decode[DifferencesAccepted](rec.Envelope)
	if err != nil {
		return unlessErased(err)
	}
	if *a == nil {
		*a = Accepted{}
	}
	for _, k := range p.Kinds {
		(*a)[k.Kind] = Acceptance{rec.Envelope.ID, rec.Clock(), rec.Envelope.Principal, p.Build, k.Count}
	}
	return nil
}

// Covers reports whether a kind was accepted, when that many decisions have it: with more,
// something differs that nobody has looked at.
func (a Accepted) Covers(kind string, count int) (Acceptance, bool) {
	known, ok := a[kind]
	return known, ok && count <= known.Count
}

// MaxAcceptedKinds bounds what is accepted at once, and the length of a kind's name in bytes.
const (
	MaxAcceptedKinds = 500
	MaxKindBytes     = 200
)

// Validate returns a validation error that says what is wrong.
func (p DifferencesAccepted) Validate() error {
	const op = "accept differences"
	switch {
	case len(p.Kinds) == 0:
		return Invalid(op, "kinds", "kinds is empty: name those of a replay")
	case len(p.Kinds) > MaxAcceptedKinds:
		return Invalid(op, "kinds", "there are more than 500 kinds: accept them in several steps")
	case slices.ContainsFunc(p.Kinds, func(k AcceptedKind) bool { return k.Kind == "" || len(k.Kind) > MaxKindBytes || k.Count < 1 }):
		return Invalid(op, "kinds", "each of the kinds has the name and the count that a replay gave it")
	}
	return nil
}
