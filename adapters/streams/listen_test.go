package streams_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/gobwas/ws"

	"chalie/adapters/pebblelog"
	"chalie/adapters/streams"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/domain/memlog"
)

func TestEnvelopes(t *testing.T) {
	b := said(t, func(_ int, conn net.Conn) {
		say(conn, text([]byte(`{"type":"signal","signal_type":"price_update","content":"MSFT at $420.10","source":"nasdaq","topic":"shares","activation_energy":0.3,"metadata":{"ticker":"MSFT","price":420.10}}`)),
			text([]byte(` {"signal_type":"t","content":"a \"b\" é\n","type":"signal","source":null,"topic":null,"activation_energy":null,"metadata":null,"more":[1]} `)))
		stay(conn)
	})
	h := startHouse(t, memlog.New(clock{}), nil, b.stream)
	h.until(b.stream, "two signals", accepted(2))
	records, err := h.log.Select(t.Context(), domain.Selector{Topic: domain.TopicSignals}, 1, 10)
	if err != nil || len(records) != 2 {
		t.Fatal(records, err)
	}
	payloads := []string{
		`{"signal_type":"price_update","content":"MSFT at $420.10","source":"nasdaq","topic":"shares","activation_energy":0.3,"metadata":{"ticker":"MSFT","price":420.10}}`,
		`{"signal_type":"t","content":"a \"b\" é\n","source":"exchange","topic":null,"activation_energy":0.5,"metadata":null}`,
	}
	for i, rec := range records {
		e := rec.Envelope
		if got := string(e.Payload.Bytes); got != payloads[i] {
			t.Errorf("the payload is\n%s, want\n%s", got, payloads[i])
		}
		if e.Source != "stream/exchange" || e.Principal != b.stream.Principal() || e.Trace.ID != e.ID || !e.Parent.IsZero() || e.Type != "signal.received" {
			t.Errorf("the envelope is %+v", e)
		}
	}
}

