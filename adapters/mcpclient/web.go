package mcpclient

import (
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"os"
	"syscall"
	"time"

	"chalie/commands"
	"chalie/domain"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// dialWithin bounds the making of a connection.
const dialWithin = 5 * time.Second

// reachURL speaks streamable HTTP with a server.
func (c *Client) reachURL(server domain.MCPServer) func(context.Context, *session) (mcp.Transport, error) {
	return func(_ context.Context, s *session) (mcp.Transport, error) {
		header := http.Header{}
		for _, h := range server.Headers {
			var missing string
			value := os.Expand(h.Value, func(variable string) string {
				value, ok := c.cfg.Environ(variable)
				if !ok {
					missing = variable
				}
				return value
			})
			if missing != "" {
				return nil, failure("reach an MCP server", commands.CodePeerForbidden,
					s.name+" is to be sent the variable "+missing+", which isn't set where Chalie runs: set it there, and start Chalie again", nil)
			}
			header.Add(h.Name, value)
		}
		trip := &bounded{via: newTransport(), header: header, cfg: c.cfg, told: s.misbehaved}
		s.end = func() error {
			trip.via.CloseIdleConnections()
			return nil
		}
		return &mcp.StreamableClientTransport{
			Endpoint: server.URL, MaxEventSize: 2 * c.cfg.MaxMessageBytes, // what it reads is metered
			HTTPClient: &http.Client{Transport: trip, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		}, nil
	}
}

func newTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: dialWithin, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		// The address that is dialled is judged, whatever name led to it.
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return commands.CheckDialled(at.Addr())
	}}
	return &http.Transport{
		DialContext: dialer.DialContext, DisableCompression: true, MaxConnsPerHost: 8, MaxIdleConnsPerHost: 2,
		IdleConnTimeout: time.Minute, TLSHandshakeTimeout: dialWithin, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
	}
}

// bounded sends a server's headers along, and bounds what it answers.
type bounded struct {
	via    *http.Transport
	header http.Header
	cfg    Config
	told   func(error)
}

// RoundTrip implements http.RoundTripper.
func (b *bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	maps.Copy(r.Header, b.header)
	if r.Body != nil {
		// net/http repeats a request that it can rewind when a kept connection turns out
		// dead; a call is made once.
		r.Body, r.GetBody = io.NopCloser(r.Body), nil
		delete(r.Header, "Idempotency-Key")
		delete(r.Header, "X-Idempotency-Key")
	}
	resp, err := b.via.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	resp.Body = newMetered(resp.Body, b.cfg.MaxMessageBytes, 4*b.cfg.Messages, b.told) // an event is up to four lines
	return resp, nil
}
