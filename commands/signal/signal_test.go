package signal_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/commandstest"
	"chalie/commands/limit"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/domain/domaintest"
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
		{"a token", commandstest.Station, "", commandstest.Station.Principal, "station", "station"},
		{"a token that names the origin", commandstest.Station, "roof", commandstest.Station.Principal, "station", "roof"},
		{"the operator", commandstest.Ada, "", "operator", "api", "operator"},
		{"the operator naming the origin", commandstest.Ada, "curl", "operator", "api", "curl"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := commandstest.NewBench(t)
			sig := commandstest.Weather()
			sig.Source = c.source
			id, err := b.Signals(0).Submit(t.Context(), c.caller, sig)
			if err != nil {
				t.Fatal(err)
			}
			e := b.Records(domain.TopicSignals)[0].Envelope
			if e.ID != id || e.Trace.ID != id || !e.Parent.IsZero() {
				t.Errorf("the lineage is %v %v %v, the id told %v", e.ID, e.Trace, e.Parent, id)
			}
			if e.Principal != c.principal || e.Source != c.emitter || e.Timestamp != domain.MillisOf(b.Clock.Now()) {
				t.Errorf("the envelope is %+v", e)
			}
			if p, err := domain.Decode[domain.SignalReceived](e); err != nil || p.Source != c.want {
				t.Errorf("the payload is %+v, %v", p, err)
			}
		})
	}
}

func TestEachSignalBeginsATrace(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(0)
	if _, err := s.SubmitBatch(t.Context(), commandstest.Ada, []signal.Item{{Signal: commandstest.Weather()}, {Signal: commandstest.Weather()}}); err != nil {
		t.Fatal(err)
	}
	records := b.Records(domain.TopicSignals)
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
		{"no type", commandstest.Ada, func(s *domain.SignalReceived) { s.SignalType = "" }, domain.Validation, "invalid"},
		{"no content", commandstest.Ada, func(s *domain.SignalReceived) { s.Content = "" }, domain.Validation, "invalid"},
		{"energy over 1", commandstest.Ada, func(s *domain.SignalReceived) { s.ActivationEnergy = 1.5 }, domain.Validation, "invalid"},
		{"a type not permitted", picky, func(*domain.SignalReceived) {}, domain.Policy, "signal_type_not_permitted"},
		{"validity goes before permission", picky, func(s *domain.SignalReceived) { s.Content = "" }, domain.Validation, "invalid"},
		{"over the stored bound", commandstest.Ada, func(s *domain.SignalReceived) {
			s.Content = strings.Repeat("\x01", domain.MaxContentBytes)
			s.Metadata = []byte(`{"x":"` + strings.Repeat("y", domain.MaxMetadataBytes-20) + `"}`)
		}, domain.Validation, "invalid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := commandstest.NewBench(t)
			sig := commandstest.Weather()
			c.change(&sig)
			_, err := b.Signals(1).Submit(t.Context(), c.caller, sig)
			commandstest.Refused(t, err, c.category, c.code)
			b.Count(domain.TopicAll, 0)
		})
	}
}

func TestTokenPermits(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(0)
	for _, permitted := range [][]string{nil, {}, {"weather"}, {"a", "weather", "z"}} {
		caller := commands.TokenCaller(domain.Token{Name: "station", Signals: permitted})
		if _, err := s.Submit(t.Context(), caller, commandstest.Weather()); err != nil {
			t.Errorf("%v: %v", permitted, err)
		}
	}
}

func TestRateSlides(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(3)
	accept := func(who commands.Caller) {
		t.Helper()
		if _, err := s.Submit(t.Context(), who, commandstest.Weather()); err != nil {
			t.Errorf("refused: %v", err)
		}
	}
	refuse := func(who commands.Caller, after time.Duration) {
		t.Helper()
		_, err := s.Submit(t.Context(), who, commandstest.Weather())
		commandstest.Refused(t, err, "", domain.CodeRateLimited)
		if e, ok := errors.AsType[*domain.Error](err); ok && (e.RetryAfter != after || !e.Retriable) {
			t.Errorf("to be tried again after %v, want %v", e.RetryAfter, after)
		}
	}
	accept(commandstest.Station)
	b.Clock.Advance(20 * time.Second)
	accept(commandstest.Station)
	accept(commandstest.Station)
	refuse(commandstest.Station, 40*time.Second)
	accept(commandstest.Ada) // another caller's minute is its own
	b.Clock.Advance(40*time.Second - time.Millisecond)
	refuse(commandstest.Station, time.Millisecond)
	b.Clock.Advance(time.Millisecond)
	accept(commandstest.Station)
	refuse(commandstest.Station, 20*time.Second)
	b.Clock.Advance(20 * time.Second)
	accept(commandstest.Station)
	accept(commandstest.Station)
	refuse(commandstest.Station, 40*time.Second)
	b.Count(domain.TopicSignals, 7)
}

