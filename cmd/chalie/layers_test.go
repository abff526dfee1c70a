package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"chalie/adapters/argon2"
	"chalie/adapters/otlp"
	"chalie/adapters/otlp/otlptest"
	"chalie/adapters/watermillbus/layers"
	"chalie/commands"
	"chalie/domain"
)

// What applies to every append is in the layers of the bus, and nowhere else: without one
// of them its promise falls, and the others hold.
func TestEachLayerKeepsItsPromise(t *testing.T) {
	for without, leave := range map[string]func(*layers.Config){
		"nothing": func(*layers.Config) {},
		"spans":   func(c *layers.Config) { c.Spans = nil },
		"metrics": func(c *layers.Config) { c.Meter = nil },
		"screen":  func(c *layers.Config) { c.Screen = nil },
		"limits":  func(c *layers.Config) { c.Limits = nil },
	} {
		t.Run("without "+without, func(t *testing.T) {
			t.Parallel()
			kept := promisesKept(t, leave)
			for promise, is := range kept {
				if is != (promise != without) {
					t.Errorf("the promise of %s: kept is %t", promise, is)
				}
			}
			if names := slices.Sorted(maps.Keys(kept)); len(names) != 4 {
				t.Errorf("looked at %v", names)
			}
		})
	}
}

// promisesKept runs a program without some layers, and says which promises it keeps, by
// their layers.
func promisesKept(t *testing.T, leave func(*layers.Config)) map[string]bool {
	t.Helper()
	const secret = "ghp_x7Kq9ZbT2mWv4LcR8nYp3HsD6fGj5Qa1E0uJ"
	collector := otlptest.HTTP(t)
	app, err := Open(t.Context(), Config{Addr: "127.0.0.1:0", Data: t.TempDir(), SignalRate: 1, Passwords: argon2.Config{MemoryKiB: 64, Passes: 1},
		Telemetry: &otlp.Target{URL: collector.URL + "/v1/traces", Protocol: otlp.HTTP}, Logger: slog.New(slog.DiscardHandler), layers: leave})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	exported := make(chan error, 1)
	go func() { exported <- app.exporter.Run(ctx) }()
	defer func() {
		stop()
		if err := errors.Join(<-exported, app.Close()); err != nil {
			t.Error(err)
		}
	}()
	station := commands.TokenCaller(domain.Token{Name: "station"})
	if _, err := app.bus.Append(t.Context(), domain.Batch{Entries: []domain.Entry{{Topic: "nowhere",
		Envelope: domain.Envelope{ID: app.cfg.IDs.NewID(), Trace: domain.TraceID{ID: app.cfg.IDs.NewID()}}}}}); err == nil {
		t.Fatal("an envelope of no kind was appended")
	}
	id, err := app.core.signals.Submit(t.Context(), station, domain.SignalReceived{SignalType: "other", Content: "use " + secret, ActivationEnergy: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	_, first := app.core.messages.Say(t.Context(), station, domain.MessageReceived{Text: "hello " + secret})
	_, second := app.core.messages.Say(t.Context(), station, domain.MessageReceived{Text: "hello again"})
	_, signal := app.core.signals.Submit(t.Context(), station, domain.SignalReceived{SignalType: "other", Content: "more", ActivationEnergy: 0.4})
	if first != nil {
		t.Fatal(first)
	}
	records, err := app.log.Select(t.Context(), domain.Selector{}, 1, 100)
	if err != nil {
		t.Fatal(err)
	}
	clean := !slices.ContainsFunc(records, func(rec domain.Record) bool { return strings.Contains(string(rec.Envelope.Payload.Bytes), secret) })
	scraped := httptest.NewRecorder()
	app.numbers.ServeHTTP(scraped, httptest.NewRequest(http.MethodGet, "/metrics", http.NoBody))
	// What failed is sent before what the log has of later.
	sent := collector.Await(t, func(spans []*tracepb.Span, _ int) bool {
		return slices.ContainsFunc(spans, func(s *tracepb.Span) bool { return bytes.Equal(s.TraceId, id[:]) })
	})
	limited := func(err error) bool { return domain.CodeOf(err) == domain.CodeRateLimited }
	return map[string]bool{
		"screen":  clean,
		"limits":  limited(signal) && limited(second),
		"metrics": strings.Contains(scraped.Body.String(), `chalie_envelopes_appended_total{topic="signals"}`) && strings.Contains(scraped.Body.String(), `chalie_append_failures_total{code="invalid"} 1`),
		"spans": slices.ContainsFunc(sent, func(s *tracepb.Span) bool {
			return s.Name == "append nowhere" && s.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR
		}),
	}
}
