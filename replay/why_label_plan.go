package replay

import (
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/replay/wording"
)

// planLabel tells what is planned or remembered, and what became of it. The plan
// itself is a cause of its own, so what only changes it isn't told twice.
func planLabel(e domain.Envelope, _ string) string {
	switch e.Type {
	case domain.TimerDueType:
		return words(e, func(p domain.TimerDue) string {
			if p.Missed > 0 {
				return fmt.Sprintf("a %s fell due, and %s since without being told", p.Kind, counted(p.Missed, "time", "times"))
			}
			return fmt.Sprintf("a %s fell due", p.Kind)
		})
	case domain.ReminderSetType:
		return words(e, func(p domain.ReminderSet) string { return "a reminder was set: " + p.Text })
	case domain.ReminderChangedType:
		return words(e, func(p domain.ReminderChanged) string { return changedLabel("a reminder", p.Text) })
	case domain.ReminderDoneType:
		return "what a reminder is about was done"
	case domain.ReminderCancelledType:
		return "a reminder was cancelled"
	case domain.TaskCreatedType:
		return words(e, func(p domain.TaskCreated) string { return "a task was set: " + p.Text })
	case domain.TaskChangedType:
		return words(e, func(p domain.TaskChanged) string { return changedLabel("a task", p.Text) })
	case domain.TaskProgressedType:
		return words(e, func(p domain.TaskProgressed) string {
			return with(fmt.Sprintf("a task came to %d %%", p.Percent), p.Note)
		})
	case domain.TaskCompletedType:
		return "a task was completed"
	case domain.TaskDroppedType:
		return "a task was dropped"
	case domain.ListCreatedType:
		return words(e, func(p domain.ListCreated) string { return "a list was begun: " + p.Name })
	case domain.ListItemAddedType:
		return words(e, func(p domain.ListItemAdded) string { return "put on a list: " + p.Text })
	case domain.ListItemRemovedType:
		return "an entry was taken off a list"
	case domain.ListRemovedType:
		return "a list was removed"
	case domain.MemoryRememberedType:
		return words(e, func(p domain.MemoryRemembered) string { return "remembered: " + p.Text })
	case domain.MemoryForgottenType:
		return "something remembered was forgotten"
	}
	return ""
}

func changedLabel(what string, text *string) string {
	if text == nil {
		return what + " was moved to another time"
	}
	return what + " was changed: " + *text
}

// approvalLabel tells what became of a question for approval, and what looking at
// a tool's answer or its state brought.
func approvalLabel(e domain.Envelope, _ string) string {
	switch e.Type {
	case domain.ApprovalProposedType:
		return words(e, func(p domain.ApprovalProposed) string {
			return "asked for your approval: " + wording.Summary(p.Summary)
		})
	case domain.ApprovalGrantedType:
		return "you approved it"
	case domain.ApprovalRefusedType:
		return "you refused it"
	case domain.ApprovalExpiredType:
		return "nobody approved it in time"
	case domain.AttemptRefusedType:
		return words(e, func(p domain.AttemptRefused) string {
			return "a decision did nothing: " + wording.Spelt(string(p.Reason))
		})
	case domain.ToolVerifiedType:
		return words(e, func(p domain.ToolVerified) string {
			if p.Passed {
				return "the answer is what the tool declares"
			}
			return with("the answer isn't what the tool declares", strings.Join(p.Errors, ", "))
		})
	case domain.StateTakenType:
		return words(e, func(p domain.StateTaken) string {
			return with(fmt.Sprintf("looked at what it acts on, %s the call", p.When), p.Description)
		})
	}
	return ""
}
