package transcript_test

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"

	"chalie/domain"
	"chalie/projections"
	"chalie/projections/transcript"
)

// watched counts what is read of a store.
type watched struct {
	projections.Store
	mu    sync.Mutex
	reads int
	fail  error
}

func (w *watched) read() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reads++
	return w.fail
}

func (w *watched) Get(key []byte) ([]byte, bool, error) {
	if err := w.read(); err != nil {
		return nil, false, err
	}
	return w.Store.Get(key)
}

func (w *watched) Range(low, high []byte, reverse bool, fn func(key, value []byte) bool) error {
	if err := w.read(); err != nil {
		return err
	}
	return w.Store.Range(low, high, reverse, fn)
}

// TestReadsOnlyForAnswers holds that a record which is nothing to the transcript
// costs no read, nor does one whose exchange is in memory.
func TestReadsOnlyForAnswers(t *testing.T) {
	store := &watched{Store: projections.NewMemStore()}
	p := loaded(t, store)
	store.reads = 0
	for _, c := range []struct {
		what string
		rec  domain.Record
		want int
	}{
		{"a message", rec(t, 1, 1, operator, said), 0},
		{"another", rec(t, 2, 2, operator, said), 0},
		{"a signal", rec(t, 3, 3, "station", domain.SignalReceived{SignalType: "a", Content: "b"}), 0},
		{"a step", rec(t, 4, 1, operator, domain.ModelReplied{}), 0},
		{"an interface's message", rec(t, 5, 5, "portal", said), 0},
		{"passed on", rec(t, 6, 5, "portal", notified), 0},
		{"something held", rec(t, 7, 7, domain.PrincipalCore, held), 0},
		{"an answer to what was just said", rec(t, 8, 1, operator, answered), 0},
		{"an answer to what was saved", rec(t, 9, 2, operator, answered), 2},
	} {
		if c.rec.Position == 9 {
			save(t, p, store, 8)
			store.reads = 0
		}
		apply(t, p, c.rec)
		if store.reads != c.want {
			t.Errorf("%s took %d reads, want %d", c.what, store.reads, c.want)
		}
	}
}

// What is refused is not lost, and what fails changes nothing.
func TestStoreThatFails(t *testing.T) {
	store := &watched{Store: projections.NewMemStore()}
	p := loaded(t, store)
	apply(t, p, rec(t, 1, 1, operator, said))
	save(t, p, store, 1)
	broken := errors.New("the disk is gone")
	store.fail = broken
	if err := p.Apply(rec(t, 2, 1, operator, answered)); !errors.Is(err, broken) {
		t.Errorf("Apply: %v", err)
	}
	if _, _, err := p.Recent(domain.ConversationID{}, 1, 0); !errors.Is(err, broken) {
		t.Errorf("Recent: %v", err)
	}
	if err := transcript.New().Load(store); !errors.Is(err, broken) {
		t.Errorf("Load: %v", err)
	}
	store.fail = nil
	if got := all(t, p); len(got) != 1 || got[0] != open(1, 1) {
		t.Errorf("it knows %+v", got)
	}
	apply(t, p, rec(t, 2, 1, operator, answered))
	for left := range 3 {
		if err := p.Save(&refusing{left: left}); !errors.Is(err, errRefused) {
			t.Errorf("Save with room for %d: %v", left, err)
		}
	}
	save(t, p, store, 2)
	if got := all(t, loaded(t, store)); len(got) != 1 || got[0] != closed(1, 1, 2, answered) {
		t.Errorf("it stored %+v", got)
	}
}

// refusing takes so many writes.
type refusing struct{ left int }

func (r *refusing) Set(_, _ []byte) error { return r.Delete(nil) }

func (r *refusing) Delete([]byte) error {
	if r.left--; r.left < 0 {
		return errRefused
	}
	return nil
}

// TestSavesOnlyChanges counts the writes between two saves.
func TestSavesOnlyChanges(t *testing.T) {
	p, store := transcript.New(), projections.NewMemStore()
	expect := func(want int) {
		t.Helper()
		room := &refusing{left: 100}
		if err := p.Save(room); err != nil || 100-room.left != want {
			t.Errorf("%d writes, %v; want %d", 100-room.left, err, want)
		}
	}
	expect(0)
	apply(t, p, rec(t, 1, 1, operator, said), rec(t, 2, 2, operator, said))
	expect(5) // two exchanges, both open, and the facts
	p = loaded(t, store)
	apply(t, p, rec(t, 1, 1, operator, said), rec(t, 2, 2, operator, pressed))
	save(t, p, store, 2)
	if got := all(t, loaded(t, store)); len(got) != 2 || got[1] != act(open(2, 2)) {
		t.Errorf("it stored %+v", got)
	}
	expect(0)
	apply(t, p, rec(t, 3, 3, "station", domain.SignalReceived{SignalType: "a", Content: "b"}))
	expect(0)
	apply(t, p, rec(t, 4, 1, operator, answered))
	expect(3)
}

