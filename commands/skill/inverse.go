package skill

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/when"
)

// inverse is how an event of one type is made good: it adds entries, and says what is so
// again, or what can't be any more.
type inverse struct {
	begins bool // the event makes the plan that has its id, so what else the same change did to that needs nothing
	back   func(context.Context, *undoing, domain.Record) error
}

// inverseOf is how an event of a type is made good; false of one that can't be taken back.
func inverseOf(t domain.EventType) (inverse, bool) {
	if verb, _, ok := domain.VerbOf(t); ok {
		how, ok := planInverses[verb]
		return how, ok
	}
	how, ok := inverses[t]
	return how, ok
}

// planInverses are the verbs of plans that can be taken back. That something is over can't be.
var planInverses = map[domain.PlanVerb]inverse{
	domain.PlanMade:       {true, unmake},
	domain.PlanChanged:    {false, changeBack},
	domain.PlanProgressed: {false, progressBack},
	domain.PlanDone:       {false, reopen},
	domain.PlanDropped:    {false, reopen},
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
	back       []outcome        // what is so again
	left       []outcome        // what can't be any more
	spoken     []map[string]any // the plans that are as they were
}

// invert takes back all that the change did.
func (u *undoing) invert(ctx context.Context) error {
	begun := map[domain.ID]bool{}
	for _, rec := range u.change.records {
		how, _ := inverseOf(rec.Envelope.Type)
		if how.begins {
			begun[rec.Envelope.ID] = true
		} else if plan, ok := domain.PlanOf(rec.Envelope); ok && begun[plan] {
			continue
		}
		if err := how.back(ctx, u, rec); err != nil {
			return err
		}
	}
	return nil
}

// add adds an entry, and returns its id.
func add[P any](u *undoing, payload P, keys []domain.Key) (domain.ID, error) {
	e, err := entry(u.skills, u.call, payload, keys)
	u.entries = append(u.entries, e)
	return e.Envelope.ID, err
}

// happens adds what is stored when something happens to a plan, and returns its id. What stood once
// isn't checked again.
func (u *undoing) happens(one domain.Commitment, verb domain.PlanVerb, was stood) (domain.ID, error) {
	done, err := one.Effect(verb, was.Plan)
	if err != nil {
		return domain.ID{}, err
	}
	return add(u, done.Payload, done.Keys)
}

