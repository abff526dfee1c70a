package background_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// nerves is a log with an emitter on it, in a synctest bubble.
type nerves struct {
	t        *testing.T
	log      *memlog.Log
	disk     *disk // the log, as it is written to
	ids      *domaintest.IDs
	emitter  *background.Emitter
	hearts   *background.Heartbeats
	front    *background.Foreground
	stopping context.Context
	stop     context.CancelFunc
	running  sync.WaitGroup
}

// present is the clock of a bubble.
type present struct{}

func (present) Now() time.Time { return time.Now() }

// disk is a log that can't be written while it is broken.
type disk struct {
	domain.Appender
	mu     sync.Mutex
	broken bool
}

func (d *disk) breaks(broken bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.broken = broken
}

func (d *disk) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	d.mu.Lock()
	broken := d.broken
	d.mu.Unlock()
	if broken {
		return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Message: "the disk is ill"}
	}
	return d.Appender.Append(ctx, b)
}

func newNerves(t *testing.T) *nerves {
	t.Helper()
	return nervesBeside(t, memlog.New(present{}))
}

func nervesBeside(t *testing.T, log *memlog.Log) *nerves {
	t.Helper()
	clock := present{}
	n := &nerves{t: t, log: log, disk: &disk{Appender: log}, ids: domaintest.NewIDs(clock, 7), front: &background.Foreground{}}
	n.hearts = background.NewHeartbeats(clock, slog.New(slog.DiscardHandler))
	var err error
	n.emitter, err = background.NewEmitter(background.EmitterConfig{Env: commands.Env{Log: n.disk, Reader: n.log, Tail: n.log, Clock: clock, IDs: n.ids, Logger: slog.New(slog.DiscardHandler)}})
	if err != nil {
		t.Fatal(err)
	}
	n.stopping, n.stop = context.WithCancel(t.Context())
	return n
}

// start runs services until end.
func (n *nerves) start(services ...func(context.Context) error) {
	for _, run := range services {
		ctx := n.stopping
		n.running.Go(func() {
			if err := run(ctx); err != nil {
				n.t.Error(err)
			}
		})
	}
}

// end stops what runs; start may be called again.
func (n *nerves) end() {
	n.stop()
	n.running.Wait()
	n.stopping, n.stop = context.WithCancel(n.t.Context())
}

// record puts an envelope into the log, as an episode of its own.
func record[P any](n *nerves, who domain.Principal, payload P, keys ...domain.Key) domain.Record {
	n.t.Helper()
	id := n.ids.NewID()
	return recordIn(n, domain.Begin(domain.TraceID{ID: id}, who), id, payload, keys...)
}

func recordIn[P any](n *nerves, lineage domain.Lineage, id domain.ID, payload P, keys ...domain.Key) domain.Record {
	n.t.Helper()
	entry, err := domain.New(lineage, id, domain.MillisOf(time.Now()), "test", payload)
	if err != nil {
		n.t.Fatal(err)
	}
	entry.Envelope.Keys = keys
	if _, err := n.log.Append(n.t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		n.t.Fatal(err)
	}
	rec, err := n.log.Find(n.t.Context(), id)
	if err != nil {
		n.t.Fatal(err)
	}
	return rec
}

// all are the records of a type.
func (n *nerves) all(event domain.EventType) (found []domain.Record) {
	n.t.Helper()
	records, err := n.log.Select(n.t.Context(), domain.Selector{}, 1, 1<<20)
	if err != nil {
		n.t.Fatal(err)
	}
	for _, rec := range records {
		if rec.Envelope.Type == event {
			found = append(found, rec)
		}
	}
	return found
}

// emitted are the signals on the spine.
func (n *nerves) emitted() (signals []domain.SpineSignalEmitted) {
	n.t.Helper()
	for _, rec := range n.all("spine.signal_emitted") {
		s, err := domain.SpineSignalOf(rec.Envelope)
		if err != nil {
			n.t.Fatal(err)
		}
		signals = append(signals, s)
	}
	return signals
}

// done is a signal that any cause may have.
func done(content string) domain.SpineSignal {
	return domain.SpineSignal{Type: domain.TaskStateChanged, Source: domain.ServicePlans, Content: content, Energy: domain.One}
}

func TestEmitOncePerCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		n.start(n.emitter.Run)
		cause := record(n, domain.PrincipalOperator, domain.TaskCreated{Text: "pay rent"})
		other := record(n, domain.PrincipalOperator, domain.TaskCreated{Text: "pay tax"})
		for range 3 {
			n.emitter.Emit(t.Context(), cause.Envelope, done("a"))
			if err := n.emitter.Record(t.Context(), cause.Envelope, done("b")); err != nil {
				t.Fatal(err)
			}
		}
		n.emitter.Emit(t.Context(), other.Envelope, done("c"))
		synctest.Wait()
		got := n.all("spine.signal_emitted")
		if len(got) != 2 {
			t.Fatalf("%d signals for two causes", len(got))
		}
		e := got[0].Envelope
		if e.ID != e.Trace.ID || e.Parent != cause.Envelope.ID || e.Trace == cause.Envelope.Trace || e.Principal != domain.PrincipalOperator || e.Source != domain.ServicePlans || got[0].Topic != domain.TopicSpine {
			t.Errorf("the signal is %+v", e)
		}
		if kind, ok := domain.SpineTypeOf(e); !ok || kind != domain.TaskStateChanged {
			t.Errorf("its type reads as %q", kind)
		}
		if counts := n.emitter.Counts(); counts.Recorded[domain.TaskStateChanged] < 2 || counts.Lost != 0 {
			t.Errorf("counted %+v", counts)
		}
		n.end()
	})
}

func TestEmitWithoutCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		n.start(n.emitter.Run)
		idle := domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle}
		n.emitter.Emit(t.Context(), domain.Envelope{}, idle)
		n.emitter.Emit(t.Context(), domain.Envelope{}, idle)
		synctest.Wait()
		got := n.all("spine.signal_emitted")
		if len(got) != 2 || !got[0].Envelope.Parent.IsZero() || got[0].Envelope.Principal != domain.ServiceIdle {
			t.Errorf("recorded %+v", got)
		}
		n.end()
	})
}

// Whatever is wrong, the emitter goes on at once.
func TestEmissionFailsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		n.start(n.emitter.Run)
		n.disk.breaks(true)
		began := time.Now()
		const beyond = 10
		for i := range background.Buffer + 1 + beyond {
			cause := domain.Envelope{ID: n.ids.NewID(), Principal: domain.PrincipalCore}
			n.emitter.Emit(t.Context(), cause, done(fmt.Sprint(i)))
			if i == 0 {
				synctest.Wait() // it is being recorded, and not in the buffer any more
			}
		}
		for _, wrong := range []domain.SpineSignal{
			{Type: "made_up", Source: domain.ServicePlans}, {Type: domain.IdleDiscovery, Source: domain.ServicePlans}, {},
		} {
			n.emitter.Emit(t.Context(), domain.Envelope{}, wrong)
		}
		if !time.Now().Equal(began) {
			t.Error("an emitter had to wait")
		}
		if lost := n.emitter.Counts().Lost; lost != beyond+3 {
			t.Errorf("%d are lost, want %d", lost, beyond+3)
		}
		n.disk.breaks(false)
		domaintest.Pass(time.Minute)
		synctest.Wait()
		got := n.emitted()
		if len(got) != background.Buffer+1 {
			t.Fatalf("%d of those in the buffer were recorded", len(got))
		}
		for i, s := range got {
			if *s.Content != fmt.Sprint(i) {
				t.Fatalf("the %dth is %q", i, *s.Content)
			}
		}
		n.end()
	})
}

func TestWhatWasEmittedIsRecordedAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		n.disk.breaks(true)
		n.start(n.emitter.Run)
		for i := range 3 {
			n.emitter.Emit(t.Context(), domain.Envelope{}, domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Content: fmt.Sprint(i)})
		}
		synctest.Wait()
		n.disk.breaks(false)
		n.end()
		if got := n.emitted(); len(got) != 3 {
			t.Errorf("%d of 3 were recorded", len(got))
		}
	})
}

func TestRecordSaysWhatIsWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		if err := n.emitter.Record(t.Context(), domain.Envelope{}, domain.SpineSignal{Type: "made_up"}); domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), "made_up") {
			t.Errorf("an unknown type: %v", err)
		}
		n.disk.breaks(true)
		if err := n.emitter.Record(t.Context(), domain.Envelope{ID: n.ids.NewID(), Principal: "x"}, done("")); !domain.IsRetriable(err) {
			t.Errorf("an ill disk: %v", err)
		}
	})
}

