package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"testing"
	"time"

	"chalie/adapters/exportfile"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// BenchmarkExportImport moves a million signals of the usual size, through a pipe,
// so that the disk holds logs only: export first, then import of the same.
func BenchmarkExportImport(b *testing.B) {
	const n = 1_000_000
	if testing.Short() {
		b.Skip("it fills a log with a million records")
	}
	first, second := filepath.Join(b.TempDir(), "first"), filepath.Join(b.TempDir(), "second")
	fillLog(b, first, n)
	log, err := pebblelog.Open(pebblelog.Config{Dir: first, Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer log.Close()
	export := func(out io.Writer) error {
		return exportfile.Export(context.Background(), log, exportfile.Selection{}, exportfile.JSONL, "", out)
	}
	for b.Loop() {
		began := time.Now()
		if err := export(io.Discard); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(n/time.Since(began).Seconds(), "exported/s")

		reader, writer := io.Pipe()
		go func() { writer.CloseWithError(export(writer)) }()
		began = time.Now()
		in, err := exportfile.NewReader(reader, false)
		if err != nil {
			b.Fatal(err)
		}
		im, err := pebblelog.BeginImport(pebblelog.Config{Dir: second, Clock: sysclock.Clock{}})
		if err != nil {
			b.Fatal(err)
		}
		out, err := exportfile.Import(context.Background(), in, im, ulids.New(sysclock.Clock{}), func(domain.Position, domain.Position) {})
		if err != nil {
			b.Fatal(err)
		}
		if err := im.Finish(); err != nil || out.Records != n {
			b.Fatalf("%d records came in, %v", out.Records, err)
		}
		b.ReportMetric(n/time.Since(began).Seconds(), "imported/s")
		second += "x" // a log that isn't empty takes no import
	}
}

func fillLog(b *testing.B, dir string, n int) {
	b.Helper()
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	im, err := pebblelog.BeginImport(pebblelog.Config{Dir: dir, Clock: sysclock.Clock{}})
	if err != nil {
		b.Fatal(err)
	}
	for i := range n {
		id := ids.NewID()
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, "weather"), id, domain.MillisOf(clock.Now()), "weather", domain.SignalReceived{
			SignalType: "weather_forecast", Content: fmt.Sprintf("Heavy rain from three in the afternoon until the evening, %d mm", i%40),
		})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := im.Append(domain.Record{Topic: entry.Topic, RecordedAt: domain.MillisOf(clock.Now()), Envelope: entry.Envelope}); err != nil {
			b.Fatal(err)
		}
	}
	if err := im.Finish(); err != nil {
		b.Fatal(err)
	}
}
