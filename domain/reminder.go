package domain

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

// Says implements PlanSaying.
func (r ReminderSet) Says(p *Plan) bool {
	p.Text, p.Time = r.Text, Appointment{Start: r.Due, Zone: r.Zone, Recurrence: r.Recurrence}
	return true
}

// Says implements PlanSaying.
func (r ReminderChanged) Says(p *Plan) bool {
	p.Time = Appointment{Start: r.Due, Zone: r.Zone, Recurrence: r.Recurrence}
	return p.saidAs(r.Text)
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
