package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chalie/adapters/models/wire"
	"chalie/domain"
)

// event is what these tests understand of an event.
type event struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

// ask puts a question to a server and returns the events up to the error.
func ask(t *testing.T, serve http.HandlerFunc) ([]event, error) {
	t.Helper()
	c := client(t, serve)
	var out []event
	for e, err := range wire.Events[event](t.Context(), c, "ask", map[string]string{"question": "<why & how>"}) {
		if errors.Is(err, wire.ErrDone) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, e)
	}
	return out, nil
}

func client(t *testing.T, serve http.HandlerFunc) *wire.Client {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	c := wire.New(wire.Config{Name: "test/model", BaseURL: server.URL + "/v1/", Header: http.Header{"X-Api-Key": {"key"}}})
	t.Cleanup(c.Close)
	return c
}

// says streams events with these data.
func says(data ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, d := range data {
			fmt.Fprintf(w, "data: %s\n\n", d)
		}
	}
}

func TestAQuestionOnTheWire(t *testing.T) {
	got, err := ask(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != `{"question":"<why & how>"}`+"\n" || r.Method != http.MethodPost || r.URL.Path != "/v1/ask" {
			t.Errorf("it was asked %s %s %q, %v", r.Method, r.URL, body, err)
		}
		for name, want := range map[string]string{"Content-Type": "application/json", "Accept": "text/event-stream", "X-Api-Key": "key", "User-Agent": "chalie"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s is %q", name, got)
			}
		}
		says(`{"n":1,"text":"a"}`, `{"n":2}`, `[DONE]`, `{"n":3}`)(w, r)
	})
	if err != nil || len(got) != 2 || got[0] != (event{1, "a"}) || got[1].N != 2 {
		t.Errorf("the events are %+v, %v", got, err)
	}
}

func TestACall(t *testing.T) {
	for body, want := range map[string]string{
		`{"n":7}`:                  "",
		`{"n":7,"text":{"x":1}}`:   "", // a field of another type
		`{"n":7`:                   "test/model sends something that is no JSON",
		`<html>`:                   "test/model sends something that is no JSON",
		`{"error":"out of order"}`: "test/model is in trouble (HTTP 500): out of order",
	} {
		var got event
		err := client(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }).Call(t.Context(), "ask", 1, &got)
		if want == "" && (err != nil || got.N != 7) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s is %+v, %v", body, got, err)
		}
	}
}

// Servers that resemble a provider's send what doesn't fit. The rest of it counts.
func TestWhatDoesNotFitStaysEmpty(t *testing.T) {
	got, err := ask(t, says(`{"n":"one","text":"a"}`, `null`, `[]`, `7`, `{"error":null,"n":2}`))
	if err != nil || len(got) != 5 || got[0] != (event{0, "a"}) || got[4].N != 2 {
		t.Errorf("the events are %+v, %v", got, err)
	}
	got, err = ask(t, says(`{"n":1}`, `{"n":`))
	if len(got) != 1 || !domain.IsRetriable(err) || !strings.Contains(err.Error(), "no JSON") {
		t.Errorf("the events are %+v, %v", got, err)
	}
}

func TestFaultsOfAStream(t *testing.T) {
	for data, want := range map[string]struct {
		code      domain.Code
		retriable bool
		says      string
	}{
		`{"error":{"type":"overloaded_error","message":"Overloaded"}}`:             {"model_unreachable", true, "in trouble (HTTP 529): Overloaded"},
		`{"error":{"code":429,"message":"later"}}`:                                 {"model_busy", true, "later"},
		`{"error":{"code":402}}`:                                                   {"model_quota", false, "no credit left"},
		`{"error":{"code":12,"message":"x"}}`:                                      {"model_unreachable", true, "(HTTP 500): x"},
		`{"error":{"code":null,"type":"invalid_request_error","message":"x"}}`:     {"model_refused", false, "(HTTP 400): x"},
		`{"error":{"code":"bad_tool","type":"invalid_request_error"}}`:             {"model_refused", false, "(HTTP 400)"},
		`{"error":{"code":{"a":1},"type":["x"],"message":7}}`:                      {"model_unreachable", true, "(HTTP 500)"},
		`{"error":"the runner crashed"}`:                                           {"model_unreachable", true, "(HTTP 500): the runner crashed"},
		`{"error":7}`:                                                              {"model_unreachable", true, "(HTTP 500)"},
		`{"type":"error","error":{"type":"permission_error","message":"not you"}}`: {"model_key", false, "what the key allows"},
	} {
		_, err := ask(t, says(data))
		if domain.CodeOf(err) != want.code || domain.IsRetriable(err) != want.retriable || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%s is %v", data, err)
		}
	}
}

