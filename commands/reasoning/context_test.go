package reasoning_test

import (
	"slices"
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
		g, err := m.Ground(t.Context(), s.In(0), domain.ID{})
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
	var keys []domain.Key
	if !plan.IsZero() {
		keys = append(keys, domain.PlanKey(plan))
	}
	return keyed(t, s, payload, keys...)
}

// keyed appends an event with keys, and folds it.
func keyed[P any](t *testing.T, s *commandstest.Stage, payload P, keys ...domain.Key) domain.ID {
	t.Helper()
	id := s.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, s.In(0), "test", payload)
	if err != nil {
		t.Fatal(err)
	}
	entry.Envelope.Keys = keys
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
	g, err := reasoning.NewMind(s.Mind.World, small.Surroundings(), s.Memory).Ground(t.Context(), s.In(0), domain.ID{})
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Relations) != 1 || g.Relations[0].Signal != signal || g.Relations[0].Commitment != party {
		t.Errorf("related is %+v", g.Relations)
	}
}

// News bears on what is on a list and on what was asked within a day. Both come into mind
// with it, and without news neither takes a place.
func TestSignalsBearOnListsAndQuestions(t *testing.T) {
	s := commandstest.NewStage(t)
	list := happened(t, s, domain.ListCreated{Name: "groceries"}, domain.ID{})
	entry := happened(t, s, domain.ListItemAdded{ListID: list, Text: "oat milk"}, list)
	asked := happened(t, s, domain.MessageReceived{Text: "is the U4 running again?"}, domain.ID{})
	happened(t, s, domain.MessageReceived{Text: "take the U4 off my list"}, domain.ID{})
	mind := reasoning.NewMind(s.Mind.World, small.Surroundings(), s.Memory)
	ground := func() (related, inMind []domain.ID) {
		t.Helper()
		g, err := mind.Ground(t.Context(), s.In(0), domain.ID{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range g.Relations {
			related = append(related, r.Commitment)
		}
		for _, i := range g.Assembly.Items {
			inMind = append(inMind, i.EnvelopeID)
		}
		return related, inMind
	}
	if related, inMind := ground(); len(related) != 0 || len(inMind) != 0 {
		t.Fatalf("without news %v is related, and %v in mind", related, inMind)
	}
	runs := happened(t, s, domain.SignalReceived{SignalType: "transit", Content: "The U4 runs again from six", Source: "metro", ActivationEnergy: 1}, domain.ID{})
	sale := happened(t, s, domain.SignalReceived{SignalType: "shop", Content: "Oat milk is 20 percent off today", Source: "Lidl", ActivationEnergy: 1}, domain.ID{})
	related, inMind := ground()
	if want := []domain.ID{asked, entry}; !slices.Equal(related, want) {
		t.Errorf("related are %v, want %v", related, want)
	}
	for _, id := range []domain.ID{asked, entry, runs, sale} {
		if !slices.Contains(inMind, id) {
			t.Errorf("%v isn't in mind: %v", id, inMind)
		}
	}
	removed := domain.ListItemRemoved{ListID: list, ItemID: entry}
	keyed(t, s, removed, removed.Keys()...)
	if related, _ := ground(); slices.Contains(related, entry) {
		t.Error("what was taken off its list is still related")
	}
}
