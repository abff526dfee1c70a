package commands_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/commands"
	"chalie/domain"
)

func TestSubmit(t *testing.T) {
	for _, c := range []struct {
		name      string
		caller    commands.Caller
		source    string
		principal domain.Principal
		emitter   domain.Source
		want      string
	}{
		{"a token", station, "", "station", "station", "station"},
		{"a token that names the origin", station, "roof", "station", "station", "roof"},
		{"the operator", ada, "", "operator", "api", "operator"},
		{"the operator naming the origin", ada, "curl", "operator", "api", "curl"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			sig := weather()
			sig.Source = c.source
			id, err := b.signals(0).Submit(t.Context(), c.caller, sig)
			if err != nil {
				t.Fatal(err)
			}
			e := b.records(domain.TopicSignals)[0].Envelope
			if e.ID != id || e.Trace.ID != id || !e.Parent.IsZero() {
				t.Errorf("the lineage is %v %v %v, the id told %v", e.ID, e.Trace, e.Parent, id)
			}
			if e.Principal != c.principal || e.Source != c.emitter || e.Timestamp != domain.MillisOf(b.clock.Now()) {
				t.Errorf("the envelope is %+v", e)
			}
			if p, err := domain.Decode[domain.SignalReceived](e); err != nil || p.Source != c.want {
				t.Errorf("the payload is %+v, %v", p, err)
			}
		})
	}
}

func TestEachSignalBeginsATrace(t *testing.T) {
	b := newBench(t)
	s := b.signals(0)
	if _, err := s.SubmitBatch(t.Context(), ada, []commands.Item{{Signal: weather()}, {Signal: weather()}}); err != nil {
		t.Fatal(err)
	}
	records := b.records(domain.TopicSignals)
	if records[0].Envelope.Trace == records[1].Envelope.Trace {
		t.Error("two signals share a trace")
	}
}

func TestSubmitRefuses(t *testing.T) {
	picky := commands.TokenCaller(domain.Token{Name: "picky", Signals: []string{"price", "wind"}})
	for _, c := range []struct {
		name     string
		caller   commands.Caller
		change   func(*domain.SignalReceived)
		category domain.Category
		code     domain.Code
	}{
		{"no type", ada, func(s *domain.SignalReceived) { s.SignalType = "" }, domain.Validation, "invalid"},
		{"no content", ada, func(s *domain.SignalReceived) { s.Content = "" }, domain.Validation, "invalid"},
		{"energy over 1", ada, func(s *domain.SignalReceived) { s.ActivationEnergy = 1.5 }, domain.Validation, "invalid"},
		{"a type not permitted", picky, func(*domain.SignalReceived) {}, domain.Policy, "signal_type_not_permitted"},
		{"validity goes before permission", picky, func(s *domain.SignalReceived) { s.Content = "" }, domain.Validation, "invalid"},
		{"over the stored bound", ada, func(s *domain.SignalReceived) {
			s.Content = strings.Repeat("\x01", domain.MaxContentBytes)
			s.Metadata = []byte(`{"x":"` + strings.Repeat("y", domain.MaxMetadataBytes-20) + `"}`)
		}, domain.Validation, "invalid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			sig := weather()
			c.change(&sig)
			_, err := b.signals(1).Submit(t.Context(), c.caller, sig)
			refused(t, err, c.category, c.code)
			b.count(domain.TopicAll, 0)
		})
	}
}

func TestTokenPermits(t *testing.T) {
	b := newBench(t)
	s := b.signals(0)
	for _, permitted := range [][]string{nil, {}, {"weather"}, {"a", "weather", "z"}} {
		caller := commands.TokenCaller(domain.Token{Name: "station", Signals: permitted})
		if _, err := s.Submit(t.Context(), caller, weather()); err != nil {
			t.Errorf("%v: %v", permitted, err)
		}
	}
}

func TestRateSlides(t *testing.T) {
	b := newBench(t)
	s := b.signals(3)
	accept := func(who commands.Caller) {
		t.Helper()
		if _, err := s.Submit(t.Context(), who, weather()); err != nil {
			t.Errorf("refused: %v", err)
		}
	}
	refuse := func(who commands.Caller, after time.Duration) {
		t.Helper()
		_, err := s.Submit(t.Context(), who, weather())
		refused(t, err, "", domain.CodeRateLimited)
		if e, ok := errors.AsType[*domain.Error](err); ok && (e.RetryAfter != after || !e.Retriable) {
			t.Errorf("to be tried again after %v, want %v", e.RetryAfter, after)
		}
	}
	accept(station)
	b.clock.Advance(20 * time.Second)
	accept(station)
	accept(station)
	refuse(station, 40*time.Second)
	accept(ada) // another caller's minute is its own
	b.clock.Advance(40*time.Second - time.Millisecond)
	refuse(station, time.Millisecond)
	b.clock.Advance(time.Millisecond)
	accept(station)
	refuse(station, 20*time.Second)
	b.clock.Advance(20 * time.Second)
	accept(station)
	accept(station)
	refuse(station, 40*time.Second)
	b.count(domain.TopicSignals, 7)
}

