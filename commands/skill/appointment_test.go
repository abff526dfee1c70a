package skill_test

import (
	"slices"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language/when"
)

// newBusy has a week full of plans, seen from Monday 1 March 2027 at 08:30 in New York.
func newBusy(t testing.TB) *planner {
	t.Helper()
	p := newPlannerIn(t, "America/New_York", "2027-03-01 08:30")
	for _, params := range []string{
		`{"what":"wake up","when":"every weekday at 06:30"}`,
		`{"what":"alarm","when":"tomorrow at 8am"}`,
		`{"what":"alarm","when":"today at 3pm"}`,
		`{"what":"alarm: kickball","when":"on Wednesday at 6pm"}`,
		`{"what":"alarm: yoga","when":"every Saturday at 9am"}`,
		`{"what":"alarm: meeting","when":"tomorrow at 2pm"}`,
		`{"what":"pay the rent","when":"on the 1st of every month at 10"}`,
		`{"what":"water the plants","when":"on Thursday at 6pm"}`,
	} {
		p.call("remind", params)
	}
	for _, params := range []string{
		`{"what":"meeting with Joe","when":"today from 4 to 5pm","place":"the office"}`,
		`{"what":"dinner party","when":"today 7pm","until":"10pm","place":"at Anna's place"}`,
		`{"what":"dentist appointment","when":"tomorrow at 11","until":"30 minutes"}`,
		`{"what":"meeting with Rajesh","when":"on Wednesday at 9am"}`,
		`{"what":"staff meeting","when":"every Thursday at 10"}`,
		`{"what":"doctor's appointment","when":"on Friday at 3pm for half an hour"}`,
		`{"what":"Mary's birthday party","when":"on Saturday from 6pm to 11pm","place":"King's Park"}`,
		`{"what":"Susan's birthday","when":"every year on 15 March"}`,
		`{"what":"lunch with Ted","when":"on 23 March at 12:30"}`,
	} {
		p.call("appointment", params)
	}
	return p
}

// open are the texts of the open plans of a kind, the next first.
func (p *planner) open(kind domain.ItemKind) (out []string) {
	p.t.Helper()
	if err := p.WaitFor(p.t.Context(), p.log.Tail()); err != nil {
		p.t.Fatal(err)
	}
	for _, c := range p.plans.Commitments.List() {
		if c.Kind != kind {
			continue
		}
		rec, err := p.log.Find(p.t.Context(), c.TextID)
		if err != nil {
			p.t.Fatal(err)
		}
		text, err := domain.PlanText(rec.Envelope)
		if err != nil {
			p.t.Fatal(err)
		}
		out = append(out, text+" "+c.Due.Time().In(p.zone).Format("2006-01-02 15:04"))
	}
	return out
}

