package domain_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

func TestAppointments(t *testing.T) {
	weekly := &domain.Recurrence{Rule: "FREQ=WEEKLY"}
	once := planRecord(t, 1, 1000, domain.AppointmentSet{Text: "a", Start: 5 * hourMS, End: 6 * hourMS, Tell: 4 * hourMS})
	again := planRecord(t, 2, 2000, domain.AppointmentSet{Text: "b", Start: 5 * hourMS, End: 6 * hourMS, Recurrence: weekly})
	id := func(r domain.Record) domain.ID { return r.Envelope.ID }
	due := func(of domain.Record) domain.Record {
		return planRecord(t, 8, 4*hourMS, domain.TimerDue{SubjectID: id(of), Kind: domain.ItemAppointment, Due: 4 * hourMS})
	}
	over := func(of domain.Record, next domain.Millis) domain.Record {
		p := domain.AppointmentPassed{AppointmentID: id(of), Start: 5 * hourMS, Next: next}
		if next != 0 {
			p.NextEnd, p.NextTell = next+hourMS, next-hourMS
		}
		return planRecord(t, 9, 6*hourMS, p)
	}
	for _, c := range []struct {
		name  string
		then  []domain.Record
		of    domain.Record
		wakes domain.Millis
		want  domain.Commitment // without what it was made with
	}{
		{"set", nil, once, 4 * hourMS, domain.Commitment{Standing: domain.StandingOpen, Due: 5 * hourMS, End: 6 * hourMS, Tell: 4 * hourMS, Waiting: true}},
		{"not told", nil, again, 6 * hourMS, domain.Commitment{Standing: domain.StandingOpen, Due: 5 * hourMS, End: 6 * hourMS, Waiting: true, Recurs: true}},
		{"told", []domain.Record{due(once)}, once, 6 * hourMS,
			domain.Commitment{Standing: domain.StandingOpen, Due: 5 * hourMS, End: 6 * hourMS, Waiting: true, Told: 4 * hourMS, ToldBy: 8}},
		{"over", []domain.Record{due(once), over(once, 0)}, once, 0,
			domain.Commitment{Standing: domain.StandingPassed, Due: 5 * hourMS, End: 6 * hourMS, Told: 4 * hourMS, ToldBy: 8, Ended: 6 * hourMS, EndedBy: 9}},
		{"over, and comes back", []domain.Record{over(again, 50*hourMS)}, again, 49 * hourMS,
			domain.Commitment{Standing: domain.StandingOpen, Due: 50 * hourMS, End: 51 * hourMS, Tell: 49 * hourMS, Waiting: true, Recurs: true}},
		{"over, erased", []domain.Record{erasedRecord(over(again, 50*hourMS))}, again, 0,
			domain.Commitment{Standing: domain.StandingPassed, Due: 5 * hourMS, End: 6 * hourMS, Recurs: true, Ended: 6 * hourMS, EndedBy: 9}},
		{"moved", []domain.Record{planRecord(t, 9, 7000, domain.Appointment{Start: 8 * hourMS, End: 9 * hourMS, Tell: 7 * hourMS}.Changed(id(again), nil))}, again, 7 * hourMS,
			domain.Commitment{Standing: domain.StandingOpen, Due: 8 * hourMS, End: 9 * hourMS, Tell: 7 * hourMS, Waiting: true, Timing: domain.ID{0, 9, 1}}},
		{"moved when it was over", []domain.Record{over(once, 0), planRecord(t, 10, 7*hourMS, domain.Appointment{Start: 8 * hourMS, End: 9 * hourMS}.Changed(id(once), new("c")))}, once, 9 * hourMS,
			domain.Commitment{Standing: domain.StandingOpen, Due: 8 * hourMS, End: 9 * hourMS, Waiting: true, Timing: domain.ID{0, 10, 1}, TextID: domain.ID{0, 10, 1}}},
		{"an erased move", []domain.Record{erasedRecord(planRecord(t, 9, 7000, domain.Appointment{Start: 8 * hourMS, End: 9 * hourMS}.Changed(id(once), nil)))}, once, 0,
			domain.Commitment{Standing: domain.StandingOpen, Timing: domain.ID{0, 9, 1}}},
		{"cancelled", []domain.Record{planRecord(t, 9, 7000, domain.AppointmentCancelled{AppointmentID: id(once)})}, once, 0,
			domain.Commitment{Standing: domain.StandingDropped, Due: 5 * hourMS, End: 6 * hourMS, Tell: 4 * hourMS, Ended: 7000, EndedBy: 9}},
	} {
		var all domain.Commitments
		for _, rec := range append([]domain.Record{once, again}, c.then...) {
			if err := all.Evolve(rec); err != nil {
				t.Fatal(err)
			}
		}
		got, ok := all.Find(id(c.of))
		c.want.ID, c.want.Kind, c.want.Position, c.want.RecordedAt = id(c.of), domain.ItemAppointment, got.Position, got.RecordedAt
		if c.want.Timing.IsZero() {
			c.want.Timing = c.want.ID
		}
		if c.want.TextID.IsZero() {
			c.want.TextID = c.want.ID
		}
		if !ok || got != c.want || got.Wakes() != c.wakes {
			t.Errorf("%s: %+v that wakes at %d, want %+v at %d", c.name, got, got.Wakes(), c.want, c.wakes)
		}
	}
}

