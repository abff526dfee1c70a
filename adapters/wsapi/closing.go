package wsapi

import (
	"time"

	"github.com/gobwas/ws"
)

// end closes the connection: the close frame follows the write that is under way, the
// peer has a moment to answer, and then the connection is cut. Only the first call
// counts.
func (c *client) end(code ws.StatusCode, reason string, b *burst) {
	c.mu.Lock()
	c.queueFarewell(nil, closeBody(code, reason))
	c.mu.Unlock()
	c.flush(b)
}

// expire ends a connection whose session is over, with the one error that isn't
// recoverable: clients then ask for a login.
func (c *client) expire(b *burst) {
	c.mu.Lock()
	c.lapse()
	c.mu.Unlock()
	c.flush(b)
}

// lapse queues the error that the session is over. The lock is held.
func (c *client) lapse() {
	const message = "your session has ended: log in again"
	if !c.closing {
		c.queueFarewell(textFrame(c.hub.cfg.Speaks.Refusal(c.aside(), message, true)), closeBody(statusPolicy, message))
	}
}

// echo answers the peer's close frame with the same.
func (c *client) echo(body []byte, b *burst) {
	c.mu.Lock()
	c.queueFarewell(nil, body)
	c.mu.Unlock()
	c.flush(b)
}

// queueFarewell queues the farewell, and sets the deadline for it. The lock is held.
func (c *client) queueFarewell(before, body []byte) {
	if c.closing {
		return
	}
	c.closing = true
	c.farewell = appendFrame(before, ws.OpClose, body)
	// This also ends a stuck write. An error means that the connection is gone, which the
	// reader notices.
	_ = c.conn.SetDeadline(time.Now().Add(closeWithin))
	c.wake()
}

func (c *client) isClosing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closing
}

// linger discards what the peer sends until it hangs up or the time is up. Closing a
// socket with unread bytes resets it, and the peer might never read the close frame.
func (c *client) linger() {
	buf := c.hub.buffer()
	defer c.hub.buffers.Put(buf)
	scrap := (*buf)[:cap(*buf)]
	for {
		if _, err := c.conn.Read(scrap); err != nil {
			return
		}
	}
}

// hangUp tells the peer that nothing follows the close frame. The lock is held.
func (c *client) hangUp() {
	c.ended = true
	if half, ok := c.conn.(interface{ CloseWrite() error }); ok {
		// An error means that the peer is gone, which the reader notices.
		_ = half.CloseWrite()
	}
}

func closeBody(code ws.StatusCode, reason string) []byte { return ws.NewCloseFrameBody(code, reason) }
