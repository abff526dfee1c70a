package domain

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// PlanVerb is something that happens to a plan.
type PlanVerb string

// The verbs. What opens a plan again is a change of it.
const (
	PlanMade       PlanVerb = "made"
	PlanChanged    PlanVerb = "changed"    // has another time, place, people or words
	PlanProgressed PlanVerb = "progressed" // has come further
	PlanDone       PlanVerb = "done"
	PlanDropped    PlanVerb = "dropped" // isn't wanted any more
	PlanPassed     PlanVerb = "passed"  // its time is over
)

// PlanEnd is what the time of a plan does to it.
type PlanEnd int

// The ends.
const (
	EndsWhenTold PlanEnd = iota // it is told when its time comes, which ends it unless it comes back
	EndsByPerson                // it is told when its time comes, and stays until its person ends it
	EndsWhenOver                // it takes place from its time on, is told before, and is over at its end
)

// PlanKind is one kind of plan, whole: a reminder, an appointment, a task. All that is common to
// plans is decided, folded, told, explained and taken back by its row.
type PlanKind struct {
	Kind ItemKind
	Ends PlanEnd
	// Followed kinds are shown as they go: a client has a frame of each change, and the person's
	// spine a signal.
	Followed bool
	Verbs    map[PlanVerb]PlanEvent // what may happen to one, and how that is stored
}

// PlanEvent is how a verb of a kind is stored.
type PlanEvent struct {
	Type    EventType
	Version uint16
	Action  string // which asks for it, of the skill that has the kind's name; "" of what isn't asked for so

	shape reflect.Type
	of    func(Commitment, Plan) any
}

// NewPlanEvent is a cell of the table: of makes the payload, from the plan that it happens to (of
// what is made only the kind) and what is said of it.
func NewPlanEvent[P any](t EventType, version uint16, action string, of func(Commitment, Plan) P) PlanEvent {
	return PlanEvent{t, version, action, reflect.TypeFor[P](), func(c Commitment, p Plan) any { return of(c, p) }}
}

// PlanKinds are the kinds of plans: which event each verb of each makes.
func PlanKinds() []PlanKind {
	return []PlanKind{
		{Kind: ItemReminder, Ends: EndsWhenTold, Verbs: map[PlanVerb]PlanEvent{
			PlanMade: NewPlanEvent(ReminderSetType, 2, "", func(_ Commitment, p Plan) ReminderSet {
				return ReminderSet{p.Text, p.Time.Start, p.Time.Zone, p.Time.Recurrence}
			}),
			PlanChanged: NewPlanEvent(ReminderChangedType, 2, "move", func(c Commitment, p Plan) ReminderChanged {
				return ReminderChanged{c.ID, p.words(), p.Time.Start, p.Time.Zone, p.Time.Recurrence}
			}),
			PlanDone: NewPlanEvent(ReminderDoneType, 1, "done", func(c Commitment, _ Plan) ReminderDone {
				return ReminderDone{c.ID}
			}),
			PlanDropped: NewPlanEvent(ReminderCancelledType, 1, "cancel", func(c Commitment, _ Plan) ReminderCancelled {
				return ReminderCancelled{c.ID}
			}),
		}},
		{Kind: ItemAppointment, Ends: EndsWhenOver, Verbs: map[PlanVerb]PlanEvent{
			PlanMade: NewPlanEvent(AppointmentSetType, 1, "", func(_ Commitment, p Plan) AppointmentSet {
				return p.Time.Set(p.Text)
			}),
			PlanChanged: NewPlanEvent(AppointmentChangedType, 1, "move", func(c Commitment, p Plan) AppointmentChanged {
				return p.Time.Changed(c.ID, p.words())
			}),
			PlanPassed: NewPlanEvent(AppointmentPassedType, 1, "", func(c Commitment, next Plan) AppointmentPassed {
				return AppointmentPassed{c.ID, c.Due, next.Time.Start, next.Time.End, next.Time.Tell}
			}),
			PlanDropped: NewPlanEvent(AppointmentCancelledType, 1, "cancel", func(c Commitment, _ Plan) AppointmentCancelled {
				return AppointmentCancelled{c.ID}
			}),
		}},
		{Kind: ItemTask, Ends: EndsByPerson, Followed: true, Verbs: map[PlanVerb]PlanEvent{
			PlanMade: NewPlanEvent(TaskCreatedType, 1, "", func(_ Commitment, p Plan) TaskCreated {
				return TaskCreated{p.Text, p.Time.Start, p.Time.Zone}
			}),
			PlanChanged: NewPlanEvent(TaskChangedType, 1, "move", func(c Commitment, p Plan) TaskChanged {
				return TaskChanged{c.ID, p.words(), p.Time.Start, p.Time.Zone}
			}),
			PlanProgressed: NewPlanEvent(TaskProgressedType, 1, "progress", func(c Commitment, p Plan) TaskProgressed {
				return TaskProgressed{c.ID, p.Percent, p.Note}
			}),
			PlanDone: NewPlanEvent(TaskCompletedType, 1, "complete", func(c Commitment, _ Plan) TaskCompleted {
				return TaskCompleted{c.ID}
			}),
			PlanDropped: NewPlanEvent(TaskDroppedType, 1, "drop", func(c Commitment, _ Plan) TaskDropped {
				return TaskDropped{c.ID}
			}),
		}},
	}
}

