package domain

import (
	"cmp"
	"maps"
	"slices"
)

// Standing is the progress of a commitment.
type Standing string

// The standings.
const (
	StandingOpen    Standing = "open"    // it waits for its time, or to be done
	StandingTold    Standing = "told"    // a reminder that doesn't come back was told
	StandingPassed  Standing = "passed"  // an appointment that doesn't come back is over
	StandingDone    Standing = "done"    // said to be done
	StandingDropped Standing = "dropped" // cancelled or dropped
)

// Commitment is a plan of any kind, by reference: its words and its time are in
// the envelopes that made and changed it.
type Commitment struct {
	ID         ID       `json:"id"`
	Kind       ItemKind `json:"kind"` // reminder, appointment or task
	Position   Position `json:"position"`
	RecordedAt Millis   `json:"recorded_at"` // when it was made
	Standing   Standing `json:"standing"`
	Due        Millis   `json:"due"`              // of a reminder the next time, or the last when it was told; an appointment's start; a task's deadline; 0 without
	Waiting    bool     `json:"waiting"`          // Due is still to be told, or an appointment isn't over
	End        Millis   `json:"end,omitzero"`     // of an appointment
	AllDay     bool     `json:"all_day,omitzero"` // of an appointment
	Tell       Millis   `json:"tell,omitzero"`    // when an appointment is still to be told; 0 otherwise
	Timing     ID       `json:"timing"`           // the envelope with its time
	TextID     ID       `json:"text_id"`          // the envelope with its words
	Recurs     bool     `json:"recurs"`
	Told       Millis   `json:"told"`    // when it was last told, by the writer's clock; 0 for never
	ToldBy     Position `json:"told_by"` // the record of that
	Ended      Millis   `json:"ended"`   // when it left StandingOpen, likewise; 0 before
	EndedBy    Position `json:"ended_by"`
	Percent    int      `json:"percent"` // of a task
}

// MaxEndedCommitments is how many commitments are remembered that are not open any
// more; the one that ended first goes first.
const MaxEndedCommitments = 100

// Commitments is the fold of plans of every kind. The zero value has none.
type Commitments struct {
	Through Position          `json:"through"` // of the last record that changed something
	Open    map[ID]Commitment `json:"open"`
	Ended   []Commitment      `json:"ended"` // oldest first
}

// Find is a commitment that is open, or ended lately.
func (c *Commitments) Find(id ID) (Commitment, bool) {
	if one, ok := c.Open[id]; ok {
		return one, true
	}
	i := slices.IndexFunc(c.Ended, func(x Commitment) bool { return x.ID == id })
	if i < 0 {
		return Commitment{}, false
	}
	return c.Ended[i], true
}

// Evolve folds one record. What was made with a payload that is erased is passed
// over: nothing is left to tell. An erased change of time leaves a plan without
// one. The error is CodeUndecodable, and then nothing has changed.
func (c *Commitments) Evolve(rec Record) error {
	e := rec.Envelope
	if !IsCommitment(e.Type) {
		return nil
	}
	one, err := c.changed(rec)
	if err != nil {
		return err
	}
	c.Through = rec.Position
	if one.ID.IsZero() {
		return nil
	}
	c.put(one)
	return nil
}

// changed is the commitment as the record leaves it; the zero one when it says
// nothing of one that is known.
func (c *Commitments) changed(rec Record) (Commitment, error) {
	e := rec.Envelope
	cell := Events().plans[e.Type]
	if cell.verb == PlanMade {
		return begun(cell.kind.Kind, rec)
	}
	id, _ := PlanOf(e)
	one, ok := c.Find(id)
	if !ok {
		return Commitment{}, nil
	}
	switch cell.verb {
	case PlanChanged:
		return one.moved(e)
	case PlanProgressed:
		return one.afterProgress(e)
	case PlanDone:
		one.end(StandingDone, rec)
	case PlanDropped:
		one.end(StandingDropped, rec)
	case PlanPassed:
		return one.afterPassing(rec)
	default:
		return one.afterDue(rec)
	}
	return one, nil
}

