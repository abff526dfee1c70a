package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/models"
	"chalie/domain"
)

// BenchmarkFirstDelta measures what Chalie adds to a model's first words: from the provider's
// first byte of text until a device has the first delta, which by then is durable in the log.
// The provider, the program and the device share the process, and speak over loopback.
func BenchmarkFirstDelta(b *testing.B) {
	written, goOn := make(chan time.Time, 1), make(chan struct{})
	model := startMind(b, func(q question) thought {
		if q.cycle {
			return thought{text: nothingFound}
		}
		return thought{aloud: func(say func(string)) {
			written <- time.Now()
			say("It is at seven, ")
			select {
			case <-goOn:
			case <-q.Context().Done():
			}
		}}
	})
	choices, err := models.ParseChoices(strings.TrimPrefix(strings.Join(model.flags(), " "), "--model "))
	if err != nil {
		b.Fatal(err)
	}
	p := openBenchedWith(b, models.Chosen{Models: choices})
	p.serve()
	d := p.device()
	var took []time.Duration
	for b.Loop() {
		d.tells("when is it?")
		d.hears("delta")
		took = append(took, time.Since(<-written))
		goOn <- struct{}{}
		d.hears("done")
		d.frames, d.made, d.seen = nil, nil, map[domain.Seq]bool{}
	}
	slices.Sort(took)
	b.ReportMetric(quantile(took, 50), "p50-ms")
	b.ReportMetric(quantile(took, 99), "p99-ms")
	b.ReportMetric(0, "ns/op")
}
