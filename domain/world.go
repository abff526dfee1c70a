package domain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// WorldRules are the parameters of the world state. DefaultWorldRules are the
// contract's; the person may set others.
type WorldRules struct {
	Capacity       int           // signals remembered; the oldest is dropped
	Slots          int           // items that enter the reasoning context
	Threshold      PPM           // salience below it is out
	SignalHalfLife time.Duration // signals and ambient context
	DueHalfLife    time.Duration // plans, before and after they are due
	FiredFor       time.Duration // how long what was told stays, unless it is out by Over
	OpenTask       PPM           // a task without a deadline
	Surfaces       PPM           // a signal and a plan are related from this score on; LeastRelation or more
	Over           OverRule      // of what is over; the build's, and nobody's to set
}

// LeastRelation is the score below which a signal and a plan aren't related at all.
const LeastRelation = One / 4

// DefaultWorldRules are the rules everything is scored by until others are set.
func DefaultWorldRules() WorldRules {
	return WorldRules{
		Capacity: 100, Slots: 5, Threshold: 150_000,
		SignalHalfLife: 6 * time.Hour, DueHalfLife: 12 * time.Hour,
		FiredFor: 24 * time.Hour, OpenTask: One / 2, Surfaces: One / 2,
	}
}

// ItemKind is the kind of an item that competes for the world state.
type ItemKind string

// The kinds of items.
const (
	ItemSignal      ItemKind = "signal"
	ItemMessage     ItemKind = "message" // of a program to the person
	ItemReminder    ItemKind = "reminder"
	ItemAppointment ItemKind = "appointment"
	ItemTask        ItemKind = "task"
	ItemEntry       ItemKind = "entry"    // of a list
	ItemQuestion    ItemKind = "question" // that the person asked lately
	ItemContext     ItemKind = "context"  // what a client says of its surroundings
)

// IsZero reports whether the kind isn't written where that is left out: of a signal.
func (k ItemKind) IsZero() bool { return k == ItemSignal }

// IsHeard reports whether its words are somebody else's, and never the person's own.
func (k ItemKind) IsHeard() bool { return k == ItemSignal || k == ItemMessage }

// IsPlan reports whether it is a kind of commitment.
func (k ItemKind) IsPlan() bool { return k.Plan().Kind != "" }

// Plan is its row in the table of plans; the zero one of what is none.
func (k ItemKind) Plan() PlanKind { return Events().kinds[k] }

// IsInterest reports whether it is nothing planned, and news of it is news all the same.
func (k ItemKind) IsInterest() bool { return k == ItemEntry || k == ItemQuestion }

// IsMinded reports whether signals may bear on it.
func (k ItemKind) IsMinded() bool { return k.IsPlan() || k.IsInterest() }

// IsTold reports whether it is a kind of commitment that its time ends, and not the person.
func (k ItemKind) IsTold() bool { return k.IsPlan() && k.Plan().Ends != EndsByPerson }

// TakesPlace reports whether it is a kind of commitment that has a beginning and an end.
func (k ItemKind) TakesPlace() bool { return k.Plan().Ends == EndsWhenOver }

// Phase is the state of a commitment. Signals and context have none.
type Phase string

// The phases of a commitment.
const (
	PhasePending Phase = "pending" // a reminder not fired, an appointment ahead, or an open task with a deadline
	PhaseOpen    Phase = "open"    // an open task without a deadline
	PhaseDone    Phase = "done"    // a fired reminder, an appointment that has begun, a completed task
)

// Candidate is one thing that may matter now: a reference and what its score
// needs, never a copy of its text.
type Candidate struct {
	Kind       ItemKind
	EnvelopeID ID
	TextID     ID // the envelope that has its text; none when that is EnvelopeID
	Position   Position
	RecordedAt Millis
	Ahead      Millis // how far that is ahead of where its age begins; see Since
	Energy     PPM    // activation energy of a signal or a message, confidence of context
	Phase      Phase  // of plans
	Moment     Millis // when it is due (pending) or was done
	Over       Millis // from when on it is over, and weighs nothing; 0 while nothing says so
}

// Text is the envelope that has its text.
func (c Candidate) Text() ID {
	if c.TextID.IsZero() {
		return c.EnvelopeID
	}
	return c.TextID
}

// Since is where its age begins: what the writer's clock showed, or what counts for
// that when it lies ahead of now.
func (c Candidate) Since() Millis { return c.RecordedAt - c.Ahead }

// isOver reports whether it is over at a moment.
func (c Candidate) isOver(now Millis) bool { return c.Over != 0 && now >= c.Over }

