package skill

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// inverse is how an event of one type is made good: it adds entries, and says what is so
// again, or what can't be any more.
type inverse struct {
	begins bool // the event makes the plan that has its id, so what else the same change did to that needs nothing
	back   func(context.Context, *undoing, domain.Record)
}

// inverseOf is how an event of a type is made good; false of one that can't be taken back.
func inverseOf(t domain.EventType) (inverse, bool) {
	if verb, _, ok := domain.VerbOf(t); ok {
		_, ok := planInverses[verb]
		return inverse{verb == domain.PlanMade, planBack}, ok
	}
	how, ok := inverses[t]
	return how, ok
}

// planInverses are what happens to a plan when what happened to it is taken back. That something is over
// can't be.
var planInverses = map[domain.PlanVerb]domain.PlanVerb{
	domain.PlanMade: domain.PlanDropped, domain.PlanChanged: domain.PlanChanged, domain.PlanProgressed: domain.PlanProgressed,
	domain.PlanDone: domain.PlanChanged, domain.PlanDropped: domain.PlanChanged,
}

// inverses are the events that can be taken back of all else.
var inverses = map[domain.EventType]inverse{
	domain.ListCreatedType:       {true, unmakeList},
	domain.ListItemAddedType:     {false, takeOff},
	domain.ListItemRemovedType:   {false, putBack},
	domain.ListRemovedType:       {false, remakeList},
	domain.MemoryRememberedType:  {true, unremember},
	domain.MemoryForgottenType:   {false, rememberAgain},
	domain.NoteWrittenType:       {false, noteBack},
	domain.NoteRemovedType:       {false, noteBack},
	domain.SettingsChangedType:   {false, setBack},
	domain.NoticeDismissedType:   {false, tellAgain},
	domain.NoticeSilencedType:    {false, tellAgain},
	domain.NoticeRestoredType:    {false, keepBack},
	domain.CapabilityChangedType: {false, trustBack},
}

// undoing is a change that is being taken back.
type undoing struct {
	*skills

	call   tool.SkillCall
	at     domain.Position // what is known is known as of here or later
	change change
	isNow  map[domain.ID]domain.ID // what was made anew before, by what it had been

	entries    []domain.Entry
	conditions []domain.Condition
	remade     []domain.Remade
	back, left speech.List      // what is so again, and what can't be any more
	spoken     []map[string]any // the plans that are as they were
	err        error            // the first one: nothing is taken back then
}

// invert takes back all that the change did.
func (u *undoing) invert(ctx context.Context) {
	begun := map[domain.ID]bool{}
	for _, rec := range u.change.records {
		how, _ := inverseOf(rec.Envelope.Type)
		if plan, ok := domain.PlanOf(rec.Envelope); !how.begins && ok && begun[plan] {
			continue
		}
		begun[rec.Envelope.ID] = how.begins
		how.back(ctx, u, rec)
	}
}

// fails keeps the first error.
func (u *undoing) fails(err error) { u.err = cmp.Or(u.err, err) }

// does adds what makes something good, which rests on nothing with a key happening meanwhile, and returns its
// id.
func (u *undoing) does(key domain.Key, payload commands.Keyed) domain.ID {
	return u.adds(key, payload, payload.Keys())
}

func (u *undoing) adds(key domain.Key, payload any, keys []domain.Key) domain.ID {
	if one := (domain.Condition{Key: key, After: u.at}); !slices.Contains(u.conditions, one) {
		u.conditions = append(u.conditions, one)
	}
	e, err := entry(u.skills, u.call, payload, keys)
	u.fails(err)
	u.entries = append(u.entries, e)
	return e.Envelope.ID
}

// isAnew notes that something was made anew, and returns its id.
func (u *undoing) isAnew(was, is domain.ID) domain.ID {
	u.remade = append(u.remade, domain.Remade{WasID: was, IsID: is})
	return is
}

// now is the id that something has now, by that of then.
func (u *undoing) now(id domain.ID) domain.ID {
	for range len(u.isNow) {
		if next, anew := u.isNow[id]; anew {
			id = next
		}
	}
	return id
}

func (u *undoing) isBack(id speech.ID, more ...args)  { u.back = with(u.back, say(id, more...)) }
func (u *undoing) staysSo(id speech.ID, more ...args) { u.left = with(u.left, say(id, more...)) }