func TestRateHoldsOverRestart(t *testing.T) {
	b := commandstest.NewBench(t)
	first := b.Signals(100)
	for range 60 {
		if _, err := first.Submit(t.Context(), commandstest.Station, commandstest.Weather()); err != nil {
			t.Fatal(err)
		}
	}
	b.Clock.Advance(59 * time.Second)
	second := b.Signals(100)
	for range 40 {
		if _, err := second.Submit(t.Context(), commandstest.Station, commandstest.Weather()); err != nil {
			t.Fatal(err)
		}
	}
	_, err := second.Submit(t.Context(), commandstest.Station, commandstest.Weather())
	commandstest.Refused(t, err, "", domain.CodeRateLimited)
	if _, err := second.Submit(t.Context(), commandstest.Ada, commandstest.Weather()); err != nil {
		t.Errorf("another caller was charged: %v", err)
	}
	b.Clock.Advance(time.Second)
	third := b.Signals(100)
	for range 60 {
		if _, err := third.Submit(t.Context(), commandstest.Station, commandstest.Weather()); err != nil {
			t.Fatal(err)
		}
	}
	_, err = third.Submit(t.Context(), commandstest.Station, commandstest.Weather())
	commandstest.Refused(t, err, "", domain.CodeRateLimited)
}

func TestRateUnderRace(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(100)
	var wg sync.WaitGroup
	var mu sync.Mutex
	accepted, limited := 0, 0
	for range 8 {
		wg.Go(func() {
			for range 50 {
				_, err := s.Submit(context.Background(), commandstest.Station, commandstest.Weather())
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
	b.Count(domain.TopicSignals, 100)
}

func TestFailedAppendIsNotCharged(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(1)
	full := &domain.Error{Category: domain.Dependency, Code: domain.CodeDiskLow, Retriable: true, Message: "full"}
	b.Door.Set(func(domain.Batch) error { return full }, nil)
	for range 3 {
		_, err := s.Submit(t.Context(), commandstest.Station, commandstest.Weather())
		commandstest.Refused(t, err, domain.Dependency, domain.CodeDiskLow)
	}
	// Whoever hangs up midway is charged: the signal may have been stored.
	b.Door.Set(nil, func(domain.Receipt) error {
		return &domain.Error{Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Message: "who knows"}
	})
	_, err := s.Submit(t.Context(), commandstest.Station, commandstest.Weather())
	commandstest.Refused(t, err, domain.Dependency, domain.CodeOutcomeUnknown)
	b.Door.Set(nil, nil)
	_, err = s.Submit(t.Context(), commandstest.Station, commandstest.Weather())
	commandstest.Refused(t, err, "", domain.CodeRateLimited)
}

func TestBatchJudgesEachItem(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(3)
	caller := commands.TokenCaller(domain.Token{Name: "station", Signals: []string{"weather"}})
	bad, foreign := commandstest.Weather(), commandstest.Weather()
	bad.Content, foreign.SignalType = "", "price"
	unread := domain.Invalid("read", "content", "content must be a string")
	out, err := s.SubmitBatch(t.Context(), caller, []signal.Item{
		{Signal: commandstest.Weather()}, {Signal: bad}, {Signal: commandstest.Weather()}, {Signal: foreign}, {Err: unread}, {Signal: commandstest.Weather()}, {Signal: commandstest.Weather()},
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
	records := b.Records(domain.TopicSignals)
	for i, id := range out.IDs {
		if records[i].Envelope.ID != id {
			t.Errorf("record %d has another id", i)
		}
	}
}

func TestBatchIsOneAppend(t *testing.T) {
	b := commandstest.NewBench(t)
	appends := 0
	b.Door.Set(func(domain.Batch) error { appends++; return nil }, nil)
	items := make([]signal.Item, domain.MaxSignalsPerBatch)
	for i := range items {
		items[i].Signal = commandstest.Weather()
	}
	s := b.Signals(0)
	if out, err := s.SubmitBatch(t.Context(), commandstest.Ada, items); err != nil || out.Accepted != 50 {
		t.Errorf("accepted %d, %v", out.Accepted, err)
	}
	if appends != 1 {
		t.Errorf("%d appends", appends)
	}
	_, err := s.SubmitBatch(t.Context(), commandstest.Ada, slices.Concat(items, items[:1]))
	commandstest.Refused(t, err, domain.Validation, "invalid")
	b.Count(domain.TopicSignals, 50)
}

func TestBatchTooLargeToAppend(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(50)
	items := make([]signal.Item, 20)
	for i := range items {
		items[i].Signal = commandstest.Weather()
		items[i].Signal.Content = strings.Repeat("x", 60<<10)
	}
	_, err := s.SubmitBatch(t.Context(), commandstest.Ada, items)
	commandstest.Refused(t, err, domain.Validation, domain.CodeTooLarge)
	b.Count(domain.TopicAll, 0)
	// Nothing was charged for it.
	for i := range items {
		items[i].Signal.Content = "x"
	}
	for range 2 {
		if out, err := s.SubmitBatch(t.Context(), commandstest.Ada, items); err != nil || out.Accepted != 20 {
			t.Errorf("accepted %d, %v", out.Accepted, err)
		}
	}
}

func TestFailedBatchIsNotCharged(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(2)
	b.Door.Set(func(domain.Batch) error {
		return &domain.Error{Category: domain.Dependency, Code: domain.CodeClosed, Message: "closed"}
	}, nil)
	items := []signal.Item{{Signal: commandstest.Weather()}, {Signal: commandstest.Weather()}}
	_, err := s.SubmitBatch(t.Context(), commandstest.Ada, items)
	commandstest.Refused(t, err, domain.Dependency, domain.CodeClosed)
	b.Door.Set(nil, nil)
	if out, err := s.SubmitBatch(t.Context(), commandstest.Ada, items); err != nil || out.Accepted != 2 {
		t.Errorf("accepted %d, %v", out.Accepted, err)
	}
}

func TestSignalsConfig(t *testing.T) {
	b := commandstest.NewBench(t)
	good := signal.Config{Env: b.Env()}
	for name, change := range map[string]func(*signal.Config){
		"Log":    func(c *signal.Config) { c.Log = nil },
		"Reader": func(c *signal.Config) { c.Reader = nil },
		"Clock":  func(c *signal.Config) { c.Clock = nil },
		"IDs":    func(c *signal.Config) { c.IDs = nil },
	} {
		cfg := good
		change(&cfg)
		if _, err := signal.New(cfg); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func ExampleCaller() {
	issued, _ := domain.ParseID("019b76da-a800-7000-8000-000000000001")
	caller := commands.TokenCaller(domain.Token{Name: "weather", Issued: issued, Signals: []string{"forecast"}})
	fmt.Println(caller.Name, caller.Principal, caller.Operator)
	// Output: weather program:019b76da-a800-7000-8000-000000000001 false
}

// TestBytesPerMinute bounds what a caller's signals take, over restarts, for one, for
// batches and for repeats; other callers have a minute of their own.
func TestBytesPerMinute(t *testing.T) {
	const perMinute = 1 << 20
	b := commandstest.NewBench(t)
	intake := func() *signal.Signals {
		s, err := signal.New(signal.Config{
			Env: b.Limited(b.Env(), 100, commandstest.Volume(t, perMinute)),
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := intake()
	large := commandstest.Weather()
	large.Metadata = []byte(`{"x":"` + strings.Repeat("m", 250<<10) + `"}`)
	for range 4 {
		if _, err := s.Submit(t.Context(), commandstest.Station, large); err != nil {
			t.Fatal(err)
		}
	}
	tail := b.Log.Tail()
	limited := func(err error) {
		t.Helper()
		if e := new(domain.Error); !errors.As(err, &e) || e.Code != domain.CodeRateLimited || e.RetryAfter <= 0 || !strings.Contains(e.Message, "1048576 bytes") {
			t.Errorf("the error is %v", err)
		}
	}
	for _, s := range []*signal.Signals{s, intake()} {
		_, err := s.Submit(t.Context(), commandstest.Station, large)
		limited(err)
		out, err := s.SubmitBatch(t.Context(), commandstest.Station, []signal.Item{{Signal: large}})
		if err != nil || len(out.Rejected) != 1 {
			t.Fatalf("a batch: %+v, %v", out, err)
		}
		limited(out.Rejected[0].Err)
	}
	if b.Log.Tail() != tail {
		t.Error("what was refused is recorded")
	}
	if _, err := s.Submit(t.Context(), commandstest.Station, commandstest.Weather()); err != nil {
		t.Errorf("a small one has room: %v", err)
	}
	if _, err := s.Submit(t.Context(), commandstest.Ada, large); err != nil {
		t.Errorf("another caller: %v", err)
	}
	b.Clock.Advance(time.Minute)
	if _, err := s.Submit(t.Context(), commandstest.Station, large); err != nil {
		t.Errorf("a minute later: %v", err)
	}
	for _, bytes := range []int{-1, 1000} {
		_, err := limit.NewVolume(bytes)
		commandstest.Refused(t, err, domain.Validation, "invalid")
	}
}

// crowdedLog takes a second for each append, and counts those under way.
type crowdedLog struct {
	domain.Appender
	under, most chan int // one element each
}

func newCrowdedLog(log domain.Appender) crowdedLog {
	out := crowdedLog{log, make(chan int, 1), make(chan int, 1)}
	out.under <- 0
	out.most <- 0
	return out
}

func (l crowdedLog) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	now := <-l.under + 1
	l.under <- now
	l.most <- max(<-l.most, now)
	domaintest.Pass(time.Second)
	l.under <- <-l.under - 1
	return l.Appender.Append(ctx, b)
}

func TestSignalsMakeRoomForAnswers(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers bool
		most    int
		took    time.Duration
	}{
		{"nobody waits", false, 10, time.Second},
		{"somebody waits for an answer", true, 2, 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := commandstest.NewBench(t)
				log := newCrowdedLog(b.Log)
				var ahead background.Foreground
				s := crowded(t, b, log, &ahead, 10)
				if c.answers {
					defer ahead.Enter(domain.ID{1})()
				}
				begun := time.Now()
				for range 10 {
					go func() {
						if _, err := s.Submit(t.Context(), commandstest.Ada, commandstest.Weather()); err != nil {
							t.Error(err)
						}
					}()
				}
				domaintest.Pass(c.took)
				synctest.Wait()
				if most := <-log.most; most != c.most || len(b.Records(domain.TopicSignals)) != 10 || time.Since(begun) != c.took {
					t.Errorf("%d at once, %d recorded after %s; want %d at once", most, len(b.Records(domain.TopicSignals)), time.Since(begun), c.most)
				}
			})
		})
	}
}

// Who hangs up while there is no room has sent nothing, and isn't charged for it.
func TestSignalGivenUpBeforeThereWasRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := commandstest.NewBench(t)
		var ahead background.Foreground
		s := crowded(t, b, newCrowdedLog(b.Log), &ahead, 3)
		defer ahead.Enter(domain.ID{1})()
		for range 2 {
			go func() { _, _ = s.Submit(t.Context(), commandstest.Ada, commandstest.Weather()) }()
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := s.Submit(ctx, commandstest.Ada, commandstest.Weather()); !domain.IsRetriable(err) || domain.CodeOf(err) != "cancelled" {
			t.Errorf("given up: %v", err)
		}
		synctest.Wait()
		if _, err := s.Submit(t.Context(), commandstest.Ada, commandstest.Weather()); err != nil { // the third of three places
			t.Error(err)
		}
	})
}

func crowded(t *testing.T, b *commandstest.Bench, log domain.Appender, ahead background.Priority, perMinute int) *signal.Signals {
	t.Helper()
	env := b.Env()
	env.Log = log
	s, err := signal.New(signal.Config{Env: b.Limited(env, perMinute, nil), Priority: ahead})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
