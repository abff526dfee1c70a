package wsapi

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/gobwas/ws"
)

// abuse is what a peer sends right after the handshake, and what must come of it.
type abuse struct {
	name  string
	bytes []byte
	code  ws.StatusCode // the close frame; 0 for an empty one
	check func(t *testing.T, h *house, p *peer)
	gone  bool // the peer hangs up itself, and hears nothing
}

// refused expects a recoverable error, and a socket that lives on.
func refused(about string) func(*testing.T, *house, *peer) {
	return func(t *testing.T, _ *house, p *peer) {
		if got := p.refusal(); !strings.Contains(got.Message, about) {
			t.Errorf("the error says %q, want something about %q", got.Message, about)
		}
		lives(t, p)
	}
}

// lives expects the socket to answer, and ends it in good order.
func lives(t *testing.T, p *peer) {
	t.Helper()
	p.send(masked(ws.OpPing, true, []byte("still there?")))
	if got := p.next(); got.op != ws.OpPong || string(got.payload) != "still there?" {
		t.Errorf("got %s, want a pong", got)
	}
	p.send(masked(ws.OpClose, true, ws.NewCloseFrameBody(ws.StatusNormalClosure, "bye")))
	if code, reason := p.closed(); code != ws.StatusNormalClosure || reason != "bye" {
		t.Errorf("closed with %d %q, want the same code and reason", code, reason)
	}
}

func hears(n int, text string) func(*testing.T, *house, *peer) {
	return func(t *testing.T, h *house, p *peer) {
		domaintest.Until(t, "the message is heard", func() bool { return len(h.said()) == n })
		for _, what := range h.said() {
			if msg, ok := what.(domain.MessageReceived); !ok || msg.Text != text {
				t.Errorf("heard %.100v, want %q", what, text)
			}
		}
		p.send(masked(ws.OpClose, true, nil))
		for {
			got := p.next()
			if got.op == ws.OpClose {
				if len(got.payload) > 0 {
					t.Errorf("got %s, want an empty close frame", got)
				}
				return
			}
		}
	}
}

func raw(b ...byte) []byte { return b }

