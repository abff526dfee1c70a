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

// planInverses are what happens to a plan when what happened to it is taken back, and what is said of it then. That
// something is over can't be.
var planInverses = map[domain.PlanVerb]struct {
	verb domain.PlanVerb
	says speech.ID
	how  speech.Kind
}{
	domain.PlanMade:       {domain.PlanDropped, "undone.is", "removed"},
	domain.PlanChanged:    {domain.PlanChanged, "undone.again", ""},
	domain.PlanProgressed: {domain.PlanProgressed, "undone.again", ""},
	domain.PlanDone:       {domain.PlanChanged, "undone.is", "back"},
	domain.PlanDropped:    {domain.PlanChanged, "undone.is", "back"},
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
	doing

	known  domain.Changes
	change domain.Change
	others bool // somebody else changed something since, and nothing was taken back after that

	remade     []domain.Remade
	back, left speech.List      // what is so again, and what can't be any more
	spoken     []map[string]any // the plans that are as they were
}

// invert takes back all that the change did.
func (u *undoing) invert(ctx context.Context) {
	begun := map[domain.ID]bool{}
	for _, rec := range u.change.Records {
		how, _ := inverseOf(rec.Envelope.Type)
		if plan, ok := domain.PlanOf(rec.Envelope); !how.begins && ok && begun[plan] {
			continue
		}
		begun[rec.Envelope.ID] = how.begins
		how.back(ctx, u, rec)
	}
}

// isAnew notes that something was made anew, and returns its id.
func (u *undoing) isAnew(was, is domain.ID) domain.ID {
	u.remade = append(u.remade, domain.Remade{WasID: was, IsID: is})
	return is
}

// comes says what comes of something: it is back, or it can't be any more. Where the same has come of the one before
// it, both are named together.
func (u *undoing) comes(back bool, id speech.ID, more ...args) {
	to, m := &u.left, say(id, more...)
	if back {
		to = &u.back
	}
	if names, several := m.Args["all"].(speech.List); several && len(*to) > 0 {
		last, _ := (*to)[len(*to)-1].(speech.Message)
		if before, _ := last.Args["all"].(speech.List); last.ID == m.ID && last.Args["list"] == m.Args["list"] && last.Args["how"] == m.Args["how"] && last.Args["on"] == m.Args["on"] {
			last.Args["all"], last.Args["n"] = append(before, names...), speech.Count(len(before)+len(names))
			return
		}
	}
	*to = append(*to, m)
}

// how is an argument that is a kind.
func how(k speech.Kind) args { return args{"how": k} }

// entriesAre says where entries are: on a list, or off it.
func entriesAre(on speech.Kind) args { return args{"on": on} }

// alone names one thing of what may be said of several.
func alone(v speech.Value) args { return args{"all": speech.List{v}, "n": speech.Count(1)} }

// its are the words of an envelope.
func (d *doing) its(ctx context.Context, id domain.ID) speech.Text {
	_, words, err := d.read(ctx, id)
	d.fails(err)
	return speech.Text{Words: words, In: id}
}

