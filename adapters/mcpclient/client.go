package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/domain"
)

// Client reaches the servers that the registry knows. Make one with New, keep what it started
// going with Run, and end it with Close. It is safe for concurrent use.
type Client struct {
	cfg    Config
	rights rights

	mu      sync.Mutex
	closed  bool
	servers map[domain.ID]*server
	running sync.WaitGroup // sessions being made
}

var (
	_ commands.Peer   = (*Client)(nil)
	_ pairing.Servers = (*Client)(nil)
)

// server is one server as this process knows it.
type server struct {
	id   domain.ID
	name string
	how  domain.MCPServer
	told time.Time // when it was last believed that its tools have changed

	session *session      // nil before the first, and while one is made
	making  chan struct{} // closed when the one being made is there, or isn't; nil while none is
	giveUp  func()        // ends the making of it
	failure error         // of the last one
	pause   time.Duration
	next    time.Time // before then none is made
}

// New checks the configuration. Nothing is started.
func New(cfg Config) (*Client, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Client{rights: rights{cfg.Dir}, servers: map[domain.ID]*server{}}
	changed := cfg.Changed
	cfg.Changed = func(id domain.ID) {
		if c.believes(id) {
			changed(id)
		}
	}
	c.cfg = cfg
	return c, nil
}

// believes reports whether a server's word that its tools have changed is followed now.
func (c *Client) believes(id domain.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.servers[id]
	if s == nil || time.Since(s.told) < toldEvery {
		return false
	}
	s.told = time.Now()
	return true
}

// sweepEvery is how often Run looks.
const sweepEvery = time.Second

// Run starts again what ended, after a pause that doubles, and ends what was removed, until
// ctx ends. Close ends everything.
func (c *Client) Run(ctx context.Context) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			c.sweep()
		}
	}
}