func joined(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// header is a client's frame header with any length, and no payload.
func header(op ws.OpCode, length uint64) []byte {
	out := binary.BigEndian.AppendUint64(raw(0x80|byte(op), 0xff), length)
	return append(out, 1, 2, 3, 4)
}

func closing(payload ...byte) []byte { return masked(ws.OpClose, true, payload) }

func coded(code uint16, reason string) []byte {
	return closing(append(binary.BigEndian.AppendUint16(nil, code), reason...)...)
}

func unmasked(op ws.OpCode, text string) []byte {
	return ws.MustCompileFrame(ws.NewFrame(op, true, []byte(text)))
}

// flagged sets bits of a frame's first byte.
func flagged(frame []byte, bits byte) []byte {
	frame[0] |= bits
	return frame
}

const hello = `{"type":"chat","text":"grüß dich"}`

func abuses() []abuse {
	text := func(s string) []byte { return masked(ws.OpText, true, []byte(s)) }
	begin := func(s string) []byte { return masked(ws.OpText, false, []byte(s)) }
	more := func(s string) []byte { return masked(ws.OpContinuation, false, []byte(s)) }
	last := func(s string) []byte { return masked(ws.OpContinuation, true, []byte(s)) }
	ping := masked(ws.OpPing, true, []byte("p"))
	pong := func(t *testing.T, _ *house, p *peer) {
		if got := p.next(); got.op != ws.OpPong || string(got.payload) != "p" {
			t.Errorf("got %s, want a pong with the same payload", got)
		}
	}
	at := strings.Index(hello, "ü") + 1 // within a rune
	return slices.Concat(framing(text, begin, more, last), encoding(text, begin, more, last), closes(text), sense(text), []abuse{
		{name: "fragments", bytes: joined(begin(hello[:at]), more(hello[at:at+3]), more(""), last(hello[at+3:])), check: hears(1, "grüß dich")},
		{name: "ping between fragments", bytes: joined(begin(hello[:at]), ping, last(hello[at:])), check: func(t *testing.T, h *house, p *peer) {
			pong(t, h, p)
			hears(1, "grüß dich")(t, h, p)
		}},
		{name: "ping with 125 bytes", bytes: masked(ws.OpPing, true, bytes.Repeat([]byte("x"), 125)), check: func(t *testing.T, _ *house, p *peer) {
			if got := p.next(); got.op != ws.OpPong || len(got.payload) != 125 {
				t.Errorf("got %s, want a pong of 125 bytes", got)
			}
			lives(t, p)
		}},
		{name: "pong nobody asked for", bytes: masked(ws.OpPong, true, []byte("hm")), check: func(t *testing.T, _ *house, p *peer) { lives(t, p) }},
		{name: "many messages at once", bytes: bytes.Repeat(text(hello), 50), check: hears(50, "grüß dich")},
		{name: "hangs up", bytes: nil, gone: true},
		{name: "hangs up within a header", bytes: raw(0x81), gone: true},
		{name: "hangs up within a payload", bytes: text(hello)[:20], gone: true},
		{name: "hangs up between fragments", bytes: begin(hello), gone: true},
	})
}

func framing(text, begin, more, last func(string) []byte) []abuse {
	return []abuse{
		{name: "unmasked text", bytes: unmasked(ws.OpText, hello), code: 1002},
		{name: "unmasked ping", bytes: unmasked(ws.OpPing, ""), code: 1002},
		{name: "RSV1", bytes: flagged(text(hello), 0x40), code: 1002},
		{name: "RSV2", bytes: flagged(text(hello), 0x20), code: 1002},
		{name: "RSV3", bytes: flagged(text(hello), 0x10), code: 1002},
		{name: "RSV1 on a ping", bytes: flagged(masked(ws.OpPing, true, nil), 0x40), code: 1002},
		{name: "reserved opcode 3", bytes: masked(3, true, nil), code: 1002},
		{name: "reserved opcode 7", bytes: masked(7, true, []byte("x")), code: 1002},
		{name: "reserved opcode 11", bytes: masked(11, true, nil), code: 1002},
		{name: "reserved opcode 15", bytes: masked(15, true, nil), code: 1002},
		{name: "fragmented ping", bytes: masked(ws.OpPing, false, []byte("x")), code: 1002},
		{name: "fragmented close", bytes: masked(ws.OpClose, false, nil), code: 1002},
		{name: "ping with 126 bytes", bytes: masked(ws.OpPing, true, make([]byte, 126)), code: 1002},
		{name: "ping of 64-bit length", bytes: header(ws.OpPing, 1<<40), code: 1002},
		{name: "close with 126 bytes", bytes: masked(ws.OpClose, true, make([]byte, 126)), code: 1002},
		{name: "continuation of nothing", bytes: last("x"), code: 1002},
		{name: "continuation of nothing, open", bytes: more("x"), code: 1002},
		{name: "continuation after the end", bytes: joined(begin(`{"type":`), last(`"pong"}`), last("x")), code: 1002},
		{name: "text within a message", bytes: joined(begin(hello), text(hello)), code: 1002},
		{name: "binary within a message", bytes: joined(begin(hello), masked(ws.OpBinary, true, nil)), code: 1002},
		{name: "length with the top bit", bytes: header(ws.OpText, 1<<63), code: 1002},
		{name: "length of all ones", bytes: header(ws.OpText, 1<<64-1), code: 1002},
		{name: "binary", bytes: masked(ws.OpBinary, true, []byte(hello)), code: 1003},
		{name: "binary, open", bytes: masked(ws.OpBinary, false, nil), code: 1003},
		{name: "too large by its header", bytes: header(ws.OpText, 128<<10+1), code: 1009},
		{name: "far too large by its header", bytes: header(ws.OpText, 1<<62), code: 1009},
		{name: "too large by its fragments", bytes: joined(begin(strings.Repeat(" ", 100<<10)), more(strings.Repeat(" ", 28<<10)), last(" ")), code: 1009},
		{name: "HTTP once more", bytes: []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), code: 1002},
		{name: "zeros", bytes: make([]byte, 1000), code: 1002},
	}
}

