package streams_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/adapters/streams"
	"chalie/adapters/ulids"
	"chalie/adapters/watermillbus"
	"chalie/commands"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/small"
	"chalie/projections/traces"
)

// plant is the log, the bus and the folds that a stream's signals go through.
type plant struct {
	log     *pebblelog.Log
	bus     *watermillbus.Bus
	signals *signal.Signals
	folds   *projections.Group
}

// passing hands appends to the bus and everything else to the log.
type passing struct {
	*pebblelog.Log
	bus *watermillbus.Bus
}

func (p passing) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	return p.bus.Append(ctx, b)
}

func newPlant(b *testing.B) *plant {
	b.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: b.TempDir(), Clock: clock{}})
	if err != nil {
		b.Fatal(err)
	}
	ids := ulids.New(clock{})
	p := &plant{log: log}
	if p.bus, err = watermillbus.New(watermillbus.Config{Log: log, IDs: ids, Clock: clock{}}); err != nil {
		b.Fatal(err)
	}
	if p.signals, err = signal.New(signal.Config{Env: commands.Env{Log: p.bus, Reader: log, Tail: p.log, Clock: clock{}, IDs: ids, Logger: slog.New(slog.DiscardHandler)}}); err != nil {
		b.Fatal(err)
	}
	var runners []*projections.Runner
	for _, projection := range []projections.Projection{small.World(), traces.New()} {
		runner, err := projections.NewRunner(projection, log, projections.NewMemStore(), clock{}, projections.Config{})
		if err != nil {
			b.Fatal(err)
		}
		runners = append(runners, runner)
	}
	if p.folds, err = projections.NewGroup(runners...); err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- p.folds.Run(ctx) }()
	b.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			b.Error(err)
		}
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	})
	return p
}

// flood sends frames of 300 bytes, many in one write, until the listener is gone.
func flood(_ int, conn net.Conn) {
	var frames bytes.Buffer
	for i := range 200 {
		frames.Write(text(padded(fmt.Sprint("tick ", i))))
	}
	for {
		if _, err := conn.Write(frames.Bytes()); err != nil {
			return
		}
	}
}

// BenchmarkStream is a flood over one socket: signals a second that are durable,
// and folded into the world and the traces.
func BenchmarkStream(b *testing.B) {
	p := newPlant(b)
	server := said(b, flood)
	b.ReportAllocs()
	b.ResetTimer()
	h := startHouse(b, passing{p.log, p.bus}, func(cfg *streams.Config) { cfg.Applied, cfg.PerSecond = p.folds, -1 }, server.stream)
	tick := time.NewTicker(100 * time.Microsecond)
	defer tick.Stop()
	for int(p.log.Tail()) < b.N {
		<-tick.C
	}
	if err := p.folds.WaitFor(b.Context(), domain.Position(b.N)); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "signals/s")
	b.StopTimer()
	h.stop()
}

// BenchmarkBeside is how long one append of a message takes by itself, beside a
// stream of the rate the design wants, and beside a flood.
func BenchmarkBeside(b *testing.B) {
	paced := func(_ int, conn net.Conn) {
		var frames bytes.Buffer
		for i := range 50 {
			frames.Write(text(padded(fmt.Sprint("tick ", i))))
		}
		every := time.NewTicker(time.Millisecond)
		defer every.Stop()
		for range every.C {
			if _, err := conn.Write(frames.Bytes()); err != nil {
				return
			}
		}
	}
	for _, c := range []struct {
		name   string
		script func(int, net.Conn)
		limit  int
	}{{"nothing", nil, 0}, {"50,000 a second", paced, 0}, {"a flood", flood, 0}, {"a flood without pace", flood, -1}} {
		b.Run(c.name, func(b *testing.B) {
			p := newPlant(b)
			if c.script != nil {
				server := said(b, c.script)
				h := startHouse(b, passing{p.log, p.bus}, func(cfg *streams.Config) { cfg.Applied, cfg.PerSecond = p.folds, c.limit }, server.stream)
				h.until(server.stream, "the stream", func(s signal.StreamStatus) bool { return s.Accepted > 10_000 })
			}
			caller := commands.OperatorCaller("bench")
			var took []time.Duration
			for b.Loop() {
				begun := time.Now()
				sig := domain.SignalReceived{SignalType: "said", Content: "something", ActivationEnergy: 0.5}
				if _, err := p.signals.Submit(b.Context(), caller, sig); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "median-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		})
	}
}
