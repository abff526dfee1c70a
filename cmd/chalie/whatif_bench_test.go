package main

import (
	"fmt"
	"testing"
	"time"

	"chalie/replay"
)

// BenchmarkWhatIf asks of a whole log of conversations what another half-life would
// have changed. It compares with nothing: there is nothing that does the same.
func BenchmarkWhatIf(b *testing.B) {
	l := newLife(b)
	for n := range 100 {
		l.hears(b, fmt.Sprintf("Train %d is late", n), 0.5)
		l.says(b, fmt.Sprintf("remind me: train %d in 3 hours", n))
		l.thinks(b)
		l.clock.Advance(20 * time.Minute)
	}
	params := setting(b, "half_life", "1h")
	for b.Loop() {
		if _, err := replay.WhatIf(b.Context(), l.log, newStage, replay.Change{Params: params}, replay.Scope{}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(l.log.Tail())*float64(b.N)/b.Elapsed().Seconds(), "envelopes/s")
}
