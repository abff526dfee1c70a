package httpapi

import (
	"fmt"
	"net/http"
	"net/netip"

	"chalie/domain"
)

// nearby refuses whoever isn't a neighbour. An interface that registers has no
// credential but where it is: on this machine, straight, and no page of a browser
// in disguise; or in a network that the operator let in, again straight and no
// page. Names under which such a network knows this machine are not asked about.
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
	case !loopbackHost(x.r.Host) && x.r.Header.Get("Origin") != "":
		return notNearby("this request came from a page, and a page needs the operator's session: log in with POST /auth/login")
	}
	return nil
}

// invited reports whether the operator let the peer's network in.
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
