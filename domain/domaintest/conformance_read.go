package domaintest

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"time"

	"chalie/domain"
)

func testSelect(b *bench) {
	entries := NewEntries(b.ids, "a", 6)
	for i, topic := range []domain.Topic{"a", "ab", "a", "b", "ab", "a"} {
		entries[i].Topic = topic
	}
	entries[1].Envelope.Keys = []domain.Key{"k", "k2"}
	entries[4].Envelope.Keys = []domain.Key{"k"}
	entries[5].Envelope.Keys = []domain.Key{"twice", "twice"}
	other := b.ids.NewTrace()
	entries[2].Envelope.Trace, entries[5].Envelope.Trace = other, other
	entries[2].Envelope.Parent = entries[0].Envelope.ID
	p := b.append(entries...).Positions
	for _, c := range []struct {
		name string
		s    domain.Selector
		want []domain.Position
	}{
		{"everything", domain.Selector{}, p},
		{"$all", domain.Selector{Topic: domain.TopicAll}, p},
		{"topic a", domain.Selector{Topic: "a"}, []domain.Position{p[0], p[2], p[5]}},
		{"topic ab", domain.Selector{Topic: "ab"}, []domain.Position{p[1], p[4]}},
		{"a topic without records", domain.Selector{Topic: "none"}, nil},
		{"a trace", domain.Selector{Trace: entries[0].Envelope.Trace}, []domain.Position{p[0], p[1], p[3], p[4]}},
		{"another trace", domain.Selector{Trace: other}, []domain.Position{p[2], p[5]}},
		{"a parent", domain.Selector{Parent: entries[0].Envelope.ID}, []domain.Position{p[1], p[2]}},
		{"a key", domain.Selector{Key: "k"}, []domain.Position{p[1], p[4]}},
		{"a longer key", domain.Selector{Key: "k2"}, []domain.Position{p[1]}},
		{"a key carried twice", domain.Selector{Key: "twice"}, []domain.Position{p[5]}},
	} {
		wantPositions(b, c.name, b.selected(c.s, b.base+1, 10), c.want)
		wantPositions(b, c.name+", from the third", b.selected(c.s, p[2], 10), from(c.want, p[2]))
		wantPositions(b, c.name+", past the end", b.selected(c.s, p[5]+1, 10), nil)
	}
}

func from(positions []domain.Position, first domain.Position) []domain.Position {
	for len(positions) > 0 && positions[0] < first {
		positions = positions[1:]
	}
	return positions
}

