package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chalie/adapters/argon2"
	"chalie/adapters/sysclock"
	"chalie/adapters/unixsocket"
)

// hurried is the machine's clock with a minute more for each request, so that the contract's
// thirty a minute don't end the benchmark.
type hurried struct {
	sysclock.Clock
	minutes atomic.Int64
}

// Now implements domain.Clock.
func (h *hurried) Now() time.Time {
	return h.Clock.Now().Add(time.Duration(h.minutes.Load()) * time.Minute)
}

// BenchmarkFirstSound measures how long it is from the request of a sentence of 200 characters
// to the first byte of its sound. It is compared with Flite alone, without Chalie.
func BenchmarkFirstSound(b *testing.B) {
	hasEngines(b)
	const characters = 200
	sentence := strings.Repeat("this sentence goes on and on and ", 7)[:characters-1] + "."
	clock := &hurried{}
	app, err := Open(b.Context(), Config{Addr: "127.0.0.1:0", Data: filepath.Join(b.TempDir(), "data"), Passwords: argon2.Config{MemoryKiB: 64, Passes: 1}, Clock: clock})
	if err != nil {
		b.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- app.Run(ctx) }()
	defer func() {
		end()
		if err := <-ended; err != nil {
			b.Error(err)
		}
	}()
	if err := waitReady("http://" + app.Addr()); err != nil {
		b.Fatal(err)
	}
	client := unixsocket.Client(app.cfg.Data)
	defer client.CloseIdleConnections()
	b.Run("Chalie", func(b *testing.B) {
		var times []time.Duration
		for b.Loop() {
			clock.minutes.Add(1)
			began := time.Now()
			resp, err := client.Post(unixsocket.BaseURL+"/api/voice/tts", "application/json", strings.NewReader(fmt.Sprintf(`{"text":%q}`, sentence)))
			if err != nil {
				b.Fatal(err)
			}
			var first [1]byte
			if _, err := io.ReadFull(resp.Body, first[:]); err != nil || resp.StatusCode != http.StatusOK {
				b.Fatal(resp.Status, err)
			}
			times = append(times, time.Since(began))
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		slices.Sort(times)
		b.ReportMetric(quantile(times, 50), "p50-ms")
		b.ReportMetric(times[len(times)-1].Seconds()*1000, "worst-ms")
	})
	b.Run("Flite alone", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command("flite", "-voice", "slt", "-f", "/dev/stdin", "-o", filepath.Join(b.TempDir(), "out.wav"))
			cmd.Stdin = strings.NewReader(sentence + "\n")
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
		}
	})
}
