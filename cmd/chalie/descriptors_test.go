//go:build unix

package main

import (
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// startWithFiles starts the program with so many files that it may have open.
func startWithFiles(t *testing.T, data string, files int) *victim {
	t.Helper()
	script := fmt.Sprintf(`ulimit -n %d && exec chalie "$@"`, files)
	return startVictimBy(t, data, exec.Command("sh", append([]string{"-c", script, "sh"}, serving(data)...)...))
}

// Strangers who only connect take nothing from the log, and keep nobody out: whatever is
// sent meanwhile is recorded, over a kept connection and over new ones, nothing is called
// damaged, and when they go everything is as before.
func TestConnectionsTakeNoFilesOfTheLog(t *testing.T) {
	for _, files := range []int{208, 256} {
		t.Run(fmt.Sprint(files), func(t *testing.T) {
			data := t.TempDir()
			v := startVictim(t, data)
			v.ready()
			token := v.issueToken()
			for i := range 20 { // which the next start moves into a table
				v.signalled(token, fmt.Sprintf("before %d", i))
			}
			v.stop()
			v = startWithFiles(t, data, files)
			v.ready()
			crowd := make([]net.Conn, 0, 2*files)
			connect := func() {
				c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(v.address, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				_, _ = c.Write([]byte("GET / HTTP/1.1\r\nX-Slow: "))
				crowd = append(crowd, c)
			}
			for range 2 * files {
				connect()
			}
			for i := range 60 {
				connect()
				if got := v.signalled(token, fmt.Sprintf("meanwhile %d %s", i, strings.Repeat("x", 2000))); got != http.StatusAccepted {
					t.Fatalf("signal %d under the attack was answered %d", i, got)
				}
			}
			page := v.wants(http.StatusOK, http.MethodGet, "socket:/api/log?limit=200", "")
			if n := strings.Count(page, "meanwhile "); n < 60 {
				t.Errorf("the log tells of %d signals, want 60", n)
			}
			v.wants(http.StatusOK, http.MethodGet, "socket:/api/verify", "")
			for _, c := range crowd {
				_ = c.Close()
			}
			if got := v.signalled(token, "after"); got != http.StatusAccepted {
				t.Errorf("a signal after the attack was answered %d", got)
			}
			v.stop()
			said := v.said.String()
			if strings.Contains(said, "damaged") || strings.Contains(said, "corrupt") || strings.Contains(said, "backup") {
				t.Errorf("the program speaks of damage:\n%s", said)
			}
			if !strings.Contains(said, "too many connections") {
				t.Errorf("the program doesn't say that it was crowded:\n%s", said)
			}
		})
	}
}

// Whatever the limit is, the shares fit into it, or leave the fewest connections.
func TestShareOut(t *testing.T) {
	for limit := range 1<<20 + 1 {
		d := shareOut(limit)
		b := d.connections(atRest, 18)
		if limit == 0 {
			continue
		}
		taken := atRest + d.logTables + 18*d.tables + d.others + b.Total
		if b.Total > fewest && taken > limit || b.Total < fewest || b.PerPlace > b.Total || b.PerPlace < fewest || d.logTables < 1 || d.tables < 1 {
			t.Fatalf("of %d files %d are taken: %+v, %+v", limit, taken, d, b)
		}
	}
}