// Item is a candidate with its score at one moment.
type Item struct {
	Candidate
	Salience PPM
	Bonus    PPM  // for being related to another candidate
	Gate     Gate // "" when it is in
}

// Relation says that a candidate bears on an open commitment. Both go before
// everything unrelated, or five loud strangers would hide the one thing that
// matters.
type Relation struct {
	A, B  ID
	Bonus PPM
}

// Assembly is the world state at one moment: what enters the reasoning context,
// in order, and everything that does not, with its gate.
type Assembly struct {
	AsOf    Millis
	Over    OverRule // by which what is over was left out
	Items   []Item
	LeftOut []Item
}

// Salience is the candidate's score at now, and whether it has expired.
// A moment before its age begins counts as that moment.
func (r WorldRules) Salience(c Candidate, now Millis) (PPM, bool) {
	if c.isOver(now) {
		return 0, true
	}
	switch c.Kind {
	case ItemSignal, ItemMessage:
		// Doubling before decaying lets a strong signal stay at 1 for a while.
		return min(One, Decay(2*c.Energy, now.Sub(c.Since()), r.SignalHalfLife)), false
	case ItemContext, ItemQuestion:
		return Decay(c.Energy, now.Sub(c.Since()), r.SignalHalfLife), false
	}
	switch c.Phase {
	case PhasePending:
		return Decay(One, c.Moment.Sub(now), r.DueHalfLife), false
	case PhaseDone:
		since := now.Sub(c.Moment)
		return Decay(One, since, r.DueHalfLife), since > r.FiredFor
	default:
		return r.OpenTask, false
	}
}

// Assemble scores the candidates at now and fills the slots: related pairs
// first, then the most salient, the newest first on ties. The order of the
// arguments does not matter.
func (r WorldRules) Assemble(candidates []Candidate, relations []Relation, now Millis) Assembly {
	out := Assembly{AsOf: now, Over: r.Over}
	scored := make([]Item, 0, len(candidates))
	for _, c := range candidates {
		item := Item{Candidate: c}
		var expired bool
		item.Salience, expired = r.Salience(c, now)
		switch {
		case c.isOver(now):
			item.Gate = GateOver
		case expired:
			item.Gate = GateExpired
		case item.Salience < r.Threshold:
			item.Gate = GateBelowThreshold
		}
		scored = append(scored, item)
	}
	applyRelations(scored, relations)
	slices.SortFunc(scored, func(a, b Item) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)),
			cmp.Compare(b.Salience+b.Bonus, a.Salience+a.Bonus),
			cmp.Compare(b.Position, a.Position),
			// One envelope may give more than one candidate.
			cmp.Compare(a.Kind, b.Kind),
			bytes.Compare(a.EnvelopeID[:], b.EnvelopeID[:]),
		)
	})
	for _, item := range scored {
		if item.Gate == "" && len(out.Items) == r.Slots {
			item.Gate = GateNotInFive
		}
		if item.Gate == "" {
			out.Items = append(out.Items, item)
		} else {
			out.LeftOut = append(out.LeftOut, item)
		}
	}
	return out
}

// applyRelations gives each member of a pair the largest bonus of its pairs.
// A pair counts only when both members are in: what has faded relates to nothing.
func applyRelations(items []Item, relations []Relation) {
	in := make(map[ID]*Item, len(items))
	for i := range items {
		if items[i].Gate == "" {
			in[items[i].EnvelopeID] = &items[i]
		}
	}
	for _, rel := range relations {
		a, b := in[rel.A], in[rel.B]
		if a == nil || b == nil || a == b {
			continue
		}
		a.Bonus, b.Bonus = max(a.Bonus, rel.Bonus), max(b.Bonus, rel.Bonus)
	}
}

func rank(i Item) int {
	switch {
	case i.Gate != "":
		return 2
	case i.Bonus > 0:
		return 0
	default:
		return 1
	}
}

// World is the fold of everything that may matter, with the rules that it goes by.
type World struct {
	Rules     WorldRules  `json:"-"` // by Settings
	Settings  Settings    `json:"settings,omitzero"`
	Through   Position    `json:"position"`           // of the last record folded
	Signals   []Heard     `json:"signals"`            // oldest first, at most Rules.Capacity
	Dropped   []Heard     `json:"dropped"`            // pushed out by newer ones, oldest first, as many again
	Messages  []Heard     `json:"messages,omitempty"` // of programs, oldest first, at most MaxMessages; in mind by a rule that has them
	Plans     Commitments `json:"plans"`              // commitments
	Interests Interests   `json:"interests"`          // what else news may bear on
	Setbacks  Setbacks    `json:"setbacks"`           // of the writer's clock, by which all of it ages
	Glance    Glance      `json:"glance,omitzero"`    // what the person has seen, by which what is over leaves
	Found     ID          `json:"found,omitzero"`     // the last relations.found
}

