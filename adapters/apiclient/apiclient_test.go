package apiclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // wherever the test runs

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/domain"
)

// ways is every way to the same handler.
func ways(t *testing.T, handler http.HandlerFunc) map[string]*apiclient.Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return map[string]*apiclient.Client{
		"over HTTP":  apiclient.New(server.Client(), server.URL),
		"in process": apiclient.InProcess(handler),
	}
}

func TestQuestions(t *testing.T) {
	var asked string
	clients := ways(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		asked = r.Method + " " + r.URL.RequestURI() + " " + string(body)
		_, _ = io.WriteString(w, `{}`)
	})
	id, err := domain.ParseID("01KB2V7WYQC3V8P0J6R4T5N9XE")
	if err != nil {
		t.Fatal(err)
	}
	for way, c := range clients {
		for want, ask := range map[string]func(context.Context) error{
			"GET /api/log?limit=1000 ": func(ctx context.Context) error { _, err := c.Log(ctx, apiclient.LogQuery{}); return err },
			"GET /api/log?from=7&limit=3&since=2d&topic=t&trace=x&type=a.b&wait=2s ": func(ctx context.Context) error {
				_, err := c.Log(ctx, apiclient.LogQuery{From: 7, Limit: 3, Topic: "t", Type: "a.b", Trace: "x", Since: "2d", Wait: 2e9})
				return err
			},
			"GET /api/spine ":                         func(ctx context.Context) error { _, err := c.Spine(ctx); return err },
			"GET /api/models ":                        func(ctx context.Context) error { _, err := c.Models(ctx); return err },
			"POST /api/models/check {\"name\":\"m\"}": func(ctx context.Context) error { _, err := c.CheckModel(ctx, "m"); return err },
			"GET /api/world ":                         func(ctx context.Context) error { _, err := c.World(ctx, ""); return err },
			"GET /api/world?at=%2B6h ":                func(ctx context.Context) error { _, err := c.World(ctx, "+6h"); return err },
			"GET /api/traces?limit=1000 ":             func(ctx context.Context) error { _, err := c.Traces(ctx, apiclient.TraceQuery{}); return err },
			"GET /api/traces?before=9&errors=true&limit=5&outcome=held&root=message&since=2d&source=s&tool=t&until=1h&words=a+b ": func(ctx context.Context) error {
				_, err := c.Traces(ctx, apiclient.TraceQuery{Before: 9, Limit: 5, Words: "a b", Outcome: "held", Root: "message", Source: "s", Tool: "t", Errors: true, Since: "2d", Until: "1h"})
				return err
			},
			"GET /api/tokens ":            func(ctx context.Context) error { _, err := c.Tokens(ctx); return err },
			"GET /api/sessions ":          func(ctx context.Context) error { _, err := c.Sessions(ctx); return err },
			"DELETE /api/sessions/7 ":     func(ctx context.Context) error { return c.EndSession(ctx, "7") },
			"DELETE /api/sessions ":       func(ctx context.Context) error { _, err := c.EndSessions(ctx); return err },
			"DELETE /api/tokens/weather ": func(ctx context.Context) error { return c.RevokeToken(ctx, "weather") },
			"GET /api/traces/" + id.String() + "?limit=1000 ": func(ctx context.Context) error {
				_, err := c.Trace(ctx, domain.TraceID{ID: id})
				return err
			},
			"GET /api/why/pos:42?zone=%2B02%3A00 ": func(ctx context.Context) error {
				_, err := c.Why(ctx, "pos:42", time.FixedZone("", 2*60*60))
				return err
			},
			"GET /api/why/a%2F%3Fb?zone=UTC ": func(ctx context.Context) error { _, err := c.Why(ctx, "a/?b", time.UTC); return err },
			"GET /api/why-not/a%2F%3Fb?try=false&zone=UTC ": func(ctx context.Context) error {
				_, err := c.WhyNot(ctx, "a/?b", time.UTC, false)
				return err
			},
			"GET /api/streams ":                      func(ctx context.Context) error { _, err := c.Streams(ctx); return err },
			"DELETE /api/streams/" + id.UUID() + " ": func(ctx context.Context) error { return c.RemoveStream(ctx, id) },
			`POST /api/streams {"url":"ws://x"}`:     func(ctx context.Context) error { _, err := c.AddStream(ctx, "ws://x", ""); return err },
			`POST /api/streams {"source":"s","url":"ws://x"}`: func(ctx context.Context) error {
				_, err := c.AddStream(ctx, "ws://x", "s")
				return err
			},
			`POST /api/tokens {"name":"w","signals":[]}`: func(ctx context.Context) error {
				_, err := c.IssueToken(ctx, "w", nil)
				return err
			},
		} {
			if err := ask(t.Context()); err != nil || asked != want {
				t.Errorf("%s: asked %q, want %q, %v", way, asked, want, err)
			}
		}
	}
}

// TestTraceIsWhole checks that the pages of a trace are put together.
func TestTraceIsWhole(t *testing.T) {
	clients := ways(t, func(w http.ResponseWriter, r *http.Request) {
		const line = `{"trace":{"envelopes":3,"later":"kept"},`
		if r.URL.Query().Get("from") == "" {
			_, _ = io.WriteString(w, line+`"records":[{"position":1,"envelope":{}},{"position":2,"envelope":{}}],"next":3}`)
			return
		}
		_, _ = io.WriteString(w, line+`"records":[{"position":3,"envelope":{}}]}`)
	})
	for way, c := range clients {
		trace, err := c.Trace(t.Context(), domain.TraceID{ID: domain.ID{1}})
		if err != nil {
			t.Fatal(way, err)
		}
		text, err := json.Marshal(trace)
		want := `{"trace":{"envelopes":3,"later":"kept"},"records":[{"position":1,"envelope":{}},{"position":2,"envelope":{}},{"position":3,"envelope":{}}]}`
		if err != nil || string(text) != want {
			t.Errorf("%s: %s, %v", way, text, err)
		}
	}
}