func TestAppointmentIsAdded(t *testing.T) {
	for _, c := range []struct{ params, start, end, tell, said string }{
		{`{"what":"lunch with Ada","when":"on Friday from 3 to 4pm","place":"the office"}`, "2027-03-05 15:00", "2027-03-05 16:00", "2027-03-05 14:30",
			"Appointment: lunch with Ada, on Friday 5 March, 15:00 to 16:00, at the office. I'll tell you 30 minutes before."},
		{`{"what":"meeting","when":"today at 10","with":"Joe, Ann and Bob","until":"2 hours"}`, "2027-03-01 10:00", "2027-03-01 12:00", "2027-03-01 09:30",
			"Appointment: meeting, today, Monday 1 March, 10:00 to 12:00, with Joe, Ann and Bob. I'll tell you 30 minutes before."},
		{`{"what":"call","when":"in 20 minutes"}`, "2027-03-01 08:50", "2027-03-01 09:50", "2027-03-01 08:50",
			"Appointment: call, today, Monday 1 March, 08:50 to 09:50. I'll tell you when it begins."},
		{`{"what":"flight","when":"tomorrow at 6am","until":"11am","before":"a day"}`, "2027-03-02 06:00", "2027-03-02 11:00", "2027-03-02 06:00",
			"Appointment: flight, tomorrow, Tuesday 2 March, 06:00 to 11:00. I'll tell you when it begins."},
		{`{"what":"flight","when":"on Friday at 6am","before":"a day"}`, "2027-03-05 06:00", "2027-03-05 07:00", "2027-03-04 06:00",
			"Appointment: flight, on Friday 5 March, 06:00 to 07:00. I'll tell you 1 day before."},
		{`{"what":"gym","when":"every Monday and Thursday from 6 to 7pm","before":"none"}`, "2027-03-01 18:00", "2027-03-01 19:00", "",
			"Appointment: gym, every Monday and Thursday at 18:00, first today, Monday 1 March, 18:00 to 19:00. I won't tell you of it before."},
		{`{"what":"Tom's birthday","when":"every year on 20 March"}`, "2027-03-20 00:00", "2027-03-21 00:00", "2027-03-20 09:00",
			"Appointment: Tom's birthday, every year on 20 March, first on Saturday 20 March, all day. I'll tell you on Saturday 20 March at 09:00."},
		{`{"what":"conference","when":"from 8 March to 10 March","place":"in Boston"}`, "2027-03-08 00:00", "2027-03-11 00:00", "2027-03-08 09:00",
			"Appointment: conference, on Monday 8 March to Wednesday 10 March, all day, in Boston. I'll tell you on Monday 8 March at 09:00."},
		{`{"what":"holiday","when":"on Friday","before":"a day"}`, "2027-03-05 00:00", "2027-03-06 00:00", "2027-03-04 09:00",
			"Appointment: holiday, on Friday 5 March, all day. I'll tell you on Thursday 4 March at 09:00."},
		{`{"what":"coffee with Ben tomorrow at 3"}`, "2027-03-02 15:00", "2027-03-02 16:00", "2027-03-02 14:30", "Appointment: coffee with Ben, tomorrow, Tuesday 2 March, 15:00 to 16:00."},
		{`{"with":"Ben","when":"tomorrow at 3"}`, "2027-03-02 15:00", "2027-03-02 16:00", "2027-03-02 14:30", "Appointment: appointment with Ben, tomorrow"},
		{`{"what":"call","when":"every day at 9 London time"}`, "2027-03-02 04:00", "2027-03-02 05:00", "2027-03-02 03:30", ", in the zone Europe/London."},
	} {
		p := newPlannerIn(t, "America/New_York", "2027-03-01 08:30")
		said := p.call("appointment", c.params)
		got := told[domain.AppointmentSet](p)
		if !strings.Contains(said, c.said) {
			t.Errorf("%s answers %q, want %q", c.params, said, c.said)
		}
		var tell domain.Millis
		if c.tell != "" {
			tell = p.moment(c.tell)
		}
		if len(got) != 1 || got[0].Start != p.moment(c.start) || got[0].End != p.moment(c.end) || got[0].Tell != tell {
			t.Errorf("%s sets %+v", c.params, got)
		}
	}
}

// Overlaps are told, and what is there already is asked about.
func TestAppointmentsMeet(t *testing.T) {
	p := newBusy(t)
	if said := p.call("appointment", `{"what":"call","when":"today at 4:30pm"}`); !strings.HasSuffix(said, `It overlaps with "meeting with Joe", today 16:00 to 17:00.`) {
		t.Errorf("an overlap: %q", said)
	}
	if said := p.call("appointment", `{"what":"call","when":"on 11 March at 10:30"}`); !strings.HasSuffix(said, `It overlaps with "staff meeting", on Thursday 11 March 10:00 to 11:00.`) {
		t.Errorf("an overlap with one that comes back: %q", said)
	}
	before := p.log.Tail()
	if said := p.call("appointment", `{"what":"Lunch with Ted","when":"on 23 March at 12:30"}`); said != `There is already an appointment "lunch with Ted", on Tuesday 23 March 12:30 to 13:30. Say: add it anyway.` || p.log.Tail() != before {
		t.Errorf("again: %q", said)
	}
	if said := p.call("appointment", `{"what":"Lunch with Ted","when":"on 23 March at 12:30","again":true}`); !strings.HasPrefix(said, "Appointment: ") {
		t.Errorf("anyway: %q", said)
	}
}

