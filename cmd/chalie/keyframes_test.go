package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/pebblestore"
	"chalie/domain/domaintest"
	"chalie/projections/projectionstest"
	"chalie/replay"
)

// A command that reads the data directory uses what a program kept of the past, and works
// as well when that was deleted.
func TestKeyframesOffline(t *testing.T) {
	data, clock := t.TempDir(), domaintest.NewClock()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	fillAsOf(t, log, clock, 9000)
	quiet := slog.New(slog.DiscardHandler)
	kept := openKeyframes(projectionstest.UntilEnd{Feed: log}, keyframesIn(data, quiet, 0, 0))
	if err := kept.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept.close(quiet)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	look := func(made bool) string {
		t.Helper()
		off, err := openOffline(t.Context(), data, recordsOnly, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer off.close()
		if there := off.kept.Keyframes != nil && off.kept.Newest() > 0; there != made {
			t.Errorf("that there are keyframes is %t", there)
		}
		return viewsOf(t, replay.NewPast(off.log, off.kept.Keyframes, "UTC"), 8900)
	}
	with := look(true)
	if err := os.RemoveAll(filepath.Join(foldedFolder(data), pebblestore.Folder(keyframesName, keyframesVersion))); err != nil {
		t.Fatal(err)
	}
	if without := look(false); with != without {
		t.Errorf("with keyframes it is\n%s\nand without\n%s", with, without)
	}
}
