package skill

import (
	"cmp"
	"context"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// doneShown bounds what a status names of what was done today: the latest.
const doneShown = 10

// ended is a plan that was done, told or over at a moment.
type ended struct {
	planned
	at  domain.Millis
	how speech.Kind
}

// says is it in one line.
func (o ended) says(call tool.SkillCall) speech.Message {
	return say("over.entry", args{"what": o.its(), "how": o.how, "at": moment(o.at, call)})
}

// overIn are the plans that were done, told or over from a moment on and before another, the
// earliest first. What was dropped isn't among them.
func (s *skills) overIn(ctx context.Context, from, to domain.Millis) ([]ended, error) {
	if err := s.caughtUp(ctx); err != nil {
		return nil, err
	}
	var out []ended
	s.cfg.Plans.Read(func(p *domain.Plans) {
		for _, c := range append(p.Commitments.List(), p.Commitments.Ended...) {
			one := ended{planned: planned{Commitment: c}}
			switch {
			case c.Standing == domain.StandingDone:
				one.at, one.how = c.Ended, "done"
			case c.Standing == domain.StandingPassed:
				one.at, one.how = c.End, "passed"
			case c.Kind == domain.ItemReminder && c.Standing != domain.StandingDropped && c.Told != 0:
				one.at, one.how = c.Told, "told"
			}
			if one.how != "" && one.at >= from && one.at < to {
				out = append(out, one)
			}
		}
	})
	domain.SortFunc(out, func(a, b ended) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Position, b.Position)) })
	for i, one := range out {
		var err error
		if _, out[i].text, err = s.read(ctx, one.TextID); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// doneToday are the lines of what was done, told or over today, the latest of them.
func (s *skills) doneToday(ctx context.Context, call tool.SkillCall) ([]speech.Message, error) {
	all, err := s.overIn(ctx, domain.MillisOf(midnight(call.Now, call.Zone)), call.Now+1)
	if err != nil {
		return nil, err
	}
	var lines []speech.Message
	if more := len(all) - doneShown; more > 0 {
		lines, all = append(lines, say("over.more", args{"n": speech.Count(more)})), all[more:]
	}
	for _, one := range all {
		lines = append(lines, one.says(call))
	}
	return lines, nil
}

// doneIn tells what was done, told or over in a period; in none today.
func (s *skills) doneIn(ctx context.Context, during string, call tool.SkillCall) (tool.SkillDone, error) {
	from, to := domain.MillisOf(midnight(call.Now, call.Zone)), call.Now+1
	period := speech.Period{Since: from, Before: domain.MillisOf(midnight(call.Now, call.Zone).AddDate(0, 0, 1)), Said: "today", Zone: call.Zone.String()}
	if during = strings.TrimSpace(during); during != "" && !strings.EqualFold(during, "today") {
		var err error
		if from, to, err = when.During(during, call.Now, call.Zone); err != nil {
			return asksBack(err)
		}
		period.Since, period.Before, period.Said = from, to, during
	}
	all, err := s.overIn(ctx, from, to)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if len(all) == 0 {
		return tell(say("over.none", args{"during": period}))
	}
	lines := make([]speech.Message, len(all))
	told := make([]planned, len(all))
	for i, one := range all {
		lines[i], told[i] = one.says(call), one.planned
	}
	return mentioning(underHeading(say("over.heading", args{"during": period}), lines), nil, told)
}
