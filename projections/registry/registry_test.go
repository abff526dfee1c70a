package registry_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/registry"
)

// history is a log of what interfaces did.
type history struct {
	t     rapid.TB
	clock *domaintest.Clock
	ids   *domaintest.IDs
	log   *memlog.Log
}

func newHistory(t rapid.TB) *history {
	clock := domaintest.NewClock()
	return &history{t: t, clock: clock, ids: domaintest.NewIDs(clock, 1), log: memlog.New(clock)}
}

func add[P any](h *history, payload P) domain.ID {
	h.t.Helper()
	id := h.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, domain.MillisOf(h.clock.Now()), "api", payload)
	if err != nil {
		h.t.Fatal(err)
	}
	if keyed, ok := any(payload).(interface{ Keys() []domain.Key }); ok {
		entry.Envelope.Keys = keyed.Keys()
	}
	if _, err := h.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		h.t.Fatal(err)
	}
	return id
}

func (h *history) records() []domain.Record {
	h.t.Helper()
	out, err := h.log.Select(context.Background(), domain.Selector{}, 1, 1000)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

func (h *history) apply(p *registry.Projection, recs []domain.Record) {
	h.t.Helper()
	for _, rec := range recs {
		if err := p.Apply(rec); err != nil {
			h.t.Fatal(err)
		}
	}
}

// shown is all that the projection knows.
func shown(t rapid.TB, p *registry.Projection) string {
	t.Helper()
	var text []byte
	var err error
	p.Read(func(r *domain.Registry) { text, err = json.Marshal(r) })
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func paired(port int, token string) domain.InterfacePaired {
	return domain.InterfacePaired{Name: "Hospital", Host: "127.0.0.1", Port: port, TokenHash: domain.HashSecret(token).String(),
		Signals: []string{"ward"}, Tools: []domain.Tool{{Name: "book", Parameters: []domain.Parameter{{Name: "day", Type: domain.TypeString}}}},
		Meta: json.RawMessage(`{"note": "<b>"}`)}
}

// story is a history in which everything happens.
func story(t rapid.TB) *history {
	h := newHistory(t)
	hash := domain.HashSecret("key")
	add(h, domain.PairingKeyIssued{KeyHash: hash.String(), ExpiresAt: domain.MillisOf(h.clock.Now()).Add(domain.PairingKeyLifetime)})
	add(h, domain.PairingKeyUsed{KeyHash: hash.String(), Name: "Hospital", Host: "127.0.0.1", Port: 9000})
	add(h, domain.PairingRefused{Reason: "wrong_key", Count: 1})
	id := add(h, paired(9000, "one"))
	add(h, domain.SignalReceived{SignalType: "a", Content: "b", Source: "c"})
	add(h, domain.CapabilitiesChanged{InterfaceID: id, Version: "2", Tools: []domain.Tool{{Name: "cancel"}}})
	weather := h.ids.NewID()
	add(h, domain.InterfaceRegistered{InterfaceID: weather, Name: "Weather", Host: "127.0.0.1", Port: 4001,
		Scopes: domain.Scopes{Context: map[string]string{"location": "for you"}}})
	add(h, domain.ScopesApproved{InterfaceID: weather, Approved: domain.NewApproval([]string{"location"}, nil, nil)})
	add(h, domain.InterfaceWentOffline{InterfaceID: weather, Failures: 3, Reason: "silence"})
	stream := add(h, domain.StreamAdded{URL: "ws://127.0.0.1:9/x", Source: "x"})
	add(h, domain.StreamAdded{URL: "ws://127.0.0.1:9/y", Source: "y"})
	add(h, domain.InterfaceCameOnline{InterfaceID: weather})
	add(h, domain.StreamRemoved{StreamID: stream})
	add(h, paired(9000, "two"))
	add(h, domain.InterfaceRemoved{InterfaceID: weather})
	return h
}

func TestKnows(t *testing.T) {
	h := story(t)
	p := registry.New()
	h.apply(p, h.records())
	p.Read(func(r *domain.Registry) {
		i, ok := r.Token(domain.HashSecret("two"))
		if !ok || i.Name != "Hospital" || len(r.Interfaces) != 1 || len(r.Burnt) != 1 || len(r.Keys) != 0 || len(r.Streams) != 1 || r.Through != 15 {
			t.Errorf("it knows %+v", r)
		}
		if offers := r.Offers(); len(offers) != 1 || offers[0].Name != "book" {
			t.Errorf("it offers %+v", offers)
		}
	})
}

// TestGoesOnFromEverySave breaks off, or has a save refused, anywhere.
func TestGoesOnFromEverySave(t *testing.T) {
	h := story(t)
	all := h.records()
	whole := registry.New()
	h.apply(whole, all)
	rapid.Check(t, func(t *rapid.T) {
		p, store := registry.New(), projections.NewMemStore()
		if err := p.Load(store); err != nil {
			t.Fatal(err)
		}
		for n, rec := range all {
			if err := p.Apply(rec); err != nil {
				t.Fatal(err)
			}
			switch rapid.IntRange(0, 4).Draw(t, "then") {
			case 0, 1:
				if err := store.Update(rec.Position, p.Save); err != nil {
					t.Fatal(err)
				}
				p.Saved()
			case 2:
				p = registry.New()
				if err := p.Load(store); err != nil {
					t.Fatal(err)
				}
				saved, err := store.Checkpoint()
				if err != nil {
					t.Fatal(err)
				}
				for _, again := range all[saved : n+1] {
					if err := p.Apply(again); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if got, want := shown(t, p), shown(t, whole); got != want {
			t.Fatalf("it knows\n%s\nwant\n%s", got, want)
		}
	})
}

// TestReadersSeeWholeStates reads while everything changes: an interface that was
// read is never changed, which the race detector watches.
func TestReadersSeeWholeStates(t *testing.T) {
	h := newHistory(t)
	id := add(h, paired(9000, "one"))
	for n := range 200 {
		add(h, domain.CapabilitiesChanged{InterfaceID: id, Version: "2", Tools: make([]domain.Tool, n)})
		add(h, domain.InterfaceWentOffline{InterfaceID: id})
		add(h, domain.InterfaceCameOnline{InterfaceID: id})
	}
	all, p := h.records(), registry.New()
	h.apply(p, all[:1])
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for last := 0; ; {
				var held *domain.Interface
				p.Read(func(r *domain.Registry) { held = r.Interfaces[id] })
				// Versions 1 and 2 go with what was paired and what came later.
				if n := len(held.Tools); held.Version == "2" && n < last || held.Version == "" && last > 0 {
					t.Errorf("it went back from %d tools to %d", last, n)
				} else if held.Version == "2" {
					last = n
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	h.apply(p, all[1:])
	close(done)
	readers.Wait()
}

type writes struct{ n int }

func (w *writes) Set(_, _ []byte) error { w.n++; return nil }
func (w *writes) Delete([]byte) error   { return nil }

// TestSavesOnlyChanges holds that signals don't make the registry be written again
// and again, and that a refused save is made up for.
func TestSavesOnlyChanges(t *testing.T) {
	h := story(t)
	all, p := h.records(), registry.New()
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
	h.apply(p, all[:1])
	save(1, false)
	save(1, true)
	save(0, true)
	h.apply(p, all[4:5]) // a signal
	save(0, true)
	h.apply(p, all[1:2])
	save(1, true)
}

func TestUndecodableChangesNothing(t *testing.T) {
	h := story(t)
	all, p := h.records(), registry.New()
	h.apply(p, all[:4])
	before := shown(t, p)
	bad := all[5]
	bad.Envelope.Payload = domain.JSONPayload([]byte(`7`))
	if err := p.Apply(bad); domain.CodeOf(err) != domain.CodeUndecodable {
		t.Errorf("the error is %v", err)
	}
	if after := shown(t, p); before != after {
		t.Errorf("it now knows %s", after)
	}
}

func TestDamagedState(t *testing.T) {
	store := projections.NewMemStore()
	if err := store.Update(1, func(b projections.Batch) error { return b.Set([]byte("state"), []byte("{")) }); err != nil {
		t.Fatal(err)
	}
	if err := registry.New().Load(store); err == nil {
		t.Error("damaged state was loaded")
	}
}

func TestInARunner(t *testing.T) {
	h := story(t)
	p := registry.New()
	runner, err := projections.NewRunner(p, h.log, projections.NewMemStore(), h.clock, projections.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- runner.Run(ctx) }()
	if err := runner.WaitFor(ctx, h.log.Tail()); err != nil {
		t.Fatal(err)
	}
	p.Read(func(r *domain.Registry) {
		if len(r.Interfaces) != 1 || len(r.Tokens) != 1 {
			t.Errorf("it knows %+v", r)
		}
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
