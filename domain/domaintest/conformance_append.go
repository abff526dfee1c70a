package domaintest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"chalie/domain"
)

func testPositions(b *bench) {
	want := b.base
	for n := 1; n <= 5; n++ {
		receipt := b.append(NewEntries(b.ids, "a", n)...)
		for _, pos := range receipt.Positions {
			if want++; pos != want {
				b.Fatalf("got positions %d after %d", receipt.Positions, want-1)
			}
		}
		if receipt.Duplicate {
			b.Errorf("a new batch was called a duplicate")
		}
		if tail := b.log.Tail(); tail != want {
			b.Errorf("after an answered append the tail is %d, want %d", tail, want)
		}
	}
}

func testAtomic(b *bench) {
	entries := NewEntries(b.ids, "a", 4)
	entries[1].Topic, entries[3].Topic = "b", "c"
	receipt := b.append(entries...)
	wantRecords(b, b.selected(domain.Selector{}, b.base+1, 10), entries, receipt.Positions)

	bad := NewEntries(b.ids, "a", 3)
	bad[2].Envelope.Kind = "wish"
	_, err := b.log.Append(context.Background(), domain.Batch{Entries: bad})
	wantRefusal(b, err, domain.Validation, "")
	if tail := b.log.Tail(); tail != receipt.Positions[3] {
		b.Errorf("a refused batch moved the tail from %d to %d", receipt.Positions[3], tail)
	}
	_, err = b.log.Find(context.Background(), bad[0].Envelope.ID)
	wantRefusal(b, err, domain.NotFound, "")
}

func testBounds(b *bench) {
	payload := func(n int) domain.Payload {
		return domain.JSONPayload([]byte(`"` + strings.Repeat("x", n-2) + `"`))
	}
	full := func() domain.Entry {
		e := NewEntry(b.ids, domain.Topic(strings.Repeat("t", domain.MaxNameBytes)))
		e.Envelope.Payload = payload(domain.MaxPayloadBytes)
		for i := range domain.MaxKeys {
			e.Envelope.Keys = append(e.Envelope.Keys, domain.Key(fmt.Sprintf("%0*d", domain.MaxKeyBytes, i)))
		}
		return e
	}
	changed := func(change func(*domain.Entry)) []domain.Entry {
		e := NewEntry(b.ids, "a")
		change(&e)
		return []domain.Entry{NewEntry(b.ids, "a"), e}
	}
	twice := NewEntry(b.ids, "a")
	for _, c := range []struct {
		name    string
		entries []domain.Entry
	}{
		{"an empty batch", nil},
		{"no topic", changed(func(e *domain.Entry) { e.Topic = "" })},
		{"the topic of all topics", changed(func(e *domain.Entry) { e.Topic = domain.TopicAll })},
		{"a long topic", changed(func(e *domain.Entry) { e.Topic = domain.Topic(strings.Repeat("t", domain.MaxNameBytes+1)) })},
		{"no id", changed(func(e *domain.Entry) { e.Envelope.ID = domain.ID{} })},
		{"a large payload", changed(func(e *domain.Entry) { e.Envelope.Payload = payload(domain.MaxPayloadBytes + 1) })},
		{"one id twice", []domain.Entry{twice, twice}},
		{"a large batch", []domain.Entry{full(), full(), full()}},
	} {
		_, err := b.log.Append(context.Background(), domain.Batch{Entries: c.entries})
		if err == nil {
			b.Errorf("%s was appended", c.name)
			continue
		}
		if domain.CategoryOf(err) != domain.Validation {
			b.Errorf("%s: got %v, want a validation error", c.name, err)
		}
	}
	if tail := b.log.Tail(); tail != b.base {
		b.Errorf("refused batches moved the tail from %d to %d", b.base, tail)
	}
	largest := full()
	receipt := b.append(largest)
	wantRecords(b, b.selected(domain.Selector{Topic: largest.Topic}, 1, 2), []domain.Entry{largest}, receipt.Positions)
}

