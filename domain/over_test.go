package domain_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"chalie/domain"
)

// TestWhatIsOverLeavesTheMind holds plans that are over to the rule of today's builds, and to
// the one before it in what an earlier build wrote.
func TestWhatIsOverLeavesTheMind(t *testing.T) {
	const day = 24 * hourMS
	reminder := planRecord(t, 2, 0, domain.ReminderSet{Text: "a", Due: day})
	daily := planRecord(t, 2, 0, domain.ReminderSet{Text: "a", Due: day, Recurrence: &domain.Recurrence{Rule: "FREQ=DAILY"}})
	task := planRecord(t, 2, 0, domain.TaskCreated{Text: "a", Deadline: day})
	dinner := planRecord(t, 2, 0, domain.AppointmentSet{Text: "a", Start: day, End: day + 2*hourMS})
	weekly := planRecord(t, 2, 0, domain.AppointmentSet{Text: "a", Start: day, End: day + 2*hourMS, Recurrence: &domain.Recurrence{Rule: "FREQ=WEEKLY"}})
	told := func(of domain.Record, next domain.Millis) domain.Record {
		return planRecord(t, 3, day, domain.TimerDue{SubjectID: of.Envelope.ID, Due: day, Next: next})
	}
	saw := func(of domain.Record) domain.Record {
		return planRecord(t, 4, day+1, domain.ToldSeen{Of: of.Envelope.ID})
	}
	by := func(who domain.Principal, rec domain.Record) domain.Record {
		rec.Envelope.Principal = who
		return rec
	}
	spoke := planRecord(t, 4, day+1, domain.MessageReceived{Text: "hello"})
	passed := func(of domain.Record, next domain.Millis) domain.Record {
		return planRecord(t, 4, day+2*hourMS, domain.AppointmentPassed{AppointmentID: of.Envelope.ID, Start: day, Next: next, NextEnd: next + 2*hourMS})
	}
	for _, c := range []struct {
		name    string
		records []domain.Record
		at      domain.Millis
		was, is string // score, or gate
	}{
		{"told", []domain.Record{reminder, told(reminder, 0)}, day + 12*hourMS, "0.50", "0.50"},
		{"told too long ago", []domain.Record{reminder, told(reminder, 0)}, 2*day + 1, "expired", "expired"},
		{"told and seen", []domain.Record{reminder, told(reminder, 0), saw(reminder)}, day + hourMS, "0.94", "over"},
		{"told, and another was seen", []domain.Record{reminder, told(reminder, 0), saw(told(reminder, 0))}, day + hourMS, "0.94", "0.94"},
		{"told, and the person spoke", []domain.Record{reminder, told(reminder, 0), spoke}, day + hourMS, "0.94", "over"},
		{"told, and an interface spoke", []domain.Record{reminder, told(reminder, 0), by("other", planRecord(t, 4, day+1, domain.MessageReceived{ImageIDs: []domain.ID{{1}}}))}, day + hourMS, "0.94", "0.94"},
		{"told, and a button was pressed", []domain.Record{reminder, told(reminder, 0), planRecord(t, 4, day+1, domain.ActionReceived{Skill: "status"})}, day + hourMS, "0.94", "over"},
		{"done before it was told", []domain.Record{reminder, planRecord(t, 3, hourMS, domain.ReminderDone{ReminderID: reminder.Envelope.ID})}, hourMS, "1.00", "over"},
		{"done", []domain.Record{task, planRecord(t, 3, hourMS, domain.TaskCompleted{TaskID: task.Envelope.ID})}, hourMS, "1.00", "over"},
		{"a task that is due, and was seen", []domain.Record{task, told(task, 0), saw(task)}, day + hourMS, "1.00", "1.00"},
		{"a daily one, told", []domain.Record{daily, told(daily, 3*day)}, day + hourMS, "0.94", "0.94"},
		{"a daily one, told and seen", []domain.Record{daily, told(daily, 2*day), saw(daily)}, day + 12*hourMS, "0.50", "0.50"},
		{"one in two days, told and seen", []domain.Record{daily, told(daily, 3*day), saw(daily)}, day + hourMS, "0.94", "below_threshold"},
		{"dinner that goes on", []domain.Record{dinner, told(dinner, 0), saw(dinner)}, day + hourMS, "0.94", "0.94"},
		{"dinner that is over", []domain.Record{dinner}, day + 2*hourMS, "0.89", "over"},
		{"dinner of which that was noticed", []domain.Record{dinner, passed(dinner, 0)}, day + 3*hourMS, "0.84", "over"},
		{"a weekly dinner", []domain.Record{weekly, told(weekly, 0), passed(weekly, 8*day)}, day + 3*hourMS, "0.84", "below_threshold"},
	} {
		for _, rule := range []struct {
			of   domain.OverRule
			want string
		}{{domain.OverFades, c.was}, {domain.OverIsOut, c.is}, {domain.OverMessages, c.is}} {
			world := domain.NewWorld()
			for _, rec := range append([]domain.Record{planRecord(t, 1, 0, domain.SystemStarted{Over: rule.of})}, c.records...) {
				if err := world.Evolve(rec); err != nil {
					t.Fatal(err)
				}
			}
			for _, again := range []domain.World{world, stored(t, world), world.Clone()} {
				if got := inMind(again.Assemble(nil, c.at)); got != rule.want {
					t.Errorf("%s, by %q: %s, want %s", c.name, rule.of, got, rule.want)
				}
			}
		}
	}
}