func testPaging(b *bench) {
	var all []domain.Entry
	var positions []domain.Position
	for range 7 {
		batch := NewEntries(b.ids, "a", 5)
		all = append(all, batch...)
		positions = append(positions, b.append(batch...).Positions...)
		b.append(NewEntry(b.ids, "b"))
	}
	for _, limit := range []int{1, 3, 5, 35, 100} {
		var got []domain.Record
		for next := domain.Position(0); ; {
			page := b.selected(domain.Selector{Topic: "a"}, next, limit)
			got = append(got, page...)
			if len(page) < limit {
				break
			}
			next = page[len(page)-1].Position + 1
		}
		wantRecords(b, got, all, positions)
	}
	for _, limit := range []int{0, -1} {
		if recs := b.selected(domain.Selector{}, 0, limit); len(recs) != 0 {
			b.Errorf("Select with limit %d returned %d records", limit, len(recs))
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.log.Select(ctx, domain.Selector{}, 0, 1); !errors.Is(err, context.Canceled) {
		b.Errorf("Select with a context that has ended: got %v, want its error", err)
	}
}

// testSelectWithin reads pages that are bounded in bytes: together they hold what one
// Select holds, and none is larger than its bound but by a record.
func testSelectWithin(b *bench) {
	const bound, largest = 10_000, 6_500
	_, own := b.log.(domain.WithinReader)
	for n := range 120 {
		e := NewEntry(b.ids, "a")
		e.Envelope.Payload = domain.JSONPayload([]byte(`"` + strings.Repeat("x", 1+n%7*1000) + `"`))
		b.append(e)
	}
	for _, s := range []domain.Selector{{}, {Topic: "a"}} {
		all := b.selected(s, b.base+1, 1000)
		for _, limit := range []int{7, 100, 1000} {
			var got []domain.Record
			for next := b.base + 1; ; {
				page, cut, err := domain.SelectWithin(context.Background(), b.log, s, next, limit, bound)
				if err != nil {
					b.Fatal(err)
				}
				size := 0
				for i := range page {
					size += page[i].Size()
				}
				if n := len(page); n > limit || own && size > bound+largest || n == 0 && cut {
					b.Errorf("a page of %d within %d bytes has %d records of %d bytes", limit, bound, n, size)
				}
				got = append(got, page...)
				if !cut && len(page) < limit {
					break
				}
				next = page[len(page)-1].Position + 1
			}
			if len(got) != len(all) || !reflect.DeepEqual(got, all) {
				b.Errorf("pages of %d within %d bytes hold %d records, want %d", limit, bound, len(got), len(all))
			}
		}
	}
}

func testFind(b *bench) {
	entries := NewEntries(b.ids, "a", 3)
	receipt := b.append(entries...)
	for i, e := range entries {
		rec, err := b.log.Find(context.Background(), e.Envelope.ID)
		if err != nil {
			b.Fatalf("Find(%s): %v", e.Envelope.ID, err)
		}
		wantRecord(b, rec, e, receipt.Positions[i])
	}
	for _, id := range []domain.ID{{}, b.ids.NewID(), {0: 1}} {
		_, err := b.log.Find(context.Background(), id)
		wantRefusal(b, err, domain.NotFound, "")
	}
}

func testSince(b *bench) {
	const step = time.Minute
	// Away from whatever was recorded before.
	start := domain.MillisOf(b.clock.Advance(step))
	for range 5 {
		b.append(NewEntries(b.ids, "a", 2)...)
		b.clock.Advance(step)
	}
	for _, c := range []struct {
		after time.Duration
		want  domain.Position
	}{
		{0, 1}, {time.Millisecond, 3}, {step, 3}, {step + time.Millisecond, 5},
		{4 * step, 9}, {4*step + time.Millisecond, 11}, {time.Hour, 11},
	} {
		got, err := b.log.Since(context.Background(), start.Add(c.after))
		if err != nil || got != b.base+c.want {
			b.Errorf("Since(start + %s): got position base+%d, %v, want base+%d", c.after, got-b.base, err, c.want)
		}
	}
}

func testCounts(b *bench) {
	counts := func() map[domain.TypeVersion]uint64 {
		n, err := b.log.Counts(context.Background())
		if err != nil {
			b.Fatalf("Counts: %v", err)
		}
		return n
	}
	before := counts()
	entries := NewEntries(b.ids, "a", 5)
	entries[1].Envelope.Version = 2
	entries[3].Envelope.Version = 2
	entries[4].Envelope.Type = "sample.counted"
	entries[4].Topic = "b"
	b.append(entries...)
	b.append(entries...) // a duplicate counts nothing
	want := map[domain.TypeVersion]uint64{
		{Type: SampleType, Version: 1}: 2, {Type: SampleType, Version: 2}: 2, {Type: "sample.counted", Version: 1}: 1,
	}
	after := counts()
	for tv, n := range want {
		if after[tv]-before[tv] != n {
			b.Errorf("%s v%d: %d records were counted, want %d", tv.Type, tv.Version, after[tv]-before[tv], n)
		}
	}
	after[domain.TypeVersion{Type: SampleType, Version: 1}] = 1_000_000
	if again := counts(); again[domain.TypeVersion{Type: SampleType, Version: 1}] == 1_000_000 {
		b.Errorf("the map of Counts is the log's own: a caller changed it")
	}
}

// letRun gives a goroutine just started the chance to block in its call. A test
// is right without it, and then seldom finds a wake-up that is missing.
func letRun() {
	for range 1000 {
		runtime.Gosched()
	}
}

func testWait(b *bench) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for range 3 {
		tail := b.log.Tail()
		reached := make(chan domain.Position, 1)
		go func() {
			pos, err := b.log.Wait(ctx, tail)
			if err != nil {
				b.Errorf("Wait(%d): %v", tail, err)
			}
			reached <- pos
		}()
		letRun()
		receipt := b.append(NewEntries(b.ids, "a", 2)...)
		if pos := <-reached; pos != receipt.Positions[1] {
			b.Errorf("Wait(%d) returned %d, want the tail %d", tail, pos, receipt.Positions[1])
		}
	}
	tail := b.log.Tail()
	if pos, err := b.log.Wait(ctx, b.base); err != nil || pos != tail {
		b.Errorf("Wait for what is there: got %d, %v, want %d", pos, err, tail)
	}
	ended, end := context.WithCancel(ctx)
	failed := make(chan error, 1)
	go func() {
		_, err := b.log.Wait(ended, tail)
		failed <- err
	}()
	end()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		b.Errorf("Wait whose context ended: got %v, want its error", err)
	}
}

