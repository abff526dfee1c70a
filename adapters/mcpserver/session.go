package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// use is how a session is used.
type use struct {
	last     time.Time
	underWay int // requests
	over     context.Context
	end      context.CancelFunc // of over
}

// using notes that a session has a request under way, until done is called. over ends with the
// session.
func (c *client) using(session *mcp.ServerSession) (over context.Context, done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	u, ok := c.uses[session]
	if !ok {
		u = &use{}
		u.over, u.end = context.WithCancel(context.Background())
		c.uses[session] = u
	}
	u.underWay++
	u.last = c.server.cfg.Clock.Now()
	return u.over, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		u.underWay--
		u.last = c.server.cfg.Clock.Now()
	}
}

// errEnded is the answer to a request whose session ends.
func errEnded() error { return &jsonrpc.Error{Code: codeRefused, Message: "the session was ended"} }

// serve answers a request. When its session ends it is cancelled, which takes its question back,
// and answered at once: a call that has left is let go, and its outcome recorded.
func (c *client) serve(ctx context.Context, session *mcp.ServerSession, next func(context.Context) (mcp.Result, error)) (mcp.Result, error) {
	over, done := c.using(session)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(over, func() { cancel(errEnded()) })
	type answer struct {
		result mcp.Result
		err    error
	}
	answered := make(chan answer, 1)
	c.server.serving.Go(func() {
		defer done()
		defer cancel(nil)
		defer stop()
		result, err := next(ctx)
		answered <- answer{result, err}
	})
	select {
	case a := <-answered:
		return a.result, a.err
	case <-over.Done():
		return nil, errEnded()
	}
}

// end ends a session at once, whatever it has under way.
func (c *client) end(session *mcp.ServerSession) {
	c.letGo(session)
	_ = session.Close()
}

// letGo ends what a session has under way.
func (c *client) letGo(session *mcp.ServerSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if u := c.uses[session]; u != nil {
		u.end()
	}
}

// ending ends what the session of a DELETE has under way; the library ends the session then, and
// waits for that.
func (c *client) ending(r *http.Request) {
	id := r.Header.Get("Mcp-Session-Id")
	for session := range c.mcp.Sessions() {
		if id != "" && session.ID() == id {
			c.letGo(session)
		}
	}
}

// posted names a request over HTTP: an id is its session's own.
type posted struct{ session, id string }

// post is the exchange of HTTP that answers a request.
type post struct {
	end  context.CancelFunc
	over chan struct{} // closed when nothing more is written
}

// posting notes which request a body asks, until done is called. One that cancels a request ends the
// exchange of that first, without an answer: over stdio it gets none, either.
func (c *client) posting(r *http.Request, body []byte, end context.CancelFunc) (done func()) {
	var m spoken
	var method string
	session := r.Header.Get("Mcp-Session-Id")
	if session == "" || json.Unmarshal(body, &m) != nil || json.Unmarshal(m.Method, &method) != nil {
		return func() {}
	}
	if method == "notifications/cancelled" {
		var of struct {
			ID json.RawMessage `json:"requestId"`
		}
		_ = json.Unmarshal(m.Params, &of) // then nothing is taken back
		c.mu.Lock()
		cancelled, ok := c.posts[posted{session, idOf(of.ID)}]
		c.mu.Unlock()
		if ok {
			cancelled.end()
			select {
			case <-cancelled.over:
			case <-r.Context().Done():
			}
		}
		return func() {}
	}
	of, asks := posted{session, idOf(m.ID)}, post{end, make(chan struct{})}
	if of.id == "" {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.posts[of]; twice {
		return func() {} // the library refuses it
	}
	c.posts[of] = asks
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.posts, of)
		close(asks.over)
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
			u.end() // its connection has ended
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
