package wsapi

import (
	"log/slog"
	"slices"
	"time"

	"chalie/domain"
)

const (
	// burstBytes is the size at which a write is full. A record's frames are never split.
	burstBytes = 16 << 10
	// asideFrom is the first number, within a record's range, for frames that only one
	// client gets. No record has that many frames.
	asideFrom = domain.FramesPerRecord / 2
)

// deliver sends the client the frames that are due, unless its session is over.
func (c *client) deliver(b *burst) {
	if !c.alive() {
		c.expire(b)
		return
	}
	c.flush(b)
}

// flush writes the frames that are due without waiting: what the socket doesn't take at
// once is left to a goroutine of the client's own. There is one writer at a time; when
// one is at work flush returns, because a writer looks for more frames before it stops.
func (c *client) flush(b *burst) {
	c.mu.Lock()
	if c.writing {
		if c.stuck && c.behind() {
			c.dropOut()
		}
		c.mu.Unlock()
		return
	}
	c.writing = true
	for {
		out := c.load(b)
		if len(out) == 0 {
			c.stopWriting()
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		n, err := b.write(c.raw, out)
		c.mu.Lock()
		switch {
		case err != nil:
			c.fail()
		case n < len(out):
			c.stuck = true
			go c.finish(slices.Clone(out[n:]))
			c.mu.Unlock()
			return
		}
	}
}

// finish writes the bytes that the socket didn't take, and then the frames that have
// become due since. It waits for the peer as long as the peer keeps reading.
func (c *client) finish(rest []byte) {
	b := c.hub.burst()
	defer c.hub.bursts.Put(b)
	for {
		err := c.push(rest)
		if !c.alive() {
			c.mu.Lock()
			c.lapse()
			c.mu.Unlock()
		}
		c.mu.Lock()
		switch {
		case err != nil:
			c.fail()
		case c.behind():
			c.dropOut()
		}
		if rest = c.load(b); len(rest) == 0 {
			if !c.closing {
				// An old deadline would fail the next non-blocking write.
				_ = c.conn.SetWriteDeadline(time.Time{})
			}
			c.stuck = false
			c.stopWriting()
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
	}
}

// push writes piece by piece, each with its own deadline, so that a slow but steady peer
// can take a large frame.
func (c *client) push(rest []byte) error {
	for len(rest) > 0 {
		piece := rest[:min(len(rest), burstBytes)]
		c.mu.Lock()
		if !c.closing {
			_ = c.conn.SetWriteDeadline(time.Now().Add(c.hub.cfg.WriteWithin))
		}
		c.mu.Unlock()
		n, err := c.conn.Write(piece)
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// stopWriting marks the writer as stopped. The lock is held.
func (c *client) stopWriting() {
	c.writing = false
	c.wake()
}

// fail ends a connection that can't be written to. The reader then ends, too. The lock is
// held.
func (c *client) fail() {
	c.ended = true
	_ = c.conn.Close()
}

// behind reports whether the ring has dropped frames that this client should have got.
// The lock is held.
func (c *client) behind() bool {
	r := c.hub.ring.Load()
	return r != nil && c.cursor < r.dropped && !c.resumed && !c.opening && !c.closing
}

// dropOut closes the connection of a client that is too slow. The lock is held.
func (c *client) dropOut() {
	c.hub.cfg.Logger.Info("a client was too slow and must resume", slog.Uint64("seq", uint64(c.cursor)))
	c.queueFarewell(nil, closeBody(statusTryAgain, "frames came faster than you read them: reconnect and resume"))
}
