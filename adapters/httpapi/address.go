package httpapi

import (
	"net"
	"net/http"
	"strconv"
	"strings"

	"chalie/domain"
)

// address is host and port, or the host alone, where whoever asks reached Chalie,
// and the scheme. A peer of the Unix socket came another way: it is told where the
// network would.
func (x *exchange) address() (scheme, hostport string) {
	scheme = "http"
	if x.r.TLS != nil || x.r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	if !x.trusted && x.r.Host != "" {
		return scheme, x.r.Host
	}
	if x.api.cfg.Address != nil {
		if known := x.api.cfg.Address(); known != "" {
			return "http", known
		}
	}
	if at, ok := x.r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
		return scheme, at.String()
	}
	return scheme, x.r.Host
}

// endpoint is the same as host and port.
func (x *exchange) endpoint() (host string, port int) {
	scheme, hostport := x.address()
	host, text, err := net.SplitHostPort(hostport)
	if err != nil {
		host, text = strings.TrimSuffix(strings.TrimPrefix(hostport, "["), "]"), ""
	}
	if port, err = strconv.Atoi(text); err == nil {
		return host, port
	}
	if scheme == "https" {
		return host, 443
	}
	return host, 80
}

// gatewayURL is where an interface speaks to Chalie.
func (x *exchange) gatewayURL(id domain.ID) string {
	scheme, hostport := x.address()
	return scheme + "://" + hostport + gatewayPath(id)
}

func gatewayPath(id domain.ID) string { return "/gw/" + id.UUID() }
