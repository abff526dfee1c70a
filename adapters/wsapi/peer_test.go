package wsapi

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"chalie/domain"

	"github.com/gobwas/ws"
)

const handshake = "GET /ws HTTP/1.1\r\nHost: %s\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n" +
	"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

// patience is how long a test waits for one frame.
const patience = 10 * time.Second

// peer is the other end, byte by byte.
type peer struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
}

// connect opens a socket; more is sent in one piece with the handshake.
func connect(t testing.TB, srv *httptest.Server, more ...byte) *peer {
	t.Helper()
	return dial(t, srv.Listener.Addr(), more...)
}

func dial(t testing.TB, addr net.Addr, more ...byte) *peer {
	t.Helper()
	conn, err := net.Dial("tcp", addr.String())
	if err != nil {
		t.Fatal(err)
	}
	return shake(t, conn, addr, more...)
}

// shake makes a connection a socket.
func shake(t testing.TB, conn net.Conn, addr net.Addr, more ...byte) *peer {
	t.Helper()
	t.Cleanup(func() { _ = conn.Close() })
	p := &peer{t: t, conn: conn, in: bufio.NewReader(conn)}
	p.send(append(fmt.Appendf(nil, handshake, addr), more...))
	res, err := http.ReadResponse(p.in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("the upgrade was answered with %s", res.Status)
	}
	return p
}

// pipe is a connection without a network: it takes what is read, and no more.
func pipe(t testing.TB) (p *peer, theirs net.Conn) {
	mine, theirs := net.Pipe()
	t.Cleanup(func() { _ = mine.Close() })
	return &peer{t: t, conn: mine, in: bufio.NewReader(mine)}, theirs
}

func (p *peer) send(bytes []byte) {
	p.t.Helper()
	if _, err := p.conn.Write(bytes); err != nil {
		p.t.Fatal(err)
	}
}

// say sends one text message.
func (p *peer) say(format string, args ...any) {
	p.t.Helper()
	p.send(masked(ws.OpText, true, fmt.Appendf(nil, format, args...)))
}

// masked is a client's frame.
func masked(op ws.OpCode, fin bool, payload []byte) []byte {
	f := ws.MaskFrameWith(ws.NewFrame(op, fin, payload), [4]byte{1, 2, 3, 4})
	return ws.MustCompileFrame(f)
}

// received is one frame from the server, with its JSON if it is text.
type received struct {
	op      ws.OpCode
	payload []byte

	Type        string          `json:"type"`
	Seq         domain.Seq      `json:"seq"`
	From        domain.Seq      `json:"from"`
	To          domain.Seq      `json:"to"`
	Message     string          `json:"message"`
	Epoch       domain.ID       `json:"epoch"`
	Reason      string          `json:"reason"`
	Recoverable *bool           `json:"recoverable"`
	Stage       string          `json:"stage"`
	Blocks      json.RawMessage `json:"blocks"`
}

// read returns the next frame, or the error that the connection ended with.
func (p *peer) read() (received, error) {
	if err := p.conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return received{}, err
	}
	return p.frame()
}

// frame is read without touching the deadline.
func (p *peer) frame() (received, error) {
	h, err := ws.ReadHeader(p.in)
	if err != nil {
		return received{}, err
	}
	if err := ws.CheckHeader(h, ws.StateClientSide); err != nil {
		return received{}, err
	}
	got := received{op: h.OpCode, payload: make([]byte, h.Length)}
	if _, err := io.ReadFull(p.in, got.payload); err != nil {
		return received{}, err
	}
	if h.OpCode == ws.OpText {
		if err := json.Unmarshal(got.payload, &got); err != nil {
			return received{}, fmt.Errorf("%s: %w", got.payload, err)
		}
	}
	return got, nil
}

// next is the next frame that is no ping.
func (p *peer) next() received {
	p.t.Helper()
	for {
		got, err := p.read()
		if err != nil {
			p.t.Fatalf("waiting for a frame: %v", err)
		}
		if got.op != ws.OpPing && got.Type != "ping" {
			return got
		}
	}
}

// text is the next text frame, which must be of the given type.
func (p *peer) text(kind string) received {
	p.t.Helper()
	got := p.next()
	if got.op != ws.OpText || got.Type != kind {
		p.t.Fatalf("got %s, want a frame of type %s", got, kind)
	}
	return got
}

// refusal is the next frame, which must be a recoverable error.
func (p *peer) refusal() received {
	p.t.Helper()
	got := p.text("error")
	if got.Recoverable == nil || !*got.Recoverable {
		p.t.Fatalf("%s: a refusal must be recoverable", got)
	}
	return got
}

// closed reads on until the close frame and returns its code, 0 when it has none.
func (p *peer) closed() (ws.StatusCode, string) {
	p.t.Helper()
	for {
		got, err := p.read()
		if err != nil {
			p.t.Fatalf("the connection ended without a close frame: %v", err)
		}
		if got.op == ws.OpClose {
			if len(got.payload) == 0 {
				return 0, ""
			}
			return ws.StatusCode(binary.BigEndian.Uint16(got.payload)), string(got.payload[2:])
		}
	}
}

// over waits until the connection has ended, and tells whether it was reset.
func (p *peer) over() error {
	p.t.Helper()
	for {
		if _, err := p.read(); err != nil {
			return err
		}
	}
}

func (r received) String() string {
	if r.op == ws.OpClose && len(r.payload) >= 2 {
		return fmt.Sprintf("close %d %q", binary.BigEndian.Uint16(r.payload), r.payload[2:])
	}
	return fmt.Sprintf("opcode %d %.200q", r.op, r.payload)
}
