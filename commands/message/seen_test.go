package message_test

import (
	"testing"

	"chalie/commands/commandstest"
	"chalie/commands/message"
	"chalie/domain"
)

// TestSeen records once of what was told of a plan, and of a program's message, that it was seen, and
// of nothing else.
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

// TestAMessageIsSeenByThePerson records that they saw a program's message as theirs, in its trace, and
// of what a program asks for itself nothing.
func TestAMessageIsSeenByThePerson(t *testing.T) {
	s := commandstest.NewStage(t)
	scan := s.Say(commandstest.Station, "Your scan moved to 3pm")
	own, err := s.Messages.Say(t.Context(), commandstest.Station, domain.MessageReceived{Text: "what is planned?", Conversation: domain.ConversationName{Project: domain.ProjectBrain, User: "station", Session: "own"}})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Messages.Seen(t.Context(), commandstest.Ada, []domain.ID{own, scan.Envelope.ID}); err != nil {
			t.Fatal(err)
		}
	}
	seen, err := s.Log.Select(t.Context(), domain.Selector{Key: domain.SeenKey(scan.Envelope.Trace)}, 1, 10)
	if err != nil || len(seen) != 1 || s.Log.Tail() != seen[0].Position {
		t.Fatalf("it was recorded %d times of %d records, %v", len(seen), s.Log.Tail(), err)
	}
	e := seen[0].Envelope
	if got := commandstest.Decoded[domain.ToldSeen](t, seen[0]); got.Of != scan.Envelope.ID || e.Trace != scan.Envelope.Trace || e.Principal != domain.PrincipalOperator {
		t.Errorf("recorded was %+v, of %s", e, got.Of.UUID())
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
