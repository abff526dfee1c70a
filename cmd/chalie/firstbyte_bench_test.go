package main

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// firstByteRecords is how many envelopes stand in the log of BenchmarkFirstByte.
const firstByteRecords = 1_000_000

// BenchmarkFirstByte asks for every page that can be reached from /, and tells when
// its first byte is there. That is to be within 100 ms, however long the log is.
func BenchmarkFirstByte(b *testing.B) {
	if testing.Short() {
		b.Skip("it fills a log with a million records")
	}
	data := filepath.Join(b.TempDir(), "data")
	fillReady(b, data, firstByteRecords)
	p := &benched{b: b, app: ready(b, data)}
	p.address = "http://" + p.app.Addr()
	p.serve()
	pages := crawl(3, func(link string) []string {
		status, took, links := p.page(link)
		if status >= http.StatusBadRequest {
			b.Errorf("%s is answered %d", link, status)
		}
		if took > 100*time.Millisecond {
			b.Logf("the first visit of %s took %s", link, took)
		}
		return links
	})
	for _, kind := range slices.Sorted(maps.Keys(pages)) {
		if _, took, _ := p.page(pages[kind][0]); took == 0 {
			continue
		}
		b.Run(strings.TrimPrefix(kind, "/"), func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				for _, link := range pages[kind] {
					status, took, _ := p.page(link)
					if status >= http.StatusBadRequest {
						b.Fatalf("%s is answered %d", link, status)
					}
					times = append(times, took)
				}
			}
			slices.Sort(times)
			b.ReportMetric(quantile(times, 50), "p50-ms")
			b.ReportMetric(quantile(times, 99), "p99-ms")
			b.ReportMetric(times[len(times)-1].Seconds()*1000, "worst-ms")
		})
	}
}

// page opens a link as the person, and tells after what time its first byte came, and
// where it leads.
func (p *benched) page(link string) (status int, first time.Duration, links []string) {
	p.b.Helper()
	began := time.Now()
	ctx := httptrace.WithClientTrace(p.b.Context(), &httptrace.ClientTrace{GotFirstResponseByte: func() { first = time.Since(began) }})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.address+link, http.NoBody)
	if err != nil {
		p.b.Fatal(err)
	}
	req.Header.Set("Cookie", p.cookie)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		p.b.Fatal(err)
	}
	defer resp.Body.Close()
	// Pages are measured, and not what they lead to beside: a log to save may be long.
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return resp.StatusCode, 0, nil
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		p.b.Fatal(err)
	}
	if on := onSite(resp.Header.Get("Location"), p.address); on != "" {
		return resp.StatusCode, first, []string{on}
	}
	return resp.StatusCode, first, linksOf(string(text))
}
