package skill_test

import (
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// done is something that is done in a story, or asked.
type done struct{ skill, params, want string }

func (p *planner) lives(story []done) {
	p.t.Helper()
	for i, d := range story {
		if got := p.call(d.skill, d.params); d.want != "" && got != d.want {
			p.t.Errorf("%d. %s %s answers\n%q, want\n%q", i, d.skill, d.params, got, d.want)
		}
	}
}

// Each kind of change is taken back, and the one before it after that.
func TestUndo(t *testing.T) {
	const undo = "undo"
	for _, c := range []struct {
		name  string
		story []done
	}{
		{"nothing", []done{{undo, `{}`, "There is nothing to take back."}}},
		{"a reminder", []done{
			{"remind", `{"text":"call Anna tomorrow at 9"}`, ""},
			{undo, `{}`, `Taken back: the reminder "call Anna", tomorrow at 09:00, is removed.`},
			{"plans", `{}`, "Nothing is planned."},
			{undo, `{}`, "There is nothing to take back."},
		}},
		{"a recurring reminder", []done{
			{"remind", `{"text":"take the pills every day at 8"}`, ""},
			{undo, `{}`, `Taken back: the reminder "take the pills", every day at 08:00, is removed.`},
			{"plans", `{}`, "Nothing is planned."},
		}},
		{"a reminder's time and words", []done{
			{"remind", `{"text":"call Anna tomorrow at 9"}`, ""},
			{"reminder", `{"action":"move","when":"on Friday at 10","what":"call Anna's mother"}`, ""},
			{undo, `{}`, `Taken back: the reminder "call Anna" is tomorrow at 09:00 again.`},
			{"plans", `{}`, "Reminders: call Anna, tomorrow at 09:00."},
			{undo, `{}`, `Taken back: the reminder "call Anna", tomorrow at 09:00, is removed.`},
			{"plans", `{}`, "Nothing is planned."},
		}},
		{"the end of a reminder", []done{
			{"remind", `{"text":"call Anna tomorrow at 9"}`, ""},
			{"reminder", `{"action":"cancel"}`, ""},
			{undo, `{}`, `Taken back: the reminder "call Anna" is back, tomorrow at 09:00.`},
			{"plans", `{}`, "Reminders: call Anna, tomorrow at 09:00."},
			{"reminder", `{"action":"done"}`, "Done: call Anna"},
			{undo, `{}`, `Taken back: the reminder "call Anna" is back, tomorrow at 09:00.`},
			{undo, `{}`, `Taken back: the reminder "call Anna", tomorrow at 09:00, is removed.`},
			{"plans", `{}`, "Nothing is planned."},
			{undo, `{}`, "There is nothing to take back."},
		}},
		{"the end of a recurring reminder", []done{
			{"remind", `{"text":"take the pills every day at 8"}`, ""},
			{"reminder", `{"action":"cancel"}`, ""},
			{undo, `{}`, `Taken back: the reminder "take the pills" is back, every day at 08:00.`},
			{"plans", `{}`, "Reminders: take the pills, tomorrow at 08:00."},
		}},
		{"appointments", []done{
			{"appointment", `{"what":"lunch with Ted","when":"tomorrow from 12:30 to 13:30","place":"Luigi's"}`, ""},
			{"appointment", `{"action":"move","which":"lunch","when":"on Friday at 13:00"}`, ""},
			{undo, `{}`, `Taken back: the appointment "lunch with Ted" is tomorrow 12:30 to 13:30 again.`},
			{"appointment", `{"action":"move","which":"lunch","what":"dinner with Ted","place":"home"}`, ""},
			{undo, `{}`, `Taken back: the appointment "lunch with Ted" is tomorrow 12:30 to 13:30 again.`},
			{"appointment", `{"action":"cancel","which":"lunch"}`, ""},
			{undo, `{}`, `Taken back: the appointment "lunch with Ted" is back, tomorrow 12:30 to 13:30.`},
			{"plans", `{"kind":"appointments"}`, "Appointments: lunch with Ted, tomorrow 12:30 to 13:30, at Luigi's."},
			{undo, `{}`, `Taken back: the appointment "lunch with Ted", tomorrow 12:30 to 13:30, is removed.`},
			{"plans", `{}`, "Nothing is planned."},
			{undo, `{}`, "There is nothing to take back."},
		}},
		{"appointments that come back", []done{
			{"appointment", `{"what":"staff meeting","when":"every Thursday at 10"}`, ""},
			{"appointment", `{"action":"skip","which":"staff"}`, ""},
			{undo, `{}`, `Taken back: the appointment "staff meeting" is every Thursday at 10:00 again.`},
			{"appointment", `{"action":"move","which":"staff","when":"on Friday at 11"}`, ""},
			{undo, `{}`, ""},
			{"plans", `{}`, "Appointments: staff meeting, on Thursday 26 November 10:00 to 11:00."},
			{"appointment", `{"action":"cancel","which":"staff"}`, ""},
			{undo, `{}`, `Taken back: the appointment "staff meeting" is back, every Thursday at 10:00.`},
			{"plans", `{}`, "Appointments: staff meeting, on Thursday 26 November 10:00 to 11:00."},
		}},
		{"tasks", []done{
			{"task", `{"what":"paint the boat by Friday at 17:00","percent":10}`, ""},
			{"task", `{"action":"progress","percent":40}`, ""},
			{"task", `{"action":"move","deadline":"on Thursday at 9"}`, ""},
			{"task", `{"action":"move"}`, "No deadline any more: paint the boat"},
			{"task", `{"action":"complete"}`, ""},
			{undo, `{}`, `Taken back: the task "paint the boat" is back.`},
			{undo, `{}`, `Taken back: the task "paint the boat" is due on Thursday 26 November at 09:00 again.`},
			{undo, `{}`, `Taken back: the task "paint the boat" is due on Friday 27 November at 17:00 again.`},
			{undo, `{}`, `Taken back: the task "paint the boat" is at 10 % again.`},
			{"plans", `{}`, "Tasks: paint the boat (10 %), on Friday 27 November at 17:00."},
			{"task", `{"action":"drop"}`, ""},
			{undo, `{}`, `Taken back: the task "paint the boat" is back, due on Friday 27 November at 17:00.`},
			{undo, `{}`, `Taken back: the task "paint the boat", due on Friday 27 November at 17:00, is removed.`},
			{"plans", `{}`, "Nothing is planned."},
		}},
		{"entries", []done{
			{"list", `{"list":"shopping","item":"milk"}`, ""},
			{"list", `{"list":"shopping","item":"eggs, salt"}`, ""},
			{"list", `{"action":"remove","list":"shopping","item":"milk, eggs"}`, ""},
			{undo, `{}`, `Taken back: "milk", "eggs" are on the list shopping again.`},
			{"list", `{"list":"shopping"}`, "shopping: salt, milk, eggs"},
			{undo, `{}`, `Taken back: "eggs", "salt" are off the list shopping.`},
			{"list", `{"list":"shopping"}`, "shopping: milk"},
			{undo, `{}`, "Taken back: the list shopping with 1 entry is removed."},
			{"list", `{}`, "There is no list."},
		}},
		{"a list", []done{
			{"list", `{"list":"shopping","item":"milk"}`, ""},
			{"list", `{"list":"shopping","item":"eggs"}`, ""},
			{"list", `{"list":"shopping","action":"drop","confirmed":true}`, ""},
			{undo, `{}`, "Taken back: the list shopping with 2 entries is there again."},
			{"list", `{"list":"shopping"}`, "shopping: milk, eggs"},
			{undo, `{}`, `Taken back: "eggs" is off the list shopping.`},
			{undo, `{}`, "Taken back: the list shopping with 1 entry is removed."},
			{undo, `{}`, "There is nothing to take back."},
		}},
		{"memories", []done{
			{"remember", `{"what":"My dentist is Dr Borg","about":"dentist"}`, ""},
			{"remember", `{"what":"My dentist is Dr Vella","about":"dentist"}`, ""},
			{"forget", `{"what":"Vella"}`, ""},
			{undo, `{}`, `Taken back: I remember "My dentist is Dr Vella" again.`},
			{undo, `{}`, `Taken back: the memory "My dentist is Dr Vella" is forgotten; I remember "My dentist is Dr Borg" again.`},
			{"recall", `{}`, "My dentist is Dr Borg"},
			{undo, `{}`, `Taken back: the memory "My dentist is Dr Borg" is forgotten.`},
			{"recall", `{}`, "I remember nothing."},
			{undo, `{}`, "There is nothing to take back."},
		}},
		{"what is done between two", []done{
			{"remind", `{"text":"call Anna tomorrow at 9"}`, ""},
			{"list", `{"list":"shopping","item":"milk"}`, ""},
			{undo, `{}`, "Taken back: the list shopping with 1 entry is removed."},
			{"task", `{"what":"tax return"}`, ""},
			{undo, `{}`, `Taken back: the task "tax return" is removed.`},
			{undo, `{}`, `Taken back: the reminder "call Anna", tomorrow at 09:00, is removed.`},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			newPlanner(t).lives(c.story)
		})
	}
}

// What has passed meanwhile is told, and the next one is the change before it.
func TestUndoOfWhatHasPassed(t *testing.T) {
	p := newPlanner(t)
	p.call("list", `{"list":"shopping","item":"milk"}`)
	p.call("remind", `{"text":"call Anna today at 11:00"}`)
	p.call("reminder", `{"action":"move","when":"tomorrow at 9"}`)
	p.call("task", `{"what":"tax return","deadline":"today at 11:00"}`)
	p.call("task", `{"action":"drop"}`)
	p.clock.Advance(2 * time.Hour)
	p.lives([]done{
		{"undo", `{}`, `Taken back: the task "tax return" is back, without its deadline, which has passed.`},
		{"undo", `{}`, `Taken back: the task "tax return" is removed.`},
		{"undo", `{}`, `I can't take that back: the reminder "call Anna" was for today at 11:00, and that has passed.`},
		{"plans", `{"kind":"reminders"}`, "Reminders: call Anna, tomorrow at 09:00."},
		{"undo", `{}`, `Taken back: the reminder "call Anna", tomorrow at 09:00, is removed.`},
		{"undo", `{}`, "Taken back: the list shopping with 1 entry is removed."},
	})
}

// A change of another day is named before it is taken back.
func TestUndoAsksAboutOldChanges(t *testing.T) {
	for _, days := range []int{2, 20, 200} {
		p := newPlanner(t)
		p.call("remember", `{"what":"Anna is allergic to nuts"}`)
		p.clock.Advance(time.Duration(days) * 24 * time.Hour)
		before := p.log.Tail()
		said := p.call("undo", `{}`)
		if !strings.HasPrefix(said, "The last change was on ") || !strings.HasSuffix(said, `Should I take it back, so that the memory "Anna is allergic to nuts" is forgotten? Say yes.`) || p.log.Tail() != before {
			t.Errorf("after %d days it says %q", days, said)
		}
		p.lives([]done{{"undo", `{"confirmed":true}`, `Taken back: the memory "Anna is allergic to nuts" is forgotten.`}, {"recall", `{}`, "I remember nothing."}})
	}
}

// A change is taken back once, on nothing having happened to its plans meanwhile.
func TestUndoRestsOnWhatItSaw(t *testing.T) {
	for _, c := range []struct{ skill, params string }{
		{"undo", `{}`},
		{"reminder", `{"action":"done","which":"Anna"}`},
		{"reminder", `{"action":"move","which":"Anna","when":"on Friday at 9"}`},
	} {
		p := newPlanner(t)
		p.call("list", `{"list":"shopping","item":"milk"}`)
		p.call("remind", `{"text":"call Anna tomorrow at 8"}`)
		undo := p.ask("undo", `{}`)
		p.call(c.skill, c.params)
		_, err := p.log.Append(t.Context(), domain.Batch{Entries: undo.Entries, Conditions: undo.Conditions})
		if domain.CodeOf(err) != domain.CodeConditionFailed {
			t.Errorf("%s came between: %v", c.skill, err)
		}
	}
}

// record appends an event as whoever it is from.
func record[P commands.Keyed](p *planner, lineage domain.Lineage, payload P) domain.ID {
	p.t.Helper()
	id := lineage.Trace.ID
	if !lineage.Parent.IsZero() {
		id = p.ids.NewID()
	}
	e, err := domain.New(lineage, id, p.now(), "test", payload)
	if err != nil {
		p.t.Fatal(err)
	}
	e.Envelope.Keys = payload.Keys()
	p.does(tool.SkillDone{Entries: []domain.Entry{e}})
	return id
}

// Settings go back as the page takes them back, and what the page took back is.
func TestUndoOfSettings(t *testing.T) {
	p := newPlanner(t)
	begins := func() domain.Lineage {
		return domain.Begin(domain.TraceID{ID: p.ids.NewID()}, domain.PrincipalOperator)
	}
	record(p, begins(), domain.SettingsChanged{Name: "surfaces", From: "0.5", To: "0.4"})
	second := record(p, begins(), domain.SettingsChanged{Name: "surfaces", From: "0.4", To: "0.37"})
	third := record(p, begins(), domain.SettingsChanged{Name: "context", From: "5", To: "7"})
	record(p, begins(), domain.SettingsChanged{Name: "context", From: "7", To: "5", Default: true, Undoes: third})
	p.lives([]done{
		{"undo", `{}`, "Taken back: the setting surfaces is 0.4 again."},
		{"undo", `{}`, "Taken back: the setting surfaces is 0.5 again."},
		{"undo", `{}`, "There is nothing to take back."},
	})
	all := told[domain.SettingsChanged](p)
	if back, first := all[len(all)-2], all[len(all)-1]; back.Undoes != second || back.From != "0.37" || back.Default || !first.Default {
		t.Errorf("taken back by %+v and %+v", back, first)
	}
}

// What interfaces did isn't taken back. Where the person had one do something since, that
// is asked about.
func TestUndoLeavesWhatOthersDid(t *testing.T) {
	p := newPlanner(t)
	p.call("list", `{"list":"shopping","item":"milk"}`)
	house := p.ids.NewID()
	var list domain.ID
	p.plansNow(func(plans *domain.Plans) { list = plans.Lists.All[0].ID })
	record(p, domain.Begin(domain.TraceID{ID: p.ids.NewID()}, domain.Principal(house.String())), domain.ListItemAdded{ListID: list, Text: "eggs"})
	p.lives([]done{
		{"undo", `{}`, `Taken back: "milk" is off the list shopping. What others have changed since stays.`},
		{"list", `{"list":"shopping"}`, "shopping: eggs"},
	})
	p.call("remind", `{"text":"call Anna tomorrow at 9"}`)
	p.calls(house, "light.set", domain.ActorOperator)
	p.lives([]done{
		{"undo", `{}`, `The last thing that was done is “light.set”, and I can't take that back. Should I take back what you changed before, so that the reminder "call Anna", tomorrow at 09:00, is removed? Say yes.`},
		{"undo", `{"confirmed":true}`, `Taken back: the reminder "call Anna", tomorrow at 09:00, is removed.`},
		{"undo", `{}`, "There is nothing to take back."},
	})
	p.calls(house, "light.set", domain.ActorOperator)
	p.lives([]done{{"undo", `{}`, "The last thing that was done is “light.set”, and I can't take that back. There is nothing else to take back."}})
	// What an interface does while it does something for the person is its own.
	dispatched := p.calls(domain.ID{}, "list", domain.InterfaceActor(house))
	lineage := domain.Lineage{Trace: domain.TraceID{ID: dispatched}, Parent: dispatched, Principal: domain.PrincipalOperator}
	record(p, lineage, domain.ListItemAdded{ListID: list, Text: "salt"})
	p.lives([]done{
		{"list", `{"list":"shopping"}`, "shopping: eggs, salt"},
		{"undo", `{}`, "The last thing that was done is “light.set”, and I can't take that back. There is nothing else to take back."},
	})
}

// plansNow reads the plans when they have seen the whole log.
func (p *planner) plansNow(fn func(*domain.Plans)) {
	p.t.Helper()
	if err := p.WaitFor(p.t.Context(), p.log.Tail()); err != nil {
		p.t.Fatal(err)
	}
	fn(&p.plans)
}

// calls has a tool called in the person's name, and returns the envelope that dispatched it.
func (p *planner) calls(house domain.ID, name, actor string) (dispatched domain.ID) {
	p.t.Helper()
	id := p.ids.NewID()
	lineage := domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator)
	for _, payload := range []any{
		domain.ToolInvoked{InterfaceID: house, Tool: name, Actor: actor},
		domain.PolicyDecided{InvocationID: id, Actor: actor, SideEffects: true, Allowed: true},
		domain.ToolDispatched{InvocationID: id}, domain.ToolCompleted{InvocationID: id},
	} {
		var e domain.Entry
		var err error
		step := p.ids.NewID()
		switch x := payload.(type) {
		case domain.ToolInvoked:
			e, err = domain.New(lineage, id, p.now(), "tools", x)
		case domain.PolicyDecided:
			e, err = domain.New(lineage, step, p.now(), "policy", x)
		case domain.ToolDispatched:
			e, err = domain.New(lineage, step, p.now(), "tools", x)
			dispatched = step
		case domain.ToolCompleted:
			e, err = domain.New(lineage, step, p.now(), "tools", x)
		}
		if err != nil {
			p.t.Fatal(err)
		}
		if _, first := payload.(domain.ToolInvoked); !first {
			e.Envelope.Keys = []domain.Key{domain.InvocationKey(id)}
		}
		lineage.Parent = e.Envelope.ID
		p.does(tool.SkillDone{Entries: []domain.Entry{e}})
	}
	return dispatched
}

