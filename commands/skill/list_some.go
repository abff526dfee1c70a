package skill

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
)

// atPlace are the entries at a place; false when words name none, or there is none there.
func atPlace(item string, all []planned) ([]planned, bool) {
	from, n, ok := bynames.PlaceOnList(item)
	if from < 0 {
		from += len(all) + 1 - n
	}
	if !ok || from < 0 || from+n > len(all) {
		return nil, false
	}
	return all[from : from+n], true
}

// placesTaken are the names of entries, with the ids of those that are named by their place. An
// entry that has the words itself is meant by them.
func placesTaken(wanted []string, all []planned) []string {
	var out []string
	for _, text := range wanted {
		there, ok := atPlace(text, all)
		if _, question := pick(text, "entry", all); !ok || question.IsZero() {
			out = append(out, text)
			continue
		}
		for _, item := range there {
			out = append(out, item.ID.UUID())
		}
	}
	return out
}

// showAsked answers whether entries are on a list, which is at a place, and which are of a sort; or
// shows all lists.
func (s *skills) showAsked(ctx context.Context, all []listing, name string, p listParams) (tool.SkillDone, error) {
	_, _, placed := bynames.PlaceOnList(p.Item)
	switch {
	case !blank(p.Sort):
		return s.showSort(ctx, all, name, p.Sort)
	case placed && name != "":
		return s.showPlaced(ctx, all, name, p.Item)
	case !blank(p.Item):
		return s.whereIs(ctx, all, name, p.Item)
	}
	return s.showLists(ctx, all, p.Count)
}

// showPlaced answers which entry is at a place on a list.
func (s *skills) showPlaced(ctx context.Context, all []listing, name, item string) (tool.SkillDone, error) {
	one, known := named(all, name)
	if !known {
		return ask(noList(name, all))
	}
	there, err := s.entries(ctx, one)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if len(there) == 0 {
		return tell(say("list.empty", args{"list": one.its()}))
	}
	if found := matching(item, there); len(found) > 0 {
		return tell(say("list.found", args{"list": one.its(), "items": textsOf(found)}))
	}
	found, ok := atPlace(item, there)
	if !ok {
		return tell(say("list.counted", args{"n": speech.Count(len(there)), "list": one.its(), "items": textsOf(there)}))
	}
	place := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(item)), "the ")
	return tell(say("list.at_place", args{"place": theirOwn(place), "list": one.its(), "items": textsOf(found)}))
}

// showSort answers which entries of a list, or of all, say that they are of a sort.
func (s *skills) showSort(ctx context.Context, all []listing, name, sort string) (tool.SkillDone, error) {
	where, found := say("place.lists"), say("lists.found")
	if name != "" {
		one, known := named(all, name)
		if !known {
			return ask(noList(name, all))
		}
		all, where, found = []listing{one}, one.place(), say("list.found", args{"list": one.its()})
	}
	var there []planned
	for _, l := range all {
		entries, err := s.entries(ctx, l)
		if err != nil {
			return tool.SkillDone{}, err
		}
		there = append(there, entries...)
	}
	if of := matching(sort, there); len(of) > 0 {
		return tell(say(found.ID, args(found.Args), args{"items": textsOf(of)}))
	}
	if len(there) == 0 {
		return tell(say("list.nothing_on", args{"place": where}))
	}
	return tell(untold(sort, where, there))
}

// takeOffSort takes off the entries whose words say a sort, several only when that was confirmed.
func (s *skills) takeOffSort(ctx context.Context, call tool.SkillCall, one listing, p listParams) (tool.SkillDone, error) {
	there, err := s.entries(ctx, one)
	if err != nil {
		return tool.SkillDone{}, err
	}
	found := matching(p.Sort, there)
	switch {
	case len(there) == 0:
		return tell(say("list.empty", args{"list": one.its()}))
	case len(found) == 0:
		return askAll([]speech.Message{untold(p.Sort, one.place(), there), say("list.which_goes")}, eachEntry(there)...)
	case len(found) > 1 && !p.Confirmed:
		return sure(say("list.take_off_sure", args{"list": one.its(), "items": alikeApart(found)}), yes())
	}
	ids := make([]string, len(found))
	for i, item := range found {
		ids[i] = item.ID.UUID()
	}
	return s.onList(ctx, call, map[string]any{"action": "remove", "list": one.name, "item": strings.Join(ids, ", ")})
}