func begun(kind ItemKind, rec Record) (Commitment, error) {
	e := rec.Envelope
	said, err := SaidOf(e)
	if CodeOf(err) == CodeErased {
		return Commitment{}, nil
	}
	one := Commitment{ID: e.ID, Kind: kind, Position: rec.Position, RecordedAt: rec.RecordedAt, Standing: StandingOpen, TextID: e.ID}
	one.at(e.ID, said.Time)
	return one, err
}

// moved gives a commitment another time, and perhaps other words. That opens it
// again.
func (c Commitment) moved(e Envelope) (Commitment, error) {
	var said Plan
	words, err := said.Evolve(e)
	c.Standing, c.Ended, c.EndedBy = StandingOpen, 0, 0
	c.at(e.ID, said.Time)
	if words {
		c.TextID = e.ID
	}
	return c, unlessErased(err)
}

// at gives a commitment the time that an envelope says.
func (c *Commitment) at(by ID, a Appointment) {
	c.Timing, c.Due, c.End, c.AllDay, c.Tell, c.Recurs = by, a.Start, a.End, a.AllDay, a.Tell, a.Recurrence != nil
	c.Waiting = c.Due != 0
}

func (c Commitment) afterProgress(e Envelope) (Commitment, error) {
	said := Plan{Percent: c.Percent}
	_, err := said.Evolve(e)
	c.Percent = said.Percent
	return c, unlessErased(err)
}

// afterPassing is one that is over: it has ended, or waits for its next time.
func (c Commitment) afterPassing(rec Record) (Commitment, error) {
	var next Plan
	_, err := next.Evolve(rec.Envelope)
	if err = unlessErased(err); err != nil || c.Standing != StandingOpen {
		return c, err
	}
	if next.Time.Start == 0 {
		c.end(StandingPassed, rec)
		return c, nil
	}
	c.Due, c.End, c.Tell = next.Time.Start, next.Time.End, next.Time.Tell
	return c, nil
}

// afterDue is a commitment whose time has come. A reminder that comes back waits for
// its next time, any other has been told; a task stays open, and an appointment until it
// is over.
func (c Commitment) afterDue(rec Record) (Commitment, error) {
	p, err := Decode[TimerDue](rec.Envelope)
	if err != nil && CodeOf(err) != CodeErased {
		return c, err
	}
	if c.Standing != StandingOpen {
		return c, nil
	}
	c.Told, c.ToldBy = rec.Clock(), rec.Position
	switch ends := c.Kind.Plan().Ends; {
	case ends == EndsWhenOver:
		c.Tell = 0
	case p.Next != 0:
		c.Due = p.Next
	case ends == EndsWhenTold:
		c.end(StandingTold, rec)
	default:
		c.Waiting = false
	}
	return c, nil
}

func (c *Commitment) end(how Standing, rec Record) {
	c.Standing, c.Ended, c.EndedBy, c.Waiting = how, rec.Clock(), rec.Position, false
}

// HasEnded reports whether it isn't open any more, and wasn't only told.
func (c Commitment) HasEnded() bool { return c.Standing != StandingOpen && c.Standing != StandingTold }

// fades is when what takes place begins to fade from mind: when it begins, or when it is over
// if it lasts all day.
func (c Commitment) fades() Millis {
	if c.AllDay {
		return c.End
	}
	return c.Due
}

// Tells is when a commitment is to be told next; 0 for never.
func (c Commitment) Tells() Millis {
	switch {
	case !c.Waiting:
		return 0
	case c.Kind.TakesPlace():
		return c.Tell
	}
	return c.Due
}

// Wakes is when something is to be done about a commitment of itself: when it is told, or,
// of what takes place and was told or isn't, when it is over. 0 for never.
func (c Commitment) Wakes() Millis {
	if c.Waiting && c.Kind.TakesPlace() && c.Tell == 0 {
		return c.End
	}
	return c.Tells()
}

