package skill

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
)

// remove takes away what some words name, whatever it is.
func (s *skills) remove() tool.Skill {
	return skill{effects: true, takesBack: true, do: s.doRemove, tool: domain.Tool{
		Name:        "remove",
		Description: "Remove something whose kind wasn't said: a reminder, an appointment, a task, an entry of a list, or a list.",
		Documentation: "It looks through all of them with the same words and the same time. The only one that fits is cancelled, dropped or " +
			"taken off; of several the answer asks which one; " +
			"a list with entries goes when confirmed is given too. Where the kind was said, use its own skill.",
		Parameters: append([]domain.Parameter{
			{Name: "action", Type: domain.TypeString, Description: "remove, done or skip. Left out: remove. done completes a task; skip leaves " +
				"out one time of what comes back."},
		}, slices.DeleteFunc(namingParameters("plan, entry or list"), func(p domain.Parameter) bool { return p.Name == "all" })...),
	}}
}

// itemList is what can be removed besides plans and entries.
const itemList domain.ItemKind = "list"

type removeParams struct {
	naming
	Action string
}

// removals are the words by which the skill is asked for what happens to what it finds.
var removals = map[string]domain.PlanVerb{"": domain.PlanDropped, "remove": domain.PlanDropped, "done": domain.PlanDone, "skip": skipped}

func (s *skills) doRemove(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[removeParams](call)
	if err != nil {
		return asksBack(err)
	}
	action := strings.ToLower(strings.TrimSpace(p.Action))
	if _, known := removals[action]; !known {
		return ask(say("none_of_them", args{"of": speech.Kind("anything"), "said": theirOwn(p.Action)}))
	}
	all, err := s.removable(ctx, call)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if id, err := domain.ParseID(strings.TrimSpace(p.Which)); err == nil {
		at := slices.IndexFunc(all, func(one planned) bool { return one.ID == id })
		if at < 0 {
			return tell(say("plan.none", args{"kind": anything, "id": speech.Ref(id)}))
		}
		return s.removeOne(ctx, call, all[at], action, p.naming, p.During)
	}
	if len(bynames.OneOf(p.Which)) == 0 && blank(p.During, p.About) {
		return ask(say("ask.what_to", args{"do": speech.Kind("remove")}))
	}
	return s.removeAmong(ctx, call, all, action, p.naming)
}

// anything is what is removed, whatever it is.
const anything speech.Kind = "anything"

// removeAmong removes what a naming names among some things: one, or several that it names one by
// one.
func (s *skills) removeAmong(ctx context.Context, call tool.SkillCall, all []planned, action string, n naming) (tool.SkillDone, error) {
	found, during, unclear := having(n, all, call)
	names := bynames.Several(n.Which)
	switch {
	case unclear != nil:
		return unclear.asks()
	case len(found) == 0 && len(names) > 1:
		return s.removeEach(ctx, call, all, names, action, n)
	case len(found) == 0:
		return tell(nothingLike(n, call))
	case len(found) > 1:
		question := say("plan.which", args{"kind": anything, "plans": withTimes(found, maxNamed)})
		if slices.ContainsFunc(found, func(p planned) bool { return p.list != "" }) {
			return ask(question, eachOf(found)...)
		}
		return asksWhich(question, found)
	case !n.Confirmed && bynames.BeginsOnly(n.Which, found[0].known()):
		return askAll([]speech.Message{say("plan.meant", args{"plans": withTimes(found, maxNamed)}), say("say_yes")}, yes())
	}
	return s.removeOne(ctx, call, found[0], action, n, during)
}

// known are all words by which a plan is known.
func (p planned) known() string {
	return p.text + " " + p.due + " " + p.appointment.Place + " " + strings.Join(p.appointment.People, " ")
}

