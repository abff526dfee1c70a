package mcpserver_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/adapters/jsonschema"
	"chalie/adapters/mcpserver"
	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/message"
	"chalie/commands/tool"
	"chalie/domain"
)

// shop is a server for programs over an in-memory log, with tools that are asked about.
type shop struct {
	*commandstest.Counter
	server *mcpserver.Server
	api    http.HandlerFunc // the operator's routes; nil for none

	mu     sync.Mutex
	params domain.Params
}

// who is the program that speaks.
var who = commands.TokenCaller(domain.Token{Name: "editor", Issued: domain.ID{0xed}, Signals: []string{commands.ScopeMCP}})

func (s *shop) Program(domain.Principal) (commands.Caller, bool) { return who, true }
func (s *shop) Seen(domain.Principal)                            {}

func (s *shop) SayHeard(context.Context, commands.Caller, domain.MessageReceived, message.Heard) (domain.ID, error) {
	return domain.ID{}, domain.Invalid("say", "", "nobody says anything here")
}

func (s *shop) Cancel(context.Context, commands.Caller, domain.ID) (domain.ID, error) {
	return domain.ID{}, domain.Invalid("cancel", "", "nobody says anything here")
}

func (s *shop) Token(id domain.ID) string { return s.Config().Tokens.Token(id) }

func (s *shop) WaitFor(context.Context, domain.Position) error { return nil }

func (s *shop) set(f domain.Forms) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.params.Forms = f
}

// openShop opens one, which waits for a yes in the chat so long.
func openShop(t *testing.T, within time.Duration) *shop {
	t.Helper()
	s := &shop{Counter: commandstest.NewCounter(t), params: domain.DefaultParams()}
	s.Pair("bank", 9002, domain.Tool{Name: "greet", Parameters: []domain.Parameter{{Name: "name", Type: domain.TypeString}}}, domain.Tool{Name: "pay", Parameters: []domain.Parameter{{Name: "to", Type: domain.TypeString}}})
	cfg := s.Config()
	cfg.Params = func(context.Context) domain.Params {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.params
	}
	tools, err := tool.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	desk := s.Approvals(tools)
	s.server, err = mcpserver.New(mcpserver.Config{
		Tools: tools, Approvals: desk, Tokens: s, Messages: s, Programs: s, Log: s.Log, Known: s,
		API: s.routes, Clock: s.Clock, ApproveWithin: within, Formats: jsonschema.Formats{},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.server.Close)
	ctx, stop := context.WithCancel(t.Context())
	var following sync.WaitGroup
	following.Go(func() { s.follow(ctx, desk) })
	t.Cleanup(func() { stop(); following.Wait() })
	return s
}

func (s *shop) routes() http.Handler {
	if s.api == nil {
		return http.NotFoundHandler()
	}
	return s.api
}

// follow dispatches what is granted.
func (s *shop) follow(ctx context.Context, desk *tool.Approvals) {
	for at := domain.Position(0); ; {
		tail, err := s.Log.Wait(ctx, at)
		if err != nil {
			return
		}
		records, err := s.Log.Select(ctx, domain.Selector{Topic: domain.TopicTools}, at+1, 1<<10)
		if err != nil {
			return
		}
		for _, rec := range records {
			if err := desk.Follow(ctx, rec); err != nil && ctx.Err() == nil {
				s.T.Error(err)
			}
		}
		at = tail
	}
}

// connect is a client that answers forms.
func (s *shop) connect(answer func(message string) *mcp.ElicitResult) *mcp.ClientSession {
	s.T.Helper()
	near, far := net.Pipe()
	go func() { _ = s.server.ServeConn(who, func() (io.ReadWriteCloser, error) { return far, nil }) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return answer(r.Params.Message), nil
		},
	})
	session, err := client.Connect(s.T.Context(), &mcp.IOTransport{Reader: near, Writer: near}, nil)
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(func() { _ = session.Close() })
	return session
}

func (s *shop) calls(session *mcp.ClientSession, name string, arguments map[string]any) string {
	s.T.Helper()
	out, err := session.CallTool(s.T.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		s.T.Fatal(err)
	}
	var texts []string
	for _, c := range out.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func (s *shop) recorded(types ...domain.EventType) (n int) {
	for _, rec := range s.Records(domain.TopicTools) {
		if slices.Contains(types, rec.Envelope.Type) {
			n++
		}
	}
	return n
}

func accepts(string) *mcp.ElicitResult {
	return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"approve": true}}
}

// A program's form decides its call where the setting lets it, and shows what would be sent as it
// reads.
func TestAFormDecides(t *testing.T) {
	s := openShop(t, time.Hour)
	var shown []string
	session := s.connect(func(message string) *mcp.ElicitResult { shown = append(shown, message); return accepts(message) })
	if got := s.calls(session, "greet", map[string]any{"name": "Luigi's & Söhne"}); got != "done" || s.Peer.Times() != 1 {
		t.Errorf("it came to %q, with %d calls", got, s.Peer.Times())
	}
	if want := `editor asks Chalie: greet of bank with name: "Luigi's & Söhne". May it?`; !slices.Equal(shown, []string{want}) {
		t.Errorf("the forms said %q", shown)
	}
	s.set(domain.FormsOfAll)
	if got := s.calls(session, "pay", map[string]any{"to": "evil"}); got != "done" || s.Peer.Times() != 2 {
		t.Errorf("it came to %q, with %d calls", got, s.Peer.Times())
	}
}

// Where only Chalie's own yes counts a program shows no form, whatever it would answer, and is
// told that its call waits for the person there.
func TestAFormThatDoesNotCount(t *testing.T) {
	s := openShop(t, 200*time.Millisecond) // in which the question comes
	session := s.connect(func(message string) *mcp.ElicitResult {
		t.Errorf("the form %q is shown", message)
		return accepts(message)
	})
	pays := func(name string) {
		t.Helper()
		got := s.calls(session, name, map[string]any{})
		for _, says := range []string{"waits for the person's approval", "Chalie's own chat or pages", "doesn't count"} {
			if !strings.Contains(got, says) {
				t.Errorf("%s came to %q", name, got)
			}
		}
	}
	pays("pay")
	s.set(domain.FormsOfNone)
	pays("greet")
	if s.Peer.Times() != 0 || s.recorded(domain.ApprovalGrantedType) != 0 {
		t.Errorf("%d calls were made", s.Peer.Times())
	}
}

// A yes in a form that stood when the person set that none counts grants nothing.
func TestAFormThatNoLongerCounts(t *testing.T) {
	s := openShop(t, time.Hour)
	session := s.connect(func(message string) *mcp.ElicitResult { s.set(domain.FormsOfNone); return accepts(message) })
	got := s.calls(session, "greet", map[string]any{})
	if !strings.Contains(got, "waits for the person's approval") || s.Peer.Times() != 0 || s.recorded(domain.ApprovalGrantedType) != 0 || s.recorded(domain.AttemptRefusedType) != 1 {
		t.Errorf("it came to %q, with %d calls", got, s.Peer.Times())
	}
}