// TestPlansEnd is of naming plans to end them. A call that asks, or finds none, ends none.
func TestPlansEnd(t *testing.T) {
	for _, c := range []struct{ skill, params, said, gone string }{
		{"appointment", `{"action":"cancel","during":"tomorrow"}`, "Cancelled: dentist appointment, tomorrow at 11:00.", "dentist appointment"},
		{"appointment", `{"action":"cancel","which":"my appointment","during":"tomorrow"}`, "Cancelled: dentist appointment", "dentist appointment"},
		{"appointment", `{"action":"cancel","which":"appointment tomorrow"}`, "Cancelled: dentist appointment", "dentist appointment"},
		{"appointment", `{"action":"cancel","which":"meeting","during":"today"}`, "Cancelled: meeting with Joe", "meeting with Joe"},
		{"appointment", `{"action":"delete","which":"dentist"}`, "Cancelled: dentist", "dentist appointment"},
		{"appointment", `{"action":"cancel","during":"at 4pm"}`, "Cancelled: meeting with Joe", "meeting with Joe"},
		{"appointment", `{"action":"cancel","which":"next appointment"}`, "Cancelled: meeting with Joe", "meeting with Joe"},
		{"appointment", `{"action":"cancel","which":"next meeting"}`, "Cancelled: meeting with Joe", "meeting with Joe"},
		{"appointment", `{"action":"cancel","during":"next"}`, "Cancelled: meeting with Joe", "meeting with Joe"},
		{"appointment", `{"action":"cancel","during":"next week","all":true}`, `"staff meeting" (every Thursday at 10:00) comes back: should I leave it out only on Thursday 11 March at 10:00, or end it for good? Say skip, or for good.`, ""},
		{"appointment", `{"action":"cancel","which":"dinner at 9 am"}`, `There is no appointment like "dinner" at 9 am.`, ""},
		{"appointment", `{"action":"cancel","which":"doctor's appointment on Friday"}`, "Cancelled: doctor's appointment", "doctor's appointment"},
		{"appointment", `{"action":"cancel","which":"last","during":"today"}`, "Cancelled: dinner party", "dinner party"},
		{"appointment", `{"action":"cancel","during":"Saturday evening"}`, "Cancelled: Mary's birthday party", "Mary's birthday party"},
		{"appointment", `{"action":"cancel","which":"King's Park"}`, "Cancelled: Mary's birthday party", "Mary's birthday party"},
		{"appointment", `{"action":"cancel","which":"staff meeting"}`, "Cancelled: staff meeting, every Thursday at 10:00. To leave out one time only, skip it.", "staff meeting"},
		{"appointment", `{"action":"cancel","during":"Sunday"}`, "There is no appointment on Sunday.", ""},
		{"appointment", `{"action":"cancel","which":"dentist","during":"Friday"}`, `There is no appointment like "dentist" on Friday. There is: "doctor's appointment".`, ""},
		{"appointment", `{"action":"cancel","which":"opera"}`, `There is no open appointment like "opera"`, ""},
		{"appointment", `{"action":"cancel","which":"meeting"}`, `Which appointment is meant: "meeting with Joe", "meeting with Rajesh", "staff meeting"?`, ""},
		{"appointment", `{"action":"cancel","during":"today","all":true}`, `Cancel 2 appointments: "meeting with Joe" (today at 16:00), "dinner party" (today at 19:00)? Say yes.`, ""},
		{"appointment", `{"action":"cancel","during":"today","all":true,"confirmed":true}`, `Cancelled 2 appointments: "meeting with Joe" (today at 16:00), "dinner party" (today at 19:00).`, "meeting with Joe,dinner party"},
		{"appointment", `{"action":"cancel","during":"tomorrow","all":true}`, "Cancelled: dentist appointment", "dentist appointment"},
		{"appointment", `{"action":"cancel","which":"all meetings"}`, "Cancel 3 appointments: ", ""},
		{"appointment", `{"action":"cancel","which":"everything"}`, "Cancel 9 appointments: ", ""},
		{"reminder", `{"action":"cancel","which":"3 pm alarm"}`, "I won't remind you any more: alarm", "alarm 2027-03-01"},
		{"reminder", `{"action":"cancel","which":"alarm","during":"8am"}`, "I won't remind you any more: alarm", "alarm 2027-03-02"},
		{"reminder", `{"action":"cancel","which":"the 8 am alarm tomorrow"}`, "I won't remind you any more: alarm", "alarm 2027-03-02"},
		{"reminder", `{"action":"cancel","which":"kickball alarm"}`, "I won't remind you any more: alarm: kickball", "alarm: kickball"},
		{"reminder", `{"action":"cancel","which":"alarms","during":"tomorrow"}`, `Cancel 3 alarms: "wake up" (tomorrow at 06:30), "alarm" (tomorrow at 08:00), "alarm: meeting" (tomorrow at 14:00)? Of these "wake up" (every weekday at 06:30) would end for good; skip leaves only this time of them out, and cancels the rest. Say skip, or for good.`, ""},
		{"reminder", `{"action":"skip","which":"alarms","during":"tomorrow","all":true}`, `Cancelled 2 alarms: `, "wake up,alarm 2027-03-02,alarm: meeting"},
		{"reminder", `{"action":"cancel","which":"wake up","during":"on Wednesday"}`, `"wake up" (every weekday at 06:30) comes back: should I leave it out only on Wednesday 3 March at 06:30, or end it for good? Say skip, or for good.`, ""},
		{"appointment", `{"action":"cancel","which":"staff meeting","during":"on Thursday"}`, `"staff meeting" (every Thursday at 10:00) comes back: `, ""},
		{"appointment", `{"action":"cancel","which":"staff meeting","during":"on Thursday","confirmed":true}`, `Cancelled: staff meeting, every Thursday at 10:00.`, "staff meeting"},
		{"reminder", `{"action":"cancel","which":"alarms","during":"tomorrow","all":true,"confirmed":true}`, `Cancelled 3 alarms: `, "wake up,alarm 2027-03-02,alarm: meeting"},
		{"reminder", `{"action":"cancel","which":"alarm","during":"Sunday"}`, "There is no alarm on Sunday.", ""},
		{"reminder", `{"action":"cancel","which":"alarm","during":"in the morning","all":true}`, `Cancel 3 alarms: `, ""},
		{"reminder", `{"action":"cancel","which":"alarm for 5 pm"}`, "There is no alarm at 5 pm.", ""},
		{"reminder", `{"action":"cancel","which":"my 6:30 alarm"}`, "I won't remind you any more: wake up", "wake up"},
		{"reminder", `{"action":"cancel","which":"next alarm"}`, "I won't remind you any more: alarm", "alarm 2027-03-01"},
		{"reminder", `{"action":"done","during":"on Thursday"}`, "Which reminder is meant", ""},
		{"reminder", `{"action":"done","which":"plants"}`, "Done: water the plants", "water the plants"},
	} {
		p := newBusy(t)
		kind := domain.ItemKind(c.skill)
		before := p.open(kind)
		said := p.call(c.skill, c.params)
		if !strings.HasPrefix(said, c.said) {
			t.Errorf("%s %s answers %q, want %q", c.skill, c.params, said, c.said)
		}
		after := p.open(kind)
		gone := slices.DeleteFunc(before, func(text string) bool { return slices.Contains(after, text) })
		want := strings.Split(c.gone, ",")
		if c.gone == "" {
			want = nil
		}
		if len(gone) != len(want) || slices.ContainsFunc(want, func(text string) bool {
			return !slices.ContainsFunc(gone, func(one string) bool { return strings.HasPrefix(one, text) })
		}) {
			t.Errorf("%s %s ends %q, want %q", c.skill, c.params, gone, want)
		}
	}
	p := newBusy(t)
	p.call("task", `{"what":"file the taxes","deadline":"on 31 March at 17:00"}`)
	p.call("task", `{"what":"call the bank"}`)
	if said := p.call("task", `{"action":"drop","all":true}`); said != `Drop 2 tasks: "file the taxes" (on Wednesday 31 March at 17:00), "call the bank"? Say yes.` {
		t.Errorf("tasks: %q", said)
	}
	if said := p.call("task", `{"action":"complete","all":true,"confirmed":true}`); !strings.HasPrefix(said, "Completed 2 tasks: ") || len(p.open(domain.ItemTask)) > 0 {
		t.Errorf("tasks: %q", said)
	}
}