// TestFailsOnItsWay: an answer of lines that fails says so in its last one.
func TestFailsOnItsWay(t *testing.T) {
	clients := ways(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"position":5,"tail":10,"rate":5}`+"\n"+`{"error":"no","code":"model_key"}`+"\n")
	})
	for way, c := range clients {
		var told []api.Progress
		_, err := c.WhatIf(t.Context(), api.ReplayRequest{}, func(p api.Progress) { told = append(told, p) })
		if e, ok := errors.AsType[*domain.Error](err); !ok || e.Code != "model_key" || e.Message != "no" || len(told) != 1 || told[0].Tail != 10 {
			t.Errorf("%s: %v, after %+v", way, err, told)
		}
	}
}

func TestRefusals(t *testing.T) {
	var status int
	var body string
	clients := ways(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
	for _, c := range []struct {
		status    int
		body      string
		category  domain.Category
		code      domain.Code
		retriable bool
		message   string
	}{
		{400, `{"error":"at is wrong","code":"invalid"}`, domain.Validation, "invalid", false, "at is wrong"},
		{403, `{"error":"no"}`, domain.Policy, "refused", false, "no"},
		{404, `{"error":"none","code":"no_trace"}`, domain.NotFound, "no_trace", false, "none"},
		{409, `{"error":"taken"}`, domain.Conflict, "refused", false, "taken"},
		{503, `{"error":"later","code":"closed"}`, domain.Dependency, domain.CodeClosed, true, "later"},
		{502, `<html>`, domain.Dependency, "refused", false, "Chalie answered 502 Bad Gateway"},
	} {
		status, body = c.status, c.body
		for way, client := range clients {
			_, err := client.World(t.Context(), "")
			e, ok := errors.AsType[*domain.Error](err)
			if !ok || e.Category != c.category || e.Code != c.code || e.Retriable != c.retriable || !strings.HasPrefix(e.Message, c.message) {
				t.Errorf("%s, %d: %#v", way, c.status, err)
			}
		}
	}
	status, body = 200, `{"as_of":`
	for way, client := range clients {
		if _, err := client.World(t.Context(), ""); domain.CodeOf(err) != "unreadable_answer" {
			t.Errorf("%s: half an answer: %v", way, err)
		}
	}
}

func TestNobodyAnswers(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	_, err := apiclient.New(server.Client(), server.URL).World(t.Context(), "")
	if domain.CodeOf(err) != apiclient.CodeUnreachable || !domain.IsRetriable(err) {
		t.Fatal(err)
	}
}

// TestVerify checks that progress comes before the result and not with it.
func TestVerify(t *testing.T) {
	step := make(chan struct{})
	clients := ways(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, `{"position":1,"tail":2,"rate":3}`)
		_ = http.NewResponseController(w).Flush()
		<-step
		_, _ = fmt.Fprintln(w, `{"ok":false,"records":1,"problems":[{"position":2,"error":"bad"}]}`)
	})
	for way, c := range clients {
		result, err := c.Verify(t.Context(), func(p api.Progress) {
			if p != (api.Progress{Position: 1, Tail: 2, Rate: 3}) {
				t.Errorf("%s: %+v", way, p)
			}
			// Without this the handler would not go on.
			step <- struct{}{}
		})
		if err != nil {
			t.Fatal(way, err)
		}
		found, err := result.Value()
		if err != nil || found.OK || len(found.Problems) != 1 || found.Problems[0].Position != 2 {
			t.Errorf("%s: %+v, %v", way, found, err)
		}
	}
}

func TestVerifyBrokenOff(t *testing.T) {
	clients := ways(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, `{"position":1,"tail":2,"rate":3}`)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	for way, c := range clients {
		if _, err := c.Verify(t.Context(), func(api.Progress) {}); domain.CodeOf(err) != apiclient.CodeUnreachable {
			t.Errorf("%s: %v", way, err)
		}
	}
}

// TestGivingUp checks that a reader who goes away ends the handler.
func TestGivingUp(t *testing.T) {
	ended := make(chan error, 2)
	clients := ways(t, func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := fmt.Fprintln(w, `{"position":1,"tail":2,"rate":3}`); err != nil || r.Context().Err() != nil {
				ended <- errors.Join(err, r.Context().Err())
				return
			}
		}
	})
	for way, c := range clients {
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := c.Verify(ctx, func(api.Progress) { cancel() }); err == nil {
			t.Errorf("%s: no error", way)
		}
		if err := <-ended; err == nil {
			t.Errorf("%s: the handler saw nothing", way)
		}
		cancel()
	}
}

// A zone goes by its name, or times before a change of the clocks would be told an
// hour off; one that only has the name of another goes by its offset.
func TestZoneName(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := apiclient.ZoneName(zone); got != name {
			t.Errorf("%s goes as %s", name, got)
		}
	}
	for name, want := range map[string]string{"CET": "+07:00", "Local": "+07:00", "+07:00": "+07:00", "": "+07:00"} {
		if got := apiclient.ZoneName(time.FixedZone(name, 7*60*60)); got != want {
			t.Errorf("a fixed zone called %q goes as %s, want %s", name, got, want)
		}
	}
}