// MaxMessages is how many messages of programs are remembered, the latest.
const MaxMessages = 20

// MessageEnergy is the energy of the signal that a message of a program weighs as much as.
const MessageEnergy = 7 * One / 10

// Heard is a signal or a message of a program, with what its score needs.
type Heard struct {
	EnvelopeID ID       `json:"id"`
	Position   Position `json:"pos"`
	RecordedAt Millis   `json:"at"`
	Ahead      Millis   `json:"ahead,omitempty"` // as Candidate's
	Energy     PPM      `json:"energy"`
	Found      uint64   `json:"found,omitempty"` // a hash of what relates it to plans, as that was last recorded; 0 for nothing
}

// Rests reports whether the world refers to an envelope that was heard or found, of which some may
// be pushed out.
func (w *World) Rests(id ID) bool {
	is := func(h Heard) bool { return h.EnvelopeID == id }
	return w.Found == id || slices.ContainsFunc(w.Signals, is) || slices.ContainsFunc(w.Dropped, is) || slices.ContainsFunc(w.Messages, is)
}

// NewWorld is an empty world.
func NewWorld() World {
	return World{Rules: DefaultWorldRules(), Signals: []Heard{}, Dropped: []Heard{}}
}

// UnmarshalJSON reads a stored world, which goes by the settings of its time.
func (w *World) UnmarshalJSON(text []byte) error {
	type stored World
	if err := json.Unmarshal(text, (*stored)(w)); err != nil {
		return err
	}
	if len(w.Settings.Values) > 0 || w.Rules == (WorldRules{}) {
		w.rule()
	}
	w.Rules.Over = w.Glance.Over
	return nil
}

// rule has the rules be those that are set, with the build's own.
func (w *World) rule() {
	w.Rules = w.Settings.Params().World
	w.Rules.Over = w.Glance.Over
}

// Evolve folds one record. A signal whose payload is erased has no weight left
// and is passed over; an energy outside 0…1, which only a foreign writer can
// have stored, counts as the nearer end. The error is CodeUndecodable.
func (w *World) Evolve(rec Record) error {
	if err := w.evolve(rec); err != nil {
		return err
	}
	if err := w.Glance.evolve(rec, w.knows); err != nil {
		return err
	}
	w.Rules.Over = w.Glance.Over
	w.Interests.Evolve(rec)
	w.Setbacks.Evolve(&rec)
	w.Through = rec.Position
	return nil
}

func (w *World) evolve(rec Record) error {
	switch rec.Envelope.Type {
	case SignalReceivedType:
	case MessageReceivedType:
		return w.evolveMessage(rec)
	case RelationsFoundType:
		return w.evolveFound(rec)
	case SettingsChangedType:
		if err := w.Settings.Evolve(rec); err != nil {
			return err
		}
		w.rule()
		w.fit()
		return nil
	default:
		return w.Plans.Evolve(rec)
	}
	energy, err := energyOf(rec.Envelope)
	if CodeOf(err) == CodeErased {
		return nil
	}
	if err != nil {
		return err
	}
	w.Signals = append(w.Signals, Heard{EnvelopeID: rec.Envelope.ID, Position: rec.Position, RecordedAt: rec.RecordedAt, Ahead: rec.Ahead,
		Energy: PPMOf(min(max(energy, 0), 1))})
	w.fit()
	return nil
}

// evolveMessage remembers a program's message to the person. One whose payload is erased is passed over.
func (w *World) evolveMessage(rec Record) error {
	_, theirs, err := MessageOfProgram(rec.Envelope)
	if err != nil || !theirs {
		return err
	}
	w.Messages = append(w.Messages, Heard{EnvelopeID: rec.Envelope.ID, Position: rec.Position, RecordedAt: rec.RecordedAt, Ahead: rec.Ahead, Energy: MessageEnergy})
	w.Messages = w.Messages[max(0, len(w.Messages)-MaxMessages):]
	return nil
}

// knows reports whether a plan or a message is remembered.
func (w *World) knows(id ID) bool {
	if _, there := w.Plans.Find(id); there {
		return true
	}
	return slices.ContainsFunc(w.Messages, func(m Heard) bool { return m.EnvelopeID == id })
}

