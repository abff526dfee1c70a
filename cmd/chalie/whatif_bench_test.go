package main

import (
	"fmt"
	"testing"
	"time"

	"chalie/replay/player"
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
	params := set("half_life", "1h")
	for b.Loop() {
		if _, err := player.WhatIf(b.Context(), l.log, sandboxes(keyframes{}).Open, player.Change{Set: params}, player.Scope{}, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(l.log.Tail())*float64(b.N)/b.Elapsed().Seconds(), "envelopes/s")
}
