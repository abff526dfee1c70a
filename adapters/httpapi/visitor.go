package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"chalie/domain"
)

// visitor is who asks to be let in. Of headers only that there are any of a proxy counts:
// what they say, the peer may have made up. A proxy that the operator trusts hasn't.
func (x *exchange) visitor() domain.Visitor {
	who := domain.Visitor{UserAgent: x.r.UserAgent(), From: domain.ThisMachine}
	if x.trusted {
		return who
	}
	who.Host = x.r.Host
	peer, client := peerOf(x.r), x.client()
	switch {
	case !client.IsValid():
		who.From = ""
	case client != peer:
		if !client.IsLoopback() {
			who.From = client.String()
		}
	case peer.IsLoopback():
		// By another name than this machine's own it was led here, as by a tunnel.
		who.Relayed = forwarded(x.r.Header) || !loopbackHost(x.r.Host)
	default:
		who.From, who.Relayed = peer.String(), forwarded(x.r.Header)
	}
	return who
}

// client is the address that a request comes from: the peer's, or behind trusted proxies
// the last one that they name and that isn't one of them. It is not valid when there is
// none, or when what a trusted proxy names can't be read.
func (x *exchange) client() netip.Addr {
	peer := peerOf(x.r)
	if !x.proxied(peer) {
		return peer
	}
	for _, hop := range slices.Backward(hops(x.r.Header)) {
		addr, ok := addressIn(hop)
		if !ok {
			return netip.Addr{}
		}
		if !x.proxied(addr) {
			return addr
		}
	}
	return peer
}

func (x *exchange) proxied(addr netip.Addr) bool {
	return slices.ContainsFunc(x.api.cfg.Proxies, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// hops are whom proxies say they were asked by, the first of them first. Forwarded counts
// only where nobody says it in the older way: a proxy that knows that one passes what a
// client wrote in the other.
func hops(h http.Header) (all []string) {
	if older := h.Values("X-Forwarded-For"); len(older) > 0 {
		return strings.Split(strings.Join(older, ","), ",")
	}
	for _, line := range h.Values("Forwarded") {
		for hop := range strings.SplitSeq(line, ",") {
			for part := range strings.SplitSeq(hop, ";") {
				if name, value, ok := strings.Cut(strings.TrimSpace(part), "="); ok && strings.EqualFold(name, "for") {
					all = append(all, strings.Trim(value, `"`))
				}
			}
		}
	}
	return all
}

// addressIn reads an address with or without a port.
func addressIn(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]"))
	return addr.Unmap().WithZone(""), err == nil
}
