package wsapi

import (
	"log/slog"
	"slices"
	"time"

	"chalie/domain"
)

const (
	// burstBytes is about how much is written at once. A record's frames always
	// go together.
	burstBytes = 16 << 10
	// asideFrom is where the numbers begin, in a record's room, of what is told to
	// one client only. No record has that many frames.
	asideFrom = domain.FramesPerRecord / 2
)

// deliver gives the client what is due, if its person may still have it.
func (c *client) deliver(b *burst) {
	if !c.alive() {
		c.expire(b)
		return
	}
	c.flush(b)
}

// flush writes what is due, without ever waiting: what the socket doesn't take
// at once is left to a goroutine of the client's own. There is one writer at a
// time; who finds another one at work leaves it to them, because they look again
// before they stop.
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
			c.rest()
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

// finish writes what the socket didn't take, and then what has become due since,
// waiting for the peer as long as it takes some from time to time.
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
				// An old deadline would fail the next write that needn't wait.
				_ = c.conn.SetWriteDeadline(time.Time{})
			}
			c.stuck = false
			c.rest()
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
	}
}

// push writes and waits for the peer to take it, piece by piece, so that a slow
// but steady one can take a large frame.
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

// rest says that nobody writes any more. The lock is held.
func (c *client) rest() {
	c.writing = false
	c.wake()
}

// fail ends a connection that takes nothing more. The reader then ends, too. The
// lock is held.
func (c *client) fail() {
	c.ended = true
	_ = c.conn.Close()
}

// behind reports whether frames are gone that this client should have got on
// this connection. The lock is held.
func (c *client) behind() bool {
	r := c.hub.ring.Load()
	return r != nil && c.cursor < r.dropped && !c.resumed && !c.opening && !c.closing
}

// dropOut sends a client away that is too slow. The lock is held.
func (c *client) dropOut() {
	c.hub.cfg.Logger.Info("a client was too slow and must resume", slog.Uint64("seq", uint64(c.cursor)))
	c.bid(nil, closeBody(statusTryAgain, "frames came faster than you read them: reconnect and resume"))
}
