package mcpclient

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

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
		trip := &trips{via: newTransport(), header: header, session: s}
		s.end = func() error {
			trip.via.CloseIdleConnections()
			return nil
		}
		s.older = func(ctx context.Context) bool { return trip.isOlder(ctx, server.URL) }
		return &mcp.StreamableClientTransport{
			Endpoint: server.URL, MaxEventSize: -1, // what it reads is metered
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
		// Of a connection that was kept nobody knows, until a call is sent, whether the server
		// still has it, and then not whether the call was done.
		DisableKeepAlives: true,
		DialContext:       dialer.DialContext, DisableCompression: true, MaxConnsPerHost: 8, TLSHandshakeTimeout: dialWithin, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
	}
}

// trips sends a server's headers along, and reads what it answers as wire does.
type trips struct {
	via     *http.Transport
	header  http.Header
	session *session
}

// RoundTrip implements http.RoundTripper. A request that expects an answer is always given
// one, as a stream of events, unless nothing left or the session is over: those are errors.
func (t *trips) RoundTrip(r *http.Request) (*http.Response, error) {
	cfg, left := t.session.cfg, false
	r = r.Clone(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { left = true }}))
	maps.Copy(r.Header, t.header)
	var id, method string
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		id, method = t.session.wire.sent(body)
		// net/http repeats a request that it can rewind when a kept connection turns out
		// dead; a call is made once.
		r.Body, r.GetBody = io.NopCloser(bytes.NewReader(body)), nil
		delete(r.Header, "Idempotency-Key")
		delete(r.Header, "X-Idempotency-Key")
	}
	send := t.via.RoundTrip
	if id == "" {
		send = t.promptly
	}
	resp, err := send(r)
	if err != nil {
		t.session.wire.take(id)
		if !left {
			err = &unsentError{err}
		}
		return nil, err
	}
	told := t.session.misbehaved
	if id != "" {
		told = func(error) {} // the answer alone is lost, and says so
	}
	resp.Body = newMetered(resp.Body, cfg.MaxMessageBytes, 4*cfg.Messages, told) // an event is up to four lines
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))          // "" is none that is known
	switch {
	case r.Method == http.MethodGet && media == "text/event-stream":
		resp.Body = t.events(resp.Body, "")
	case r.Method != http.MethodPost:
	case t.isForgotten(r, resp):
		return nil, errForgotten
	case id == "" && resp.StatusCode >= http.StatusBadRequest:
		t.session.cfg.Logger.Warn("an MCP server refuses to be told something", "server", t.session.name, "what", method, "status", resp.StatusCode)
		resp.StatusCode = http.StatusAccepted // the session goes on without
	case id == "":
	case method == "server/discover" && resp.StatusCode >= http.StatusMultipleChoices:
		t.session.wire.take(id) // the library asks then as older servers are asked
	case media == "text/event-stream" && resp.StatusCode < http.StatusMultipleChoices:
		resp.Body = t.events(resp.Body, id)
	default:
		resp.Body = t.whole(resp, id)
		resp.StatusCode, resp.Header = http.StatusOK, resp.Header.Clone()
		resp.Header.Set("Content-Type", "text/event-stream")
	}
	return resp, nil
}

// promptly makes a request that answers nothing: to be told something, and the stream of what a
// server says by itself, which is optional. A session waits for neither longer than for a question;
// what a server or a proxy keeps back for longer it does without.
func (t *trips) promptly(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	late := time.AfterFunc(t.session.cfg.AskWithin, cancel)
	resp, err := t.via.RoundTrip(r.WithContext(ctx))
	if late.Stop() {
		if err != nil {
			cancel()
			return nil, err
		}
		resp.Body = &ending{resp.Body, cancel}
		return resp, nil
	}
	cancel()
	if err == nil {
		_ = resp.Body.Close()
	}
	if r.Context().Err() != nil || r.Method == http.MethodDelete {
		return nil, context.DeadlineExceeded
	}
	t.session.cfg.Logger.Warn("an MCP server keeps back the beginning of its answer, and is done without", "server", t.session.name, "to", r.Method, "for", t.session.cfg.AskWithin)
	out := &http.Response{StatusCode: http.StatusAccepted, Header: http.Header{}, Body: http.NoBody, Request: r}
	if r.Method == http.MethodGet {
		out.StatusCode = http.StatusMethodNotAllowed // as of a server that has no such stream
	}
	return out, nil
}

// ending is a body at whose end a context is freed.
type ending struct {
	io.ReadCloser
	free context.CancelFunc
}

// Close implements io.Closer.
func (e *ending) Close() error {
	defer e.free()
	return e.ReadCloser.Close()
}

// isOlder reports whether at an address the protocol's older transport is spoken, HTTP with
// SSE: it begins with an event that names another address.
func (t *trips) isOlder(ctx context.Context, url string) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.session.cfg.AskWithin)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return false
	}
	r.Header.Set("Accept", "text/event-stream")
	maps.Copy(r.Header, t.header)
	resp, err := t.via.RoundTrip(r)
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	lines := bufio.NewScanner(io.LimitReader(resp.Body, maxStray))
	for lines.Scan() {
		if field, value, _ := strings.Cut(lines.Text(), ":"); field == "event" {
			return strings.TrimSpace(value) == "endpoint"
		}
	}
	return false
}

