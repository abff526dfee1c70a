package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"chalie/adapters/httpapi"
)

// counting notes what it is told.
type counting struct{ told []string }

func (c *counting) Answered(method, route string, status int, _ time.Duration) {
	c.told = append(c.told, fmt.Sprint(method, " ", route, " ", status))
}

func (c *counting) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	_, _ = io.WriteString(w, "up 1\n")
}

// Every request of a route is counted by its pattern, whatever came of it. The numbers are
// for this machine, and for the operator.
func TestMetrics(t *testing.T) {
	told := &counting{}
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Metrics = told }})
	b.call("GET", "/metrics", "", fromHere).wants(200, "up 1")
	b.call("GET", "/metrics", "").wants(401)
	b.call("GET", "/metrics", "", fromHere, header("X-Forwarded-For", "192.0.2.7")).wants(401)
	b.call("GET", "/metrics", "", fromHere, func(r *http.Request) { r.Host = "chalie.example" }).wants(401)
	b.socket("GET", "/metrics", "").wants(200, "up 1")
	b.socket("GET", "/api/log/pos:7", "").wants(404)
	b.socket("GET", "/nowhere", "").wants(404)
	want := []string{
		"GET /metrics 200", "GET /metrics 401", "GET /metrics 401", "GET /metrics 401", "GET /metrics 200", "GET /api/log/{id} 404",
	}
	if !slices.Equal(told.told, want) {
		t.Errorf("counted %q, want %q", told.told, want)
	}
}

// Where nothing runs there are no numbers.
func TestNoMetrics(t *testing.T) {
	newBench(t, settings{}).socket("GET", "/metrics", "").wants(503, "chalie serve")
}
