package skill

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
)

// Lists are changed by one procedure, as plans are. The parameters become a [listRequest]; it finds the list and the
// entries that are meant, asks where they aren't clear or would be lost, has happen to them what is to, and tells that.

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

// listRequest is what is asked of lists.
type listRequest struct {
	Action, List, Item, Except, Sort string
	Existing, Confirmed, All, Count  bool
}

// listing is a list with its words.
type listing struct {
	domain.Listing
	name string
}

// keeping is a request that is being met.
type keeping struct {
	doing
	listRequest

	action  string
	name    string // of the list that is meant
	all     []listing
	several bool // of which it is one
}

// listActions are what can be done to a list.
var listActions = map[string]struct {
	begins bool // it is for a list that there isn't, too
	do     func(*keeping, context.Context, listing) (tool.SkillDone, error)
}{
	"add":    {true, (*keeping).add},
	"create": {true, (*keeping).create},
	"show":   {false, (*keeping).show},
	"remove": {false, (*keeping).remove},
	"clear":  {false, (*keeping).empty},
	"drop":   {false, (*keeping).empty},
}

func (s *skills) doList(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	r, err := params[listRequest](call)
	if err != nil {
		return asksBack(err)
	}
	return s.changeLists(ctx, call, r)
}

// changeLists is the procedure.
func (s *skills) changeLists(ctx context.Context, call tool.SkillCall, r listRequest) (tool.SkillDone, error) {
	all, through, err := s.lists(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if len(bynames.Items(r.Item)) == 0 {
		r.Item = "" // a comma alone names nothing
	}
	k := keeping{doing: doing{skills: s, call: call, at: through}, listRequest: r, all: all, name: bynames.ListName(r.List)}
	k.action = "show"
	if !blank(r.Item) {
		k.action = "add"
	}
	k.action = cmp.Or(strings.ToLower(strings.TrimSpace(r.Action)), k.action)
	done, err := k.meets(ctx)
	if err = cmp.Or(k.err, err); err != nil {
		return asksBack(err)
	}
	return done, nil
}

// meets finds the list that is meant, or those that are, and does what is asked.
func (k *keeping) meets(ctx context.Context) (tool.SkillDone, error) {
	some, unknown := k.together()
	switch {
	case unknown != "":
		return ask(noList(unknown, k.all))
	case len(some) > 0:
		return k.each(ctx, some)
	case k.All && slices.Contains([]string{"add", "remove", "clear", "drop"}, k.action):
		return k.each(ctx, k.all)
	case k.action == "show" && (k.name == "" || !blank(k.Sort, k.Item)):
		return k.look(ctx)
	case k.action == "create" && k.name == "":
		return ask(say("ask.list", args{"lacks": speech.Kind("name")}))
	case k.name == "" && len(k.all) == 1:
		k.name = k.all[0].name
	case k.name == "" && k.action == "remove":
		if k.name = k.onlyWith(ctx, k.Item); k.name == "" { // the tasks are a list, too
			r := request{naming: naming{Which: k.Item}, kind: domain.ItemEntry, verb: domain.PlanDropped}
			if done, ok, err := k.elsewhere(ctx, k.call, r); ok || err != nil {
				return done, err
			}
		}
	}
	if k.name == "" {
		return ask(say("plan.which", args{"kind": speech.Kind("list"), "plans": orNone(called(k.all))}), eachList(k.all)...)
	}
	return k.happens(ctx)
}

// happens has happen to the list of a name what is to.
func (k *keeping) happens(ctx context.Context) (tool.SkillDone, error) {
	found, action := named(k.all, k.name), listActions[k.action]
	switch shows := k.action == "show" && bynames.IsShop(k.name); {
	case shows && len(found) > 1:
		return k.showLists(ctx, found)
	case len(found) > 1:
		return ask(say("plan.which", args{"kind": speech.Kind("list"), "plans": called(found)}), eachList(found)...)
	case action.do == nil:
		return ask(say("none_of_them", args{"of": speech.Kind("list"), "said": theirOwn(k.Action)}))
	case len(found) == 1:
		return action.do(k, ctx, found[0])
	case shows:
		return k.showLists(ctx, k.all)
	case !action.begins:
		return ask(noList(k.name, k.all))
	}
	return action.do(k, ctx, listing{name: k.name})
}

// together are the lists that a name with "and" in it names; none when it is the name of one. unknown is
// the part of it that names none, where another does.
func (k *keeping) together() (some []listing, unknown string) {
	parts := bynames.Several(k.name)
	if len(parts) < 2 || len(named(k.all, k.name)) == 1 {
		return nil, ""
	}
	for _, part := range parts {
		if found := named(k.all, bynames.ListName(part)); len(found) == 1 {
			some = append(some, found[0])
		} else {
			unknown = part
		}
	}
	if len(some) == 0 {
		unknown = ""
	}
	return some, unknown
}

// each does the same to several lists; all of them are emptied or removed only when that was confirmed.
func (k *keeping) each(ctx context.Context, some []listing) (tool.SkillDone, error) {
	switch {
	case len(some) == 0:
		return tell(say("plan.none_such", args{"kind": speech.Kind("list")}))
	case k.action == "show" && blank(k.Item, k.Sort):
		return k.showLists(ctx, some)
	case (k.action == "clear" || k.action == "drop") && !k.Confirmed:
		deed := map[string]speech.Kind{"clear": "clear", "drop": "remove"}[k.action]
		return sure(say("plans.sure", args{"deed": deed, "n": speech.Count(len(some)), "kind": speech.Kind("list"), "plans": called(some)}), yes())
	}
	var parts []tool.SkillDone
	for i, items := range k.itemsOnEach(ctx, some) {
		if k.Item != "" && items == "" {
			continue
		}
		one := *k
		one.name, one.Item, one.All, one.several = some[i].name, items, false, true
		done, err := one.meets(ctx)
		if k.fails(one.err); err != nil || refuses(done) {
			return done, err
		}
		parts = append(parts, done)
	}
	return together(k.call, parts)
}

// itemsOnEach are the entries that are meant on each of some lists: of those that go, the ones that stand there, where
// all stand somewhere.
func (k *keeping) itemsOnEach(ctx context.Context, some []listing) []string {
	same := slices.Repeat([]string{k.Item}, len(some))
	if k.action != "remove" || blank(k.Item) {
		return same
	}
	out := make([]string, len(some))
	for _, text := range bynames.Items(k.Item) {
		found := false
		for i, l := range some {
			there := k.on(ctx, l)
			if _, placed := atPlace(text, there); placed || len(matching(text, there)) > 0 {
				found, out[i] = true, strings.TrimPrefix(out[i]+", "+text, ", ")
			}
		}
		if !found {
			return same
		}
	}
	return out
}

// create begins a list that nothing is on yet.
func (k *keeping) create(_ context.Context, one listing) (tool.SkillDone, error) {
	if !one.ID.IsZero() {
		return tell(say("list.there", args{"list": one.its(), "n": speech.Count(len(one.Items))}))
	}
	k.begin(&one)
	return k.did(say("list.made", args{"list": theirOwn(one.name)}), map[string]any{"list_id": one.ID.UUID()})
}

func (k *keeping) begin(one *listing) {
	list := domain.ListCreated{Name: one.name}
	k.fails(list.Check())
	one.ID = k.does(domain.ListsKey(), list)
}

// add puts entries on a list, which is begun if there is none. Which lists there are must still be the same then; other
// entries may come meanwhile.
func (k *keeping) add(ctx context.Context, one listing) (tool.SkillDone, error) {
	if one.ID.IsZero() && k.Existing {
		return askAll([]speech.Message{noList(k.name, k.all), say("list.to_begin", args{"which": theirOwn(k.name)})})
	}
	said := bynames.Items(k.Item)
	if len(said) == 0 {
		return ask(say("ask.list", args{"lacks": speech.Kind("entry"), "said": theirOwn(k.name)}))
	}
	items, already := newItems(said, k.on(ctx, one))
	if len(items) > 0 && one.ID.IsZero() {
		k.begin(&one)
	}
	points := map[string]any{"list_id": one.ID.UUID(), "items": items}
	switch {
	case len(items) == 0:
		of := args{"items": listOf(already, theirOwn)}
		if k.several { // one doesn't see of which
			of["list"] = one.its()
		}
		done, _ := tell(say("list.already", of))
		return pointing(done, points)
	case len(items) > maxItemsAtOnce, len(one.Items)+len(items) > maxItems:
		return ask(say("list.too_much", args{"most": speech.Count(maxItems), "at_once": speech.Count(maxItemsAtOnce)}))
	}
	for _, text := range items {
		item := domain.ListItemAdded{ListID: one.ID, Text: text}
		k.fails(item.Check())
		k.does(domain.ListsKey(), item)
	}
	added := args{"list": one.its(), "items": listOf(items, theirOwn), "already": orNone(listOf(already, theirOwn))}
	return k.did(say("list.added", added), points)
}

// remove takes entries off a list by their words, their places or their sort; several of a sort only when that was confirmed.
func (k *keeping) remove(ctx context.Context, one listing) (tool.SkillDone, error) {
	there := k.on(ctx, one)
	if !blank(k.Sort) {
		off := matching(k.Sort, there)
		switch {
		case len(there) == 0:
			return tell(say("list.empty", args{"list": one.its()}))
		case len(off) == 0:
			of := func(p planned) map[string]any { return map[string]any{"item": p.ID.UUID(), "sort": nil} }
			return askAll([]speech.Message{untold(k.Sort, one.place(), there), say("plan.which", args{"kind": speech.Kind("entry")})}, eachNamed(there, of)...)
		case len(off) > 1 && !k.Confirmed:
			return sure(say("list.take_off_sure", args{"list": one.its(), "items": alikeApart(off)}), yes())
		}
		return k.did(one.says("list.off", k.loses(one, off)), nil)
	}
	wanted := bynames.Items(k.Item)
	if len(wanted) == 0 {
		return ask(say("list.what_off", args{"list": one.its(), "items": orNone(alikeApart(there))}))
	}
	var off []planned
	for _, text := range wanted {
		item, question := pick(text, "entry", there)
		placed, ok := atPlace(text, there)
		switch {
		case question.IsZero(): // one that has the words itself is meant by them
			off = append(off, item)
		case ok:
			off = append(off, placed...)
		case bynames.IsDoubles(text):
			return tell(say("list.nothing_twice", args{"list": one.its()}))
		default:
			if other := k.onlyWith(ctx, text); other != "" && other != one.name {
				question = say("list.elsewhere", args{"what": theirOwn(text), "list": one.its(), "other": theirOwn(other)})
			}
			return ask(question)
		}
	}
	return k.did(one.says("list.off", k.loses(one, off)), nil)
}

// loses takes entries off a list, each once.
func (k *keeping) loses(one listing, off []planned) (lost []planned) {
	k.rests(domain.PlanKey(one.ID))
	for _, item := range off {
		if !slices.ContainsFunc(lost, func(p planned) bool { return p.ID == item.ID }) {
			k.does(domain.PlanKey(one.ID), domain.ListItemRemoved{ListID: one.ID, ItemID: item.ID})
			lost = append(lost, item)
		}
	}
	return lost
}

// empty takes all off a list but what is to stay, or removes it. What is on it is lost only when the person
// has said so.
func (k *keeping) empty(ctx context.Context, one listing) (tool.SkillDone, error) {
	there, stays := k.on(ctx, one), bynames.Items(k.Except)
	off := slices.Clone(there)
	for _, text := range stays {
		kept, question := pick(text, "entry", there)
		if !question.IsZero() {
			return ask(question)
		}
		off = slices.DeleteFunc(off, func(item planned) bool { return item.ID == kept.ID })
	}
	switch {
	case len(off) > 0 && len(stays) > 0 && !k.Confirmed:
		return sure(say("list.take_off_sure", args{"list": one.its(), "items": alikeApart(off)}), yes(), no())
	case len(off) > 0 && !k.Confirmed:
		return sure(say("list.sure", how(speech.Kind(k.action)), args{"list": one.its(), "items": alikeApart(off)}), yes(), no())
	case k.action == "drop":
		k.does(domain.PlanKey(one.ID), domain.ListRemoved{ListID: one.ID})
		return k.did(say("list.dropped", args{"list": one.its()}), nil)
	}
	if off = k.loses(one, off); len(stays) > 0 {
		return k.did(one.says("list.off", off), nil)
	}
	return k.did(say("list.cleared", args{"list": one.its()}), nil)
}

// Bounds of a list.
const (
	maxItems       = 1000
	maxItemsAtOnce = 50
)

// named are the lists that a name may mean.
func named(all []listing, name string) []listing {
	return bynames.Lists(all, func(l listing) string { return l.name }, name)
}

// onlyWith is the name of the only list that has an entry, or all of several; "" when there
// is no such list, or more than one.
func (k *keeping) onlyWith(ctx context.Context, items string) (name string) {
	wanted := bynames.Items(items)
	for _, l := range k.all {
		there := k.on(ctx, l)
		lacks := func(text string) bool {
			_, question := pick(text, "entry", there)
			return !question.IsZero()
		}
		switch has := len(wanted) > 0 && !slices.ContainsFunc(wanted, lacks); {
		case has && name != "":
			return ""
		case has:
			name = l.name
		}
	}
	return name
}

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

// on are the entries of lists.
func (k *keeping) on(ctx context.Context, lists ...listing) (out []planned) {
	for _, l := range lists {
		there, err := k.skills.entries(ctx, l)
		k.fails(err)
		out = append(out, there...)
	}
	return out
}

// lists are all of them, and the position they were folded through.
func (s *skills) lists(ctx context.Context) ([]listing, domain.Position, error) {
	if err := s.caughtUp(ctx); err != nil {
		return nil, 0, err
	}
	var all []listing
	var through domain.Position
	s.cfg.Plans.Read(func(p *domain.Plans) {
		through = p.Lists.Through
		for _, l := range p.Lists.All {
			l.Items = slices.Clone(l.Items)
			all = append(all, listing{Listing: l})
		}
	})
	for i, l := range all {
		var err error
		if _, all[i].name, err = s.read(ctx, l.ID); err != nil {
			return nil, 0, err
		}
	}
	return all, through, nil
}

// entries are those of a list.
func (s *skills) entries(ctx context.Context, one listing) ([]planned, error) {
	return s.kept(ctx, one.Items)
}

// kept are entries, lists or memories with their words.
func (s *skills) kept(ctx context.Context, ids []domain.ID) (out []planned, err error) {
	for _, id := range ids {
		e, text, err := s.read(ctx, id)
		if err != nil {
			return nil, err
		}
		p := planned{Commitment: domain.Commitment{ID: id}, text: text}
		if m, err := domain.Decode[domain.MemoryRemembered](e); err == nil {
			p.about = m.About
		}
		out = append(out, p)
	}
	return out, nil
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
