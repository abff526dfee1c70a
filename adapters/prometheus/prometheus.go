// Package prometheus tells how Chalie does in numbers, in the format that Prometheus
// scrapes. Make [Metrics] with New; its registry is its own.
//
// # What is counted
//
// Requests are counted as they are answered, and appends as they end. All else is asked for when somebody scrapes:
// gauges through [Sources], and what became of calls of tools and models by reading what
// the log has of them since the scrape before. So nothing is counted twice or missed, and
// where nobody scrapes it costs nothing.
//
// No metric holds what anybody said: labels are names of routes, projections, consumers
// and models.
//
// # Failure
//
// A source that fails leaves its own metrics out of that scrape, and the failure is
// logged. What the log could not be asked for comes with the next.
//
// Metrics is safe for concurrent use.
package prometheus

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"chalie/domain"
	"chalie/projections"
)

// Log is what is read of the log.
type Log interface {
	domain.Reader
	Tail() domain.Position
}

// Sources are what is asked at a scrape. Log is required; what is nil is left out.
type Sources struct {
	Log         Log
	Projections func(ctx context.Context) []projections.Status
	Clients     func() int                // on the socket
	Queues      func() map[string]int     // how many wait, by consumer
	Storage     func() map[string]float64 // of the log's store, by their names; what only grows ends in _total
	Cluster     func() map[string]float64 // of the cluster that keeps the log, by their names
	Logger      *slog.Logger              // default: nothing is logged
}

// Metrics are the numbers of one program.
type Metrics struct {
	from     Sources
	scraped  http.Handler
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	limited  *prometheus.CounterVec
	tools    *prometheus.CounterVec
	models   *prometheus.CounterVec
	appended *prometheus.CounterVec
	refused  *prometheus.CounterVec
	append   prometheus.Histogram

	mu   sync.Mutex // held while the log is read
	next domain.Position
}

// New makes the numbers. What the log holds by then is not counted.
func New(from Sources) (*Metrics, error) {
	if from.Log == nil {
		return nil, domain.Invalid("configure metrics", "Log", "Log is required")
	}
	if from.Logger == nil {
		from.Logger = slog.New(slog.DiscardHandler)
	}
	m := &Metrics{
		from: from, next: from.Log.Tail() + 1,
		requests: counter("chalie_http_requests_total", "Requests that were answered.", "method", "route", "status"),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "chalie_http_request_seconds", Help: "How long answering took.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route"}),
		limited:  counter("chalie_rate_limit_refusals_total", "Requests that were refused because there were too many.", "route"),
		tools:    counter("chalie_tool_invocations_total", "Invocations of tools that ended, by what came of them.", "outcome"),
		models:   counter("chalie_model_calls_total", "Calls of models, by whether they answered.", "model", "outcome"),
		appended: counter("chalie_envelopes_appended_total", "Envelopes that were appended since the start.", "topic"),
		refused:  counter("chalie_append_failures_total", "Appends that failed or were refused, by the code of their error.", "code"),
		append: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "chalie_append_seconds", Help: "How long appends took, from the sender to the disk.",
			Buckets: []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5},
		}),
	}
	registry := prometheus.NewRegistry()
	for _, c := range []prometheus.Collector{
		m.requests, m.took, m.limited, m.tools, m.models, m.appended, m.refused, m.append, asked{m},
		//nolint:staticcheck // their own package links database/sql, for a collector nobody needs here
		prometheus.NewGoCollector(), prometheus.NewProcessCollector(prometheus.ProcessCollectorOpts{}),
	} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	m.scraped = promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, ErrorHandling: promhttp.ContinueOnError})
	return m, nil
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

// Answered counts a request.
func (m *Metrics) Answered(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.took.WithLabelValues(route).Observe(took.Seconds())
	if status == http.StatusTooManyRequests {
		m.limited.WithLabelValues(route).Inc()
	}
}

// Appended counts an append that has ended. A repeat of one counts nothing.
func (m *Metrics) Appended(a domain.Appended) {
	m.append.Observe(a.Took.Seconds())
	switch {
	case a.Err != nil:
		m.refused.WithLabelValues(string(domain.CodeOf(a.Err))).Inc()
	case !a.Receipt.Duplicate:
		for i := range a.Batch.Entries {
			m.appended.WithLabelValues(string(a.Batch.Entries[i].Topic)).Inc()
		}
	}
}

// ServeHTTP answers a scrape.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := m.catchUp(r.Context()); err != nil && r.Context().Err() == nil {
		m.from.Logger.WarnContext(r.Context(), "what became of calls could not be counted", slog.Any("error", err))
	}
	m.scraped.ServeHTTP(w, r)
}

// catchUp counts what the log has taken in since it was read last.
func (m *Metrics) catchUp(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	tail := m.from.Log.Tail()
	// All is read before any of it counts, or a failure on the way would count some twice.
	var calls []domain.Envelope
	for _, topic := range []domain.Topic{domain.TopicTools, domain.TopicReasoning} {
		found, err := m.calls(ctx, topic, tail)
		if err != nil {
			return err
		}
		calls = append(calls, found...)
	}
	for _, env := range calls {
		m.count(env)
	}
	m.next = tail + 1
	return nil
}

// page is how many records are read at once.
const page = 512

// calls are the ends of calls in a topic, through a position.
func (m *Metrics) calls(ctx context.Context, topic domain.Topic, tail domain.Position) (out []domain.Envelope, err error) {
	for from := m.next; from <= tail; {
		records, err := m.from.Log.Select(ctx, domain.Selector{Topic: topic}, from, page)
		if err != nil {
			return nil, err
		}
		for _, rec := range records {
			if rec.Position > tail {
				return out, nil
			}
			switch rec.Envelope.Type {
			case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType, domain.ModelRepliedType, domain.ModelFailedType:
				out = append(out, rec.Envelope)
			}
			from = rec.Position + 1
		}
		if len(records) < page {
			return out, nil
		}
	}
	return out, nil
}

// count takes in what an envelope says of a call. One that was erased counts by its type.
func (m *Metrics) count(env domain.Envelope) {
	switch env.Type {
	case domain.ToolCompletedType:
		outcome := "done"
		if p, err := domain.Decode[domain.ToolCompleted](env); err == nil && p.Error != nil {
			outcome = "said_it_failed"
		}
		m.tools.WithLabelValues(outcome).Inc()
	case domain.ToolFailedType:
		m.tools.WithLabelValues("failed").Inc()
	case domain.ToolOutcomeUnknownType:
		m.tools.WithLabelValues("unknown").Inc()
	case domain.ModelRepliedType:
		p, _ := domain.Decode[domain.ModelReplied](env)
		m.models.WithLabelValues(p.Model, "answered").Inc()
	case domain.ModelFailedType:
		p, _ := domain.Decode[domain.ModelFailed](env)
		m.models.WithLabelValues(p.Model, "failed").Inc()
	}
}
