package main

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"chalie/commands/background"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/language"
)

// thinker is a model that thinks for ever, and answers at once when asked again.
type thinker struct {
	began chan struct{}
	again bool
}

func (*thinker) Name() string     { return "thinker" }
func (*thinker) SeesImages() bool { return false }

func (m *thinker) Reply(ctx context.Context, _ language.Prompt) (language.Reply, error) {
	if m.again = !m.again; !m.again {
		return language.Reply{Topic: "general", Mode: domain.ModeRespond}, nil
	}
	m.began <- struct{}{}
	<-ctx.Done()
	return language.Reply{}, context.Cause(ctx)
}

// cycles tells when a cycle has returned.
type cycles struct {
	background.Work
	returned chan bool
}

func (c cycles) Cycle(ctx context.Context, rec domain.Record) (bool, error) {
	done, err := c.Work.Cycle(ctx, rec)
	c.returned <- done
	return done, err
}

// BenchmarkYield measures how long it takes from when somebody says something until
// a background cycle, in the middle of a call to a model, has made room: durably,
// on the disk of this machine.
func BenchmarkYield(b *testing.B) {
	app, err := Open(b.Context(), Config{Addr: "127.0.0.1:0", Data: filepath.Join(b.TempDir(), "data")})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := app.Close(); err != nil {
			b.Error(err)
		}
	}()
	model := &thinker{began: make(chan struct{})}
	reasoner, err := newReasoner(app, &answeringModels{models: []reasoning.Model{model}})
	if err != nil {
		b.Fatal(err)
	}
	work := cycles{reasoner, make(chan bool)}
	if err := app.spine.think(app, work); err != nil {
		b.Fatal(err)
	}
	app.spine.emitter.ThinkAhead(background.Ahead{}) // what the model thinks is the consumer's
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- app.spine.background.Run(ctx) }()

	var took []time.Duration
	for b.Loop() {
		if err := app.spine.emitter.Record(b.Context(), domain.Envelope{}, domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle}); err != nil {
			b.Fatal(err)
		}
		<-model.began
		said := time.Now()
		leave := app.spine.foreground.Enter(domain.ID{1})
		if <-work.returned {
			b.Fatal("the cycle went on to its end")
		}
		took = append(took, time.Since(said))
		leave()
		if !<-work.returned {
			b.Fatal("the cycle was not taken up again")
		}
	}
	stop()
	if err := <-ended; err != nil {
		b.Error(err)
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "yield-p50-ms")
	b.ReportMetric(took[len(took)*99/100].Seconds()*1000, "yield-p99-ms")
}