// with adds what comes of something. Where the same has come of the one before it, both are named together.
func with(all speech.List, m speech.Message) speech.List {
	if names, several := m.Args["all"].(speech.List); several && len(all) > 0 {
		last, _ := all[len(all)-1].(speech.Message)
		if last.ID == m.ID && last.Args["list"] == m.Args["list"] && last.Args["how"] == m.Args["how"] {
			before, _ := last.Args["all"].(speech.List)
			last.Args["all"], last.Args["n"] = append(before, names...), speech.Count(len(before)+len(names))
			return all
		}
	}
	return append(all, m)
}

// alone names one thing of what may be said of several.
func alone(v speech.Value) args { return args{"all": speech.List{v}, "n": speech.Count(1)} }

// its are the words of an envelope.
func (u *undoing) its(ctx context.Context, id domain.ID) speech.Text {
	_, words, err := u.read(ctx, id)
	u.fails(err)
	return speech.Text{Words: words, In: id}
}

// decoded is the payload of an envelope. Of an erased one it is said that nobody can read it any more.
func decoded[P any](u *undoing, e domain.Envelope) (P, bool) {
	p, err := domain.Decode[P](e)
	if domain.CodeOf(err) == domain.CodeErased {
		u.staysSo("undone.unreadable")
	} else {
		u.fails(err)
	}
	return p, err == nil
}

// history are the records with a key before a position, oldest first.
func (u *undoing) history(ctx context.Context, key domain.Key, before domain.Position) (out []domain.Record) {
	_, err := domain.Look(ctx, u.cfg.Reader, domain.Selector{Key: key}, 1, maxLooked, func(r domain.Record) {
		if r.Position < before {
			out = append(out, r)
		}
	})
	u.fails(err)
	return out
}

// life is what made something, and all that happened to it before a position.
func (u *undoing) life(ctx context.Context, id domain.ID, before domain.Position) []domain.Record {
	made, err := u.cfg.Reader.Find(ctx, id)
	u.fails(err)
	return append([]domain.Record{made}, u.history(ctx, domain.PlanKey(id), before)...)
}

// stood is a plan as it had been.
type stood struct {
	domain.Plan
	kind   domain.ItemKind
	words  domain.ID // the envelope that has its words
	passed bool      // its time has, or it doesn't come back any more
}

// stood is a plan as it stood before a position. What comes back is told by how it does, not by its times, and has
// its next one.
func (u *undoing) stood(ctx context.Context, plan domain.ID, before domain.Position) stood {
	was := stood{Plan: domain.Plan{Text: commands.ErasedText}, words: plan}
	for _, r := range u.life(ctx, plan, before) {
		verb, kind, _ := domain.VerbOf(r.Envelope.Type)
		if was.kind = cmp.Or(was.kind, kind); verb == domain.PlanPassed {
			continue
		}
		words, err := was.Evolve(r.Envelope)
		if words && err == nil {
			was.words = r.Envelope.ID
			_, err = wordsOf(ctx, r.Envelope) // the answer quotes them
		}
		if domain.CodeOf(err) != domain.CodeErased {
			u.fails(err)
		}
	}
	t := &was.Time
	if t.Recurrence != nil {
		next := when.Next(*t.Recurrence, u.call.Now, commands.ZoneOf(t.Zone))
		if was.kind.TakesPlace() {
			t.End, _ = when.Occurs(*t, next, commands.ZoneOf(t.Zone))
		}
		t.Start = next
	}
	until := t.Start
	if was.kind.TakesPlace() {
		t.Tell, until = firstTold(*t, u.call), t.End
	}
	was.passed = until != 0 && until <= u.call.Now || t.Recurrence != nil && t.Start == 0
	return was
}

// named is what it is called.
func (was stood) named() args {
	return args{"kind": speech.Kind(was.kind), "what": speech.Text{Words: was.Text, In: was.words}}
}

// times are when it is.
func (was stood) times(call tool.SkillCall) args {
	switch t := was.Time; {
	case t.Start == 0:
		return nil
	case t.Recurrence != nil:
		return args{"again": speech.Again{Rule: t.Recurrence.Rule, AllDay: t.AllDay}}
	case was.kind.TakesPlace():
		return args{"span": spanOf(t, call)}
	case !was.kind.IsTold():
		return args{"due": moment(t.Start, call)}
	default:
		return args{"at": moment(t.Start, call)}
	}
}

