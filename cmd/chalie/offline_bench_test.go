package main

import (
	"fmt"
	"os"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/domain/domaintest"
)

// BenchmarkStopped looks back in a data directory that no Chalie runs on, each time as a command
// of its own: what the second look takes beside the first, which keeps what it folds. At two
// million envelopes (CHALIE_ASOF_RECORDS) the second is to come within a second.
func BenchmarkStopped(b *testing.B) {
	records, data, clock := asOfRecordsAsked(b), b.TempDir(), domaintest.NewClock()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: clock})
	if err != nil {
		b.Fatal(err)
	}
	fillAsOf(b, log, clock, records)
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
	for _, of := range []struct {
		name string
		need needs
		path string
	}{
		{"middle", pastToo, fmt.Sprintf("/api/world?at=pos:%d", records/2)},
		{"end", pastToo, fmt.Sprintf("/api/world?at=pos:%d", records-10)},
		{"traces", foldsToo, "/api/traces?limit=50"},
	} {
		for _, kept := range []bool{false, true} {
			b.Run(fmt.Sprintf("of=%s/kept=%t", of.name, kept), func(b *testing.B) {
				for b.Loop() {
					if !kept {
						b.StopTimer()
						if err := os.RemoveAll(foldedFolder(data)); err != nil {
							b.Fatal(err)
						}
						b.StartTimer()
					}
					_, folded := look(b, data, of.need, of.path)
					b.ReportMetric(float64(folded), "folded")
				}
			})
		}
	}
}
