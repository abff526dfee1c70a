package domain_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
)

// planRecord is an envelope in the log, with the keys that its payload gives.
func planRecord[P any](t rapid.TB, pos domain.Position, at domain.Millis, payload P) domain.Record {
	t.Helper()
	id := domain.ID{byte(pos >> 8), byte(pos), 1}
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, at, "test", payload)
	if err != nil {
		t.Fatal(err)
	}
	if keyed, ok := any(payload).(interface{ Keys() []domain.Key }); ok {
		entry.Envelope.Keys = keyed.Keys()
	}
	return domain.Record{Position: pos, Topic: entry.Topic, RecordedAt: at, Envelope: entry.Envelope}
}

func erasedRecord(rec domain.Record) domain.Record {
	rec.Envelope = erased(rec.Envelope)
	return rec
}

const hourMS = domain.Millis(time.Hour / time.Millisecond)

func TestCommitments(t *testing.T) {
	again := &domain.Recurrence{Rule: "FREQ=DAILY"}
	reminder := planRecord(t, 1, 1000, domain.ReminderSet{Text: "a", Due: 5 * hourMS})
	daily := planRecord(t, 2, 2000, domain.ReminderSet{Text: "b", Due: 3 * hourMS, Recurrence: again})
	task := planRecord(t, 3, 3000, domain.TaskCreated{Text: "c", Deadline: 4 * hourMS})
	loose := planRecord(t, 4, 4000, domain.TaskCreated{Text: "d"})
	made := []domain.Record{reminder, daily, task, loose}
	id := func(r domain.Record) domain.ID { return r.Envelope.ID }
	for _, c := range []struct {
		name string
		then domain.Record
		id   domain.ID
		want domain.Commitment // without what it was made with
	}{
		{"told", planRecord(t, 9, 6*hourMS, domain.TimerDue{SubjectID: id(reminder), Due: 5 * hourMS}), id(reminder),
			domain.Commitment{Standing: domain.StandingTold, Due: 5 * hourMS, Told: 6 * hourMS, Ended: 6 * hourMS}},
		{"told, and comes back", planRecord(t, 9, 4*hourMS, domain.TimerDue{SubjectID: id(daily), Due: 3 * hourMS, Next: 27 * hourMS}), id(daily),
			domain.Commitment{Standing: domain.StandingOpen, Due: 27 * hourMS, Waiting: true, Recurs: true, Told: 4 * hourMS}},
		{"a deadline told", planRecord(t, 9, 4*hourMS, domain.TimerDue{SubjectID: id(task), Due: 4 * hourMS}), id(task),
			domain.Commitment{Standing: domain.StandingOpen, Due: 4 * hourMS, Told: 4 * hourMS}},
		{"an erased telling", erasedRecord(planRecord(t, 9, 6*hourMS, domain.TimerDue{SubjectID: id(daily), Due: 3 * hourMS, Next: 27 * hourMS})), id(daily),
			domain.Commitment{Standing: domain.StandingTold, Due: 3 * hourMS, Recurs: true, Told: 6 * hourMS, Ended: 6 * hourMS}},
		{"moved", planRecord(t, 9, 7000, domain.ReminderChanged{ReminderID: id(daily), Due: 8 * hourMS}), id(daily),
			domain.Commitment{Standing: domain.StandingOpen, Due: 8 * hourMS, Waiting: true, Timing: domain.ID{0, 9, 1}}},
		{"said in other words", planRecord(t, 9, 7000, domain.TaskChanged{TaskID: id(task), Text: new("e"), Deadline: 4 * hourMS}), id(task),
			domain.Commitment{Standing: domain.StandingOpen, Due: 4 * hourMS, Waiting: true, Timing: domain.ID{0, 9, 1}, TextID: domain.ID{0, 9, 1}}},
		{"an erased move", erasedRecord(planRecord(t, 9, 7000, domain.ReminderChanged{ReminderID: id(daily), Due: 8 * hourMS})), id(daily),
			domain.Commitment{Standing: domain.StandingOpen, Timing: domain.ID{0, 9, 1}}},
		{"without a deadline", planRecord(t, 9, 7000, domain.TaskChanged{TaskID: id(task)}), id(task),
			domain.Commitment{Standing: domain.StandingOpen, Timing: domain.ID{0, 9, 1}}},
		{"progressed", planRecord(t, 9, 7000, domain.TaskProgressed{TaskID: id(loose), Percent: 40}), id(loose),
			domain.Commitment{Standing: domain.StandingOpen, Percent: 40}},
		{"done, erased", erasedRecord(planRecord(t, 9, 7000, domain.ReminderDone{ReminderID: id(reminder)})), id(reminder),
			domain.Commitment{Standing: domain.StandingDone, Due: 5 * hourMS, Ended: 7000}},
		{"cancelled", planRecord(t, 9, 7000, domain.ReminderCancelled{ReminderID: id(reminder)}), id(reminder),
			domain.Commitment{Standing: domain.StandingDropped, Due: 5 * hourMS, Ended: 7000}},
		{"completed", planRecord(t, 9, 7000, domain.TaskCompleted{TaskID: id(loose)}), id(loose), domain.Commitment{Standing: domain.StandingDone, Ended: 7000}},
		{"dropped", planRecord(t, 9, 7000, domain.TaskDropped{TaskID: id(loose)}), id(loose), domain.Commitment{Standing: domain.StandingDropped, Ended: 7000}},
	} {
		var all domain.Commitments
		for _, rec := range append(slices.Clone(made), c.then) {
			if err := all.Evolve(rec); err != nil {
				t.Fatal(err)
			}
		}
		got, ok := all.Find(c.id)
		c.want.ID, c.want.Kind, c.want.Position, c.want.RecordedAt = got.ID, got.Kind, got.Position, got.RecordedAt
		if c.want.Timing.IsZero() {
			c.want.Timing = c.id
		}
		if c.want.TextID.IsZero() {
			c.want.TextID = c.id
		}
		if c.want.Told != 0 {
			c.want.ToldBy = 9
		}
		if c.want.Ended != 0 {
			c.want.EndedBy = 9
		}
		if !ok || got != c.want || all.Through != 9 {
			t.Errorf("%s: %+v through %d, want %+v", c.name, got, all.Through, c.want)
		}
		_, open := all.Open[c.id]
		if open != (got.Standing == domain.StandingOpen) || len(all.Open)+len(all.Ended) != len(made) {
			t.Errorf("%s: %s is kept in the wrong place", c.name, got.Standing)
		}
	}
	var all domain.Commitments
	if err := all.Evolve(erasedRecord(reminder)); err != nil || len(all.Open) > 0 {
		t.Errorf("an erased reminder: %v, %+v", err, all.Open)
	}
	if err := all.Evolve(planRecord(t, 9, 1, domain.TaskDropped{TaskID: domain.ID{7}})); err != nil || len(all.Ended) > 0 {
		t.Errorf("an unknown task: %v, %+v", err, all.Ended)
	}
	bad := reminder
	bad.Envelope.Version = 9
	if err := all.Evolve(bad); domain.CodeOf(err) != domain.CodeUndecodable || all.Through != 9 {
		t.Errorf("a foreign version: %v, through %d", err, all.Through)
	}
}

