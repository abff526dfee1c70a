package skill

import (
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// sparing asks whether plans that come back should end for good, when they are named by a period
// that holds only some of their times; false when there is nothing to ask.
func (r request) sparing(found selection) (tool.SkillDone, bool, error) {
	if r.verb != domain.PlanDropped || !r.kind.IsTold() || r.Confirmed || !found.window.HasDay() {
		return tool.SkillDone{}, false, nil
	}
	var series speech.List
	for _, p := range found.plans {
		if p.goesOn(found.window) {
			series = append(series, say("plan.named", args{"what": p.its(), "again": p.returns()}))
		}
	}
	if len(series) == 0 {
		return tool.SkillDone{}, false, nil
	}
	const few = 4
	if more := len(series) - few; more > 0 {
		series = append(series[:few], say("more", args{"n": speech.Count(more)}))
	}
	all := args{"n": speech.Count(len(found.plans)), "kind": nounOf(speech.Kind(r.kind), found.plans), "plans": withTimes(found.plans, few)}
	question := say("plans.sure", all, args{"deed": deedOf(r.kind, r.verb), "series": series})
	if len(found.plans) == 1 {
		one := found.plans[0]
		question = say("skip.or_for_good", args{"what": one.its(), "again": one.returns(), "at": one.dueAt()})
	}
	says := append(append([]speech.Message{question}, found.stays...), say("skip.say"))
	skips := tool.Answer{Says: say("label.word", args{"on": speech.Kind("skip")}), With: map[string]any{"action": "skip"}}
	ends := tool.Answer{Says: say("label.word", args{"on": speech.Kind("for_good")}), With: map[string]any{"confirmed": true}}
	done, err := askAll(says, skips, ends, no())
	done, err = mentioning(done, err, found.plans)
	return done, true, err
}

// goesOn reports whether a plan has times outside of a window.
func (p planned) goesOn(w when.Window) bool {
	return p.recurrence != nil && (p.waits < w.From || w.To != 0 && when.Next(*p.recurrence, w.To-1, p.zone) != 0)
}

// isDaily reports whether a plan comes every day or every few days.
func (p planned) isDaily() bool {
	return p.recurrence != nil && strings.Contains(p.recurrence.Rule, "FREQ=DAILY")
}

// returns is how a plan comes back, as a value.
func (p planned) returns() speech.Value {
	return speech.Again{Rule: p.recurrence.Rule, AllDay: p.Kind == domain.ItemAppointment && p.appointment.AllDay}
}

// timesLeftOut are the times of a plan that skipping it leaves out.
func (p planned) timesLeftOut() []occasion {
	if len(p.times) == 0 {
		return []occasion{{p.Due, p.End}}
	}
	return p.times
}
