package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/domain"
	"chalie/projections"
)

// refoldRecords is how many envelopes BenchmarkRefold folds, or what
// CHALIE_REFOLD_RECORDS says.
const refoldRecords = 200_000

// BenchmarkRefold folds a log from its beginning into all projections together,
// with stores on the disk: 500,000 envelopes a second are the aim. Beside it, as
// what it is compared with: reading the log and folding nothing, and each projection
// alone.
func BenchmarkRefold(b *testing.B) {
	records := refoldRecords
	if text := os.Getenv("CHALIE_REFOLD_RECORDS"); text != "" {
		var err error
		if records, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	data := filepath.Join(b.TempDir(), "data")
	fillReady(b, data, records)
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	})
	fold := func(b *testing.B, kinds ...kind) {
		for b.Loop() {
			refold(b, log, filepath.Join(b.TempDir(), "data"), kinds)
		}
		b.ReportMetric(float64(b.N)*float64(log.Tail())/b.Elapsed().Seconds(), "envelopes/s")
	}
	all := (&folds{}).kinds()
	b.Run("all", func(b *testing.B) { fold(b, all...) })
	b.Run("read", func(b *testing.B) { fold(b, kind{}) })
	for _, k := range all {
		b.Run(k.Name, func(b *testing.B) { fold(b, k) })
	}
}

// refold folds a log into new stores. A kind that makes nothing only reads it.
func refold(b *testing.B, log *pebblelog.Log, data string, kinds []kind) {
	b.Helper()
	silent := slog.New(slog.DiscardHandler)
	kept := storesOf(data, silent, 0, 0)
	var runners []*projections.Runner
	var stores []projections.Store
	for _, k := range kinds {
		p, store := projections.Projection(projections.NewInMemory("nothing", 1, func(*domain.Record) bool { return false }, func(*struct{}, domain.Record) error { return nil })),
			projections.Store(projections.NewMemStore())
		if k.Makes != nil {
			var err error
			if p, store, err = kept.Serve(k.Kind); err != nil {
				b.Fatal(err)
			}
		}
		r, err := projections.NewRunner(p, log, store, sysclock.Clock{}, projections.Config{Log: silent})
		if err != nil {
			b.Fatal(err)
		}
		runners, stores = append(runners, r), append(stores, store)
	}
	group, err := projections.NewGroup(runners...)
	if err != nil {
		b.Fatal(err)
	}
	ctx, end := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- group.Run(ctx) }()
	err = group.WaitFor(ctx, log.Tail())
	end()
	if err := errors.Join(err, <-done); err != nil {
		b.Fatal(err)
	}
	for _, s := range stores {
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
