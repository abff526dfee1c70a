package domain_test

import (
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// TestEpochs: the first is the log's first record, and each that is recorded is one more. Who
// has seen an earlier one crossed into the next; who has seen another log into the latest.
func TestEpochs(t *testing.T) {
	clock := domaintest.NewClock()
	log, ids := memlog.New(clock), domaintest.NewIDs(clock, 1)
	if none, err := domain.EpochsOf(t.Context(), log); err != nil || len(none) > 0 || !none.Current().IsZero() {
		t.Errorf("of an empty log: %v, %v", none, err)
	}
	add := func(entry domain.Entry) domain.ID {
		t.Helper()
		if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
			t.Fatal(err)
		}
		return entry.Envelope.ID
	}
	begin := func(why domain.EpochReason) domain.ID {
		t.Helper()
		begun := domain.EpochBegun{Reason: why}
		id := ids.NewID()
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, 1, "chalie", begun)
		if err != nil {
			t.Fatal(err)
		}
		entry.Envelope.Keys = begun.Keys()
		return add(entry)
	}
	first := add(domaintest.NewEntry(ids, "house"))
	epochs, err := domain.EpochsOf(t.Context(), log)
	if err != nil || epochs.Current() != first {
		t.Fatalf("%v, %v", epochs, err)
	}
	if _, crossed := epochs.Crossed(first); crossed {
		t.Error("nothing has begun, and was crossed")
	}
	if into, crossed := epochs.Crossed(ids.NewID()); !crossed || into.Reason != domain.EpochAnother || into.From != 1 {
		t.Errorf("another log: %+v", into)
	}
	restored := begin(domain.EpochRestore)
	add(domaintest.NewEntry(ids, "house"))
	moved := begin(domain.EpochMove)
	if epochs, err = domain.EpochsOf(t.Context(), log); err != nil || len(epochs) != 3 || epochs.Current() != moved {
		t.Fatalf("%v, %v", epochs, err)
	}
	for _, c := range []struct {
		seen   domain.ID
		reason domain.EpochReason
		from   domain.Position
	}{{first, domain.EpochRestore, 2}, {restored, domain.EpochMove, 4}, {ids.NewID(), domain.EpochMove, 1}} {
		if into, crossed := epochs.Crossed(c.seen); !crossed || into.Reason != c.reason || into.From != c.from {
			t.Errorf("after %s: %+v", c.seen, into)
		}
	}
	if _, crossed := epochs.Crossed(moved); crossed {
		t.Error("the current one was crossed")
	}
}
