package narrate

import (
	"cmp"
	"fmt"
	"strings"

	"chalie/domain"
)

// planWords are what the sentences about a kind of plan have of their own. A kind without any is
// told in the plain words that stand in their place.
type planWords struct {
	made      string // how one is made: "set"
	due       string // what leads to its time in a list: "due"
	moved, to string // how one gets another time, and what leads to that: "changed", "now for"
	done      string // "done"
	doneOf    string // what is done, where that isn't the plan itself
	dropped   string // "dropped"
	gone      string // the same in a list, behind its name
}

// wordsOf are the words of the kinds that have some.
var wordsOf = map[domain.ItemKind]planWords{
	domain.ItemReminder: {
		due: "due", moved: "moved", to: "to", doneOf: "what a reminder is about", dropped: "cancelled", gone: "isn't wanted any more",
	},
	domain.ItemAppointment: {made: "made", due: "from", dropped: "cancelled", gone: "doesn't take place"},
	domain.ItemTask:        {due: "until", done: "completed"},
}

// byScheduler is where it is known from that something is over.
var byScheduler = origin{OriginGiven, "the scheduler's noticing that the time had passed is given"}

// planEntry is the entry of what happens to plans, by its type.
func planEntry(t domain.EventType) (Entry, bool) {
	verb, kind, ok := domain.VerbOf(t)
	if !ok {
		return Entry{}, false
	}
	w := wordsOf[kind]
	p := planTold{kind: kind, of: article(string(kind)), words: planWords{
		cmp.Or(w.made, "set"), cmp.Or(w.due, "for"), cmp.Or(w.moved, "changed"), cmp.Or(w.to, "now for"),
		cmp.Or(w.done, "done"), w.doneOf, cmp.Or(w.dropped, "dropped"), w.gone,
	}}
	out := event[domain.PlanNews]{Kind: Capital(string(kind)), From: bySkill, read: domain.NewsOf}
	switch verb {
	case domain.PlanMade:
		p.isMade(&out)
	case domain.PlanChanged:
		p.isChanged(&out)
	case domain.PlanProgressed:
		out.Lead = Capital(p.of) + " went on:"
		out.Line = func(n domain.PlanNews) string {
			return withDetail(fmt.Sprintf("%s is at %d %%", p.name(n), n.Percent), n.Note)
		}
		out.Labelled = func(n domain.PlanNews) string {
			return withDetail(fmt.Sprintf("%s came to %d %%", p.of, n.Percent), n.Note)
		}
	case domain.PlanDone:
		out.Lead, _ = p.was(p.words.done)
		out.Label = cmp.Or(p.words.doneOf, p.of) + " was " + p.words.done
		out.Line = func(n domain.PlanNews) string { return p.name(n) + " is done" }
	case domain.PlanDropped:
		out.Lead, out.Label = p.was(p.words.dropped)
		out.Line = func(n domain.PlanNews) string { return p.name(n) + " " + cmp.Or(p.words.gone, "is "+p.words.dropped) }
	case domain.PlanPassed:
		out.From = byScheduler
		out.Lead, out.Label = p.was("over")
		out.Line = func(n domain.PlanNews) string { return p.name(n) + " is over" + p.inList(", next", n) }
	}
	return out.entry(), true
}

// article is a noun behind its article.
func article(noun string) string {
	if strings.IndexAny(noun, "aeiou") == 0 {
		return "an " + noun
	}
	return "a " + noun
}

// planTold is a kind of plan with its words.
type planTold struct {
	kind  domain.ItemKind
	of    string // the kind behind its article
	words planWords
}

// name is a plan in a list.
func (p planTold) name(n domain.PlanNews) string { return string(p.kind) + " " + n.ID.UUID() }

// was is that something became of one, as the beginning of a trace and as a label.
func (p planTold) was(what string) (lead, label string) {
	label = p.of + " was " + what
	return Capital(label) + ":", label
}

// inList is the time of one in a list, behind a word; "" without one.
func (p planTold) inList(word string, n domain.PlanNews) string {
	if n.Time.Start == 0 {
		return ""
	}
	return word + " " + utc(n.Time.Start) + again(n.Time.Recurrence)
}

// reason is that its person has one, worded to follow "because".
func (p planTold) reason(s Scene, n domain.PlanNews) Phrase {
	if !p.kind.IsTold() { // it is for its person to end it
		return Sayf("%s had the %s %s%s", planner(s), p.kind, s.Quote(), s.Due(" until ", n.Time.Start))
	}
	return Sayf("%s%s", Planned(s), s.Due(" for ", n.Time.Start))
}

func (p planTold) isMade(out *event[domain.PlanNews]) {
	lead, label := p.was(p.words.made)
	at := ", for "
	if !p.kind.IsTold() {
		at = ", until "
	}
	out.Lead, out.Reason = lead, p.reason
	out.Line = func(n domain.PlanNews) string { return n.Text + p.inList(", "+p.words.due, n) }
	out.Labelled = func(n domain.PlanNews) string { return label + ": " + n.Text }
	out.Clause = func(s Scene, n domain.PlanNews) Phrase {
		return Sayf("%s %s %s, %s%s", planner(s), p.words.made, p.of, s.Quote(), s.Due(at, n.Time.Start))
	}
}

func (p planTold) isChanged(out *event[domain.PlanNews]) {
	out.Lead, _ = p.was("changed")
	out.Reason = p.reason
	out.Line = func(n domain.PlanNews) string { return p.name(n) + " is" + p.inList(" "+p.words.due, n) }
	out.Labelled = func(n domain.PlanNews) string {
		if n.Text == "" {
			return p.of + " was moved to another time"
		}
		return p.of + " was changed: " + n.Text
	}
	if !p.kind.IsTold() { // its label says as much
		out.Line = func(n domain.PlanNews) string { return p.name(n) + " is changed" + p.inList(", "+p.words.due, n) }
		return
	}
	out.Clause = func(s Scene, n domain.PlanNews) Phrase {
		return Sayf("%s %s %s, %s%s", planner(s), p.words.moved, p.of, s.Quote(), s.Due(", "+p.words.to+" ", n.Time.Start))
	}
}

func again(r *domain.Recurrence) string {
	if r == nil {
		return ""
	}
	return ", and again"
}
