package skill

import (
	"chalie/domain"
	"chalie/domain/language/speech"
)

// What is said of what happened to plans, by kind and verb. A kind that has no words of its own has those of plans.

// deedOf is the word for what happens to several plans of a kind. What its person ends is dropped or complete, and not
// cancelled.
func deedOf(kind domain.ItemKind, verb domain.PlanVerb) speech.Kind {
	byPerson := kind.Plan().Ends == domain.EndsByPerson
	switch {
	case verb == skipped:
		return "skip"
	case verb == domain.PlanChanged:
		return "move"
	case verb == domain.PlanDone && byPerson:
		return "complete"
	case verb == domain.PlanDone:
		return "end"
	case byPerson:
		return "drop"
	}
	return "cancel"
}

// ended says of several plans that they have ended.
func (r request) ended(verb domain.PlanVerb, of []planned) []speech.Message {
	if len(of) == 0 {
		return nil
	}
	noun := nounOf(speech.Kind(r.kind), of)
	all := args{"n": speech.Count(len(of)), "kind": noun, "plans": withTimes(of, maxNamed)}
	return []speech.Message{say("plans.ended", all, args{"deed": deedOf(r.kind, verb)})}
}

// gone says that one has.
func (p planned) gone(verb domain.PlanVerb) speech.Message {
	if verb == domain.PlanDone {
		return say("done", args{"what": p.its()})
	}
	switch alarm := rings[p.text]; {
	case p.Kind == domain.ItemReminder && alarm != "":
		return say("alarm.no_more", args{"alarm": alarm})
	case p.Kind == domain.ItemReminder:
		return say("reminder.no_more", args{"what": p.its()})
	case p.Kind == domain.ItemTask:
		return say("task.let_go", args{"what": p.its()})
	case p.Kind == domain.ItemAppointment && p.recurrence != nil:
		return say("appointment.ended", args{"what": p.its(), "again": p.returns()})
	case p.Kind == domain.ItemAppointment:
		return say("appointment.ended", args{"what": p.its(), "at": p.dueAt()})
	}
	return request{kind: p.Kind}.ended(verb, []planned{p})[0]
}

// tells says what a plan is now.
func (c *changing) tells(one planned, to target) speech.Message {
	switch {
	case one.Kind.TakesPlace():
		return plannedAs(to.how, to.its(one), to.Time, c.call)
	case to.Time.Start == 0:
		return say("task.undated", args{"what": to.its(one)})
	case one.Kind == domain.ItemTask:
		return say("task.made", args{"what": to.its(one), "until": moment(to.Time.Start, c.call)})
	case one.Kind == domain.ItemReminder:
		return willRemind(to.said, to.its(one), c.call)
	}
	return say("plan.moved", args{"what": to.its(one), "times": timesOf(to.said, c.call)})
}

// tellsOnce says that one time of a plan that comes back is another; or, of one that was just told, that it comes once
// more.
func (c *changing) tellsOnce(one planned, to target, more bool) speech.Message {
	stays := args{"times": timesOf(to.said, c.call), "what": one.its(), "again": one.returns()}
	switch {
	case one.Kind != domain.ItemReminder:
		return c.tells(one, to)
	case more:
		return say("reminder.once_more", stays)
	}
	return say("reminder.this_once", stays)
}
