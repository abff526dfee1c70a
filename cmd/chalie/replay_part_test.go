package main

import (
	"testing"

	"chalie/domain"
)

// TestReplayOfATraceAlone replays one trace in a log without those that it rests on: what
// follows from its own records is decided again, the rest is taken as recorded.
func TestReplayOfATraceAlone(t *testing.T) {
	l, _, cycle := restaurant(t)
	alone := replayed(t, copied(t, l.log, func(rec *domain.Record) bool { return rec.Envelope.Trace == cycle }))
	if alone.Traces != 1 || alone.Given == 0 || alone.Steps == 0 || alone.Diverged != 0 || alone.Cut != 0 {
		t.Errorf("alone it is %+v", alone)
	}
}
