package skill

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/when"
)

// verbs are what happens to plans, by the actions that ask for it of one kind or another.
var verbs = map[string]domain.PlanVerb{
	"cancel": domain.PlanDropped, "drop": domain.PlanDropped, "remove": domain.PlanDropped,
	"done": domain.PlanDone, "complete": domain.PlanDone, "move": domain.PlanChanged,
}

// actionOf is the action by which a kind of plan has what another one's action asks for; "" where it
// has none. What comes back may be skipped, and what is removed from a list may be a task.
func actionOf(action string, kind domain.PlanKind) string {
	skips := action == "skip" && kind.Kind.IsTold()
	switch {
	case skips:
		return action
	case action == "remove" && kind.Kind.IsTold():
		return ""
	}
	return kind.Verbs[verbs[action]].Action
}

// changedTo is what is to become of a plan that is moved.
type changedTo struct {
	when   string
	always bool   // all times of it
	except string // days that are left out from now on
}

// give adds it to the parameters for a plan of a kind.
func (to changedTo) give(params map[string]any, kind domain.ItemKind) {
	switch {
	case kind == domain.ItemTask && to.when != "":
		params["deadline"] = to.when
	case to.when != "":
		params["when"] = to.when
	}
	if kind == domain.ItemTask {
		return
	}
	if to.always {
		params["always"] = true
	}
	if to.except != "" {
		params["except"] = to.except
	}
}

// elsewhere changes a plan of another kind than was said, when no plan of that kind has the words
// that name it and exactly one of the others has them: who cancels kickball may mean its alarm.
// It is false when there is none.
func (s *skills) elsewhere(ctx context.Context, call tool.SkillCall, n naming, kind domain.ItemKind, action string, to changedTo) (tool.SkillDone, bool, error) {
	telling := slices.DeleteFunc(bynames.TellingWords(n.Which), func(w string) bool { return generic[w] })
	if _, err := domain.ParseID(strings.TrimSpace(n.Which)); err == nil || len(telling) == 0 && blank(n.About) || n.All {
		return tool.SkillDone{}, false, nil
	}
	var found []planned
	during := n.During
	var asked selection // which of several of one other kind is meant
	for _, k := range domain.Events().Kinds() {
		if k.Kind == kind || actionOf(action, k) == "" {
			continue
		}
		all, _, err := s.open(ctx, k.Kind)
		if verb := verbs[action]; err == nil && k.Ends == domain.EndsWhenTold && (verb == domain.PlanDone || verb == domain.PlanChanged) {
			told, toldErr := s.recentlyTold(ctx)
			all, err = append(all, told...), toldErr
		}
		if err == nil {
			all, err = s.timed(ctx, dated(all, call))
		}
		if err != nil {
			return tool.SkillDone{}, false, err
		}
		if _, rest, err := when.Narrow(n.Which, call.Now, call.Zone); err == nil && blank(rest) {
			continue // a time alone names no plan of another kind
		}
		if action == "skip" {
			all = comingBack(all)
		}
		of := choose(n, string(k.Kind), all, call)
		if of.isUnclear() && !of.absent {
			if len(of.several) == 0 || len(found) > 0 || len(asked.several) > 0 {
				return tool.SkillDone{}, false, nil // several may be meant, of several kinds
			}
			asked = of
			continue
		}
		if len(of.plans) > 0 {
			found, during = append(found, of.plans...), of.during
		}
	}
	if len(asked.several) > 0 && len(found) == 0 {
		done, err := s.whichElsewhere(asked, action, to)
		return done, true, err
	}
	if len(found) != 1 || len(asked.several) > 0 {
		return tool.SkillDone{}, false, nil
	}
	one := found[0]
	given := one.changing(action, to)
	given["confirmed"] = n.Confirmed
	if during != "" && one.Kind != domain.ItemTask {
		given["during"] = during
	}
	done, err := s.change(ctx, call, one, given)
	return done, true, err
}

// change does something to one thing by the skill that keeps it.
func (s *skills) change(ctx context.Context, call tool.SkillCall, one planned, given map[string]any) (tool.SkillDone, error) {
	do := s.doAppointment
	switch one.Kind {
	case domain.ItemEntry, itemList:
		do = s.doList
	case domain.ItemTask:
		do = s.doTask
	case domain.ItemReminder:
		do = s.changeReminder
	}
	if one.list == "" {
		given["which"] = one.ID.UUID()
	}
	raw, err := json.Marshal(given)
	if err != nil {
		return tool.SkillDone{}, err
	}
	call.Params = raw
	return do(ctx, call)
}

// procured finds words by which something was got that may have stood on a list.
var procured = regexp.MustCompile(`(?i)^(?:bought|purchased|gotten|got|picked up|grabbed|collected|packed) `)

// offLists takes what was bought off the list on which it stands, when it is no task; false when
// nothing says that it was bought.
func (s *skills) offLists(ctx context.Context, call tool.SkillCall, said string) (tool.SkillDone, bool, error) {
	verb := procured.FindString(said)
	if verb == "" {
		return tool.SkillDone{}, false, nil
	}
	all, err := s.removable(ctx, call)
	if err != nil {
		return tool.SkillDone{}, false, err
	}
	entries := slices.DeleteFunc(all, func(p planned) bool { return p.Kind != domain.ItemEntry })
	done, err := s.removeAmong(ctx, call, entries, "done", naming{Which: said[len(verb):]})
	for i := range done.Answers { // its buttons name an entry, which is no task
		done.Answers[i].Skill = "remove"
	}
	return done, true, err
}

// changing are the parameters for what is to happen to a plan, in the words of its kind.
func (p planned) changing(action string, to changedTo) map[string]any {
	given := map[string]any{"action": actionOf(action, p.Kind.Plan()), "which": p.ID.UUID()}
	to.give(given, p.Kind)
	return given
}

// whichElsewhere asks which of several plans of another kind than was said is meant.
func (s *skills) whichElsewhere(asked selection, action string, to changedTo) (tool.SkillDone, error) {
	done, err := asked.asks()
	for i := range done.Answers {
		p := asked.several[i]
		done.Answers[i].Skill, done.Answers[i].With = string(p.Kind), p.changing(action, to)
	}
	return done, err
}
