package domaintest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"chalie/domain"

	"pgregory.net/rapid"
)

// testModel drives the log through random histories and compares it, step by
// step, with a model that is a list. All histories share one log: each uses
// names of its own and looks no further back than where it began.
func testModel(b *bench) {
	history := 0
	rapid.Check(b.T, func(t *rapid.T) {
		history++
		m := &model{bench: b, base: b.log.Tail(), prefix: fmt.Sprintf("h%d-", history), checkpoints: map[string]domain.Position{}}
		actions := map[string]func(*rapid.T){
			"":           m.compare,
			"append":     m.appendNew,
			"repeat":     m.appendAgain,
			"mix":        m.appendMixed,
			"time":       m.moveClock,
			"checkpoint": m.saveCheckpoint,
		}
		if b.reopen != nil {
			actions["reopen"] = m.maybeReopen
		}
		t.Repeat(actions)
	})
}

// model is what a log should hold, kept as plainly as possible.
type model struct {
	*bench
	base        domain.Position
	prefix      string
	recs        []domain.Record
	batches     []domain.Batch // every batch tried
	checkpoints map[string]domain.Position
}

func (m *model) tail() domain.Position { return m.base + domain.Position(len(m.recs)) }

func (m *model) appendNew(t *rapid.T) {
	batch := domain.Batch{Entries: make([]domain.Entry, rapid.IntRange(1, 4).Draw(t, "entries"))}
	for i := range batch.Entries {
		batch.Entries[i] = m.draw(t)
	}
	for range rapid.IntRange(0, 2).Draw(t, "conditions") {
		batch.Conditions = append(batch.Conditions, domain.Condition{Key: m.key(t), After: m.position(t)})
	}
	m.try(t, batch)
}

func (m *model) appendAgain(t *rapid.T) {
	if len(m.batches) == 0 {
		t.Skip("nothing to repeat yet")
	}
	m.try(t, rapid.SampledFrom(m.batches).Draw(t, "batch"))
}

// appendMixed tries a known entry, as it was or changed, beside a new one.
func (m *model) appendMixed(t *rapid.T) {
	if len(m.recs) == 0 {
		t.Skip("nothing is known yet")
	}
	rec := rapid.SampledFrom(m.recs).Draw(t, "known")
	known := domain.Entry{Topic: rec.Topic, Envelope: rec.Envelope}
	if rapid.Bool().Draw(t, "changed") {
		known.Envelope.Source = "somebody else"
	}
	batch := domain.Batch{Entries: []domain.Entry{known}}
	if rapid.Bool().Draw(t, "with a new one") {
		batch.Entries = append(batch.Entries, m.draw(t))
	}
	m.try(t, batch)
}

func (m *model) moveClock(t *rapid.T) {
	m.clock.Advance(time.Duration(rapid.IntRange(-5, 8).Draw(t, "seconds")) * time.Second)
}

func (m *model) saveCheckpoint(t *rapid.T) {
	name, pos := m.consumer(t), m.position(t)
	if err := m.log.SaveCheckpoint(context.Background(), name, pos); err != nil {
		t.Fatalf("SaveCheckpoint(%q, %d): %v", name, pos, err)
	}
	m.checkpoints[name] = pos
}

// maybeReopen reopens now and then: it costs far more than the other steps.
func (m *model) maybeReopen(t *rapid.T) {
	if rapid.IntRange(0, 9).Draw(t, "dice") == 0 {
		m.again()
	}
}

func (m *model) draw(t *rapid.T) domain.Entry {
	e := NewEntry(m.ids, m.topic(t))
	if len(m.recs) > 0 && rapid.Bool().Draw(t, "follows") {
		parent := rapid.SampledFrom(m.recs).Draw(t, "parent")
		e.Envelope.Trace, e.Envelope.Parent = parent.Envelope.Trace, parent.Envelope.ID
	}
	for range rapid.IntRange(0, 2).Draw(t, "keys") {
		e.Envelope.Keys = append(e.Envelope.Keys, m.key(t))
	}
	e.Envelope.Version = rapid.Uint16Range(1, 3).Draw(t, "version")
	return e
}