func TestCommitmentsAreListedByTime(t *testing.T) {
	var all domain.Commitments
	for i, due := range []domain.Millis{0, 7 * hourMS, 0, 3 * hourMS, 7 * hourMS} {
		if err := all.Evolve(planRecord(t, domain.Position(i+1), 1, domain.TaskCreated{Text: "x", Deadline: due})); err != nil {
			t.Fatal(err)
		}
	}
	var got []domain.Position
	for _, c := range all.List() {
		got = append(got, c.Position)
	}
	if want := []domain.Position{4, 2, 5, 1, 3}; !slices.Equal(got, want) {
		t.Errorf("listed as %v, want %v", got, want)
	}
}

func TestEndedCommitmentsAreBounded(t *testing.T) {
	var all domain.Commitments
	for n := range domain.Position(domain.MaxEndedCommitments + 20) {
		made := planRecord(t, 2*n+1, 1, domain.TaskCreated{Text: "x"})
		for _, rec := range []domain.Record{made, planRecord(t, 2*n+2, 1, domain.TaskCompleted{TaskID: made.Envelope.ID})} {
			if err := all.Evolve(rec); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(all.Ended) != domain.MaxEndedCommitments || all.Ended[0].Position != 41 {
		t.Errorf("%d are remembered, the first of %d", len(all.Ended), all.Ended[0].Position)
	}
}

// TestPlansCompete holds reminders and tasks to their scores in the world state.
func TestPlansCompete(t *testing.T) {
	const day = 24 * hourMS
	reminder := planRecord(t, 1, 0, domain.ReminderSet{Text: "a", Due: day})
	daily := planRecord(t, 1, 0, domain.ReminderSet{Text: "a", Due: day, Recurrence: &domain.Recurrence{Rule: "FREQ=DAILY"}})
	task := planRecord(t, 1, 0, domain.TaskCreated{Text: "a", Deadline: day})
	loose := planRecord(t, 1, 0, domain.TaskCreated{Text: "a"})
	due := func(of domain.Record, next domain.Millis) domain.Record {
		return planRecord(t, 2, day, domain.TimerDue{SubjectID: of.Envelope.ID, Due: day, Next: next})
	}
	for _, c := range []struct {
		name    string
		records []domain.Record
		at      domain.Millis
		want    string // score, or gate
		phase   domain.Phase
	}{
		{"a reminder in 24 h", []domain.Record{reminder}, 0, "0.25", domain.PhasePending},
		{"a reminder in 12 h", []domain.Record{reminder}, day / 2, "0.50", domain.PhasePending},
		{"a reminder in 2 h", []domain.Record{reminder}, day - 2*hourMS, "0.89", domain.PhasePending},
		{"a reminder that is due", []domain.Record{reminder}, day, "1.00", domain.PhasePending},
		{"told", []domain.Record{reminder, due(reminder, 0)}, day, "1.00", domain.PhaseDone},
		{"told 12 h ago", []domain.Record{reminder, due(reminder, 0)}, day + day/2, "0.50", domain.PhaseDone},
		{"told 24 h ago", []domain.Record{reminder, due(reminder, 0)}, 2 * day, "0.25", domain.PhaseDone},
		{"told too long ago", []domain.Record{reminder, due(reminder, 0)}, 2*day + 1, "expired", domain.PhaseDone},
		{"a daily one, told an hour ago", []domain.Record{daily, due(daily, 2*day)}, day + hourMS, "0.94", domain.PhaseDone},
		{"a daily one, due in an hour", []domain.Record{daily, due(daily, 2*day)}, 2*day - hourMS, "0.94", domain.PhasePending},
		{"a daily one of long ago", []domain.Record{daily, due(daily, 5*day)}, 3 * day, "below_threshold", domain.PhasePending},
		{"a task due in 12 h", []domain.Record{task}, day / 2, "0.50", domain.PhasePending},
		{"a task that is overdue", []domain.Record{task, due(task, 0)}, 3 * day, "1.00", domain.PhasePending},
		{"a task without a deadline", []domain.Record{loose}, 30 * day, "0.50", domain.PhaseOpen},
		{"a task done 12 h ago", []domain.Record{loose, planRecord(t, 2, day, domain.TaskCompleted{TaskID: loose.Envelope.ID})}, day + day/2, "0.50", domain.PhaseDone},
		{"a reminder done early", []domain.Record{reminder, planRecord(t, 2, hourMS, domain.ReminderDone{ReminderID: reminder.Envelope.ID})}, hourMS, "1.00", domain.PhaseDone},
		{"a dropped task", []domain.Record{loose, planRecord(t, 2, day, domain.TaskDropped{TaskID: loose.Envelope.ID})}, day, "", ""},
		{"a cancelled reminder", []domain.Record{reminder, planRecord(t, 2, 1, domain.ReminderCancelled{ReminderID: reminder.Envelope.ID})}, 1, "", ""},
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
		if said != c.want || phase != c.phase || len(got.Items)+len(got.LeftOut) > 1 {
			t.Errorf("%s is %q in %q, want %q in %q", c.name, said, phase, c.want, c.phase)
		}
	}
}

// TestListsAndMemories folds them, also where what says which is erased.
func TestListsAndMemories(t *testing.T) {
	list := planRecord(t, 1, 1, domain.ListCreated{Name: "shopping"})
	other := planRecord(t, 2, 1, domain.ListCreated{Name: "books"})
	in := func(pos domain.Position, of domain.Record) domain.Record {
		return planRecord(t, pos, 1, domain.ListItemAdded{ListID: of.Envelope.ID, Text: "milk"})
	}
	off := func(pos domain.Position, of, item domain.Record) domain.Record {
		return erasedRecord(planRecord(t, pos, 1, domain.ListItemRemoved{ListID: of.Envelope.ID, ItemID: item.Envelope.ID}))
	}
	var lists domain.Lists
	for _, rec := range []domain.Record{list, other, in(3, list), in(4, list), in(5, other), erasedRecord(in(6, list)), off(7, list, in(3, list)),
		planRecord(t, 8, 1, domain.ListRemoved{ListID: other.Envelope.ID}), in(9, other)} {
		lists.Evolve(rec)
	}
	want := domain.Lists{Through: 9, All: []domain.Listing{{ID: list.Envelope.ID, Items: []domain.ID{in(4, list).Envelope.ID, in(6, list).Envelope.ID}}}}
	if !reflect.DeepEqual(lists, want) {
		t.Errorf("lists are %+v, want %+v", lists, want)
	}
	a, b := planRecord(t, 1, 1, domain.MemoryRemembered{Text: "a"}), planRecord(t, 2, 1, domain.MemoryRemembered{Text: "b"})
	c := planRecord(t, 3, 1, domain.MemoryRemembered{Text: "c", Replaces: a.Envelope.ID})
	var memories domain.Memories
	for _, rec := range []domain.Record{a, b, c, erasedRecord(planRecord(t, 4, 1, domain.MemoryForgotten{MemoryID: b.Envelope.ID})),
		erasedRecord(planRecord(t, 5, 1, domain.MemoryRemembered{Text: "d"})), list} {
		memories.Evolve(rec)
	}
	if got := (domain.Memories{Through: 5, All: []domain.ID{c.Envelope.ID}}); !reflect.DeepEqual(memories, got) {
		t.Errorf("memories are %+v, want %+v", memories, got)
	}
}