// TestMessagesOfProgramsAreInMind holds messages to the rule of today's builds, and to those before
// it, by which none is in mind.
func TestMessagesOfProgramsAreInMind(t *testing.T) {
	const came = hourMS
	by := func(who domain.Principal, rec domain.Record) domain.Record {
		rec.Envelope.Principal, rec.Envelope.Source = who, "interface/hospital"
		return rec
	}
	says := func(pos domain.Position, m domain.MessageReceived) domain.Record {
		return by("hospital", planRecord(t, pos, came, m))
	}
	moved := says(4, domain.MessageReceived{Text: "Your scan moved to 3pm", Source: "hospital"})
	spoke := func(pos domain.Position) domain.Record {
		return planRecord(t, pos, came, domain.MessageReceived{Text: "hello"})
	}
	steer, press := planRecord(t, 6, came, domain.SteerReceived{Text: "no"}), planRecord(t, 6, came, domain.ActionReceived{Skill: "status"})
	saw := func(of domain.Record) domain.Record {
		return planRecord(t, 5, came, domain.ToldSeen{Of: of.Envelope.ID})
	}
	for _, c := range []struct {
		name    string
		records []domain.Record
		after   domain.Millis
		want    string
	}{
		{"of a program", []domain.Record{moved}, 0, "1.00"},
		{"six hours later", []domain.Record{moved}, 6 * hourMS, "0.70"},
		{"a day later", []domain.Record{moved}, 24 * hourMS, "below_threshold"},
		{"of the person", []domain.Record{spoke(4)}, 0, "nothing"},
		{"what a program asks for itself", []domain.Record{says(4, domain.MessageReceived{Text: "what is planned?", Conversation: domain.ConversationName{Project: domain.ProjectBrain}})}, 0, "nothing"},
		{"an image without words", []domain.Record{says(4, domain.MessageReceived{Text: " ", ImageIDs: []domain.ID{{1}}})}, 0, "nothing"},
		{"erased", []domain.Record{erasedRecord(moved)}, 0, "nothing"},
		{"the person had spoken before it", []domain.Record{spoke(2), spoke(3), moved}, 0, "1.00"},
		{"the person speaks, and is answered with it in mind", []domain.Record{spoke(3), moved, spoke(5)}, 0, "1.00"},
		{"and steers that", []domain.Record{moved, spoke(5), steer}, 0, "1.00"},
		{"and says something else", []domain.Record{moved, spoke(5), spoke(6)}, 0, "over"},
		{"and presses a button", []domain.Record{moved, spoke(5), press}, 0, "over"},
		{"another program speaks", []domain.Record{moved, by("luigi", spoke(5)), by("luigi", spoke(6))}, 0, "1.00 1.00 1.00"},
		{"a client showed it", []domain.Record{moved, saw(moved)}, 0, "over"},
		{"a client showed another", []domain.Record{moved, saw(spoke(9))}, 0, "1.00"},
	} {
		for _, rule := range []domain.OverRule{domain.OverFades, domain.OverIsOut, domain.OverMessages} {
			world := domain.NewWorld()
			for _, rec := range append([]domain.Record{planRecord(t, 1, 0, domain.SystemStarted{Over: rule})}, c.records...) {
				if err := world.Evolve(rec); err != nil {
					t.Fatal(err)
				}
			}
			want := c.want
			if !rule.HasMessages() {
				want = "nothing"
			}
			for _, again := range []domain.World{world, stored(t, world), world.Clone()} {
				assembly := again.Assemble(nil, came+c.after)
				got := inMind(assembly)
				for _, more := range assembly.Items[min(1, len(assembly.Items)):] {
					got += " " + more.Salience.String()
				}
				if got != want {
					t.Errorf("%s, by %q: %s, want %s", c.name, rule, got, want)
				}
			}
		}
	}
}

