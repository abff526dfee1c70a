package httpapi

import "chalie/domain"

// visitor is who asks to be let in. Of headers only that there are any of a proxy counts:
// what they say, the peer may have made up.
func (x *exchange) visitor() domain.Visitor {
	who := domain.Visitor{UserAgent: x.r.UserAgent(), From: domain.ThisMachine}
	if x.trusted {
		return who
	}
	peer := peerOf(x.r)
	switch {
	case !peer.IsValid():
		who.From = ""
	case peer.IsLoopback():
		// By another name than this machine's own it was led here, as by a tunnel.
		who.Relayed = forwarded(x.r.Header) || !loopbackHost(x.r.Host)
	default:
		who.From, who.Relayed = peer.String(), forwarded(x.r.Header)
	}
	return who
}