func TestRefusalsTellTheRequest(t *testing.T) {
	for header, ids := range map[string]map[string]string{
		"Request-Id":   {"req_011CSHoEeqs5C35K2UUqR7Fy": ": no (request req_011CSHoEeqs5C35K2UUqR7Fy)", "": ": no"},
		"X-Request-Id": {"f5c1-22": ": no (request f5c1-22)", "<b>": ": no", strings.Repeat("x", 65): ": no"},
	} {
		for id, want := range ids {
			_, err := ask(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set(header, id)
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprint(w, `{"error":{"message":"no"}}`)
			})
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("with %s %q it is %v", header, id, err)
			}
		}
	}
}

// A refusal is told by its status, however much and whatever is behind it.
func TestARefusalHasABound(t *testing.T) {
	_, err := ask(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		for r.Context().Err() == nil {
			fmt.Fprint(w, strings.Repeat("busy ", 1<<10))
		}
	})
	if err == nil || !domain.IsRetriable(err) || !strings.HasSuffix(err.Error(), "test/model is in trouble (HTTP 503)") {
		t.Errorf("it is %v", err)
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	asked := 0
	_, err := ask(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		http.Redirect(w, r, "/v2/ask", http.StatusTemporaryRedirect)
	})
	if asked != 1 || domain.IsRetriable(err) || !strings.Contains(err.Error(), "answers with a redirect (HTTP 307)") || !strings.Contains(err.Error(), "check the address") {
		t.Errorf("asked %d times it is %v", asked, err)
	}
}

