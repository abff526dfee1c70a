package streams

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"chalie/commands"
	"chalie/domain"

	"github.com/gobwas/ws"
)

// fault is what is wrong with one message; the ones after it can be read.
type fault struct{ message string }

func (f *fault) Error() string { return f.message }

// socket is the receiving end of a WebSocket. One goroutine reads from it.
type socket struct {
	cfg  Config
	wire *wire
	in   *bufio.Reader
	buf  []byte // the message being read, when it isn't whole in the reader

	header [ws.MaxHeaderSize]byte

	writing sync.Mutex
}

// newSocket reads ahead first, and then from the wire.
func newSocket(cfg Config, w *wire, ahead []byte) *socket {
	s := &socket{cfg: cfg, wire: w}
	var from io.Reader = w
	if len(ahead) > 0 {
		from = io.MultiReader(bytes.NewReader(ahead), w)
	}
	s.in = bufio.NewReaderSize(from, MaxMessageBytes)
	w.shaken(cfg.PingEvery, func() error { return s.write(ws.NewPingFrame(nil)) })
	return s
}

// leave says goodbye, if that takes no time, and cuts the connection. It may be
// called while another goroutine reads.
func (s *socket) leave() {
	if s.writing.TryLock() {
		_ = s.send(ws.NewCloseFrame(ws.NewCloseFrameBody(ws.StatusGoingAway, "")), 50*time.Millisecond)
		s.writing.Unlock()
	}
	s.shut()
}

// shut cuts the connection.
func (s *socket) shut() { _ = s.wire.Close() }

func (s *socket) write(f ws.Frame) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	return s.send(f, s.cfg.WriteWithin)
}

func (s *socket) send(f ws.Frame, within time.Duration) error {
	text, err := ws.CompileFrame(ws.MaskFrameInPlace(f))
	if err != nil {
		return err
	}
	if err := s.wire.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	_, err = s.wire.Write(text)
	return err
}

// message is the next one; it is valid until the next call. A *fault concerns
// this message alone; after any other error the connection is of no use. Pings
// are answered on the way.
func (s *socket) message() ([]byte, error) {
	var m assembly
	for {
		h, err := ws.ReadHeaderBuffer(s.in, s.header[:])
		if err != nil {
			return nil, s.broken(err)
		}
		state := ws.StateClientSide
		if m.begun {
			state = state.Set(ws.StateFragmented)
		}
		if err := ws.CheckHeader(h, state); err != nil {
			return nil, s.violated(ws.StatusProtocolError, err.Error())
		}
		if h.OpCode.IsControl() {
			if err := s.control(h); err != nil {
				return nil, err
			}
			continue
		}
		text, err := s.data(h, &m)
		if err != nil {
			return nil, err
		}
		if h.Fin {
			return text, m.fault()
		}
	}
}

// assembly is a message that comes in fragments.
type assembly struct {
	begun   bool
	binary  bool
	large   bool
	skipped int64
}

func (m *assembly) fault() error {
	switch {
	case m.large:
		return &fault{fmt.Sprintf("the message is larger than %d bytes", MaxMessageBytes)}
	case m.binary:
		return &fault{"the message is binary: send JSON in text frames"}
	}
	return nil
}

// data reads what one frame adds to a message and returns the message so far. Of
// one that won't be used it keeps nothing.
func (s *socket) data(h ws.Header, m *assembly) ([]byte, error) {
	if !m.begun {
		m.begun, m.binary = true, h.OpCode == ws.OpBinary
		s.buf = s.buf[:0]
	}
	m.large = m.large || h.Length > int64(MaxMessageBytes-len(s.buf))
	if m.large || m.binary {
		if h.Length > MaxSkippedBytes-m.skipped {
			return nil, s.violated(ws.StatusMessageTooBig, fmt.Sprintf("it sent a message of more than %d bytes", MaxSkippedBytes))
		}
		m.skipped += h.Length
		_, err := io.CopyN(io.Discard, s.in, h.Length)
		return nil, s.broken(err)
	}
	n := int(h.Length)
	if h.Fin && len(s.buf) == 0 {
		text, err := s.in.Peek(n)
		if err != nil {
			return nil, s.broken(err)
		}
		// The bytes stay where they are until the next read.
		_, err = s.in.Discard(n)
		return text, s.broken(err)
	}
	// The buffer grows to one message at most, and frames announce no more than that.
	had := len(s.buf)
	s.buf = append(s.buf, make([]byte, n)...)
	_, err := io.ReadFull(s.in, s.buf[had:])
	return s.buf, s.broken(err)
}

func (s *socket) control(h ws.Header) error {
	payload := make([]byte, h.Length)
	if _, err := io.ReadFull(s.in, payload); err != nil {
		return s.broken(err)
	}
	switch h.OpCode {
	case ws.OpPing:
		return s.broken(s.write(ws.NewPongFrame(payload)))
	case ws.OpClose:
		code, reason := ws.ParseCloseFrameData(payload)
		_ = s.write(ws.NewCloseFrame(payload)) // the connection goes either way
		what := "it closed the connection"
		if !code.Empty() {
			what += fmt.Sprintf(" with code %d", code)
		}
		if reason = clean(reason); reason != "" {
			what += fmt.Sprintf(" (%s)", reason)
		}
		return &domain.Error{Op: "listen", Category: domain.Dependency, Code: commands.CodePeerUnknown, Retriable: true, Message: what}
	}
	return nil
}

// violated closes a connection whose other end doesn't keep to the protocol.
func (s *socket) violated(code ws.StatusCode, what string) error {
	_ = s.write(ws.NewCloseFrame(ws.NewCloseFrameBody(code, what))) // the connection goes either way
	return &domain.Error{Op: "listen", Category: domain.Dependency, Code: commands.CodePeerBadShape, Retriable: true,
		Message: "it broke the WebSocket protocol: " + what}
}

// broken says what the end of a connection means; nil stays nil.
func (s *socket) broken(err error) error {
	if err == nil {
		return nil
	}
	out := &domain.Error{Op: "listen", Category: domain.Dependency, Code: commands.CodePeerUnknown, Retriable: true, Err: err,
		Message: "the connection broke"}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		out.Message, out.Err = "it ended the connection without a word", nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		out.Message, out.Err = "it was silent, and answered no ping", nil
	case errors.Is(err, ws.ErrHeaderLengthMSB), errors.Is(err, ws.ErrHeaderLengthUnexpected):
		return s.violated(ws.StatusProtocolError, err.Error())
	}
	return out
}

// clean makes a server's words fit for a line on a terminal.
func clean(reason string) string {
	if !utf8.ValidString(reason) {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, reason)
}

// words is an error without the name of what failed.
func words(err error) string {
	e, ok := errors.AsType[*domain.Error](err)
	switch {
	case err == nil:
		return ""
	case !ok:
		return err.Error()
	case e.Err != nil:
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}
