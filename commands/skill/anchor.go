package skill

import (
	"context"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/timing"
)

// anchor is a time that is said by another plan: an hour before the dentist appointment.
type anchor struct {
	due  domain.Millis
	what string // what else the text says
	of   string // the plan
	sure bool   // nothing else in the text says another day or time
	ends bool   // right before the plan: what takes place then ends there
}

// maxAnchorBytes bounds what is repeated of words that name no plan.
const maxAnchorBytes = 80

// anchored reads a time that is said by another plan. A refusal asks what is missing when
// the text is of that kind and no plan is meant; both are nil for other texts.
func (s *skills) anchored(ctx context.Context, call tool.SkillCall, text string) (*anchor, error) {
	all := timing.Anchors(text)
	if len(all) == 0 {
		return nil, nil
	}
	open, _, err := s.open(ctx, "")
	if err == nil {
		open, err = s.timed(ctx, open)
	}
	if err != nil {
		return nil, err
	}
	for _, by := range all {
		among := open
		if by.Maybe {
			among = slices.DeleteFunc(slices.Clone(open), func(p planned) bool { return p.Kind != domain.ItemAppointment })
		}
		one, behind := planIn(by.Name, among)
		named := one != nil && by.Fits(behind)
		switch {
		case by.Maybe && (!named || one.Due == 0):
			continue
		case !named:
			return nil, refused("when", say("beside.unknown", args{"which": theirOwn(domain.Cut(strings.TrimSpace(by.Name), maxAnchorBytes))}), call)
		case one.Due == 0:
			return nil, refused("when", say("beside.no_time", args{"what": one.its()}), call)
		}
		due, what, ok := by.Due(one.takesPlace(), behind, call.Now, call.Zone)
		switch {
		case !ok:
			continue
		case due <= call.Now:
			return nil, refused("when", say("beside.passed", args{"at": moment(due, call)}), call)
		}
		return &anchor{due: due, what: timing.AsAsked(what), of: one.text, sure: !timing.SaysWhen(what, call.Now, call.Zone), ends: by.Ahead}, nil
	}
	return nil, nil
}

// takesPlace is from when to when a plan is.
func (p planned) takesPlace() domain.Appointment {
	return domain.Appointment{Start: p.Due, End: p.End, AllDay: p.appointment.AllDay}
}

// planIn finds the plan that a text begins with, by as many of its words as name only one, and
// what stands behind them.
func planIn(text string, all []planned) (one *planned, behind string) {
	for _, begins := range timing.Beginnings(text) {
		said := bynames.TellingWords(begins.Words)
		if len(said) == 0 {
			continue
		}
		found := bynames.ByWords(said, all)
		if len(found) > 1 {
			found = preferAppointments(found)
		}
		if len(found) == 1 {
			return &found[0], begins.Behind
		}
	}
	return nil, ""
}

// preferAppointments are the appointments among plans, where there are any: what an hour lies
// before is one rather than a reminder of it.
func preferAppointments(all []planned) []planned {
	var out []planned
	for _, p := range all {
		if p.Kind == domain.ItemAppointment {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}