// fit pushes out what is over the capacity. What was pushed out doesn't come back when
// there is more room.
func (w *World) fit() {
	// Cutting the front off instead of moving the rest up: append moves it now and then,
	// when it has to make room anyway.
	if over := len(w.Signals) - w.Rules.Capacity; over > 0 {
		w.Dropped = append(w.Dropped, w.Signals[:over]...)
		w.Signals = w.Signals[over:]
	}
	if over := len(w.Dropped) - w.Rules.Capacity; over > 0 {
		w.Dropped = w.Dropped[over:]
	}
}

// Candidates are all that compete for the reasoning context at now. What was pushed
// out does not, nor do interests, which come in with what bears on them.
func (w *World) Candidates(now Millis) []Candidate {
	return slices.Concat(w.aged(w.Signals, ItemSignal, now), w.messages(now), w.Plans.Candidates(w.Rules, &w.Setbacks, &w.Glance, now))
}

// messages are those of programs as candidates, by a rule that has them.
func (w *World) messages(now Millis) []Candidate {
	if !w.Rules.Over.HasMessages() {
		return nil
	}
	out := w.aged(w.Messages, ItemMessage, now)
	for i, c := range out {
		if w.Glance.knew(c.EnvelopeID, c.Position) {
			out[i].Over = now
		}
	}
	return out
}

// aged is what was heard as candidates whose ages begin where they do at now.
func (w *World) aged(in []Heard, kind ItemKind, now Millis) []Candidate {
	out := make([]Candidate, len(in))
	for i, s := range in {
		out[i] = Candidate{
			Kind: kind, EnvelopeID: s.EnvelopeID, Position: s.Position, RecordedAt: s.RecordedAt,
			Ahead: s.RecordedAt - w.Setbacks.Since(s.Position, s.RecordedAt-s.Ahead, now), Energy: s.Energy,
		}
	}
	return out
}

// Clone is a copy that shares nothing with the original.
func (w *World) Clone() World {
	out := *w
	out.Signals, out.Dropped, out.Messages = slices.Clone(w.Signals), slices.Clone(w.Dropped), slices.Clone(w.Messages)
	out.Plans, out.Interests, out.Setbacks, out.Glance = w.Plans.Clone(), w.Interests.Clone(), w.Setbacks.Clone(), w.Glance.clone()
	return out
}

// Assemble is the world state at now, with what is known of how its candidates
// bear on one another. Signals pushed out for capacity are left out last, the
// newest first.
func (w *World) Assemble(relations []Relation, now Millis) Assembly {
	all := w.Candidates(now)
	for _, c := range w.Interests.Candidates(&w.Setbacks, now) {
		if slices.ContainsFunc(relations, func(r Relation) bool { return r.B == c.EnvelopeID }) {
			all = append(all, c)
		}
	}
	out := w.Rules.Assemble(all, relations, now)
	for _, c := range slices.Backward(w.aged(w.Dropped, ItemSignal, now)) {
		salience, _ := w.Rules.Salience(c, now)
		out.LeftOut = append(out.LeftOut, Item{Candidate: c, Salience: salience, Gate: GateOverCapacity})
	}
	return out
}

// turnWithin bounds how far ahead Turns looks: what stays that long in mind stays.
const turnWithin = 10 * 365 * 24 * time.Hour

// Ahead is what a candidate weighs at a later moment, and whether it has expired by
// then, when nothing else happens than what is planned: a reminder is told when it is
// due, an appointment begins, and a task is left as it is.
func (r WorldRules) Ahead(c Candidate, at Millis) (PPM, bool) {
	if c.Kind.IsTold() && c.Phase == PhasePending && at >= c.Moment {
		c.Phase = PhaseDone
	}
	return r.Salience(c, at)
}

// Turns is the first moment after now at which a candidate falls out of mind by
// itself, or, when it is out, comes into it; false when neither is to be expected.
// That others may matter more doesn't count.
func (r WorldRules) Turns(c Candidate, now Millis) (Millis, bool) {
	in := func(at Millis) bool {
		salience, expired := r.Ahead(c, at)
		return !expired && salience >= r.Threshold
	}
	was, end := in(now), now.Add(turnWithin)
	if !was { // then only what is planned for later comes to mind
		end = max(now, c.Moment)
	}
	if in(end) == was {
		return 0, false
	}
	for end-now > 1 { // it turns between the two
		if middle := now + (end-now)/2; in(middle) == was {
			now = middle
		} else {
			end = middle
		}
	}
	return end, true
}
