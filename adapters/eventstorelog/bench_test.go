package eventstorelog_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"chalie/adapters/eventstorelog"
	"chalie/adapters/pebblelog"
	"chalie/adapters/ulids"
	"chalie/domain"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"github.com/google/uuid"
)

// BenchmarkSharing compares 512 publishers, who append one envelope of 700 B each, again
// and again, with one caller of the client library that appends as many events of the same
// size in each call as the publishers shared one; and with 512 callers of one event each.
// They take turns on one server. On the test server the second figure means nothing.
func BenchmarkSharing(b *testing.B) {
	url := reach(b)
	m := join(b, url, freshStream(), b.TempDir(), system{}).lead()
	if err := m.Close(); err != nil {
		b.Fatal(err)
	}
	counted := &counting{Upstream: m.node}
	log, err := pebblelog.Open(pebblelog.Config{Dir: m.dir, Clock: system{}, Upstream: counted, Of: "elsewhere"})
	if err != nil {
		b.Fatal(err)
	}
	m.Log = log
	m.lead()
	client := connect(b, url)
	const publishers, each = 512, 40
	shared := func() (rate float64, size int) {
		counted.calls = 0
		batches := make([]domain.Batch, publishers*each)
		for i := range batches {
			batches[i].Entries = []domain.Entry{sized(m.ids)}
		}
		began := time.Now()
		var publishing sync.WaitGroup
		for p := range publishers {
			publishing.Go(func() {
				// In the order of their ids, nearly, as ids are made where they are appended.
				for i := p; i < len(batches); i += publishers {
					if _, err := m.Append(b.Context(), batches[i]); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		publishing.Wait()
		return publishers * each / time.Since(began).Seconds(), publishers * each / counted.calls
	}
	stream, next := freshStream(), uint64(0)
	alone := func(size int) float64 {
		events := plain(each * publishers / size * size)
		began := time.Now()
		for ; len(events) > 0; events = events[size:] {
			var at esdb.ExpectedRevision = esdb.NoStream{}
			if next > 0 {
				at = esdb.Revision(next - 1)
			}
			if _, err := client.AppendToStream(b.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: at}, events[:size]...); err != nil {
				b.Fatal(err)
			}
			next += uint64(size)
		}
		return float64(each*publishers/size*size) / time.Since(began).Seconds()
	}
	single := func() float64 {
		const each = 4
		began := time.Now()
		var calling sync.WaitGroup
		for range publishers {
			calling.Go(func() {
				stream := freshStream()
				for range each {
					if _, err := client.AppendToStream(b.Context(), stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}}, plain(1)...); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		calling.Wait()
		return publishers * each / time.Since(began).Seconds()
	}
	_, size := shared()
	alone(size)
	var ratios, rates, singles, sizes []float64
	for b.Loop() {
		ours, size := shared()
		ratios, rates, singles = append(ratios, ours/alone(size)), append(rates, ours), append(singles, ours/single())
		sizes = append(sizes, float64(size))
	}
	for _, of := range []struct {
		figures []float64
		unit    string
	}{{ratios, "of/caller"}, {rates, "appends/s"}, {singles, "of/singles"}, {sizes, "appends/call"}} {
		slices.Sort(of.figures)
		b.ReportMetric(of.figures[len(of.figures)/2], of.unit)
	}
}

// BenchmarkTakeover is how long the log is without a writer when one has died: from its
// last renewal until another has taken over; and how long a writer that was overtaken
// doesn't know.
func BenchmarkTakeover(b *testing.B) {
	url := reach(b)
	var takeover, notice time.Duration
	for b.Loop() {
		stream := freshStream()
		dead := join(b, url, stream, b.TempDir(), system{}, func(cfg *eventstorelog.Config) { cfg.RenewEvery = time.Hour }).lead()
		dead.add()
		began := time.Now()
		next := join(b, url, stream, b.TempDir(), system{}).lead()
		takeover += time.Since(began)
		began = time.Now()
		overtake(b, url, stream)
		<-next.node.Lost()
		notice += time.Since(began)
	}
	b.ReportMetric(takeover.Seconds()/float64(b.N), "s/takeover")
	b.ReportMetric(notice.Seconds()/float64(b.N), "s/notice")
}

// BenchmarkCatchUp is how fast a new copy reads a stream.
func BenchmarkCatchUp(b *testing.B) {
	url, stream := reach(b), freshStream()
	writer := join(b, url, stream, b.TempDir(), system{}).lead()
	const records, atOnce = 200_000, 1000
	for range records / atOnce {
		batch := domain.Batch{Entries: make([]domain.Entry, atOnce)}
		for i := range batch.Entries {
			batch.Entries[i] = sized(writer.ids)
		}
		if _, err := writer.Append(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		b.Fatal(err)
	}
	writer.node.Close()
	var took time.Duration
	for b.Loop() {
		copied := join(b, url, stream, b.TempDir(), system{})
		began := time.Now()
		copied.lead()
		took += time.Since(began)
		_ = copied.Close()
		copied.node.Close()
	}
	b.ReportMetric(records*float64(b.N)/took.Seconds(), "records/s")
}

// counting counts the calls to the cluster.
type counting struct {
	domain.Upstream
	calls int
}

func (c *counting) Commit(ctx context.Context, first domain.Position, records []domain.Sealed) error {
	c.calls++
	return c.Upstream.Commit(ctx, first, records)
}

// plain are events like the records of sized.
func plain(n int) []esdb.EventData {
	out := make([]esdb.EventData, n)
	for i := range out {
		out[i] = esdb.EventData{EventID: uuid.New(), EventType: "signal.received", Data: make([]byte, 700), Metadata: make([]byte, 130)}
	}
	return out
}

// sized is an entry whose record has about 700 bytes.
func sized(ids *ulids.Mint) domain.Entry {
	id := ids.NewID()
	return domain.Entry{Topic: domain.TopicSignals, Envelope: domain.Envelope{
		ID: id, Trace: domain.TraceID{ID: id}, Timestamp: id.Millis(), Kind: domain.KindEvent, Source: "bench", Principal: "bench",
		Type: domain.SignalReceivedType, Version: 1, Payload: domain.JSONPayload([]byte(`"` + string(make600()) + `"`)),
	}}
}

func make600() []byte { return slices.Repeat([]byte("x"), 600) }