func encoding(text, begin, more, last func(string) []byte) []abuse {
	return []abuse{
		{name: "stray byte", bytes: text("{\"\xff\":1}"), code: 1007},
		{name: "overlong slash", bytes: text("\"\xc0\xaf\""), code: 1007},
		{name: "surrogate", bytes: text("\"\xed\xa0\x80\""), code: 1007},
		{name: "beyond Unicode", bytes: text("\"\xf4\x90\x80\x80\""), code: 1007},
		{name: "rune cut off", bytes: text("\xe2\x82"), code: 1007},
		{name: "bad rune over fragments", bytes: joined(begin("\xf0\x9f"), more("\x92"), last("x")), code: 1007},
		{name: "bad fragment of a message that goes on", bytes: joined(begin("ok \xff"), ws.MustCompileFrame(ws.MaskFrame(ws.NewPingFrame(nil)))), code: 1007},
		{name: "bad start that more bytes can't mend", bytes: begin("\xed\xa0"), code: 1007},
	}
}

func closes(text func(string) []byte) []abuse {
	out := []abuse{
		{name: "empty close", bytes: closing(), code: 0},
		{name: "close with a byte", bytes: closing(3), code: 1002},
		{name: "close with a bad reason", bytes: coded(1000, "\xff"), code: 1007},
		{name: "close with a long reason", bytes: coded(1000, strings.Repeat("x", 123)), code: 1000},
		{name: "messages after the close", bytes: joined(coded(1000, ""), bytes.Repeat(text(hello), 1000)), code: 1000, check: func(t *testing.T, h *house, _ *peer) {
			if n := len(h.said()); n != 0 {
				t.Errorf("%d messages were heard after the close", n)
			}
		}},
	}
	for _, code := range []uint16{0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535} {
		out = append(out, abuse{name: fmt.Sprintf("close with %d", code), bytes: coded(code, ""), code: 1002})
	}
	for _, code := range []uint16{1000, 1001, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999} {
		out = append(out, abuse{name: fmt.Sprintf("close with %d", code), bytes: coded(code, "so it is"), code: ws.StatusCode(code)})
	}
	return out
}

func sense(text func(string) []byte) []abuse {
	said := func(name, message, about string) abuse {
		return abuse{name: name, bytes: text(message), check: refused(about)}
	}
	const image = `"0190d3c4-5b6a-7c8d-9e0f-a1b2c3d4e5f6"`
	return []abuse{
		said("empty message", ``, "is empty"),
		said("no JSON", `hello`, "not JSON"),
		said("half an object", `{"type":"chat"`, "not JSON"),
		said("two objects", `{"type":"pong"} {"type":"pong"}`, "not JSON"),
		said("array", `[{"type":"pong"}]`, "must be an object"),
		said("null", `null`, "must be an object"),
		said("number", `5`, "must be an object"),
		said("deep nesting", strings.Repeat(`[`, 60<<10)+strings.Repeat(`]`, 60<<10), "more than 100"),
		said("no type", `{"text":"hi"}`, "no type"),
		said("type of another case", `{"TYPE":"chat","text":"hi"}`, "no type"),
		said("type that is a number", `{"type":5}`, "type must be a string"),
		said("unknown type", `{"type":"subscribe"}`, "subscribe"),
		said("long unknown type", `{"type":"`+strings.Repeat("x", 100_000)+`"}`, "xxx"),
		said("chat without text", `{"type":"chat"}`, "text is required"),
		said("text that is a list", `{"type":"chat","text":["hi"]}`, "text must be a string"),
		said("text too long", `{"type":"chat","text":"`+strings.Repeat("x", 64<<10+1)+`"}`, "bound"),
		said("unknown source", `{"type":"chat","text":"hi","source":"telepathy"}`, "telepathy"),
		said("four images", `{"type":"chat","text":"hi","image_ids":[`+image+`,`+image+`,`+image+`,`+image+`]}`, "4 elements"),
		said("image that is no id", `{"type":"chat","text":"hi","image_ids":["cat.png"]}`, "cat.png"),
		said("images that are no list", `{"type":"chat","text":"hi","image_ids":{}}`, "image_ids"),
		said("action without payload", `{"type":"action"}`, "payload"),
		said("action with a text", `{"type":"action","payload":"tea"}`, "payload"),
		said("action without skill", `{"type":"action","payload":{"cups":2}}`, "skill"),
		said("action with a number for skill", `{"type":"action","payload":{"skill":2}}`, "skill"),
		said("steer with a number", `{"type":"act_steer","text":7}`, "text must be a string"),
		said("resume without a number", `{"type":"resume"}`, "last_seq"),
		said("resume with a fraction", `{"type":"resume","last_seq":1.5}`, "last_seq"),
		said("resume below nothing", `{"type":"resume","last_seq":-1}`, "last_seq"),
		said("resume with a text", `{"type":"resume","last_seq":"1"}`, "last_seq"),
		said("resume from the future", `{"type":"resume","last_seq":18446744073709551615}`, "latest number"),
		said("resume beyond numbers", `{"type":"resume","last_seq":18446744073709551616}`, "last_seq"),
	}
}

