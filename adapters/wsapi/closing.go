package wsapi

import (
	"time"

	"github.com/gobwas/ws"
)

// end closes the connection: the close frame is written after what is under way,
// the peer has a moment to answer, and then the connection is cut. Only the first
// end counts.
func (c *client) end(code ws.StatusCode, reason string, b *burst) {
	c.mu.Lock()
	c.bid(nil, closeBody(code, reason))
	c.mu.Unlock()
	c.flush(b)
}

// expire ends a connection whose session is over. It is the one case of an error
// that isn't recoverable: clients ask for a login then.
func (c *client) expire(b *burst) {
	c.mu.Lock()
	c.lapse()
	c.mu.Unlock()
	c.flush(b)
}

// lapse says that the session is over. The lock is held.
func (c *client) lapse() {
	const message = "your session has ended: log in again"
	if !c.closing {
		c.bid(textFrame(encodeError(c.aside(), message, false)), closeBody(statusPolicy, message))
	}
}

// echo answers the peer's close frame with the same.
func (c *client) echo(body []byte, b *burst) {
	c.mu.Lock()
	c.bid(nil, body)
	c.mu.Unlock()
	c.flush(b)
}

// bid says farewell, and sets how long it may take. The lock is held.
func (c *client) bid(before, body []byte) {
	if c.closing {
		return
	}
	c.closing = true
	c.farewell = appendFrame(before, ws.OpClose, body)
	// Also for a write that is stuck: there is nothing to wait for any longer. If
	// the connection is gone the deadline has no use, and the reader knows.
	_ = c.conn.SetDeadline(time.Now().Add(closeWithin))
	c.wake()
}

func (c *client) isClosing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closing
}

// linger throws away what the peer still sends until it hangs up, or time is up.
// Closing a socket with unread bytes resets it, and the peer might never read why
// it was closed.
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
		// If it fails the peer is gone, which the reader sees.
		_ = half.CloseWrite()
	}
}

func closeBody(code ws.StatusCode, reason string) []byte { return ws.NewCloseFrameBody(code, reason) }
