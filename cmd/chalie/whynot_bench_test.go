package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/domain"
	"chalie/replay/explain"
)

// whyNotLog is how many envelopes the log has that BenchmarkWhyNot asks about.
const whyNotLog = 1_000_000

// BenchmarkWhyNot asks, on a warm log of a million envelopes, about the signal that
// most was decided about, one that nothing decided about, a task that is open all the
// while, and a tool by its name: each is to stay under 1 s.
func BenchmarkWhyNot(b *testing.B) {
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
	targets := w.lives(whyNotLog)
	for _, name := range []string{"decided", "undecided", "task", "call", "tool"} {
		b.Run(fmt.Sprintf("envelopes=%d/%s", whyNotLog, name), func(b *testing.B) {
			q, err := explain.ParseQuestion(targets[name])
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				got, err := explain.WhyNot(context.Background(), log, q, explain.Asking{Zone: time.UTC})
				if err != nil || len(got.Sentences) == 0 {
					b.Fatalf("%+v, %v", got, err)
				}
			}
		})
	}
}

// lives fills the log with a life: much that is heard, and every twenty envelopes
// thinking that has a hundred things before it.
func (w *whyLog) lives(envelopes int) map[string]string {
	person := domain.Lineage{Principal: domain.PrincipalOperator}
	task := addTo(w, person, domain.TaskCreated{Text: "hand in the report"})
	out := map[string]string{"task": task.ID.String(), "tool": "appointments"}
	hear := func() domain.Envelope {
		return addTo(w, domain.Lineage{Principal: "lab-rss"}, domain.SignalReceived{SignalType: "news", Content: "A comet will pass near the Moon", Source: "sky", ActivationEnergy: 0.7})
	}
	// One signal that stays in mind, as when little else is heard.
	kept := hear()
	out["decided"] = kept.ID.String()
	seen := []domain.SeenItem{{EnvelopeID: kept.ID, Kind: domain.ItemSignal, Salience: domain.One}, {EnvelopeID: task.ID, Kind: domain.ItemTask, Phase: domain.PhaseOpen, Salience: domain.One / 2}}
	for range 98 {
		seen = append(seen, domain.SeenItem{EnvelopeID: w.ids.NewID(), Kind: domain.ItemSignal, Salience: 200_000, Gate: domain.GateNotInFive})
	}
	world := domain.WorldSeen{Items: seen[:5], LeftOut: seen[5:]}
	for n := 2; n < envelopes; n += 20 {
		for range 14 {
			hear()
		}
		opening := addTo(w, domain.Lineage{Principal: domain.ServiceIdle}, domain.SpineSignalEmitted{SignalType: domain.IdleDiscovery, Source: domain.ServiceIdle})
		lin := domain.Continue(opening)
		addTo(w, lin, domain.ReasoningStarted{Zone: "UTC", World: world}, domain.StepKey(opening.Trace, 1))
		addTo(w, lin, domain.ModelCalled{Model: "builtin/2", Tools: []string{"remind", "appointments"}})
		addTo(w, lin, domain.ModelReplied{Model: "builtin/2"})
		end := domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}
		addTo(w, lin, end, domain.ConcludedKey(opening.Trace), end.ShownKey())
		call := addTo(w, person, domain.ToolInvoked{Tool: "appointments", Params: []byte(`{}`)})
		out["call"] = call.ID.String()
	}
	out["undecided"] = hear().ID.String()
	w.flush()
	return out
}

// BenchmarkWhyNotTried makes a decision again at the end of a log of 100,000
// envelopes: what it takes is folding the log once for each change that is tried.
func BenchmarkWhyNotTried(b *testing.B) {
	const envelopes = 100_000
	l := newLife(b)
	for range envelopes {
		l.hears(b, "A comet will pass near the Moon", 0.7)
	}
	l.says(b, reservation)
	news := l.hears(b, "Luigi's is closed tonight", 0.07)
	l.thinks(b)
	b.Run(fmt.Sprintf("envelopes=%d", envelopes), func(b *testing.B) {
		for b.Loop() {
			if got := l.whyNot(b, news.String()); got.Change == nil || !got.Change.Verified {
				b.Fatalf("%+v", got)
			}
		}
	})
}