// TestMessagesAreAFew keeps the latest messages only, and of what was seen of them no more.
func TestMessagesAreAFew(t *testing.T) {
	world := domain.NewWorld()
	for pos := domain.Position(1); pos < 4*domain.MaxMessages; pos += 2 {
		told := planRecord(t, pos, 0, domain.MessageReceived{Text: "a"})
		told.Envelope.Principal = "hospital"
		for _, rec := range []domain.Record{told, planRecord(t, pos+1, 0, domain.ToldSeen{Of: told.Envelope.ID})} {
			if err := world.Evolve(rec); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(world.Messages) != domain.MaxMessages || len(world.Glance.Seen) != domain.MaxMessages || world.Messages[domain.MaxMessages-1].Position != 4*domain.MaxMessages-1 {
		t.Errorf("remembered are %d messages, %d of them seen", len(world.Messages), len(world.Glance.Seen))
	}
}

// inMind is the score of the one plan in a world, or the gate that keeps it out.
func inMind(a domain.Assembly) string {
	all := append(slices.Clone(a.Items), a.LeftOut...)
	switch {
	case len(all) == 0:
		return "nothing"
	case all[0].Gate == domain.GateOver && all[0].Salience != 0:
		return "over, and weighs " + all[0].Salience.String()
	case all[0].Gate != "":
		return string(all[0].Gate)
	}
	return all[0].Salience.String()
}

// stored is a world as it comes back from where it was saved.
func stored(t *testing.T, w domain.World) (out domain.World) {
	t.Helper()
	text, err := json.Marshal(w)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestARuleHoldsFromItsBuildOn folds a log that an earlier build began.
func TestARuleHoldsFromItsBuildOn(t *testing.T) {
	task := planRecord(t, 2, 0, domain.TaskCreated{Text: "a"})
	world := domain.NewWorld()
	for i, step := range []struct {
		rec  domain.Record
		want string
	}{
		{planRecord(t, 1, 0, domain.SystemStarted{}), "nothing"},
		{task, "0.50"},
		{planRecord(t, 3, 1, domain.TaskCompleted{TaskID: task.Envelope.ID}), "1.00"},
		{planRecord(t, 4, 1, domain.SystemStarted{Over: domain.OverIsOut}), "over"},
		{planRecord(t, 5, 2, domain.SettingsChanged{Name: "open_task", To: "0.6"}), "over"},
		{erasedRecord(planRecord(t, 6, 3, domain.SystemStarted{})), "over"},
		{planRecord(t, 7, 4, domain.SystemStarted{}), "1.00"},
	} {
		if err := world.Evolve(step.rec); err != nil {
			t.Fatal(err)
		}
		if got := inMind(world.Assemble(nil, 5)); got != step.want {
			t.Errorf("after %d: %s, want %s", i+1, got, step.want)
		}
	}
}

// TestWhatWasSeenIsForgotten keeps of what was seen no more than there are plans.
func TestWhatWasSeenIsForgotten(t *testing.T) {
	world := domain.NewWorld()
	var pos domain.Position
	for range domain.MaxEndedCommitments + 20 {
		made := planRecord(t, pos+1, 0, domain.ReminderSet{Text: "a", Due: 1})
		for _, rec := range []domain.Record{made, planRecord(t, pos+2, 1, domain.TimerDue{SubjectID: made.Envelope.ID, Due: 1}), planRecord(t, pos+3, 1, domain.ToldSeen{Of: made.Envelope.ID})} {
			if err := world.Evolve(rec); err != nil {
				t.Fatal(err)
			}
		}
		pos += 3
	}
	if len(world.Glance.Seen) != domain.MaxEndedCommitments {
		t.Errorf("%d are known to have been seen", len(world.Glance.Seen))
	}
	if again := stored(t, world); !reflect.DeepEqual(again.Glance.Seen, world.Glance.Seen) {
		t.Error("what was seen comes back otherwise")
	}
}

// TestWhatIsOverTurns expects an appointment to leave the mind when it is over.
func TestWhatIsOverTurns(t *testing.T) {
	const day = 24 * hourMS
	world := domain.NewWorld()
	for _, rec := range []domain.Record{planRecord(t, 1, 0, domain.SystemStarted{Over: domain.OverIsOut}),
		planRecord(t, 2, 0, domain.AppointmentSet{Text: "a", Start: day, End: day + 2*hourMS})} {
		if err := world.Evolve(rec); err != nil {
			t.Fatal(err)
		}
	}
	for _, now := range []domain.Millis{day - hourMS, day, day + hourMS} {
		for _, c := range world.Candidates(now) {
			if at, turns := world.Rules.Turns(c, now); !turns || at != day+2*hourMS {
				t.Errorf("at %d it turns at %d (%v)", now, at, turns)
			}
		}
	}
}
