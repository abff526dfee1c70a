package streams_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/tidwall/gjson"

	"chalie/adapters/streams"
	"chalie/adapters/ulids"
	"chalie/commands"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// clock is the machine's, or the bubble's.
type clock struct{}

func (clock) Now() time.Time { return time.Now() }

// book is a registry of nothing but streams.
type book struct {
	mu  sync.Mutex
	reg domain.Registry
}

func (b *book) Read(fn func(*domain.Registry)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fn(&b.reg)
}

func (b *book) set(all ...domain.Stream) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reg.Streams = map[domain.ID]domain.Stream{}
	for _, s := range all {
		b.reg.Streams[s.ID] = s
	}
}

// house is a listener over a log, and what it listens to.
type house struct {
	t        testing.TB
	log      domain.Log
	book     *book
	listener *streams.Listener
	stop     func() // and waits
}

// startHouse listens until the test ends. change may be nil.
func startHouse(t testing.TB, log domain.Log, change func(*streams.Config), all ...domain.Stream) *house {
	t.Helper()
	signals, err := signal.New(signal.Config{
		Env: commands.Env{Log: log, Reader: log, Tail: log, Clock: clock{}, IDs: ulids.New(clock{}), Logger: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		t.Fatal(err)
	}
	b := &book{}
	b.set(all...)
	cfg := streams.Config{Book: b, Signals: signals, Clock: clock{}, FirstPause: time.Millisecond, LongestPause: 5 * time.Millisecond}
	if change != nil {
		change(&cfg)
	}
	listener, err := streams.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := listener.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	h := &house{t: t, log: log, book: b, listener: listener, stop: func() { cancel(); <-ended }}
	t.Cleanup(h.stop)
	return h
}

// patience is how long a condition may take on a busy machine.
const patience = 30 * time.Second

// until waits for a condition of the stream's status.
func (h *house) until(s domain.Stream, what string, ok func(signal.StreamStatus) bool) signal.StreamStatus {
	h.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); ; <-tick.C {
		status, _ := h.listener.Status(s.ID)
		if ok(status) {
			return status
		}
		if time.Now().After(deadline) {
			h.t.Fatalf("waited for %s; the status is %+v", what, status)
		}
	}
}

// heard is the content of the signals in the log, in order.
func (h *house) heard() []string {
	h.t.Helper()
	var out []string
	for from := domain.Position(1); ; {
		records, err := h.log.Select(context.Background(), domain.Selector{Topic: domain.TopicSignals}, from, 1000)
		if err != nil {
			h.t.Fatal(err)
		}
		for _, rec := range records {
			out = append(out, gjson.GetBytes(rec.Envelope.Payload.Bytes, "content").Str)
			from = rec.Position + 1
		}
		if len(records) < 1000 {
			return out
		}
	}
}

// want fails unless exactly these were heard.
func (h *house) want(contents ...string) {
	h.t.Helper()
	if got := h.heard(); strings.Join(got, "|") != strings.Join(contents, "|") {
		h.t.Errorf("heard %q, want %q", got, contents)
	}
}

// broadcaster takes connections and runs a script on each.
type broadcaster struct {
	stream domain.Stream

	mu    sync.Mutex
	conns int
}

// broadcast serves raw connections: script gets each, with how many came before
// it, and the connection is closed when it returns.
func broadcast(t testing.TB, script func(n int, conn net.Conn)) *broadcaster {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &broadcaster{stream: streamAt("ws://" + l.Addr().String() + "/stream")}
	var scripts sync.WaitGroup
	var mu sync.Mutex
	open := map[net.Conn]bool{}
	scripts.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			b.mu.Lock()
			n := b.conns
			b.conns++
			b.mu.Unlock()
			mu.Lock()
			open[conn] = true
			mu.Unlock()
			scripts.Go(func() {
				defer conn.Close()
				script(n, conn)
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		for conn := range open {
			_ = conn.Close()
		}
		mu.Unlock()
		scripts.Wait()
	})
	return b
}

// said makes a broadcaster that shakes hands and then runs the script.
func said(t testing.TB, script func(n int, conn net.Conn)) *broadcaster {
	t.Helper()
	return broadcast(t, func(n int, conn net.Conn) {
		if _, err := ws.Upgrade(conn); err != nil {
			return
		}
		script(n, conn)
	})
}

func (b *broadcaster) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.conns
}

var streamIDs = domaintest.NewIDs(domaintest.NewClock(), 7)

func streamAt(url string) domain.Stream {
	return domain.Stream{ID: streamIDs.NewID(), URL: url, Source: "exchange"}
}

// signal is a message of that content.
func heardSignal(content string) []byte {
	return fmt.Appendf(nil, `{"type":"signal","signal_type":"price_update","content":%q,"activation_energy":0.3}`, content)
}

// padded is a message of 300 bytes.
func padded(content string) []byte {
	const around = `{"type":"signal","signal_type":"price_update","content":"","activation_energy":0.3,"metadata":{"pad":""}}`
	return fmt.Appendf(nil, `{"type":"signal","signal_type":"price_update","content":%q,"activation_energy":0.3,"metadata":{"pad":"%s"}}`,
		content, strings.Repeat("x", 300-len(around)-len(content)))
}

// text is a frame with a whole message.
func text(message []byte) []byte { return ws.MustCompileFrame(ws.NewTextFrame(message)) }

// readFrame reads what a listener sends, which is never long.
func readFrame(conn net.Conn) (ws.Frame, error) {
	h, err := ws.ReadHeader(conn)
	if err != nil {
		return ws.Frame{}, err
	}
	f := ws.Frame{Header: h, Payload: make([]byte, min(h.Length, 1<<10))}
	_, err = io.ReadFull(conn, f.Payload)
	return f, err
}

// say writes frames, and ignores that the listener may be gone.
func say(conn net.Conn, frames ...[]byte) {
	for _, f := range frames {
		_, _ = conn.Write(f)
	}
}

// stay keeps the connection until the other end closes it, and answers nothing.
func stay(conn net.Conn) {
	var buf [1 << 10]byte
	for {
		if _, err := conn.Read(buf[:]); err != nil {
			return
		}
	}
}

func accepted(n uint64) func(signal.StreamStatus) bool {
	return func(s signal.StreamStatus) bool { return s.Accepted == n }
}
