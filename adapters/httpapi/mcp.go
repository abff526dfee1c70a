package httpapi

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
)

// MCP serves programs that speak the Model Context Protocol. Its methods are those of
// *mcpserver.Server, which says their errors.
type MCP interface {
	ServeHTTP(w http.ResponseWriter, r *http.Request, who commands.Caller) error
	ServeConn(who commands.Caller, take func() (io.ReadWriteCloser, error)) error
	Sessions(who domain.Principal) []api.MCPSession
}

func mcpHandlers() handlers {
	return handlers{"mcpSend": (*exchange).mcp, "mcpHear": (*exchange).mcp, "mcpEnd": (*exchange).mcp, "mcpConnect": (*exchange).mcpConnect}
}

// mcp is /mcp. The body is read first, within the bounds of all bodies; what is answered may
// take as long as it takes, but each piece of it has to be taken in time.
func (x *exchange) mcp() error {
	if from := x.r.Header.Get("Origin"); from != "" && !x.trusted {
		// A page may send a GET to another site, which is no write, without being stopped before.
		if site, err := url.Parse(from); err != nil || site.Host != x.r.Host {
			return crossOrigin(x.r)
		}
	}
	r := x.r.Clone(x.r.Context())
	r.Body = http.NoBody
	if x.r.Method == http.MethodPost {
		body, err := x.body()
		if err != nil {
			return err
		}
		if _, err := parse(body); domain.CodeOf(err) == domain.CodeTooNested {
			return err // of anything else the protocol says what is wrong
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	if x.api.cfg.MCP == nil {
		return notRunning("speak MCP")
	}
	// A peer that hears and says nothing is there all the same.
	_ = http.NewResponseController(x.w).SetReadDeadline(time.Time{})
	return x.api.cfg.MCP.ServeHTTP(&timely{ResponseWriter: x.w}, r, x.caller)
}

// timely gives a peer partPatience for each piece of an answer.
type timely struct{ http.ResponseWriter }

func (t *timely) Write(p []byte) (int, error) {
	_ = http.NewResponseController(t.ResponseWriter).SetWriteDeadline(time.Now().Add(partPatience))
	return t.ResponseWriter.Write(p)
}

func (t *timely) Flush() {
	_ = http.NewResponseController(t.ResponseWriter).Flush()
	// Until there is more to say the peer owes nothing.
	_ = http.NewResponseController(t.ResponseWriter).SetWriteDeadline(time.Time{})
}

func (t *timely) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// mcpConnect is GET /mcp/stdio.
func (x *exchange) mcpConnect() error {
	const what = "connect a program that speaks MCP"
	switch {
	case x.api.cfg.MCP == nil:
		return notRunning(what)
	case !x.trusted:
		return &domain.Error{Op: what, Category: domain.Policy, Code: "socket_only",
			Message: "only `chalie mcp` on this machine may open this: send MCP to /mcp, with a token"}
	case !strings.EqualFold(x.r.Header.Get("Upgrade"), api.MCPProtocol):
		return &domain.Error{Op: what, Category: domain.Validation, Code: CodeUpgradeRequired, Message: "this is a connection of MCP: use `chalie mcp`"}
	}
	who, err := x.connected()
	if err != nil {
		return err
	}
	who.Zone = x.caller.Zone
	if err := commands.CheckZone(what, who.Zone); err != nil {
		return err
	}
	return x.api.cfg.MCP.ServeConn(who, func() (io.ReadWriteCloser, error) {
		conn, rw, err := http.NewResponseController(x.w).Hijack()
		if err != nil {
			return nil, &domain.Error{Op: what, Category: domain.Validation, Code: CodeUpgradeRequired, Err: err, Message: "this connection can't become one of MCP: use HTTP/1.1"}
		}
		_ = conn.SetDeadline(time.Time{}) // who speaks through it may be silent for long
		// A peer that has left is found out by who reads.
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: %s\r\n\r\n", api.MCPProtocol)
		return &taken{Conn: conn, read: rw.Reader}, nil
	})
}

// connected is the program that the command line connects: that of the token it passes on, or
// one that is named and let in.
func (x *exchange) connected() (commands.Caller, error) {
	if token, shown := x.token(); shown {
		who, ok := x.api.cfg.Accounts.Token(token)
		if !ok {
			return who, unauthenticated()
		}
		return who, nil
	}
	name := x.r.Header.Get(api.MCPClientHeader)
	if name == "" {
		return commands.Caller{}, domain.Invalid("connect", api.MCPClientHeader, api.MCPClientHeader+" is required: name the program")
	}
	scopes := []string{commands.ScopeMCP}
	if x.r.Header.Get(api.MCPForPersonHeader) != "" {
		scopes = append(scopes, commands.ScopeConsole)
	}
	if calls := x.r.Header.Get(api.MCPCallsItselfHeader); calls != "" {
		if err := x.api.cfg.Accounts.CheckUnnamed(x.r.Context(), calls); err != nil {
			return commands.Caller{}, err
		}
	}
	return x.api.cfg.Accounts.Admit(x.r.Context(), x.caller, name, scopes...)
}

// taken is a connection with what was read of it already.
type taken struct {
	net.Conn
	read *bufio.Reader
}

func (t *taken) Read(p []byte) (int, error) { return t.read.Read(p) }
