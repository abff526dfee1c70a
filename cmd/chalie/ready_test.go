package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"chalie/adapters/argon2"
	"chalie/adapters/pebblelog"
	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
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

// TestReadyTellsHowFarItIs: while what the log held is folded, as after an import, /ready and the
// log say how much of it is, and when the rest will be.
func TestReadyTellsHowFarItIs(t *testing.T) {
	t.Parallel()
	data, log, held := longAgo(t), &domaintest.Buffer{}, make(chan struct{})
	release := sync.OnceFunc(func() { close(held) })
	defer release()
	app, err := Open(t.Context(), Config{
		Addr: "127.0.0.1:0", Data: data, Passwords: argon2.Config{MemoryKiB: 64, Passes: 1}, Logger: slog.New(slog.NewTextHandler(log, nil)),
		revise: []func(*kind){func(k *kind) {
			if k.Name != "notes" {
				return
			}
			stops := func(rec *domain.Record) bool {
				if rec.Position == longRecords/2 {
					<-held
				}
				return false
			}
			k.Makes = []func() projections.Projection{func() projections.Projection {
				return projections.NewInMemory("notes", 3, stops, func(*domain.Notes, domain.Record) error { return nil })
			}}
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- app.Run(ctx) }()
	domaintest.Until(t, "it is told", func() bool { return strings.Contains(log.String(), "folded first") })
	far := regexp.MustCompile(`^what the log held is folded first: 1\d,\d\d\d of 30,00\d positions, about .* left$`)
	domaintest.Until(t, "it says how far it is", func() bool {
		h := app.health(t.Context())
		return !h.Ready && far.MatchString(h.Reason)
	})
	release()
	domaintest.Until(t, "it is ready", func() bool { return app.health(t.Context()).Ready })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