func TestDamagedState(t *testing.T) {
	whole := projections.NewMemStore()
	p := loaded(t, whole)
	apply(t, p, conversation(t, 2, 1)...)
	save(t, p, whole, 3)
	var keys [][]byte
	err := whole.Scan(nil, false, func(key, _ []byte) bool {
		keys = append(keys, slices.Clone(key))
		return true
	})
	if err != nil || len(keys) != 4 {
		t.Fatalf("%q, %v", keys, err)
	}
	for _, key := range keys {
		for _, value := range [][]byte{nil, []byte("{"), []byte("12345678")} {
			bad := projections.NewOverlay(whole)
			err := bad.Update(3, func(b projections.Batch) error {
				if value == nil && key[0] == 'e' {
					return b.Delete(key)
				}
				return b.Set(key, value)
			})
			if err != nil {
				t.Fatal(err)
			}
			if complaint(t, bad) == nil {
				t.Errorf("nothing is said of %q under %q", value, key)
			}
		}
	}
}

// complaint is the first error that a use of the stored state gives.
func complaint(t *testing.T, store projections.Snapshot) error {
	p := transcript.New()
	if err := p.Load(store); err != nil {
		return err
	}
	_, _, err := p.Recent(domain.ConversationID{}, 9, 0)
	if err != nil {
		return err
	}
	return p.Apply(rec(t, 9, 2, operator, answered))
}

// counting is a store of no content, for what memory alone costs.
type counting struct{ projections.Store }

func (counting) Get([]byte) ([]byte, bool, error) { return nil, false, nil }

// TestMemoryStaysFlat holds that exchanges don't pile up in memory: after a
// hundred thousand of them about as much is used as after a thousand.
func TestMemoryStaysFlat(t *testing.T) {
	p := loaded(t, counting{})
	used := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	pos := domain.Position(0)
	message, end := rec(t, 1, 1, operator, said), rec(t, 1, 1, operator, answered)
	talk := func(n int) {
		for i := range n {
			for _, r := range []domain.Record{message, end} {
				pos++
				r.Position = pos
				r.Envelope.Trace.ID[3], r.Envelope.Trace.ID[4], r.Envelope.Trace.ID[5] = byte(pos>>17), byte(pos>>9), byte(pos>>1)
				apply(t, p, r)
			}
			if i%500 == 499 {
				if err := p.Save(&refusing{left: 1 << 30}); err != nil {
					t.Fatal(err)
				}
				p.Saved()
			}
		}
	}
	talk(1000)
	before := used()
	talk(100_000)
	if after := used(); after > before+4<<20 {
		t.Errorf("it used %d bytes after a thousand exchanges, and %d after a hundred thousand more", before, after)
	}
	runtime.KeepAlive(p)
}

// TestReadersBesideTheFold is for the race detector, and holds that a page is
// always whole.
func TestReadersBesideTheFold(t *testing.T) {
	const n = 100
	store := projections.NewMemStore()
	p, log := loaded(t, store), conversation(t, n, n)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				page, total, err := p.Recent(domain.ConversationID{}, 10, 0)
				if err != nil || len(page) != min(10, total) || total > 0 && page[len(page)-1].ID != id(1, byte(total)) {
					t.Errorf("%+v of %d, %v", page, total, err)
					return
				}
				p.Thread(domain.ConversationID{})
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for _, r := range log {
		apply(t, p, r)
		if r.Position%7 == 0 {
			save(t, p, store, r.Position)
		}
	}
	close(stop)
	readers.Wait()
}

// BenchmarkApply tells what a rebuild spends here on each record: of a log of
// signals, and of one of answers.
func BenchmarkApply(b *testing.B) {
	signal := []domain.Record{rec(b, 1, 1, "station", domain.SignalReceived{SignalType: "a", Content: "b", Source: "c", ActivationEnergy: 0.4})}
	answer := []domain.Record{rec(b, 1, 1, operator, said), rec(b, 2, 1, operator, domain.ReasoningStarted{}),
		rec(b, 3, 1, operator, domain.ModelCalled{}), rec(b, 4, 1, operator, domain.ModelReplied{}), rec(b, 5, 1, operator, answered)}
	for _, c := range []struct {
		name string
		log  []domain.Record
	}{{"signals", signal}, {"answers", answer}} {
		b.Run(c.name, func(b *testing.B) {
			p := loaded(b, counting{})
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r := c.log[i%len(c.log)]
				r.Position = domain.Position(i + 1)
				if err := p.Apply(r); err != nil {
					b.Fatal(err)
				}
				if i%4096 == 4095 { // as often as a runner
					if err := p.Save(&refusing{left: 1 << 30}); err != nil {
						b.Fatal(err)
					}
					p.Saved()
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
