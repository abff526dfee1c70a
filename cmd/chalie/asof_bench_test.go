package main

import (
	"context"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/adapters/ulids"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay"
)

// asOfRecords is how many envelopes BenchmarkAsOf looks back through.
const asOfRecords = 1_000_000

// fillAsOf appends signals, and in every twenty envelopes a message with its answer
// and a reminder that is done; a thousand in three hours.
func fillAsOf(b *testing.B, log *pebblelog.Log, clock *domaintest.Clock, records int) {
	ids := ulids.New(clock)
	var entries []domain.Entry
	add := func(entry domain.Entry, err error) domain.Envelope {
		if err != nil {
			b.Fatal(err)
		}
		entries = append(entries, entry)
		return entry.Envelope
	}
	lineage := func(id domain.ID, who domain.Principal) domain.Lineage {
		return domain.Begin(domain.TraceID{ID: id}, who)
	}
	for n := 0; n < records; n += 20 {
		for range 15 {
			id := ids.NewID()
			add(domain.New(lineage(id, "weather"), id, id.Millis(), "http", domain.SignalReceived{
				SignalType: "weather_forecast", Source: "weather", Content: "Heavy rain expected this evening, eighty per cent chance", ActivationEnergy: 0.4}))
		}
		id := ids.NewID()
		said := add(domain.New(lineage(id, domain.PrincipalOperator), id, id.Millis(), "ws", domain.MessageReceived{Text: "what is new?", Source: "text", ImageIDs: []domain.ID{}}))
		reply := add(domain.New(domain.Continue(said), ids.NewID(), id.Millis(), "reasoning", domain.ModelReplied{Model: "builtin"}))
		add(domain.New(domain.Continue(reply), ids.NewID(), id.Millis(), "reasoning", domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: reply.ID}))
		id = ids.NewID()
		add(domain.New(lineage(id, domain.PrincipalOperator), id, id.Millis(), "skills", domain.ReminderSet{Text: "water", Due: id.Millis().Add(time.Hour), Zone: "UTC"}))
		set := entries[len(entries)-1].Envelope
		done := domain.ReminderDone{ReminderID: id}
		entry, err := domain.New(domain.Continue(set), ids.NewID(), id.Millis(), "skills", done)
		entry.Envelope.Keys = done.Keys()
		add(entry, err)
		if n%1000 == 980 {
			if _, err := log.Append(context.Background(), domain.Batch{Entries: entries}); err != nil {
				b.Fatal(err)
			}
			entries = nil
			clock.Advance(3 * time.Hour)
		}
	}
}

// BenchmarkAsOf looks back through a million envelopes: the first answer is to come
// within 2 s, one near it within 100 ms.
func BenchmarkAsOf(b *testing.B) {
	clock := domaintest.NewClock()
	log, err := pebblelog.Open(pebblelog.Config{Dir: b.TempDir(), Clock: clock})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	})
	fillAsOf(b, log, clock, asOfRecords)
	for name, ask := range map[string]func(*replay.Past, domain.Position) error{
		"world":      func(p *replay.Past, at domain.Position) error { _, err := p.World(b.Context(), at); return err },
		"transcript": func(p *replay.Past, at domain.Position) error { _, err := p.Transcript(b.Context(), at); return err },
		"plans":      func(p *replay.Past, at domain.Position) error { _, err := p.Plans(b.Context(), at); return err },
		"registry":   func(p *replay.Past, at domain.Position) error { _, err := p.Registry(b.Context(), at); return err },
	} {
		b.Run(name, func(b *testing.B) {
			var first, next time.Duration
			const steps = 20
			for b.Loop() {
				past := replay.NewPast(log, "")
				began := time.Now()
				if err := ask(past, asOfRecords); err != nil {
					b.Fatal(err)
				}
				first += time.Since(began)
				for i := range steps {
					began := time.Now()
					if err := ask(past, domain.Position(asOfRecords-5000*i-1)); err != nil {
						b.Fatal(err)
					}
					next = max(next, time.Since(began))
				}
			}
			b.ReportMetric(float64(first.Milliseconds())/float64(b.N), "first-ms")
			b.ReportMetric(float64(next.Milliseconds()), "slowest-next-ms")
		})
	}
}
