package wsapi

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/domain"

	"github.com/gobwas/ws"
)

// Codes of requests that don't become a socket.
const (
	CodeUpgradeRequired domain.Code = "upgrade_required"
	CodeCrossOrigin     domain.Code = "cross_origin"
	CodeTooManyClients  domain.Code = "too_many_clients"
)

// protocol is the subprotocol that a client may name. A client that names subprotocols
// must be answered with one of them; the others carry the session's key and are not this
// package's.
const protocol = "chalie"

const headerVersion = "Sec-Websocket-Version"

// Upgrade makes the request a socket of who and returns as soon as it is one. alive
// reports whether the session is still valid; it is called often and from several
// goroutines, so it must be quick. A Set-Cookie header in w goes into the answer.
//
// An error means that no upgrade took place: nothing was written to w except, for another
// version of the protocol, a header that names ours. Errors: CodeUpgradeRequired,
// validation, CodeCrossOrigin (policy), and as dependencies that may be gone later
// CodeTooManyClients and CodeClosed.
func (h *Hub) Upgrade(w http.ResponseWriter, r *http.Request, who commands.Caller, alive func() bool) error {
	r = withLists(r)
	if err := checkHandshake(r); err != nil {
		if domain.CodeOf(err) == CodeUpgradeRequired {
			w.Header().Set(headerVersion, "13")
		}
		return err
	}
	if err := checkOrigin(r); err != nil {
		return err
	}
	last, resumes, err := h.cfg.Speaks.Opening(r)
	if err != nil {
		return err
	}
	// Read first: records appended after the peer has read our answer must reach it.
	tail := h.cfg.Tail.Tail()
	if last > domain.EndOf(tail) {
		return notYet("id", last, tail)
	}
	if err := h.reserve(); err != nil {
		return err
	}
	conn, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		h.release()
		return &domain.Error{Op: "open socket", Category: domain.Validation, Code: CodeUpgradeRequired, Err: err,
			Message: "this connection can't become a WebSocket: use HTTP/1.1"}
	}
	taken := &hijacked{header: w.Header(), conn: conn, rw: rw}
	upgrader := ws.HTTPUpgrader{Timeout: h.cfg.WriteWithin, Protocol: func(name string) bool { return name == protocol }, Header: http.Header{"Set-Cookie": w.Header().Values("Set-Cookie")}}
	if _, _, _, err := upgrader.Upgrade(r, taken); err != nil {
		h.release()
		h.cfg.Logger.DebugContext(r.Context(), "a peer left while its socket was opened", slog.Any("error", err))
		_ = conn.Close()
		return nil
	}
	// The buffers go back to net/http, so what the peer has already sent is copied.
	ahead, _ := rw.Peek(rw.Reader.Buffered())
	at := start{cursor: domain.EndOf(tail)}
	if resumes {
		at = start{cursor: last, resumes: true}
	}
	h.join(conn, slices.Clone(ahead), at, who, alive)
	return nil
}

// hijacked hands the upgrader a connection that was hijacked before, so that we report an
// error of hijacking ourselves.
type hijacked struct {
	header http.Header
	conn   net.Conn
	rw     *bufio.ReadWriter
}

func (h *hijacked) Header() http.Header                          { return h.header }
func (h *hijacked) Write(p []byte) (int, error)                  { return h.conn.Write(p) }
func (h *hijacked) WriteHeader(int)                              {}
func (h *hijacked) Hijack() (net.Conn, *bufio.ReadWriter, error) { return h.conn, h.rw, nil }

// withLists is a request with the lists of a handshake on one line each. HTTP lets a list stand
// on several lines, and some proxies write it so; the upgrader reads the first of them.
func withLists(r *http.Request) *http.Request {
	out := *r
	out.Header = r.Header.Clone()
	for _, name := range []string{"Connection", "Upgrade"} {
		if lines := r.Header.Values(name); len(lines) > 0 {
			out.Header.Set(name, strings.Join(lines, ", "))
		}
	}
	if hasToken(out.Header.Get("Upgrade"), "websocket") {
		out.Header.Set("Upgrade", "websocket") // what else is offered isn't taken
	}
	return &out
}

// checkHandshake checks what the upgrader would refuse only after hijacking the
// connection.
func checkHandshake(r *http.Request) error {
	version := r.Header.Get(headerVersion)
	switch {
	case r.Method != http.MethodGet || !r.ProtoAtLeast(1, 1),
		!strings.EqualFold(r.Header.Get("Upgrade"), "websocket"),
		!hasToken(r.Header.Get("Connection"), "upgrade"):
		return upgradeRequired("this is a WebSocket: send GET over HTTP/1.1 with Connection: Upgrade, Upgrade: websocket, Sec-WebSocket-Version: 13 and a Sec-WebSocket-Key")
	case version != "13":
		return upgradeRequired(fmt.Sprintf("version %.20q of the WebSocket protocol is not spoken here: send Sec-WebSocket-Version: 13", version))
	case r.Host == "":
		return domain.Invalid("open socket", "Host", "the request names no Host: send one")
	}
	key := r.Header.Get("Sec-Websocket-Key")
	if nonce, err := base64.StdEncoding.DecodeString(key); err != nil || len(nonce) != 16 || len(key) != 24 {
		return domain.Invalid("open socket", "Sec-WebSocket-Key", "Sec-WebSocket-Key is not the base64 of 16 bytes: send random ones")
	}
	return nil
}

// checkOrigin accepts pages of this host, and programs, which send no Origin. A page that
// came without TLS may be anybody's on the way, and not every browser keeps the cookie
// of https from it.
func checkOrigin(r *http.Request) error {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return nil
	}
	if u, err := url.Parse(origins[0]); err == nil && len(origins) == 1 && u.Host != "" && strings.EqualFold(u.Host, r.Host) && (r.TLS == nil || u.Scheme == "https") {
		return nil
	}
	return &domain.Error{Op: "open socket", Category: domain.Policy, Code: CodeCrossOrigin, Field: "Origin",
		Message: fmt.Sprintf("a page of %.100q may not open a socket of %.100s: open it from Chalie's own pages, or from a program without an Origin header",
			origins[0], r.Host)}
}

func hasToken(list, token string) bool {
	for part := range strings.SplitSeq(list, ",") {
		if strings.EqualFold(strings.TrimSpace(part), token) {
			return true
		}
	}
	return false
}

func upgradeRequired(message string) error {
	return &domain.Error{Op: "open socket", Category: domain.Validation, Code: CodeUpgradeRequired, Message: message}
}

func tooManyClients(bound int) error {
	return &domain.Error{Op: "open socket", Category: domain.Dependency, Code: CodeTooManyClients, Retriable: true,
		Message: fmt.Sprintf("%d clients are connected, and that is the bound: close some, or try again later", bound)}
}