// The provider learns that nobody listens any more, however that comes about.
func TestTheEndOfListeningEndsTheRequest(t *testing.T) {
	for name, cancels := range map[string]bool{"of the context": true, "of the loop": false} {
		t.Run(name, func(t *testing.T) {
			gone := make(chan struct{})
			c := client(t, func(w http.ResponseWriter, r *http.Request) {
				defer close(gone)
				says(`{"n":1}`)(w, r)
				if err := http.NewResponseController(w).Flush(); err != nil {
					t.Error(err)
				}
				<-r.Context().Done()
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var last error
			for _, err := range wire.Events[event](ctx, c, "ask", nil) {
				last = err
				if !cancels {
					break
				}
				cancel()
			}
			if cancels != (last != nil) {
				t.Errorf("the last event has %v", last)
			}
			<-gone
		})
	}
}

func TestAQuestionThatIsNoJSON(t *testing.T) {
	err := client(t, says()).Call(t.Context(), "ask", func() {}, nil)
	if err == nil || domain.IsRetriable(err) || !strings.Contains(err.Error(), "can't be written as JSON") {
		t.Errorf("it is %v", err)
	}
}

// What isn't as the APIs say it is read otherwise, left out, or told.
func TestOddBodies(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       string // the texts of its events
		says       string // the error
	}{
		{"an empty keep-alive", "data:\n\n" + "data: {\"text\":\"a\"}\n\ndata: \n\n", "a", ""},
		{"a keep-alive of words", "data: ping\n\ndata: {\"text\":\"a\"}\n\ndata: : PROCESSING\n\n", "a", ""},
		{"a keep-alive of JSON", "data: {}\n\ndata: {\"type\":\"ping\"}\n\ndata: {\"text\":\"a\"}\n\n", "||a", ""},
		{"nothing but keep-alives of words", "data: ping\n\n", "", "no JSON"},
		{"JSON that is cut", "data: {\"text\":\"a\"}\n\ndata: {\"text\":\n\ndata: {\"text\":\"b\"}\n\n", "a", "no JSON"},
		{"no line between two events", "data: {\"text\":\"a\"}\ndata: {\"text\":\"b\"}\n\n", "a|b", ""},
		{"no line behind the last", "data: {\"text\":\"a\"}\n\ndata: {\"text\":\"b\"}\n", "a|b", ""},
		{"no end of the last line", "data: {\"text\":\"a\"}\n\ndata: {\"text\":\"b\"}", "a|b", ""},
		{"half of the last", "data: {\"text\":\"a\"}\n\ndata: {\"text\":\"b", "a", ""},
		{"an end with blanks", "data: {\"text\":\"a\"}\n\ndata: [DONE] \n\ndata: {\"text\":\"b\"}\n\n", "a", ""},
		{"a body that isn't streamed", "{\"text\":\"a\"}", "a", ""},
		{"with a byte order mark", "\ufeff\r\n{\"text\":\"a\"}", "a", ""},
		{"lines of JSON", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n", "a|b", ""},
		{"a list", "[{\"text\":\"a\"},\n{\"text\":\"b\"}]", "a|b", ""},
		{"a body that is cut", "{\"text\":\"a", "", "no JSON"},
		{"a page", "<!DOCTYPE html><p>Sign in", "", "sends a page where an answer should be"},
		{"an error named by the event", "event: error\ndata: {\"message\":\"no room\"}\n\n", "", "no room"},
		{"an error in words", "event: error\ndata: no room\n\n", "", "no room"},
		{"an error behind something", "data: {\"text\":\"a\"}\n\ndata: {\"error\":{\"message\":\"no room\"}}\n\n", "a", "no room"},
		{"a list of errors", `{"errors":[{"message":"no room"}]}`, "", "no room"},
		{"an error in a list", `[{"error":{"code":429,"message":"no room","status":"RESOURCE_EXHAUSTED"}}]`, "", "takes no more questions for now: no room"},
		{"error: true", `{"error":true,"message":"no room"}`, "", "no room"},
		{"an object that is an error", `{"object":"error","message":"no room","code":404}`, "", "is not known there"},
		{"a status that is one", `{"status":"error","msg":"no room"}`, "", "no room"},
		{"no success", `{"success":false,"detail":"no room"}`, "", "no room"},
		{"a code", `{"code":503,"msg":"no room"}`, "", "(HTTP 503): no room"},
		{"a response of its own", `{"base_resp":{"status_code":1004,"status_msg":"no room"}}`, "", "no room"},
		{"no fault", `{"error":null,"errors":[],"success":true,"base_resp":{"status_code":0},"text":"a"}`, "a", ""},
		{"no fault in words", `{"error":"","text":"a"}`, "a", ""},
		{"words alone", `{"message":"the model is loading"}`, "", "the model is loading"},
		{"nothing", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ask(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, c.body) })
			var texts []string
			for _, e := range got {
				texts = append(texts, e.Text)
			}
			if said := strings.Join(texts, "|"); said != c.want || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("it is %q, %v, want %q and %q", said, err, c.want, c.says)
			}
		})
	}
}

// A refusal is told in the provider's words, in whatever shape they are.
func TestWordsOfARefusal(t *testing.T) {
	for _, body := range []string{
		`{"error":{"message":"no room"}}`, `{"error":"no room"}`, `{"message":"no room"}`, `{"detail":"no room"}`, `{"msg":"no room"}`,
		`{"errors":["no room"]}`, `[{"error":{"message":"no room"}}]`, "\ufeff" + `{"error":{"message":"no room"}}`, `{"error":{"detail":"no room"}}`,
	} {
		_, err := ask(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, body)
		})
		if err == nil || !strings.HasSuffix(err.Error(), "(HTTP 400): no room") {
			t.Errorf("%s is %v", body, err)
		}
	}
}