// removable is all that can be removed: open plans, the entries of lists, and the lists.
func (s *skills) removable(ctx context.Context, call tool.SkillCall) ([]planned, error) {
	all, _, err := s.open(ctx, "")
	if err == nil {
		all, err = s.timed(ctx, dated(all, call))
	}
	if err != nil {
		return nil, err
	}
	lists, _, err := s.lists(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range lists {
		there, err := s.entries(ctx, l)
		if err != nil {
			return nil, err
		}
		for _, item := range there {
			item.Kind, item.list, item.due = domain.ItemEntry, l.name, "on the list "+l.name
			all = append(all, item)
		}
		all = append(all, planned{Commitment: domain.Commitment{ID: l.ID, Kind: itemList}, text: l.name, list: l.name, due: "the list"})
	}
	return all, nil
}

// having is what a naming names among plans, entries and lists, each with what fits best of its own
// sort; during is the period that it was found in.
func having(n naming, all []planned, call tool.SkillCall) (found []planned, during string, unclear *selection) {
	n.All = true
	of := func(is func(domain.ItemKind) bool) (out []planned) {
		for _, p := range all {
			if is(p.Kind) {
				out = append(out, p)
			}
		}
		return out
	}
	isEntry := func(k domain.ItemKind) bool { return k == domain.ItemEntry }
	for _, sort := range [][]planned{of(domain.ItemKind.IsPlan), of(isEntry)} {
		switch chosen := chooseOne(n, "plan", sort, call); {
		case chosen.absent:
		case chosen.isUnclear():
			chosen.several = nil
			return nil, "", &chosen
		default:
			found = append(found, only(chosen.plans, func(p planned) bool { return p.list == "" || bynames.SaysAny(n.Which, p.text) })...)
			if chosen.during != "" {
				during = chosen.during
			}
		}
	}
	if blank(n.Which) || !blank(n.During) {
		return found, during, nil
	}
	said, partly := bynames.Stems(bynames.ListName(n.Which)), []planned(nil)
	for _, l := range of(func(k domain.ItemKind) bool { return k == itemList }) {
		words := bynames.Stems(l.text)
		if slices.Equal(words, said) {
			return append(found, l), during, nil
		}
		if len(said) > 0 && bynames.HasAll(words, said) {
			partly = append(partly, l)
		}
	}
	return append(found, partly...), during, nil
}

// nothingLike says that there is nothing that a naming names.
func nothingLike(n naming, call tool.SkillCall) speech.Message {
	named := args{"kind": anything}
	if which := strings.TrimSpace(n.Which + " " + n.About); which != "" {
		named["which"] = theirOwn(which)
	}
	if period := periodSaid(n.During, call); period != nil {
		return say("plan.none_such", named, args{"period": period})
	}
	return say("plan.none", named)
}

// removeEach removes several things that are named together, when each name fits one; of what is done the
// others are ticked off, and what there isn't is told. Plans go only when that was confirmed.
func (s *skills) removeEach(ctx context.Context, call tool.SkillCall, all []planned, names []string, action string,
	n naming) (tool.SkillDone, error) {
	var found []planned
	var absent []speech.Message
	plans := false
	for _, name := range names {
		one := naming{Which: name, During: n.During}
		fitting, _, unclear := having(one, all, call)
		switch {
		case unclear != nil:
			return unclear.asks()
		case len(fitting) == 0 && action == "done" && name != "":
			absent = append(absent, nothingLike(one, call))
			continue
		case name == "", len(fitting) == 0:
			return tell(nothingLike(one, call))
		case len(fitting) > 1:
			which := args{"which": theirOwn(name), "plans": withTimes(fitting, maxNamed)}
			return ask(say("plan.one_at_a_time", which, args{"kind": anything}))
		}
		plans = plans || fitting[0].Kind != domain.ItemEntry || bynames.BeginsOnly(name, fitting[0].known())
		found = append(found, fitting[0])
	}
	if len(found) == 0 {
		return tell(nothingLike(n, call))
	}
	if plans && !n.Confirmed {
		all := args{"n": speech.Count(len(found)), "kind": anything, "plans": withTimes(found, maxNamed)}
		return askAll([]speech.Message{say("plans.sure", all, args{"deed": speech.Kind("remove")}), say("say_yes")}, yes())
	}
	var parts []tool.SkillDone
	for _, one := range found {
		done, err := s.removeOne(ctx, call, one, action, n, "")
		if err != nil || refuses(done) {
			return done, err
		}
		parts = append(parts, done)
	}
	for _, m := range absent {
		told, _ := tell(m)
		parts = append(parts, told)
	}
	return together(call, parts)
}

// removeOne removes one thing by the skill that keeps it, or by what happens to plans of its kind.
func (s *skills) removeOne(ctx context.Context, call tool.SkillCall, one planned, action string, n naming, during string) (
	done tool.SkillDone, err error) {
	switch one.Kind {
	case domain.ItemEntry:
		done, err = s.changeLists(ctx, call, listRequest{Action: "remove", List: one.list, Item: one.ID.UUID()})
	case itemList:
		done, err = s.changeLists(ctx, call, listRequest{Action: "drop", List: one.list, Confirmed: n.Confirmed})
	default:
		r := request{kind: one.Kind, verb: removals[action], naming: naming{Which: one.ID.UUID(), Confirmed: n.Confirmed}}
		if _, wrong := bynames.During(during, call.Now, call.Zone); wrong == nil && one.Kind.IsTold() {
			r.During = during
		}
		if !r.isFor(one.Kind.Plan()) {
			r.verb = domain.PlanDropped
		}
		done, err = s.changePlans(ctx, call, r)
	}
	for i := range done.Answers { // the words found it only among all
		if done.Answers[i].Skill == "" {
			done.Answers[i].With["which"] = one.ID.UUID()
		}
	}
	return done, err
}

// offLists takes what was bought off the list on which it stands, when it is no task; false when
// nothing says that it was bought.
func (s *skills) offLists(ctx context.Context, call tool.SkillCall, said string) (tool.SkillDone, bool, error) {
	bought, ok := bynames.Procured(said)
	if !ok {
		return tool.SkillDone{}, false, nil
	}
	all, err := s.removable(ctx, call)
	if err != nil {
		return tool.SkillDone{}, false, err
	}
	entries := slices.DeleteFunc(all, func(p planned) bool { return p.Kind != domain.ItemEntry })
	done, err := s.removeAmong(ctx, call, entries, "done", naming{Which: bought})
	for i := range done.Answers { // its buttons name an entry, which is no task
		done.Answers[i].Skill = "remove"
	}
	return done, true, err
}

// together are the answers to what was done at once as one.
func together(call tool.SkillCall, parts []tool.SkillDone) (tool.SkillDone, error) {
	values := !slices.ContainsFunc(parts, func(p tool.SkillDone) bool { return len(p.Said) == 0 })
	var texts []string
	var spoken []json.RawMessage
	var out tool.SkillDone
	for _, part := range parts {
		if values {
			out.Said = append(out.Said, part.Said...)
		} else {
			var err error
			if part, err = worded(part, call, speech.English()); err != nil {
				return out, err
			}
			texts = append(texts, *part.Result.Text)
			out.Result.Blocks = append(out.Result.Blocks, part.Result.Blocks...)
		}
		if len(part.Result.Data) > 0 {
			spoken = append(spoken, part.Result.Data)
		}
		out.Entries = append(out.Entries, part.Entries...)
		for _, c := range part.Conditions {
			if !slices.Contains(out.Conditions, c) {
				out.Conditions = append(out.Conditions, c)
			}
		}
	}
	if !values {
		text := strings.Join(texts, "\n")
		out.Result.Text = &text
	}
	if len(spoken) == 0 {
		return out, nil
	}
	return pointing(out, map[string]any{"plans": spoken})
}