// TestHundredThousand is the flood an exchange sends: everything is in the log, in
// order, or counted.
func TestHundredThousand(t *testing.T) {
	const frames = 100_000
	var want []string
	var malformed, ignored uint64
	var flood bytes.Buffer
	for i := range frames {
		switch i % 1000 {
		case 7:
			flood.Write(text([]byte(`{"type":"signal","signal_type":"price_upda`)))
			malformed++
		case 8:
			flood.Write(text([]byte(`{"type":"heartbeat"}`)))
			ignored++
		default:
			content := fmt.Sprint("tick ", i)
			flood.Write(text(padded(content)))
			want = append(want, content)
		}
	}
	b := said(t, func(n int, conn net.Conn) {
		if n == 0 {
			say(conn, flood.Bytes())
		}
		stay(conn)
	})
	log, err := pebblelog.Open(pebblelog.Config{Dir: t.TempDir(), Clock: clock{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	h := startHouse(t, log, nil, b.stream)
	status := h.until(b.stream, "all signals", accepted(uint64(len(want))))
	if status.Malformed != malformed || status.Ignored != ignored || status.Received != frames || status.Lost != 0 || status.LagMillis != 0 {
		t.Errorf("the status is %+v", status)
	}
	for i, got := range h.heard() {
		if got != want[i] {
			t.Fatalf("signal %d is %q, want %q", i, got, want[i])
		}
	}
	inMind(t, log, want)
}

// inMind holds the world state to what was said last: all weigh the same, so the
// newest hundred are remembered, and the newest five are in mind.
func inMind(t *testing.T, log *pebblelog.Log, said []string) {
	t.Helper()
	state := domain.NewWorld()
	var last domain.Millis
	for from := domain.Position(1); ; {
		records, err := log.Select(t.Context(), domain.Selector{}, from, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range records {
			if err := state.Evolve(rec); err != nil {
				t.Fatal(err)
			}
			from, last = rec.Position+1, rec.RecordedAt
		}
		if len(records) < 1000 {
			break
		}
	}
	now := state.Assemble(nil, last)
	if len(now.Items) != 5 || len(now.LeftOut) != 195 { // and a hundred that were pushed out
		t.Fatalf("%d signals are in mind and %d left out", len(now.Items), len(now.LeftOut))
	}
	for i, item := range now.Items {
		rec, err := log.Find(t.Context(), item.EnvelopeID)
		if err != nil {
			t.Fatal(err)
		}
		sig, err := domain.Decode[domain.SignalReceived](rec.Envelope)
		if want := said[len(said)-1-i]; err != nil || sig.Content != want {
			t.Errorf("in mind is %q, %v, want %q", sig.Content, err, want)
		}
	}
}

func TestMalformed(t *testing.T) {
	large := bytes.Repeat([]byte("x"), streams.MaxMessageBytes+1)
	long := strings.Repeat("n", domain.MaxNameBytes+1)
	fault := func(message string) [][]byte { return [][]byte{text([]byte(message))} }
	for _, c := range []struct {
		name   string
		frames [][]byte
		says   string
	}{
		{"no JSON", fault(`price up`), "the message is not JSON"},
		{"nothing", fault(``), "the message is empty"},
		{"two values", fault(`{"type":"signal"}{}`), "the message is not JSON"},
		{"an array", fault(`[1]`), "the message must be an object"},
		{"not UTF-8", fault("{\"type\":\"\xff\"}"), "the message is not UTF-8"},
		{"no type", fault(`{"signal_type":"a","content":"b"}`), "type is required"},
		{"a type that is no text", fault(`{"type":1}`), "type must be a string"},
		{"a signal type that is no text", fault(`{"type":"signal","signal_type":1,"content":"b"}`), "signal_type must be a string"},
		{"no signal type", fault(`{"type":"signal","content":"b"}`), "signal_type is required"},
		{"no content", fault(`{"type":"signal","signal_type":"a"}`), "content is required"},
		{"content that is no text", fault(`{"type":"signal","signal_type":"a","content":{"a":1}}`), "content must be a string"},
		{"a topic that is no text", fault(`{"type":"signal","signal_type":"a","content":"b","topic":[]}`), "topic must be a string"},
		{"a source too long", fault(`{"type":"signal","signal_type":"a","content":"b","source":"` + long + `"}`), "source has 129 bytes"},
		{"an energy that is no number", fault(`{"type":"signal","signal_type":"a","content":"b","activation_energy":"1"}`), "activation_energy must be a number"},
		{"an energy over 1", fault(`{"type":"signal","signal_type":"a","content":"b","activation_energy":1.1}`), "activation_energy is 1.1"},
		{"metadata that is no object", fault(`{"type":"signal","signal_type":"a","content":"b","metadata":[]}`), "metadata must be an object"},
		{"metadata that is too deep", fault(`{"type":"signal","signal_type":"a","content":"b","metadata":` + strings.Repeat(`{"a":`, 10_100) + "1" + strings.Repeat("}", 10_100) + "}"), "more than 100"},
		{"binary", [][]byte{ws.MustCompileFrame(ws.NewBinaryFrame(heardSignal("x")))}, "binary"},
		{"binary in fragments", [][]byte{
			ws.MustCompileFrame(ws.NewFrame(ws.OpBinary, false, heardSignal("x"))), ws.MustCompileFrame(ws.NewFrame(ws.OpContinuation, true, heardSignal("y"))),
		}, "binary"},
		{"too large", [][]byte{text(large)}, "larger than 65536 bytes"},
		{"too large together", [][]byte{
			ws.MustCompileFrame(ws.NewFrame(ws.OpText, false, large[:40_000])), ws.MustCompileFrame(ws.NewFrame(ws.OpContinuation, false, large[:40_000])),
			ws.MustCompileFrame(ws.NewFrame(ws.OpContinuation, false, large[:10])), ws.MustCompileFrame(ws.NewFrame(ws.OpContinuation, true, nil)),
		}, "larger than 65536 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := said(t, func(_ int, conn net.Conn) {
				say(conn, text(heardSignal("before")))
				say(conn, c.frames...)
				say(conn, text(heardSignal("after")))
				stay(conn)
			})
			h := startHouse(t, memlog.New(clock{}), nil, b.stream)
			status := h.until(b.stream, "what came after", accepted(2))
			if status.Malformed != 1 || status.Received != 3 || !strings.Contains(status.LastFault, c.says) {
				t.Errorf("the status is %+v, want one malformed that says %q", status, c.says)
			}
			if b.count() != 1 {
				t.Errorf("there were %d connections", b.count())
			}
			h.want("before", "after")
		})
	}
}

func TestFragmentsAndPings(t *testing.T) {
	pongs := make(chan string, 3)
	b := said(t, func(_ int, conn net.Conn) {
		m := heardSignal("in parts: é")
		at := bytes.IndexByte(m, 0xc3) + 1 // within a character
		say(conn, ws.MustCompileFrame(ws.NewPingFrame([]byte("one"))),
			ws.MustCompileFrame(ws.NewFrame(ws.OpText, false, nil)),
			ws.MustCompileFrame(ws.NewFrame(ws.OpContinuation, false, m[:at])),
			ws.MustCompileFrame(ws.NewPingFrame([]byte("two"))), ws.MustCompileFrame(ws.NewPongFrame(nil)),
			ws.MustCompileFrame(ws.NewFrame(ws.OpContinuation, true, m[at:])),
			text(heardSignal("whole")), ws.MustCompileFrame(ws.NewPingFrame(nil)))
		for {
			f, err := readFrame(conn)
			if err != nil {
				return
			}
			if f.Header.OpCode == ws.OpPong && f.Header.Masked {
				pongs <- string(ws.UnmaskFrame(f).Payload)
			}
		}
	})
	h := startHouse(t, memlog.New(clock{}), nil, b.stream)
	h.until(b.stream, "two signals", accepted(2))
	h.want("in parts: é", "whole")
	for _, want := range []string{"one", "two", ""} {
		if got := <-pongs; got != want {
			t.Errorf("the pong is %q, want %q", got, want)
		}
	}
}

// TestEndings goes through what ends a connection: it is made anew, and what was
// whole before is in the log.
func TestEndings(t *testing.T) {
	closing := func(code ws.StatusCode, reason string) []byte {
		return ws.MustCompileFrame(ws.NewCloseFrame(ws.NewCloseFrameBody(code, reason)))
	}
	for _, c := range []struct {
		name string
		end  [][]byte
		says string
	}{
		{"mid-frame", [][]byte{text(heardSignal("lost"))[:20]}, "ended the connection without a word"},
		{"mid-header", [][]byte{{0x81}}, "ended the connection without a word"},
		{"between fragments", [][]byte{ws.MustCompileFrame(ws.NewFrame(ws.OpText, false, heardSignal("lost")))}, "ended the connection without a word"},
		{"without a word", nil, "ended the connection without a word"},
		{"with a close frame", [][]byte{closing(ws.StatusGoingAway, "back\nsoon")}, "it closed the connection with code 1001 (backsoon)"},
		{"a masked frame", [][]byte{ws.MustCompileFrame(ws.MaskFrame(ws.NewTextFrame(heardSignal("x"))))}, "broke the WebSocket protocol"},
		{"a continuation of nothing", [][]byte{ws.MustCompileFrame(ws.NewFrame(ws.OpContinuation, true, nil))}, "broke the WebSocket protocol"},
		{"compressed", [][]byte{append([]byte{0xc1}, text(heardSignal("x"))[1:]...)}, "broke the WebSocket protocol"},
		{"an impossible length", [][]byte{{0x81, 127, 0xff, 0, 0, 0, 0, 0, 0, 0}}, "broke the WebSocket protocol"},
		{"an endless length", [][]byte{{0x81, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}, "more than 16777216 bytes"},
		{"HTTP", [][]byte{[]byte("HTTP/1.1 200 OK\r\n\r\n")}, "broke the WebSocket protocol"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := said(t, func(n int, conn net.Conn) {
				if n > 0 {
					say(conn, text(heardSignal("again")))
					stay(conn)
					return
				}
				say(conn, text(heardSignal("first")))
				say(conn, c.end...)
				// Cut in order: unread bytes of ours would turn the end into a reset.
				_ = conn.(*net.TCPConn).CloseWrite()
				stay(conn)
			})
			h := startHouse(t, memlog.New(clock{}), nil, b.stream)
			status := h.until(b.stream, "the next connection's", accepted(2))
			if !strings.Contains(status.LastError, c.says) {
				t.Errorf("the last error is %q, want %q", status.LastError, c.says)
			}
			h.want("first", "again")
		})
	}
}

func TestHandshakes(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer string
		says   string
	}{
		{"a redirect", "HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n", "it redirects (302), which isn't followed"},
		{"a page", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>", "it answered 200 instead of opening a WebSocket"},
		{"not found", "HTTP/1.1 404 Not Found\r\n\r\n", "it answered 404"},
		{"another protocol", "220 smtp.example ESMTP\r\n", "opens no WebSocket"},
		{"a wrong key", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: aaaaaaaaaaaaaaaaaaaaaaaaaaa=\r\n\r\n", "opens no WebSocket"},
		{"an endless line", "HTTP/1.1 101 " + strings.Repeat("x", 1<<20), "opens no WebSocket"},
		{"endless headers", "HTTP/1.1 101 Switching Protocols\r\n" + strings.Repeat("X-More: and more\r\n", 1<<16), "opens no WebSocket"},
		{"nothing", "", "EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := broadcast(t, func(_ int, conn net.Conn) {
				say(conn, []byte(c.answer))
				_ = conn.(*net.TCPConn).CloseWrite()
				stay(conn)
			})
			h := startHouse(t, memlog.New(clock{}), nil, b.stream)
			status := h.until(b.stream, "a refusal", func(s signal.StreamStatus) bool { return s.LastError != "" })
			if !strings.Contains(status.LastError, c.says) || status.Received != 0 {
				t.Errorf("the status is %+v, want an error that says %q", status, c.says)
			}
		})
	}
}

func TestNobodyThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := streamAt("ws://" + l.Addr().String())
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	h := startHouse(t, memlog.New(clock{}), nil, s)
	status := h.until(s, "a refusal", func(s signal.StreamStatus) bool { return s.LastError != "" })
	if !strings.Contains(status.LastError, "nothing listens at its address") {
		t.Errorf("the status is %+v", status)
	}
}

func TestForbiddenAddress(t *testing.T) {
	s := streamAt("ws://169.254.169.254/latest")
	h := startHouse(t, memlog.New(clock{}), nil, s)
	status := h.until(s, "a refusal", func(s signal.StreamStatus) bool { return s.State == signal.StreamWaiting })
	if !strings.Contains(status.Reason, "link-local") || status.Until == nil {
		t.Errorf("the status is %+v", status)
	}
}

func TestRemovedWhileLive(t *testing.T) {
	gone := make(chan error, 1)
	b := said(t, func(_ int, conn net.Conn) {
		for i := 0; ; i++ {
			if _, err := conn.Write(text(heardSignal(fmt.Sprint(i)))); err != nil {
				gone <- err
				return
			}
		}
	})
	h := startHouse(t, memlog.New(clock{}), nil, b.stream)
	h.until(b.stream, "some signals", func(s signal.StreamStatus) bool { return s.Accepted > 1000 })
	h.book.set()
	h.listener.Look()
	<-gone
	h.until(b.stream, "the end", func(s signal.StreamStatus) bool { return s.State == "" })
	tail := h.log.Tail()
	for i, content := range h.heard() {
		if content != fmt.Sprint(i) {
			t.Fatalf("signal %d is %q", i, content)
		}
	}
	if h.log.Tail() != tail || b.count() != 1 {
		t.Errorf("it went on: %d after %d, %d connections", h.log.Tail(), tail, b.count())
	}
}

