package narrate

import (
	"fmt"

	"chalie/domain"
)

// plans are the events of lists, of what falls due, and of memories. Those of plans that are common
// to all kinds are in plan_verb.go.
var plans = map[domain.EventType]Entry{
	domain.TimerDueType: event[domain.TimerDue]{
		Kind: "Timer", Lead: "It was time:", From: origin{OriginDecided, "the scheduler tells it; that its time was noticed is given"},
		Line: func(p domain.TimerDue) string {
			text := fmt.Sprintf("%s %s, due %s", p.Kind, p.SubjectID.UUID(), utc(p.Due))
			if p.Next != 0 {
				text += ", next " + utc(p.Next)
			}
			if p.Missed > 0 {
				text += fmt.Sprintf(", %d more missed", p.Missed)
			}
			return text
		},
		Labelled: func(p domain.TimerDue) string {
			if p.Missed > 0 {
				return fmt.Sprintf("a %s fell due, and %s since without being told", p.Kind, Counted(p.Missed, "time", "times"))
			}
			return fmt.Sprintf("a %s fell due", p.Kind)
		},
		Clause: func(s Scene, p domain.TimerDue) Phrase {
			return Sayf("the %s %s fell due", Spelt(string(p.Kind)), s.Quote())
		},
		Reason: func(s Scene, p domain.TimerDue) Phrase {
			return Sayf("the %s %s fell due at %s", Spelt(string(p.Kind)), s.Quote(), s.Clock(s.Record().RecordedAt))
		},
	}.entry(),
	domain.ListCreatedType: event[domain.ListCreated]{
		Kind: "List", Lead: "A list was begun:", From: bySkill,
		Line:     func(p domain.ListCreated) string { return "list " + p.Name },
		Labelled: func(p domain.ListCreated) string { return "a list was begun: " + p.Name },
	}.entry(),
	domain.ListItemAddedType: event[domain.ListItemAdded]{
		Kind: "List", Lead: "Put on a list:", From: bySkill,
		Line:     func(p domain.ListItemAdded) string { return p.Text + " on list " + p.ListID.UUID() },
		Labelled: func(p domain.ListItemAdded) string { return "put on a list: " + p.Text },
		Clause: func(s Scene, _ domain.ListItemAdded) Phrase {
			return Sayf("%s put %s on a list", planner(s), s.Quote())
		},
		Reason: func(s Scene, _ domain.ListItemAdded) Phrase {
			return Sayf("%s had put %s on a list", planner(s), s.Quote())
		},
	}.entry(),
	domain.ListItemRemovedType: event[domain.ListItemRemoved]{
		Kind: "List", Lead: "Taken off a list:", From: bySkill,
		Line: func(p domain.ListItemRemoved) string {
			return fmt.Sprintf("entry %s is off list %s", p.ItemID.UUID(), p.ListID.UUID())
		},
		Label: "an entry was taken off a list",
	}.entry(),
	domain.ListRemovedType: event[domain.ListRemoved]{
		Kind: "List", Lead: "A list was removed:", From: bySkill,
		Line:  func(p domain.ListRemoved) string { return "list " + p.ListID.UUID() + " is removed" },
		Label: "a list was removed",
	}.entry(),
	domain.ChangeUndoneType: event[domain.ChangeUndone]{
		Kind: "Undo", Lead: "A change was taken back:", From: bySkill,
		Line:  func(p domain.ChangeUndone) string { return "change " + p.ChangeID.UUID() + " is taken back" },
		Label: "a change was taken back",
	}.entry(),
	domain.MemoryRememberedType: event[domain.MemoryRemembered]{
		Kind: "Memory", Lead: "Chalie was to remember:", From: bySkill, Subject: "Chalie",
		Line: func(p domain.MemoryRemembered) string {
			if p.About != "" {
				return p.About + ": " + p.Text
			}
			return p.Text
		},
		Labelled: func(p domain.MemoryRemembered) string { return "remembered: " + p.Text },
		Clause:   func(s Scene, _ domain.MemoryRemembered) Phrase { return Sayf("Chalie was to remember %s", s.Quote()) },
		Reason: func(s Scene, _ domain.MemoryRemembered) Phrase {
			return Sayf("%s had said that %s is to be remembered", planner(s), s.Quote())
		},
	}.entry(),
	domain.NoteWrittenType: event[domain.NoteWritten]{
		Kind: "Note", Lead: "A note was written:", From: byPersonOrSkill,
		Line: func(p domain.NoteWritten) string {
			return fmt.Sprintf("%s, %s", p.Path, Counted(uint64(len(p.Content)), "byte", "bytes"))
		},
		Labelled: func(p domain.NoteWritten) string { return "a note was written: " + p.Path },
	}.entry(),
	domain.NoteRemovedType: event[domain.NoteRemoved]{
		Kind: "Note", Lead: "A note was removed:", From: byPersonOrSkill,
		Line:  func(p domain.NoteRemoved) string { return "note " + p.NoteID.UUID() },
		Label: "a note was removed",
	}.entry(),
	domain.MemoryForgottenType: event[domain.MemoryForgotten]{
		Kind: "Memory", Lead: "Chalie was to forget:", From: bySkill,
		Line:  func(p domain.MemoryForgotten) string { return "memory " + p.MemoryID.UUID() + " is forgotten" },
		Label: "something remembered was forgotten",
	}.entry(),
	domain.NoticeDismissedType: event[domain.NoticeDismissed]{
		Kind: "Notice", Lead: "You didn't want to be told of it:", From: byPersonOrSkill,
		Line: func(p domain.NoticeDismissed) string {
			return Counted(len(p.Signals), "signal isn't", "signals aren't") + " told of the plan " + p.PlanID.UUID() + " again"
		},
		Label:  "you said “not this”",
		Clause: func(Scene, domain.NoticeDismissed) Phrase { return Words("you said “not this”") },
	}.entry(),
	domain.NoticeSilencedType: event[domain.NoticeSilenced]{
		Kind: "Notice", Lead: "You didn't want to be told of a kind of signals:", From: byPersonOrSkill,
		Line: func(p domain.NoticeSilenced) string {
			return "nothing of " + Quoted(p.SignalType) + " from " + p.Source
		},
		Labelled: func(p domain.NoticeSilenced) string {
			return "you wanted nothing of " + Quoted(p.SignalType) + " from " + p.Source
		},
	}.entry(),
	domain.NoticeRestoredType: event[domain.NoticeRestored]{
		Kind: "Notice", Lead: "You wanted to be told of it again:", From: byPersonOrSkill,
		Line:  func(p domain.NoticeRestored) string { return "what " + p.OfID.UUID() + " kept back is told again" },
		Label: "you wanted to be told of it again",
	}.entry(),
}

// planner names the person who made a plan.
func planner(s Scene) string {
	if s.Record().Envelope.Principal != domain.PrincipalOperator {
		return Own
	}
	return "you"
}

// Planned is a record as a plan, worded to follow "because".
func Planned(s Scene) Phrase { return Sayf("%s had planned %s", planner(s), s.Quote()) }

// Asked is a message as a question, worded to follow "because".
func Asked(s Scene) Phrase { return Sayf("%s had asked %s", planner(s), s.Quote()) }

// utc is a moment in a line, which has no time zone.
func utc(m domain.Millis) string { return m.Time().Format("2006-01-02 15:04 UTC") }