func testCheckpoints(b *bench) {
	ctx := context.Background()
	get := func(name string) domain.Position {
		pos, err := b.log.Checkpoint(ctx, name)
		if err != nil {
			b.Fatalf("Checkpoint(%q): %v", name, err)
		}
		return pos
	}
	save := func(name string, pos domain.Position) {
		if err := b.log.SaveCheckpoint(ctx, name, pos); err != nil {
			b.Fatalf("SaveCheckpoint(%q, %d): %v", name, pos, err)
		}
	}
	b.append(NewEntries(b.ids, "a", 5)...)
	if pos := get("group/new"); pos != 0 {
		b.Errorf("a consumer never seen is at %d, want 0", pos)
	}
	save("group/a", b.base+3)
	save("group/a/b", b.base+1)
	if pos := get("group/a"); pos != b.base+3 {
		b.Errorf("the position saved is %d, want %d", pos, b.base+3)
	}
	save("group/a", b.base+2)
	if pos := get("group/a"); pos != b.base+2 {
		b.Errorf("a position may go back: got %d, want %d", pos, b.base+2)
	}
	if pos := get("group/a/b"); pos != b.base+1 {
		b.Errorf("another consumer's position is %d, want %d", pos, b.base+1)
	}
	save("group/lost", b.base+100)
	if pos := get("group/lost"); pos != b.base+5 {
		b.Errorf("a position beyond the tail reads %d, want the tail %d", pos, b.base+5)
	}
	for _, name := range []string{"", strings.Repeat("n", domain.MaxKeyBytes+1)} {
		wantRefusal(b, b.log.SaveCheckpoint(ctx, name, 1), domain.Validation, "")
	}
}

func testClose(b *bench) {
	b.append(NewEntry(b.ids, "a"))
	tail := b.log.Tail()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	waiting := make(chan error, 1)
	go func() {
		_, err := b.log.Wait(ctx, tail)
		waiting <- err
	}()
	letRun()
	if err := b.log.Close(); err != nil {
		b.Fatalf("Close: %v", err)
	}
	calls := map[string]error{"a Wait under way": <-waiting}
	_, calls["Append"] = b.log.Append(ctx, domain.Batch{Entries: NewEntries(b.ids, "a", 1)})
	_, calls["Wait"] = b.log.Wait(ctx, tail)
	_, calls["Select"] = b.log.Select(ctx, domain.Selector{}, 1, 1)
	_, calls["Find"] = b.log.Find(ctx, b.ids.NewID())
	_, calls["Since"] = b.log.Since(ctx, 0)
	_, calls["Counts"] = b.log.Counts(ctx)
	_, calls["Checkpoint"] = b.log.Checkpoint(ctx, "group/a")
	calls["SaveCheckpoint"] = b.log.SaveCheckpoint(ctx, "group/a", 1)
	for name, err := range calls {
		if domain.CategoryOf(err) != domain.Dependency || domain.CodeOf(err) != domain.CodeClosed {
			b.Errorf("%s after Close: got %v, want a dependency error with code %s", name, err, domain.CodeClosed)
		}
	}
	if err := b.log.Close(); err != nil {
		b.Errorf("a second Close: %v", err)
	}
}