func TestAppointmentsMove(t *testing.T) {
	for _, c := range []struct{ params, said, now string }{
		{`{"action":"move","which":"Joe","when":"at 6pm"}`, "Moved: meeting with Joe, today, Monday 1 March, 18:00 to 19:00, at the office. I'll tell you 30 minutes before.", "meeting with Joe 2027-03-01 18:00"},
		{`{"action":"move","which":"Rajesh","when":"10am"}`, "Moved: meeting with Rajesh, on Wednesday 3 March, 10:00 to 11:00.", "meeting with Rajesh 2027-03-03 10:00"},
		{`{"action":"move","which":"doctor","when":"to Thursday"}`, "Moved: doctor's appointment, on Thursday 4 March, 15:00 to 15:30.", "doctor's appointment 2027-03-04 15:00"},
		{`{"action":"move","which":"doctor","when":"an hour later"}`, "Moved: doctor's appointment, on Friday 5 March, 16:00 to 16:30.", "doctor's appointment 2027-03-05 16:00"},
		{`{"action":"move","which":"dinner","when":"tomorrow from 8 to 9pm"}`, "Moved: dinner party, tomorrow, Tuesday 2 March, 20:00 to 21:00, at Anna's place.", "dinner party 2027-03-02 20:00"},
		{`{"action":"move","which":"dinner","place":"home","with":"Ann"}`, "Changed: dinner party, today, Monday 1 March, 19:00 to 22:00, home, with Ann.", "dinner party 2027-03-01 19:00"},
		{`{"action":"move","which":"dinner","until":"11pm","what":"supper"}`, "Changed: supper, today, Monday 1 March, 19:00 to 23:00, at Anna's place.", "supper 2027-03-01 19:00"},
		{`{"action":"move","which":"staff","when":"on Friday at 9am"}`, "Moved this once: staff meeting, on Friday 5 March, 09:00 to 10:00. I'll tell you 30 minutes before. Otherwise it stays every Thursday at 10:00; to change that, say from now on, or how it comes back, such as: every day at 9.", "staff meeting 2027-03-11 10:00"},
		{`{"action":"move","which":"staff","when":"every Friday at 9am"}`, "Moved: staff meeting, every Friday at 09:00, first on Friday 5 March, 09:00 to 10:00.", "staff meeting 2027-03-05 09:00"},
		{`{"action":"move","which":"Joe","when":"tomorrow at 11"}`, `Moved: meeting with Joe, tomorrow, Tuesday 2 March, 11:00 to 12:00, at the office. I'll tell you 30 minutes before. It overlaps with "dentist appointment", tomorrow 11:00 to 11:30.`, "meeting with Joe 2027-03-02 11:00"},
		{`{"action":"move","which":"staff","during":"on 11 March","when":"on 12 March at 9am"}`, "Moved this once: staff meeting, on Friday 12 March, 09:00 to 10:00.", "staff meeting 2027-03-12 09:00"},
		{`{"action":"move","which":"staff","during":"on 11 March","place":"room 4"}`, "Changed: staff meeting, every Thursday at 10:00, first on Thursday 4 March, 10:00 to 11:00, at room 4.", "staff meeting 2027-03-04 10:00"},
		{`{"action":"move","which":"Joe"}`, `What should change of "meeting with Joe"`, "meeting with Joe 2027-03-01 16:00"},
	} {
		p := newBusy(t)
		if said := p.call("appointment", c.params); !strings.HasPrefix(said, c.said) {
			t.Errorf("%s answers %q, want %q", c.params, said, c.said)
		}
		if got := p.open(domain.ItemAppointment); !slices.Contains(got, c.now) {
			t.Errorf("%s leaves %q", c.params, got)
		}
	}
}

