package wsapi

import (
	"fmt"
	"sync/atomic"
	"testing"

	"chalie/domain"
)

// BenchmarkBroadcast sends one frame to some hundred clients over loopback, from
// the append until each has read it. The clients run in the same process and on
// the same processors, and take the larger share.
func BenchmarkBroadcast(b *testing.B) {
	for _, clients := range []int{100, 500} {
		b.Run(fmt.Sprint(clients), func(b *testing.B) {
			h := newHouse(b)
			srv := h.serve(b)
			var missing atomic.Int64
			all := make(chan struct{}, 1)
			for range clients {
				p := connect(b, srv)
				p.say(`{"type":"pong"}`)
				go func() {
					buf := make([]byte, 4096)
					for {
						n, err := p.in.Read(buf)
						if err != nil {
							return
						}
						if missing.Add(-int64(n)) <= 0 {
							select {
							case all <- struct{}{}:
							default:
							}
						}
					}
				}()
			}
			for b.Loop() {
				frame := textFrame(mustMarshal(statusJSON{domain.FrameStatus, domain.StageProcessing, "", domain.SeqOf(h.log.Tail()+1, 0)}))
				missing.Store(int64(len(frame) * clients))
				h.status(b)
				<-all
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(clients), "ns/client")
		})
	}
}
