package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"chalie/adapters/argon2"
	"chalie/adapters/pebblelog"
	"chalie/domain/domaintest"
)

// readyRecords is how many envelopes BenchmarkReady starts with, or what
// CHALIE_READY_RECORDS says.
const readyRecords = 1_000_000

// BenchmarkReady starts the program on a long log, until it answers for all of it.
// That is to take less than a second, however long the log is: what was folded
// before is saved. What the first fold of all took is told beside it.
func BenchmarkReady(b *testing.B) {
	if testing.Short() {
		b.Skip("it fills a log with a million records")
	}
	records := readyRecords
	if text := os.Getenv("CHALIE_READY_RECORDS"); text != "" {
		var err error
		if records, err = strconv.Atoi(text); err != nil {
			b.Fatal(err)
		}
	}
	data := filepath.Join(b.TempDir(), "data")
	fillReady(b, data, records)
	began := time.Now()
	app := ready(b, data)
	b.Logf("the first fold of %d records took %s", records, time.Since(began).Round(time.Millisecond))
	if err := app.Close(); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		app := ready(b, data)
		b.StopTimer()
		if err := app.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

// ready opens the program, and returns once it answers for all that is in the log.
func ready(b *testing.B, data string) *App {
	b.Helper()
	app, err := Open(b.Context(), Config{Addr: "127.0.0.1:0", Data: data, Passwords: argon2.Config{MemoryKiB: 64, Passes: 1}})
	if err != nil {
		b.Fatal(err)
	}
	if err := app.folds.Group.WaitFor(b.Context(), app.started); err != nil {
		b.Fatal(err)
	}
	return app
}

// fillReady makes a log whose last record is of now.
func fillReady(b *testing.B, data string, records int) {
	b.Helper()
	began := time.Now()
	clock := domaintest.NewClockAt(began.Add(-time.Duration(records/1000+1) * 3 * time.Hour))
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: clock})
	if err != nil {
		b.Fatal(err)
	}
	fillAsOf(b, log, clock, records)
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
	b.Logf("appending %d records took %s", records, time.Since(began).Round(time.Millisecond))
}