func (m *model) topic(t *rapid.T) domain.Topic {
	return domain.Topic(m.prefix + rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "topic"))
}

func (m *model) key(t *rapid.T) domain.Key {
	return domain.Key(m.prefix + rapid.SampledFrom([]string{"k", "l", "m", "n"}).Draw(t, "key"))
}

func (m *model) consumer(t *rapid.T) string {
	return m.prefix + rapid.SampledFrom([]string{"x", "y"}).Draw(t, "consumer")
}

func (m *model) position(t *rapid.T) domain.Position {
	return m.base + domain.Position(rapid.IntRange(0, len(m.recs)).Draw(t, "position"))
}

// try appends to both and compares the answers.
func (m *model) try(t *rapid.T, batch domain.Batch) {
	want, code := m.judge(batch)
	got, err := m.log.Append(context.Background(), batch)
	m.batches = append(m.batches, batch)
	switch {
	case domain.CodeOf(err) != code || (err != nil) != (code != ""):
		t.Fatalf("Append: got %v, want code %q", err, code)
	case code != "":
		return
	case got.Duplicate != want.Duplicate || fmt.Sprint(got.Positions) != fmt.Sprint(want.Positions):
		t.Fatalf("Append: got %+v, want %+v", got, want)
	case want.Duplicate && (got.RecordedAt != want.RecordedAt || got.Clock() != want.Clock()):
		t.Fatalf("Append of a duplicate: recorded at %d by a clock of %d, want %d and %d", got.RecordedAt, got.Clock(), want.RecordedAt, want.Clock())
	case want.Duplicate:
		return
	}
	// Records of other histories may have pushed recorded_at ahead of the clock.
	if got.RecordedAt < want.RecordedAt {
		t.Fatalf("Append: recorded at %d, want at least %d", got.RecordedAt, want.RecordedAt)
	}
	if got.Clock() != want.RecordedAt {
		t.Fatalf("Append: recorded by a clock of %d, it shows %d", got.Clock(), want.RecordedAt)
	}
	for i, e := range batch.Entries {
		m.recs = append(m.recs, domain.Record{Position: got.Positions[i], Topic: e.Topic, RecordedAt: got.RecordedAt, Ahead: got.Ahead, Envelope: e.Envelope})
	}
}

// judge says what Append must answer; it changes nothing.
func (m *model) judge(batch domain.Batch) (domain.Receipt, domain.Code) {
	receipt := domain.Receipt{Duplicate: true, RecordedAt: domain.MillisOf(m.clock.Now())}
	known := 0
	for _, e := range batch.Entries {
		for _, rec := range m.recs {
			if rec.Envelope.ID != e.Envelope.ID {
				continue
			}
			if rec.Topic != e.Topic || !rec.Envelope.Equal(e.Envelope) {
				return receipt, domain.CodeIDReused
			}
			if known == 0 || rec.RecordedAt >= receipt.RecordedAt {
				receipt.RecordedAt, receipt.Ahead = rec.RecordedAt, rec.Ahead
			}
			receipt.Positions = append(receipt.Positions, rec.Position)
			known++
		}
	}
	if known == len(batch.Entries) {
		return receipt, ""
	}
	if known > 0 {
		return receipt, domain.CodeIDReused
	}
	for _, c := range batch.Conditions {
		for _, rec := range m.picked(domain.Selector{Key: c.Key}, 0, len(m.recs)) {
			if rec.Position > c.After {
				return receipt, domain.CodeConditionFailed
			}
		}
	}
	receipt.Duplicate = false
	for i := range batch.Entries {
		receipt.Positions = append(receipt.Positions, m.tail()+1+domain.Position(i))
	}
	return receipt, ""
}