// TestAnotherProcess ends the log under a listener, as a kill would, and begins
// anew over the same folder.
func TestAnotherProcess(t *testing.T) {
	b := said(t, func(n int, conn net.Conn) {
		for i := range 2000 {
			say(conn, text(heardSignal(fmt.Sprint(n, " ", i))))
		}
		stay(conn)
	})
	dir := t.TempDir()
	open := func() *pebblelog.Log {
		log, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: clock{}})
		if err != nil {
			t.Fatal(err)
		}
		return log
	}
	first := open()
	h := startHouse(t, first, func(cfg *streams.Config) { cfg.Grace = 1 }, b.stream)
	h.until(b.stream, "the beginning", func(s signal.StreamStatus) bool { return s.Accepted > 0 })
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	h.stop()

	second := open()
	t.Cleanup(func() { _ = second.Close() })
	h = startHouse(t, second, nil, b.stream)
	h.until(b.stream, "the next connection's", accepted(2000))
	had := map[string]int{}
	for _, content := range h.heard() {
		n, _, _ := strings.Cut(content, " ")
		if want := fmt.Sprint(n, " ", had[n]); content != want {
			t.Fatalf("heard %q, want %q", content, want)
		}
		had[n]++
	}
	if had["0"] == 0 || had["1"] != 2000 {
		t.Errorf("heard %v", had)
	}
}

func TestSeveralStreams(t *testing.T) {
	var all []domain.Stream
	for range 5 {
		b := said(t, func(_ int, conn net.Conn) {
			for i := range 200 {
				say(conn, text(heardSignal(fmt.Sprint(i))))
			}
			stay(conn)
		})
		all = append(all, b.stream)
	}
	h := startHouse(t, memlog.New(clock{}), nil, all...)
	for _, s := range all {
		h.until(s, "its signals", accepted(200))
	}
	records, err := h.log.Select(context.Background(), domain.Selector{}, 1, 5000)
	if err != nil {
		t.Fatal(err)
	}
	count := map[domain.Principal]int{}
	for _, rec := range records {
		count[rec.Envelope.Principal]++
	}
	for _, s := range all {
		if count[s.Principal()] != 200 {
			t.Errorf("%s said %d", s.Principal(), count[s.Principal()])
		}
	}
}