func testFields(b *bench) {
	plain := NewEntry(b.ids, "a")
	rich := NewEntry(b.ids, "a")
	rich.Envelope.Parent = plain.Envelope.ID
	rich.Envelope.Timestamp = -1
	rich.Envelope.Kind = domain.KindCommand
	rich.Envelope.Version = 65535
	rich.Envelope.Keys = []domain.Key{"one", "\x00", "drei, vier \u2026"}
	rich.Envelope.Subjects = []domain.Subject{"somebody", "nobody, at all"}
	rich.Envelope.Errors = []domain.Fault{
		{Code: "late", Message: "it came late", Category: domain.Dependency, Retryable: true, Metadata: map[string]any{"by": "1h"}},
		{Code: "odd"},
	}
	opaque, sealed, erased := NewEntry(b.ids, "a"), NewEntry(b.ids, "a"), NewEntry(b.ids, "a")
	opaque.Envelope.Payload = domain.Payload{Encoding: domain.EncodingOpaque, Bytes: []byte{0, 1, 0xff}}
	sealed.Envelope.Payload = domain.Payload{Encoding: domain.EncodingSealed, KeyID: "k1", Nonce: []byte{9, 0}, Bytes: []byte{7, 7}}
	erased.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	entries := []domain.Entry{plain, rich, opaque, sealed, erased}
	receipt := b.append(entries...)
	recs := b.selected(domain.Selector{Topic: "a"}, 1, 10)
	wantRecords(b, recs, entries, receipt.Positions)
	for _, rec := range recs {
		if rec.RecordedAt != receipt.RecordedAt {
			b.Errorf("position %d was recorded at %d, its receipt says %d", rec.Position, rec.RecordedAt, receipt.RecordedAt)
		}
	}
}

func testOwnership(b *bench) {
	e := NewEntry(b.ids, "a")
	e.Envelope.Keys = []domain.Key{"k"}
	kept := e.Envelope.Clone()
	receipt := b.append(e)
	for i := range e.Envelope.Payload.Bytes {
		e.Envelope.Payload.Bytes[i] = 'x'
	}
	e.Envelope.Keys[0] = "other"
	wantRecord(b, b.selected(domain.Selector{}, b.base+1, 1)[0], domain.Entry{Topic: "a", Envelope: kept}, receipt.Positions[0])
}

func testCancelled(b *bench) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 20 {
		batch := domain.Batch{Entries: NewEntries(b.ids, "a", 2)}
		_, err := b.log.Append(ctx, batch)
		if err != nil {
			wantRefusal(b, err, domain.Dependency, "")
			if !domain.IsRetriable(err) {
				b.Errorf("an append given up can't be retried: %v", err)
			}
		}
		// Whether it went in or not, the same again finds out.
		mustAppend(b, b.log, batch)
	}
	recs := b.selected(domain.Selector{Topic: "a"}, b.base+1, 100)
	if len(recs) != 40 || b.log.Tail() != b.base+40 {
		b.Errorf("20 batches of 2, each appended again after it was given up, left %d records and tail %d", len(recs), b.log.Tail()-b.base)
	}
}

func testDuplicate(b *bench) {
	batch := domain.Batch{Entries: NewEntries(b.ids, "a", 3)}
	batch.Entries[1].Topic = "b"
	first := mustAppend(b, b.log, batch)
	b.append(NewEntry(b.ids, "a"))
	b.clock.Advance(time.Hour)
	second := mustAppend(b, b.log, batch)
	if !second.Duplicate {
		b.Errorf("the same batch again was not called a duplicate")
	}
	for i := range first.Positions {
		if second.Positions[i] != first.Positions[i] {
			b.Errorf("the duplicate's positions are %d, want %d", second.Positions, first.Positions)
		}
	}
	if second.RecordedAt != first.RecordedAt {
		b.Errorf("the duplicate was recorded at %d, want %d", second.RecordedAt, first.RecordedAt)
	}
	if tail := b.log.Tail(); tail != b.base+4 {
		b.Errorf("a duplicate moved the tail to %d, want %d", tail, b.base+4)
	}
}

func testReused(b *bench) {
	old := NewEntry(b.ids, "a")
	b.append(old)
	payload, topic, time := old, old, old
	payload.Envelope.Payload = domain.JSONPayload([]byte(`{"other":true}`))
	topic.Topic = "b"
	time.Envelope.Timestamp++
	for name, batch := range map[string][]domain.Entry{
		"another payload":       {payload},
		"another topic":         {topic},
		"another time":          {time},
		"new, then known":       {NewEntry(b.ids, "a"), old},
		"known, then new":       {old, NewEntry(b.ids, "a")},
		"known, then different": {NewEntry(b.ids, "a"), payload},
	} {
		_, err := b.log.Append(context.Background(), domain.Batch{Entries: batch})
		if domain.CategoryOf(err) != domain.Conflict || domain.CodeOf(err) != domain.CodeIDReused {
			b.Errorf("%s: got %v, want a conflict with code %s", name, err, domain.CodeIDReused)
		}
	}
	if tail := b.log.Tail(); tail != b.base+1 {
		b.Errorf("refused batches moved the tail to %d, want %d", tail, b.base+1)
	}
}

