package mcpserver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// post sends a message of a session, and returns all that is answered.
func post(t *testing.T, to, session, body string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, to, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return ""
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Session-Id", session)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer func() { _ = answer.Body.Close() }()
	all, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Errorf("its answer breaks off: %v", err)
	}
	return string(all)
}

// A request over HTTP that its program cancels ends without an answer, and takes what it waits for
// with it; the next request is answered.
func TestACancelledRequestOverHTTP(t *testing.T) {
	s, at, session := overTheWeb(t)
	answered := make(chan string, 1)
	go func() {
		answered <- post(t, at, session, `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"greet","arguments":{}}}`)
	}()
	domaintest.Until(t, "it is asked about", func() bool { return s.recorded(domain.ApprovalProposedType) == 1 })
	post(t, at, session, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`)
	if got := <-answered; strings.Contains(got, "jsonrpc") {
		t.Errorf("what was cancelled is answered with %s", got)
	}
	domaintest.Until(t, "the question is taken back", func() bool { return s.recorded(domain.ApprovalRefusedType) == 1 })
	if got := post(t, at, session, `{"jsonrpc":"2.0","id":"c","method":"ping"}`); !strings.Contains(got, `"result"`) {
		t.Errorf("the next request is answered with %q", got)
	}
}

// Of several requests in one body the one that is cancelled gets no answer, whether it is
// cancelled later or in the same body, and the others get theirs.
func TestACancelledRequestOfABatchOverHTTP(t *testing.T) {
	const (
		call   = `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"greet","arguments":{}}}`
		ping   = `{"jsonrpc":"2.0","id":"b","method":"ping"}`
		cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`
	)
	for name, cancels := range map[string]string{"alone": cancel, "in a batch": "[" + cancel + "]"} {
		t.Run(name, func(t *testing.T) {
			s, at, session := overTheWeb(t)
			answered := make(chan string, 1)
			go func() { answered <- post(t, at, session, "["+call+","+ping+"]") }()
			domaintest.Until(t, "it is asked about", func() bool { return s.recorded(domain.ApprovalProposedType) == 1 })
			post(t, at, session, cancels)
			if got := <-answered; strings.Contains(got, `"id":"a"`) || strings.Count(got, `"id":"b","result"`) != 1 {
				t.Errorf("the batch is answered with %q", got)
			}
			domaintest.Until(t, "the question is taken back", func() bool { return s.recorded(domain.ApprovalRefusedType) == 1 })
			if got := post(t, at, session, ping); !strings.Contains(got, `"result"`) {
				t.Errorf("the next request is answered with %q", got)
			}
		})
	}
}

// overTheWeb is a shop with a session of a program over HTTP.
func overTheWeb(t *testing.T) (s *shop, address, id string) {
	t.Helper()
	s = openShop(t, time.Hour)
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.server.ServeHTTP(w, r, who); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(func() { at.CloseClientConnections(); at.Close() })
	session, err := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: at.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return s, at.URL, session.ID()
}
