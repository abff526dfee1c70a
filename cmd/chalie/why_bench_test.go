package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"chalie/adapters/apiclient"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

// whyTrace is how many envelopes the trace has that BenchmarkWhy asks about.
const whyTrace = 100_000

// whyLog is a log with one long trace: half of it a chain, then what the chain's end
// rests on, and its conclusion.
type whyLog struct {
	b       *testing.B
	log     *pebblelog.Log
	ids     *ulids.Mint
	entries []domain.Entry
}

func (w *whyLog) add(entry domain.Entry, err error) domain.Envelope {
	if err != nil {
		w.b.Fatal(err)
	}
	w.entries = append(w.entries, entry)
	if len(w.entries) == 1000 {
		w.flush()
	}
	return entry.Envelope
}

func (w *whyLog) flush() {
	if len(w.entries) == 0 {
		return
	}
	if _, err := w.log.Append(context.Background(), domain.Batch{Entries: w.entries}); err != nil {
		w.b.Fatal(err)
	}
	w.entries = nil
}

func addTo[P any](w *whyLog, lin domain.Lineage, payload P, keys ...domain.Key) domain.Envelope {
	id := w.ids.NewID()
	if lin.Trace.IsZero() {
		lin.Trace.ID = id
	}
	entry, err := domain.New(lin, id, domain.Millis(1), "bench", payload)
	entry.Envelope.Keys = keys
	return w.add(entry, err)
}

// longTrace writes a log with one trace of whyTrace envelopes into a data directory, and
// returns its opening and the end of the chain in it.
func longTrace(b *testing.B, data string) (opening, chain domain.Envelope) {
	b.Helper()
	clock := sysclock.Clock{}
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: clock})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	}()
	w := &whyLog{b: b, log: log, ids: ulids.New(clock)}
	opening = addTo(w, domain.Lineage{Principal: domain.PrincipalOperator}, domain.MessageReceived{Text: "begin", Source: "text", ImageIDs: []domain.ID{}})
	last := opening
	for range whyTrace / 2 {
		last = addTo(w, domain.Continue(last), domain.SteerReceived{Text: "and then"})
	}
	chain = last
	evidence := make([]domain.Evidence, 0, whyTrace/2)
	for range whyTrace/2 - 3 {
		e := addTo(w, domain.Continue(opening), domain.SteerReceived{Text: "beside"})
		evidence = append(evidence, domain.Evidence{EnvelopeID: e.ID, Role: "named", Weight: domain.One})
	}
	reply := addTo(w, domain.Continue(chain), domain.ModelReplied{Model: "m", Blocks: []domain.Block{domain.TextBlock("done", domain.FormatPlain)}})
	end := domain.ReasoningConcluded{
		Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: reply.ID, Evidence: evidence[:2000], // as much as fits
	}
	addTo(w, domain.Continue(reply), end, domain.ConcludedKey(reply.Trace), end.ShownKey())
	w.flush()
	return opening, chain
}

// BenchmarkWhy explains, on a warm log, a frame of a trace of 100,000 envelopes, and
// what its opening led to, as words and as a picture; and it shows the trace. Each is to
// stay under a second, whatever the length of the trace.
func BenchmarkWhy(b *testing.B) {
	data := filepath.Join(b.TempDir(), "data")
	opening, chain := longTrace(b, data)
	off, err := openOffline(b.Context(), data, foldsToo, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(off.close)
	end, err := off.log.Select(b.Context(), domain.Selector{Key: domain.ConcludedKey(opening.Trace)}, 1, 1)
	if err != nil || len(end) != 1 {
		b.Fatal(end, err)
	}
	seq := fmt.Sprintf("/api/why/%d", domain.SeqOf(end[0].Position, 0))
	for _, c := range []struct{ name, path string }{
		{"frame", seq}, {"last", "/api/why/last"}, {"chain", "/api/why/" + chain.ID.String()}, {"svg", seq + "?format=svg"},
		{"forward", "/api/why/" + opening.ID.String() + "?direction=forward"}, {"forward-end", "/api/why/" + chain.ID.String() + "?direction=forward"},
		{"page", "/api/traces/" + opening.Trace.String()}, {"last-page", fmt.Sprintf("/api/traces/%s?from=%d", opening.Trace, end[0].Position-500)},
	} {
		b.Run(fmt.Sprintf("envelopes=%d/%s", whyTrace, c.name), func(b *testing.B) {
			bytes := 0
			for b.Loop() {
				rec := httptest.NewRecorder()
				off.core.api.TrustedHandler().ServeHTTP(rec, httptest.NewRequestWithContext(b.Context(), http.MethodGet, c.path, nil))
				if bytes = rec.Body.Len(); rec.Code != http.StatusOK {
					b.Fatal(rec.Code, rec.Body)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/op")
			b.ReportMetric(float64(bytes), "bytes")
		})
	}
	b.Run(fmt.Sprintf("envelopes=%d/trace-show", whyTrace), func(b *testing.B) {
		api := apiclient.InProcess(off.core.api.TrustedHandler())
		c := &cli{Console: &term.Console{Out: io.Discard, Err: io.Discard, Width: term.DefaultWidth, Zone: time.UTC}}
		for b.Loop() {
			trace, err := api.TraceStart(b.Context(), opening.Trace, traceLimit)
			if err != nil {
				b.Fatal(err)
			}
			if err := c.trace(callersOf(b.Context(), api), trace); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/op")
	})
}