// put keeps a commitment where its standing says.
func (c *Commitments) put(one Commitment) {
	delete(c.Open, one.ID)
	c.Ended = slices.DeleteFunc(c.Ended, func(x Commitment) bool { return x.ID == one.ID })
	if one.Standing == StandingOpen {
		if c.Open == nil {
			c.Open = map[ID]Commitment{}
		}
		c.Open[one.ID] = one
		return
	}
	c.Ended = append(c.Ended, one)
	if extra := len(c.Ended) - MaxEndedCommitments; extra > 0 {
		c.Ended = slices.Delete(c.Ended, 0, extra)
	}
}

// Clone is a copy that shares nothing with the original.
func (c *Commitments) Clone() Commitments {
	return Commitments{Through: c.Through, Open: maps.Clone(c.Open), Ended: slices.Clone(c.Ended)}
}

// List is the open commitments: those with a time first, the nearest before the
// others, and the one that was made first before those without.
func (c *Commitments) List() []Commitment {
	out := make([]Commitment, 0, len(c.Open))
	for _, one := range c.Open {
		out = append(out, one)
	}
	slices.SortFunc(out, Commitment.compare)
	return out
}

// compare orders commitments by when they are due, those without a time last.
func (c Commitment) compare(o Commitment) int {
	return cmp.Or(-cmp.Compare(min(c.Due, 1), min(o.Due, 1)), cmp.Compare(c.Due, o.Due), cmp.Compare(c.Position, o.Position))
}

// Candidates are the commitments that compete for the reasoning context at a
// moment: all that are open, and those that were told, done or over lately. What was
// dropped or cancelled is out at once, and what is over by the rules has when it was over. What
// was told or done at a moment that lies ahead has been since the setbacks say. The order is no
// matter.
func (c *Commitments) Candidates(rules WorldRules, setbacks *Setbacks, glance *Glance, now Millis) []Candidate {
	out := make([]Candidate, 0, len(c.Open)+len(c.Ended))
	for _, one := range c.Open {
		out = append(out, one.candidate(rules, setbacks, glance, now))
	}
	for _, one := range c.Ended {
		if one.Standing != StandingDropped {
			out = append(out, one.candidate(rules, setbacks, glance, now))
		}
	}
	return out
}

func (c Commitment) candidate(rules WorldRules, setbacks *Setbacks, glance *Glance, now Millis) Candidate {
	out := Candidate{Kind: c.Kind, EnvelopeID: c.ID, TextID: c.TextID, Position: c.Position, RecordedAt: c.RecordedAt, Phase: PhaseOpen}
	if c.TextID == c.ID {
		out.TextID = ID{}
	}
	leaves := rules.Over.IsOut()
	if leaves && c.Kind.TakesPlace() {
		out.Over = c.End
	}
	switch {
	case c.Kind.TakesPlace() && c.Due != 0 && c.fades() <= now:
		// Whenever it is noticed that it is over.
		out.Phase, out.Moment = PhaseDone, c.fades()
		return out
	case c.Ended != 0:
		out.Phase, out.Moment = PhaseDone, setbacks.Since(c.EndedBy, c.Ended, now)
		if leaves && (c.Standing != StandingTold || glance.saw(c.ID, c.EndedBy)) {
			out.Over = min(out.Moment, now)
		}
		return out
	case c.Due == 0:
		return out
	}
	out.Phase, out.Moment = PhasePending, c.Due
	if !c.Recurs || c.Told == 0 || leaves && (c.Kind.TakesPlace() || glance.saw(c.ID, c.ToldBy)) {
		return out
	}
	// One that comes back is in mind for the nearer of the time it was told and the
	// time it will be.
	told := out
	told.Phase, told.Moment = PhaseDone, setbacks.Since(c.ToldBy, c.Told, now)
	before, _ := rules.Salience(out, now)
	if after, expired := rules.Salience(told, now); !expired && after > before {
		return told
	}
	return out
}
