package message_test

import (
	"testing"

	"chalie/commands/commandstest"
	"chalie/commands/message"
	"chalie/domain"
)

// TestSeen records once of what was told of a plan that it was seen, and of nothing else.
func TestSeen(t *testing.T) {
	s := commandstest.NewStage(t)
	plan := s.Remind("stretch", 0)
	told := opened(t, s, domain.TimerDue{SubjectID: plan})
	said := s.Say(commandstest.Ada, "hello")
	shown := []domain.ID{told.Envelope.ID, said.Envelope.ID, s.IDs.NewID(), told.Envelope.ID}
	if err := s.Messages.Seen(t.Context(), commandstest.Station, shown); err == nil {
		t.Error("an interface could say what the person has seen")
	} else {
		commandstest.Refused(t, err, domain.Policy, "operator_only")
	}
	wantField(t, s.Messages.Seen(t.Context(), commandstest.Ada, make([]domain.ID, message.MaxSeen+1)), "exchange_ids", "101 exchanges, the bound is 100")
	for range 2 {
		if err := s.Messages.Seen(t.Context(), commandstest.Ada, shown); err != nil {
			t.Fatal(err)
		}
	}
	seen, err := s.Log.Select(t.Context(), domain.Selector{Key: domain.SeenKey(told.Envelope.Trace)}, 1, 10)
	if err != nil || len(seen) != 1 {
		t.Fatalf("it was recorded %d times, %v", len(seen), err)
	}
	e := seen[0].Envelope
	if got := commandstest.Decoded[domain.ToldSeen](t, seen[0]); got.Of != plan || e.Trace != told.Envelope.Trace || e.Parent != told.Envelope.ID || e.Principal != domain.PrincipalOperator {
		t.Errorf("recorded was %+v, of %s", e, got.Of.UUID())
	}
	if tail := s.Log.Tail(); tail != seen[0].Position {
		t.Errorf("more was recorded, through %d", tail)
	}
}

// opened records an event that opens a trace of the person's.
func opened[P any](t *testing.T, s *commandstest.Stage, payload P) domain.Record {
	t.Helper()
	id := s.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, s.In(0), "scheduler", payload)
	if err == nil {
		_, err = s.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.Find(id)
}
