package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/domain"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is one conversation with a server. It ends for good; another follows it.
type session struct {
	cfg  Config
	name string
	wire *wire
	mcp  *mcp.ClientSession
	end  func() error // of a child: stops it, and waits
	// older reports whether a server at a URL speaks the older transport.
	older func(context.Context) bool

	began time.Time
	done  chan struct{} // closed when it has ended

	mu       sync.Mutex
	ended    *domain.Error            // why it ended; nil while it lasts, and when nobody knows
	listed   listed                   // what was listed last
	stale    bool                     // the server says that they have changed
	progress map[string]chan<- string // of the calls under way, by their token
}

// open makes a session with a server, by what link gives, and asks for its tools.
func open(ctx context.Context, cfg Config, id domain.ID, name string, link func(context.Context, *session) (mcp.Transport, error)) (*session, error) {
	const op = "reach an MCP server"
	s := &session{cfg: cfg, name: name, began: time.Now(), done: make(chan struct{}), progress: map[string]chan<- string{}, end: func() error { return nil }, older: func(context.Context) bool { return false }}
	s.wire = newWire(func(stray string) {
		cfg.Logger.Warn("an MCP server writes what is no message of the protocol, which is left out", "server", name, "wrote", quoted(stray))
	})
	transport, err := link(ctx, s)
	if err != nil {
		return nil, err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "chalie", Version: "1"}, &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{}, // it is offered nothing: no folders, no model, no questions to the person
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			s.mu.Lock()
			s.stale = true
			s.mu.Unlock()
			cfg.Changed(id)
		},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) { s.progressed(r.Params) },
	})
	s.mcp, err = client.Connect(ctx, transport, nil)
	if err != nil {
		err = s.notOpened(ctx, op, err)
		return nil, errors.Join(err, s.end())
	}
	go func() {
		_ = s.mcp.Wait() // why it ended is told by what was read, and by the child
		s.close()
		close(s.done)
	}()
	if _, err = s.offered(ctx, true); err != nil {
		s.close()
		<-s.done
		return nil, err
	}
	return s, nil
}

func (s *session) notOpened(ctx context.Context, op string, err error) error {
	if refused, ok := errors.AsType[*domain.Error](err); ok {
		return refused
	}
	if ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return unreachable(op, s.name+" was given up while it started: it was removed, or Chalie stops", err)
	}
	_ = s.end() // its last words are whole then
	if why := s.why(); why != nil {
		return unreachable(op, s.name+" didn't open: "+why.Message+s.wire.straySaid(), err)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return unreachable(op, fmt.Sprintf("%s didn't say within %s that it is ready%s: see whether it is an MCP server, and what keeps it busy", s.name, s.cfg.StartWithin, s.wire.straySaid()), err)
	}
	if answered, ok := errors.AsType[*jsonrpc.Error](err); ok && answered.Code == codeTrouble && s.older(ctx) {
		return unreachable(op, s.name+" speaks the older transport of MCP, HTTP with SSE, which Chalie doesn't: give the address where it speaks streamable HTTP, which often ends in /mcp", err)
	}
	return unreachable(op, s.name+" can't be spoken to as an MCP server: "+said(err)+s.wire.straySaid(), err)
}

// close ends the session, and the child that it is with.
func (s *session) close() {
	_ = s.end()
	_ = s.mcp.Close() // what it says of a connection that is gone is of no use
}

// lasts reports whether the session hasn't ended.
func (s *session) lasts() bool {
	select {
	case <-s.done:
		return false
	default:
		return true
	}
}

// because notes why the session ends. The first reason is it.
func (s *session) because(code domain.Code, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended == nil {
		s.ended = failure("reach an MCP server", code, message, nil)
	}
}

func (s *session) why() *domain.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// metered is told what was wrong with what a server sent.
func (s *session) misbehaved(err error) {
	code := commands.CodePeerUnknown
	if _, ok := errors.AsType[*sizeError](err); ok {
		code = commands.CodePeerTooLarge
	}
	s.because(code, err.Error()+", so the connection with it was ended")
}

