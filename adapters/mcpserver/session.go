package mcpserver

import (
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// use is how a session is used.
type use struct {
	last     time.Time
	underWay int // requests
}

// using notes that a session has a request under way, until what it returns is called.
func (c *client) using(session *mcp.ServerSession) (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, ok := c.uses[session]
	if !ok {
		u = &use{}
		c.uses[session] = u
	}
	u.underWay++
	u.last = c.server.cfg.Clock.Now()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		u.underWay--
		u.last = c.server.cfg.Clock.Now()
	}
}

// makeRoom ends the session over HTTP that was silent longest, when the program has as many as it may.
// A program that was killed ends none of those, and must not have to wait until they
// have been idle for long enough.
func (c *client) makeRoom() {
	var silent *mcp.ServerSession
	c.mu.Lock()
	open := map[*mcp.ServerSession]bool{}
	for session := range c.mcp.Sessions() {
		open[session] = true
	}
	for session, u := range c.uses {
		switch {
		case !open[session]:
			delete(c.uses, session)
		case u.underWay == 0 && c.over[session] != overStdio && (silent == nil || u.last.Before(c.uses[silent].last)):
			silent = session
		}
	}
	full := c.opened+len(open) >= MaxSessions
	c.mu.Unlock()
	if full && silent != nil {
		_ = silent.Close() // nothing of it is under way
	}
}
