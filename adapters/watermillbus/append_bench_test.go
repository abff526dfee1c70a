package watermillbus_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/adapters/ulids"
	"chalie/adapters/watermillbus"
	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill/message"
)

// BenchmarkAppend compares appends of one envelope of 400 B by 512 publishers: to the log
// alone, and through a bus over another log beside it. They take turns; of/log is the
// median of their ratios.
func BenchmarkAppend(b *testing.B) {
	unchanged := message.MessageTransformPublisherDecorator(func(*message.Message) {})
	for _, c := range []struct {
		name   string
		layers []message.PublisherDecorator
	}{{"bus", nil}, {"bus and one layer", []message.PublisherDecorator{unchanged}}} {
		b.Run(c.name, func(b *testing.B) {
			alone, beneath := openPebble(b), openPebble(b)
			bus, err := watermillbus.New(watermillbus.Config{Log: beneath, IDs: ulids.New(clock{}), Clock: clock{}, Layers: c.layers})
			if err != nil {
				b.Fatal(err)
			}
			ids := ulids.New(clock{})
			appendsPerSecond(b, alone, ids) // the first is slower
			appendsPerSecond(b, bus, ids)
			var ratios, rates []float64
			for b.Loop() {
				// Both grow, so that each goes first and last.
				before, slow := appendsPerSecond(b, alone, ids), appendsPerSecond(b, bus, ids)
				again, after := appendsPerSecond(b, bus, ids), appendsPerSecond(b, alone, ids)
				ratios, rates = append(ratios, (slow+again)/(before+after)), append(rates, slow)
			}
			slices.Sort(ratios)
			slices.Sort(rates)
			b.ReportMetric(ratios[len(ratios)/2], "of/log")
			b.ReportMetric(rates[len(rates)/2], "appends/s")
		})
	}
}

type clock struct{}

func (clock) Now() time.Time { return time.Now() }

func openPebble(b *testing.B) *pebblelog.Log {
	b.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: b.TempDir(), Clock: clock{}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	})
	return log
}

// appendsPerSecond has 512 publishers append one envelope each, again and again.
func appendsPerSecond(b *testing.B, to domain.Appender, ids domain.IDs) float64 {
	b.Helper()
	const publishers, each = 512, 60
	batches := make([]domain.Batch, publishers*each)
	for i := range batches {
		batches[i].Entries = []domain.Entry{sized(ids)}
	}
	var publishing sync.WaitGroup
	began := time.Now()
	for p := range publishers {
		publishing.Go(func() {
			// In the order of their ids, nearly, as ids are made where they are appended.
			for i := p; i < len(batches); i += publishers {
				if _, err := to.Append(b.Context(), batches[i]); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	publishing.Wait()
	return publishers * each / time.Since(began).Seconds()
}