// TestAppointmentsCompete holds appointments to their scores in the world state.
func TestAppointmentsCompete(t *testing.T) {
	const day = 24 * hourMS
	once := planRecord(t, 1, 0, domain.AppointmentSet{Text: "a", Start: day, End: day + 2*hourMS})
	allDay := planRecord(t, 1, 0, domain.AppointmentSet{Text: "a", Start: day, End: 2 * day, AllDay: true})
	weekly := planRecord(t, 1, 0, domain.AppointmentSet{Text: "a", Start: day, End: day + 2*hourMS, Recurrence: &domain.Recurrence{Rule: "FREQ=WEEKLY"}})
	told := func(of domain.Record) domain.Record {
		return planRecord(t, 2, day, domain.TimerDue{SubjectID: of.Envelope.ID, Due: day})
	}
	over := func(of domain.Record, next domain.Millis) domain.Record {
		return planRecord(t, 3, day+2*hourMS, domain.AppointmentPassed{AppointmentID: of.Envelope.ID, Start: day, Next: next, NextEnd: next + 2*hourMS})
	}
	for _, c := range []struct {
		name    string
		records []domain.Record
		at      domain.Millis
		want    string // score, or gate
		phase   domain.Phase
	}{
		{"in 12 h", []domain.Record{once}, day / 2, "0.50", domain.PhasePending},
		{"it begins", []domain.Record{once}, day, "1.00", domain.PhaseDone},
		{"it goes on", []domain.Record{once, told(once)}, day + hourMS, "0.94", domain.PhaseDone},
		{"it was 12 h ago", []domain.Record{once, told(once), over(once, 0)}, day + day/2, "0.50", domain.PhaseDone},
		{"long over", []domain.Record{once, over(once, 0)}, 2*day + 1, "expired", domain.PhaseDone},
		{"all of the day", []domain.Record{allDay}, day + day/2, "1.00", domain.PhasePending},
		{"the day after", []domain.Record{allDay}, 2*day + day/2, "0.50", domain.PhaseDone},
		{"next week", []domain.Record{weekly, told(weekly), over(weekly, 8*day)}, 4 * day, "below_threshold", domain.PhasePending},
		{"next week, and just told", []domain.Record{weekly, told(weekly), over(weekly, 8*day)}, day + 3*hourMS, "0.84", domain.PhaseDone},
	} {
		world := domain.NewWorld()
		for _, rec := range c.records {
			if err := world.Evolve(rec); err != nil {
				t.Fatal(err)
			}
		}
		got := world.Assemble(nil, c.at)
		var said string
		var phase domain.Phase
		for _, item := range append(slices.Clone(got.Items), got.LeftOut...) {
			said, phase = item.Salience.String(), item.Phase
			if item.Gate != "" {
				said = string(item.Gate)
			}
		}
		if said != c.want || phase != c.phase {
			t.Errorf("%s: %q in %q, want %q in %q", c.name, said, phase, c.want, c.phase)
		}
	}
}

func TestAppointmentsAreChecked(t *testing.T) {
	good := domain.AppointmentSet{Text: "a", Start: 1, End: 2, People: []string{"Joe"}}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for field, spoil := range map[string]func(*domain.AppointmentSet){
		"what":  func(a *domain.AppointmentSet) { a.Text = " " },
		"until": func(a *domain.AppointmentSet) { a.End = a.Start },
		"place": func(a *domain.AppointmentSet) { a.Place = strings.Repeat("x", domain.MaxPlaceBytes+1) },
		"with":  func(a *domain.AppointmentSet) { a.People = []string{""} },
	} {
		bad := good
		spoil(&bad)
		if err, ok := errors.AsType[*domain.Error](bad.Check()); !ok || err.Category != domain.Validation || err.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestPlanWords(t *testing.T) {
	for _, c := range []struct{ place, people, want string }{
		{"", "", "lunch with Ted"},
		{"the office", "", "lunch with Ted, at the office"},
		{"in Boston", "Ted", "lunch with Ted, in Boston"},
		{"online", "Ted,Ann,Bob", "lunch with Ted, online, with Ann and Bob"},
	} {
		set := domain.AppointmentSet{Text: "lunch with Ted", Start: 1, End: 2, Place: c.place}
		if c.people != "" {
			set.People = strings.Split(c.people, ",")
		}
		got, err := domain.PlanWords(planRecord(t, 1, 1, set).Envelope)
		if err != nil || got != c.want {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
	}
	if got, err := domain.PlanWords(planRecord(t, 1, 1, domain.TaskCreated{Text: "tax"}).Envelope); got != "tax" || err != nil {
		t.Errorf("of a task %q, %v", got, err)
	}
}
