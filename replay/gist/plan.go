package gist

import (
	"fmt"
	"strings"

	"chalie/domain"
)

// planGist tells what is planned, what came of it, and what is remembered.
func planGist(e domain.Envelope) string {
	switch {
	case strings.HasPrefix(string(e.Type), "task."):
		return taskGist(e)
	case strings.HasPrefix(string(e.Type), "list."):
		return listGist(e)
	}
	switch e.Type {
	case domain.TimerDueType:
		return say(e, func(p domain.TimerDue) string {
			text := fmt.Sprintf("%s %s, due %s", p.Kind, p.SubjectID.UUID(), utc(p.Due))
			if p.Next != 0 {
				text += ", next " + utc(p.Next)
			}
			if p.Missed > 0 {
				text += fmt.Sprintf(", %d more missed", p.Missed)
			}
			return text
		})
	case domain.ReminderSetType:
		return say(e, func(p domain.ReminderSet) string { return p.Text + ", due " + utc(p.Due) + comesBack(p.Recurrence) })
	case domain.ReminderChangedType:
		return say(e, func(p domain.ReminderChanged) string {
			return fmt.Sprintf("reminder %s is due %s%s", p.ReminderID.UUID(), utc(p.Due), comesBack(p.Recurrence))
		})
	case domain.ReminderDoneType:
		return say(e, func(p domain.ReminderDone) string { return "reminder " + p.ReminderID.UUID() + " is done" })
	case domain.ReminderCancelledType:
		return say(e, func(p domain.ReminderCancelled) string {
			return "reminder " + p.ReminderID.UUID() + " isn't wanted any more"
		})
	case domain.MemoryRememberedType:
		return say(e, func(p domain.MemoryRemembered) string {
			if p.About != "" {
				return p.About + ": " + p.Text
			}
			return p.Text
		})
	}
	return say(e, func(p domain.MemoryForgotten) string { return "memory " + p.MemoryID.UUID() + " is forgotten" })
}

func taskGist(e domain.Envelope) string {
	switch e.Type {
	case domain.TaskCreatedType:
		return say(e, func(p domain.TaskCreated) string { return p.Text + until(p.Deadline) })
	case domain.TaskChangedType:
		return say(e, func(p domain.TaskChanged) string {
			return "task " + p.TaskID.UUID() + " is changed" + until(p.Deadline)
		})
	case domain.TaskProgressedType:
		return say(e, func(p domain.TaskProgressed) string {
			text := fmt.Sprintf("task %s is at %d %%", p.TaskID.UUID(), p.Percent)
			if p.Note != "" {
				text += ": " + p.Note
			}
			return text
		})
	case domain.TaskCompletedType:
		return say(e, func(p domain.TaskCompleted) string { return "task " + p.TaskID.UUID() + " is done" })
	}
	return say(e, func(p domain.TaskDropped) string { return "task " + p.TaskID.UUID() + " is dropped" })
}

func listGist(e domain.Envelope) string {
	switch e.Type {
	case domain.ListCreatedType:
		return say(e, func(p domain.ListCreated) string { return "list " + p.Name })
	case domain.ListItemAddedType:
		return say(e, func(p domain.ListItemAdded) string { return p.Text + " on list " + p.ListID.UUID() })
	case domain.ListItemRemovedType:
		return say(e, func(p domain.ListItemRemoved) string {
			return fmt.Sprintf("entry %s is off list %s", p.ItemID.UUID(), p.ListID.UUID())
		})
	}
	return say(e, func(p domain.ListRemoved) string { return "list " + p.ListID.UUID() + " is removed" })
}

// comesBack says whether it comes back.
func comesBack(r *domain.Recurrence) string {
	if r == nil {
		return ""
	}
	return ", and again"
}

func until(deadline domain.Millis) string {
	if deadline == 0 {
		return ""
	}
	return ", until " + utc(deadline)
}

// utc is a moment in a line that knows no zone.
func utc(m domain.Millis) string { return m.Time().Format("2006-01-02 15:04 UTC") }