func testReopen(b *bench) {
	if b.reopen == nil {
		b.Skip("this log keeps nothing when it is closed")
	}
	entries := NewEntries(b.ids, "a", 6)
	entries[2].Envelope.Keys = []domain.Key{"k"}
	entries[4].Topic = "b"
	receipt := b.append(entries...)
	p := receipt.Positions
	before, err := b.log.Counts(context.Background())
	if err != nil {
		b.Fatalf("Counts: %v", err)
	}
	if err := b.log.SaveCheckpoint(context.Background(), "group/a", p[3]); err != nil {
		b.Fatalf("SaveCheckpoint: %v", err)
	}
	for range 2 {
		b.again()
		if tail := b.log.Tail(); tail != p[5] {
			b.Fatalf("reopened, the tail is %d, want %d", tail, p[5])
		}
		wantRecords(b, b.selected(domain.Selector{}, b.base+1, 10), entries, p)
		wantPositions(b, "topic", b.selected(domain.Selector{Topic: "b"}, 1, 10), p[4:5])
		wantPositions(b, "key", b.selected(domain.Selector{Key: "k"}, 1, 10), p[2:3])
		wantPositions(b, "trace", b.selected(domain.Selector{Trace: entries[0].Envelope.Trace}, 1, 10), p)
		wantPositions(b, "parent", b.selected(domain.Selector{Parent: entries[1].Envelope.ID}, 1, 10), p[2:3])
		if pos, err := b.log.Checkpoint(context.Background(), "group/a"); err != nil || pos != p[3] {
			b.Errorf("reopened, the checkpoint is %d, %v, want %d", pos, err, p[3])
		}
		after, err := b.log.Counts(context.Background())
		if tv := (domain.TypeVersion{Type: SampleType, Version: 1}); err != nil || after[tv] != before[tv] {
			b.Errorf("reopened, %d records are counted, %v, want %d", after[tv], err, before[tv])
		}
	}
	testReopenedAppend(b, entries, receipt)
}

// testReopenedAppend checks that a log knows what was before it was opened.
func testReopenedAppend(b *bench, entries []domain.Entry, receipt domain.Receipt) {
	b.clock.Advance(-time.Hour)
	if again := b.append(entries...); !again.Duplicate || again.Positions[5] != receipt.Positions[5] || again.RecordedAt != receipt.RecordedAt {
		b.Errorf("reopened, the same batch got %+v, want the receipt %+v as a duplicate", again, receipt)
	}
	other := entries[1]
	other.Envelope.Timestamp++
	_, err := b.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{other}})
	wantRefusal(b, err, domain.Conflict, domain.CodeIDReused)
	next := domain.Batch{Entries: NewEntries(b.ids, "a", 1), Conditions: []domain.Condition{{Key: "k", After: receipt.Positions[1]}}}
	_, err = b.log.Append(context.Background(), next)
	wantRefusal(b, err, domain.Conflict, domain.CodeConditionFailed)
	next.Conditions[0].After = receipt.Positions[2]
	got := mustAppend(b, b.log, next)
	if got.Positions[0] != receipt.Positions[5]+1 {
		b.Errorf("reopened, the next position is %d, want %d", got.Positions[0], receipt.Positions[5]+1)
	}
	if got.RecordedAt < receipt.RecordedAt {
		b.Errorf("reopened with the clock gone back, recorded_at fell from %d to %d", receipt.RecordedAt, got.RecordedAt)
	}
}
