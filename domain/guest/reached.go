package guest

import "net/netip"

// The blocks of IPv6 addresses that carry one of IPv4.
var (
	compatible = netip.MustParsePrefix("::/96")          // the form that IPv6 began with
	translated = netip.MustParsePrefix("64:ff9b::/96")   // NAT64
	ownPrefix  = netip.MustParsePrefix("64:ff9b:1::/48") // NAT64 with a prefix of a network's own
	sixToFour  = netip.MustParsePrefix("2002::/16")
	teredo     = netip.MustParsePrefix("2001::/32")
)

// Reached are all that a network may reach by an address: the address itself, without
// its zone, and the IPv4 ones that it carries, for a translator or as the ends of a
// tunnel. Who refuses one of them refuses the address.
func Reached(addr netip.Addr) []netip.Addr {
	addr = addr.WithZone("").Unmap()
	out := []netip.Addr{addr}
	if !addr.Is6() {
		return out
	}
	b := addr.As16()
	last := netip.AddrFrom4([4]byte(b[12:]))
	switch {
	case compatible.Contains(addr) && addr != netip.IPv6Loopback() && !addr.IsUnspecified(), translated.Contains(addr):
		return append(out, last)
	case ownPrefix.Contains(addr):
		// Such a prefix has 96 bits most often; with 48 the address stands around the
		// byte that is kept free.
		if around := netip.AddrFrom4([4]byte{b[6], b[7], b[9], b[10]}); !around.IsUnspecified() {
			out = append(out, around)
		}
		return append(out, last)
	case sixToFour.Contains(addr):
		return append(out, netip.AddrFrom4([4]byte(b[2:6])))
	case teredo.Contains(addr):
		// The server's, and the client's with its bits turned round.
		return append(out, netip.AddrFrom4([4]byte(b[4:8])), netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}))
	}
	return out
}
