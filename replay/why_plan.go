package replay

import (
	"chalie/domain"
	"chalie/replay/wording"
)

// plannedClause tells a plan as what somebody did, to stand behind "because"; "" for
// what is none.
func (t *teller) plannedClause(n Node, e domain.Envelope) string {
	by := "you had "
	if e.Principal != domain.PrincipalOperator {
		by = "Chalie had "
	}
	text := t.quotedOf(t.records[n.ID])
	switch e.Type {
	case domain.ReminderSetType:
		return by + "planned " + text + words(e, func(p domain.ReminderSet) string { return t.due(" for ", n, p.Due) })
	case domain.ReminderChangedType:
		return by + "planned " + text + words(e, func(p domain.ReminderChanged) string { return t.due(" for ", n, p.Due) })
	case domain.TaskCreatedType:
		return by + "the task " + text + words(e, func(p domain.TaskCreated) string { return t.due(" until ", n, p.Deadline) })
	case domain.TaskChangedType:
		return by + "the task " + text + words(e, func(p domain.TaskChanged) string { return t.due(" until ", n, p.Deadline) })
	case domain.ListItemAddedType:
		return by + "put " + text + " on a list"
	case domain.MemoryRememberedType:
		return by + "said that " + text + " is to be remembered"
	case domain.TimerDueType:
		return words(e, dueKind) + text + " fell due at " + t.clock(n.RecordedAt)
	}
	if t.planned[n.ID] {
		return by + "planned " + text
	}
	return ""
}

// dueKind is what fell due, to stand before what it says.
func dueKind(p domain.TimerDue) string { return "the " + wording.Spelt(string(p.Kind)) + " " }

// due is when a plan was due as reasoning saw it, or else as it was set.
func (t *teller) due(word string, n Node, set domain.Millis) string {
	if item, ok := t.seen[n.ID]; ok && item.Phase == domain.PhasePending && item.Moment != 0 {
		set = item.Moment
	}
	if set == 0 {
		return ""
	}
	return word + t.clock(set)
}

// planText is what a plan says, by the latest of its words among the causes of e:
// its own, its parent's, or those it was made with.
func (t *teller) planText(e domain.Envelope) string {
	plan, _ := domain.PlanOf(e)
	for _, about := range []domain.Envelope{e, t.records[e.Parent].Envelope, t.records[plan].Envelope} {
		if gone := unreadableLabel(about); gone != "" {
			return gone
		}
		if _, isPlan := domain.PlanOf(about); !isPlan && about.ID != plan {
			continue
		}
		if text := textIn(about); text != "" {
			return text
		}
	}
	return ""
}
