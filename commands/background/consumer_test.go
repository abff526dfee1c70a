package background_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// mull is a background that takes its time, and tells what it was given.
type mull struct {
	mu    sync.Mutex
	takes time.Duration
	does  func(call int, rec domain.Record) (bool, error) // instead of taking its time; nil for that
	calls []mulled

	broken map[domain.TraceID]int // attempts that ran into a bound
}

type mulled struct {
	content    string
	begin, end time.Time
	preempted  bool
}

func (m *mull) Cycle(ctx context.Context, rec domain.Record) (bool, error) {
	s, err := domain.SpineSignalOf(rec.Envelope)
	if err != nil {
		return false, err
	}
	call := mulled{content: *s.Content, begin: time.Now()}
	m.mu.Lock()
	m.calls = append(m.calls, call)
	at := len(m.calls) - 1
	takes, does, ended := m.takes, m.does, m.broken[rec.Envelope.Trace] >= domain.MaxAttempts
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.calls[at].end = time.Now()
	}()
	if ended {
		return true, nil
	}
	if does != nil {
		return does(at, rec)
	}
	defer commands.Outside(ctx)() // it asks a model
	select {
	case <-time.After(takes):
		return true, nil
	case <-ctx.Done():
		m.mu.Lock()
		defer m.mu.Unlock()
		m.calls[at].preempted = errors.Is(context.Cause(ctx), background.ErrPreempted)
		return false, nil
	}
}

func (m *mull) BrokeOff(_ context.Context, trace domain.TraceID, _ *commands.Broken) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken == nil {
		m.broken = map[domain.TraceID]int{}
	}
	m.broken[trace]++
	return nil
}

func (m *mull) heard() (contents []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range m.calls {
		contents = append(contents, c.content)
	}
	return contents
}

func (m *mull) call(i int) mulled {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls[i]
}

func (n *nerves) consumer(work background.Work, change ...func(*background.ConsumerConfig)) *background.Consumer {
	n.t.Helper()
	cfg := background.ConsumerConfig{
		Name: "background", Takes: []domain.SpineType{domain.TaskStateChanged}, Env: commands.Env{Log: n.disk, Reader: n.log, Tail: n.log, Clock: present{}, IDs: n.ids, Logger: slog.New(slog.DiscardHandler)}, Feed: n.log, Work: work, Priority: n.front,
		Heart: n.hearts,
	}
	for _, c := range change {
		c(&cfg)
	}
	c, err := background.NewConsumer(cfg)
	if err != nil {
		n.t.Fatal(err)
	}
	return c
}

// say puts signals on the spine, named by numbers from a first one.
func (n *nerves) say(first, count int) {
	n.t.Helper()
	for i := first; i < first+count; i++ {
		cause := domain.Envelope{ID: n.ids.NewID(), Principal: domain.PrincipalOperator}
		if err := n.emitter.Record(n.t.Context(), cause, done(fmt.Sprint(i))); err != nil {
			n.t.Fatal(err)
		}
	}
}

func numbers(first, count int) (out []string) {
	for i := first; i < first+count; i++ {
		out = append(out, fmt.Sprint(i))
	}
	return out
}

func wantHeard(t *testing.T, got, want []string) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("it heard %v, want %v", got, want)
	}
}

func TestConsumerInOrderAndRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		m := &mull{takes: 4 * time.Second}
		c := n.consumer(m, func(c *background.ConsumerConfig) { c.Debounce = 30 * time.Second })
		n.start(c.Run)
		n.say(0, 3)
		record(n, domain.PrincipalCore, domain.SpineSignalEmitted{SignalType: domain.NewKnowledge}, domain.SpineTypeKey(domain.NewKnowledge)) // not its own
		n.say(3, 1)
		domaintest.Pass(10 * time.Minute)
		synctest.Wait()
		wantHeard(t, m.heard(), numbers(0, 4))
		for i := 1; i < 4; i++ {
			if rest := m.call(i).begin.Sub(m.call(i - 1).end); rest != 30*time.Second {
				t.Errorf("cycle %d began %s after the one before", i, rest)
			}
		}
		if s := c.State(); s.Taken != 4 || s.Waiting != 0 || !s.Running.IsZero() || s.Stuck != nil {
			t.Errorf("it is %+v", s)
		}
		n.end()
	})
}

