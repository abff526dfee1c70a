package models_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/adapters/models"
	"chalie/domain"
	"chalie/domain/language"
)

// answered is one response of a provider.
type answered func(w http.ResponseWriter, r *http.Request)

// provider is a local server that answers in order, the last answer for ever.
type provider struct {
	*httptest.Server
	mu      sync.Mutex
	answers []answered
	asked   []question
}

type question struct {
	path   string
	header http.Header
	body   string
}

func newProvider(t *testing.T, answers ...answered) *provider {
	t.Helper()
	p := &provider{answers: answers}
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	p.mu.Lock()
	n := min(len(p.asked), len(p.answers)-1)
	p.asked = append(p.asked, question{r.URL.Path, r.Header.Clone(), string(body)})
	answer := p.answers[n]
	p.mu.Unlock()
	answer(w, r)
}

func (p *provider) questions() []question {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]question(nil), p.asked...)
}

// sent decodes the body of the n-th question, from 0.
func (p *provider) sent(t *testing.T, n int) map[string]any {
	t.Helper()
	asked := p.questions()
	if n >= len(asked) {
		t.Fatalf("there were %d questions", len(asked))
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(asked[n].body), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// streams answers with events.
func streams(events ...event) answered {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		write(w, events)
	}
}

func write(w http.ResponseWriter, events []event) {
	for _, e := range events {
		if e.name != "" {
			fmt.Fprintf(w, "event: %s\n", e.name)
		}
		fmt.Fprintf(w, "data: %s\n\n", e.data)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
	}
}

// breaks answers with events, and drops the connection behind them.
func breaks(events ...event) answered {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		write(w, events)
		panic(http.ErrAbortHandler)
	}
}

// hangs answers with events, and then nothing until the client has gone.
func hangs(events ...event) answered {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		write(w, events)
		<-r.Context().Done()
	}
}

// refuses answers with an HTTP error.
func (d dialect) refuses(status int, kind, message string, header ...string) answered {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, d.refusal(status, kind, message))
	}
}

// says is the shortest way to a provider that says something.
func (d dialect) says(s spoken) answered { return streams(d.stream(s)...) }

// patience is a configuration whose pauses are only noted.
type patience struct {
	mu     sync.Mutex
	pauses []time.Duration
}

func (p *patience) wait(ctx context.Context, d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pauses = append(p.pauses, d)
	return ctx.Err()
}

func (p *patience) waited() []time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]time.Duration(nil), p.pauses...)
}

// model is a model of a dialect whose provider answers so.
func (d dialect) model(t *testing.T, answers ...answered) (*models.Model, *provider, *patience) {
	t.Helper()
	server, pauses := newProvider(t, answers...), &patience{}
	return d.modelAt(t, server, models.Config{Wait: pauses.wait}), server, pauses
}

func (d dialect) modelAt(t *testing.T, server *provider, cfg models.Config) *models.Model {
	t.Helper()
	if len(cfg.Choices) == 0 {
		cfg.Choices = []models.Choice{d.at(t, server.URL)}
	}
	list, err := models.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	m, ok := list[0].(*models.Model)
	if !ok {
		t.Fatalf("it is a %T", list[0])
	}
	t.Cleanup(m.Close)
	return m
}

// id is a fixed id.
func id(n int) domain.ID {
	out, err := domain.ParseID(fmt.Sprintf("01890a5d-ac96-774b-bcce-%012x", n))
	if err != nil {
		panic(err)
	}
	return out
}

const now = domain.Millis(1_790_000_000_000) // 21 September 2026, 14:13:20 UTC

// asks is a prompt of the person's.
func asks(text string) language.Prompt {
	return language.Prompt{Kind: language.AskedMessage, AsOf: now, Zone: time.UTC,
		Asked: language.Asked{ID: id(1), Text: text, Source: "operator", From: domain.PrincipalOperator, Via: "api"}}
}

func item(n int, kind domain.ItemKind, text string, salience domain.PPM) language.ContextItem {
	return language.ContextItem{SeenItem: domain.SeenItem{EnvelopeID: id(n), Kind: kind, Salience: salience}, Label: text,
		Source: "station", SignalType: "news", RecordedAt: now - 120_000}
}

func plainOf(r language.Reply) string { return domain.PlainText(r.Blocks) }

// contains checks that a text has all of these in it.
func contains(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%q is not in\n%s", w, text)
		}
	}
}
