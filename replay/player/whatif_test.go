package player

import (
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// What is appended later isn't there, by whatever way it is looked for.
func TestAsItStands(t *testing.T) {
	clock := domaintest.NewClock()
	ids, log := domaintest.NewIDs(clock, 1), memlog.New(clock)
	heard := func() domain.Envelope {
		entry, err := domain.New(domain.Begin(ids.NewTrace(), "sky"), ids.NewID(), domain.MillisOf(clock.Now()), "http", domain.SignalReceived{SignalType: "a", Content: "b"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
			t.Fatal(err)
		}
		return entry.Envelope
	}
	first := heard()
	then := asItStands(log)
	clock.Advance(1000)
	later := heard()
	if then.Tail() != 1 {
		t.Errorf("it ends at %d", then.Tail())
	}
	for _, s := range []domain.Selector{{}, {Topic: domain.TopicSignals}} {
		if records, err := then.Select(t.Context(), s, 1, 10); err != nil || len(records) != 1 || records[0].Envelope.ID != first.ID {
			t.Errorf("%+v has %d records, %v", s, len(records), err)
		}
	}
	if _, err := then.Find(t.Context(), first.ID); err != nil {
		t.Error(err)
	}
	if _, err := then.Find(t.Context(), later.ID); domain.CategoryOf(err) != domain.NotFound {
		t.Errorf("what came later is found: %v", err)
	}
	if pos, err := then.Since(t.Context(), domain.MillisOf(clock.Now())+1); err != nil || pos != 2 {
		t.Errorf("it goes on at %d, %v", pos, err)
	}
	if pos, err := then.Wait(t.Context(), 0); err != nil || pos != 1 {
		t.Errorf("it is at %d, %v", pos, err)
	}
}
