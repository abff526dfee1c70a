package interfaces

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"chalie/commands"
	"chalie/domain"
)

// placeRules say which addresses are called.
type placeRules struct {
	allow, deny []netip.Prefix
}

// control judges the address that is about to be dialled: whatever name led to
// it, this is where the call would go.
func (r placeRules) control(_ context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("read the address %s: %w", address, err)
	}
	return r.check(at.Addr())
}

func (r placeRules) check(addr netip.Addr) error {
	addr = addr.WithZone("").Unmap()
	within := func(p netip.Prefix) bool { return p.Contains(addr) }
	switch {
	case slices.ContainsFunc(r.deny, within):
		return &domain.Error{Op: "connect", Category: domain.Policy, Code: commands.CodePeerForbidden,
			Message: fmt.Sprintf("%s lies in a network that is denied here; give another address, or allow it", addr)}
	case slices.ContainsFunc(r.allow, within):
		return nil
	}
	return commands.CheckDialled(addr)
}

// authority is host and port as a URL has them, or "" when the endpoint can't be
// one. IPv6 addresses may come in brackets or without.
func authority(at commands.Endpoint) string {
	host := at.Host
	if inner, ok := strings.CutPrefix(host, "["); ok {
		if host, ok = strings.CutSuffix(inner, "]"); !ok || !strings.Contains(host, ":") {
			return ""
		}
	}
	if _, err := netip.ParseAddr(host); err != nil && !isHostName(host) || at.Port < 1 || at.Port > 65535 {
		return ""
	}
	return net.JoinHostPort(host, strconv.Itoa(at.Port))
}

func isHostName(host string) bool {
	return host != "" && len(host) <= domain.MaxHostBytes && !strings.ContainsFunc(host, func(c rune) bool {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		return !letter && (c < '0' || c > '9') && c != '-' && c != '.' && c != '_'
	})
}