func testConditions(b *bench) {
	keyed := func(keys ...domain.Key) []domain.Entry {
		e := NewEntry(b.ids, "a")
		e.Envelope.Keys = keys
		return []domain.Entry{e}
	}
	at := b.append(keyed("k", "m")...).Positions[0]
	b.append(keyed("other")...)
	for _, c := range []struct {
		name       string
		conditions []domain.Condition
		holds      bool
	}{
		{"a key never used", []domain.Condition{{Key: "new"}}, true},
		{"a key used before the position", []domain.Condition{{Key: "k", After: at}}, true},
		{"a key used at a later position", []domain.Condition{{Key: "k", After: at - 1}}, false},
		{"a second key", []domain.Condition{{Key: "m", After: at - 1}}, false},
		{"one of two", []domain.Condition{{Key: "k", After: at}, {Key: "other", After: at}}, false},
		{"two of two", []domain.Condition{{Key: "k", After: at}, {Key: "other", After: at + 1}}, true},
	} {
		before := b.log.Tail()
		_, err := b.log.Append(context.Background(), domain.Batch{Entries: keyed(), Conditions: c.conditions})
		switch {
		case c.holds && err != nil:
			b.Errorf("%s: got %v, want it appended", c.name, err)
		case !c.holds && domain.CodeOf(err) != domain.CodeConditionFailed:
			b.Errorf("%s: got %v, want code %s", c.name, err, domain.CodeConditionFailed)
		case !c.holds && domain.CategoryOf(err) != domain.Conflict:
			b.Errorf("%s: got category %q, want a conflict", c.name, domain.CategoryOf(err))
		case !c.holds && b.log.Tail() != before:
			b.Errorf("%s: a refused batch moved the tail", c.name)
		}
	}
	// The batch's own keys don't count against it, the next one's they do.
	first := domain.Batch{Entries: append(keyed("once"), keyed("once")...), Conditions: []domain.Condition{{Key: "once"}}}
	mustAppend(b, b.log, first)
	_, err := b.log.Append(context.Background(), domain.Batch{Entries: keyed("once"), Conditions: first.Conditions})
	wantRefusal(b, err, domain.Conflict, domain.CodeConditionFailed)
}

func testDuplicateFirst(b *bench) {
	e := NewEntry(b.ids, "a")
	e.Envelope.Keys = []domain.Key{"k"}
	batch := domain.Batch{Entries: []domain.Entry{e}, Conditions: []domain.Condition{{Key: "k"}}}
	first := mustAppend(b, b.log, batch)
	second := mustAppend(b, b.log, batch)
	if !second.Duplicate || second.Positions[0] != first.Positions[0] {
		b.Errorf("the batch again got %+v, want the receipt %+v as a duplicate", second, first)
	}
}

func testRecordedAt(b *bench) {
	start := b.clock.Now()
	first := b.append(NewEntry(b.ids, "a")).RecordedAt
	if first != domain.MillisOf(start) {
		b.Errorf("recorded at %d, the clock shows %d", first, domain.MillisOf(start))
	}
	b.clock.Set(start.Add(-time.Hour))
	batch := NewEntries(b.ids, "a", 2)
	back := b.append(batch...)
	if back.RecordedAt != first || back.Clock() != domain.MillisOf(b.clock.Now()) {
		b.Errorf("with the clock gone back to %d it was recorded at %d by a clock of %d, want %d", domain.MillisOf(b.clock.Now()), back.RecordedAt, back.Clock(), first)
	}
	later := b.clock.Advance(2 * time.Hour)
	if again := b.append(batch...); !again.Duplicate || again.RecordedAt != first || again.Clock() != back.Clock() {
		b.Errorf("again, it was recorded at %d by a clock of %d, want %d and %d as a duplicate", again.RecordedAt, again.Clock(), first, back.Clock())
	}
	if got := b.append(NewEntry(b.ids, "a")); got.RecordedAt != domain.MillisOf(later) || got.Ahead != 0 {
		b.Errorf("recorded at %d by a clock of %d, the clock shows %d", got.RecordedAt, got.Clock(), domain.MillisOf(later))
	}
	testClocks(b, domain.MillisOf(start), back.Clock(), back.Clock(), domain.MillisOf(later))
	if b.reopen != nil {
		b.again()
		testClocks(b, domain.MillisOf(start), back.Clock(), back.Clock(), domain.MillisOf(later))
	}
}

// testClocks reads the whole log: its times never decrease, and each record keeps
// the clock it was written by.
func testClocks(b *bench, clocks ...domain.Millis) {
	last := domain.Millis(0)
	recs := b.selected(domain.Selector{}, b.base+1, 10)
	if len(recs) != len(clocks) {
		b.Fatalf("%d records, want %d", len(recs), len(clocks))
	}
	for i, rec := range recs {
		if rec.RecordedAt < last {
			b.Errorf("position %d was recorded at %d, the one before at %d", rec.Position, rec.RecordedAt, last)
		}
		if rec.Clock() != clocks[i] {
			b.Errorf("position %d has a clock of %d, want %d", rec.Position, rec.Clock(), clocks[i])
		}
		last = rec.RecordedAt
	}
}
