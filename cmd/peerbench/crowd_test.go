package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// host is a server whose clients the test speaks to by hand.
type host struct {
	t       *testing.T
	address string
	came    atomic.Int64
	ends    chan end
}

// end is the host's side of a client, counted from 0 as they came.
type end struct {
	number int64
	said   chan string // text frames of the client
	*websocket.Conn
}

func (e end) read(ctx context.Context) {
	for {
		_, text, err := e.Read(ctx)
		if err != nil {
			return // it is gone
		}
		e.said <- string(text)
	}
}

func newHost(t *testing.T) *host {
	h := &host{t: t, ends: make(chan end, 16)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if cookie, err := r.Cookie("who"); err != nil || cookie.Value != "me" {
			http.Error(w, "log in first", http.StatusUnauthorized)
			return
		}
		number := h.came.Add(1) - 1 // before the answer, on which the next one comes
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		e := end{number, make(chan string, 16), conn}
		h.ends <- e
		e.read(t.Context())
	}))
	t.Cleanup(server.Close)
	h.address = strings.TrimPrefix(server.URL, "http://")
	return h
}

// crowd connects n clients and returns the host's ends of them.
func (h *host) crowd(n int) (*crowd, []end) {
	h.t.Helper()
	clients, err := gather(h.t.Context(), h.address, "who=me", n)
	if err != nil {
		h.t.Fatal(err)
	}
	ends := make([]end, n)
	for range ends {
		e := <-h.ends
		ends[e.number] = e
		h.t.Cleanup(func() { _ = e.CloseNow() })
	}
	h.t.Cleanup(func() { // before the others' ends, which may wait for these
		if err := clients.close(); err != nil {
			h.t.Error(err)
		}
	})
	return clients, ends
}

func (h *host) send(text string, to ...end) {
	h.t.Helper()
	for _, conn := range to {
		if err := conn.Write(h.t.Context(), websocket.MessageText, []byte(text)); err != nil {
			h.t.Fatal(err)
		}
	}
}

func TestCrowdHearsEveryFrameInOrder(t *testing.T) {
	h := newHost(t)
	clients, ends := h.crowd(5)
	long := strings.Repeat("long ", 40_000) // more than one read takes
	begun := time.Now()
	h.send("one", ends...)
	for i := range ends {
		go func() { _ = ends[i].Write(t.Context(), websocket.MessageText, []byte(long)) }()
	}
	for _, want := range []string{"one", long} {
		text, at, err := clients.hear(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if string(text) != want {
			t.Fatalf("heard %.20q, want %.20q", text, want)
		}
		if at.Before(begun) || at.After(time.Now()) {
			t.Errorf("heard at %s", at)
		}
	}
	if err := clients.idle(t.Context(), time.Millisecond); err != nil {
		t.Error(err)
	}
}

func TestCrowdSpeaks(t *testing.T) {
	h := newHost(t)
	clients, ends := h.crowd(2)
	if err := clients.say(`say "hi"`); err != nil {
		t.Fatal(err)
	}
	if got, want := <-ends[0].said, `{"type":"chat","text":"say \"hi\""}`; got != want {
		t.Errorf("the server read %s, want %s", got, want)
	}
}

func TestCrowdAnswersPings(t *testing.T) {
	h := newHost(t)
	clients, ends := h.crowd(1)
	h.send(`{"type":"ping"}`, ends[0])
	answered := make(chan error, 1)
	go func() { answered <- ends[0].Ping(t.Context()) }()
	for waiting := true; waiting; {
		select {
		case err := <-answered:
			if err != nil {
				t.Error(err)
			}
			waiting = false
		default:
			if err := clients.idle(t.Context(), time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := <-ends[0].said; got != `{"type":"pong"}` {
		t.Errorf("the ping in a text frame was answered with %s", got)
	}
}

func TestCrowdFails(t *testing.T) {
	hear := func(c *crowd, ctx context.Context) error {
		_, _, err := c.hear(ctx)
		return err
	}
	idle := func(c *crowd, ctx context.Context) error { return c.idle(ctx, time.Minute) }
	for _, c := range []struct {
		name string
		do   func(h *host, ends []end)
		call func(c *crowd, ctx context.Context) error
		want string
	}{
		{"one has nothing", func(h *host, ends []end) { h.send("one", ends[:2]...) }, hear, "2 of 3 clients had one"},
		{"nobody has anything", func(*host, []end) {}, hear, "no client was sent anything"},
		{"one has something else", func(h *host, ends []end) { h.send("one", ends[:2]...); h.send("two", ends[2]) }, hear, "its frame 1 is"},
		{"something comes unasked", func(h *host, ends []end) { h.send("one", ends[0]) }, idle, "nothing was to come"},
		{"one is sent away", func(_ *host, ends []end) { go ends[1].Close(websocket.StatusPolicyViolation, "too slow") }, idle, "client 2: the server closed the connection with code 1008: too slow"},
		{"one is cut off", func(_ *host, ends []end) { _ = ends[2].CloseNow() }, idle, "client 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHost(t)
			clients, ends := h.crowd(3)
			clients.patience = 100 * time.Millisecond
			c.do(h, ends)
			if err := c.call(clients, t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestCrowdIsNotLetIn(t *testing.T) {
	h := newHost(t)
	_, err := gather(t.Context(), h.address, "", 1)
	if err == nil || !strings.Contains(err.Error(), "client 1 of 1") || !strings.Contains(err.Error(), "log in first") {
		t.Errorf("the error is %v", err)
	}
}

func TestCrowdNeedsRoomForItsFiles(t *testing.T) {
	_, err := gather(t.Context(), "127.0.0.1:1", "", 1<<40)
	if err == nil || !strings.Contains(err.Error(), "ulimit -Hn") {
		t.Errorf("the error is %v", err)
	}
}

// TestPeerServes runs both kinds of trial against the peer's process.
func TestPeerServes(t *testing.T) {
	took, err := oneFrame(short(), openCoder)(t.Context(), t.TempDir())
	if err != nil || took <= 0 {
		t.Errorf("a frame to all took %v ms: %v", took, err)
	}
	grown, err := whileIdle(short(), openCoder, growthOf)(t.Context(), t.TempDir())
	if err != nil || grown <= 0 {
		t.Errorf("the clients took %v MiB: %v", grown, err)
	}
}
