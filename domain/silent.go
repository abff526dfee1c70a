package domain

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// SilentCycle is a cycle that told nothing, within the spine signal that opened it: all of it is this
// one record. It has what the cycle looked at as the difference to the silent cycle before. What
// follows from that and from the envelope's timestamp, by which it judged (salience, phases, gates, ages), isn't
// stored: package silence works it out.
//
// It has references and numbers only, and no word of what was said. The first of a process is
// full, and so is every [FullEvery]th, so that a record that can't be read breaks no more than
// those up to the next one.
type SilentCycle struct {
	World Position     `json:"world"`           // the world state was folded through
	Since ID           `json:"since,omitzero"`  // the silent cycle that it differs from; none of a full one
	Nth   int          `json:"nth,omitempty"`   // how many have differed since the full one
	Rules *SilentRules `json:"rules,omitempty"` // of a full one
	// Pushed are the places, from 0, of what the one before had and newer ones pushed out since. Went
	// are those of what it had and this one hasn't; Came is what stands behind the others.
	Pushed    []int           `json:"pushed,omitempty"`
	Went      []int           `json:"went,omitempty"`
	Came      []SilentItem    `json:"came,omitempty"`
	Unrelated []int           `json:"unrelated,omitempty"` // as Went
	Related   []SeenRelation  `json:"related,omitempty"`   // as Came
	Released  []int           `json:"released,omitempty"`  // as Went
	Held      []SilentFinding `json:"held,omitempty"`      // as Came
	Recent    *[]ID           `json:"recent,omitempty"`    // as of reasoning.started; null where it is as before
	Found     ID              `json:"found,omitzero"`      // as of reasoning.started; none where it is as before
	// Sum is a checksum of what follows from it: other rules than those of then would come to
	// another.
	Sum uint32 `json:"sum"`
}

// FullEvery is after how many silent cycles a full one stands.
const FullEvery = 64

// SilentItem is a candidate for the world state by reference, with what its score needs.
type SilentItem struct {
	ID     ID       `json:"id"`
	Kind   ItemKind `json:"kind,omitzero"`    // not written of a signal
	TextID ID       `json:"text_id,omitzero"` // the envelope that has its text, when it is another
	Energy PPM      `json:"energy,omitempty"`
	Phase  Phase    `json:"phase,omitempty"`
	Moment Millis   `json:"moment,omitempty"`
	Over   Millis   `json:"over,omitempty"`   // from when on it is over; 1 of what was by then
	Since  Millis   `json:"since,omitempty"`  // where its age begins, when that isn't its record's clock
	Pushed bool     `json:"pushed,omitempty"` // out, by newer ones
}

// UnmarshalJSON reads an item as it is stored: one without a kind is a signal.
func (s *SilentItem) UnmarshalJSON(text []byte) error {
	type stored SilentItem
	err := json.Unmarshal(text, (*stored)(s))
	s.Kind = cmp.Or(s.Kind, ItemSignal)
	return err
}

// SilentFinding is what a cycle had to tell, and kept back.
type SilentFinding struct {
	Evidence []Evidence `json:"evidence"`
	Gate     Gate       `json:"gate"`
	Because  ID         `json:"because,omitzero"`
	By       Holding    `json:"by,omitempty"`
	Told     Millis     `json:"told,omitempty"` // when the same was told before; 0 where it wasn't
}

// Detail is the numbers of the rule that held it, at the moment of a cycle, as of Rejected.
func (f SilentFinding) Detail(at Millis, rules SilentRules) string {
	return f.By.Detail(max(0, at.Sub(f.Told)), rules.within(f.By))
}

// SilentRules are what a cycle went by.
type SilentRules struct {
	Zone     string          `json:"zone"`
	Over     OverRule        `json:"over,omitempty"`
	Models   []string        `json:"models"`
	Verifier string          `json:"verifier,omitempty"`
	Limits   ReasoningLimits `json:"limits"`
	Rules    string          `json:"rules"` // as of reasoning.started
	Build    string          `json:"build"`

	Slots          int   `json:"slots"`
	Threshold      PPM   `json:"threshold"`
	OpenTask       PPM   `json:"open_task"`
	Surfaces       PPM   `json:"surfaces"`
	SignalHalfLife int64 `json:"signal_half_life_ms"`
	DueHalfLife    int64 `json:"due_half_life_ms"`
	FiredFor       int64 `json:"fired_for_ms"`
	Cooldown       int64 `json:"cooldown_ms"`
	Repeated       int64 `json:"repeated_ms"`
}

// World is by which the world state was scored.
func (r *SilentRules) World() WorldRules {
	ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	return WorldRules{
		Slots: r.Slots, Threshold: r.Threshold, OpenTask: r.OpenTask, Surfaces: r.Surfaces, Over: r.Over,
		SignalHalfLife: ms(r.SignalHalfLife), DueHalfLife: ms(r.DueHalfLife), FiredFor: ms(r.FiredFor),
	}
}

// within is the time that a finding was held by.
func (r *SilentRules) within(by Holding) time.Duration {
	ms := r.Repeated
	if by == HeldByCooldown {
		ms = r.Cooldown
	}
	return time.Duration(ms) * time.Millisecond
}

// SilentKey is carried by the spine signal of a silent cycle: it is a conclusion, too, that showed
// nothing.
const SilentKey = shownNothing

// IsSilent reports whether an envelope is a spine signal with its cycle, which told nothing. It
// needs no payload.
func IsSilent(e Envelope) bool {
	return e.Type == SpineSignalEmittedType && slices.Contains(e.Keys, SilentKey)
}
