package skill

import (
	"context"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// againHelp describes the parameter with which a plan is made though it is there already.
const againHelp = "True to make it though the same is planned already: the answer asks about that first."

// sameWords reports whether two texts say the same, whatever their letters' case, spaces and
// punctuation.
func sameWords(a, b string) bool {
	same := strings.EqualFold(lettersOf(a), lettersOf(b))
	return same && (lettersOf(a) != "" || strings.EqualFold(a, b))
}

// alreadyPlanned asks about an open reminder or task with the same words and the same time;
// none when there is none. Times are the same when they are told alike, to the minute.
func (s *skills) alreadyPlanned(ctx context.Context, call tool.SkillCall, kind domain.ItemKind, text string, timing domain.Timing) (question speech.Message, err error) {
	if err := s.caughtUp(ctx); err != nil {
		return question, err
	}
	var all []domain.Commitment
	s.cfg.Plans.Read(func(p *domain.Plans) { all = p.Commitments.List() })
	minute := domain.Millis(time.Minute.Milliseconds())
	for _, one := range all {
		if one.Kind != kind || one.Recurs != (timing.Recurrence != nil) || !one.Recurs && one.Due/minute != timing.Due/minute {
			continue
		}
		_, words, err := s.read(ctx, one.TextID)
		if err != nil {
			return question, err
		}
		if !sameWords(words, text) {
			continue
		}
		if one.Recurs {
			if same, err := s.comesBackAs(ctx, one, timing, call.Now); err != nil || !same {
				if err != nil {
					return question, err
				}
				continue
			}
		}
		there := planned{Commitment: one, text: words}
		if kind == domain.ItemTask {
			return say("task.there", args{"what": there.its(), "until": moment(timing.Due, call)}), nil
		}
		if timing.Recurrence != nil {
			return say("reminder.there", args{"what": there.its(), "again": speech.Again{Rule: timing.Recurrence.Rule}}), nil
		}
		return say("reminder.there", args{"what": there.its(), "at": moment(timing.Due, call)}), nil
	}
	return question, nil
}

// comesBackAs reports whether a reminder comes back by a rule, from the same moment on.
func (s *skills) comesBackAs(ctx context.Context, one domain.Commitment, timing domain.Timing, now domain.Millis) (bool, error) {
	rec, err := s.cfg.Reader.Find(ctx, one.Timing)
	if err != nil {
		return false, err
	}
	known, err := domain.TimingOf(rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased || err == nil && known.Recurrence == nil {
		return false, nil // nobody knows any more how it comes back
	}
	if err != nil {
		return false, err
	}
	return known.Recurrence.Rule == timing.Recurrence.Rule && known.Zone == timing.Zone && when.Next(*known.Recurrence, now, commands.ZoneOf(known.Zone)) == timing.Due, nil
}
