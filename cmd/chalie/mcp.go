package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/hostzone"
	"chalie/adapters/jsonschema"
	"chalie/adapters/mcpserver"
	"chalie/adapters/unixsocket"
	"chalie/domain"
)

// newMCP makes the server of programs that speak MCP.
func newMCP(a *App, c *core) (*mcpserver.Server, error) {
	return mcpserver.New(mcpserver.Config{
		Tools: a.outside.tools, Approvals: a.outside.approvals, Tokens: a.tokens, Messages: c.messages, Programs: c.accounts, Log: a.log,
		Known: a.folds.Group, API: func() http.Handler { return c.api.TrustedHandler() }, Clock: a.cfg.Clock, Formats: jsonschema.Formats{},
		Version: thisBuild().Version, Zone: hostzone.Name(), Logger: a.cfg.Logger,
	})
}

// tokenVariable has the token of the program that chalie mcp is started by.
const tokenVariable = "CHALIE_TOKEN"

const mcpHelp = `Mcp connects a program that speaks the Model Context Protocol with the running
Chalie: what the program sends on standard input goes there, and the answers
come on standard output. It is for the program to start, not for you. In most
programs the settings are these:

  {"mcpServers": {"chalie": {"command": "chalie", "args": ["mcp"]}}}

The program gets Chalie's skills and the tools of paired interfaces. What changes
something waits for your approval, in a form that the program shows or in the
chat. The program shows the form and sends its answer, so a form doesn't count for what
always asks or may move money: that waits for your yes in Chalie's own chat or pages.
"chalie set forms none" lets no form count, and "all" every one. With --for-me it may ask Chalie in words, too, which then count as yours: a
model that was talked into something could have anything done that you can ask
for. The program is listed by "chalie token list" under the name that --name gives it, and
shut out by "chalie token revoke". What it calls itself is shown there and chooses
nothing: all programs without a --name are one, ` + unnamed + `, or with --for-me
` + unnamedForMe + `, so give one that is to have conversations, rules or an end of its
own a name. With ` + tokenVariable + ` set it is the program that the token belongs to.

When no Chalie runs, it waits five seconds for one, tells the program so, and
ends with 1.`

const mcpExample = `  chalie mcp
  chalie mcp --name editor --data ~/chalie`

// The programs that the person gave no name. What a program calls itself is its own to choose,
// so it says nothing of who it is.
const (
	unnamed      = "mcp-client"
	unnamedForMe = "mcp-client-for-me"
)

func mcpCommand(c *cli) *cobra.Command {
	var name string
	var forMe bool
	cmd := &cobra.Command{
		Use: "mcp", Short: "Connect a program that speaks MCP", Long: mcpHelp, Example: mcpExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if name != "" {
				if err := domain.CheckTokenName(name); err != nil {
					return &usageError{words(err), cmd.CommandPath()}
				}
			}
			ctx, stop := whileWaiting(cmd.Context())
			defer stop()
			return c.passOn(ctx, name, forMe, cmd.InOrStdin(), c.Out)
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "the name by which the program is known; programs without one are one program")
	cmd.Flags().BoolVar(&forMe, "for-me", false, "let it say things to Chalie for you: what it says then counts as your own words")
	return cmd
}