// decoded is the payload of an envelope. Of an erased one it is said that nobody can read it any more.
func decoded[P any](u *undoing, e domain.Envelope) (P, bool) {
	p, err := domain.Decode[P](e)
	if domain.CodeOf(err) == domain.CodeErased {
		u.comes(false, "undone.unreadable")
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
		t.Start = when.Next(*t.Recurrence, u.call.Now, commands.ZoneOf(t.Zone))
	}
	until := t.Start
	if was.kind.TakesPlace() {
		if t.Recurrence != nil {
			t.End, _ = when.Occurs(*t, t.Start, commands.ZoneOf(t.Zone))
		}
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
	before, back := rec.Position, planInverses[verb].verb
	if verb == domain.PlanMade {
		plan, before = u.known.Now(rec.Envelope.ID), u.at+1
	}
	was, id := u.stood(ctx, plan, before), u.known.Now(plan)
	one, known := domain.Commitment{}, false
	u.cfg.Plans.Read(func(p *domain.Plans) { one, known = p.Commitments.Find(id) })
	if u.isPast(verb, was, one, known) {
		return
	}
	u.saysBack(verb, was)
	if opens(verb) && was.passed { // its deadline would be told at once
		was.Time = domain.Appointment{}
	}
	said := was.Plan
	if said.Note = ""; known && (opens(verb) || was.Text == commands.ErasedText) {
		said.Text = "" // the words that it has stay
	}
	if !known {
		one.Kind, back = kind, domain.PlanMade
	}
	effect, err := one.Effect(back, said)
	u.fails(err)
	made := u.does(domain.PlanKey(id), effect.Payload)
	if !known {
		one.ID = u.isAnew(id, made)
	}
	if back == domain.PlanChanged || !known {
		p := planned{Commitment: domain.Commitment{ID: one.ID, Kind: kind}, text: was.Text}
		u.spoken = append(u.spoken, p.dataAt(was.Time.Start, was.Time.End, was.Time.Recurrence != nil))
	}
}

// opens reports whether a plan that this happened to is opened when it is taken back.
func opens(verb domain.PlanVerb) bool { return verb == domain.PlanDone || verb == domain.PlanDropped }

// isPast says why what happened to a plan can't be made good any more; false when it can.
func (u *undoing) isPast(verb domain.PlanVerb, was stood, one domain.Commitment, known bool) bool {
	switch {
	case opens(verb) && known && one.Standing == domain.StandingOpen:
		u.comes(false, "undone.open", alone(say("undone.plan", was.named())))
	case !opens(verb) && (!known || one.HasEnded() || !one.Allows(planInverses[verb].verb)):
		u.comes(false, "undone.ended", alone(say("undone.plan", was.named())))
	case !was.passed || verb != domain.PlanChanged && !(opens(verb) && was.kind.IsTold()):
		return false
	case was.Time.Start == 0:
		u.comes(false, "undone.never", was.named())
	default:
		u.comes(false, "undone.over", was.named(), args{"at": moment(was.Time.Start, u.call)})
	}
	return true
}

// saysBack says how a plan is again.
func (u *undoing) saysBack(verb domain.PlanVerb, was stood) {
	id, how := planInverses[verb].says, was.times(u.call)
	switch {
	case verb == domain.PlanProgressed:
		how = args{"percent": speech.Count(was.Percent)}
	case verb == domain.PlanChanged && how == nil:
		id = "undone.undated"
	case opens(verb) && was.passed:
		id, how = "undone.back_late", nil
	}
	is := args{}
	if id == "undone.is" {
		is["how"] = planInverses[verb].how
	}
	u.comes(true, id, was.named(), how, is)
}

// listing is a list as it is now, with its name.
func (u *undoing) listing(ctx context.Context, id domain.ID) (one domain.Listing, name args, known bool) {
	u.cfg.Plans.Read(func(p *domain.Plans) { one, known = p.Lists.Find(id) })
	return one, args{"list": u.its(ctx, id)}, known
}

// holding is how much is on a list.
func holding(entries []domain.ID) args {
	if len(entries) == 0 {
		return nil
	}
	return args{"n": speech.Count(len(entries))}
}

// unmakeList removes a list that was begun, or, when there is more on it by now, what was
// put on it then.
func unmakeList(ctx context.Context, u *undoing, rec domain.Record) {
	id := u.known.Now(rec.Envelope.ID)
	one, list, known := u.listing(ctx, id)
	own := map[domain.ID]domain.Record{}
	for _, r := range u.change.Records {
		if of, _ := domain.PlanOf(r.Envelope); of == rec.Envelope.ID && r.Envelope.Type == domain.ListItemAddedType {
			own[u.known.Now(r.Envelope.ID)] = r
		}
	}
	more := slices.ContainsFunc(one.Items, func(item domain.ID) bool { return own[item].Position == 0 })
	switch {
	case !known:
		u.comes(false, "undone.list", list, how("gone"))
	case more:
		for _, r := range u.change.Records {
			if own[u.known.Now(r.Envelope.ID)].Position != 0 {
				takeOff(ctx, u, r)
			}
		}
	default:
		u.does(domain.PlanKey(id), domain.ListRemoved{ListID: id})
		u.comes(true, "undone.list", list, holding(one.Items), how("removed"))
	}
}

// takeOff takes an entry off its list that was put on it.
func takeOff(ctx context.Context, u *undoing, rec domain.Record) {
	of, _ := domain.PlanOf(rec.Envelope)
	id, item, text := u.known.Now(of), u.known.Now(rec.Envelope.ID), alone(u.its(ctx, rec.Envelope.ID))
	one, list, _ := u.listing(ctx, id)
	if !slices.Contains(one.Items, item) {
		u.comes(false, "undone.entries", entriesAre("off"), text, list, how("already"))
		return
	}
	u.does(domain.PlanKey(id), domain.ListItemRemoved{ListID: id, ItemID: item})
	u.comes(true, "undone.entries", entriesAre("off"), text, list)
}

// putBack puts an entry on its list again that was taken off it.
func putBack(ctx context.Context, u *undoing, rec domain.Record) {
	gone, ok := decoded[domain.ListItemRemoved](u, rec.Envelope)
	if !ok {
		return
	}
	id, text := u.known.Now(gone.ListID), u.its(ctx, gone.ItemID)
	one, list, known := u.listing(ctx, id)
	there, err := u.skills.entries(ctx, listing{Listing: one})
	u.fails(err)
	switch fresh, _ := newItems([]string{text.Words}, there); {
	case !known:
		u.comes(false, "undone.no_list", args{"all": speech.List{text}}, list)
	case len(fresh) == 0:
		u.comes(false, "undone.entries", entriesAre("on"), alone(text), list, how("already"))
	default:
		u.putOn(id, text)
		u.comes(true, "undone.entries", entriesAre("on"), alone(text), list, how("again"))
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
	name, then := u.its(ctx, id), domain.Lists{}
	for _, r := range u.life(ctx, id, rec.Position) {
		then.Evolve(r)
	}
	all, _, err := u.lists(ctx)
	u.fails(err)
	if len(named(all, name.Words)) == 1 {
		u.comes(false, "undone.list", args{"list": name}, how("there"))
		return
	}
	anew := u.isAnew(id, u.does(domain.ListsKey(), domain.ListCreated{Name: name.Words}))
	was, _ := then.Find(id)
	for _, item := range was.Items {
		u.putOn(anew, u.its(ctx, item))
	}
	u.comes(true, "undone.list", args{"list": name}, holding(was.Items), how("back"))
}

// unremember forgets a memory, and remembers what it had replaced.
func unremember(ctx context.Context, u *undoing, rec domain.Record) {
	id, there := u.known.Now(rec.Envelope.ID), false
	u.cfg.Memory.Read(func(m *domain.Memories) { there = slices.Contains(m.All, id) })
	what := args{"kind": speech.Kind("memory"), "what": u.its(ctx, rec.Envelope.ID)}
	if !there {
		u.comes(false, "undone.is", what, how("gone"))
		return
	}
	u.does(domain.MemoriesKey(), domain.MemoryForgotten{MemoryID: id})
	u.comes(true, "undone.is", what, how("forgotten"))
	if _, replaces := domain.PlanOf(rec.Envelope); replaces {
		rememberAgain(ctx, u, rec)
	}
}

// rememberAgain remembers what was forgotten, or replaced.
func rememberAgain(ctx context.Context, u *undoing, rec domain.Record) {
	was, _ := domain.PlanOf(rec.Envelope)
	made, _, err := u.read(ctx, was)
	u.fails(err)
	if memory, ok := decoded[domain.MemoryRemembered](u, made); ok {
		memory.Replaces = domain.ID{}
		u.isAnew(was, u.does(domain.MemoriesKey(), memory))
		u.comes(true, "undone.remembered", args{"what": speech.Text{Words: memory.Text, In: was}})
	}
}

// noteBack gives a note the words that it had before, removes one that was begun, or writes one
// anew that was removed. A program's note that the person removed is the program's again.
func noteBack(ctx context.Context, u *undoing, rec domain.Record) {
	if u.cfg.Notes == nil {
		u.comes(false, "undone.no_notes")
		return
	}
	id := domain.NoteOf(rec.Envelope)
	var was, last domain.NoteWritten // was is the version before; none before the first
	for _, r := range u.life(ctx, id, u.at+1) {
		if written, err := domain.Decode[domain.NoteWritten](r.Envelope); err == nil {
			if last = written; r.Position < rec.Position {
				was = written
			}
		}
	}
	now, known, gone, path := u.known.Now(id), false, false, args{"kind": speech.Kind("note"), "what": speech.Text{Words: last.Path, In: id}}
	u.cfg.Notes.Read(func(n *domain.Notes) {
		_, known = n.All[now]
		_, gone = n.Gone[now]
	})
	switch {
	case was.Path == "" && !known:
		u.comes(false, "undone.is", path, how("gone"))
	case was.Path == "":
		u.does(domain.NotesKey(), domain.NoteRemoved{NoteID: now})
		u.comes(true, "undone.is", path, how("removed"))
	case known:
		was.NoteID = now
		u.does(domain.NotesKey(), was)
		u.comes(true, "undone.is", path, how("as_it_was"))
	default:
		if was.NoteID = now; !gone {
			was.NoteID = domain.ID{}
		}
		if anew := u.does(domain.NotesKey(), was); !gone {
			u.isAnew(id, anew)
		}
		u.comes(true, "undone.is", path, how("back"))
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
	back, ok := book.Back(set.Name)
	if !ok || back.Undoes != rec.Envelope.ID {
		u.comes(false, "undone.is", args{"kind": speech.Kind("setting"), "what": theirOwn(set.Name)}, how("changed"))
		return
	}
	u.does(domain.SettingsKey, back)
	u.comes(true, "undone.setting", args{"name": theirOwn(set.Name), "value": theirOwn(back.To)})
}

// trustBack says of a tool what the person had said of it before: of the tool as it was nothing is said of it as it
// is.
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
	of, err := domain.ParseID(whose)
	if err != nil {
		of = domain.ID{} // one of Chalie's own
	}
	which := u.toolOf(name, of)
	if is, _ := now.Said(said.CapabilityID); !reflect.DeepEqual(is, said) {
		u.comes(false, "undone.trust", which, how("changed"))
		return
	}
	was, _ := then.Said(said.CapabilityID)
	i, _ := u.interfaceOf(of)
	if at := slices.IndexFunc(i.Tools, func(t domain.Tool) bool { return t.Name == name }); at >= 0 {
		was, _ = then.SaidOf(domain.Offer{Name: name, Tool: i.Tools[at], Interface: &i})
	}
	u.does(domain.PolicyKey, was)
	if asks := was.Asks(); asks != said.Asks() {
		u.comes(true, "undone.asking", which, args{"asks": speech.Kind(asks)})
		return
	}
	u.comes(true, "undone.trust", which, how("as_it_was"))
}
