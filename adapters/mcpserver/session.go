package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"sync"
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
	sift *sifting      // nil when the request is the only one
}

// posting notes which requests a body asks, until done is called. What cancels a request ends the
// exchange of that first, without an answer, as the protocol has it; one that has others beside it
// is left out of the answers.
func (c *client) posting(w http.ResponseWriter, r *http.Request, body []byte, end context.CancelFunc) (to http.ResponseWriter, done func()) {
	session := r.Header.Get("Mcp-Session-Id")
	body = bytes.TrimSpace(body)
	if session == "" || len(body) == 0 {
		return w, func() {}
	}
	all, _, wrong := messagesIn(body)
	if wrong != "" {
		return w, func() {}
	}
	asks := post{end: end, over: make(chan struct{})}
	if body[0] == '[' {
		asks.sift = &sifting{ResponseWriter: w, none: map[string]bool{}}
		w = asks.sift
	}
	var asked []posted
	for _, m := range all {
		var method string
		_ = json.Unmarshal(m.Method, &method) // an answer has none
		of := posted{session, idOf(m.ID)}
		switch {
		case method == "notifications/cancelled":
			c.takeBack(r, session, m.Params)
		case of.id != "" && method != "" && c.noted(of, asks):
			asked = append(asked, of)
		}
	}
	return w, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, of := range asked {
			delete(c.posts, of)
		}
		close(asks.over)
	}
}

// noted notes the exchange of a request, unless its id is that of another: the library refuses it then.
func (c *client) noted(of posted, asks post) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, twice := c.posts[of]
	if !twice {
		c.posts[of] = asks
	}
	return !twice
}

// takeBack lets a request that is cancelled have no answer.
func (c *client) takeBack(r *http.Request, session string, params json.RawMessage) {
	var of struct {
		ID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(params, &of) // then nothing is taken back
	c.mu.Lock()
	cancelled, ok := c.posts[posted{session, idOf(of.ID)}]
	c.mu.Unlock()
	switch {
	case !ok:
	case cancelled.sift != nil:
		cancelled.sift.leaveOut(idOf(of.ID))
	default:
		cancelled.end()
		select {
		case <-cancelled.over:
		case <-r.Context().Done():
		}
	}
}

// sifting writes the answers to the requests of a batch, each of which is an event and one write of the
// library's, without those to requests that were cancelled.
type sifting struct {
	http.ResponseWriter

	mu   sync.Mutex
	none map[string]bool // the requests that get none
}

func (s *sifting) leaveOut(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.none[id] = true
}

// Write implements io.Writer.
func (s *sifting) Write(event []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var m spoken
	_, data, is := bytes.Cut(event, []byte("data: "))
	if is && len(s.none) > 0 && json.Unmarshal(data, &m) == nil && len(m.Method) == 0 && s.none[idOf(m.ID)] {
		return len(event), nil
	}
	return s.ResponseWriter.Write(event)
}

// Unwrap lets the library flush.
func (s *sifting) Unwrap() http.ResponseWriter { return s.ResponseWriter }

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