// passOn passes messages between a program and the running Chalie, until either ends.
func (c *cli) passOn(ctx context.Context, name string, forMe bool, in io.Reader, out io.Writer) error {
	from := bufio.NewReaderSize(in, mcpserver.MaxMessageBytes)
	first, err := from.ReadSlice('\n')
	for err == nil {
		answer, asked := mcpserver.NotDiscovered(first)
		if !asked {
			answer, asked = mcpserver.Unreadable(first)
		}
		if !asked {
			break
		}
		if answer = bytes.TrimSpace(answer); len(answer) > 0 {
			_, _ = fmt.Fprintf(out, "%s\n", answer)
		}
		first, err = from.ReadSlice('\n')
	}
	if len(first) == 0 && errors.Is(err, io.EOF) {
		return nil // it asked for nothing
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("the program's first message can't be read: it has to be one line of JSON, of %d bytes at most", mcpserver.MaxMessageBytes)
	}
	var opening struct {
		ID     json.RawMessage `json:"id"`
		Params struct {
			ClientInfo struct {
				Name string `json:"name"`
			} `json:"clientInfo"`
		} `json:"params"`
	}
	_ = json.Unmarshal(first, &opening) // Chalie says what is wrong with it
	header := introduced(name, opening.Params.ClientInfo.Name, forMe)
	if zone := apiclient.DeviceZone(c.Zone); zone != "" {
		header.Set(contract.TimezoneHeader, zone)
	}
	conn, answer, err := c.connectProgram(ctx, header)
	if err != nil {
		if len(opening.ID) > 0 {
			told, wrong := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": opening.ID, "error": map[string]any{"code": -32000, "message": c.advice(words(err))}})
			if wrong == nil {
				_, _ = fmt.Fprintf(out, "%s\n", told)
			}
		}
		return err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	var left atomic.Bool // the program has said all it wanted to
	go func() {
		// The read of standard input ends with the process.
		if _, err := conn.Write(first); err == nil {
			_, err := io.Copy(conn, from)
			left.Store(err == nil)
		}
		if half, ok := conn.(interface{ CloseWrite() error }); ok {
			_ = half.CloseWrite()
		}
	}()
	_, err = io.Copy(out, answer)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil || !left.Load() {
		return fmt.Errorf("Chalie ended the connection: see by `%s` whether the program was shut out; if Chalie has stopped, start it with `%s`, and let the program connect again", c.again("token list"), c.again("serve")) //nolint:staticcheck // a name
	}
	return nil
}

// introduced are the headers that say which program comes.
func introduced(name, callsItself string, forMe bool) http.Header {
	out := http.Header{}
	if forMe {
		out.Set(contract.MCPForPersonHeader, "yes")
	}
	if name == "" {
		name = unnamed
		if forMe {
			name = unnamedForMe
		}
		if calls := asToken(callsItself); calls != "" && calls != unnamed && calls != unnamedForMe {
			out.Set(contract.MCPCallsItselfHeader, calls)
		}
	}
	out.Set(contract.MCPClientHeader, name)
	return out
}

// asToken is what a program calls itself, as a token is named; "" for nothing. Earlier builds
// knew the program by that.
func asToken(name string) string {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return strings.Trim(slug[:min(len(slug), domain.MaxTokenNameBytes)], "-._")
}

// connectProgram opens a connection of MCP for a program, and waits a moment for a Chalie
// that starts.
func (c *cli) connectProgram(ctx context.Context, program http.Header) (net.Conn, io.Reader, error) {
	deadline := time.Now().Add(settleWithin)
	for {
		conn, err := unixsocket.Dial(ctx, c.data)
		switch {
		case err == nil:
			answer, err := openMCP(ctx, conn, program)
			if err != nil {
				_ = conn.Close()
			}
			return conn, answer, err
		case domain.CodeOf(err) != unixsocket.CodeNotRunning:
			return nil, nil, err
		case time.Now().After(deadline):
			return nil, nil, fmt.Errorf("Chalie doesn't run: start it with `%s`, and connect again", c.again("serve")) //nolint:staticcheck // a name
		}
		select {
		case <-time.After(settleEvery):
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

// openMCP makes a connection with Chalie one of MCP. It returns what to read the answers from.
func openMCP(ctx context.Context, conn net.Conn, program http.Header) (io.Reader, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, unixsocket.BaseURL+"/mcp/stdio", http.NoBody)
	if err != nil {
		return nil, err
	}
	maps.Copy(req.Header, program)
	req.Header.Set("Connection", "Upgrade")
	req.Header.Set("Upgrade", contract.MCPProtocol)
	if token := os.Getenv(tokenVariable); token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if err := req.Write(conn); err != nil {
		return nil, fmt.Errorf("ask Chalie for a connection: %w", err)
	}
	from := bufio.NewReader(conn)
	answer, err := http.ReadResponse(from, req)
	if err != nil {
		return nil, fmt.Errorf("Chalie gave no answer: connect again: %w", err) //nolint:staticcheck // a name
	}
	if answer.StatusCode == http.StatusSwitchingProtocols {
		return from, nil
	}
	defer func() { _ = answer.Body.Close() }()
	var refused contract.Refusal
	if err := json.NewDecoder(answer.Body).Decode(&refused); err != nil || refused.Error == "" {
		return nil, fmt.Errorf("Chalie refused the connection with %s: is it as new as this command?", answer.Status) //nolint:staticcheck // a name
	}
	return nil, errors.New(refused.Error)
}
