package skill

import (
	"context"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
)

// endTogether ends plans of several kinds that a naming names by their ids; false when it names
// others, or all are of one kind.
func (s *skills) endTogether(ctx context.Context, call tool.SkillCall, n naming) (tool.SkillDone, bool, error) {
	ids := idsIn(n.Which)
	if len(ids) < 2 {
		return tool.SkillDone{}, false, nil
	}
	open, through, err := s.open(ctx, "")
	if err == nil {
		open, err = s.timed(ctx, dated(open, call))
	}
	if err != nil {
		return tool.SkillDone{}, false, err
	}
	var found []planned
	kinds := map[domain.ItemKind]bool{}
	for _, id := range ids {
		one, question := pick(id.UUID(), "plan", open)
		if !question.IsZero() {
			done, err := ask(question)
			return done, true, err
		}
		found, kinds[one.Kind] = append(found, one), true
	}
	if len(kinds) < 2 {
		return tool.SkillDone{}, false, nil
	}
	if done, ask, err := confirming("cancel", "plan", selection{plans: found}, n); ask {
		return done, true, err
	}
	how := ending{noun: "plan", deed: "cancel", end: func(p planned) (domain.Entry, error) {
		return s.happens(call, p.Commitment, domain.PlanDropped, domain.Plan{})
	}}
	done, err := s.endEach(how, found, through, nil)
	return done, true, err
}

// idsIn are the ids that a text is a row of; none when there is anything else in it.
func idsIn(text string) []domain.ID {
	var out []domain.ID
	for part := range strings.SplitSeq(text, " and ") {
		id, err := domain.ParseID(strings.TrimSpace(part))
		if err != nil {
			return nil
		}
		out = append(out, id)
	}
	return out
}

// movingEach moves plans that a naming names by their ids, each as it is moved alone: all of them, or
// none where one can't be. More than two are asked about first.
func movingEach(call tool.SkillCall, noun speech.Kind, found selection, n naming, move func(planned) (tool.SkillDone, error)) (tool.SkillDone, error) {
	if len(idsIn(n.Which)) < 2 {
		return whichOne(noun, found.plans)
	}
	if len(found.plans) > 2 {
		if done, ask, err := confirming("move", noun, found, n); ask {
			return done, err
		}
	}
	var parts []tool.SkillDone
	for _, one := range found.plans {
		done, err := move(one)
		if err != nil || refuses(done) {
			return done, err
		}
		parts = append(parts, done)
	}
	return together(call, parts)
}
