package domain_test

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// walk is a log whose clock goes forward by itself, and to anywhere when somebody
// sets it.
type walk struct {
	clock   *domaintest.Clock
	log     *memlog.Log
	ids     *domaintest.IDs
	records []domain.Record
}

func newWalk() *walk {
	w := &walk{clock: domaintest.NewClock()}
	w.log, w.ids = memlog.New(w.clock), domaintest.NewIDs(w.clock, 1)
	return w
}

// farOff is how a clock is set that nobody takes for right, and anyhow how any is.
var (
	farOff = []time.Duration{-365 * 24 * time.Hour, -time.Hour, time.Hour, 365 * 24 * time.Hour}
	anyhow = append([]time.Duration{-time.Second}, farOff...)
)

// step lets time pass, or sets the clock.
func (w *walk) step(t *rapid.T, by []time.Duration) {
	passes := time.Duration(rapid.IntRange(0, 600).Draw(t, "seconds")) * time.Second
	if rapid.IntRange(0, 3).Draw(t, "set") == 0 {
		passes += rapid.SampledFrom(by).Draw(t, "by")
	}
	w.clock.Advance(passes)
}

func (w *walk) add(t *rapid.T, payload domain.Payload) domain.Record {
	e := domaintest.NewEntry(w.ids, domain.TopicSignals)
	e.Envelope.Type, e.Envelope.Payload = "signal.received", payload
	receipt, err := w.log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{e}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.log.Select(t.Context(), domain.Selector{}, receipt.Positions[0], 1)
	if err != nil {
		t.Fatal(err)
	}
	w.records = append(w.records, got[0])
	return got[0]
}

func (w *walk) now() domain.Millis { return domain.MillisOf(w.clock.Now()) }

// countsSince says it as plainly as it can be said: the least that the clock showed at
// a record and at those behind it, but for what it went back to and jumped back from.
func countsSince(records []domain.Record, i int, now domain.Millis) domain.Millis {
	at := records[i].Clock()
	// After the last that is behind, the clock stands where now says.
	for len(records) > 0 && records[len(records)-1].Ahead == 0 {
		records = records[:len(records)-1]
	}
	var course []domain.Millis
	for _, rec := range records {
		course = append(course, rec.Clock())
	}
	course = append(course, now)
	undone := make([]bool, len(course))
	for j := 1; j < len(records); j++ {
		was, back := course[j-1], j
		for back < len(course) && course[back] < was {
			back++
		}
		if back > j && back < len(course) && was-course[back-1] >= course[back-1]-course[j] {
			for k := j; k < back; k++ {
				undone[k] = true
			}
		}
	}
	for j := i + 1; j < len(records); j++ {
		if !undone[j] {
			at = min(at, course[j])
		}
	}
	return at
}

// firstNotAhead is what CountsSince says.
func firstNotAhead(records []domain.Record, now domain.Millis) domain.Millis {
	for _, rec := range records {
		if rec.Clock() <= now {
			return rec.Clock()
		}
	}
	return records[0].Clock()
}

// What a fold of the setbacks says is what a look at the whole log says, wherever the
// clock went, also when it is saved and loaded in between, and so is what a read of
// the log says.
func TestSetbacksLikeALook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWalk()
		var fold domain.Setbacks
		for range rapid.IntRange(1, 60).Draw(t, "records") {
			w.step(t, anyhow)
			rec := w.add(t, domain.JSONPayload([]byte(`{}`)))
			if rapid.Bool().Draw(t, "selective") && !domain.IsBehind(&rec) {
				continue // a fold that has no other use for it needn't see it
			}
			fold.Evolve(&rec)
			fold.Evolve(&rec)
			if rapid.IntRange(0, 9).Draw(t, "save") == 0 {
				text, err := json.Marshal(fold)
				fold = domain.Setbacks{}
				if err == nil {
					err = json.Unmarshal(text, &fold)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		// Nothing lies ahead of the record that was written last.
		last := w.records[len(w.records)-1].Clock()
		for _, rec := range w.records {
			if got := fold.Since(rec.Position, rec.Clock(), last); got > last {
				t.Fatalf("the record at %d, of %d, counts since %d, and the last is of %d", rec.Position, rec.Clock(), got, last)
			}
		}
		w.step(t, anyhow)
		now := w.now()
		through := domain.Position(rapid.IntRange(1, len(w.records)).Draw(t, "through"))
		for i, rec := range w.records {
			want := countsSince(w.records, i, now)
			if got := fold.Since(rec.Position, rec.Clock(), now); got != want {
				t.Fatalf("at %d the record at %d, of %d, counts since %d, want %d", now, rec.Position, rec.Clock(), got, want)
			}
			if rec.Position <= through {
				want = firstNotAhead(w.records[i:through], now)
				if got, err := domain.CountsSince(t.Context(), w.log, rec, through, now); err != nil || got != want {
					t.Fatalf("at %d, when the log went to %d, the record at %d counts since %d, %v, want %d", now, through, rec.Position, got, err, want)
				}
			}
		}
	})
}

