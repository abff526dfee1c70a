package skill

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/when"
)

// sparing asks whether plans that come back should end for good, when they are named by a period
// that holds only some of their times; false when there is nothing to ask.
func sparing(how ending, found selection, n naming) (tool.SkillDone, bool, error) {
	if n.Confirmed || !found.window.HasDay() {
		return tool.SkillDone{}, false, nil
	}
	var series []string
	for _, p := range found.plans {
		if p.goesOn(found.window) {
			series = append(series, fmt.Sprintf("%q (%s)", p.text, p.again()))
		}
	}
	if len(series) == 0 {
		return tool.SkillDone{}, false, nil
	}
	const few = 4
	if more := len(series) - few; more > 0 {
		series = append(series[:few], fmt.Sprintf("%d more", more))
	}
	question := fmt.Sprintf("%s comes back: should I leave it out only %s, or end it for good?", series[0], found.plans[0].due)
	if len(found.plans) > 1 {
		question = fmt.Sprintf("%s %d %ss: %s? Of these %s would end for good; skip leaves only this time of them out, and cancels the rest.", how.verb, len(found.plans), nounOf(how.noun, found.plans), timedUpTo(found.plans, few), strings.Join(series, ", "))
	}
	done, err := asksFor(question+found.stays+saySkip, tool.Answer{Label: "Skip", With: map[string]any{"action": "skip"}}, tool.Answer{Label: "For good", With: map[string]any{"confirmed": true}}, no())
	done, err = mentioning(done, err, found.plans)
	return done, true, err
}

// saySkip is how questions end that are answered by one of two words.
const saySkip = " Say skip, or for good."

// goesOn reports whether a plan has times outside of a window.
func (p planned) goesOn(w when.Window) bool {
	return p.recurrence != nil && (p.waits < w.From || w.To != 0 && when.Next(*p.recurrence, w.To-1, p.zone) != 0)
}

// isDaily reports whether a plan comes every day or every few days.
func (p planned) isDaily() bool {
	return p.recurrence != nil && strings.Contains(p.recurrence.Rule, "FREQ=DAILY")
}

// again is how a plan comes back, in words.
func (p planned) again() string {
	if p.Kind.TakesPlace() {
		return sayAgain(p.appointment)
	}
	return when.SayAgain(*p.recurrence)
}

// skipAll leaves out the times of several plans, and cancels those that don't come back.
func (s *skills) skipAll(how ending, call tool.SkillCall, found []planned, through domain.Position) (tool.SkillDone, error) {
	if !slices.ContainsFunc(found, func(p planned) bool { return p.recurrence != nil }) {
		return asks(fmt.Sprintf("None of these comes back, so there is nothing to skip: %s.", timedList(found)))
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
				return asks(fmt.Sprintf("%q has no time after that: cancel it.", p.text))
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
	e, err := s.happens(call, one, domain.PlanChanged, domain.Plan{Time: a})
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
