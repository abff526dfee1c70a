package httpapi

import (
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

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

// forwarded reports whether any header says that somebody stands between.
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
