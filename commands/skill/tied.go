package skill

import (
	"context"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
)

// maxTied bounds the reminders that are looked at for having been set by an appointment.
const maxTied = 200

// staysOf says of open reminders that were set by appointments, which are moved or cancelled now,
// that they stay. One was when the request for it names the appointment, and it is due
// as long before or after it as that says.
func (s *skills) staysOf(ctx context.Context, call tool.SkillCall, appointments []planned) ([]speech.Message, error) {
	reminders, _, err := s.open(ctx, domain.ItemReminder)
	if err != nil {
		return nil, err
	}
	reminders = slices.DeleteFunc(reminders, func(r planned) bool { return r.Recurs || r.Due <= call.Now })
	var stay speech.List
	var first planned
	for _, r := range reminders[max(0, len(reminders)-maxTied):] {
		said, err := s.saidFor(ctx, r.ID)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(appointments, func(a planned) bool { return isTied(r, a, said, call) }) {
			continue
		}
		if len(stay) == 0 {
			first = r
		}
		stay = append(stay, say("stays.named", args{"what": r.its(), "at": moment(r.Due, call)}))
	}
	switch len(stay) {
	case 0:
		return nil, nil
	case 1:
		return []speech.Message{say("stays.one", args{"what": first.its(), "at": moment(first.Due, call)})}, nil
	}
	return []speech.Message{say("stays.several", args{"plans": stay})}, nil
}

// isTied reports whether a reminder that was asked for by these words is due by an appointment.
func isTied(r, a planned, said string, call tool.SkillCall) bool {
	return slices.ContainsFunc(timing.Anchors(said), func(by timing.Anchor) bool {
		named, _ := planIn(by.Name, []planned{a})
		return named != nil && by.Ties(a.takesPlace(), r.Due, call.Zone)
	})
}

// saidFor are the words by which a plan was asked for; "" when they aren't known.
func (s *skills) saidFor(ctx context.Context, plan domain.ID) (string, error) {
	made, err := s.cfg.Reader.Find(ctx, plan)
	if err != nil || made.Envelope.Parent.IsZero() {
		return "", err
	}
	cause, err := s.cfg.Reader.Find(ctx, made.Envelope.Parent)
	if domain.CategoryOf(err) == domain.NotFound {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	_, invoked, err := s.callBehind(ctx, cause.Envelope)
	if err != nil {
		return "", err
	}
	given, err := params[struct{ When, Text, What string }](tool.SkillCall{Params: invoked.Params})
	return strings.TrimSpace(strings.Join([]string{given.When, given.Text, given.What}, " ")), err
}
