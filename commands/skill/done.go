package skill

import (
	"cmp"
	"context"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/timing"
)

// doneShown bounds what a status names of what was done today: the latest.
const doneShown = 10

// overIn are the plans that were done, told or over in a period, the earliest first, with a line for each. What was
// dropped isn't among them.
func (s *skills) overIn(ctx context.Context, then speech.Period, call tool.SkillCall) (told []planned, lines []speech.Message, err error) {
	if err := s.caughtUp(ctx); err != nil {
		return nil, nil, err
	}
	type ended struct {
		domain.Commitment
		at  domain.Millis
		how speech.Kind
	}
	var all []ended
	s.cfg.Plans.Read(func(p *domain.Plans) {
		for _, c := range append(p.Commitments.List(), p.Commitments.Ended...) {
			one := ended{c, c.Told, "told"}
			switch {
			case c.Standing == domain.StandingDone:
				one.at, one.how = c.Ended, "done"
			case c.Standing == domain.StandingPassed:
				one.at, one.how = c.End, "passed"
			case c.Kind != domain.ItemReminder || c.Standing == domain.StandingDropped || c.Told == 0:
				continue
			}
			if one.at >= then.Since && one.at < then.Before {
				all = append(all, one)
			}
		}
	})
	domain.SortFunc(all, func(a, b ended) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Position, b.Position)) })
	for _, one := range all {
		p := planned{Commitment: one.Commitment}
		if _, p.text, err = s.read(ctx, one.TextID); err != nil {
			return nil, nil, err
		}
		told = append(told, p)
		lines = append(lines, say("over.entry", args{"what": p.its(), "how": one.how, "at": moment(one.at, call)}))
	}
	return told, lines, nil
}

// doneIn tells what was done, told or over in a period; in none today.
func (s *skills) doneIn(ctx context.Context, during string, call tool.SkillCall) (tool.SkillDone, error) {
	if during = strings.TrimSpace(during); blank(during) || strings.EqualFold(during, "today") {
		during = "today"
	}
	then, err := timing.Period(during, call.Now, call.Zone)
	if err != nil {
		return asksBack(err)
	}
	then.Said, then.AnyDay, then.ByName = during, false, false
	told, lines, err := s.overIn(ctx, then, call)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if len(told) == 0 {
		return tell(say("over.none", args{"during": then}))
	}
	return mentioning(underHeading(say("over.heading", args{"during": then}), lines), nil, told)
}
