package pebblestore_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"testing"
	"time"

	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/small"
	"chalie/projections/traces"
)

// hearsay is a log of n signals, each in a trace of its own, that costs nearly
// nothing to read.
type hearsay struct {
	n      domain.Position
	sample domain.Entry
}

func newHearsay(b *testing.B, n int) *hearsay {
	b.Helper()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: domain.ID{1}}, "sky"), domain.ID{2}, 0, "http", domain.SignalReceived{
		SignalType: "weather_update", Source: "weather", ActivationEnergy: 0.4, Metadata: json.RawMessage(`{"location":"home","mm":3.5,"hours":[17,18,19]}`),
		Content: "Rain is expected from five in the afternoon, heavy at times, with gusts of up to sixty kilometres an hour."})
	if err != nil {
		b.Fatal(err)
	}
	return &hearsay{domain.Position(n), entry}
}

func (h *hearsay) Tail() domain.Position { return h.n }

func (h *hearsay) Wait(ctx context.Context, _ domain.Position) (domain.Position, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

func (h *hearsay) Select(_ context.Context, _ domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	out := make([]domain.Record, 0, limit)
	for pos := from; pos <= h.n && len(out) < limit; pos++ {
		e := h.sample.Envelope
		binary.BigEndian.PutUint64(e.ID[8:], uint64(pos))
		binary.BigEndian.PutUint64(e.Trace.ID[8:], uint64(pos))
		out = append(out, domain.Record{Position: pos, Topic: h.sample.Topic, RecordedAt: domain.Millis(pos), Envelope: e})
	}
	return out, nil
}

type wallClock struct{}

func (wallClock) Now() time.Time { return time.Now() }

// BenchmarkFold folds the whole log into fresh stores on the disk. The aim is
// 500,000 envelopes a second for all projections together, on two cores.
func BenchmarkFold(b *testing.B) {
	for _, c := range []struct {
		name string
		make func() []projections.Projection
	}{
		{"world", func() []projections.Projection {
			return []projections.Projection{small.World()}
		}},
		{"traces", func() []projections.Projection { return []projections.Projection{traces.New()} }},
		{"accounts", func() []projections.Projection { return []projections.Projection{small.Accounts()} }},
		{"all", func() []projections.Projection {
			return []projections.Projection{small.World(), traces.New(), small.Accounts()}
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			const envelopes = 500_000
			for b.Loop() {
				fold(b, newHearsay(b, envelopes), c.make())
			}
			b.ReportMetric(float64(b.N)*envelopes/b.Elapsed().Seconds(), "envelopes/s")
		})
	}
}

func fold(b *testing.B, feed projections.Feed, all []projections.Projection) {
	b.Helper()
	cfg := pebblestore.Config{Dir: b.TempDir()}
	var runners []*projections.Runner
	var stores []*pebblestore.Store
	for _, p := range all {
		s, err := pebblestore.Open(p.Name(), p.Version(), cfg)
		if err != nil {
			b.Fatal(err)
		}
		r, err := projections.NewRunner(p, feed, s, wallClock{}, projections.Config{})
		if err != nil {
			b.Fatal(err)
		}
		stores, runners = append(stores, s), append(runners, r)
	}
	g, err := projections.NewGroup(runners...)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- g.Run(ctx) }()
	if err := g.WaitFor(ctx, feed.Tail()); err != nil {
		b.Fatal(err)
	}
	cancel()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
	for _, s := range stores {
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
