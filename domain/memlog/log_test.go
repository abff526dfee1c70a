package memlog_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// fork makes a branch at the end of a log that has some records.
func fork(t testing.TB, clock *domaintest.Clock, before, through int) *memlog.Log {
	t.Helper()
	base := memlog.New(clock)
	ids := domaintest.NewIDs(clock, 99)
	for n := range before {
		heard(t, base, ids, fmt.Sprint("before ", n))
	}
	b, err := memlog.Branch(context.Background(), base, domain.Position(through), clock)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func heard(t interface {
	Helper()
	Fatal(...any)
}, log domain.Appender, ids domain.IDs, content string, keys ...domain.Key) domain.Entry {
	t.Helper()
	id := ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "station"), id, 1, "test", domain.SignalReceived{SignalType: "news", Content: content, Source: "station"})
	if err != nil {
		t.Fatal(err)
	}
	entry.Envelope.Keys = keys
	if _, err := log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	return entry
}

func TestLog(t *testing.T) {
	domaintest.RunLog(t, func(_ *testing.T, clock domain.Clock) domaintest.Subject {
		return domaintest.Subject{Log: memlog.New(clock)}
	})
}

func TestBranchIsALog(t *testing.T) {
	for name, at := range map[string][2]int{"of an empty log": {0, 0}, "at the end of a log": {7, 7}, "in the middle of a log": {7, 3}, "before a log": {7, 0}} {
		t.Run(name, func(t *testing.T) {
			domaintest.RunLog(t, func(t *testing.T, clock domain.Clock) domaintest.Subject {
				return domaintest.Subject{Log: fork(t, clock.(*domaintest.Clock), at[0], at[1])}
			})
		})
	}
}

// A branch that takes some records over and appends others shows what a log shows
// to which the same was appended, by every selector and from every position, and
// the base doesn't change.
func TestBranchShowsWhatALogWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		clock := domaintest.NewClock()
		ids := domaintest.NewIDs(clock, 1)
		base, want := memlog.New(clock), memlog.New(clock)
		keys := []domain.Key{"a", "b"}
		keyed := rapid.SliceOfDistinct(rapid.SampledFrom(keys), rapid.ID)
		n := rapid.IntRange(0, 12).Draw(t, "records")
		for i := range n {
			heard(t, base, ids, fmt.Sprint(i), keyed.Draw(t, "keys")...)
			clock.Advance(1e6)
		}
		records, _ := base.Select(ctx, domain.Selector{}, 1, n)
		through := rapid.IntRange(0, n).Draw(t, "through")
		moment := domaintest.NewClock()
		b, err := memlog.Branch(ctx, base, domain.Position(through), moment)
		if err != nil {
			t.Fatal(err)
		}
		repeat := func(rec domain.Record) {
			if _, err := want.Append(ctx, domain.Batch{Entries: []domain.Entry{{Topic: rec.Topic, Envelope: rec.Envelope}}}); err != nil {
				t.Fatal(err)
			}
		}
		for _, rec := range records[:through] {
			repeat(rec)
		}
		for _, rec := range records[through:] {
			moment.Set(rec.RecordedAt.Time())
			switch rapid.IntRange(0, 3).Draw(t, "then") {
			case 0:
				if _, err := b.Keep(rec); err != nil {
					t.Fatal(err)
				}
				repeat(rec)
			case 1: // the same, appended
				if _, err := b.Append(ctx, domain.Batch{Entries: []domain.Entry{{Topic: rec.Topic, Envelope: rec.Envelope}}}); err != nil {
					t.Fatal(err)
				}
				repeat(rec)
			case 2: // the same id with other content
				rec.Envelope.Payload = domain.JSONPayload([]byte(`{"signal_type":"other","content":"x","source":"y","activation_energy":0}`))
				if _, err := b.Append(ctx, domain.Batch{Entries: []domain.Entry{{Topic: rec.Topic, Envelope: rec.Envelope}}}); err != nil {
					t.Fatal(err)
				}
				repeat(rec)
			}
		}
		same(t, b, want, records, keys)
		if got, _ := base.Select(ctx, domain.Selector{}, 1, n+9); len(got) != n {
			t.Fatalf("the base has %d records, want %d", len(got), n)
		}
	})
}