// A reminder that is moved keeps what isn't said of its time.
func TestRemindersMove(t *testing.T) {
	for _, c := range []struct{ params, now string }{
		{`{"action":"move","which":"8 am alarm","when":"9 am"}`, "alarm 2027-03-02 09:00"},
		{`{"action":"move","which":"plants","when":"to Friday"}`, "water the plants 2027-03-05 18:00"},
		{`{"action":"move","which":"plants","when":"an hour later"}`, "water the plants 2027-03-04 19:00"},
		{`{"action":"move","which":"plants","when":"in 2 hours"}`, "water the plants 2027-03-01 10:30"},
		{`{"action":"move","which":"yoga","when":"every Sunday at 10"}`, "alarm: yoga 2027-03-07 10:00"},
		{`{"action":"move","which":"plants","when":"7"}`, "water the plants 2027-03-04 19:00"},
		{`{"action":"move","which":"plants","when":"friday at 7"}`, "water the plants 2027-03-05 19:00"},
		{`{"action":"move","which":"plants","when":"at noon"}`, "water the plants 2027-03-04 12:00"},
	} {
		p := newBusy(t)
		said := p.call("reminder", c.params)
		if got := p.open(domain.ItemReminder); !slices.Contains(got, c.now) {
			t.Errorf("%s leaves %q: %q", c.params, got, said)
		}
	}
}

