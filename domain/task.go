package domain

import "fmt"

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

// Says implements PlanSaying.
func (t TaskCreated) Says(p *Plan) bool {
	p.Text, p.Time = t.Text, Appointment{Start: t.Deadline, Zone: t.Zone}
	return true
}

// Says implements PlanSaying.
func (t TaskChanged) Says(p *Plan) bool {
	p.Time = Appointment{Start: t.Deadline, Zone: t.Zone}
	return p.saidAs(t.Text)
}

// Says implements PlanSaying.
func (t TaskProgressed) Says(p *Plan) bool {
	p.Percent, p.Note = t.Percent, t.Note
	return false
}

// Keys go onto the event's envelope.
func (t TaskChanged) Keys() []Key { return []Key{PlanKey(t.TaskID)} }

// Keys go onto the event's envelope.
func (t TaskProgressed) Keys() []Key { return []Key{PlanKey(t.TaskID)} }

// Keys go onto the event's envelope.
func (t TaskCompleted) Keys() []Key { return []Key{PlanKey(t.TaskID)} }

// Keys go onto the event's envelope.
func (t TaskDropped) Keys() []Key { return []Key{PlanKey(t.TaskID)} }
