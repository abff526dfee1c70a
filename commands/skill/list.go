package skill

import (
	"context"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
)

// list keeps lists.
func (s *skills) list() tool.Skill {
	return skill{effects: true, do: s.doList, lacks: listLacks, tool: domain.Tool{
		Name:        "list",
		Description: "Keep lists, such as a shopping list: add and remove entries, show a list, or remove a whole one.",
		Documentation: "action is add, remove, show, create, clear or drop. add makes the list if there is none of that name; several entries are separated by commas. " +
			"A list is found by words of its name: gifts is enough for Christmas gifts. " +
			"remove takes entries off by their words, or by their place: the last item, the first two; clear takes all of them off, and drop removes the list with all that is on it: both ask first, unless confirmed is true. show without a list shows them all; with an item it answers whether and where that is, with count how many there are. Several lists may be named at once, with \"and\" between them.",
		Parameters: []domain.Parameter{
			{Name: "action", Type: domain.TypeString, Description: "add, remove, show, create, clear or drop. Left out: add with an item, show without."},
			{Name: "list", Type: domain.TypeString, Description: "The name of the list, such as shopping. May be left out when there is only one, or only one has the entry that goes."},
			{Name: "item", Type: domain.TypeString, Description: "The entry, or several separated by commas."},
			{Name: "sort", Type: domain.TypeString, Description: "For show and remove: a sort of entries, such as fruit; those whose words say it."},
			{Name: "all", Type: domain.TypeBoolean, Description: "For clear and drop: true for all lists."},
			{Name: "count", Type: domain.TypeBoolean, Description: "For show: true to ask how many there are."},
			{Name: "existing", Type: domain.TypeBoolean, Description: "True when only a list that there is can be meant: add makes none then."},
			{Name: "except", Type: domain.TypeString, Description: "For clear: the entries that stay, separated by commas."},
			{Name: "confirmed", Type: domain.TypeBoolean, Description: "True when the person has said yes to losing all entries of a list."},
		},
	}}
}

type listParams struct {
	Action, List, Item, Except, Sort string
	Existing, Confirmed, All, Count  bool
}

// listing is a list with its words.
type listing struct {
	domain.Listing
	name string
}