// A task's deadline on another day stays at its time of day, and what no memory says may be a plan.
func TestDeadlinesMove(t *testing.T) {
	p := newBusy(t)
	p.call("task", `{"what":"file the taxes","deadline":"on 31 March at 17:00"}`)
	p.call("task", `{"what":"sweep the attic"}`)
	for _, c := range []struct{ skill, params, said string }{
		{"task", `{"action":"move","which":"taxes","deadline":"april 15"}`, "Task: file the taxes, due on Thursday 15 April at 17:00"},
		{"task", `{"action":"move","which":"attic","deadline":"april 15"}`, "Task: sweep the attic, due on Thursday 15 April at 09:00"},
		{"forget", `{"what":"the plan"}`, "There is no open memory"},
		{"forget", `{"what":"the doctor's appointment on Friday"}`, "Cancelled: doctor's appointment"},
	} {
		if said := p.call(c.skill, c.params); !strings.HasPrefix(said, c.said) {
			t.Errorf("%s %s: %q", c.skill, c.params, said)
		}
	}
}

func TestSkip(t *testing.T) {
	for _, c := range []struct{ skill, params, said, now string }{
		{"appointment", `{"action":"skip","which":"staff meeting"}`, "Skipped: staff meeting, on Thursday 4 March at 10:00. The next is on Thursday 11 March at 10:00.", "staff meeting 2027-03-11 10:00"},
		{"appointment", `{"action":"skip","which":"staff meeting","during":"this week"}`, "Skipped: staff meeting, on Thursday 4 March at 10:00.", "staff meeting 2027-03-11 10:00"},
		{"appointment", `{"action":"skip","which":"staff meeting","during":"next week"}`, "Skipped: staff meeting, on Thursday 11 March at 10:00. The next is on Thursday 4 March at 10:00.", "staff meeting 2027-03-04 10:00"},
		{"appointment", `{"action":"skip","which":"Joe"}`, `"meeting with Joe" doesn't come back`, "meeting with Joe 2027-03-01 16:00"},
		{"reminder", `{"action":"skip","which":"wake up","during":"tomorrow"}`, "Skipped: wake up, tomorrow at 06:30. The next is on Wednesday 3 March at 06:30.", "wake up 2027-03-03 06:30"},
		{"reminder", `{"action":"skip","which":"wake up","during":"this week"}`, "Skipped 4 times: wake up, tomorrow at 06:30 to Friday 5 March at 06:30. The next is on Monday 8 March at 06:30.", "wake up 2027-03-08 06:30"},
		{"reminder", `{"action":"skip","which":"wake up","during":"at 6:30"}`, "Skipped: wake up, tomorrow at 06:30. The next is on Wednesday 3 March at 06:30.", "wake up 2027-03-03 06:30"},
		{"reminder", `{"action":"skip","which":"yoga"}`, "Skipped: alarm: yoga, on Saturday 6 March at 09:00. The next is on Saturday 13 March at 09:00.", "alarm: yoga 2027-03-13 09:00"},
	} {
		p := newBusy(t)
		if said := p.call(c.skill, c.params); !strings.HasPrefix(said, c.said) {
			t.Errorf("%s answers %q, want %q", c.params, said, c.said)
		}
		if got := p.open(domain.ItemKind(c.skill)); !slices.Contains(got, c.now) {
			t.Errorf("%s leaves %q", c.params, got)
		}
	}
	p := newBusy(t)
	p.call("appointment", `{"action":"skip","which":"staff meeting","during":"next week"}`)
	changed := told[domain.AppointmentChanged](p)[0]
	if next := when.Next(*changed.Recurrence, changed.Start, p.zone); next != p.moment("2027-03-18 10:00") {
		t.Errorf("after the next it comes %v", next.Time().In(p.zone))
	}
}