// planBack makes good what happened to a plan: what was made is dropped, what ended is opened, or made anew when it
// isn't remembered any more, and what was changed is as it was.
func planBack(ctx context.Context, u *undoing, rec domain.Record) {
	verb, kind, _ := domain.VerbOf(rec.Envelope.Type)
	plan, _ := domain.PlanOf(rec.Envelope)
	before, back := rec.Position, planInverses[verb]
	if verb == domain.PlanMade {
		plan, before = u.now(rec.Envelope.ID), u.at+1
	}
	was, id := u.stood(ctx, plan, before), u.now(plan)
	one, known := domain.Commitment{Kind: kind}, false
	u.cfg.Plans.Read(func(p *domain.Plans) {
		if c, found := p.Commitments.Find(id); found {
			one, known = c, true
		}
	})
	if u.isPast(verb, was, one, known) {
		return
	}
	u.saysBack(verb, was)
	opens := verb == domain.PlanDone || verb == domain.PlanDropped
	if opens && was.passed { // its deadline would be told at once
		was.Time = domain.Appointment{}
	}
	said := was.Plan
	if said.Note = ""; known && (opens || was.Text == commands.ErasedText) {
		said.Text = "" // the words that it has stay
	}
	if !known {
		back = domain.PlanMade
	}
	effect, err := one.Effect(back, said)
	u.fails(err)
	made := u.adds(domain.PlanKey(id), effect.Payload, effect.Keys)
	if !known {
		one.ID = u.isAnew(id, made)
	}
	if back == domain.PlanChanged || !known {
		p := planned{Commitment: domain.Commitment{ID: one.ID, Kind: kind}, text: was.Text}
		u.spoken = append(u.spoken, p.spokenAnew(was.Time.Start, was.Time.End, was.Time.Recurrence != nil))
	}
}

// isPast says why what happened to a plan can't be made good any more; false when it can.
func (u *undoing) isPast(verb domain.PlanVerb, was stood, one domain.Commitment, known bool) bool {
	opens, changes := verb == domain.PlanDone || verb == domain.PlanDropped, verb == domain.PlanChanged
	switch {
	case opens && known && one.Standing == domain.StandingOpen:
		u.staysSo("undone.open", alone(say("undone.plan", was.named())))
	case !opens && (!known || one.HasEnded() || !one.Allows(planInverses[verb])):
		u.staysSo("undone.ended", alone(say("undone.plan", was.named())))
	case !was.passed || !changes && !(opens && was.kind.IsTold()):
		return false
	case was.Time.Start == 0:
		u.staysSo("undone.never", was.named())
	default:
		u.staysSo("undone.over", was.named(), args{"at": moment(was.Time.Start, u.call)})
	}
	return true
}

// saysBack says how a plan is again, now that what happened to it is taken back.
func (u *undoing) saysBack(verb domain.PlanVerb, was stood) {
	named, times := was.named(), was.times(u.call)
	switch {
	case verb == domain.PlanMade:
		u.isBack("undone.removed", named, times)
	case verb == domain.PlanProgressed:
		u.isBack("undone.percent", named, args{"percent": speech.Count(was.Percent)})
	case verb != domain.PlanChanged && was.passed:
		u.isBack("undone.back_late", named)
	case verb != domain.PlanChanged:
		u.isBack("undone.back", named, times)
	case times == nil:
		u.isBack("undone.undated", named)
	default:
		u.isBack("undone.again", named, times)
	}
}

// listing is a list as it is now.
func (u *undoing) listing(id domain.ID) (one domain.Listing, known bool) {
	u.cfg.Plans.Read(func(p *domain.Plans) { one, known = p.Lists.Find(id) })
	return one, known
}

// withEntries names a list, and how much is on it.
func withEntries(list speech.Text, how speech.Kind, entries []domain.ID) args {
	out := args{"list": list, "how": how}
	if n := len(entries); n > 0 {
		out["n"] = speech.Count(n)
	}
	return out
}

// unmakeList removes a list that was begun, or, when there is more on it by now, what was
// put on it then.
func unmakeList(ctx context.Context, u *undoing, rec domain.Record) {
	id, list := u.now(rec.Envelope.ID), u.its(ctx, rec.Envelope.ID)
	one, known := u.listing(id)
	own := slices.DeleteFunc(slices.Clone(u.change.records), func(r domain.Record) bool {
		of, _ := domain.PlanOf(r.Envelope)
		return r.Envelope.Type != domain.ListItemAddedType || of != rec.Envelope.ID
	})
	more := slices.ContainsFunc(one.Items, func(item domain.ID) bool {
		return !slices.ContainsFunc(own, func(r domain.Record) bool { return u.now(r.Envelope.ID) == item })
	})
	switch {
	case !known:
		u.staysSo("undone.list", withEntries(list, "gone", nil))
	case more:
		for _, r := range own {
			takeOff(ctx, u, r)
		}
	default:
		u.does(domain.PlanKey(id), domain.ListRemoved{ListID: id})
		u.isBack("undone.list", withEntries(list, "removed", one.Items))
	}
}

