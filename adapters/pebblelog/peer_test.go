package pebblelog_test

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2"
)

func BenchmarkRaw(b *testing.B) {
	for _, publishers := range []int{1, 64, 512} {
		b.Run(fmt.Sprintf("publishers=%d", publishers), func(b *testing.B) {
			l, err := pebble.Open(b.TempDir(), &pebble.Options{MemTableSize: 64 << 20, FormatMajorVersion: pebble.FormatNewest, Logger: quiet{}})
			if err != nil {
				b.Fatal(err)
			}
			defer l.Close()
			var left atomic.Int64
			left.Store(int64(b.N))
			var wg sync.WaitGroup
			val := make([]byte, 420)
			_, _ = rand.Read(val[:200])
			cpu := cpuNow()
			b.ResetTimer()
			for range publishers {
				wg.Go(func() {
					for {
						n := left.Add(-1)
						if n < 0 {
							return
						}
						if err := l.Set(binary.BigEndian.AppendUint64([]byte{'r'}, uint64(b.N)-uint64(n)), val, pebble.Sync); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.StopTimer()
			reportCPU(b, cpu)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "env/s")
		})
	}
}

type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(string, ...any) {}