func TestConsumerDropsTheOldest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		m := &mull{takes: time.Hour}
		c := n.consumer(m)
		n.start(c.Run)
		n.say(0, 1)
		synctest.Wait() // it is in work
		n.say(1, background.DefaultDepth)
		synctest.Wait()
		if got := n.all("spine.signal_dropped"); len(got) != 0 {
			t.Errorf("%d were dropped from a queue that was just full", len(got))
		}
		n.say(51, 10)
		synctest.Wait()
		n.wantDropped(1, 10)
		if s := c.State(); s.Waiting != background.DefaultDepth || s.Dropped != 10 {
			t.Errorf("it is %+v", s)
		}
		n.end() // in the middle of the first
		m2 := &mull{}
		n.start(n.consumer(m2).Run)
		domaintest.Pass(time.Minute)
		synctest.Wait()
		wantHeard(t, m2.heard(), append(numbers(0, 1), numbers(11, 50)...))
		n.wantDropped(1, 10)
		n.end()
		m3 := &mull{}
		n.start(n.consumer(m3).Run)
		domaintest.Pass(time.Minute)
		synctest.Wait()
		wantHeard(t, m3.heard(), nil)
		n.end()
	})
}

// wantDropped expects the signals with these numbers to be recorded as dropped,
// each in its own trace.
func (n *nerves) wantDropped(first, count int) {
	n.t.Helper()
	var got []string
	for _, rec := range n.all("spine.signal_dropped") {
		drop, err := domain.Decode[domain.SpineSignalDropped](rec.Envelope)
		if err != nil {
			n.t.Fatal(err)
		}
		of, err := n.log.Find(n.t.Context(), drop.Signal)
		if err != nil {
			n.t.Fatal(err)
		}
		s, err := domain.SpineSignalOf(of.Envelope)
		if err != nil {
			n.t.Fatal(err)
		}
		if rec.Envelope.Trace != of.Envelope.Trace || rec.Envelope.Parent != of.Envelope.ID || drop.Consumer != "background" {
			n.t.Errorf("recorded %+v", rec.Envelope)
		}
		got = append(got, *s.Content)
	}
	wantHeard(n.t, got, numbers(first, count))
}

func TestConsumersDoNotHoldUpEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		slow, fast := &mull{takes: time.Hour}, &mull{}
		other := n.consumer(slow, func(c *background.ConsumerConfig) { c.Name, c.Depth = "slow", 5 })
		n.start(n.consumer(fast).Run, other.Run)
		for i := range 100 { // at a pace that the fast one keeps
			n.say(i, 1)
			synctest.Wait()
		}
		wantHeard(t, fast.heard(), numbers(0, 100))
		if s := other.State(); s.Waiting != 5 || s.Dropped != 94 {
			t.Errorf("the slow one is %+v", s)
		}
		n.end()
	})
}

func TestCycleMakesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		m := &mull{takes: time.Minute}
		c := n.consumer(m, func(c *background.ConsumerConfig) { c.Debounce = 30 * time.Second })
		n.start(c.Run)
		n.say(0, 1)
		domaintest.Pass(10 * time.Second)
		leave, leaveToo := n.front.Enter(domain.ID{1}), n.front.Enter(domain.ID{1})
		synctest.Wait()
		if first := m.call(0); !first.preempted || first.end.Sub(first.begin) != 10*time.Second {
			t.Fatalf("the cycle went on: %+v", first)
		}
		n.say(1, 1)
		leave()
		leave() // says nothing new
		domaintest.Pass(10 * time.Minute)
		if len(m.heard()) != 1 {
			t.Fatalf("a cycle began while somebody waits: %v", m.heard())
		}
		leaveToo()
		synctest.Wait()
		wantHeard(t, m.heard(), []string{"0", "0"}) // at once, and before what came later
		domaintest.Pass(10 * time.Minute)
		synctest.Wait()
		wantHeard(t, m.heard(), []string{"0", "0", "1"})
		if s := c.State(); s.Yielded != 1 || s.Taken != 2 {
			t.Errorf("it is %+v", s)
		}
		n.end()
	})
}

