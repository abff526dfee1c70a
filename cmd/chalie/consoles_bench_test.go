package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gobwas/ws"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// BenchmarkConsoles sends 200 events a second to a thousand consoles over loopback, each event
// durable before it is sent. It tells how long after its append an event reached a console;
// every console has every event in the end. The clients run on the same processors.
func BenchmarkConsoles(b *testing.B) {
	const clients, perSecond = 1000, 200
	p := openBenched(b)
	p.serve()
	issued, err := p.app.core.accounts.IssueToken(b.Context(), commands.OperatorCaller("bench"), "consoles", []string{commands.ScopeConsole})
	if err != nil {
		b.Fatal(err)
	}
	dialer := ws.Dialer{Header: ws.HandshakeHeaderHTTP(http.Header{"X-Api-Key": {issued.Text}}), Timeout: patience}
	var had atomic.Int64
	var reading sync.WaitGroup
	begin := make(chan time.Time, 1<<16)
	var took []time.Duration
	for i := range clients {
		conn, early, _, err := dialer.Dial(b.Context(), "ws"+strings.TrimPrefix(p.address, "http")+"/ws/events")
		if err != nil {
			b.Fatal(err)
		}
		if early != nil {
			b.Fatal("a console was sent something with the handshake")
		}
		b.Cleanup(func() { _ = conn.Close() })
		if err := ws.WriteFrame(conn, ws.MaskFrame(ws.NewTextFrame([]byte(`{"type":"ping"}`)))); err != nil {
			b.Fatal(err)
		}
		if err := pass(conn, `"type":"pong"`); err != nil {
			b.Fatal(err)
		}
		reading.Go(func() {
			buf := make([]byte, 64<<10)
			for {
				n, err := conn.Read(buf)
				if err != nil {
					return
				}
				events := bytes.Count(buf[:n], []byte(`"type":"voice.tts"`))
				had.Add(int64(events))
				if i == 0 { // one of them tells the time
					for range events {
						took = append(took, time.Since(<-begin))
					}
				}
			}
		})
	}
	env := p.app.env()
	every := time.NewTicker(time.Second / perSecond)
	defer every.Stop()
	b.ResetTimer()
	sent := 0
	began := time.Now()
	for b.Loop() {
		<-every.C
		id := env.IDs.NewID()
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, env.Now(), "bench", domain.TTSStarted{Text: "one two three", Voice: "default", Speed: domain.One, Language: "en", Sentences: 1})
		if err != nil {
			b.Fatal(err)
		}
		at := time.Now()
		if _, err := env.Log.Append(b.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
			b.Fatal(err)
		}
		begin <- at
		sent++
	}
	rate := float64(sent) / time.Since(began).Seconds()
	domaintest.Until(b, "every console has every event", func() bool { return had.Load() == int64(sent*clients) })
	b.StopTimer()
	b.ReportMetric(rate, "events/s")
	slices.Sort(took)
	if len(took) > 0 {
		b.ReportMetric(quantile(took, 50), "p50-ms")
		b.ReportMetric(quantile(took, 99), "p99-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// pass reads through a text.
func pass(conn net.Conn, text string) error {
	var read []byte
	one := make([]byte, 1)
	for !bytes.HasSuffix(read, []byte(text)) {
		if _, err := io.ReadFull(conn, one); err != nil {
			return err
		}
		read = append(read, one...)
	}
	return nil
}
