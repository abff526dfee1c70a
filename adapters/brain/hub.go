package brain

import (
	"context"
	"fmt"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// Bounds of the calls to one program.
const (
	MaxWaiting = 32               // calls that it hasn't taken
	MaxTaken   = 64               // that it has taken and not answered
	PresentFor = 45 * time.Second // how long after it asked for calls it counts as there
)

// Hub calls programs that ask for their calls, and has an inner Peer call all others. It is safe for
// concurrent use.
type Hub struct {
	commands.Peer // of interfaces that listen

	book  commands.View[domain.Registry]
	clock domain.Clock

	mu    sync.Mutex
	lines map[domain.ID]*line
}

// NewHub makes a hub before an inner Peer.
func NewHub(inner commands.Peer, book commands.View[domain.Registry], clock domain.Clock) *Hub {
	return &Hub{Peer: inner, book: book, clock: clock, lines: map[domain.ID]*line{}}
}

// line is one program's calls.
type line struct {
	asking  int // requests for calls that are open
	asked   time.Time
	waiting []*call
	taken   map[string]*call
	more    chan struct{} // closed when a call comes; nil while nobody waits
}

// call is a call of a program.
type call struct {
	commands.Call
	until  time.Time
	answer chan answeredCall // holds one
}

type answeredCall struct {
	result commands.Result
	err    error
}

// line finds a program's. The lock is held.
func (h *Hub) line(program domain.ID) *line {
	l := h.lines[program]
	if l == nil {
		l = &line{taken: map[string]*call{}}
		h.lines[program] = l
	}
	return l
}

// here reports whether a program asks for calls. The lock is held.
func (h *Hub) here(program domain.ID) bool {
	l := h.lines[program]
	return l != nil && (l.asking > 0 || !l.asked.IsZero() && h.clock.Now().Sub(l.asked) < PresentFor)
}

func (h *Hub) known(program domain.ID) (known domain.Interface) {
	h.book.Read(func(r *domain.Registry) {
		if i := r.Interfaces[program]; i != nil {
			known = *i
		}
	})
	return known
}

func failure(code domain.Code, retriable bool, message string) error {
	return &domain.Error{Op: "call program", Category: domain.Dependency, Code: code, Retriable: retriable, Message: message}
}

func (h *Hub) away(program domain.ID) error {
	return failure(commands.CodePeerUnreachable, true, fmt.Sprintf("%s doesn't ask for calls: start it", h.known(program).Name))
}

// Health implements commands.Peer.
func (h *Hub) Health(ctx context.Context, at commands.Endpoint) (commands.PeerHealth, error) {
	if at.Program.IsZero() {
		return h.Peer.Health(ctx, at)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.here(at.Program) {
		return commands.PeerHealth{}, h.away(at.Program)
	}
	known := h.known(at.Program)
	return commands.PeerHealth{Name: known.Name, Version: known.Version}, nil
}

// Capabilities implements commands.Peer: a program says by itself when it offers something else.
func (h *Hub) Capabilities(ctx context.Context, at commands.Endpoint) ([]domain.Tool, error) {
	if at.Program.IsZero() {
		return h.Peer.Capabilities(ctx, at)
	}
	return h.known(at.Program).Tools, nil
}

// Meta implements commands.Peer.
func (h *Hub) Meta(ctx context.Context, at commands.Endpoint) (*commands.PeerMeta, error) {
	if at.Program.IsZero() {
		return h.Peer.Meta(ctx, at)
	}
	return nil, nil
}

// Render implements commands.Peer: a program has no page.
func (h *Hub) Render(ctx context.Context, at commands.Endpoint) (commands.Rendering, error) {
	if at.Program.IsZero() {
		return h.Peer.Render(ctx, at)
	}
	return commands.Rendering{MediaType: "application/json", Body: []byte(`{"blocks":[{"type":"text","content":"This program has no page: it is called over Chalie's socket."}]}`)}, nil
}

// Pass implements commands.Peer: nothing is passed on to a program.
func (h *Hub) Pass(ctx context.Context, at commands.Endpoint, body []byte, key string) (commands.Rendering, error) {
	if at.Program.IsZero() {
		return h.Peer.Pass(ctx, at, body, key)
	}
	return commands.Rendering{}, failure(commands.CodePeerUnreachable, false, "a program has no page, and what a page asks for isn't passed on to it")
}

// Execute implements commands.Peer.
func (h *Hub) Execute(ctx context.Context, at commands.Endpoint, asked commands.Call) (commands.Result, error) {
	if at.Program.IsZero() {
		return h.Peer.Execute(ctx, at, asked)
	}
	c := &call{Call: asked, answer: make(chan answeredCall, 1)}
	c.until, _ = ctx.Deadline()
	if err := h.queue(at.Program, c); err != nil {
		return commands.Result{}, err
	}
	select {
	case a := <-c.answer:
		return a.result, a.err
	case <-ctx.Done():
	}
	if h.drop(at.Program, c) {
		return commands.Result{}, failure(commands.CodePeerUnreachable, true, h.known(at.Program).Name+" took no call in time; nothing was sent")
	}
	select {
	case a := <-c.answer: // at the same moment
		return a.result, a.err
	default:
		return commands.Result{}, failure(commands.CodePeerUnknown, false, h.known(at.Program).Name+" took the call and didn't answer in time")
	}
}

func (h *Hub) queue(program domain.ID, c *call) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.line(program)
	switch {
	case !h.here(program):
		return h.away(program)
	case len(l.waiting) >= MaxWaiting || len(l.taken) >= MaxTaken:
		return failure(commands.CodePeerUnreachable, true, fmt.Sprintf("%s has %d calls to take and %d to answer: nothing was sent", h.known(program).Name, len(l.waiting), len(l.taken)))
	}
	l.waiting = append(l.waiting, c)
	l.wake()
	return nil
}

// drop forgets a call, and reports whether the program never had it.
func (h *Hub) drop(program domain.ID, c *call) (untaken bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.line(program)
	for n, w := range l.waiting {
		if w == c {
			l.waiting = append(l.waiting[:n:n], l.waiting[n+1:]...)
			return true
		}
	}
	delete(l.taken, c.Key)
	return false
}

func (l *line) wake() {
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
}

// next is a program's next call; nil when none comes before ctx ends.
func (h *Hub) next(ctx context.Context, program domain.ID) *call {
	h.mu.Lock()
	l := h.line(program)
	l.asking++
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		l.asking--
		l.asked = h.clock.Now()
	}()
	for {
		h.mu.Lock()
		if len(l.waiting) > 0 && ctx.Err() == nil {
			c := l.waiting[0]
			l.waiting = l.waiting[1:]
			l.taken[c.Key] = c
			h.mu.Unlock()
			return c
		}
		if l.more == nil {
			l.more = make(chan struct{})
		}
		more := l.more
		h.mu.Unlock()
		select {
		case <-more:
		case <-ctx.Done():
			return nil
		}
	}
}

// answer hands a program's answer to whoever waits for it; false when nobody does any more.
func (h *Hub) answer(program domain.ID, key string, result commands.Result) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.line(program)
	c := l.taken[key]
	if c == nil {
		return false
	}
	delete(l.taken, key)
	c.answer <- answeredCall{result: result}
	return true
}

// forget drops the lines of programs that are gone, when a new one comes.
func (h *Hub) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, l := range h.lines {
		if l.asking == 0 && len(l.waiting)+len(l.taken) == 0 && h.known(id).ID.IsZero() {
			delete(h.lines, id)
		}
	}
}

var _ commands.Peer = (*Hub)(nil)