// planCell is a cell of the table, with its row and its column.
type planCell struct {
	PlanEvent
	kind PlanKind
	verb PlanVerb
}

// VerbOf is what events of a type say of a plan, and of which kind it is; false of other events.
func VerbOf(t EventType) (PlanVerb, ItemKind, bool) {
	cell, ok := Events().plans[t]
	return cell.verb, cell.kind.Kind, ok
}

// TypesOf are the types by which a verb is stored, in the order of the kinds.
func TypesOf(verb PlanVerb) []EventType {
	var out []EventType
	for _, kind := range Events().Kinds() {
		if event, ok := kind.Verbs[verb]; ok {
			out = append(out, event.Type)
		}
	}
	return out
}

// MakesCommitment reports whether records of a type begin a commitment.
func MakesCommitment(t EventType) bool { return Events().plans[t].verb == PlanMade }

// IsCommitment reports whether records of a type change commitments.
func IsCommitment(t EventType) bool {
	_, ok := Events().plans[t]
	return ok || t == TimerDueType
}

// Plan is what was said of a plan, whatever its kind. What its kind has none of is zero.
type Plan struct {
	Text    string
	Time    Appointment
	Percent int    // how far it has come
	Note    string // what was done for that
}

// PlanSaying is a payload that says something of a plan.
type PlanSaying interface {
	// Says gives it to a plan, and reports whether it has words for it; without them the words
	// that it has stay.
	Says(p *Plan) (words bool)
}

// Evolve folds what an envelope says, and reports whether that has words. Envelopes that say nothing
// of a plan pass it by. The errors are Decode's, and then nothing has changed.
func (p *Plan) Evolve(e Envelope) (words bool, err error) {
	_, words, err = p.evolve(e)
	return words, err
}

// evolve is Evolve, which also returns the payload.
func (p *Plan) evolve(e Envelope) (payload any, words bool, err error) {
	cell, ok := Events().plans[e.Type]
	if !ok {
		return nil, false, nil
	}
	into := reflect.New(cell.shape)
	if err := decodeInto(e, into.Interface(), cell.shape); err != nil {
		return nil, false, err
	}
	payload = into.Elem().Interface()
	if says, ok := payload.(PlanSaying); ok {
		words = says.Says(p)
	}
	return payload, words, nil
}

// PlanNews is what one event says of a plan.
type PlanNews struct {
	ID   ID // none of what is made
	Plan    // only what is said
}

// NewsOf reads it. The errors are Decode's; of another type of envelope it is zero.
func NewsOf(e Envelope) (PlanNews, error) {
	var out PlanNews
	payload, _, err := out.evolve(e)
	out.ID, _ = PlanOf(Envelope{Keys: keysOf(payload)})
	return out, err
}

// keysOf are the keys of a payload's envelope.
func keysOf(payload any) []Key {
	if keyed, ok := payload.(interface{ Keys() []Key }); ok {
		return keyed.Keys()
	}
	return nil
}

// saidAs gives it other words, unless they stay.
func (p *Plan) saidAs(text *string) bool {
	if text != nil {
		p.Text = *text
	}
	return text != nil
}

// words are those of a change; nil when they stay.
func (p Plan) words() *string {
	if p.Text == "" {
		return nil
	}
	return &p.Text
}

// SaidOf is what an envelope says of a plan that it made or changed. The errors are Decode's; of
// another type of envelope CodeUndecodable.
func SaidOf(e Envelope) (Plan, error) {
	var p Plan
	if verb := Events().plans[e.Type].verb; verb != PlanMade && verb != PlanChanged {
		if _, err := e.Payload.JSON(); err != nil {
			return p, err
		}
		return p, undecodable(e, "it says of no plan what it is", nil)
	}
	_, err := p.Evolve(e)
	return p, err
}

// Timing is the time at which a reminder or task is due, or an appointment begins, as it was
// said.
type Timing struct {
	Due        Millis
	Zone       string
	Recurrence *Recurrence
}

// TimingOf reads it from an envelope that set or changed it. The errors are SaidOf's.
func TimingOf(e Envelope) (Timing, error) {
	p, err := SaidOf(e)
	return p.Time.Timing(), err
}

// PlanText is what a plan, a memory or a message says, by an envelope that made it or changed
// its words; "" of one that doesn't. The errors are Decode's; of another type of envelope
// CodeUndecodable.
func PlanText(e Envelope) (string, error) {
	switch e.Type {
	case ListCreatedType:
		p, err := Decode[ListCreated](e)
		return p.Name, err
	case ListItemAddedType:
		p, err := Decode[ListItemAdded](e)
		return p.Text, err
	case MemoryRememberedType:
		p, err := Decode[MemoryRemembered](e)
		return p.Text, err
	case MessageReceivedType:
		p, err := Decode[MessageReceived](e)
		return p.Text, err
	}
	p, err := SaidOf(e)
	return p.Text, err
}

