package httpapi

import (
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
)

// address is the scheme and the host, with its port if it has one, by which the caller
// reached Chalie. For a caller on the Unix socket it is the address for the network.
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

// endpoint is address as host and port.
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

// gatewayURL is the URL at which an interface calls Chalie.
func (x *exchange) gatewayURL(id domain.ID) string {
	scheme, hostport := x.address()
	return scheme + "://" + hostport + gatewayPath(id)
}

func gatewayPath(id domain.ID) string { return "/gw/" + id.UUID() }

func loopbackPeer(addr string) bool {
	peer, err := netip.ParseAddrPort(addr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

func loopbackHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// forwarded reports whether any header names a proxy.
func forwarded(h http.Header) bool {
	for name := range h {
		switch name {
		case "Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "True-Client-Ip", "Cdn-Loop", "Client-Ip":
			return true
		}
		for _, prefix := range []string{"X-Forwarded", "X-Original-", "X-Envoy-", "X-Proxy", "Cf-", "Fly-", "Fastly-", "Tailscale-", "Ngrok-", "X-Amz", "X-Azure-", "X-Appengine-"} {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
	}
	return false
}

func sendsJSON(h http.Header) bool {
	media, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && media == "application/json"
}

// nearby refuses callers that are no neighbours. The only credential of an interface that
// registers is its address: on this machine or in a network that the operator allowed,
// without a proxy and not from a page in a browser. The host name of the request is
// checked only on this machine.
func (x *exchange) nearby() error {
	if x.trusted {
		return nil
	}
	peer := peerOf(x.r)
	invited := x.invited(peer)
	switch {
	case forwarded(x.r.Header):
		return notNearby("this request came through a proxy or a tunnel, as one of its headers says: let the interface connect to Chalie straight")
	case x.r.Method == http.MethodPost && !sendsJSON(x.r.Header):
		return notNearby("this request doesn't say that it sends JSON: send it with Content-Type: application/json")
	case !invited && !peer.IsLoopback():
		return notNearby(fmt.Sprintf("an interface at %s is not on this machine: let its network in with chalie serve --allow-gateway, or pair it with a key", peer))
	case !invited && !loopbackHost(x.r.Host):
		return notNearby("this request names another host than this machine: speak to localhost or 127.0.0.1, or let the network in with chalie serve --allow-gateway")
	case !loopbackHost(x.r.Host) && fromPage(x.r.Header):
		return notNearby("this request came from a page, and a page needs the operator's session: log in with POST /auth/login")
	case !x.namesHere(x.r.Host):
		return notNearby("this request names a host that Chalie doesn't know for this machine, as a page does whose name was led here: speak to its address, or to a name without a dot or of a local network")
	}
	return nil
}

// fromPage reports whether a browser sent a request for a page, and not for a person who
// opened it.
func fromPage(h http.Header) bool {
	site := h.Get("Sec-Fetch-Site")
	return h.Get("Origin") != "" || site != "" && site != "none"
}

// localNames are the ends of names that nobody can buy to lead a browser here by.
var localNames = []string{".local", ".lan", ".home", ".internal", ".home.arpa", ".localdomain", ".localhost", ".test"}

// namesHere reports whether a host is an address, a name that no stranger can own, or one by
// which the operator came. A browser over plain HTTP tells nothing else of where a page is from.
func (x *exchange) namesHere(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")), ".")
	if _, err := netip.ParseAddr(host); err == nil || !strings.Contains(host, ".") {
		return true
	}
	rule := x.rule()
	return rule.Is != nil && rule.Is(host) || slices.ContainsFunc(localNames, func(end string) bool { return strings.HasSuffix(host, end) })
}

// invited reports whether the operator allowed the peer's network.
func (x *exchange) invited(peer netip.Addr) bool {
	for _, network := range x.api.cfg.Gateways {
		if network.Contains(peer) {
			return true
		}
	}
	return false
}

// peerOf is the address a request comes from, not valid when there is none.
func peerOf(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return peer.Addr().Unmap().WithZone("")
}

func notNearby(message string) error {
	return &domain.Error{Op: "authorise", Category: domain.Policy, Code: "not_nearby", Message: message}
}