// rests adds the condition that nothing with a key happens meanwhile.
func (u *undoing) rests(key domain.Key) {
	if one := (domain.Condition{Key: key, After: u.at}); !slices.Contains(u.conditions, one) {
		u.conditions = append(u.conditions, one)
	}
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

func (u *undoing) isBack(name, one, many string)  { u.back = with(u.back, name, one, many) }
func (u *undoing) staysSo(name, one, many string) { u.left = with(u.left, name, one, many) }

// commitment is a reminder, appointment or task as it is now.
func (u *undoing) commitment(id domain.ID) (one domain.Commitment, known bool) {
	u.cfg.Plans.Read(func(p *domain.Plans) { one, known = p.Commitments.Find(id) })
	return one, known
}

// stood is a plan as it had been.
type stood struct {
	domain.Plan
	kind   domain.ItemKind
	passed bool // its time has, or it doesn't come back any more
}

// name is what it is called.
func (was stood) name() string { return fmt.Sprintf("the %s %q", was.kind, was.Text) }

// before is a reminder, appointment or task as it stood before a record.
func (u *undoing) before(ctx context.Context, plan domain.ID, rec domain.Record) (stood, error) {
	made, err := u.cfg.Reader.Find(ctx, plan)
	if err != nil {
		return stood{}, err
	}
	all := []domain.Record{made}
	_, err = domain.Look(ctx, u.cfg.Reader, domain.Selector{Key: domain.PlanKey(plan)}, 1, maxLooked, func(r domain.Record) {
		if r.Position < rec.Position {
			all = append(all, r)
		}
	})
	was := stood{Plan: domain.Plan{Text: commands.ErasedText}}
	_, was.kind, _ = domain.VerbOf(made.Envelope.Type)
	for _, r := range all {
		if err == nil {
			err = was.evolve(ctx, r.Envelope)
		}
	}
	was.comesNext(u.call)
	return was, err
}

// comesNext gives what comes back its next time, and finds out what has passed.
func (was *stood) comesNext(call tool.SkillCall) {
	t, zone := &was.Time, commands.ZoneOf(was.Time.Zone)
	if t.Recurrence != nil {
		next := when.Next(*t.Recurrence, call.Now, zone)
		if was.kind.TakesPlace() {
			t.End, _ = when.Occurs(*t, next, zone)
		}
		t.Start = next
	}
	until := t.Start
	if was.kind.TakesPlace() {
		t.Tell = firstTold(*t, call)
		until = t.End
	}
	was.passed = until != 0 && until <= call.Now || t.Recurrence != nil && t.Start == 0
}

// evolve folds what happened to it. What is erased changes nothing, and what comes back is told by
// how it does, not by its times.
func (was *stood) evolve(ctx context.Context, e domain.Envelope) error {
	if verb, _, _ := domain.VerbOf(e.Type); verb == domain.PlanPassed {
		return nil
	}
	before := was.Text
	words, err := was.Evolve(e)
	if err != nil || !words {
		if domain.CodeOf(err) == domain.CodeErased {
			return nil
		}
		return err
	}
	text, err := wordsOf(ctx, e)
	was.Text = cmp.Or(text, before)
	return err
}

// says is when it is due, in words behind a comma; "" when it isn't.
func (was stood) says(call tool.SkillCall) string {
	t := was.Time
	due := when.Say(t.Start, call.Now, call.Zone)
	switch {
	case t.Start == 0:
		return ""
	case was.kind.TakesPlace() && t.Recurrence != nil:
		return ", " + sayAgain(t)
	case was.kind.TakesPlace():
		return ", " + when.SaySpan(t.Start, t.End, t.AllDay, call.Now, call.Zone)
	case t.Recurrence != nil:
		return ", " + when.SayAgain(*t.Recurrence)
	case !was.kind.IsTold():
		return ", due " + due
	}
	return ", " + due
}

// unmake ends a reminder, appointment or task that was made.
func unmake(ctx context.Context, u *undoing, rec domain.Record) error {
	id := u.now(rec.Envelope.ID)
	was, err := u.before(ctx, id, domain.Record{Position: u.at + 1})
	if err != nil {
		return err
	}
	one, known := u.commitment(id)
	if !known || one.HasEnded() {
		u.staysSo(was.name(), " has ended since", " have ended since")
		return nil
	}
	u.rests(domain.PlanKey(id))
	_, err = u.happens(one, domain.PlanDropped, was)
	gone := " is removed"
	if due := was.says(u.call); due != "" {
		gone = due + "," + gone
	}
	u.isBack(was.name(), gone, "")
	return err
}

// changeBack gives a reminder, appointment or task its earlier time and words.
func changeBack(ctx context.Context, u *undoing, rec domain.Record) error {
	plan, _ := domain.PlanOf(rec.Envelope)
	was, err := u.before(ctx, plan, rec)
	if err != nil {
		return err
	}
	id := u.now(plan)
	one, known := u.commitment(id)
	switch {
	case !known || one.HasEnded():
		u.staysSo(was.name(), " has ended since", " have ended since")
		return nil
	case was.passed:
		u.staysSo(was.name(), u.wasFor(was), "")
		return nil
	}
	again := " has no deadline again"
	if due := was.says(u.call); due != "" {
		again = " is" + strings.TrimPrefix(due, ",") + " again"
	}
	u.isBack(was.name(), again, "")
	return u.changeTo(one, was, true)
}

// wasFor says that a time has passed.
func (u *undoing) wasFor(was stood) string {
	if was.Time.Start == 0 {
		return " doesn't come back any more"
	}
	return " was for " + when.Say(was.Time.Start, u.call.Now, u.call.Zone) + ", and that has passed"
}

// changeTo gives a plan an earlier state, which opens it.
func (u *undoing) changeTo(one domain.Commitment, was stood, words bool) error {
	u.rests(domain.PlanKey(one.ID))
	u.speaks(one.ID, was)
	if !words || was.Text == commands.ErasedText {
		was.Text = ""
	}
	_, err := u.happens(one, domain.PlanChanged, was)
	return err
}

// progressBack gives a task its earlier progress.
func progressBack(ctx context.Context, u *undoing, rec domain.Record) error {
	plan, _ := domain.PlanOf(rec.Envelope)
	was, err := u.before(ctx, plan, rec)
	if err != nil {
		return err
	}
	id := u.now(plan)
	one, known := u.commitment(id)
	if !known || !one.Allows(domain.PlanProgressed) {
		u.staysSo(was.name(), " has ended since", " have ended since")
		return nil
	}
	u.rests(domain.PlanKey(id))
	was.Note = ""
	_, err = u.happens(one, domain.PlanProgressed, was)
	u.isBack(was.name(), fmt.Sprintf(" is at %d %% again", was.Percent), "")
	return err
}

// reopen opens a reminder, appointment or task that was ended. One that isn't remembered any more is
// made anew.
func reopen(ctx context.Context, u *undoing, rec domain.Record) error {
	plan, _ := domain.PlanOf(rec.Envelope)
	was, err := u.before(ctx, plan, rec)
	if err != nil {
		return err
	}
	id := u.now(plan)
	one, known := u.commitment(id)
	again := " is back" + was.says(u.call)
	switch {
	case known && one.Standing == domain.StandingOpen:
		u.staysSo(was.name(), " is open already", " are open already")
		return nil
	case was.passed && was.kind.IsTold():
		u.staysSo(was.name(), u.wasFor(was), "")
		return nil
	case was.passed:
		// Its deadline would be told at once.
		again, was.Time = " is back, without its deadline, which has passed", domain.Appointment{}
	}
	u.isBack(was.name(), again, "")
	if known {
		return u.changeTo(one, was, false)
	}
	anew, err := u.happens(domain.Commitment{Kind: was.kind}, domain.PlanMade, was)
	u.remade = append(u.remade, domain.Remade{WasID: id, IsID: anew})
	u.speaks(anew, was)
	return err
}

// speaks adds a plan that is there again to the data of the answer.
func (u *undoing) speaks(id domain.ID, was stood) {
	p := planned{Commitment: domain.Commitment{ID: id, Kind: was.kind}, text: was.Text}
	u.spoken = append(u.spoken, p.spokenAnew(was.Time.Start, was.Time.End, was.Time.Recurrence != nil))
}

// listing is a list as it is now; false when there is none.
func (u *undoing) listing(id domain.ID) (one domain.Listing, known bool) {
	u.cfg.Plans.Read(func(p *domain.Plans) { one, known = p.Lists.Find(id) })
	return one, known
}

// unmakeList removes a list that was begun, or, when there is more on it by now, what was
// put on it then.
func unmakeList(ctx context.Context, u *undoing, rec domain.Record) error {
	id := u.now(rec.Envelope.ID)
	_, name, err := u.read(ctx, rec.Envelope.ID)
	if err != nil {
		return err
	}
	one, known := u.listing(id)
	if !known {
		u.staysSo("the list "+name, " is gone already", "")
		return nil
	}
	var own []domain.Record
	for _, r := range u.change.records {
		if plan, _ := domain.PlanOf(r.Envelope); r.Envelope.Type == domain.ListItemAddedType && plan == rec.Envelope.ID {
			own = append(own, r)
		}
	}
	more := slices.ContainsFunc(one.Items, func(item domain.ID) bool {
		return !slices.ContainsFunc(own, func(r domain.Record) bool { return u.now(r.Envelope.ID) == item })
	})
	if more {
		for _, r := range own {
			if err := takeOff(ctx, u, r); err != nil {
				return err
			}
		}
		return nil
	}
	u.rests(domain.PlanKey(id))
	gone := domain.ListRemoved{ListID: id}
	_, err = add(u, gone, gone.Keys())
	u.isBack("the list "+name, holding(len(one.Items))+" is removed", "")
	return err
}

// holding says how much is on a list.
func holding(entries int) string {
	switch entries {
	case 0:
		return ""
	case 1:
		return " with 1 entry"
	}
	return fmt.Sprintf(" with %d entries", entries)
}

// takeOff takes an entry off its list that was put on it.
func takeOff(ctx context.Context, u *undoing, rec domain.Record) error {
	plan, _ := domain.PlanOf(rec.Envelope)
	text, err := wordsOf(ctx, rec.Envelope)
	if err != nil {
		return err
	}
	list, item := u.now(plan), u.now(rec.Envelope.ID)
	_, name, err := u.read(ctx, list)
	if err != nil {
		return err
	}
	if one, known := u.listing(list); !known || !slices.Contains(one.Items, item) {
		u.staysSo(fmt.Sprintf("%q", text), " is off the list "+name+" already", " are off the list "+name+" already")
		return nil
	}
	u.rests(domain.PlanKey(list))
	gone := domain.ListItemRemoved{ListID: list, ItemID: item}
	_, err = add(u, gone, gone.Keys())
	u.isBack(fmt.Sprintf("%q", text), " is off the list "+name, " are off the list "+name)
	return err
}

// putBack puts an entry on its list again that was taken off it.
func putBack(ctx context.Context, u *undoing, rec domain.Record) error {
	gone, err := domain.Decode[domain.ListItemRemoved](rec.Envelope)
	if err != nil {
		return u.unreadable(err)
	}
	_, text, err := u.read(ctx, gone.ItemID)
	if err != nil {
		return err
	}
	list := u.now(gone.ListID)
	_, name, err := u.read(ctx, list)
	if err != nil {
		return err
	}
	one, known := u.listing(list)
	there, err := u.skills.entries(ctx, listing{one, name})
	if err != nil {
		return err
	}
	switch fresh, _ := newItems([]string{text}, there); {
	case !known:
		u.staysSo(fmt.Sprintf("%q", text), " can't go on the list "+name+", which is gone", " can't go on the list "+name+", which is gone")
		return nil
	case len(fresh) == 0:
		u.staysSo(fmt.Sprintf("%q", text), " is on the list "+name+" already", " are on the list "+name+" already")
		return nil
	}
	u.rests(domain.PlanKey(list))
	u.isBack(fmt.Sprintf("%q", text), " is on the list "+name+" again", " are on the list "+name+" again")
	return u.putOn(list, gone.ItemID, text)
}

// putOn puts an entry of then on a list. An erased one stays away.
func (u *undoing) putOn(list, was domain.ID, text string) error {
	if text == commands.ErasedText {
		return nil
	}
	item := domain.ListItemAdded{ListID: list, Text: text}
	anew, err := add(u, item, item.Keys())
	u.remade = append(u.remade, domain.Remade{WasID: was, IsID: anew})
	return err
}

// remakeList begins a list anew that was removed, with what was on it.
func remakeList(ctx context.Context, u *undoing, rec domain.Record) error {
	plan, _ := domain.PlanOf(rec.Envelope)
	made, name, err := u.read(ctx, plan)
	if err != nil {
		return err
	}
	then := domain.Lists{}
	then.Evolve(domain.Record{Envelope: made})
	_, err = domain.Look(ctx, u.cfg.Reader, domain.Selector{Key: domain.PlanKey(plan)}, 1, maxLooked, func(r domain.Record) {
		if r.Position < rec.Position {
			then.Evolve(r)
		}
	})
	if err != nil {
		return err
	}
	all, _, err := u.lists(ctx)
	if err != nil {
		return err
	}
	if _, there := named(all, name); there {
		u.staysSo("the list "+name, " is there again already", "")
		return nil
	}
	u.rests(domain.ListsKey())
	list := domain.ListCreated{Name: name}
	anew, err := add(u, list, list.Keys())
	if err != nil {
		return err
	}
	u.remade = append(u.remade, domain.Remade{WasID: plan, IsID: anew})
	was, _ := then.Find(plan)
	for _, item := range was.Items {
		_, text, err := u.read(ctx, item)
		if err != nil {
			return err
		}
		if err := u.putOn(anew, item, text); err != nil {
			return err
		}
	}
	u.isBack("the list "+name, holding(len(was.Items))+" is there again", "")
	return nil
}

// isRemembered reports whether a memory is there.
func (u *undoing) isRemembered(id domain.ID) (there bool) {
	u.cfg.Memory.Read(func(m *domain.Memories) { there = slices.Contains(m.All, id) })
	return there
}

// unremember forgets a memory, and remembers what it had replaced.
func unremember(ctx context.Context, u *undoing, rec domain.Record) error {
	id := u.now(rec.Envelope.ID)
	text, err := wordsOf(ctx, rec.Envelope)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("the memory %q", text)
	if !u.isRemembered(id) {
		u.staysSo(name, " is forgotten already", "")
		return nil
	}
	u.rests(domain.MemoriesKey())
	gone := domain.MemoryForgotten{MemoryID: id}
	if _, err := add(u, gone, gone.Keys()); err != nil {
		return err
	}
	replaced, ok := domain.PlanOf(rec.Envelope)
	if !ok {
		u.isBack(name, " is forgotten", "")
		return nil
	}
	before, err := u.rememberAnew(ctx, replaced)
	u.isBack(name, fmt.Sprintf(" is forgotten; I remember %q again", before), "")
	return err
}

// rememberAgain remembers what was forgotten.
func rememberAgain(ctx context.Context, u *undoing, rec domain.Record) error {
	plan, _ := domain.PlanOf(rec.Envelope)
	u.rests(domain.MemoriesKey())
	text, err := u.rememberAnew(ctx, plan)
	u.isBack(fmt.Sprintf("I remember %q again", text), "", "")
	return err
}

// rememberAnew remembers an earlier memory, and returns its words.
func (u *undoing) rememberAnew(ctx context.Context, was domain.ID) (string, error) {
	env, text, err := u.read(ctx, was)
	if err != nil {
		return "", err
	}
	memory, err := domain.Decode[domain.MemoryRemembered](env)
	if domain.CodeOf(err) == domain.CodeErased {
		return text, nil // nobody can say what it was
	}
	if err != nil {
		return "", err
	}
	memory.Replaces = domain.ID{}
	anew, err := add(u, memory, memory.Keys())
	u.remade = append(u.remade, domain.Remade{WasID: was, IsID: anew})
	return text, err
}

// setBack gives a setting the value from before.
func setBack(ctx context.Context, u *undoing, rec domain.Record) error {
	set, err := domain.Decode[domain.SettingsChanged](rec.Envelope)
	if err != nil {
		return u.unreadable(err)
	}
	var book domain.SettingsBook
	var wrong error
	_, err = domain.Look(ctx, u.cfg.Reader, domain.Selector{Key: domain.SettingsKey}, 1, maxLooked, func(r domain.Record) {
		if err := book.Evolve(r); err != nil {
			wrong = err
		}
	})
	if err != nil || wrong != nil {
		return cmp.Or(err, wrong)
	}
	params := book.Params().Listed()
	last, ok := book.Undoable(set.Name)
	at := slices.IndexFunc(params, func(p domain.Param) bool { return p.Name == set.Name })
	if at < 0 || !ok || last.EnvelopeID != rec.Envelope.ID {
		u.staysSo("the setting "+set.Name, " was changed since, or isn't one any more", "")
		return nil
	}
	back := domain.SettingsChanged{Name: set.Name, From: params[at].Value, To: last.From, Default: last.WasDefault, Undoes: last.EnvelopeID}
	if back.Default {
		own, err := domain.DefaultParams().Of(set.Name)
		if err != nil {
			return err
		}
		back.To = own.Value
	}
	u.rests(domain.SettingsKey)
	_, err = add(u, back, back.Keys())
	u.isBack("the setting "+set.Name, " is "+back.To+" again", "")
	return err
}

// unreadable says of an erased event that nobody can take it back any more.
func (u *undoing) unreadable(err error) error {
	if domain.CodeOf(err) != domain.CodeErased {
		return err
	}
	u.staysSo("what it was", " can't be read any more", "")
	return nil
}
