package domain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

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

// PlanText is what a plan, a memory or a message says, by an envelope that made it or changed
// its words; "" of one that doesn't. The errors are Decode's; of another type of envelope
// CodeUndecodable.
func PlanText(e Envelope) (string, error) {
	switch e.Type {
	case ReminderSetType:
		p, err := Decode[ReminderSet](e)
		return p.Text, err
	case ReminderChangedType:
		p, err := Decode[ReminderChanged](e)
		return textOr(p.Text), err
	case AppointmentSetType:
		p, err := Decode[AppointmentSet](e)
		return p.Text, err
	case AppointmentChangedType:
		p, err := Decode[AppointmentChanged](e)
		return textOr(p.Text), err
	case TaskChangedType:
		p, err := Decode[TaskChanged](e)
		return textOr(p.Text), err
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
	p, err := Decode[TaskCreated](e)
	return p.Text, err
}

func textOr(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Timing is the time at which a reminder or task is due, or an appointment begins, as it was
// said.
type Timing struct {
	Due        Millis
	Zone       string
	Recurrence *Recurrence
}

// TimingOf reads it from an envelope that set or changed it. The errors are
// Decode's; of another type of envelope CodeUndecodable.
func TimingOf(e Envelope) (Timing, error) {
	switch e.Type {
	case ReminderSetType:
		p, err := Decode[ReminderSet](e)
		return Timing{p.Due, p.Zone, p.Recurrence}, err
	case ReminderChangedType:
		p, err := Decode[ReminderChanged](e)
		return Timing{p.Due, p.Zone, p.Recurrence}, err
	case AppointmentSetType, AppointmentChangedType:
		a, err := AppointmentOf(e)
		return Timing{a.Start, a.Zone, a.Recurrence}, err
	case TaskChangedType:
		p, err := Decode[TaskChanged](e)
		return Timing{Due: p.Deadline, Zone: p.Zone}, err
	}
	p, err := Decode[TaskCreated](e)
	return Timing{Due: p.Deadline, Zone: p.Zone}, err
}

// ReminderSet plans to tell the person something at a time. Its id is the
// reminder's.
type ReminderSet struct {
	Text       string      `json:"text"`
	Due        Millis      `json:"due"`        // the first time
	Zone       string      `json:"zone"`       // IANA name of where its times are read
	Recurrence *Recurrence `json:"recurrence"` // null for once
}

// Check returns a validation error that names the field.
func (r ReminderSet) Check() error { return checkPlanText("set reminder", "what", r.Text) }

// ReminderChanged moves a reminder to another time, or says it in other words. A
// text that is null stays; the time is always whole. One that was told already waits
// again.
type ReminderChanged struct {
	ReminderID ID          `json:"reminder_id"`
	Text       *string     `json:"text"`
	Due        Millis      `json:"due"`
	Zone       string      `json:"zone"`
	Recurrence *Recurrence `json:"recurrence"`
}

// ReminderDone says that the thing a reminder is about is done. It won't be told any
// more, and fades from mind like one that was.
type ReminderDone struct {
	ReminderID ID `json:"reminder_id"`
}

// ReminderCancelled says that a reminder is no longer wanted.
type ReminderCancelled struct {
	ReminderID ID `json:"reminder_id"`
}

// Keys go onto the event's envelope.
func (r ReminderChanged) Keys() []Key { return []Key{PlanKey(r.ReminderID)} }

// Keys go onto the event's envelope.
func (r ReminderDone) Keys() []Key { return []Key{PlanKey(r.ReminderID)} }

// Keys go onto the event's envelope.
func (r ReminderCancelled) Keys() []Key { return []Key{PlanKey(r.ReminderID)} }

// TimerDue says that a reminder or a task's deadline has fallen due, or that it is time to
// tell an appointment. It opens an episode, and its parent is the envelope that set the time.
type TimerDue struct {
	SubjectID ID       `json:"subject_id"` // the reminder, appointment or task
	Kind      ItemKind `json:"kind"`       // reminder, appointment or task
	Due       Millis   `json:"due"`        // the time that has come
	Next      Millis   `json:"next"`       // when it comes back; 0 when it doesn't, and of an appointment, which says so when it has passed
	Missed    int      `json:"missed"`     // due times after Due that passed too, and are not told
}

// Keys go onto the event's envelope.
func (t TimerDue) Keys() []Key { return []Key{DueKey(t.SubjectID, t.Due), PlanKey(t.SubjectID)} }

// Recurrence is how a reminder repeats. How long a minute or an hour is doesn't change;
// days and everything longer keep the time on the wall, whatever the clocks do. Package
// when reads one from words and finds its next moment.
type Recurrence struct {
	Rule   string   `json:"rule"`   // as RFC 5545 writes it after RRULE:, on the wall of the plan's zone
	Start  Millis   `json:"start"`  // the first moment, which the others are counted from
	Except []Millis `json:"except"` // moments that are left out
}

// TaskCreated is something to be done. Its id is the task's.
type TaskCreated struct {
	Text     string `json:"text"`
	Deadline Millis `json:"deadline"` // 0 without one
	Zone     string `json:"zone"`     // IANA name of where the deadline was read
}

// Check returns a validation error that names the field.
func (t TaskCreated) Check() error { return checkPlanText("create task", "what", t.Text) }

// TaskChanged gives a task another deadline or other words. A text that is null
// stays; the deadline is always whole.
type TaskChanged struct {
	TaskID   ID      `json:"task_id"`
	Text     *string `json:"text"`
	Deadline Millis  `json:"deadline"` // 0 without one
	Zone     string  `json:"zone"`
}

// TaskProgressed reports the progress of a task.
type TaskProgressed struct {
	TaskID  ID     `json:"task_id"`
	Percent int    `json:"percent"` // 0 to MaxProgress
	Note    string `json:"note"`    // what was done; may be empty
}

// MaxProgress is a task that only waits for being called complete.
const MaxProgress = 100

// Check returns a validation error that names the field.
func (t TaskProgressed) Check() error {
	const op = "note progress"
	if t.Percent < 0 || t.Percent > MaxProgress {
		return Invalid(op, "progress", fmt.Sprintf("progress is %d: give 0 to %d", t.Percent, MaxProgress))
	}
	if t.Note == "" {
		return nil
	}
	return checkPlanText(op, "note", t.Note)
}

// TaskCompleted says that a task is done.
type TaskCompleted struct {
	TaskID ID `json:"task_id"`
}

// TaskDropped says that the person gave a task up.
type TaskDropped struct {
	TaskID ID `json:"task_id"`
}

// Keys go onto the event's envelope.
func (t TaskChanged) Keys() []Key { return []Key{PlanKey(t.TaskID)} }

// Keys go onto the event's envelope.
func (t TaskProgressed) Keys() []Key { return []Key{PlanKey(t.TaskID)} }

// Keys go onto the event's envelope.
func (t TaskCompleted) Keys() []Key { return []Key{PlanKey(t.TaskID)} }

// Keys go onto the event's envelope.
func (t TaskDropped) Keys() []Key { return []Key{PlanKey(t.TaskID)} }

// ListCreated begins a list. Its id is the list's: entries refer to that, so that
// the name is in one envelope.
type ListCreated struct {
	Name string `json:"name"`
}

// Check returns a validation error that names the field.
func (l ListCreated) Check() error { return checkPlanText("create list", "list", l.Name) }

// ListItemAdded puts an entry on a list. Its id is the entry's.
type ListItemAdded struct {
	ListID ID     `json:"list_id"`
	Text   string `json:"text"`
}

// Check returns a validation error that names the field.
func (l ListItemAdded) Check() error { return checkPlanText("add to list", "items", l.Text) }

// ListItemRemoved takes an entry off its list.
type ListItemRemoved struct {
	ListID ID `json:"list_id"`
	ItemID ID `json:"item_id"`
}

// ListRemoved removes a list with all that is on it.
type ListRemoved struct {
	ListID ID `json:"list_id"`
}

// listsKey makes the names of lists something to decide about: no two lists with
// one name.
const listsKey Key = "lists"

const itemPrefix = "item/"

// itemOf is the entry that a list.item_removed takes off, by its keys.
func itemOf(e Envelope) ID {
	for _, key := range e.Keys {
		if text, ok := strings.CutPrefix(string(key), itemPrefix); ok {
			id, _ := ParseID(text)
			return id
		}
	}
	return ID{}
}

// ListsKey is carried by what changes which lists there are.
func ListsKey() Key { return listsKey }

// Keys go onto the event's envelope.
func (ListCreated) Keys() []Key { return []Key{listsKey} }

// Keys go onto the event's envelope.
func (l ListItemAdded) Keys() []Key { return []Key{PlanKey(l.ListID)} }

// Keys go onto the event's envelope.
func (l ListItemRemoved) Keys() []Key {
	return []Key{PlanKey(l.ListID), itemPrefix + Key(l.ItemID.String())}
}

// Keys go onto the event's envelope.
func (l ListRemoved) Keys() []Key { return []Key{PlanKey(l.ListID), listsKey} }

// Listing is a list, by reference: its name and entries are in the envelopes.
type Listing struct {
	ID    ID   `json:"id"`
	Items []ID `json:"items"` // oldest first
}

// Lists is the fold of lists. The zero value has none.
type Lists struct {
	Through Position  `json:"through"` // of the last record that changed something
	All     []Listing `json:"all"`     // oldest first
}

// Evolve folds one record. It reads no payload but of what says which list it is
// about, and that is in the keys too.
func (l *Lists) Evolve(rec Record) {
	e := rec.Envelope
	switch e.Type {
	case ListCreatedType:
		l.Through = rec.Position
		l.All = append(l.All, Listing{ID: e.ID})
	case ListItemAddedType, ListItemRemovedType, ListRemovedType:
		l.Through = rec.Position
		l.change(e)
	}
}

func (l *Lists) change(e Envelope) {
	id, _ := PlanOf(e)
	i := slices.IndexFunc(l.All, func(x Listing) bool { return x.ID == id })
	switch {
	case i < 0:
	case e.Type == ListItemAddedType:
		l.All[i].Items = append(l.All[i].Items, e.ID)
	case e.Type == ListRemovedType:
		l.All = slices.Delete(l.All, i, i+1)
	default:
		item := itemOf(e)
		l.All[i].Items = slices.DeleteFunc(l.All[i].Items, func(x ID) bool { return x == item })
	}
}

// Find is a list by its id.
func (l *Lists) Find(id ID) (Listing, bool) {
	i := slices.IndexFunc(l.All, func(x Listing) bool { return x.ID == id })
	if i < 0 {
		return Listing{}, false
	}
	return Listing{ID: id, Items: slices.Clone(l.All[i].Items)}, true
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
