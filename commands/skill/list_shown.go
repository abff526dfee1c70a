package skill

import (
	"context"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
)

// look answers whether entries are on a list, which is at a place, and which are of a sort; or shows
// all lists.
func (k *keeping) look(ctx context.Context) (tool.SkillDone, error) {
	where := k.all
	if k.name != "" {
		if where = named(k.all, k.name); len(where) != 1 {
			return ask(noList(k.name, k.all))
		}
	}
	_, _, placed := bynames.PlaceOnList(k.Item)
	switch {
	case !blank(k.Sort):
		return k.showSort(ctx, where)
	case placed && k.name != "":
		return k.show(ctx, where[0])
	case !blank(k.Item):
		return k.whereIs(ctx, where)
	}
	return k.showLists(ctx, where)
}

// showSort answers which entries of a list, or of all, say that they are of a sort.
func (k *keeping) showSort(ctx context.Context, all []listing) (tool.SkillDone, error) {
	there := k.on(ctx, all...)
	of := matching(k.Sort, there)
	where, found := say("place.lists"), say("lists.found", args{"items": listOf(of, planned.its)})
	if k.name != "" {
		where, found = all[0].place(), all[0].says("list.found", of)
	}
	switch {
	case len(of) > 0:
		return tell(found)
	case len(there) == 0:
		return tell(say("list.nothing_on", args{"place": where}))
	}
	return tell(untold(k.Sort, where, there))
}

// whereIs answers whether entries are on some lists, and on which.
func (k *keeping) whereIs(ctx context.Context, where []listing) (out tool.SkillDone, err error) {
	line := func(m speech.Message) {
		out.Said = append(out.Said, speech.Said{As: speech.Told, Says: []speech.Message{m}})
	}
	for _, text := range bynames.Items(k.Item) {
		before := len(out.Said)
		for _, l := range where {
			for _, item := range matching(text, k.on(ctx, l)) {
				line(say("list.has", args{"what": item.its(), "list": l.its()}))
			}
		}
		switch {
		case len(out.Said) > before:
		case k.name == "":
			line(say("list.has_not", args{"what": theirOwn(text), "place": say("place.lists")}))
		default:
			there := orNone(alikeApart(k.on(ctx, where[0])))
			line(say("list.has_not", args{"what": theirOwn(text), "place": where[0].place(), "there": there}))
		}
	}
	return out, nil
}

// show tells what is on a list, how much, or what is at a place on it.
func (k *keeping) show(ctx context.Context, one listing) (tool.SkillDone, error) {
	all, placed := k.on(ctx, one), !blank(k.Item)
	found := matching(k.Item, all)
	at, ok := atPlace(k.Item, all)
	switch {
	case len(all) == 0:
		return tell(say("list.empty", args{"list": one.its()}))
	case placed && len(found) > 0:
		return tell(one.says("list.found", found))
	case ok:
		place := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(k.Item)), "the ")
		return tell(one.says("list.at_place", at, args{"place": theirOwn(place)}))
	case placed, k.Count:
		return tell(one.says("list.counted", all, args{"n": speech.Count(len(all))}))
	}
	words := make([]string, len(all))
	for i, p := range all {
		words[i] = p.text
	}
	return pointing(listed(one.says("list.shown", all)), map[string]any{"list": one.name, "items": words})
}

// entriesShown bounds the entries of each list that are shown where all lists are.
const entriesShown = 20

// showLists tells which lists there are, and what is on each; or how many.
func (k *keeping) showLists(ctx context.Context, all []listing) (tool.SkillDone, error) {
	switch {
	case len(all) == 0:
		return tell(say("plan.none_such", args{"kind": speech.Kind("list")}))
	case k.Count:
		return tell(say("lists.counted", args{"n": speech.Count(len(all)), "lists": listOf(all, listing.its)}))
	}
	return listed(say("lists.shown", args{"lists": listOf(all, func(l listing) speech.Message {
		shown := l
		shown.Items = l.Items[:min(len(l.Items), entriesShown)]
		switch more := len(l.Items) - len(shown.Items); {
		case len(shown.Items) == 0:
			return say("list.holds_nothing", args{"list": l.its()})
		case more > 0:
			return l.says("list.shown", k.on(ctx, shown), args{"more": speech.Count(more)})
		}
		return l.says("list.shown", k.on(ctx, shown))
	})})), nil
}

// its is the name of a list.
func (l listing) its() speech.Text { return speech.Text{Words: l.name, In: l.ID} }

// place is where an entry of a list is.
func (l listing) place() speech.Message { return say("place.list", args{"list": l.its()}) }

// says is a message about entries of a list.
func (l listing) says(id speech.ID, items []planned, more ...args) speech.Message {
	return say(id, append(more, args{"list": l.its(), "items": listOf(items, planned.its)})...)
}

// eachNamed are things as the answers to which of them is meant.
func eachNamed(all []planned, with func(planned) map[string]any) (out []tool.Answer) {
	for _, p := range all[:min(len(all), maxNamed)] {
		out = append(out, tool.Answer{Label: p.text, With: with(p)})
	}
	return out
}

// eachList are lists as the answers to which of them is meant.
func eachList(all []listing) []tool.Answer {
	return eachNamed(byTheirNames(all), func(p planned) map[string]any { return map[string]any{"list": p.text} })
}

// called are lists by their names, in a question.
func called(all []listing) speech.List { return alikeApart(byTheirNames(all)) }

func byTheirNames(all []listing) []planned {
	out := make([]planned, len(all))
	for i, l := range all {
		out[i] = planned{Commitment: domain.Commitment{ID: l.ID}, text: l.name}
	}
	return out
}

// noList says that there is no list of a name, and which there are.
func noList(name string, all []listing) speech.Message {
	return say("plan.none_such", args{"kind": speech.Kind("list"), "which": theirOwn(name), "there": orNone(called(all))})
}

// untold says that a list doesn't say which entries are of a sort.
func untold(sort string, where speech.Message, there []planned) speech.Message {
	return say("list.untold", args{"sort": theirOwn(strings.TrimSpace(sort)), "place": where, "there": alikeApart(there)})
}

// orNone is a list as an argument that isn't given where nothing is on it.
func orNone(all speech.List) speech.Value {
	if len(all) == 0 {
		return nil
	}
	return all
}

// sure asks for a yes before something is lost.
func sure(question speech.Message, answers ...tool.Answer) (tool.SkillDone, error) {
	return askAll([]speech.Message{question, say("say_yes")}, answers...)
}

// listOf are some things as an argument.
func listOf[T any, V speech.Value](all []T, of func(T) V) speech.List {
	out := make(speech.List, len(all))
	for i, one := range all {
		out[i] = of(one)
	}
	return out
}

// listed is a message whose list is shown below what is said without it.
func listed(m speech.Message) tool.SkillDone {
	return tool.SkillDone{Said: []speech.Said{{As: speech.Listed, Says: []speech.Message{m}}}}
}