func (s *skills) doList(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[listParams](call)
	if err != nil {
		return asksBack(err)
	}
	all, through, err := s.lists(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	action := strings.ToLower(strings.TrimSpace(p.Action))
	if action == "" {
		action = "show"
		if strings.TrimSpace(p.Item) != "" {
			action = "add"
		}
	}
	name := listName(p.List)
	if some, unknown := listsTogether(all, name); unknown != "" {
		return ask(noList(unknown, all))
	} else if len(some) > 0 {
		return s.doLists(ctx, call, some, action, p)
	}
	switch {
	case p.All && slices.Contains([]string{"add", "remove", "clear", "drop"}, action):
		return s.doLists(ctx, call, all, action, p)
	case action == "show" && (name == "" || !blank(p.Sort, p.Item)):
		return s.showAsked(ctx, all, name, p)
	case action == "create" && name == "":
		return ask(say("list.what_name"))
	case name == "" && len(all) == 1:
		name = all[0].name
	case name == "" && action == "remove":
		if name, err = s.onlyWith(ctx, all, p.Item); err != nil {
			return tool.SkillDone{}, err
		}
		if name == "" { // the tasks are a list, too
			if done, ok, err := s.elsewhere(ctx, call, request{naming: naming{Which: p.Item}, kind: domain.ItemEntry, verb: domain.PlanDropped}); ok || err != nil {
				return done, err
			}
		}
	}
	if name == "" {
		return ask(say("list.which", args{"there": orNone(called(all))}), eachList(all)...)
	}
	return s.doNamed(ctx, call, all, name, through, action, p)
}

// doNamed does what is to be done with the list of a name.
func (s *skills) doNamed(ctx context.Context, call tool.SkillCall, all []listing, name string, through domain.Position, action string, p listParams) (tool.SkillDone, error) {
	one, known := named(all, name)
	if several := alike(all, name); !known && len(several) > 1 {
		if action == "show" && isShop(name) {
			return s.showLists(ctx, several, p.Count)
		}
		return ask(say("plan.which", args{"kind": speech.Kind("list"), "plans": called(several)}), eachList(several)...)
	}
	switch action {
	case "add":
		if !known && p.Existing {
			return askAll([]speech.Message{noList(name, all), say("list.to_begin", args{"which": theirOwn(name)})})
		}
		return s.addTo(ctx, call, one, known, name, through, p.Item)
	case "create":
		return s.createList(call, one, known, name, through)
	case "show", "remove", "clear", "drop":
	default:
		return ask(say("list.no_such_action", args{"action": theirOwn(p.Action)}))
	}
	switch {
	case !known && action == "show" && isShop(name):
		return s.showLists(ctx, all, p.Count)
	case !known:
		return ask(noList(name, all))
	case action == "show":
		return s.showList(ctx, one, p.Count)
	case action == "remove" && !blank(p.Sort):
		return s.takeOffSort(ctx, call, one, p)
	case action == "remove":
		return s.takeOff(ctx, call, all, one, through, p.Item)
	}
	return s.emptyList(ctx, call, one, through, action, p)
}

// onlyWith is the name of the only list that has an entry, or all of several; "" when there
// is no such list, or more than one.
func (s *skills) onlyWith(ctx context.Context, all []listing, items string) (name string, err error) {
	for _, l := range all {
		there, err := s.entries(ctx, l)
		if err != nil {
			return "", err
		}
		wanted := bynames.Items(items)
		has := len(wanted) > 0
		for _, text := range wanted {
			_, question := pick(text, "entry", there)
			has = has && question.IsZero()
		}
		switch {
		case has && name != "":
			return "", nil
		case has:
			name = l.name
		}
	}
	return name, nil
}

// createList begins a list that nothing is on yet.
func (s *skills) createList(call tool.SkillCall, one listing, known bool, name string, through domain.Position) (tool.SkillDone, error) {
	if known {
		return tell(say("list.there", args{"list": one.its(), "n": speech.Count(len(one.Items))}))
	}
	list := domain.ListCreated{Name: name}
	if err := list.Check(); err != nil {
		return asksBack(err)
	}
	e, err := entry(s, call, list, list.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	done, err := confirm(say("list.made", args{"list": theirOwn(name)}), map[string]any{"list_id": e.Envelope.ID.UUID()}, e)
	done.Conditions = []domain.Condition{{Key: domain.ListsKey(), After: through}}
	return done, err
}

// emptyList takes all off a list, or removes it. What is on it is lost only when the person
// has said so.
func (s *skills) emptyList(ctx context.Context, call tool.SkillCall, one listing, through domain.Position, action string, p listParams) (tool.SkillDone, error) {
	there, err := s.entries(ctx, one)
	if err != nil {
		return tool.SkillDone{}, err
	}
	stays := map[domain.ID]bool{}
	for _, text := range bynames.Items(p.Except) {
		kept, question := pick(text, "entry", there)
		if !question.IsZero() {
			return ask(question)
		}
		stays[kept.ID] = true
	}
	there = slices.DeleteFunc(there, func(item planned) bool { return stays[item.ID] })
	if len(stays) > 0 && len(there) > 0 && !p.Confirmed {
		return sure(say("list.take_off_sure", args{"list": one.its(), "items": alikeApart(there)}), yes(), no())
	}
	if len(there) > 0 && !p.Confirmed {
		return sure(say("list.sure", args{"how": speech.Kind(action), "list": one.its(), "items": alikeApart(there)}), yes(), no())
	}
	if action == "drop" {
		gone := domain.ListRemoved{ListID: one.ID}
		e, err := entry(s, call, gone, gone.Keys())
		if err != nil {
			return tool.SkillDone{}, err
		}
		return resting(one.ID, through)(confirm(say("list.dropped", args{"list": one.its()}), nil, e))
	}
	var entries []domain.Entry
	for _, item := range there {
		gone := domain.ListItemRemoved{ListID: one.ID, ItemID: item.ID}
		e, err := entry(s, call, gone, gone.Keys())
		if err != nil {
			return tool.SkillDone{}, err
		}
		entries = append(entries, e)
	}
	if len(stays) > 0 {
		return resting(one.ID, through)(confirm(say("list.off", args{"list": one.its(), "items": textsOf(there)}), nil, entries...))
	}
	return resting(one.ID, through)(confirm(say("list.cleared", args{"list": one.its()}), nil, entries...))
}

// lists are all of them, and the position they were folded through.
func (s *skills) lists(ctx context.Context) ([]listing, domain.Position, error) {
	if err := s.caughtUp(ctx); err != nil {
		return nil, 0, err
	}
	var all []domain.Listing
	var through domain.Position
	s.cfg.Plans.Read(func(p *domain.Plans) {
		through = p.Lists.Through
		for _, l := range p.Lists.All {
			l.Items = append([]domain.ID(nil), l.Items...)
			all = append(all, l)
		}
	})
	out := make([]listing, 0, len(all))
	for _, l := range all {
		_, name, err := s.read(ctx, l.ID)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, listing{l, name})
	}
	return out, through, nil
}

// listName is a list's name without what only says that it is one.
func listName(said string) string {
	name := strings.Join(strings.Fields(said), " ")
	for _, front := range []string{"my ", "the "} {
		if len(name) > len(front) && strings.EqualFold(name[:len(front)], front) {
			name = name[len(front):]
		}
	}
	if end := " list"; len(name) > len(end) && strings.EqualFold(name[len(name)-len(end):], end) {
		name = name[:len(name)-len(end)]
	}
	return name
}

// named is the list that a name means: the one of just that name; else one that differs by one
// or many, or by a word of the same meaning; else the only one whose name has all its words.
func named(all []listing, name string) (listing, bool) {
	for _, l := range all {
		if strings.EqualFold(l.name, name) {
			return l, true
		}
	}
	for _, l := range all {
		if slices.Equal(bynames.Stems(l.name), bynames.Stems(name)) {
			return l, true
		}
	}
	if some := alike(all, name); len(some) == 1 {
		return some[0], true
	}
	for _, l := range all {
		if isSlip(strings.ToLower(l.name), strings.ToLower(name)) {
			return l, true
		}
	}
	return listing{}, false
}

// isSlip reports whether a name is another with one letter too many, too few, or exchanged with
// the next one.
func isSlip(name, typed string) bool {
	const short = 5
	if len(typed) < short || len(name) < short || name[0] != typed[0] {
		return false
	}
	if len(typed) > len(name) {
		name, typed = typed, name
	}
	for i := 1; i < len(name); i++ {
		if typed == name[:i]+name[i+1:] || len(typed) == len(name) && i+1 < len(name) && typed == name[:i]+name[i+1:i+2]+name[i:i+1]+name[i+2:] {
			return true
		}
	}
	return false
}

// alike are the lists whose names have all words of a name; of a shop, those of what to buy.
func alike(all []listing, name string) (out []listing) {
	said := bynames.Stems(name)
	for _, l := range all {
		words := bynames.Stems(l.name)
		if len(said) > 0 && !slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(words, w) }) {
			out = append(out, l)
		}
	}
	if len(out) == 0 && isShop(name) {
		buys := func(w string) bool { return slices.Contains(buying, w) }
		return slices.DeleteFunc(slices.Clone(all), func(l listing) bool { return !slices.ContainsFunc(bynames.Stems(l.name), buys) })
	}
	return out
}

