package main

import (
	"errors"
	"path/filepath"
	"testing"

	"chalie/adapters/argon2"
	"chalie/adapters/pebblelog"
	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// TestStartFoldsNothingAgain holds the way out to saving everything: every
// projection goes on from the last record, however long the log is.
func TestStartFoldsNothingAgain(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	clock := domaintest.NewClock()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	ids := domaintest.NewIDs(clock, 1)
	for range 20 {
		var batch domain.Batch
		for range 500 {
			entry, err := domain.New(domain.Begin(ids.NewTrace(), "sky"), ids.NewID(), domain.MillisOf(clock.Now()), "http",
				domain.SignalReceived{SignalType: "tick", Content: "x", ActivationEnergy: 0.5})
			if err != nil {
				t.Fatal(err)
			}
			batch.Entries = append(batch.Entries, entry)
		}
		if _, err := log.Append(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	app, err := Open(t.Context(), Config{Addr: "127.0.0.1:0", Data: data, Passwords: argon2.Config{MemoryKiB: 64, Passes: 1}, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(app.folds.Group.WaitFor(t.Context(), app.started), app.Close()); err != nil {
		t.Fatal(err)
	}
	for name, version := range app.folds.Versions() {
		store, err := pebblestore.OpenReadOnly(name, version, pebblestore.Config{Dir: foldedFolder(data)})
		if err != nil {
			t.Fatal(err)
		}
		saved, err := store.Checkpoint()
		if err := errors.Join(err, store.Close()); err != nil || saved != app.started {
			t.Errorf("%s goes on from %d, %v, want %d", name, saved, err, app.started)
		}
	}
}
