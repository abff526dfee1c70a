package wsapi

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/gobwas/ws"

	"chalie/domain/domaintest"
)

// script is a connection whose peer has said all it will say, and hangs up.
type script struct {
	mu      sync.Mutex
	in      *bytes.Reader
	step    int // at most so many bytes at once
	out     bytes.Buffer
	closed  bool
	written chan struct{} // closed with the connection
}

func (s *script) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, net.ErrClosed
	}
	return s.in.Read(p[:min(len(p), s.step)])
}

func (s *script) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, net.ErrClosed
	}
	return s.out.Write(p)
}

func (s *script) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.written)
	}
	return nil
}

func (s *script) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (s *script) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (s *script) SetDeadline(time.Time) error      { return nil }
func (s *script) SetReadDeadline(time.Time) error  { return nil }
func (s *script) SetWriteDeadline(time.Time) error { return nil }

// FuzzClientBytes lets a peer say anything, in pieces of any size. The
// connection must end, and all that was sent must be whole frames, a close frame
// at most once and last.
func FuzzClientBytes(f *testing.F) {
	for _, c := range abuses() {
		if len(c.bytes) < 4096 {
			f.Add(c.bytes, uint8(7))
		}
	}
	f.Add(joined(masked(ws.OpText, true, []byte(`{"type":"resume","last_seq":0}`)), masked(ws.OpText, true, []byte(hello))), uint8(1))
	h := newHouse(f)
	f.Fuzz(func(t *testing.T, said []byte, step uint8) {
		conn := &script{in: bytes.NewReader(said), step: 1 + int(step), written: make(chan struct{})}
		h.join(t, conn, h.log.Tail())
		select {
		case <-conn.written:
		case <-time.After(patience):
			t.Fatal("the connection doesn't end")
		}
		domaintest.Until(t, "the client is gone", func() bool { return h.hub.Clients() == 0 })
		out, closed := bytes.NewReader(conn.out.Bytes()), false
		for {
			header, err := ws.ReadHeader(out)
			if errors.Is(err, io.EOF) {
				return
			}
			if err == nil {
				err = ws.CheckHeader(header, ws.StateClientSide)
			}
			if err != nil || closed {
				t.Fatalf("after %d bytes: %v (closed: %v)", conn.out.Len()-out.Len(), err, closed)
			}
			closed = header.OpCode == ws.OpClose
			if _, err := io.CopyN(io.Discard, out, header.Length); err != nil {
				return // cut off in the middle: the peer had hung up
			}
		}
	})
}