// TestConsumerInTrouble has cycles that go wrong in every way.
func TestConsumerInTrouble(t *testing.T) {
	own := domain.Invalid("cycle", "", "it makes no sense")
	passing := &domain.Error{Op: "cycle", Category: domain.Dependency, Code: "away", Retriable: true, Message: "the model is away"}
	for name, c := range map[string]struct {
		does   func(int, domain.Record) (bool, error)
		heard  []string
		passed uint64
	}{
		"its own fault":            {func(int, domain.Record) (bool, error) { return false, own }, []string{"0", "0", "0", "1", "1", "1"}, 2},
		"it panics":                {func(int, domain.Record) (bool, error) { panic("no") }, []string{"0", "0", "0", "0", "1", "1", "1", "1"}, 0},
		"it computes for ever":     {func(int, domain.Record) (bool, error) { domaintest.Pass(30 * time.Second); return true, nil }, []string{"0", "0", "0", "0", "1", "1", "1", "1"}, 0},
		"what passes":              {func(i int, _ domain.Record) (bool, error) { return i > 4, onlyBefore(i, 5, passing) }, []string{"0", "0", "0", "0", "0", "0", "1"}, 0},
		"no error of ours":         {func(i int, _ domain.Record) (bool, error) { return i > 1, onlyBefore(i, 2, errors.New("odd")) }, []string{"0", "0", "0", "1"}, 0},
		"it makes room for nobody": {func(i int, _ domain.Record) (bool, error) { return i > 2, nil }, []string{"0", "0", "0", "0", "1"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNerves(t)
				m := &mull{does: c.does}
				consumer := n.consumer(m)
				n.start(consumer.Run)
				n.say(0, 2)
				domaintest.Pass(3 * time.Minute)
				synctest.Wait()
				wantHeard(t, m.heard(), c.heard)
				if s := consumer.State(); s.PassedOver != c.passed || s.Waiting != 0 {
					t.Errorf("it is %+v", s)
				}
				n.end()
			})
		})
	}
}

func onlyBefore(i, n int, err error) error {
	if i < n {
		return err
	}
	return nil
}

// While the log can't be written nothing can be dropped, and nothing is.
func TestConsumerOnABrokenDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		m := &mull{takes: time.Hour}
		ill := &disk{Appender: n.log} // only the consumer's
		c := n.consumer(m, func(c *background.ConsumerConfig) { c.Depth, c.Log = 2, ill })
		n.say(0, 1)
		n.start(c.Run)
		synctest.Wait() // it is busy with the first
		ill.breaks(true)
		n.say(1, 4)
		domaintest.Pass(time.Minute)
		synctest.Wait()
		if s := c.State(); s.Waiting < 3 || s.Dropped != 0 || domain.CodeOf(s.Stuck) != domain.CodeDiskFailed {
			t.Errorf("it is %+v", s)
		}
		ill.breaks(false)
		domaintest.Pass(time.Minute)
		synctest.Wait()
		n.wantDropped(1, 2)
		if s := c.State(); s.Waiting != 2 || s.Stuck != nil {
			t.Errorf("it is %+v", s)
		}
		n.end()
	})
}

func TestConsumerConfig(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		good := background.ConsumerConfig{
			Name: "x", Takes: []domain.SpineType{domain.IdleDiscovery}, Env: commands.Env{Log: n.log, Reader: n.log, Tail: n.log, Clock: present{}, IDs: n.ids, Logger: slog.New(slog.DiscardHandler)}, Feed: n.log, Work: &mull{}, Priority: n.front, Heart: n.hearts,
		}
		if err := good.Validate(); err != nil {
			t.Fatal(err)
		}
		for name, change := range map[string]func(*background.ConsumerConfig){
			"no name": func(c *background.ConsumerConfig) { c.Name = "" }, "takes nothing": func(c *background.ConsumerConfig) { c.Takes = nil },
			"takes what isn't there": func(c *background.ConsumerConfig) { c.Takes = []domain.SpineType{"made_up"} },
			"negative depth":         func(c *background.ConsumerConfig) { c.Depth = -1 }, "negative debounce": func(c *background.ConsumerConfig) { c.Debounce = -1 },
			"no work": func(c *background.ConsumerConfig) { c.Work = nil }, "no heart": func(c *background.ConsumerConfig) { c.Heart = nil },
		} {
			bad := good
			change(&bad)
			if _, err := background.NewConsumer(bad); domain.CategoryOf(err) != domain.Validation {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
