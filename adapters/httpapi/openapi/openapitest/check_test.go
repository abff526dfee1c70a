package openapitest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What the document doesn't declare is found.
func TestFaultsAreFound(t *testing.T) {
	c, err := ready()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []struct {
		name, method, path, media string
		status                    int
		body, want                string // "" for no fault
	}{
		{"what is declared", "GET", "/ready", "application/json", 200, `{"ready":true}`, ""},
		{"a refusal", "GET", "/api/log/x", "application/json", 404, `{"error":"there is none","code":"no_envelope","field":"id"}`, ""},
		{"a status of its own", "GET", "/ready", "application/json", 503, `{"ready":false,"reason":"it starts"}`, ""},
		{"a path that isn't there", "GET", "/kettle", "application/json", 404, `{"error":"there is none"}`, ""},
		{"a status more", "GET", "/ready", "application/json", 418, `{"error":"tea"}`, "status 418 is not declared"},
		{"a field more", "GET", "/ready", "application/json", 200, `{"ready":true,"warm":true}`, "warm"},
		{"a field less", "GET", "/ready", "application/json", 200, `{}`, "missing property 'ready'"},
		{"another type", "GET", "/ready", "application/json", 200, `{"ready":"yes"}`, "want boolean"},
		{"another media type", "GET", "/ready", "text/plain", 200, `{"ready":true}`, "text/plain is not declared"},
		{"a field more in a refusal", "GET", "/api/log/x", "application/json", 404, `{"error":"none","why":"x"}`, "why"},
		{"a field more in a part", "GET", "/health", "application/json", 200, `{"status":"ok","version":"1","ready":true,"services":{"a":{"ready":true,"detail":"","age":1}},"resources":{},"lost_records":0,"attention":null}`, "age"},
		{"a line of another shape", "GET", "/api/verify", "application/x-ndjson", 200, "{\"position\":1,\"tail\":2,\"rate\":3}\n{\"done\":true}\n", "done"},
		{"a wrong value", "GET", "/voice/health", "application/json", 200, `{"status":"loud"}`, "unavailable"},
	} {
		seen := &answer{status: a.status, header: http.Header{"Content-Type": {a.media}}}
		seen.body.WriteString(a.body)
		if got := c.fault(a.method, a.path, seen); (got == "") != (a.want == "") || !strings.Contains(got, a.want) {
			t.Errorf("%s: the fault is %q, want %q", a.name, got, a.want)
		}
	}
	if got := c.fault(http.MethodHead, "/ready", &answer{status: 200}); got != "" {
		t.Error(got)
	}
}

// noted fails without failing the test that looks on.
type noted struct {
	testing.TB
	faults []string
}

func (n *noted) Errorf(format string, args ...any) {
	n.faults = append(n.faults, fmt.Sprintf(format, args...))
}

// A client hears of what the document doesn't declare when it is done with an answer.
func TestTransport(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ready":
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"ready":true,"warm":true}`))
		default:
			_, _ = w.Write([]byte("<html>"))
		}
	}))
	defer server.Close()
	heard := &noted{TB: t}
	client := &http.Client{Transport: Transport(heard, http.DefaultTransport)}
	defer client.CloseIdleConnections()
	read := func(path string, through int64) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, io.LimitReader(resp.Body, through)); err != nil {
			t.Error(err)
		}
		_ = resp.Body.Close()
		_ = resp.Body.Close()
	}
	read("/now", 100) // a page
	read("/ready", 5) // what was read so far may be right
	if len(heard.faults) > 0 {
		t.Errorf("faults without any: %q", heard.faults)
	}
	read("/ready", 100)
	if len(heard.faults) != 1 || !strings.Contains(heard.faults[0], "warm") {
		t.Errorf("the faults are %q", heard.faults)
	}
}
