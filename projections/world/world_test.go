package world_test

import (
	"context"
	"reflect"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/world"
)

// house is a log with a world folded from it.
type house struct {
	clock *domaintest.Clock
	ids   *domaintest.IDs
	log   *memlog.Log
	store *projections.Overlay
}

func newHouse() *house {
	clock := domaintest.NewClock()
	return &house{clock, domaintest.NewIDs(clock, 1), memlog.New(clock), projections.NewMemStore()}
}

func (h *house) hear(t *testing.T, kind string, energy float64) {
	t.Helper()
	entry, err := domain.New(domain.Begin(h.ids.NewTrace(), "sky"), h.ids.NewID(), h.now(), "http",
		domain.SignalReceived{SignalType: kind, Content: "something", ActivationEnergy: energy})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
}

// plan sets a reminder.
func (h *house) plan(t *testing.T, after time.Duration) {
	t.Helper()
	entry, err := domain.New(domain.Begin(h.ids.NewTrace(), domain.PrincipalOperator), h.ids.NewID(), h.now(), "skills",
		domain.ReminderSet{Text: "dinner", Due: h.now().Add(after)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
}

func (h *house) now() domain.Millis { return domain.MillisOf(h.clock.Now()) }

// fold runs a fresh projection to the tail and stops it.
func (h *house) fold(t *testing.T) *world.Projection {
	t.Helper()
	p := world.New(domain.DefaultWorldRules())
	r, err := projections.NewRunner(p, h.log, h.store, h.clock, projections.Config{SaveEvery: 30, Batch: 10})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	if err := r.WaitFor(t.Context(), h.log.Tail()); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWorldFadesWithTime(t *testing.T) {
	h := newHouse()
	h.hear(t, "weather_update", 0.4)
	h.hear(t, "stock_alert", 0.7)
	p := h.fold(t)
	for _, c := range []struct {
		wait           time.Duration
		stock, weather string // "" when out
	}{
		{0, "1.00", "0.80"}, {6 * time.Hour, "0.70", "0.40"}, {6 * time.Hour, "0.35", "0.20"}, {6 * time.Hour, "0.18", ""}, {100 * time.Hour, "", ""},
	} {
		h.clock.Advance(c.wait)
		got, pos := p.At(h.now())
		scores := []string{"", ""}
		for i, item := range got.Items {
			scores[i] = item.Salience.String()
		}
		if !reflect.DeepEqual(scores, []string{c.stock, c.weather}) || pos != 2 {
			t.Errorf("at %v: %q through %d, want %q and %q", h.clock.Now(), scores, pos, c.stock, c.weather)
		}
		for _, item := range got.LeftOut {
			if item.Gate != domain.GateBelowThreshold {
				t.Errorf("left out by %q", item.Gate)
			}
		}
		if len(got.Items)+len(got.LeftOut) != 2 {
			t.Errorf("something got lost: %+v", got)
		}
	}
}

// What is loaded is what was saved, also beyond the capacity.
func TestWorldIsTheSameAfterARestart(t *testing.T) {
	h := newHouse()
	for n := range 5 {
		h.plan(t, time.Duration(n)*time.Hour)
		for range 47 {
			h.hear(t, "tick", 0.3)
			h.clock.Advance(time.Minute)
		}
		restarted, startPos := h.fold(t).At(h.now())
		fresh := &house{h.clock, h.ids, h.log, projections.NewMemStore()}
		anew, newPos := fresh.fold(t).At(h.now())
		if !reflect.DeepEqual(restarted, anew) || startPos != newPos || newPos != h.log.Tail() {
			t.Fatalf("restarted (through %d) and folded anew (through %d) differ at %d", startPos, newPos, h.log.Tail())
		}
	}
}

func TestWorldRefusesForeignState(t *testing.T) {
	store := projections.NewMemStore()
	if err := store.Update(1, func(b projections.Batch) error { return b.Set([]byte("state"), []byte("{")) }); err != nil {
		t.Fatal(err)
	}
	if err := world.New(domain.DefaultWorldRules()).Load(store); err == nil {
		t.Error("it loaded")
	}
}

func TestWorldSaysWhatItCannotApply(t *testing.T) {
	p := world.New(domain.DefaultWorldRules())
	rec := domain.Record{Position: 3, Envelope: domain.Envelope{Type: "signal.received", Version: 9, Payload: domain.JSONPayload([]byte("{}"))}}
	if err := p.Apply(rec); domain.CodeOf(err) != domain.CodeUndecodable {
		t.Errorf("Apply: %v", err)
	}
	if got, pos := p.At(0); pos != 0 || len(got.Items)+len(got.LeftOut) > 0 {
		t.Errorf("a refused record changed something: %+v through %d", got, pos)
	}
}

// What is planned takes its place among what was heard.
func TestPlansStandInTheWorld(t *testing.T) {
	h := newHouse()
	h.hear(t, "weather_update", 0.4)
	h.plan(t, 2*time.Hour)
	got, _ := h.fold(t).At(h.now())
	if len(got.Items) != 2 || got.Items[0].Kind != domain.ItemReminder || got.Items[0].Salience.String() != "0.89" || got.Items[0].Phase != domain.PhasePending {
		t.Errorf("in mind is %+v", got.Items)
	}
}