func same(t *rapid.T, got, want domain.Log, records []domain.Record, keys []domain.Key) {
	t.Helper()
	if got.Tail() != want.Tail() {
		t.Fatalf("the tail is %d, want %d", got.Tail(), want.Tail())
	}
	selectors := []domain.Selector{{}, {Topic: domain.TopicAll}, {Topic: domain.TopicSignals}, {Topic: domain.TopicTools}}
	for _, k := range keys {
		selectors = append(selectors, domain.Selector{Key: k})
	}
	for _, rec := range records {
		selectors = append(selectors, domain.Selector{Trace: rec.Envelope.Trace}, domain.Selector{Parent: rec.Envelope.ID})
		a, errA := got.Find(context.Background(), rec.Envelope.ID)
		b, errB := want.Find(context.Background(), rec.Envelope.ID)
		if domain.CodeOf(errA) != domain.CodeOf(errB) || a.Position != b.Position || !a.Envelope.Equal(b.Envelope) {
			t.Fatalf("found %+v, %v; want %+v, %v", a, errA, b, errB)
		}
	}
	for _, s := range selectors {
		for from := range got.Tail() + 2 {
			for _, limit := range []int{0, 1, 2, 100} {
				a, err := got.Select(context.Background(), s, from, limit)
				if err != nil {
					t.Fatal(err)
				}
				b, _ := want.Select(context.Background(), s, from, limit)
				if !slices.EqualFunc(a, b, func(x, y domain.Record) bool {
					return x.Position == y.Position && x.Topic == y.Topic && x.Envelope.Equal(y.Envelope)
				}) {
					t.Fatalf("%+v from %d, %d of it, is\n%+v\nwant\n%+v", s, from, limit, a, b)
				}
			}
		}
	}
	a, _ := got.Counts(context.Background())
	b, _ := want.Counts(context.Background())
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Fatalf("counts %v, want %v", a, b)
	}
}

func TestBranchRefuses(t *testing.T) {
	clock := domaintest.NewClock()
	base := memlog.New(clock)
	ids := domaintest.NewIDs(clock, 1)
	heard(t, base, ids, "one")
	heard(t, base, ids, "two")
	if _, err := memlog.Branch(t.Context(), base, 3, clock); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("a branch beyond the tail: %v", err)
	}
	b, err := memlog.Branch(t.Context(), base, 1, clock)
	if err != nil {
		t.Fatal(err)
	}
	records, _ := base.Select(t.Context(), domain.Selector{}, 1, 2)
	if _, err := b.Keep(records[0]); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("what lies before the fork is taken over: %v", err)
	}
	if _, err := b.Keep(records[1]); err != nil || b.Tail() != 2 || b.Fork() != 1 {
		t.Errorf("taken over to %d, %v", b.Tail(), err)
	}
	if _, err := b.Keep(records[1]); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("taken over twice: %v", err)
	}
}

// TestBranchOfALogWithGaps: a branch shows nothing that stands behind its fork in the base, and goes on at
// the time of the last record that is left, though records before the fork went.
func TestBranchOfALogWithGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		clock := domaintest.NewClock()
		ids, base := domaintest.NewIDs(clock, 1), memlog.New(clock)
		n := rapid.IntRange(1, 30).Draw(t, "records")
		var went domain.Runs
		for i := range n {
			heard(t, base, ids, fmt.Sprint(i))
			clock.Advance(1e6)
			if rapid.Bool().Draw(t, "goes") {
				went = went.Add(domain.Position(i+1), domain.Position(i+1))
			}
		}
		gaps := domaintest.Gaps{Log: base, Went: went}
		through := domain.Position(rapid.IntRange(1, n).Draw(t, "through"))
		early := domaintest.NewClock()
		early.Advance(-1e15)
		b, err := memlog.Branch(ctx, gaps, through, early)
		if err != nil {
			t.Fatal(err)
		}
		left, err := gaps.Select(ctx, domain.Selector{}, 1, n)
		if err != nil {
			t.Fatal(err)
		}
		left = slices.DeleteFunc(left, func(rec domain.Record) bool { return rec.Position > through })
		for from := domain.Position(1); from <= through; from++ {
			for _, limit := range []int{1, 3, 100} {
				want := slices.DeleteFunc(slices.Clone(left), func(rec domain.Record) bool { return rec.Position < from })
				want = want[:min(len(want), limit)]
				got, err := b.Select(ctx, domain.Selector{}, from, limit)
				if err != nil || len(got) != len(want) || len(got) > 0 && got[len(got)-1].Position != want[len(want)-1].Position {
					t.Fatalf("from %d, %d of it, through %d: %d records, want %d, %v", from, limit, through, len(got), len(want), err)
				}
			}
		}
		counts, err := b.Counts(ctx)
		if got := counts[domain.TypeVersion{Type: domain.SignalReceivedType, Version: 2}] + counts[domain.TypeVersion{Type: domain.SignalReceivedType, Version: 1}]; err != nil || int(got) != len(left) {
			t.Fatalf("it counts %v, want %d, %v", counts, len(left), err)
		}
		newest := domain.Millis(0)
		if len(left) > 0 {
			newest = left[len(left)-1].RecordedAt
		}
		if b.Newest() != newest {
			t.Fatalf("the newest is of %d, want %d", b.Newest(), newest)
		}
	})
}
