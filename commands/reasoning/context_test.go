package reasoning_test

import (
	"testing"
	"time"

	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/projections/small"
)

// TestMovedPlansAreReadAgain has a mind that read a task before it was moved and
// put in other words, and one that reads it for the first time.
func TestMovedPlansAreReadAgain(t *testing.T) {
	s := commandstest.NewStage(t)
	task := happened(t, s, domain.TaskCreated{Text: "dinner at Luigi's", Deadline: s.In(3 * time.Hour), Zone: "UTC"}, domain.ID{})
	signal := happened(t, s, domain.SignalReceived{SignalType: "news", Content: "Bistro Verde stays closed tomorrow", Source: "city", ActivationEnergy: 0.5}, domain.ID{})
	before := reasoning.NewMind(s.Mind.World, small.Surroundings(), s.Memory)
	ground := func(m *reasoning.WorldMind) []domain.SeenRelation {
		g, err := m.Ground(t.Context(), s.In(0))
		if err != nil {
			t.Fatal(err)
		}
		return g.Relations
	}
	if got := ground(before); len(got) != 0 {
		t.Fatalf("nothing is shared yet, but there is %+v", got)
	}
	words := "dinner at Bistro Verde"
	happened(t, s, domain.TaskChanged{TaskID: task, Text: &words, Deadline: s.In(24 * time.Hour), Zone: "UTC"}, task)

	got, want := ground(before), ground(reasoning.NewMind(s.Mind.World, small.Surroundings(), s.Memory))
	if len(got) != 1 || got[0].Signal != signal || got[0].Commitment != task || got[0] != want[0] {
		t.Errorf("related is %+v, and for who reads it first %+v", got, want)
	}
}

// happened appends an event, of a plan unless that is zero, and folds it.
func happened[P any](t *testing.T, s *commandstest.Stage, payload P, plan domain.ID) domain.ID {
	t.Helper()
	id := s.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, s.In(0), "test", payload)
	if err != nil {
		t.Fatal(err)
	}
	if !plan.IsZero() {
		entry.Envelope.Keys = []domain.Key{domain.PlanKey(plan)}
	}
	receipt, err := s.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Mind.WaitFor(t.Context(), receipt.Positions[0]); err != nil {
		t.Fatal(err)
	}
	return id
}

// A signal bears on an appointment by what it is and by where it takes place.
func TestSignalsBearOnAppointments(t *testing.T) {
	s := commandstest.NewStage(t)
	start := s.In(5 * time.Hour)
	party := happened(t, s, domain.AppointmentSet{Text: "Mary's birthday party", Start: start, End: start.Add(5 * time.Hour), Zone: "UTC", Place: "Bistro Verde"}, domain.ID{})
	signal := happened(t, s, domain.SignalReceived{SignalType: "news", Content: "Bistro Verde stays closed today", Source: "city", ActivationEnergy: 0.5}, domain.ID{})
	g, err := reasoning.NewMind(s.Mind.World, small.Surroundings(), s.Memory).Ground(t.Context(), s.In(0))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Relations) != 1 || g.Relations[0].Signal != signal || g.Relations[0].Commitment != party {
		t.Errorf("related is %+v", g.Relations)
	}
}
