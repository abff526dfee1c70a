package catchup_test

import (
	"testing"

	"chalie/domain"
	"chalie/projections/catchup"
)

// signal is what nearly all of a log is made of.
func signal(t testing.TB) domain.Record {
	return record(t, 1, "station", domain.SignalReceived{SignalType: "a", Content: "b", Source: "c", ActivationEnergy: 0.4})
}

func TestSignalsCostNoMemory(t *testing.T) {
	p, rec := catchup.New(catchup.Frames, catchup.Size), signal(t)
	if n := testing.AllocsPerRun(100, func() { apply(t, p, rec) }); n != 0 {
		t.Errorf("a signal costs %v allocations", n)
	}
}

// BenchmarkApply tells what a rebuild spends here on each record: of a log of
// signals, and of one of answers.
func BenchmarkApply(b *testing.B) {
	const who = domain.PrincipalOperator
	answer := []domain.Record{
		record(b, 1, who, domain.MessageReceived{Text: "hi"}), record(b, 2, who, domain.ReasoningStarted{}),
		record(b, 3, who, domain.ModelCalled{}), record(b, 4, who, domain.ModelReplied{}), record(b, 5, who, answered),
	}
	for _, c := range []struct {
		name string
		log  []domain.Record
	}{{"signals", []domain.Record{signal(b)}}, {"answers", answer}} {
		b.Run(c.name, func(b *testing.B) {
			p := catchup.New(catchup.Frames, catchup.Size)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				rec := c.log[i%len(c.log)]
				rec.Position = domain.Position(i + 1)
				if err := p.Apply(rec); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
