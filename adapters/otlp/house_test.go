package otlp_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"chalie/adapters/otlp"
	"chalie/adapters/otlp/otlptest"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// house is a log in memory that a test fills, a second after the other.
type house struct {
	t     testing.TB
	clock *domaintest.Clock
	ids   *domaintest.IDs
	log   *watched
}

// watched is a log that tells how far a follower has noted to be.
type watched struct {
	*memlog.Log
	mu      sync.Mutex
	at      domain.Position
	changed chan struct{}
}

func (w *watched) SaveCheckpoint(ctx context.Context, name string, pos domain.Position) error {
	err := w.Log.SaveCheckpoint(ctx, name, pos)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = pos
	close(w.changed)
	w.changed = make(chan struct{})
	return err
}

// noted waits until a follower has noted a position.
func (w *watched) noted(t testing.TB, pos domain.Position) {
	t.Helper()
	for {
		w.mu.Lock()
		at, changed := w.at, w.changed
		w.mu.Unlock()
		if at == pos {
			return
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatal("the test ended before the follower got so far")
		}
	}
}

func newHouse(t testing.TB) *house {
	clock := domaintest.NewClock()
	return &house{t, clock, domaintest.NewIDs(clock, 1), &watched{Log: memlog.New(clock), changed: make(chan struct{})}}
}

// put appends what cause led to; without a cause it begins a trace.
func put[P any](h *house, cause domain.Envelope, payload P, change ...func(*domain.Envelope)) domain.Envelope {
	h.t.Helper()
	h.clock.Advance(time.Second)
	lin := domain.Begin(h.ids.NewTrace(), domain.PrincipalOperator)
	if !cause.ID.IsZero() {
		lin = domain.Continue(cause)
	}
	entry, err := domain.New(lin, h.ids.NewID(), domain.MillisOf(h.clock.Now()), "test", payload)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, c := range change {
		c(&entry.Envelope)
	}
	if _, err := h.log.Append(h.t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		h.t.Fatal(err)
	}
	return entry.Envelope
}

func keyed(keys ...domain.Key) func(*domain.Envelope) {
	return func(e *domain.Envelope) { e.Keys = append(e.Keys, keys...) }
}

func faulty(code domain.Code) func(*domain.Envelope) {
	return func(e *domain.Envelope) {
		e.Errors = []domain.Fault{{Code: code, Message: "the plumber is at 12 Privet Drive"}}
	}
}

// following is a follower that runs until the test, or whoever stops it, ends it.
type following struct {
	*otlp.Follower
	said *trail
	stop func()
}

// follow runs a follower over the house's log.
func (h *house) follow(target otlp.Target) *following { return h.followWithin(target, 0) }

func (h *house) followWithin(target otlp.Target, within time.Duration) *following {
	h.t.Helper()
	said := newTrail()
	f, err := otlp.New(h.t.Context(), otlp.Config{Log: h.log, Target: target, Clock: h.clock, Version: "1.2.3",
		Gather: time.Millisecond, Retry: time.Millisecond, Within: within, Logger: slog.New(slog.NewTextHandler(said, nil))})
	if err != nil {
		h.t.Fatal(err)
	}
	return &following{f, said, runUntil(h.t, f)}
}

func target(t testing.TB, url string, content bool) otlp.Target {
	t.Helper()
	out, err := otlp.Settings{URL: url, Content: content, Lookup: nothingSet}.Read()
	if err != nil {
		t.Fatal(err)
	}
	return *out
}

func nothingSet(string) (string, bool) { return "", false }

// trail is what was logged.
type trail struct {
	mu    sync.Mutex
	text  strings.Builder
	wrote chan struct{} // closed and replaced with every line
}

func newTrail() *trail { return &trail{wrote: make(chan struct{})} }

func (t *trail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.wrote)
	t.wrote = make(chan struct{})
	return t.text.Write(p)
}

func (t *trail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.String()
}

// await waits until something was logged.
func (t *trail) await(tb testing.TB, what string) {
	tb.Helper()
	for {
		t.mu.Lock()
		found, wrote := strings.Contains(t.text.String(), what), t.wrote
		t.mu.Unlock()
		if found {
			return
		}
		select {
		case <-wrote:
		case <-tb.Context().Done():
			tb.Fatal("the test ended before it was logged")
		}
	}
}

// span is what collectors keep.
type span = tracepb.Span

// spanOf is the id of the span that an envelope begins.
func spanOf(e domain.Envelope) string { return string(e.ID[8:]) }

// has waits until the collector has the spans that these envelopes begin.
func has(t testing.TB, c *otlptest.Collector, begins ...domain.Envelope) map[string]*tracepb.Span {
	t.Helper()
	known := map[string]*tracepb.Span{}
	c.Await(t, func(spans []*tracepb.Span, _ int) bool {
		for _, s := range spans {
			known[string(s.SpanId)] = s
		}
		for _, e := range begins {
			if known[spanOf(e)] == nil {
				return false
			}
		}
		return true
	})
	return known
}
