package main

import (
	"fmt"
	"testing"
	"time"

	"chalie/adapters/builtinmodel"
	"chalie/commands/background"
	"chalie/commands/reasoning"
	"chalie/domain"
)

// benchCommitments are far more than a person has open.
const benchCommitments = 1000

// BenchmarkIdleCycle is a cycle over 100 signals and 1,000 commitments, on a log on
// the machine's disk: the ground that is laid for it (read), and again when most of
// what it reads was read before (known), to both of which 20 ms is the most it may
// take; and the whole of it with what the built-in model makes of it and every
// step appended (whole).
func BenchmarkIdleCycle(b *testing.B) {
	p := openBenched(b)
	p.plan(benchCommitments)
	p.hear(domain.DefaultWorldRules().Capacity)
	now := domain.MillisOf(time.Now())
	ground := func(b *testing.B, mind *reasoning.WorldMind) {
		g, err := mind.Ground(b.Context(), now, domain.ID{})
		if err != nil {
			b.Fatal(err)
		}
		if len(g.Relations) == 0 {
			b.Fatal("nothing is related")
		}
	}
	fresh := func() *reasoning.WorldMind {
		return reasoning.NewMind(p.app.folds.World, p.app.folds.Surroundings, p.app.log)
	}
	b.Run("ground/read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ground(b, fresh())
		}
		perCycle(b)
	})
	b.Run("ground/known", func(b *testing.B) {
		mind := fresh()
		ground(b, mind)
		b.ReportAllocs()
		for b.Loop() {
			ground(b, mind)
		}
		perCycle(b)
	})
	b.Run("whole", func(b *testing.B) {
		reasoner, err := newReasoner(p.app, &answeringModels{models: []reasoning.Model{builtinmodel.Model{}}})
		if err != nil {
			b.Fatal(err)
		}
		for n := 0; b.Loop(); n++ {
			b.StopTimer()
			rec := p.emit(n)
			b.StartTimer()
			if done, err := reasoner.Cycle(b.Context(), rec); !done || err != nil {
				b.Fatalf("the cycle ended: %v, %v", done, err)
			}
		}
		perCycle(b)
	})
}

func perCycle(b *testing.B) {
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms/cycle")
}

// emit is a spine signal as the idle service records it.
func (p *benched) emit(n int) domain.Record {
	p.b.Helper()
	from := p.app.log.Tail()
	p.app.spine.emitter.ThinkAhead(background.Ahead{}) // the cycle is made below
	if err := p.app.spine.emitter.Record(p.b.Context(), domain.Envelope{}, domain.SpineSignal{
		Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Content: fmt.Sprint("idle span ", n),
	}); err != nil {
		p.b.Fatal(err)
	}
	records, err := p.app.log.Select(p.b.Context(), domain.Selector{Topic: domain.TopicSpine}, from+1, 1)
	if err != nil || len(records) != 1 {
		p.b.Fatalf("the signal was not recorded: %v", err)
	}
	return records[0]
}
