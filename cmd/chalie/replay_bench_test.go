package main

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/domain"
)

// BenchmarkReplayAll replays a log of 500 conversations among 20,000 signals, on one
// walk and on one for each processor. It has no peer: what it is to be held against is
// what the same conversations took, which recorded/op says for the code alone, without
// a disk.
func BenchmarkReplayAll(b *testing.B) {
	const conversations, between = 500, 40
	l := newLife(b)
	l.pairs(b, "house", dimmer, gauge)
	began := time.Now()
	var lived time.Duration
	for i := range conversations {
		for n := range between {
			l.hears(b, fmt.Sprintf("%s, report %d", news[n%len(news)], i), float64(n%10)/10)
		}
		said := time.Now()
		l.says(b, talk[i%len(talk)])
		lived += time.Since(said)
	}
	b.Logf("recorded in %s", time.Since(began))
	log := onDisk(b, recordsOf(b, l.log))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("walks=%d", workers), func(b *testing.B) {
			var traces, records int
			for b.Loop() {
				report, err := playerOf(b, log, workers).All(b.Context(), 0, nil)
				if err != nil {
					b.Fatal(err)
				}
				if err := diverging(report); err != nil {
					b.Fatal(err)
				}
				traces, records = traces+report.Traces, records+int(log.Tail())
			}
			b.ReportMetric(float64(traces)/b.Elapsed().Seconds(), "traces/s")
			b.ReportMetric(float64(records)/b.Elapsed().Seconds(), "envelopes/s")
			b.ReportMetric(float64(lived.Milliseconds()), "recorded-ms")
		})
	}
}

// onDisk is a log with these records, at their times.
func onDisk(b *testing.B, records []domain.Record) *pebblelog.Log {
	b.Helper()
	cfg := pebblelog.Config{Dir: filepath.Join(b.TempDir(), "log"), Clock: sysclock.Clock{}}
	importer, err := pebblelog.BeginImport(cfg)
	if err != nil {
		b.Fatal(err)
	}
	for _, rec := range records {
		if _, err := importer.Append(rec); err != nil {
			b.Fatal(err)
		}
	}
	if err := importer.Finish(); err != nil {
		b.Fatal(err)
	}
	log, err := pebblelog.Open(cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = log.Close() })
	return log
}
