package invocations_test

import (
	"context"
	"maps"
	"reflect"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/invocations"
)

// story is a log in which tools were invoked, two of them without an end.
type story struct {
	t     *testing.T
	clock *domaintest.Clock
	ids   *domaintest.IDs
	log   *memlog.Log
}

func newStory(t *testing.T) *story {
	clock := domaintest.NewClock()
	s := &story{t: t, clock: clock, ids: domaintest.NewIDs(clock, 1), log: memlog.New(clock)}
	a, b, c := s.ids.NewID(), s.ids.NewID(), s.ids.NewID()
	s.begin(a)
	step(s, a, domain.ToolDispatched{InvocationID: a})
	s.begin(b)
	step(s, domain.ID{}, domain.SignalReceived{SignalType: "a", Content: "b", Source: "c"})
	step(s, a, domain.ToolCompleted{InvocationID: a})
	s.begin(c)
	step(s, c, domain.ToolDispatched{InvocationID: c})
	return s
}

func (s *story) begin(id domain.ID) {
	s.t.Helper()
	add(s, id, domain.ToolInvoked{Tool: "t"}, nil)
	step(s, id, domain.PolicyDecided{InvocationID: id, Allowed: true})
}

func step[P any](s *story, id domain.ID, payload P) {
	s.t.Helper()
	var keys []domain.Key
	if !id.IsZero() {
		keys = []domain.Key{domain.InvocationKey(id)}
	}
	add(s, s.ids.NewID(), payload, keys)
}

func add[P any](s *story, id domain.ID, payload P, keys []domain.Key) {
	s.t.Helper()
	entry, err := domain.New(domain.Begin(s.ids.NewTrace(), domain.PrincipalOperator), id, 1, "test", payload)
	entry.Envelope.Keys = keys
	if err == nil {
		_, err = s.log.Append(s.t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *story) records() []domain.Record {
	s.t.Helper()
	out, err := s.log.Select(s.t.Context(), domain.Selector{}, 1, 100)
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

func open(p *invocations.Projection) (out map[domain.ID]domain.OpenInvocation) {
	p.Read(func(s *domain.Invocations) { out = maps.Clone(s.Open) })
	return out
}

func apply(t *testing.T, p *invocations.Projection, recs ...domain.Record) {
	t.Helper()
	for _, rec := range recs {
		if err := p.Apply(rec); err != nil {
			t.Fatal(err)
		}
	}
}

func TestKnowsWhatIsOpen(t *testing.T) {
	s := newStory(t)
	all := s.records()
	p := invocations.New()
	apply(t, p, all...)
	want := map[domain.ID]domain.OpenInvocation{
		all[3].Envelope.ID: {Invoked: 4, Last: 5},
		all[7].Envelope.ID: {Invoked: 8, Last: 10, Dispatched: true},
	}
	if got := open(p); !reflect.DeepEqual(got, want) {
		t.Errorf("open are %+v, want %+v", got, want)
	}
}

// TestGoesOnFromEverySave breaks off and goes on at every record.
func TestGoesOnFromEverySave(t *testing.T) {
	all := newStory(t).records()
	whole := invocations.New()
	apply(t, whole, all...)
	for cut := range len(all) + 1 {
		store := projections.NewMemStore()
		fold(t, invocations.New(), store, all[:cut])
		second := invocations.New()
		fold(t, second, store, all[cut:])
		if got, want := open(second), open(whole); !reflect.DeepEqual(got, want) {
			t.Errorf("broken off after %d: open are\n%+v\nwant\n%+v", cut, got, want)
		}
	}
}

// fold loads, applies and saves as a runner does.
func fold(t *testing.T, p *invocations.Projection, store projections.Store, recs []domain.Record) {
	t.Helper()
	if err := p.Load(store); err != nil {
		t.Fatal(err)
	}
	apply(t, p, recs...)
	if err := store.Update(domain.Position(len(recs)), p.Save); err != nil {
		t.Fatal(err)
	}
	p.Saved()
}

type writes struct{ n int }

func (w *writes) Set(_, _ []byte) error { w.n++; return nil }
func (w *writes) Delete([]byte) error   { return nil }

// A refused save is made up for, and signals cause none.
func TestSavesOnlyChanges(t *testing.T) {
	all := newStory(t).records()
	p := invocations.New()
	var w writes
	save := func(want int, kept bool) {
		t.Helper()
		w.n = 0
		if err := p.Save(&w); err != nil || w.n != want {
			t.Errorf("%d writes, %v; want %d", w.n, err, want)
		}
		if kept {
			p.Saved()
		}
	}
	apply(t, p, all[0])
	save(1, false)
	save(1, true)
	save(0, true)
	apply(t, p, all[5]) // a signal
	save(0, true)
	apply(t, p, all[1])
	save(1, true)
}

func TestDamagedState(t *testing.T) {
	store := projections.NewMemStore()
	if err := store.Update(1, func(b projections.Batch) error { return b.Set([]byte("state"), []byte("{")) }); err != nil {
		t.Fatal(err)
	}
	if err := invocations.New().Load(store); err == nil {
		t.Error("damaged state was loaded")
	}
}

func TestInARunner(t *testing.T) {
	s := newStory(t)
	p := invocations.New()
	runner, err := projections.NewRunner(p, s.log, projections.NewMemStore(), s.clock, projections.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- runner.Run(ctx) }()
	if err := runner.WaitFor(ctx, s.log.Tail()); err != nil {
		t.Fatal(err)
	}
	if got := open(p); len(got) != 2 {
		t.Errorf("open are %+v", got)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