// PlanWords is PlanText with where and with whom something takes place: what signals are
// held against. The errors are those of PlanText.
func PlanWords(e Envelope) (string, error) {
	text, err := PlanText(e)
	if _, _, isPlan := VerbOf(e.Type); err != nil || text == "" || !isPlan {
		return text, err
	}
	said, err := SaidOf(e)
	return text + said.Time.PlaceAndPeople(text), err
}

// PlanEffect is what a decision about a plan appends: a payload, and the keys of its envelope.
type PlanEffect struct {
	Payload any
	Keys    []Key
}

// Effect is what is stored when something happens to a plan; of what is made, to the zero
// Commitment of its kind. It checks nothing, so it is also for what stood once and is to be
// so again. The error is a validation error: nothing such happens to plans of that kind.
func (c Commitment) Effect(verb PlanVerb, said Plan) (PlanEffect, error) {
	event, ok := c.Kind.Plan().Verbs[verb]
	if !ok {
		return PlanEffect{}, Invalid("change plan", "action", fmt.Sprintf("a %s can't be %s", c.Kind, verb))
	}
	payload := event.of(c, said)
	return PlanEffect{payload, keysOf(payload)}, nil
}

// Decide is Effect, when it may happen now and what is said can be kept. What it rests on is that
// nothing with the plan's key has happened meanwhile. Errors: conflict, CodePlanEnded; validation, of
// what is said.
func (c Commitment) Decide(verb PlanVerb, said Plan) (PlanEffect, error) {
	const op = "change plan"
	if verb != PlanMade && !c.Allows(verb) {
		return PlanEffect{}, &Error{Op: op, Category: Conflict, Code: CodePlanEnded,
			Message: fmt.Sprintf("the %s isn't open any more, so it can't be %s", c.Kind, verb)}
	}
	out, err := c.Effect(verb, said)
	if err != nil {
		return PlanEffect{}, err
	}
	if verb == PlanChanged && said.Text != "" {
		err = checkPlanText(op, "what", said.Text)
	}
	if checked, ok := out.Payload.(interface{ Check() error }); ok && err == nil {
		err = checked.Check()
	}
	if err != nil {
		return PlanEffect{}, err
	}
	return out, nil
}

// CodePlanEnded says that a plan isn't open any more.
const CodePlanEnded = "plan_ended"

// Allows reports whether something may happen to a plan that was made, as it stands. A change opens
// what has ended.
func (c Commitment) Allows(verb PlanVerb) bool {
	switch verb {
	case PlanMade:
		return false
	case PlanChanged:
		return true
	case PlanDone, PlanDropped:
		return !c.HasEnded()
	}
	return c.Standing == StandingOpen
}

// Plans is the fold of all plans.
type Plans struct {
	Commitments Commitments `json:"commitments"`
	Lists       Lists       `json:"lists"`
}

// Evolve folds one record. The error is CodeUndecodable.
func (p *Plans) Evolve(rec Record) error {
	p.Lists.Evolve(rec)
	return p.Commitments.Evolve(rec)
}

// MaxPlanBytes bounds the text of a plan or memory: a reminder, an
// appointment, a task, an entry or the name of a list, a memory.
const MaxPlanBytes = 4 << 10

const (
	planPrefix = "plan/"
	duePrefix  = "due/"
)

// PlanKey is carried by everything that happens to a plan (a reminder, an
// appointment, a task, a list, an entry of one, a memory) after it was made, so that what is decided
// about it can rest on nothing having happened meanwhile.
func PlanKey(id ID) Key { return planPrefix + Key(id.String()) }

// PlanOf is the plan that an envelope says something new of, by its keys: it needs
// no payload. False when it belongs to none.
func PlanOf(e Envelope) (ID, bool) {
	for _, key := range e.Keys {
		if text, ok := strings.CutPrefix(string(key), planPrefix); ok {
			if id, err := ParseID(text); err == nil {
				return id, true
			}
		}
	}
	return ID{}, false
}

// DueKey is carried by the timer.due of a plan's due time, so that each due time
// is told once.
func DueKey(plan ID, due Millis) Key {
	return duePrefix + Key(plan.String()) + "/" + Key(strconv.FormatInt(int64(due), 10))
}

// checkPlanText returns a validation error about a text that is required.
func checkPlanText(op, field, text string) error {
	switch {
	case isBlank(text):
		return Invalid(op, field, field+" is required: say what it is")
	case len(text) > MaxPlanBytes:
		return tooLong(op, field, len(text), MaxPlanBytes)
	case !utf8.ValidString(text):
		return Invalid(op, field, field+" is not valid UTF-8")
	}
	return nil
}