func TestAbuse(t *testing.T) {
	h := newHouse(t)
	srv := h.serve(t)
	before, heap := settled(h)
	for _, c := range abuses() {
		for _, piecemeal := range []bool{false, true} {
			if piecemeal && len(c.bytes) > 2000 {
				continue // a system call for each byte of these takes too long
			}
			t.Run(fmt.Sprintf("%s/piecemeal=%v", c.name, piecemeal), func(t *testing.T) {
				h.forget()
				suffer(t, h, connectAgain(t, h, srv.Listener.Addr()), c, piecemeal)
			})
		}
	}
	good := connect(t, srv)
	good.say(`{"type":"chat","text":"still well?"}`)
	good.text("status")
	_ = good.conn.Close()

	domaintest.Until(t, "no client is left", func() bool { return h.hub.Clients() == 0 })
	domaintest.Until(t, "goroutines are as few as before", func() bool { return runtime.NumGoroutine() <= before })
	if _, now := settled(h); now > heap+4<<20 {
		t.Errorf("the heap grew from %d to %d bytes", heap, now)
	}
}

func suffer(t *testing.T, h *house, p *peer, c abuse, piecemeal bool) {
	if tcp, ok := p.conn.(*net.TCPConn); ok && piecemeal {
		if err := tcp.SetNoDelay(true); err != nil {
			t.Fatal(err)
		}
	}
	for part := range slices.Chunk(c.bytes, map[bool]int{true: 1, false: 1 << 20}[piecemeal]) {
		if _, err := p.conn.Write(part); err != nil {
			break // the server is through with it before all was sent
		}
	}
	if c.gone {
		_ = p.conn.Close()
		return
	}
	if c.check != nil {
		c.check(t, h, p)
		if c.code == 0 {
			return
		}
	}
	code, reason := p.closed()
	if code != c.code {
		t.Fatalf("closed with %d %q, want %d", code, reason, c.code)
	}
	if code == 1009 && !strings.Contains(reason, "131072") {
		t.Errorf("the reason %q doesn't name the bound", reason)
	}
	if got, err := p.read(); err == nil {
		t.Errorf("after the close frame came %s", got)
	}
}

// connectAgain connects after those before have left.
func connectAgain(t *testing.T, h *house, addr net.Addr) *peer {
	t.Helper()
	domaintest.Until(t, "the one before has left", func() bool { return h.hub.Clients() == 0 })
	return dial(t, addr)
}

// settled is how many goroutines there are, and how many bytes on the heap.
func settled(*house) (goroutines int, heap uint64) {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return runtime.NumGoroutine(), m.HeapAlloc
}

func TestAPeerThatNeverClosesIsCut(t *testing.T) {
	h := newHouse(t)
	p := connect(t, h.serve(t))
	p.send(masked(3, true, nil))
	if code, _ := p.closed(); code != 1002 {
		t.Fatalf("closed with %d", code)
	}
	// It goes on talking instead of closing.
	domaintest.Until(t, "the peer is cut", func() bool {
		_, err := p.conn.Write(masked(ws.OpText, true, []byte(hello)))
		return err != nil && h.hub.Clients() == 0
	})
}
