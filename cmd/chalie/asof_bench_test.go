package main

import (
	"context"
	"log/slog"
	"os"
	"strconv"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/adapters/ulids"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections/projectionstest"
	"chalie/replay"
	"chalie/replay/player"
)

// asOfRecords is how many envelopes BenchmarkAsOf and BenchmarkStopped look back through, or
// what CHALIE_ASOF_RECORDS says.
const asOfRecords = 200_000

// asOfRecordsAsked is how many there are to be.
func asOfRecordsAsked(b *testing.B) int {
	text := os.Getenv("CHALIE_ASOF_RECORDS")
	if text == "" {
		return asOfRecords
	}
	records, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(err)
	}
	return records
}

// fillAsOf appends signals, and in every twenty envelopes a message with its answer
// and a reminder that is done; a thousand in three hours.
func fillAsOf(b testing.TB, log *pebblelog.Log, clock *domaintest.Clock, records int) {
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

// looks are what begins at a moment: looks back, and a replay of the message there, which
// here ends with its first step, because nothing of that was recorded.
func looks(ctx context.Context, log *pebblelog.Log, kept keyframes) map[string]func(domain.Position) error {
	past := func() *replay.Past { return replay.NewPast(log, kept.Keyframes, "") } // that remembers no answer
	return map[string]func(domain.Position) error{
		"world":     func(at domain.Position) error { _, err := past().World(ctx, at); return err },
		"plans":     func(at domain.Position) error { _, err := past().Plans(ctx, at); return err },
		"registry":  func(at domain.Position) error { _, err := past().Registry(ctx, at); return err },
		"policy":    func(at domain.Position) error { _, err := past().Policy(ctx, at); return err },
		"approvals": func(at domain.Position) error { _, err := past().Approvals(ctx, at, 0); return err },
		"transcript": func(at domain.Position) error {
			then, err := past().Transcript(ctx, at)
			if err == nil {
				_, _, err = then.Recent(domain.ConversationID{}, 20, 0)
			}
			return err
		},
		"replay": func(at domain.Position) error {
			records, err := log.Select(ctx, domain.Selector{Topic: domain.TopicMessages}, at-min(at, 20), 1)
			if err != nil {
				return err
			}
			p, err := player.New(player.Config{Log: log, Staging: sandboxes(kept).Open})
			if err == nil {
				_, err = p.Trace(ctx, records[0].Envelope.Trace, nil)
			}
			return err
		},
	}
}

// BenchmarkAsOf looks back into a log by its keyframes: each answer is to come within
// 200 ms after 5 million envelopes. Beside it, as what it is compared with: the same
// from the log's beginning.
func BenchmarkAsOf(b *testing.B) {
	records := asOfRecordsAsked(b)
	clock, dir := domaintest.NewClock(), b.TempDir()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(dir), Clock: clock})
	if err != nil {
		b.Fatal(err)
	}
	fillAsOf(b, log, clock, records)
	kept := openKeyframes(projectionstest.UntilEnd{Feed: log}, keyframesIn(dir, slog.New(slog.DiscardHandler), 0, 0))
	b.Cleanup(func() {
		kept.close(slog.Default())
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	})
	began := time.Now()
	if err := kept.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.Logf("keyframes made in %s", time.Since(began))
	for how, from := range map[string]keyframes{"keyframes": kept, "beginning": {}} {
		for name, ask := range looks(b.Context(), log, from) {
			b.Run("from="+how+"/"+name, func(b *testing.B) {
				var slowest time.Duration
				asked := uint64(0)
				for b.Loop() {
					asked++
					at := domain.Position(asked*0x9e3779b97f4a7c15%uint64(records)) + 1
					began := time.Now()
					if err := ask(at); err != nil {
						b.Fatal(err)
					}
					slowest = max(slowest, time.Since(began))
				}
				b.ReportMetric(float64(slowest.Milliseconds()), "slowest-ms")
			})
		}
	}
}
