package skill

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/when"
)

// doneShown bounds what a status names of what was done today: the latest.
const doneShown = 10

// ended is a plan that was done, told or over at a moment.
type ended struct {
	planned
	at  domain.Millis
	how string
}

// line is it in one line.
func (o ended) line(call tool.SkillCall) string {
	at := o.at.Time().In(call.Zone)
	said := "at " + at.Format("15:04")
	if o.at < domain.MillisOf(midnight(call.Now, call.Zone)) {
		said = when.Say(o.at, call.Now, call.Zone)
	}
	return fmt.Sprintf("%s (%s %s)", o.text, o.how, said)
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
				one.at, one.how = c.End, "over"
			case c.Kind == domain.ItemReminder && c.Standing != domain.StandingDropped && c.Told != 0:
				one.at, one.how = c.Told, "told"
			}
			if one.how != "" && one.at >= from && one.at < to {
				out = append(out, one)
			}
		}
	})
	slices.SortFunc(out, func(a, b ended) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Position, b.Position)) })
	for i, one := range out {
		var err error
		if _, out[i].text, err = s.read(ctx, one.TextID); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// doneToday are the lines of what was done, told or over today, the latest of them.
func (s *skills) doneToday(ctx context.Context, call tool.SkillCall) ([]string, error) {
	all, err := s.overIn(ctx, domain.MillisOf(midnight(call.Now, call.Zone)), call.Now+1)
	if err != nil {
		return nil, err
	}
	var lines []string
	if more := len(all) - doneShown; more > 0 {
		lines, all = append(lines, fmt.Sprintf("%d more, earlier", more)), all[more:]
	}
	for _, one := range all {
		lines = append(lines, one.line(call))
	}
	return lines, nil
}

// doneIn tells what was done, told or over in a period; in none today.
func (s *skills) doneIn(ctx context.Context, during string, call tool.SkillCall) (tool.SkillDone, error) {
	title, from, to := "Done today", domain.MillisOf(midnight(call.Now, call.Zone)), call.Now+1
	if !blank(during) && !strings.EqualFold(strings.TrimSpace(during), "today") {
		var err error
		if from, to, err = when.During(during, call.Now, call.Zone); err != nil {
			return asksBack(err)
		}
		title = "Done " + strings.TrimSpace(during)
	}
	all, err := s.overIn(ctx, from, to)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if len(all) == 0 {
		return says("Nothing was d" + title[1:] + ", and nothing that was planned is over.")
	}
	lines := make([]string, len(all))
	told := make([]planned, len(all))
	for i, one := range all {
		lines[i], told[i] = one.line(call), one.planned
	}
	done, err := answered(title+": "+strings.Join(lines, "; ")+".", []domain.Block{domain.HeaderBlock(title, 3), domain.ListBlock(lines...)}, nil)
	return mentioning(done, err, told)
}