func (m *model) picked(s domain.Selector, from domain.Position, limit int) []domain.Record {
	var out []domain.Record
	for _, rec := range m.recs {
		if rec.Position >= from && len(out) < limit && picks(s, rec) {
			out = append(out, rec)
		}
	}
	return out
}

func picks(s domain.Selector, rec domain.Record) bool {
	switch {
	case s.Key != "":
		return slices.Contains(rec.Envelope.Keys, s.Key)
	case s.Topic != "" && s.Topic != domain.TopicAll:
		return rec.Topic == s.Topic
	case !s.Trace.IsZero():
		return rec.Envelope.Trace == s.Trace
	case !s.Parent.IsZero():
		return rec.Envelope.Parent == s.Parent
	}
	return true
}

// compare asks both the same questions.
func (m *model) compare(t *rapid.T) {
	ctx := context.Background()
	if tail := m.log.Tail(); tail != m.tail() {
		t.Fatalf("the tail is %d, want %d", tail, m.tail())
	}
	s := m.selector(t)
	from, limit := max(m.position(t), m.base+1), rapid.IntRange(1, 12).Draw(t, "limit")
	got, err := m.log.Select(ctx, s, from, limit)
	if err != nil {
		t.Fatalf("Select(%+v, %d, %d): %v", s, from, limit, err)
	}
	want := m.picked(s, from, limit)
	if len(got) != len(want) {
		t.Fatalf("Select(%+v, %d, %d): got %d records, want %d", s, from, limit, len(got), len(want))
	}
	for i := range want {
		wantRecord(t, got[i], domain.Entry{Topic: want[i].Topic, Envelope: want[i].Envelope}, want[i].Position)
		if got[i].RecordedAt != want[i].RecordedAt || got[i].Clock() != want[i].Clock() {
			t.Fatalf("position %d was recorded at %d by a clock of %d, want %d and %d", want[i].Position, got[i].RecordedAt, got[i].Clock(), want[i].RecordedAt, want[i].Clock())
		}
	}
	name := m.consumer(t)
	if pos, err := m.log.Checkpoint(ctx, name); err != nil || pos != m.checkpoints[name] {
		t.Fatalf("Checkpoint(%q): got %d, %v, want %d", name, pos, err, m.checkpoints[name])
	}
	if len(m.recs) > 0 {
		m.compareOne(t, rapid.SampledFrom(m.recs).Draw(t, "record"))
	}
}

// compareOne checks what leads to one record: its id, and its time.
func (m *model) compareOne(t *rapid.T, rec domain.Record) {
	got, err := m.log.Find(context.Background(), rec.Envelope.ID)
	if err != nil {
		t.Fatalf("Find(%s): %v", rec.Envelope.ID, err)
	}
	wantRecord(t, got, domain.Entry{Topic: rec.Topic, Envelope: rec.Envelope}, rec.Position)
	since, err := m.log.Since(context.Background(), rec.RecordedAt+1)
	if err != nil {
		t.Fatalf("Since: %v", err)
	}
	want := m.tail() + 1
	for _, later := range m.recs {
		if later.RecordedAt > rec.RecordedAt {
			want = later.Position
			break
		}
	}
	if since != want {
		t.Fatalf("Since(recorded_at of %d + 1): got %d, want %d", rec.Position, since, want)
	}
}

func (m *model) selector(t *rapid.T) domain.Selector {
	choice := rapid.IntRange(0, 5).Draw(t, "selector")
	if choice >= 4 && len(m.recs) == 0 {
		choice = 0
	}
	switch choice {
	case 1:
		return domain.Selector{Topic: domain.TopicAll}
	case 2:
		return domain.Selector{Topic: m.topic(t)}
	case 3:
		return domain.Selector{Key: m.key(t)}
	case 4:
		return domain.Selector{Trace: rapid.SampledFrom(m.recs).Draw(t, "trace").Envelope.Trace}
	case 5:
		return domain.Selector{Parent: rapid.SampledFrom(m.recs).Draw(t, "parent of").Envelope.ID}
	}
	return domain.Selector{}
}
