package domaintest

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"chalie/domain"
)

// Subject is a log under test.
type Subject struct {
	Log domain.Log
	// Reopen closes the log given and returns another over the same stored data,
	// with the same clock. nil when nothing outlives Close: what needs it is then
	// skipped.
	Reopen func(t *testing.T, log domain.Log) domain.Log
}

// OpenLog makes a log that nobody else appends to. Its recorded_at comes from
// clock. The suite closes the log; OpenLog registers what else is to clean up
// with t.Cleanup.
type OpenLog func(t *testing.T, clock domain.Clock) Subject

// RunLog holds a log to the ports of package domain. Each subtest opens a log
// of its own.
func RunLog(t *testing.T, open OpenLog) {
	for _, part := range []struct {
		name string
		test func(*bench)
	}{
		{"append gives positions without a gap", testPositions},
		{"append is atomic over topics", testAtomic},
		{"append refuses what is out of bounds", testBounds},
		{"append keeps every field", testFields},
		{"append copies what it is given", testOwnership},
		{"append given up leaves all or nothing", testCancelled},
		{"the same batch again is a duplicate", testDuplicate},
		{"an id with other content is a conflict", testReused},
		{"conditions are judged by key", testConditions},
		{"a duplicate is found before its conditions fail", testDuplicateFirst},
		{"recorded_at never decreases", testRecordedAt},
		{"select picks by one field", testSelect},
		{"select pages", testPaging},
		{"find", testFind},
		{"pages bounded in bytes", testSelectWithin},
		{"since", testSince},
		{"counts", testCounts},
		{"wait", testWait},
		{"checkpoints", testCheckpoints},
		{"close", testClose},
		{"reopen keeps everything", testReopen},
		{"random histories agree with a model", testModel},
		{"racing conditions have one winner", testRace},
		{"readers see batches whole", testWhole},
		{"append is linearizable", testLinearizable},
	} {
		t.Run(part.name, func(t *testing.T) {
			clock := NewClock()
			subject := open(t, clock)
			b := &bench{T: t, clock: clock, ids: NewIDs(clock, 1), log: subject.Log, reopen: subject.Reopen}
			b.base = b.log.Tail()
			t.Cleanup(func() {
				if err := b.log.Close(); err != nil {
					t.Errorf("closing the log at the end: %v", err)
				}
			})
			part.test(b)
		})
	}
}

// bench tests one log.
type bench struct {
	*testing.T
	clock  *Clock
	ids    *IDs
	log    domain.Log
	reopen func(*testing.T, domain.Log) domain.Log
	base   domain.Position // the tail the log was handed over with
}

// again closes the log and opens it over the same data.
func (b *bench) again() {
	b.Helper()
	b.log = b.reopen(b.T, b.log)
}

func (b *bench) append(entries ...domain.Entry) domain.Receipt {
	b.Helper()
	return mustAppend(b.T, b.log, domain.Batch{Entries: entries})
}

func (b *bench) selected(s domain.Selector, from domain.Position, limit int) []domain.Record {
	b.Helper()
	recs, err := b.log.Select(context.Background(), s, from, limit)
	if err != nil {
		b.Fatalf("Select(%+v, %d, %d): %v", s, from, limit, err)
	}
	return recs
}

// reporter is the part that *testing.T and *rapid.T share.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

func mustAppend(t reporter, log domain.Appender, b domain.Batch) domain.Receipt {
	t.Helper()
	receipt, err := log.Append(context.Background(), b)
	if err != nil {
		t.Fatalf("Append of %d entries: %v", len(b.Entries), err)
	}
	if len(receipt.Positions) != len(b.Entries) {
		t.Fatalf("Append of %d entries answered %d positions", len(b.Entries), len(receipt.Positions))
	}
	return receipt
}

// wantRefusal checks an error's category, and its code unless want is "".
func wantRefusal(t reporter, err error, category domain.Category, code domain.Code) {
	t.Helper()
	if _, ok := errors.AsType[*domain.Error](err); !ok {
		t.Fatalf("got error %v, want a *domain.Error of category %s, code %q", err, category, code)
	}
	if got := domain.CategoryOf(err); got != category {
		t.Errorf("got category %q (%v), want %q", got, err, category)
	}
	if got := domain.CodeOf(err); code != "" && got != code {
		t.Errorf("got code %q (%v), want %q", got, err, code)
	}
}

// wantRecords checks that recs are the entries at the positions, in order.
func wantRecords(t reporter, recs []domain.Record, entries []domain.Entry, positions []domain.Position) {
	t.Helper()
	if len(recs) != len(entries) {
		t.Fatalf("got %d records, want %d", len(recs), len(entries))
	}
	for i, rec := range recs {
		wantRecord(t, rec, entries[i], positions[i])
	}
}

func wantRecord(t reporter, rec domain.Record, e domain.Entry, pos domain.Position) {
	t.Helper()
	switch {
	case rec.Position != pos:
		t.Errorf("envelope %s is at position %d, want %d", e.Envelope.ID, rec.Position, pos)
	case rec.Topic != e.Topic:
		t.Errorf("position %d is in topic %q, want %q", pos, rec.Topic, e.Topic)
	case !rec.Envelope.Equal(e.Envelope):
		t.Errorf("position %d holds\n%+v\nwant\n%+v", pos, rec.Envelope, e.Envelope)
	}
}

func wantPositions(t reporter, what string, recs []domain.Record, want []domain.Position) {
	t.Helper()
	got := make([]domain.Position, len(recs))
	for i, rec := range recs {
		got[i] = rec.Position
	}
	if len(got) != len(want) || (len(got) > 0 && !reflect.DeepEqual(got, want)) {
		t.Errorf("%s: got positions %d, want %d", what, got, want)
	}
}

// patience bounds what must end soon; nothing waits for it when all is well.
const patience = time.Minute