func TestRateHoldsOverRestart(t *testing.T) {
	b := newBench(t)
	first := b.signals(100)
	for range 60 {
		if _, err := first.Submit(t.Context(), station, weather()); err != nil {
			t.Fatal(err)
		}
	}
	b.clock.Advance(59 * time.Second)
	second := b.signals(100)
	for range 40 {
		if _, err := second.Submit(t.Context(), station, weather()); err != nil {
			t.Fatal(err)
		}
	}
	_, err := second.Submit(t.Context(), station, weather())
	refused(t, err, "", domain.CodeRateLimited)
	if _, err := second.Submit(t.Context(), ada, weather()); err != nil {
		t.Errorf("another caller was charged: %v", err)
	}
	b.clock.Advance(time.Second)
	third := b.signals(100)
	for range 60 {
		if _, err := third.Submit(t.Context(), station, weather()); err != nil {
			t.Fatal(err)
		}
	}
	_, err = third.Submit(t.Context(), station, weather())
	refused(t, err, "", domain.CodeRateLimited)
}

func TestRateUnderRace(t *testing.T) {
	b := newBench(t)
	s := b.signals(100)
	var wg sync.WaitGroup
	var mu sync.Mutex
	accepted, limited := 0, 0
	for range 8 {
		wg.Go(func() {
			for range 50 {
				_, err := s.Submit(context.Background(), station, weather())
				mu.Lock()
				switch domain.CodeOf(err) {
				case "":
					accepted++
				case domain.CodeRateLimited:
					limited++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if accepted != 100 || limited != 300 {
		t.Errorf("%d were accepted and %d limited", accepted, limited)
	}
	b.count(domain.TopicSignals, 100)
}

func TestFailedAppendIsNotCharged(t *testing.T) {
	b := newBench(t)
	s := b.signals(1)
	full := &domain.Error{Category: domain.Dependency, Code: domain.CodeDiskLow, Retriable: true, Message: "full"}
	b.door.set(func(domain.Batch) error { return full }, nil)
	for range 3 {
		_, err := s.Submit(t.Context(), station, weather())
		refused(t, err, domain.Dependency, domain.CodeDiskLow)
	}
	// Whoever hangs up midway is charged: the signal may have been stored.
	b.door.set(nil, func(domain.Receipt) error {
		return &domain.Error{Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Message: "who knows"}
	})
	_, err := s.Submit(t.Context(), station, weather())
	refused(t, err, domain.Dependency, domain.CodeOutcomeUnknown)
	b.door.set(nil, nil)
	_, err = s.Submit(t.Context(), station, weather())
	refused(t, err, "", domain.CodeRateLimited)
}

func TestBatchJudgesEachItem(t *testing.T) {
	b := newBench(t)
	s := b.signals(3)
	caller := commands.TokenCaller(domain.Token{Name: "station", Signals: []string{"weather"}})
	bad, foreign := weather(), weather()
	bad.Content, foreign.SignalType = "", "price"
	unread := domain.Invalid("read", "content", "content must be a string")
	out, err := s.SubmitBatch(t.Context(), caller, []commands.Item{
		{Signal: weather()}, {Signal: bad}, {Signal: weather()}, {Signal: foreign}, {Err: unread}, {Signal: weather()}, {Signal: weather()},
	})
	if err != nil {
		t.Fatal(err)
	}
	if out.Accepted != 3 || len(out.IDs) != 3 {
		t.Errorf("accepted %d, ids %v", out.Accepted, out.IDs)
	}
	want := map[int]domain.Code{1: "invalid", 3: "signal_type_not_permitted", 4: "invalid", 6: domain.CodeRateLimited}
	if len(out.Rejected) != len(want) {
		t.Errorf("rejected %v", out.Rejected)
	}
	for _, r := range out.Rejected {
		if domain.CodeOf(r.Err) != want[r.Index] {
			t.Errorf("item %d was rejected for %v, want %q", r.Index, r.Err, want[r.Index])
		}
	}
	records := b.records(domain.TopicSignals)
	for i, id := range out.IDs {
		if records[i].Envelope.ID != id {
			t.Errorf("record %d has another id", i)
		}
	}
}

func TestBatchIsOneAppend(t *testing.T) {
	b := newBench(t)
	appends := 0
	b.door.set(func(domain.Batch) error { appends++; return nil }, nil)
	items := make([]commands.Item, domain.MaxSignalsPerBatch)
	for i := range items {
		items[i].Signal = weather()
	}
	s := b.signals(0)
	if out, err := s.SubmitBatch(t.Context(), ada, items); err != nil || out.Accepted != 50 {
		t.Errorf("accepted %d, %v", out.Accepted, err)
	}
	if appends != 1 {
		t.Errorf("%d appends", appends)
	}
	_, err := s.SubmitBatch(t.Context(), ada, slices.Concat(items, items[:1]))
	refused(t, err, domain.Validation, "invalid")
	b.count(domain.TopicSignals, 50)
}

func TestBatchTooLargeToAppend(t *testing.T) {
	b := newBench(t)
	s := b.signals(50)
	items := make([]commands.Item, 20)
	for i := range items {
		items[i].Signal = weather()
		items[i].Signal.Content = strings.Repeat("x", 60<<10)
	}
	_, err := s.SubmitBatch(t.Context(), ada, items)
	refused(t, err, domain.Validation, domain.CodeTooLarge)
	b.count(domain.TopicAll, 0)
	// Nothing was charged for it.
	for i := range items {
		items[i].Signal.Content = "x"
	}
	for range 2 {
		if out, err := s.SubmitBatch(t.Context(), ada, items); err != nil || out.Accepted != 20 {
			t.Errorf("accepted %d, %v", out.Accepted, err)
		}
	}
}

func TestFailedBatchIsNotCharged(t *testing.T) {
	b := newBench(t)
	s := b.signals(2)
	b.door.set(func(domain.Batch) error {
		return &domain.Error{Category: domain.Dependency, Code: domain.CodeClosed, Message: "closed"}
	}, nil)
	items := []commands.Item{{Signal: weather()}, {Signal: weather()}}
	_, err := s.SubmitBatch(t.Context(), ada, items)
	refused(t, err, domain.Dependency, domain.CodeClosed)
	b.door.set(nil, nil)
	if out, err := s.SubmitBatch(t.Context(), ada, items); err != nil || out.Accepted != 2 {
		t.Errorf("accepted %d, %v", out.Accepted, err)
	}
}

func TestSignalsConfig(t *testing.T) {
	b := newBench(t)
	good := commands.SignalsConfig{Env: b.env()}
	for name, change := range map[string]func(*commands.SignalsConfig){
		"Log":    func(c *commands.SignalsConfig) { c.Log = nil },
		"Reader": func(c *commands.SignalsConfig) { c.Reader = nil },
		"Clock":  func(c *commands.SignalsConfig) { c.Clock = nil },
		"IDs":    func(c *commands.SignalsConfig) { c.IDs = nil },
		"rate":   func(c *commands.SignalsConfig) { c.PerMinute = -1 },
	} {
		cfg := good
		change(&cfg)
		if _, err := commands.NewSignals(t.Context(), cfg); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func ExampleCaller() {
	caller := commands.TokenCaller(domain.Token{Name: "weather", Signals: []string{"forecast"}})
	fmt.Println(caller.Name, caller.Principal, caller.Operator)
	// Output: weather weather false
}

// volume bounds bytes a minute.
func volume(t *testing.T, perMinute int) *commands.Volume {
	t.Helper()
	v, err := commands.NewVolume(perMinute)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestBytesPerMinute bounds what a caller's signals take, over restarts, for one, for
// batches and for repeats; other callers have a minute of their own.
func TestBytesPerMinute(t *testing.T) {
	const perMinute = 1 << 20
	b := newBench(t)
	intake := func() *commands.Signals {
		s, err := commands.NewSignals(t.Context(), commands.SignalsConfig{
			Env: b.env(), PerMinute: 100, Volume: volume(t, perMinute),
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := intake()
	large := weather()
	large.Metadata = []byte(`{"x":"` + strings.Repeat("m", 250<<10) + `"}`)
	for range 4 {
		if _, err := s.Submit(t.Context(), station, large); err != nil {
			t.Fatal(err)
		}
	}
	tail := b.log.Tail()
	limited := func(err error) {
		t.Helper()
		if e := new(domain.Error); !errors.As(err, &e) || e.Code != domain.CodeRateLimited || e.RetryAfter <= 0 || !strings.Contains(e.Message, "1048576 bytes") {
			t.Errorf("the error is %v", err)
		}
	}
	for _, s := range []*commands.Signals{s, intake()} {
		_, err := s.Submit(t.Context(), station, large)
		limited(err)
		out, err := s.SubmitBatch(t.Context(), station, []commands.Item{{Signal: large}})
		if err != nil || len(out.Rejected) != 1 {
			t.Fatalf("a batch: %+v, %v", out, err)
		}
		limited(out.Rejected[0].Err)
	}
	if b.log.Tail() != tail {
		t.Error("what was refused is recorded")
	}
	if _, err := s.Submit(t.Context(), station, weather()); err != nil {
		t.Errorf("a small one has room: %v", err)
	}
	if _, err := s.Submit(t.Context(), ada, large); err != nil {
		t.Errorf("another caller: %v", err)
	}
	b.clock.Advance(time.Minute)
	if _, err := s.Submit(t.Context(), station, large); err != nil {
		t.Errorf("a minute later: %v", err)
	}
	for _, bytes := range []int{-1, 1000} {
		_, err := commands.NewVolume(bytes)
		refused(t, err, domain.Validation, "invalid")
	}
}