// takeOff takes an entry off its list that was put on it.
func takeOff(ctx context.Context, u *undoing, rec domain.Record) {
	of, _ := domain.PlanOf(rec.Envelope)
	list, item := u.now(of), u.now(rec.Envelope.ID)
	named := args{"list": u.its(ctx, list)}
	text := alone(u.its(ctx, rec.Envelope.ID))
	if one, known := u.listing(list); !known || !slices.Contains(one.Items, item) {
		u.staysSo("undone.off", text, named, args{"how": speech.Kind("already")})
		return
	}
	u.does(domain.PlanKey(list), domain.ListItemRemoved{ListID: list, ItemID: item})
	u.isBack("undone.off", text, named)
}

// putBack puts an entry on its list again that was taken off it.
func putBack(ctx context.Context, u *undoing, rec domain.Record) {
	gone, ok := decoded[domain.ListItemRemoved](u, rec.Envelope)
	if !ok {
		return
	}
	list, text := u.now(gone.ListID), u.its(ctx, gone.ItemID)
	named := args{"list": u.its(ctx, list)}
	one, known := u.listing(list)
	there, err := u.skills.entries(ctx, listing{Listing: one})
	u.fails(err)
	switch fresh, _ := newItems([]string{text.Words}, there); {
	case !known:
		u.staysSo("undone.no_list", args{"all": speech.List{text}}, named)
	case len(fresh) == 0:
		u.staysSo("undone.on", alone(text), named, args{"how": speech.Kind("already")})
	default:
		u.isBack("undone.on", alone(text), named, args{"how": speech.Kind("again")})
		u.putOn(list, text)
	}
}

// putOn puts an entry of then on a list. An erased one stays away.
func (u *undoing) putOn(list domain.ID, was speech.Text) {
	if was.Words != commands.ErasedText {
		u.isAnew(was.In, u.does(domain.PlanKey(list), domain.ListItemAdded{ListID: list, Text: was.Words}))
	}
}

// remakeList begins a list anew that was removed, with what was on it.
func remakeList(ctx context.Context, u *undoing, rec domain.Record) {
	id, _ := domain.PlanOf(rec.Envelope)
	list := u.its(ctx, id)
	then := domain.Lists{}
	for _, r := range u.life(ctx, id, rec.Position) {
		then.Evolve(r)
	}
	all, _, err := u.lists(ctx)
	u.fails(err)
	if _, there := named(all, list.Words); there {
		u.staysSo("undone.list", withEntries(list, "there", nil))
		return
	}
	anew := u.isAnew(id, u.does(domain.ListsKey(), domain.ListCreated{Name: list.Words}))
	was, _ := then.Find(id)
	for _, item := range was.Items {
		u.putOn(anew, u.its(ctx, item))
	}
	u.isBack("undone.list", withEntries(list, "back", was.Items))
}

// unremember forgets a memory, and remembers what it had replaced.
func unremember(ctx context.Context, u *undoing, rec domain.Record) {
	id, there := u.now(rec.Envelope.ID), false
	u.cfg.Memory.Read(func(m *domain.Memories) { there = slices.Contains(m.All, id) })
	named := args{"what": u.its(ctx, rec.Envelope.ID)}
	if !there {
		u.staysSo("undone.forgotten", named, args{"how": speech.Kind("already")})
		return
	}
	u.does(domain.MemoriesKey(), domain.MemoryForgotten{MemoryID: id})
	u.isBack("undone.forgotten", named)
	if _, replaces := domain.PlanOf(rec.Envelope); replaces {
		rememberAgain(ctx, u, rec)
	}
}

// rememberAgain remembers what was forgotten, or replaced.
func rememberAgain(ctx context.Context, u *undoing, rec domain.Record) {
	was, _ := domain.PlanOf(rec.Envelope)
	made, _, err := u.read(ctx, was)
	u.fails(err)
	memory, ok := decoded[domain.MemoryRemembered](u, made)
	if !ok {
		return
	}
	memory.Replaces = domain.ID{}
	u.isAnew(was, u.does(domain.MemoriesKey(), memory))
	u.isBack("undone.remembered", args{"what": speech.Text{Words: memory.Text, In: was}})
}