// However often a clock is put right, the memory of it is bounded, and what came from
// far ahead grows old all the same.
func TestSetbacksAreBounded(t *testing.T) {
	const year = domain.Millis(365 * 24 * time.Hour / time.Millisecond)
	now := domain.Millis(1_000_000_000_000)
	newest, pos := now, domain.Position(0)
	var fold domain.Setbacks
	add := func(clock domain.Millis) domain.Position {
		newest, pos = max(newest, clock), pos+1
		fold.Evolve(&domain.Record{Position: pos, RecordedAt: newest, Ahead: newest - clock})
		return pos
	}
	far := now + year
	from := add(far)
	add(now)
	right := now
	for i := range domain.Millis(10_000) {
		now += 1000
		add(now - i%7) // each second, off by some milliseconds
		add(now - i%11)
	}
	if len(fold.All) > 64 {
		t.Errorf("%d setbacks are kept", len(fold.All))
	}
	if got := fold.Since(from, far, now); got != right {
		t.Errorf("what was recorded a year ahead counts since %d, want %d, when the clock was put right", got, right)
	}
}

// A year ahead and back: once something was recorded by a clock that is right, all that
// was heard fades like anything else.
func TestWhatWasHeardAheadFades(t *testing.T) {
	rules := domain.DefaultWorldRules()
	rapid.Check(t, func(t *rapid.T) {
		w := newWalk()
		world := domain.NewWorld()
		hear := func() domain.Record {
			rec := w.add(t, domain.JSONPayload([]byte(`{"activation_energy":0.4}`)))
			if err := world.Evolve(rec); err != nil {
				t.Fatal(err)
			}
			return rec
		}
		first := hear()
		for range rapid.IntRange(1, 20).Draw(t, "signals") {
			w.step(t, farOff)
			hear()
		}
		w.clock.Set(first.Clock().Time().Add(time.Duration(rapid.IntRange(1, 600).Draw(t, "minutes")) * time.Minute))
		right := hear()
		for range rapid.IntRange(0, 60).Draw(t, "times ten minutes") {
			w.clock.Advance(10 * time.Minute)
			hear()
		}
		now := w.now()
		candidates := world.Candidates(now)
		for i, c := range candidates {
			rec := w.records[i]
			if c.Position != rec.Position {
				t.Fatalf("candidate %d is of position %d", i, c.Position)
			}
			want := max(0, now.Sub(countsSince(w.records, i, now)))
			got, _ := rules.Salience(c, now)
			if faded := min(domain.One, domain.Decay(800_000, want, rules.SignalHalfLife)); got != faded {
				t.Fatalf("heard at %d, with the clock right since %d, it weighs %v at %d, want %v", rec.Clock(), right.Clock(), got, now, faded)
			}
			// A clock that is off by as little as passes between two records may seem to jump.
			if least := now.Sub(right.Clock()) - 20*time.Minute; rec.Position < right.Position && want < least {
				t.Fatalf("it is %v old, and the clock has been right for %v", want, least)
			}
		}
	})
}

// What was heard by a clock that was right is as old as ever when it went ahead, or
// back, for a while.
func TestAWrongClockAgesNothingElse(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, off := range []time.Duration{year, time.Hour, -time.Hour, -year} {
		rapid.Check(t, func(t *rapid.T) {
			w := newWalk()
			var fold domain.Setbacks
			hear := func() domain.Record {
				rec := w.add(t, domain.JSONPayload([]byte(`{}`)))
				fold.Evolve(&rec)
				return rec
			}
			first := hear()
			w.clock.Advance(off)
			for range rapid.IntRange(1, 10).Draw(t, "wrong") {
				w.clock.Advance(time.Minute)
				hear()
			}
			w.clock.Advance(-off)
			for range rapid.IntRange(0, 60).Draw(t, "right") {
				w.clock.Advance(time.Minute)
				hear()
			}
			w.clock.Advance(time.Second)
			if got := fold.Since(first.Position, first.Clock(), w.now()); got != first.Clock() {
				t.Fatalf("%v off: it counts since %d, want %d, at %d", off, got, first.Clock(), w.now())
			}
		})
	}
}
