package streams

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"
	"time"

	"chalie/commands"
	"chalie/domain"

	"github.com/gobwas/ws"
)

// guardedDial connects over TCP. The address is judged after it was resolved, so
// that no name leads where an address may not.
func guardedDial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return commands.CheckDialled(at.Addr())
	}}
	return dialer.DialContext(ctx, network, address)
}

// dial connects and shakes hands, within ConnectWithin.
func dial(ctx context.Context, cfg Config, url string) (*socket, error) {
	var wire *wire
	dialer := ws.Dialer{
		Timeout: cfg.ConnectWithin, NetDial: cfg.Dial, TLSConfig: cfg.TLS,
		Header: ws.HandshakeHeaderHTTP(http.Header{"User-Agent": {"chalie"}}),
		WrapConn: func(conn net.Conn) net.Conn {
			wire = newWire(conn)
			return wire
		},
	}
	conn, early, _, err := dialer.Dial(ctx, url)
	if err != nil {
		return nil, connectError(err)
	}
	var ahead []byte
	if early != nil {
		// What came right behind the handshake; the buffer it is in goes back.
		ahead, err = early.Peek(early.Buffered())
		ahead = append([]byte(nil), ahead...)
		ws.PutReader(early)
		if err != nil {
			_ = conn.Close()
			return nil, connectError(err)
		}
	}
	// Anything that could be left of the handshake's deadline.
	if err := conn.SetDeadline(time.Time{}); err != nil {
		_ = conn.Close()
		return nil, connectError(err)
	}
	return newSocket(cfg, wire, ahead), nil
}

// connectError says why there is no connection, and what to do about it.
func connectError(err error) error {
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known
	}
	out := &domain.Error{Op: "connect", Category: domain.Dependency, Code: commands.CodePeerUnreachable, Retriable: true, Err: err,
		Message: "there is no connection"}
	status, isStatus := errors.AsType[ws.StatusError](err)
	_, isName := errors.AsType[*net.DNSError](err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		out.Err, out.Message = nil, "nothing listens at its address: see whether the interface runs"
	case isName:
		out.Message = "its host is not found: see whether the URL is right"
	case isStatus && status >= 300 && status < 400:
		out.Code, out.Err = commands.CodePeerStatus, nil
		out.Message = fmt.Sprintf("it redirects (%d), which isn't followed: remove the stream and add the address it leads to", int(status))
	case isStatus:
		out.Code, out.Err = commands.CodePeerStatus, nil
		out.Message = "it answered " + strconv.Itoa(int(status)) + " instead of opening a WebSocket: see whether the URL is that of a stream"
	case errors.Is(err, context.DeadlineExceeded):
		out.Message = "it didn't open a WebSocket in time: see whether the URL is that of a stream"
	case isHandshakeFault(err):
		out.Code, out.Message = commands.CodePeerBadShape, "what it answered opens no WebSocket: see whether the URL is that of a stream"
	}
	return out
}

func isHandshakeFault(err error) bool {
	for _, known := range []error{
		ws.ErrMalformedResponse, ws.ErrHandshakeBadProtocol, ws.ErrHandshakeBadUpgrade, ws.ErrHandshakeBadConnection,
		ws.ErrHandshakeBadSecAccept, ws.ErrHandshakeBadSubProtocol, ws.ErrHandshakeBadExtensions, errLongHandshake,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// bare is a URL without its query, which may hold a secret.
func bare(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + u.Path
}