// What was said of a tool goes back to what was said before, also what was said on its page. A
// change that others made since stays.
func TestUndoOfTrust(t *testing.T) {
	p := newPlanner(t)
	begins := func() domain.Lineage {
		return domain.Begin(domain.TraceID{ID: p.ids.NewID()}, domain.PrincipalOperator)
	}
	always, never, yes := domain.AskAlways, domain.AskNever, true
	lab := domain.ID{15: 9}.UUID()
	record(p, begins(), domain.CapabilityChanged{CapabilityID: lab + "/list_shapes", Unasked: &yes})
	record(p, begins(), domain.CapabilityChanged{CapabilityID: lab + "/list_shapes", Unasked: &yes, Ask: &never})
	record(p, begins(), domain.CapabilityChanged{CapabilityID: "chalie/remind", Ask: &always})
	record(p, begins(), domain.CapabilityChanged{CapabilityID: "chalie/remind", Ask: &never})
	p.lives([]done{
		{"undo", `{}`, "Taken back: “remind” is set to “always ask” again."},
		{"undo", `{}`, "Taken back: “remind” is set to “as I say it” again."},
		{"undo", `{}`, "Taken back: “list_shapes” is set to “as I say it” again."},
		{"undo", `{}`, "Taken back: what you said of “list_shapes” is as it was."},
		{"undo", `{}`, "There is nothing to take back."},
	})
	all := told[domain.CapabilityChanged](p)
	if back := all[len(all)-2]; back.Ask != nil || back.Unasked == nil || !*back.Unasked || !all[len(all)-1].IsEmpty() {
		t.Errorf("taken back by %+v and %+v", back, all[len(all)-1])
	}
}
