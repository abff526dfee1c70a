package domain_test

import (
	"testing"
	"time"

	"chalie/domain"
)

// minds folds one record into what news may bear on.
func minds(t *testing.T, in *domain.Interests, at domain.Position, principal domain.Principal, payload any, id domain.ID) {
	t.Helper()
	rec := domain.Record{Position: at, RecordedAt: domain.Millis(at) * 1000, Envelope: domain.Envelope{ID: id, Principal: principal}}
	switch p := payload.(type) {
	case domain.MessageReceived:
		rec.Envelope.Type = domain.MessageReceivedType
	case domain.ListItemAdded:
		rec.Envelope.Type, rec.Envelope.Keys = domain.ListItemAddedType, p.Keys()
	case domain.ListItemRemoved:
		rec.Envelope.Type, rec.Envelope.Keys = domain.ListItemRemovedType, p.Keys()
	case domain.ListRemoved:
		rec.Envelope.Type, rec.Envelope.Keys = domain.ListRemovedType, p.Keys()
	}
	in.Evolve(rec)
}

// numbered is a made id.
func numbered(n int) domain.ID { return domain.ID{14: byte(n >> 8), 15: byte(n)} }

func TestInterestsAreBounded(t *testing.T) {
	var in domain.Interests
	list := numbered(60_000)
	for n := 1; n <= domain.MaxEntries+5; n++ {
		minds(t, &in, domain.Position(n), domain.PrincipalOperator, domain.ListItemAdded{ListID: list}, numbered(n))
		minds(t, &in, domain.Position(n), domain.PrincipalOperator, domain.MessageReceived{}, numbered(10_000+n))
		minds(t, &in, domain.Position(n), "interface", domain.MessageReceived{}, numbered(20_000+n))
	}
	if len(in.Entries) != domain.MaxEntries || in.Entries[0].ID != numbered(6) {
		t.Errorf("%d entries, from %v", len(in.Entries), in.Entries[0].ID)
	}
	if len(in.Asked) != domain.MaxAsked || in.Asked[domain.MaxAsked-1].ID != numbered(10_000+domain.MaxEntries+5) {
		t.Errorf("%d messages: %v", len(in.Asked), in.Asked)
	}
	last := domain.Millis(domain.MaxEntries+5) * 1000
	if got := in.Candidates(&domain.Setbacks{}, last.Add(domain.AskedFor-time.Second)); len(got) != domain.MaxEntries+1 {
		t.Errorf("almost a day later there are %d candidates: only the last message counts", len(got))
	}
	minds(t, &in, 900, domain.PrincipalOperator, domain.ListItemRemoved{ListID: list, ItemID: numbered(6)}, numbered(900))
	if in.Entries[0].ID != numbered(7) {
		t.Errorf("an entry that was taken off counts: %v", in.Entries[0].ID)
	}
	minds(t, &in, 901, domain.PrincipalOperator, domain.ListRemoved{ListID: list}, numbered(901))
	if len(in.Entries) != 0 {
		t.Errorf("entries of a list that is gone count: %d", len(in.Entries))
	}
}
