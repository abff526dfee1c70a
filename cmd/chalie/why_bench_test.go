package main

import (
	"context"
	"fmt"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/domain"
	"chalie/replay"
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

// BenchmarkWhy explains, on a warm log, the end of a trace of 100,000 envelopes: the
// time is to stay under 50 ms, whatever the length of the trace.
func BenchmarkWhy(b *testing.B) {
	clock := sysclock.Clock{}
	log, err := pebblelog.Open(pebblelog.Config{Dir: b.TempDir(), Clock: clock})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	})
	w := &whyLog{b: b, log: log, ids: ulids.New(clock)}
	opening := addTo(w, domain.Lineage{Principal: domain.PrincipalOperator}, domain.MessageReceived{Text: "begin", Source: "text", ImageIDs: []domain.ID{}})
	last := opening
	for range whyTrace / 2 {
		last = addTo(w, domain.Continue(last), domain.SteerReceived{Text: "and then"})
	}
	chain := last
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
	for _, c := range []struct{ name, target string }{{"last", "last"}, {"chain", chain.ID.String()}, {"opening", opening.ID.String()}} {
		b.Run(fmt.Sprintf("envelopes=%d/%s", whyTrace, c.name), func(b *testing.B) {
			parsed, err := replay.ParseTarget(c.target)
			if err != nil {
				b.Fatal(err)
			}
			nodes := 0
			for b.Loop() {
				why, err := replay.Explain(context.Background(), log, parsed, nil)
				if err != nil {
					b.Fatal(err)
				}
				nodes = len(why.Nodes)
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/op")
			b.ReportMetric(float64(nodes), "nodes")
		})
	}
}
