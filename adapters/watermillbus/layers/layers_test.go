package layers_test

import (
	"context"
	"testing"
	"time"

	"chalie/adapters/prometheus"
	"chalie/adapters/watermillbus"
	"chalie/adapters/watermillbus/layers"
	"chalie/commands/limit"
	"chalie/commands/screen"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// taken is a log that takes everything and keeps nothing: what remains is the way to it.
type taken struct{ domain.Log }

func (taken) Append(_ context.Context, b domain.Batch) (domain.Receipt, error) {
	return domain.Receipt{Positions: make([]domain.Position, len(b.Entries))}, nil
}

// observed does nothing.
type observed struct{}

func (observed) Appended(domain.Appended) {}

// BenchmarkLayers is what the way to the log costs for one signal of 400 B, without layers,
// with each, and with all.
func BenchmarkLayers(b *testing.B) {
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	meter, err := prometheus.New(prometheus.Sources{Log: log})
	if err != nil {
		b.Fatal(err)
	}
	callers, err := limit.NewCallers(b.Context(), limit.CallersConfig{Reader: log, Clock: clock, PerMinute: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	ids := domaintest.NewIDs(clock, 1)
	id := ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "station"), id, 1, "station", domain.SignalReceived{
		SignalType: "price_update", Source: "nasdaq", ActivationEnergy: 0.3,
		Content:  "MSFT at $420.10, down 0.5% since the market opened; volume is 18,204,331 shares, which is 12% over the average of the last thirty days",
		Metadata: []byte(`{"ticker":"MSFT","price":420.10,"change_pct":-0.5,"volume":18204331,"venue":"XNAS"}`)})
	if err != nil {
		b.Fatal(err)
	}
	batch := domain.Batch{Entries: []domain.Entry{entry}}
	for _, c := range []struct {
		name   string
		layers layers.Config
	}{
		{"none", layers.Config{}},
		{"spans", layers.Config{Spans: observed{}}},
		{"metrics", layers.Config{Meter: meter}},
		{"screen", layers.Config{Screen: screen.Stored}},
		{"limits", layers.Config{Limits: callers}},
		{"all", layers.Config{Spans: observed{}, Meter: meter, Screen: screen.Stored, Limits: callers}},
	} {
		b.Run(c.name, func(b *testing.B) {
			bus, err := watermillbus.New(watermillbus.Config{Log: taken{log}, IDs: ids, Clock: clock, Layers: layers.All(c.layers)})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bus.Append(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// counted remembers the appends it hears of.
type counted struct{ heard []domain.Appended }

func (c *counted) Appended(a domain.Appended) { c.heard = append(c.heard, a) }

// The outer layers see what the inner ones did: the observer hears what is stored, and of
// what is refused.
func TestOrder(t *testing.T) {
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	callers, err := limit.NewCallers(t.Context(), limit.CallersConfig{Reader: log, Clock: clock, PerMinute: 1})
	if err != nil {
		t.Fatal(err)
	}
	var spans, meter counted
	ids := domaintest.NewIDs(clock, 1)
	bus, err := watermillbus.New(watermillbus.Config{Log: log, IDs: ids, Clock: clock,
		Layers: layers.All(layers.Config{Spans: &spans, Meter: &meter, Screen: screen.Stored, Limits: callers})})
	if err != nil {
		t.Fatal(err)
	}
	send := func() (domain.Receipt, error) {
		id := ids.NewID()
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "station"), id, 1, "station", domain.SignalReceived{
			SignalType: "other", Content: "password: hunter2", ActivationEnergy: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		return bus.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if receipt, err := send(); err != nil || len(receipt.Positions) != 1 {
		t.Fatalf("%+v, %v", receipt, err)
	}
	if _, err := send(); domain.CodeOf(err) != domain.CodeRateLimited || log.Tail() != 1 {
		t.Errorf("the second: %v, and %d records", err, log.Tail())
	}
	for name, o := range map[string]counted{"spans": spans, "metrics": meter} {
		if len(o.heard) != 2 || o.heard[0].Err != nil || domain.CodeOf(o.heard[1].Err) != domain.CodeRateLimited || o.heard[0].Took < 0 || o.heard[0].Began.After(time.Now()) {
			t.Errorf("%s heard of %+v", name, o.heard)
		}
	}
}