// TestAppointmentAsks is of appointments that can't be made as they are said.
func TestAppointmentAsks(t *testing.T) {
	p := newBusy(t)
	before := p.log.Tail()
	for params, want := range map[string]string{
		`{"what":"dentist"}`:                                              `When is "dentist"?`,
		`{"when":"tomorrow at 8"}`:                                        "That is a time, tomorrow 08:00 to 09:00. What should the appointment be about?",
		`{"what":"x","when":"yesterday at 5"}`:                            "has passed",
		`{"what":"x","when":"tomorrow at 5","until":"soon"}`:              "No time was found",
		`{"what":"x","when":"tomorrow at 5","before":"some"}`:             `"some" is no length`,
		`{"what":"x","when":"tomorrow at 5pm Mars time before lunch"}`:    "but not",
		`{"action":"paint"}`:                                              "add, cancel, move or skip",
		`{"what":"the code [redacted: password]","when":"tomorrow at 5"}`: "secret",
		`{"action":"move","all":true,"during":"today","when":"at 9pm"}`:   "One at a time",
		`{"action":"cancel","which":"01KB2V7WYQC3V8P0J6R4T5N9XE"}`:        "There is no open appointment 019",
	} {
		done := p.ask("appointment", params)
		if done.Result.Error == nil || !strings.Contains(*done.Result.Error, want) || len(done.Entries) > 0 {
			t.Errorf("%s: %v, want %q", params, *done.Result.Text, want)
		}
		if len(done.Said) == 0 {
			t.Errorf("%s: %v is words alone", params, *done.Result.Text)
		}
	}
	if p.log.Tail() != before {
		t.Error("something was changed")
	}
}

