package main

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
)

// BenchmarkOpenFolds opens what all projections keep: for the first time, and when
// it is there already. Every start waits for it.
func BenchmarkOpenFolds(b *testing.B) {
	dir := b.TempDir()
	log, err := pebblelog.Open(pebblelog.Config{Dir: filepath.Join(dir, "log"), Clock: sysclock.Clock{}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := log.Close(); err != nil {
			b.Error(err)
		}
	})
	silent := slog.New(slog.DiscardHandler)
	round := 0
	open := func(b *testing.B, folder func() string) {
		for b.Loop() {
			f, err := newFolds(log, sysclock.Clock{}, silent, storesOf(filepath.Join(dir, folder()), silent, 0, 0).Serve)
			if err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	}
	b.Run("first", func(b *testing.B) {
		open(b, func() string {
			round++
			return fmt.Sprint("first", round)
		})
	})
	b.Run("again", func(b *testing.B) { open(b, func() string { return "again" }) })
}
