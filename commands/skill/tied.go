package skill

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/when"
)

// maxTied bounds the reminders that are looked at for having been set by an appointment.
const maxTied = 200

// staysOf says of open reminders that were set by appointments, which are moved or cancelled now,
// that they stay; "" for none. One was when the request for it names the appointment, and it is due
// as long before or after it as that says.
func (s *skills) staysOf(ctx context.Context, call tool.SkillCall, appointments []planned) (string, error) {
	reminders, _, err := s.open(ctx, domain.ItemReminder)
	if err != nil {
		return "", err
	}
	reminders = slices.DeleteFunc(reminders, func(r planned) bool { return r.Recurs || r.Due <= call.Now })
	var names []string
	var first planned
	for _, r := range reminders[max(0, len(reminders)-maxTied):] {
		said, err := s.saidFor(ctx, r.ID)
		if err != nil {
			return "", err
		}
		if !slices.ContainsFunc(appointments, func(a planned) bool { return isTied(r, a, said, call) }) {
			continue
		}
		if len(names) == 0 {
			first = r
		}
		names = append(names, fmt.Sprintf("%q stays %s", r.text, when.Say(r.Due, call.Now, call.Zone)))
	}
	switch len(names) {
	case 0:
		return "", nil
	case 1:
		return fmt.Sprintf(" The reminder %s: to change that, say “cancel the reminder %s”, or “move the reminder %s to” and when.", names[0], first.text, first.text), nil
	}
	return fmt.Sprintf(" Of the reminders set by it %s: to change that, cancel or move each by its name.", strings.Join(names, ", and ")), nil
}

// isTied reports whether a reminder that was asked for by these words is due by an appointment.
func isTied(r, a planned, said string, call tool.SkillCall) bool {
	for _, at := range anchorWords.FindAllStringSubmatchIndex(said, -1) {
		head, side, tail := said[:at[0]], strings.ToLower(said[at[2]:at[3]]), said[at[1]:]
		_, by, ok := offsetAt(head, side == "of")
		if !ok && side == "after" && pointed.MatchString(tail) {
			by, ok = offset{length: "0 minutes"}, true
		}
		if named, _ := planIn(tail, []planned{a}); !ok || named == nil {
			continue
		}
		for _, edge := range []string{by.edge, "start", "end"} {
			by.edge = edge
			if due, ok := by.from(a, side == "after", call.Zone); ok && due == r.Due {
				return true
			}
		}
	}
	return false
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
	decided, err := tool.DecisionOn(ctx, s.cfg.Reader, cause.Envelope)
	if err != nil || decided == nil {
		return "", err
	}
	rec, err := s.cfg.Reader.Find(ctx, decided.InvocationID)
	if domain.CategoryOf(err) == domain.NotFound {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	invoked, err := domain.Decode[domain.ToolInvoked](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	given, err := params[struct{ When, Text, What string }](tool.SkillCall{Params: invoked.Params})
	return strings.Join([]string{given.When, given.Text, given.What}, " "), err
}
