package skill

import (
	"slices"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// sparing asks whether plans that come back should end for good, when they are named by a period
// that holds only some of their times; false when there is nothing to ask.
func sparing(how ending, found selection, n naming) (tool.SkillDone, bool, error) {
	if n.Confirmed || !found.window.HasDay() {
		return tool.SkillDone{}, false, nil
	}
	var series speech.List
	for _, p := range found.plans {
		if p.goesOn(found.window) {
			series = append(series, say("plan.returning", args{"what": p.its(), "again": p.returns()}))
		}
	}
	if len(series) == 0 {
		return tool.SkillDone{}, false, nil
	}
	const few = 4
	if more := len(series) - few; more > 0 {
		series = append(series[:few], say("more", args{"n": speech.Count(more)}))
	}
	question := say("skip.some_for_good", args{"deed": how.deed, "n": speech.Count(len(found.plans)), "kind": nounOf(how.noun, found.plans), "plans": withTimes(found.plans, few), "series": series})
	if len(found.plans) == 1 {
		one := found.plans[0]
		question = say("skip.or_for_good", args{"what": one.its(), "again": one.returns(), "at": one.dueAt()})
	}
	says := append(append([]speech.Message{question}, found.stays...), say("skip.say"))
	done, err := askAll(says, tool.Answer{Says: say("label.skip"), With: map[string]any{"action": "skip"}}, tool.Answer{Says: say("label.for_good"), With: map[string]any{"confirmed": true}}, no())
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

// skipAll leaves out the times of several plans, and cancels those that don't come back.
func (s *skills) skipAll(how ending, call tool.SkillCall, found []planned, through domain.Position) (tool.SkillDone, error) {
	if !slices.ContainsFunc(found, func(p planned) bool { return p.recurrence != nil }) {
		return ask(say("skip.none_returns", args{"plans": withTimes(found, maxNamed)}))
	}
	cancel := how.end
	how.skips = true
	how.end = func(p planned) (domain.Entry, error) {
		if p.recurrence == nil {
			return cancel(p)
		}
		e, _, err := s.skipping(call, p)
		return e, err
	}
	for _, p := range found {
		if p.recurrence != nil {
			if _, _, ok := without(p, p.timesLeftOut()); !ok {
				return ask(say("skip.nothing_after", args{"what": p.its()}))
			}
		}
	}
	return s.endEach(how, found, through, nil)
}

// timesLeftOut are the times of a plan that skipping it leaves out.
func (p planned) timesLeftOut() []occasion {
	if len(p.times) == 0 {
		return []occasion{{p.Due, p.End}}
	}
	return p.times
}

// skipping is the envelope by which times of a plan are left out, and its next time.
func (s *skills) skipping(call tool.SkillCall, one planned) (domain.Entry, domain.Millis, error) {
	a, next, _ := without(one, one.timesLeftOut())
	if !one.Kind.TakesPlace() {
		a = domain.Appointment{Start: next, Zone: one.zone.String(), Recurrence: a.Recurrence}
	}
	e, err := s.happens(call, one.Commitment, domain.PlanChanged, domain.Plan{Time: a})
	return e, next, err
}

// seriesAt is how a plan comes back when all its times are like a new one: at its time of day, and
// on its day of the week, the month or the year; false when that can't be said. It may be counted
// from a day that has passed.
func seriesAt(one planned, at domain.Millis, allDay bool, call tool.SkillCall) (*domain.Recurrence, bool) {
	if to := at.Time().In(one.zone); !allDay && to.Format(time.DateOnly) == one.Due.Time().In(one.zone).Format(time.DateOnly) {
		out, ok := when.AtHour(*one.recurrence, to.Hour(), to.Minute(), one.zone)
		return &out, ok
	}
	return when.SeriesOn(*one.recurrence, at, allDay, call.Now, one.zone)
}