// isForgotten reports whether a server that was sent a session's id doesn't know it. The
// protocol has 404 for that; some say 400, with words.
func (t *trips) isForgotten(r *http.Request, resp *http.Response) bool {
	if r.Header.Get("Mcp-Session-Id") == "" {
		return false
	}
	switch resp.StatusCode {
	case http.StatusNotFound, http.StatusGone:
		_ = resp.Body.Close()
		return true
	case http.StatusBadRequest:
		body, _ := io.ReadAll(resp.Body) // what came of it has to do
		_ = resp.Body.Close()
		resp.Body = io.NopCloser(bytes.NewReader(body))
		return bytes.Contains(bytes.ToLower(body), []byte("session"))
	}
	return false
}

// events are the events of a stream, with the messages that wire makes of theirs. id is the
// request that they answer; "" for none.
func (t *trips) events(body io.ReadCloser, id string) io.ReadCloser {
	from := bufio.NewReader(body)
	var event sse
	resumable := false
	return &made{Closer: body, next: func() ([]byte, error) {
		for {
			line, err := from.ReadBytes('\n')
			over := event.read(line)
			if err != nil || over {
				resumable = resumable || event.id != ""
				out := event.written(t.session.wire)
				event = sse{}
				if err != nil && id != "" && t.session.wire.waits(id) && (!resumable || isBound(err)) {
					t.session.wire.take(id)
					out = append(out, data(broken(id, err))...)
				}
				if len(out) > 0 || err != nil {
					return out, err
				}
			}
		}
	}}
}

// whole is an answer that is no stream, as one.
func (t *trips) whole(resp *http.Response, id string) io.ReadCloser {
	status, from, w := resp.StatusCode, resp.Body, t.session.wire
	return &made{Closer: from, next: func() ([]byte, error) {
		body, err := io.ReadAll(from)
		if err == nil {
			if messages, ok := w.received(body); ok && !w.waits(id) {
				return data(messages...), io.EOF
			}
		}
		method, waits := w.take(id)
		var other struct {
			Error json.RawMessage `json:"error"`
		}
		switch {
		case !waits: // it was given up
			return nil, io.EOF
		case err != nil:
			return data(broken(id, err)), io.EOF
		case json.Unmarshal(body, &other) == nil && wordsOf(other.Error) != "": // of another request, or none
			return data(w.failed(id, method, other.Error)), io.EOF
		case status < 200 || status > 299:
			return data(troubled(id, commands.CodePeerStatus, refusedWith(status, body))), io.EOF
		}
		return data(troubled(id, commands.CodePeerBadJSON, "answered with what is no message of the protocol: "+quoted(string(body)))), io.EOF
	}}
}

// refusedWith is a status of HTTP in words.
func refusedWith(status int, body []byte) string {
	out := fmt.Sprintf("answered with HTTP %d (%s)", status, http.StatusText(status))
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		out += ": it wants to know who asks, by a header that `chalie tool add mcp --header` sends"
	case len(bytes.TrimSpace(body)) > 0 && utf8.Valid(body):
		out += ", saying " + quoted(string(body))
	}
	return out
}

func isBound(err error) bool {
	_, size := errors.AsType[*sizeError](err)
	_, flood := errors.AsType[*floodError](err)
	return size || flood
}

// broken is the answer to a request whose answer broke off.
func broken(id string, err error) []byte {
	if _, size := errors.AsType[*sizeError](err); size {
		return troubled(id, commands.CodePeerTooLarge, strings.TrimPrefix(err.Error(), "it "))
	}
	if isBound(err) {
		return troubled(id, commands.CodePeerUnknown, strings.TrimPrefix(err.Error(), "it "))
	}
	what := "the connection ended before it answered"
	if !errors.Is(err, io.EOF) {
		what = "the connection broke before it answered: " + innermost(err)
	}
	return troubled(id, commands.CodePeerUnknown, what)
}

// made is a body that is made of another, piece by piece.
type made struct {
	io.Closer
	next func() ([]byte, error)
	rest []byte
	err  error
}

func (m *made) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		if m.err != nil {
			return 0, m.err
		}
		if m.rest, m.err = m.next(); isBound(m.err) {
			m.err = io.EOF // it was told
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// sse is an event of a stream.
type sse struct {
	id, name, retry string
	data            [][]byte
}

// read takes a line, and reports whether the event is whole.
func (e *sse) read(line []byte) bool {
	line = bytes.TrimRight(bytes.TrimPrefix(line, []byte("\uFEFF")), "\r\n")
	if len(line) == 0 {
		return true
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "id":
		e.id = string(value)
	case "event":
		e.name = string(value)
	case "retry":
		e.retry = string(value)
	case "data":
		e.data = append(e.data, value)
	}
	return false
}

// written is the event with the messages that are read of it.
func (e *sse) written(w *wire) (out []byte) {
	if e.retry != "" {
		out = fmt.Appendf(out, "retry: %s\n", e.retry)
	}
	if e.id != "" {
		out = fmt.Appendf(out, "id: %s\n", e.id)
	}
	if len(out) > 0 {
		out = append(out, "data:\n\n"...)
	}
	text := bytes.Join(e.data, []byte("\n"))
	if len(bytes.TrimSpace(text)) == 0 || e.name != "" && e.name != "message" {
		return out
	}
	messages, ok := w.received(text)
	if !ok {
		if answer := w.ignore(text); answer != nil {
			messages = [][]byte{answer}
		}
	}
	return append(out, data(messages...)...)
}

// data are events with a message each.
func data(messages ...[]byte) (out []byte) {
	for _, m := range messages {
		if len(m) > 0 {
			out = fmt.Appendf(out, "data: %s\n\n", m)
		}
	}
	return out
}
