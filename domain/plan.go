package domain

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxPlanBytes bounds the text of a plan or memory: a reminder, a task,
// an entry or the name of a list, a memory.
const MaxPlanBytes = 4 << 10

const (
	planPrefix = "plan/"
	duePrefix  = "due/"
)

// PlanKey is carried by everything that happens to a plan (a reminder, a task, a
// list, an entry of one, a memory) after it was made, so that what is decided
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

// PlanText is what a plan or memory says, by an envelope that made it or changed its
// words; "" of one that doesn't. The errors are Decode's; of another type of envelope
// CodeUndecodable.
func PlanText(e Envelope) (string, error) {
	switch e.Type {
	case ReminderSetType:
		p, err := Decode[ReminderSet](e)
		return p.Text, err
	case ReminderChangedType:
		p, err := Decode[ReminderChanged](e)
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

// Timing is the time at which a reminder or task is due, as it was said.
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
	case TaskChangedType:
		p, err := Decode[TaskChanged](e)
		return Timing{Due: p.Deadline, Zone: p.Zone}, err
	}
	p, err := Decode[TaskCreated](e)
	return Timing{Due: p.Deadline, Zone: p.Zone}, err
}