// Words for where one buys, and in the names of lists of what to buy.
var (
	shops  = []string{"store", "supermarket", "shop", "market", "mall"}
	buying = []string{"shopping", "grocery", "store", "supermarket", "shop", "market", "mall", "buy"}
)

// isShop reports whether a name is only where one buys.
func isShop(name string) bool {
	words := bynames.Stems(name)
	return len(words) == 1 && slices.Contains(shops, words[0])
}

// eachList are lists as the answers to which of them is meant.
func eachList(all []listing) []tool.Answer {
	out := make([]tool.Answer, 0, maxNamed)
	for _, l := range all[:min(len(all), maxNamed)] {
		out = append(out, tool.Answer{Label: l.name, With: map[string]any{"list": l.name}})
	}
	return out
}

// called are lists by their names, in a question.
func called(all []listing) speech.List {
	names := make([]planned, len(all))
	for i, l := range all {
		names[i] = planned{Commitment: domain.Commitment{ID: l.ID}, text: l.name}
	}
	return alikeApart(names)
}

// its is the name of a list.
func (l listing) its() speech.Text { return speech.Text{Words: l.name, In: l.ID} }

// noList says that there is no list of a name, and which there are.
func noList(name string, all []listing) speech.Message {
	return say("list.no_such", args{"which": theirOwn(name), "there": orNone(called(all))})
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

func (s *skills) addTo(ctx context.Context, call tool.SkillCall, one listing, known bool, name string, through domain.Position, said string) (tool.SkillDone, error) {
	items := bynames.Items(said)
	if len(items) == 0 {
		return ask(say("list.what_on", args{"list": theirOwn(name)}))
	}
	there, err := s.entries(ctx, one)
	if err != nil {
		return tool.SkillDone{}, err
	}
	items, already := newItems(items, there)
	if len(items) == 0 {
		done, err := tell(say("list.already", args{"items": wordsOn(already)}))
		if err != nil {
			return done, err
		}
		return pointing(done, map[string]any{"list_id": one.ID.UUID(), "items": items})
	}
	var out tool.SkillDone
	if !known {
		list := domain.ListCreated{Name: name}
		if err := list.Check(); err != nil {
			return asksBack(err)
		}
		e, err := entry(s, call, list, list.Keys())
		if err != nil {
			return tool.SkillDone{}, err
		}
		one = listing{domain.Listing{ID: e.Envelope.ID}, name}
		out.Entries = append(out.Entries, e)
	}
	// Which lists there are must still be the same; other entries may come meanwhile.
	out.Conditions = []domain.Condition{{Key: domain.ListsKey(), After: through}}
	if len(items) > maxItemsAtOnce || len(one.Items)+len(items) > maxItems {
		return ask(say("list.too_much", args{"most": speech.Count(maxItems), "at_once": speech.Count(maxItemsAtOnce)}))
	}
	for _, text := range items {
		item := domain.ListItemAdded{ListID: one.ID, Text: text}
		if err := item.Check(); err != nil {
			return asksBack(err)
		}
		e, err := entry(s, call, item, item.Keys())
		if err != nil {
			return tool.SkillDone{}, err
		}
		out.Entries = append(out.Entries, e)
	}
	added := say("list.added", args{"list": one.its(), "items": wordsOn(items), "already": orNone(wordsOn(already))})
	done, err := confirm(added, map[string]any{"list_id": one.ID.UUID(), "items": items}, out.Entries...)
	done.Conditions = out.Conditions
	return done, err
}

// wordsOn are entries as they were said.
func wordsOn(items []string) speech.List {
	out := make(speech.List, len(items))
	for i, text := range items {
		out[i] = theirOwn(text)
	}
	return out
}

// newItems are the entries that aren't on a list yet, and those that are already.
func newItems(items []string, there []planned) (fresh, already []string) {
	for _, text := range items {
		same := func(other string) bool { return strings.EqualFold(other, text) }
		switch {
		case slices.ContainsFunc(there, func(p planned) bool { return same(p.text) }):
			already = append(already, text)
		case !slices.ContainsFunc(fresh, same):
			fresh = append(fresh, text)
		}
	}
	return fresh, already
}

// Bounds of a list.
const (
	maxItems       = 1000
	maxItemsAtOnce = 50
)

func (s *skills) entries(ctx context.Context, one listing) ([]planned, error) {
	var out []planned
	for _, id := range one.Items {
		_, text, err := s.read(ctx, id)
		if err != nil {
			return nil, err
		}
		out = append(out, planned{Commitment: domain.Commitment{ID: id}, text: text})
	}
	return out, nil
}

func (s *skills) takeOff(ctx context.Context, call tool.SkillCall, lists []listing, one listing, through domain.Position, said string) (tool.SkillDone, error) {
	all, err := s.entries(ctx, one)
	if err != nil {
		return tool.SkillDone{}, err
	}
	wanted := bynames.Items(said)
	if len(wanted) == 0 {
		return ask(say("list.what_off", args{"list": one.its(), "items": orNone(alikeApart(all))}))
	}
	var off []planned
	var entries []domain.Entry
	taken := map[domain.ID]bool{}
	for _, text := range placesTaken(wanted, all) {
		item, question := pick(text, "entry", all)
		if !question.IsZero() && bynames.IsDoubles(text) {
			return tell(say("list.nothing_twice", args{"list": one.its()}))
		}
		if !question.IsZero() {
			elsewhere, err := s.onlyWith(ctx, lists, text)
			switch {
			case err != nil:
				return tool.SkillDone{}, err
			case elsewhere != "" && elsewhere != one.name:
				return ask(say("list.elsewhere", args{"what": theirOwn(text), "list": one.its(), "other": theirOwn(elsewhere)}))
			}
			return ask(question)
		}
		if taken[item.ID] {
			continue
		}
		taken[item.ID] = true
		gone := domain.ListItemRemoved{ListID: one.ID, ItemID: item.ID}
		e, err := entry(s, call, gone, gone.Keys())
		if err != nil {
			return tool.SkillDone{}, err
		}
		entries, off = append(entries, e), append(off, item)
	}
	return resting(one.ID, through)(confirm(say("list.off", args{"list": one.its(), "items": textsOf(off)}), nil, entries...))
}

// whereIs answers whether entries are on a list, or on which they are.
func (s *skills) whereIs(ctx context.Context, all []listing, name, said string) (tool.SkillDone, error) {
	where := all
	if name != "" {
		one, known := named(all, name)
		if !known {
			return ask(noList(name, all))
		}
		where = []listing{one}
	}
	var out tool.SkillDone
	for _, text := range bynames.Items(said) {
		var found []speech.Message
		for _, l := range where {
			there, err := s.entries(ctx, l)
			if err != nil {
				return tool.SkillDone{}, err
			}
			for _, item := range matching(text, there) {
				found = append(found, say("list.has", args{"what": item.its(), "list": l.its()}))
			}
		}
		switch {
		case len(found) > 0:
		case name == "":
			found = append(found, say("lists.have_not", args{"what": theirOwn(text)}))
		default:
			there, err := s.entries(ctx, where[0])
			if err != nil {
				return tool.SkillDone{}, err
			}
			found = append(found, say("list.has_not", args{"what": theirOwn(text), "list": where[0].its(), "there": orNone(alikeApart(there))}))
		}
		for _, line := range found {
			out.Said = append(out.Said, speech.Said{As: speech.Told, Says: []speech.Message{line}})
		}
	}
	return out, nil
}

func (s *skills) showList(ctx context.Context, one listing, count bool) (tool.SkillDone, error) {
	all, err := s.entries(ctx, one)
	if err != nil {
		return tool.SkillDone{}, err
	}
	items := textsOf(all)
	switch {
	case len(all) == 0:
		return tell(say("list.empty", args{"list": one.its()}))
	case count:
		return tell(say("list.counted", args{"n": speech.Count(len(all)), "list": one.its(), "items": items}))
	}
	words := make([]string, len(all))
	for i, p := range all {
		words[i] = p.text
	}
	return pointing(listed(say("list.shown", args{"list": one.its(), "items": items})), map[string]any{"list": one.name, "items": words})
}

// entriesShown bounds the entries of each list that are shown where all lists are.
const entriesShown = 20

func (s *skills) showLists(ctx context.Context, all []listing, count bool) (tool.SkillDone, error) {
	switch {
	case len(all) == 0:
		return tell(say("lists.none"))
	case count:
		names := make(speech.List, len(all))
		for i, l := range all {
			names[i] = l.its()
		}
		return tell(say("lists.counted", args{"n": speech.Count(len(all)), "lists": names}))
	}
	lines := make(speech.List, len(all))
	for i, l := range all {
		shown := l
		shown.Items = l.Items[:min(len(l.Items), entriesShown)]
		there, err := s.entries(ctx, shown)
		if err != nil {
			return tool.SkillDone{}, err
		}
		lines[i] = l.holds(there)
	}
	return listed(say("lists.shown", args{"lists": lines})), nil
}

// holds is a list with the first of its entries.
func (l listing) holds(first []planned) speech.Message {
	if len(first) == 0 {
		return say("list.holds_nothing", args{"list": l.its()})
	}
	var more speech.Value
	if n := len(l.Items) - len(first); n > 0 {
		more = speech.Count(n)
	}
	return say("list.holds", args{"list": l.its(), "items": textsOf(first), "more": more})
}

// listed is a message whose list is shown below what is said without it.
func listed(m speech.Message) tool.SkillDone {
	return tool.SkillDone{Said: []speech.Said{{As: speech.Listed, Says: []speech.Message{m}}}}
}
