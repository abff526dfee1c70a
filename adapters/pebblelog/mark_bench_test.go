package pebblelog_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// unmarked is a file system that refuses the mark of the log's end.
type unmarked struct{ vfs.FS }

func (f unmarked) OpenReadWrite(name string, c vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	if filepath.Base(name) == "MARK" {
		return nil, errors.New("no mark is wanted")
	}
	return f.FS.OpenReadWrite(name, c, opts...)
}

// BenchmarkMark compares appending with the mark of the log's end and without, in
// turns, so that what else the machine does is in both. It reports by how much
// the median is slower with it, in percent.
func BenchmarkMark(b *testing.B) {
	for _, publishers := range []int{1, 64} {
		b.Run(fmt.Sprintf("publishers=%d", publishers), func(b *testing.B) {
			var logs [2]*pebblelog.Log
			for i, fs := range []vfs.FS{vfs.Default, unmarked{vfs.Default}} {
				l, err := pebblelog.Open(pebblelog.Config{Dir: b.TempDir(), Clock: wall{}, FS: fs})
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { _ = l.Close() })
				logs[i] = l
			}
			var spent [2][]time.Duration
			for n := 0; b.Loop(); n++ {
				for turn := range 2 {
					i := (n + turn) % 2
					began := time.Now()
					appendEach(b, logs[i], publishers)
					spent[i] = append(spent[i], time.Since(began))
				}
			}
			for i := range spent {
				slices.Sort(spent[i])
			}
			with, without := spent[0][len(spent[0])/2], spent[1][len(spent[1])/2]
			b.ReportMetric(100*(with.Seconds()/without.Seconds()-1), "%more")
		})
	}
}

// appendEach has each publisher append ten envelopes, one after the other.
func appendEach(b *testing.B, l *pebblelog.Log, publishers int) {
	var wg sync.WaitGroup
	for range publishers {
		wg.Go(func() {
			for n := range 10 {
				if _, err := l.Append(b.Context(), domain.Batch{Entries: []domain.Entry{signal(n)}}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