// noteBack gives a note the words that it had before, removes one that was begun, or writes one
// anew that was removed. A program's note that the person removed is the program's again.
func noteBack(ctx context.Context, u *undoing, rec domain.Record) {
	if u.cfg.Notes == nil {
		u.staysSo("undone.no_notes")
		return
	}
	id := domain.NoteOf(rec.Envelope)
	var was *domain.NoteWritten // the version before; nil before the first
	named := args{"path": speech.Text{In: id}}
	for _, r := range u.life(ctx, id, u.at+1) {
		written, err := domain.Decode[domain.NoteWritten](r.Envelope)
		if err != nil {
			continue
		}
		if named["path"] = (speech.Text{Words: written.Path, In: r.Envelope.ID}); r.Position < rec.Position {
			was = &written
		}
	}
	now, known, gone := u.now(id), false, false
	u.cfg.Notes.Read(func(n *domain.Notes) {
		_, known = n.All[now]
		_, gone = n.Gone[now]
	})
	switch {
	case was == nil && !known:
		u.staysSo("undone.note", named, args{"how": speech.Kind("gone")})
	case was == nil:
		u.does(domain.NotesKey(), domain.NoteRemoved{NoteID: now})
		u.isBack("undone.note", named, args{"how": speech.Kind("removed")})
	case known || gone:
		was.NoteID = now
		u.does(domain.NotesKey(), *was)
		how := speech.Kind("as_it_was")
		if gone {
			how = "back"
		}
		u.isBack("undone.note", named, args{"how": how})
	default:
		was.NoteID = domain.ID{}
		u.isAnew(id, u.does(domain.NotesKey(), *was))
		u.isBack("undone.note", named, args{"how": speech.Kind("back")})
	}
}

// setBack gives a setting the value from before.
func setBack(ctx context.Context, u *undoing, rec domain.Record) {
	set, ok := decoded[domain.SettingsChanged](u, rec.Envelope)
	if !ok {
		return
	}
	var book domain.SettingsBook
	for _, r := range u.history(ctx, domain.SettingsKey, u.at+1) {
		u.fails(book.Evolve(r))
	}
	named := args{"name": theirOwn(set.Name)}
	back, ok := book.Back(set.Name)
	if !ok || back.Undoes != rec.Envelope.ID {
		u.staysSo("undone.setting_changed", named)
		return
	}
	u.does(domain.SettingsKey, back)
	u.isBack("undone.setting", named, args{"value": theirOwn(back.To)})
}

// trustBack says of a tool what the person had said of it before.
func trustBack(ctx context.Context, u *undoing, rec domain.Record) {
	said, ok := decoded[domain.CapabilityChanged](u, rec.Envelope)
	if !ok {
		return
	}
	var then, now domain.Rulebook
	for _, r := range u.history(ctx, domain.PolicyKey, u.at+1) {
		if r.Position < rec.Position {
			u.fails(then.Evolve(r))
		}
		u.fails(now.Evolve(r))
	}
	whose, name, _ := strings.Cut(said.CapabilityID, "/")
	id, err := domain.ParseID(whose)
	if err != nil {
		id = domain.ID{} // one of Chalie's own
	}
	named := u.toolOf(name, id)
	if is, _ := now.Said(said.CapabilityID); !reflect.DeepEqual(is, said) {
		u.staysSo("undone.trust", named, args{"how": speech.Kind("changed")})
		return
	}
	was, _ := then.Said(said.CapabilityID)
	if i, known := u.interfaceOf(id); known {
		if at := slices.IndexFunc(i.Tools, func(t domain.Tool) bool { return t.Name == name }); at >= 0 {
			was, _ = then.SaidOf(domain.Offer{Name: name, Tool: i.Tools[at], Interface: &i}) // what was said of the tool as it was isn't said of it as it is
		}
	}
	u.does(domain.PolicyKey, was)
	if asks := asking(was); asks != asking(said) {
		u.isBack("undone.asking", named, args{"asks": speech.Kind(asks)})
		return
	}
	u.isBack("undone.trust", named, args{"how": speech.Kind("as_it_was")})
}

// asking is the setting that a statement comes to.
func asking(c domain.CapabilityChanged) domain.Asking {
	if c.Ask == nil {
		return domain.AskAsSaid
	}
	return *c.Ask
}
