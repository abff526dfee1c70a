package main

import (
	"os"
	"testing"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/jsonschema"
	"chalie/domain"
	"chalie/replay/player"
	"chalie/replay/sandbox"
	"chalie/replay/wiring"
)

// livedLog is the driver of a small life at its end.
func livedLog(t *testing.T) *driver {
	t.Helper()
	text, err := os.Open("testdata/small.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	of, err := readLife(text)
	if err != nil {
		t.Fatal(err)
	}
	d, err := live(t.Context(), of, false)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// What was decided in a life is decided again from its log, silent cycles, too.
func TestReplaySmallLife(t *testing.T) {
	d := livedLog(t)
	silent := 0
	if err := d.each(t.Context(), func(rec domain.Record) error {
		if domain.IsSilent(rec.Envelope) {
			silent++
		}
		return nil
	}); err != nil || silent == 0 {
		t.Fatalf("there are %d silent cycles (%v)", silent, err)
	}
	program := wiring.Program{BuiltIn: builtinmodel.Model{}, Formats: jsonschema.Formats{}, Build: "a later build"}
	p, err := player.New(player.Config{
		Log: d.Log, Staging: sandbox.Config{Program: program, Zone: d.life.Zone}.Open, Today: player.Version{Build: "a later build"}, Workers: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	report, err := p.All(t.Context(), 1, nil)
	if err != nil || !report.Identical || report.Skipped > 0 || report.Steps < silent {
		t.Errorf("the replay of %d silent cycles says %+v (%v), %+v", silent, report, err, report.Divergence)
	}
}
