package main

import (
	"context"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/domain"
	"chalie/replay"
)

// replayed replays all of a log.
func replayed(t testing.TB, log replay.Base) replay.Report {
	t.Helper()
	player, err := replay.NewPlayer(replay.PlayerConfig{Log: log, Staging: newStage, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	report, err := player.All(context.Background(), 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// identical expects that today's code decides everything in a data directory that
// nothing runs on as it was decided.
func identical(t testing.TB, data string) {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	report := replayed(t, log)
	if d := report.Divergence; d != nil {
		t.Errorf("%d of %d traces diverge, the first at %d %s (%s) in %s: recorded %s, replayed %s", report.Diverged, report.Traces, d.Position, d.Envelope, d.Type, d.Field, d.Recorded, d.Replayed)
		for _, rec := range all(t, log, domain.Selector{Trace: d.Trace}) {
			t.Logf("%d %s %s", rec.Position, rec.Envelope.Type, rec.Envelope.Payload.Bytes)
		}
	}
}

func all(t testing.TB, log domain.Reader, s domain.Selector) []domain.Record {
	t.Helper()
	out, err := log.Select(context.Background(), s, 1, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