func (c *Client) sweep() {
	known := map[domain.ID]bool{}
	c.cfg.Book.Read(func(r *domain.Registry) {
		for id, i := range r.Interfaces {
			known[id] = i.Server != nil
		}
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, s := range c.servers {
		switch c.noteEnd(s); {
		case s.making != nil:
		case !known[id] && s.session == nil:
			delete(c.servers, id)
		case !known[id] && time.Since(s.session.began) > c.cfg.StartWithin: // it isn't being added any more
			delete(c.servers, id)
			go s.session.close()
		case s.session == nil && s.failure != nil && !time.Now().Before(s.next):
			c.make(s)
		}
	}
}

// Close ends every session and every child, and returns when they have ended. What is asked
// afterwards fails.
func (c *Client) Close() {
	c.mu.Lock()
	c.closed = true
	for _, s := range c.servers {
		if s.making != nil {
			s.giveUp()
		}
	}
	c.mu.Unlock()
	c.running.Wait()
	c.mu.Lock()
	servers := c.servers
	c.servers = map[domain.ID]*server{}
	c.mu.Unlock()
	var ending sync.WaitGroup
	for _, s := range servers {
		if s.session != nil {
			ending.Go(func() {
				s.session.close()
				<-s.session.done
			})
		}
	}
	ending.Wait()
}

// Admit implements pairing.Servers.
func (c *Client) Admit(ctx context.Context, id domain.ID, name string, how domain.MCPServer) error {
	if err := c.rights.give(id, how); err != nil {
		return failure("add MCP server", commands.CodePeerForbidden, "the right to reach "+name+" can't be noted in the data directory: see that Chalie may write there", err)
	}
	c.mu.Lock()
	s := c.servers[id]
	if s == nil {
		s = &server{id: id, name: name, how: how}
		c.servers[id] = s
	}
	s.next, s.pause = time.Time{}, 0
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, c.cfg.StartWithin)
	defer cancel()
	_, err := c.reach(ctx, id)
	return err
}

// Dismiss implements pairing.Servers.
func (c *Client) Dismiss(id domain.ID) {
	c.mu.Lock()
	s := c.servers[id]
	delete(c.servers, id)
	var making chan struct{}
	var made *session
	if s != nil {
		making, made = s.making, s.session
	}
	if making != nil {
		s.giveUp()
	}
	c.mu.Unlock()
	if making != nil {
		<-making // what was made all the same is closed by who made it
	}
	if made != nil {
		made.close()
	}
	if err := c.rights.take(id); err != nil {
		c.cfg.Logger.Warn("the folder of an MCP server that was removed is left: remove it", "folder", c.rights.folderOf(id), "err", err)
	}
}

// reach is a session with a server; one is made if there is none. It waits for one that is
// being made until ctx ends.
func (c *Client) reach(ctx context.Context, id domain.ID) (*session, error) {
	const op = "reach an MCP server"
	s, err := c.serverOf(id)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	if s.session != nil && s.session.lasts() {
		defer c.mu.Unlock()
		return s.session, nil
	}
	c.noteEnd(s)
	if wait := time.Until(s.next); wait > 0 && s.making == nil {
		defer c.mu.Unlock()
		return nil, unreachable(op, fmt.Sprintf("%s isn't there, and is tried again in %s: %s", s.name, max(time.Second, wait.Round(time.Second)), commands.InWords(s.failure)), nil)
	}
	if s.making == nil {
		c.make(s)
	}
	making := s.making
	c.mu.Unlock()
	if making == nil {
		return nil, unreachable(op, "Chalie is stopping", nil)
	}
	select {
	case <-making:
	case <-ctx.Done():
		return nil, unreachable(op, s.name+" isn't ready yet: it is being started", ctx.Err())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.session != nil && s.session.lasts() {
		return s.session, nil
	}
	if refused, ok := errors.AsType[*domain.Error](s.failure); ok {
		return nil, refused
	}
	return nil, unreachable(op, s.name+" ended as soon as it was there", s.failure)
}

// serverOf is a server by its id: as the registry has it, or as it is being added.
func (c *Client) serverOf(id domain.ID) (*server, error) {
	var known *domain.Interface
	c.cfg.Book.Read(func(r *domain.Registry) { known = r.Interfaces[id] })
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.servers[id]
	switch {
	case s == nil && (known == nil || known.Server == nil):
		return nil, domain.NoInterface(id)
	case s == nil:
		s = &server{id: id, name: known.Name, how: *known.Server}
		c.servers[id] = s
	}
	return s, nil
}

// noteEnd takes up that a session has ended by itself, and how long to pause. The caller
// holds the lock.
func (c *Client) noteEnd(s *server) {
	if s.session == nil || s.session.lasts() {
		return
	}
	if time.Since(s.session.began) > healthyAfter {
		s.pause = 0
	}
	s.failure = unreachable("reach an MCP server", s.name+" went away", nil)
	if why := s.session.why(); why != nil {
		s.failure = unreachable("reach an MCP server", why.Message, why)
	}
	healthy := time.Since(s.session.began) > healthyAfter
	if s.session = nil; healthy {
		s.next = time.Time{} // a server that ran well may have had an accident
		return
	}
	c.later(s)
}

// later puts off the next session.
func (c *Client) later(s *server) {
	s.pause = min(longestPause, max(firstPause, 2*s.pause))
	s.next = time.Now().Add(s.pause)
}

// make begins a session in the background; whoever asked for it may go away. The caller
// holds the lock.
func (c *Client) make(s *server) {
	if c.closed {
		return
	}
	making := make(chan struct{})
	ctx, cancel := context.WithTimeout(context.Background(), c.cfg.StartWithin)
	s.making, s.giveUp = making, cancel
	c.running.Go(func() {
		defer cancel()
		made, err := c.open(ctx, s)
		c.mu.Lock()
		defer c.mu.Unlock()
		s.session, s.failure, s.making = made, err, nil
		if err != nil {
			c.later(s)
		}
		if made != nil && c.servers[s.id] != s {
			go made.close() // it was dismissed meanwhile
		}
		close(making)
	})
}

func (c *Client) open(ctx context.Context, s *server) (*session, error) {
	if err := c.rights.check(s.id, s.name, s.how); err != nil {
		return nil, err
	}
	link := c.reachURL(s.how)
	if s.how.URL == "" {
		link = c.startChild(s.id, s.how)
	}
	return open(ctx, c.cfg, s.id, s.name, link)
}

// inSession does something in a session with a server. A server that doesn't know its session
// any more, because it was started anew, did nothing of it: a new session begins, and it is
// done there.
func (c *Client) inSession(ctx context.Context, id domain.ID, do func(*session) error) error {
	for again := false; ; again = true {
		s, err := c.reach(ctx, id)
		if err != nil {
			return err
		}
		if err = do(s); again || !errors.Is(err, errForgotten) {
			return err
		}
		c.drop(id, s)
	}
}

// drop ends a session that the server doesn't know any more. The next one waits for no pause.
func (c *Client) drop(id domain.ID, old *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.servers[id]; s != nil && s.session == old {
		s.session = nil
	}
	if !c.closed {
		c.running.Go(old.close)
	}
}

// Health implements commands.Peer.
func (c *Client) Health(ctx context.Context, at commands.Endpoint) (out commands.PeerHealth, err error) {
	err = c.inSession(ctx, at.Server, func(s *session) error {
		if err := s.ask(ctx); err != nil {
			return err
		}
		if r := s.mcp.InitializeResult(); r != nil && r.ServerInfo != nil {
			out.Name, out.Version = domain.Cut(r.ServerInfo.Name, domain.MaxInterfaceNameBytes), domain.Cut(r.ServerInfo.Version, domain.MaxInterfaceNameBytes)
		}
		return nil
	})
	return out, err
}

// Capabilities implements commands.Peer.
func (c *Client) Capabilities(ctx context.Context, at commands.Endpoint) (tools []domain.Tool, err error) {
	err = c.inSession(ctx, at.Server, func(s *session) error {
		now, err := s.offered(ctx, true)
		tools = now.tools
		return err
	})
	return tools, err
}

// LeftOut implements pairing.Servers.
func (c *Client) LeftOut(id domain.ID) []pairing.LeftOut {
	c.mu.Lock()
	s := c.servers[id]
	var now *session
	if s != nil {
		now = s.session
	}
	c.mu.Unlock()
	if now == nil {
		return nil
	}
	return now.leftOut()
}

// Meta implements commands.Peer. What a server would have a model told of it isn't taken.
func (c *Client) Meta(ctx context.Context, at commands.Endpoint) (*commands.PeerMeta, error) {
	s, err := c.reach(ctx, at.Server)
	if err != nil {
		return nil, err
	}
	r := s.mcp.InitializeResult()
	if r == nil || r.ServerInfo == nil {
		return nil, nil //nolint:nilnil // it has none, as the port says
	}
	title := r.ServerInfo.Title
	if title == "" {
		title = r.ServerInfo.Name
	}
	return &commands.PeerMeta{Version: domain.Cut(r.ServerInfo.Version, domain.MaxInterfaceNameBytes), Description: domain.Cut(title, domain.MaxInterfaceNameBytes)}, nil
}

// Execute implements commands.Peer. It makes one call at most, of a tool that is the one
// that was accepted.
func (c *Client) Execute(ctx context.Context, at commands.Endpoint, call commands.Call) (out commands.Result, err error) {
	reached := false
	err = c.inSession(ctx, at.Server, func(s *session) error {
		now, err := s.offered(ctx, false)
		if err != nil {
			return notSent(err)
		}
		if err := c.mayCall(s, now, at.Server, call.Capability); err != nil {
			return err
		}
		reached = true
		out, err = s.call(ctx, call)
		return err
	})
	if !reached {
		err = notSent(err)
	}
	return out, err
}

// mayCall judges a tool that a server offers now by the one that was accepted.
func (c *Client) mayCall(s *session, now listed, id domain.ID, name string) error {
	accepted := ""
	c.cfg.Book.Read(func(r *domain.Registry) {
		if i := r.Interfaces[id]; i != nil {
			accepted = pinOf(i.Tools, name)
		}
	})
	var why string
	switch pin := pinOf(now.tools, name); {
	case pin != "" && pin == accepted:
		return nil
	case pin != "":
		why = fmt.Sprintf("%s of %s is no longer the tool that you accepted, so it wasn't called: look at it, and accept it as it is now if you want it", name, s.name)
	default:
		why = fmt.Sprintf("%s doesn't offer %s any more, so it wasn't called: see with `chalie interfaces show` what it offers", s.name, name)
		if i := slices.IndexFunc(now.leftOut, func(t pairing.LeftOut) bool { return t.Name == name }); i >= 0 {
			why = fmt.Sprintf("%s of %s can't be used, so it wasn't called: %s", name, s.name, now.leftOut[i].Why)
		}
	}
	return &domain.Error{Op: "execute " + name, Category: domain.Policy, Code: commands.CodePeerForbidden, Message: why}
}

// notSent is the failure of what came before a call: nothing left.
func notSent(err error) error {
	e, ok := errors.AsType[*domain.Error](err)
	if !ok || e.Code == commands.CodePeerForbidden {
		return err
	}
	out := *e
	out.Code, out.Retriable = commands.CodePeerUnreachable, true
	return &out
}

func pinOf(tools []domain.Tool, name string) string {
	if i := slices.IndexFunc(tools, func(t domain.Tool) bool { return t.Name == name }); i >= 0 {
		return tools[i].Pin()
	}
	return ""
}

// Render implements commands.Peer: a server has no page.
func (c *Client) Render(context.Context, commands.Endpoint) (commands.Rendering, error) {
	return commands.Rendering{}, failure("render", commands.CodePeerStatus, "an MCP server has no page of its own", nil)
}

// Pass implements commands.Peer: a server has no page that could ask.
func (c *Client) Pass(context.Context, commands.Endpoint, []byte, string) (commands.Rendering, error) {
	return commands.Rendering{}, failure("execute", commands.CodePeerForbidden, "an MCP server has no page that could ask for its tools", nil)
}