// ask tells whether the server answers.
func (s *session) ask(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.AskWithin)
	defer cancel()
	if r := s.mcp.InitializeResult(); r != nil && r.ProtocolVersion >= "2026-07-28" {
		// There is no ping any more; the first page of tools is what every server has.
		_, err := s.mcp.ListTools(ctx, nil)
		if err != nil {
			return s.asked("check an MCP server", s.cfg.AskWithin, err)
		}
		return nil
	}
	if err := s.mcp.Ping(ctx, nil); err != nil {
		return s.asked("check an MCP server", s.cfg.AskWithin, err)
	}
	return nil
}

// offered is what the server offers, asked for anew when it says that it has changed.
func (s *session) offered(ctx context.Context, anew bool) (listed, error) {
	s.mu.Lock()
	last, stale := s.listed, s.stale
	s.stale = false
	s.mu.Unlock()
	if !stale && !anew {
		return last, nil
	}
	now, err := s.list(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.stale = true
		return listed{}, err
	}
	if !slices.Equal(now.leftOut, last.leftOut) {
		for _, t := range now.leftOut {
			s.cfg.Logger.Warn("a tool of an MCP server can't be used, and is left out", "server", s.name, "tool", t.Name, "because", t.Why)
		}
	}
	s.listed = now
	return now, nil
}

// leftOut are the tools that were left out last.
func (s *session) leftOut() []pairing.LeftOut {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed.leftOut
}

// call makes one call. It lasts CallWithin from the last word of progress.
func (s *session) call(ctx context.Context, call commands.Call) (commands.Result, error) {
	op := "execute " + call.Capability
	within := s.cfg.CallWithin
	ctx, cancel := context.WithTimeoutCause(ctx, commands.LongestCall, context.DeadlineExceeded)
	defer cancel()
	steps := make(chan string, 1)
	s.mu.Lock()
	s.progress[call.Key] = steps
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.progress, call.Key)
		s.mu.Unlock()
	}()
	var last string
	slow := time.NewTimer(within)
	defer slow.Stop()
	type answer struct {
		result *mcp.CallToolResult
		err    error
	}
	answered := make(chan answer, 1)
	params := &mcp.CallToolParams{Name: call.Capability, Arguments: call.Params}
	params.SetProgressToken(call.Key)
	go func() {
		r, err := s.mcp.CallTool(ctx, params)
		answered <- answer{r, err}
	}()
	for {
		select {
		case last = <-steps:
			slow.Reset(within)
		case <-slow.C:
			cancel()
			<-answered // the server was told that nobody waits any more
			message := fmt.Sprintf("%s was asked and was silent for %s%s, so it was told that the answer isn't waited for: see what keeps it busy", s.name, within, s.wire.straySaid())
			if last != "" {
				message += "; it last said " + quoted(last)
			}
			return commands.Result{}, failure(op, commands.CodePeerUnknown, message, nil)
		case a := <-answered:
			if a.err != nil {
				return commands.Result{}, s.asked(op, commands.LongestCall, a.err)
			}
			return s.result(ctx, op, a.result)
		}
	}
}

func (s *session) result(ctx context.Context, op string, r *mcp.CallToolResult) (commands.Result, error) {
	text, _ := r.Meta[asWritten].(string)
	out := answerOf(json.RawMessage(text))
	size := len(out.Data)
	for _, text := range []*string{out.Text, out.Error} {
		if text != nil {
			size += len(*text)
		}
	}
	most := s.cfg.MaxResultBytes
	if in := commands.IntakeOf(ctx); in.Bytes != 0 {
		most = min(most, int(in.Bytes))
	}
	if size > most {
		return commands.Result{}, failure(op, commands.CodePeerTooLarge, fmt.Sprintf("%s answered with %d bytes, the bound is %d: ask it for less", s.name, size, most), nil)
	}
	return out, nil
}

// progressed notes a word of progress of a call under way.
func (s *session) progressed(p *mcp.ProgressNotificationParams) {
	token, _ := p.ProgressToken.(string)
	s.mu.Lock()
	steps := s.progress[token]
	s.mu.Unlock()
	if steps == nil {
		return
	}
	words := p.Message
	if words == "" {
		words = fmt.Sprintf("%g of %g", p.Progress, p.Total)
	}
	select {
	case steps <- words:
	default: // one is waiting already
	}
}