// Content over 199 characters is shortened, and where the whole stands is said.
func TestContentIsShortened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		cause := record(n, domain.PrincipalOperator, domain.TaskCreated{Text: "x"})
		s := done(strings.Repeat("ä", 200))
		s.ContentRef = cause.Envelope.ID
		if err := n.emitter.Record(t.Context(), cause.Envelope, s); err != nil {
			t.Fatal(err)
		}
		got := n.emitted()[0]
		if len([]rune(*got.Content)) != domain.MaxSpineContent || got.ContentRef != cause.Envelope.ID || got.ActivationEnergy != 0.6 {
			t.Errorf("the signal is %+v with %d characters", got, len([]rune(*got.Content)))
		}
	})
}

// TestConsumerLaw lets signals come in bursts while people speak, cycles take their
// time and the program is restarted at any moment. In the end every signal was either
// worked on to its end or dropped, what was dropped stands in the log once, never more
// waited than may, and what was begun came in order.
func TestConsumerLaw(t *testing.T) {
	const depth = 3
	type turn struct {
		Say     int
		Speaks  bool // somebody says something, for a while
		Restart bool
		Lasts   time.Duration
	}
	turns := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) turn {
		return turn{
			Say: rapid.IntRange(0, 7).Draw(rt, "say"), Speaks: rapid.Bool().Draw(rt, "speaks"), Restart: rapid.IntRange(0, 3).Draw(rt, "restart") == 0,
			Lasts: time.Duration(rapid.IntRange(0, 20).Draw(rt, "seconds")) * time.Second,
		}
	}), 1, 20)
	rapid.Check(t, func(rt *rapid.T) {
		plan := turns.Draw(rt, "turns")
		synctest.Test(t, func(t *testing.T) {
			n := newNerves(t)
			m := &mull{takes: 7 * time.Second}
			set := func(c *background.ConsumerConfig) { c.Depth, c.Debounce = depth, 2*time.Second }
			c := n.consumer(m, set)
			n.start(c.Run)
			said := 0
			for _, turn := range plan {
				n.say(said, turn.Say)
				said += turn.Say
				leave := func() {}
				if turn.Speaks {
					leave = n.front.Enter(domain.ID{1})
				}
				domaintest.Pass(turn.Lasts)
				synctest.Wait()
				if s := c.State(); s.Waiting > depth+1 || s.Waiting > depth && s.Taken > 0 {
					t.Errorf("%d wait", s.Waiting)
				}
				if turn.Restart {
					n.end()
					c = n.consumer(m, set)
					n.start(c.Run)
				}
				leave()
			}
			domaintest.Pass(time.Hour)
			synctest.Wait()
			n.end()

			dropped := map[string]bool{}
			for _, rec := range n.all("spine.signal_dropped") {
				drop, err := domain.Decode[domain.SpineSignalDropped](rec.Envelope)
				if err != nil {
					t.Fatal(err)
				}
				of, err := n.log.Find(t.Context(), drop.Signal)
				if err != nil {
					t.Fatal(err)
				}
				s, err := domain.SpineSignalOf(of.Envelope)
				if err != nil {
					t.Fatal(err)
				}
				if dropped[*s.Content] {
					t.Errorf("%s was dropped twice", *s.Content)
				}
				dropped[*s.Content] = true
			}
			m.judge(t, said, dropped)
		})
	})
}

// judge holds what was worked on to what was said and dropped.
func (m *mull) judge(t *testing.T, said int, dropped map[string]bool) {
	t.Helper()
	ended := map[string]int{}
	var order []int
	for _, call := range m.calls {
		if call.end.Sub(call.begin) == m.takes {
			ended[call.content]++
		}
		number, err := strconv.Atoi(call.content)
		if err != nil {
			t.Fatal(err)
		}
		order = append(order, number)
	}
	if !slices.IsSorted(order) {
		t.Errorf("they were begun as %v", order)
	}
	for i := range said {
		name := strconv.Itoa(i)
		if (ended[name] > 0) == dropped[name] || ended[name] > 1 {
			t.Errorf("%s was worked on %d times to its end, and dropped: %t", name, ended[name], dropped[name])
		}
	}
}
