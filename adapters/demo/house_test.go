package demo_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"chalie/adapters/demo"

	"github.com/gobwas/ws"
)

// patience is how long an answer may take on a busy machine.
const patience = 30 * time.Second

// start starts a program, until the test ends.
func start(t *testing.T, what string) *demo.Program {
	t.Helper()
	p, err := demo.Open(what)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// get reads an answer, which must be JSON.
func get[T any](t *testing.T, addr, path string) T {
	t.Helper()
	resp, err := http.Get("http://" + addr + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return read[T](t, resp)
}

func read[T any](t *testing.T, resp *http.Response) T {
	t.Helper()
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/json" {
		text, _ := io.ReadAll(resp.Body)
		t.Fatalf("%s %s %s: %s", resp.Request.URL, resp.Status, resp.Header, text)
	}
	var out T
	dec := json.NewDecoder(resp.Body)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// done is what a tool answered.
type done struct {
	Text  *string        `json:"text"`
	Data  map[string]any `json:"data"`
	Error *string        `json:"error"`
}

func (d done) String() string {
	switch {
	case d.Error != nil:
		return "error: " + *d.Error
	case d.Text != nil:
		return *d.Text
	}
	text, err := json.Marshal(d.Data)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func execute(t *testing.T, addr, key, body string) done {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+"/execute", bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return read[done](t, resp)
}

// listening is one that hears a broadcast.
type listening struct {
	t    *testing.T
	conn net.Conn
}

func listen(t *testing.T, url string) *listening {
	t.Helper()
	conn, early, _, err := ws.Dial(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	if early != nil {
		t.Fatal("it was told something before anything was said")
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &listening{t, conn}
}

func (l *listening) hear(n int) []demo.Signal {
	l.t.Helper()
	out := make([]demo.Signal, n)
	for i := range out {
		code, payload := l.frame()
		dec := json.NewDecoder(bytes.NewReader(payload))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&out[i]); err != nil || code != ws.OpText {
			l.t.Fatalf("%d of %d: %v %s: %v", i, n, code, payload, err)
		}
	}
	return out
}

// frame reads one frame.
func (l *listening) frame() (ws.OpCode, []byte) {
	l.t.Helper()
	header, err := ws.ReadHeader(l.conn)
	if err != nil {
		l.t.Fatal(err)
	}
	payload := make([]byte, header.Length)
	if _, err := io.ReadFull(l.conn, payload); err != nil {
		l.t.Fatal(err)
	}
	return header.OpCode, payload
}

// asked is one request to a Chalie.
type asked struct {
	path, auth string
	body       map[string]any
}

// standIn answers as a Chalie does, and tells what it was asked.
func standIn(t *testing.T, answers map[string]string) (base string, told func() []asked) {
	t.Helper()
	var mu sync.Mutex
	var all []asked
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := asked{path: r.URL.Path, auth: r.Header.Get("Authorization")}
		if err := json.NewDecoder(r.Body).Decode(&a.body); err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %v, %s", r.URL, err, r.Header)
		}
		mu.Lock()
		all = append(all, a)
		mu.Unlock()
		answer, ok := answers[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusForbidden)
			answer = `{"error":"not this one"}`
		}
		io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []asked {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}
