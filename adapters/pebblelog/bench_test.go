package pebblelog_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
)

type wall struct{}

func (wall) Now() time.Time { return time.Now() }

var seq atomic.Uint64

func newID() domain.ID {
	var id domain.ID
	binary.BigEndian.PutUint64(id[:8], uint64(time.Now().UnixMilli())<<16|0x7000)
	binary.BigEndian.PutUint64(id[8:], 1<<63|seq.Add(1))
	return id
}

func signal(n int) domain.Entry {
	e, err := domain.New(domain.Begin(domain.TraceID{ID: newID()}, "weather"), newID(), domain.MillisOf(time.Now()), "weather",
		domain.SignalReceived{SignalType: "weather_forecast", Content: fmt.Sprintf("Heavy rain expected this evening, %d%% chance", n), Source: "weather-service", ActivationEnergy: 0.4, Metadata: []byte(`{"precipitation_chance":0.8,"temperature_high":18,"temperature_low":12}`)})
	if err != nil {
		panic(err)
	}
	return e
}

func BenchmarkAppend(b *testing.B) {
	for _, publishers := range []int{1, 64, 512} {
		b.Run(fmt.Sprintf("publishers=%d", publishers), func(b *testing.B) {
			l, err := pebblelog.Open(pebblelog.Config{Dir: b.TempDir(), Clock: wall{}})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			var left atomic.Int64
			left.Store(int64(b.N))
			var wg sync.WaitGroup
			entries := make([]domain.Entry, b.N)
			for i := range entries {
				entries[i] = signal(i)
			}
			b.ResetTimer()
			for range publishers {
				wg.Go(func() {
					for {
						i := int64(b.N) - 1 - left.Add(-1)
						if i >= int64(b.N) {
							return
						}
						if _, err := l.Append(context.Background(), domain.Batch{Entries: entries[i : i+1]}); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "env/s")
		})
	}
}

func BenchmarkScan(b *testing.B) {
	const n = 200_000
	dir := b.TempDir()
	l, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: wall{}})
	if err != nil {
		b.Fatal(err)
	}
	base := signal(1)
	for range n / 1000 {
		entries := make([]domain.Entry, 1000)
		for i := range entries {
			entries[i] = base
			entries[i].Envelope.ID = newID()
			entries[i].Envelope.Trace.ID = entries[i].Envelope.ID
		}
		if _, err := l.Append(context.Background(), domain.Batch{Entries: entries}); err != nil {
			b.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
	l, err = pebblelog.Open(pebblelog.Config{Dir: dir, Clock: wall{}})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		for from := domain.Position(1); from <= n; from += 4096 {
			if _, err := l.Select(context.Background(), domain.Selector{}, from, 4096); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "env/s")
}
