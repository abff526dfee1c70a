package skill

import (
	"context"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// againHelp describes the parameter with which a plan is made though it is there already.
const againHelp = "True to make it though the same is planned already: the answer asks about that first."

// alreadyPlanned asks about an open plan of a kind with the same words and the same time; false when there is none. Times
// are the same when they are told alike, to the minute, and of what takes place when it begins then.
func (s *skills) alreadyPlanned(ctx context.Context, call tool.SkillCall, kind domain.ItemKind, p domain.Plan) (
	done tool.SkillDone, there bool, err error) {
	if err := s.caughtUp(ctx); err != nil {
		return done, false, err
	}
	var all []domain.Commitment
	s.cfg.Plans.Read(func(p *domain.Plans) { all = p.Commitments.List() })
	minute, timing := domain.Millis(time.Minute.Milliseconds()), p.Time.Timing()
	for _, one := range all {
		comesBack := one.Recurs || timing.Recurrence != nil
		switch {
		case one.Kind != kind, kind.TakesPlace() && one.Due != timing.Due:
			continue
		case !kind.TakesPlace() && (one.Recurs != (timing.Recurrence != nil) || !comesBack && one.Due/minute != timing.Due/minute):
			continue
		}
		_, words, err := s.read(ctx, one.TextID)
		if err != nil {
			return done, false, err
		}
		if !bynames.SameWords(words, p.Text) {
			continue
		}
		if comesBack && !kind.TakesPlace() {
			if same, err := s.comesBackAs(ctx, one, timing, call.Now); err != nil {
				return done, false, err
			} else if !same {
				continue
			}
		}
		what := planned{Commitment: one, text: words}.its()
		label, there := speech.Kind("add_anyway"), args{"kind": speech.Kind(kind), "what": what}
		switch {
		case kind == domain.ItemAppointment:
			there["span"] = spanOf(p.Time, call)
		case kind == domain.ItemTask:
			there["until"] = moment(timing.Due, call)
		case comesBack:
			label, there["again"] = "set_anyway", speech.Again{Rule: timing.Recurrence.Rule}
		default:
			label, there["at"] = "set_anyway", moment(timing.Due, call)
		}
		anyway := tool.Answer{Says: say("label.word", args{"on": label}), With: map[string]any{"again": true}}
		done, err := ask(say("plan.there", there), anyway, no())
		return done, true, err
	}
	return done, false, nil
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
	same := known.Recurrence.Rule == timing.Recurrence.Rule && known.Zone == timing.Zone
	return same && when.Next(*known.Recurrence, now, commands.ZoneOf(known.Zone)) == timing.Due, nil
}
