package prometheus_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"

	"chalie/adapters/prometheus"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
)

// failing is a log that can't be read for a while.
type failing struct {
	*memlog.Log
	err error
}

func (f *failing) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if f.err != nil && s.Topic == domain.TopicReasoning {
		return nil, f.err
	}
	return f.Log.Select(ctx, s, from, limit)
}

func TestMetrics(t *testing.T) {
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	log := &failing{Log: memlog.New(clock)}
	said := "no table is free"
	add := func(entry domain.Entry, err error) {
		t.Helper()
		if err == nil {
			_, err = log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add(made(ids, clock, domain.ModelReplied{Model: "before"}))
	m, err := prometheus.New(prometheus.Sources{
		Log: log, Clients: func() int { return 3 }, Queues: func() map[string]int { return map[string]int{"person": 2} },
		Storage: func() map[string]float64 { return map[string]float64{"wal_bytes": 7, "flushes_total": 8} },
		Projections: func(context.Context) []projections.Status {
			return []projections.Status{{Name: "world", Position: 4, Lag: 5, LagTime: 1500 * time.Millisecond}}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	m.Answered("GET", "/api/log", 200, time.Millisecond)
	m.Answered("POST", "/api/signals", 429, time.Millisecond)
	add(made(ids, clock, domain.ModelReplied{Model: "one"}))
	add(made(ids, clock, domain.ModelFailed{Model: "one"}))
	add(made(ids, clock, domain.ToolCompleted{}))
	add(made(ids, clock, domain.ToolCompleted{Error: &said}))
	add(made(ids, clock, domain.ToolOutcomeUnknown{}))
	log.err = errors.New("the disk is slow")
	scrape(t, m)
	log.err = nil
	scrape(t, m)
	text := scrape(t, m)
	for _, want := range []string{
		`chalie_http_requests_total{method="GET",route="/api/log",status="200"} 1`, `chalie_http_request_seconds_count{route="/api/log"} 1`,
		`chalie_rate_limit_refusals_total{route="/api/signals"} 1`,
		`chalie_model_calls_total{model="one",outcome="answered"} 1`, `chalie_model_calls_total{model="one",outcome="failed"} 1`,
		`chalie_tool_invocations_total{outcome="done"} 1`, `chalie_tool_invocations_total{outcome="said_it_failed"} 1`, `chalie_tool_invocations_total{outcome="unknown"} 1`,
		"chalie_log_tail_position 6", "chalie_socket_clients 3", `chalie_queue_waiting{consumer="person"} 2`, "chalie_log_store_wal_bytes 7", "# TYPE chalie_log_store_wal_bytes gauge", "chalie_log_store_flushes_total 8", "# TYPE chalie_log_store_flushes_total counter",
		`chalie_projection_position{projection="world"} 4`, `chalie_projection_lag{projection="world"} 5`, `chalie_projection_lag_seconds{projection="world"} 1.5`,
		"go_goroutines ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "before") || strings.Contains(text, said) {
		t.Errorf("there is too much in\n%s", text)
	}
}

func made[P any](ids *domaintest.IDs, clock *domaintest.Clock, payload P) (domain.Entry, error) {
	id := ids.NewID()
	return domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, domain.MillisOf(clock.Now()), "test", payload)
}

// scrape is what Prometheus is told, as its own parser reads it.
func scrape(t *testing.T, m *prometheus.Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
	text := w.Body.String()
	var parser expfmt.TextParser
	if _, err := parser.TextToMetricFamilies(strings.NewReader(text)); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d, %v: %s", w.Code, err, text)
	}
	return text
}

func TestNoLog(t *testing.T) {
	if _, err := prometheus.New(prometheus.Sources{}); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("the error is %v", err)
	}
}