// untold says that a list doesn't say which entries are of a sort.
func untold(sort string, where speech.Message, there []planned) speech.Message {
	return say("list.untold", args{"sort": theirOwn(strings.TrimSpace(sort)), "place": where, "there": alikeApart(there)})
}

// place is where an entry of a list is.
func (l listing) place() speech.Message { return say("place.list", args{"list": l.its()}) }

// eachEntry are entries as the answers to which of them should go.
func eachEntry(all []planned) []tool.Answer {
	out := make([]tool.Answer, 0, maxNamed)
	for _, p := range all[:min(len(all), maxNamed)] {
		out = append(out, tool.Answer{Label: p.text, With: map[string]any{"item": p.ID.UUID(), "sort": nil}})
	}
	return out
}

func textsOf(all []planned) speech.List {
	texts := make(speech.List, len(all))
	for i, p := range all {
		texts[i] = p.its()
	}
	return texts
}

// countLists tells how many lists there are, and which.
func (s *skills) countLists(ctx context.Context) (tool.SkillDone, error) {
	all, _, err := s.lists(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	return s.showLists(ctx, all, true)
}

// listsTogether are the lists that a name with "and" in it names; none when it is the name of one.
// unknown is the part of it that names none, where another does.
func listsTogether(all []listing, name string) (some []listing, unknown string) {
	parts := bynames.Several(name)
	if _, known := named(all, name); known || len(parts) < 2 {
		return nil, ""
	}
	for _, part := range parts {
		if one, known := named(all, listName(part)); known {
			some = append(some, one)
		} else {
			unknown = part
		}
	}
	if len(some) == 0 {
		unknown = ""
	}
	return some, unknown
}

// doLists does the same to several lists; all of them are emptied or removed only when that was
// confirmed.
func (s *skills) doLists(ctx context.Context, call tool.SkillCall, some []listing, action string, p listParams) (tool.SkillDone, error) {
	switch {
	case len(some) == 0:
		return tell(say("lists.none"))
	case action == "show" && blank(p.Item, p.Sort):
		return s.showLists(ctx, some, p.Count)
	case (action == "clear" || action == "drop") && !p.Confirmed:
		return sure(say("lists.sure", args{"how": speech.Kind(action), "n": speech.Count(len(some)), "lists": called(some)}), yes())
	}
	items, err := s.itemsOnEach(ctx, some, action, p.Item)
	if err != nil {
		return tool.SkillDone{}, err
	}
	var parts []tool.SkillDone
	for i, one := range some {
		if p.Item != "" && items[i] == "" {
			continue
		}
		given := map[string]any{"action": action, "list": one.name, "confirmed": p.Confirmed}
		for name, value := range map[string]string{"item": items[i], "sort": p.Sort, "except": p.Except} {
			if !blank(value) {
				given[name] = value
			}
		}
		done, err := s.onList(ctx, call, given)
		if err != nil || refuses(done) {
			return done, err
		}
		for _, part := range done.Said {
			for i, m := range part.Says {
				if m.ID == "list.already" { // one doesn't see of which
					part.Says[i] = say(m.ID, args(m.Args), args{"list": one.its()})
				}
			}
		}
		parts = append(parts, done)
	}
	return together(call, parts)
}

// itemsOnEach are the entries that are meant on each of some lists: of those that go, the ones that
// stand there, where all stand somewhere.
func (s *skills) itemsOnEach(ctx context.Context, some []listing, action, items string) ([]string, error) {
	out := slices.Repeat([]string{items}, len(some))
	if action != "remove" || blank(items) {
		return out, nil
	}
	there := make([][]string, len(some))
	for _, text := range bynames.Items(items) {
		found := false
		for i, l := range some {
			entries, err := s.entries(ctx, l)
			if err != nil {
				return nil, err
			}
			_, placed := atPlace(text, entries)
			if placed || len(matching(text, entries)) > 0 {
				found, there[i] = true, append(there[i], text)
			}
		}
		if !found {
			return out, nil
		}
	}
	for i := range some {
		out[i] = strings.Join(there[i], ", ")
	}
	return out, nil
}

// onList is a call of the skill that keeps lists.
func (s *skills) onList(ctx context.Context, call tool.SkillCall, given map[string]any) (tool.SkillDone, error) {
	raw, err := json.Marshal(given)
	if err != nil {
		return tool.SkillDone{}, err
	}
	call.Params = raw
	return s.doList(ctx, call)
}
