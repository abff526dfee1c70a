package wsapi

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/gobwas/ws"
)

// keptBytes is the size up to which a buffer is reused.
const keptBytes = 16 << 10

// incoming is a message whose frames are being read.
type incoming struct {
	buf   *[]byte // nil between messages
	valid int     // bytes that are known to be UTF-8
	timed bool    // its deadline is set
}

// verdict is the reason why we close a connection, which isn't always the peer's fault.
type verdict struct {
	code   ws.StatusCode
	reason string
}

func (v *verdict) Error() string { return v.reason }

// read takes in frames until the connection ends, from either side.
func (c *client) read() {
	var m incoming
	defer func() { c.forget(&m) }()
	for {
		err := c.readFrame(&m)
		if err == nil {
			continue
		}
		v, ok := errors.AsType[*verdict](err)
		switch {
		case ok:
		case errors.Is(err, errClosed):
			return
		case errors.Is(err, os.ErrDeadlineExceeded):
			v = &verdict{statusPolicy, fmt.Sprintf("a message must end within %v of its beginning", c.hub.cfg.MessageWithin)}
		default:
			return // the peer is gone
		}
		c.withBurst(func(b *burst) { c.end(v.code, v.reason, b) })
		return
	}
}

// errClosed ends reading on a connection that is being closed.
var errClosed = errors.New("the connection is closing")

// readFrame reads one frame and handles the message that it completes.
func (c *client) readFrame(m *incoming) error {
	h, err := ws.ReadHeaderBuffer(&c.in, c.header[:])
	if isFrameError(err) {
		return &verdict{statusProtocol, "the length of a frame has its top bit set"}
	}
	if err != nil {
		return err
	}
	if c.isClosing() {
		return errClosed
	}
	if err := c.judge(h, m); err != nil {
		return err
	}
	if h.Length > int64(c.in.inHand()) || h.OpCode.IsData() && !h.Fin {
		c.begun(m)
	}
	if h.OpCode.IsControl() {
		err = c.readControl(h)
	} else {
		err = c.readData(h, m)
	}
	if err == nil && m.buf == nil {
		c.complete(m)
	}
	return err
}

// judge checks a frame's header before its payload is read.
func (c *client) judge(h ws.Header, m *incoming) error {
	state := ws.StateServerSide
	if m.buf != nil {
		state = state.Set(ws.StateFragmented)
	}
	if err := ws.CheckHeader(h, state); err != nil {
		return &verdict{statusProtocol, err.Error()}
	}
	if h.OpCode == ws.OpBinary {
		return &verdict{statusBinary, "only text is understood here: send JSON in text frames"}
	}
	if h.OpCode.IsControl() {
		return nil
	}
	var have int
	if m.buf != nil {
		have = len(*m.buf)
	}
	if limit := c.hub.cfg.MaxMessageBytes; h.Length > int64(limit-have) {
		return &verdict{statusTooBig, fmt.Sprintf("a message has at most %d bytes: send less at once", limit)}
	}
	return nil
}

func (c *client) readControl(h ws.Header) error {
	payload, err := c.readPayload(nil, h)
	if err != nil {
		return err
	}
	switch h.OpCode {
	case ws.OpPing:
		c.withBurst(func(b *burst) {
			c.mu.Lock()
			c.pong = appendFrame(nil, ws.OpPong, payload)
			c.mu.Unlock()
			c.flush(b)
		})
	case ws.OpClose:
		if code, reason := checkClose(payload); code != 0 {
			return &verdict{code, reason}
		}
		c.withBurst(func(b *burst) { c.echo(payload, b) })
		return errClosed
	}
	return nil
}

func (c *client) readData(h ws.Header, m *incoming) error {
	if m.buf == nil {
		m.buf, m.valid = c.hub.buffer(), 0
	}
	text, err := c.readPayload(*m.buf, h)
	*m.buf = text
	if err != nil {
		return err
	}
	valid, ok := validText(text, m.valid, h.Fin)
	if !ok {
		return &verdict{statusNotUTF8, "text that is not UTF-8"}
	}
	m.valid = valid
	if !h.Fin {
		return nil
	}
	c.complete(m)
	c.handle(text)
	c.forget(m)
	return nil
}

// readPayload appends a frame's payload. The buffer grows with the bytes that come, not
// by the announced length, which costs a peer nothing to make up.
func (c *client) readPayload(out []byte, h ws.Header) ([]byte, error) {
	const step = 4 << 10
	for done := 0; done < int(h.Length); {
		n := min(int(h.Length)-done, step)
		out = slices.Grow(out, n)
		got, err := c.in.Read(out[len(out) : len(out)+n])
		part := out[len(out) : len(out)+got]
		ws.Cipher(part, h.Mask, done)
		out, done = out[:len(out)+got], done+got
		if err != nil && done < int(h.Length) {
			return out, err
		}
	}
	return out, nil
}

// begun sets the deadline of a message that has begun and isn't complete.
func (c *client) begun(m *incoming) {
	if !m.timed {
		m.timed = true
		c.readUntil(time.Now().Add(c.hub.cfg.MessageWithin))
	}
}

func (c *client) complete(m *incoming) {
	if m.timed {
		m.timed = false
		c.readUntil(time.Time{})
	}
}

// readUntil sets the deadline of reading, unless the connection is closing and has its
// last one.
func (c *client) readUntil(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closing {
		_ = c.conn.SetReadDeadline(t)
	}
}

// forget returns a message's buffer to the pool.
func (c *client) forget(m *incoming) {
	if m.buf != nil && cap(*m.buf) <= keptBytes {
		c.hub.buffers.Put(m.buf)
	}
	m.buf = nil
}

func (h *Hub) buffer() *[]byte {
	if buf, ok := h.buffers.Get().(*[]byte); ok {
		*buf = (*buf)[:0]
		return buf
	}
	buf := make([]byte, 0, 4<<10)
	return &buf
}