// TestPlansAreTold is of questions about what is planned.
func TestPlansAreTold(t *testing.T) {
	p := newBusy(t)
	p.call("task", `{"what":"call the bank"}`)
	for _, c := range []struct{ params, want string }{
		{`{"kind":"appointments","during":"today"}`, "Appointments: meeting with Joe, today 16:00 to 17:00, at the office; dinner party, today 19:00 to 22:00, at Anna's place."},
		{`{"kind":"appointments","during":"Sunday"}`, "There is no appointment on Sunday."},
		{`{"during":"on Thursday"}`, "Reminders: wake up, on Thursday 4 March at 06:30; water the plants, on Thursday 4 March at 18:00.\nAppointments: staff meeting, on Thursday 4 March 10:00 to 11:00."},
		{`{"kind":"events","during":"on 15 March"}`, "Appointments: Susan's birthday, on Monday 15 March, all day."},
		{`{"kind":"appointments","during":"on 11 March"}`, "Appointments: staff meeting, on Thursday 11 March 10:00 to 11:00."},
		{`{"kind":"appointments","during":"in March","which":"staff"}`, "Appointments: staff meeting, on Thursday 4 March 10:00 to 11:00 (every Thursday at 10:00)."},
		{`{"kind":"alarms","during":"tomorrow"}`, "Alarms: wake up, tomorrow at 06:30; alarm, tomorrow at 08:00; alarm: meeting, tomorrow at 14:00."},
		{`{"kind":"alarms","during":"Sunday"}`, "There is no alarm on Sunday."},
		{`{"kind":"alarms","during":"this week","which":"yoga"}`, "Alarms: alarm: yoga, on Saturday 6 March at 09:00."},
		{`{"kind":"appointments","which":"Ted"}`, "Appointments: lunch with Ted, on Tuesday 23 March 12:30 to 13:30."},
		{`{"kind":"appointments","which":"opera"}`, "There is no appointment like \"opera\"."},
		{`{"which":"King's Park"}`, "Appointments: Mary's birthday party, on Saturday 6 March 18:00 to 23:00, at King's Park."},
		{`{"kind":"alarms","which":"alarms"}`, "Alarms: alarm, today at 15:00; wake up, tomorrow at 06:30; alarm, tomorrow at 08:00; alarm: meeting, tomorrow at 14:00; alarm: kickball, on Wednesday 3 March at 18:00; alarm: yoga, on Saturday 6 March at 09:00."},
		{`{"kind":"appointments","which":"next meeting"}`, "Next: meeting with Joe, today 16:00 to 17:00, at the office."},
		{`{"which":"alarm for tomorrow at 8"}`, "Reminders: alarm, tomorrow at 08:00."},
		{`{"kind":"appointments","next":true}`, "Next: meeting with Joe, today 16:00 to 17:00, at the office."},
		{`{"kind":"alarms","next":true}`, "Next: alarm, today at 15:00."},
		{`{"kind":"appointments","which":"birthday","next":true}`, "Next: Mary's birthday party, on Saturday 6 March 18:00 to 23:00, at King's Park."},
		{`{"next":true,"during":"tomorrow"}`, "Next: wake up, tomorrow at 06:30."},
		{`{"kind":"tasks","next":true}`, "Next: call the bank."},
		{`{"free":true,"during":"on Friday evening"}`, "You are free on Friday evening."},
		{`{"free":true,"during":"Friday afternoon"}`, "Not all of it: doctor's appointment, on Friday 5 March 15:00 to 15:30. There is time from 12:00 to 15:00, and from 15:30 to 19:00."},
		{`{"free":true,"during":"today at 4pm"}`, "No: meeting with Joe, today 16:00 to 17:00, at the office."},
		{`{"free":true,"during":"at 5pm"}`, "You are free at 5pm."},
		{`{"free":true}`, "Not all of it: meeting with Joe, today 16:00 to 17:00, at the office; dinner party, today 19:00 to 22:00, at Anna's place. There is time from 08:30 to 16:00, and from 17:00 to 19:00."},
		{`{"free":true,"during":"on 15 March"}`, "You are free on 15 March, apart from what lasts all day: Susan's birthday, on Monday 15 March, all day."},
		{`{"free":true,"during":"tomorrow from 10 to 12"}`, "Not all of it: dentist appointment, tomorrow 11:00 to 11:30. There is time from 10:00 to 11:00, and from 11:30 to 12:00."},
		{`{"free":true,"during":"whenever"}`, "No time was found"},
		{`{"free":true,"during":"today after 6"}`, "Not all of it: dinner party, today 19:00 to 22:00, at Anna's place. There is time from 18:00 to 19:00."},
		{`{"free":true,"during":"next week"}`, "You are free on Monday 8 March, Tuesday 9 March, Wednesday 10 March, Friday 12 March, Saturday 13 March, Sunday 14 March. Otherwise there is: staff meeting, on Thursday 11 March 10:00 to 11:00."},
		{`{"free":true,"during":"tomorrow from 9 to 5"}`, "Not all of it: dentist appointment, tomorrow 11:00 to 11:30. There is time from 09:00 to 11:00, and from 11:30 to 17:00."},
		{`{"conflicts":true,"during":"this week"}`, "No appointments overlap this week."},
		{`{"kind":"alarms","last":true,"during":"tomorrow"}`, "Last: alarm: meeting, tomorrow at 14:00."},
		{`{"kind":"alarms","next":true,"until":true}`, "In 6 hours and 30 minutes: alarm, today at 15:00."},
		{`{"kind":"alarms","during":"before 7 am"}`, "Alarms: wake up, tomorrow at 06:30."},
		{`{"kind":"alarms","during":"before 7 am this week"}`, "Alarms: wake up, tomorrow at 06:30 (every weekday at 06:30)."},
		{`{"kind":"alarms","during":"between 1 and 5 today"}`, "Alarms: alarm, today at 15:00."},
		{`{"kind":"alarms","during":"morning"}`, "Alarms: wake up, tomorrow at 06:30; alarm, tomorrow at 08:00; alarm: yoga, on Saturday 6 March at 09:00."},
		{`{"kind":"alarms","count":true}`, "There are 6 alarms."},
		{`{"kind":"reminders","recurring":true,"during":"tomorrow"}`, "Reminders: wake up, tomorrow at 06:30 (every weekday at 06:30)."},
		{`{"kind":"appointments","recurring":true,"during":"sunday"}`, "There is no appointment on sunday."},
	} {
		done := p.ask("plans", c.params)
		if said := *done.Result.Text; said != c.want && !((strings.HasPrefix(c.want, "No time") || strings.HasSuffix(c.want, ":")) && strings.Contains(said, c.want)) {
			t.Errorf("%s: %q, want %q", c.params, said, c.want)
		}
	}
	if said := p.call("status", `{}`); !strings.Contains(said, "meeting with Joe, today 16:00 to 17:00, at the office") {
		t.Errorf("the status is %q", said)
	}
}
