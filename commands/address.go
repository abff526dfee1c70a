package commands

import (
	"fmt"
	"net/netip"

	"chalie/domain"
)

// CheckDialled judges an address that something outside named, once it is
// resolved and before anything connects to it. What only this machine's
// surroundings should reach, and what is no machine's address, is a policy error
// with CodePeerForbidden.
func CheckDialled(addr netip.Addr) error {
	addr = untranslated(addr.WithZone("").Unmap())
	var why string
	switch {
	case !addr.IsValid() || addr.IsUnspecified() || addr.IsMulticast() || addr.String() == "255.255.255.255":
		why = "is not the address of a machine"
	case addr.IsLinkLocalUnicast():
		why = "is link-local: what is there belongs to this machine's surroundings"
	case isMetadataService(addr):
		why = "is that of a cloud's metadata service"
	default:
		return nil
	}
	return &domain.Error{Op: "connect", Category: domain.Policy, Code: CodePeerForbidden,
		Message: fmt.Sprintf("%s %s; Chalie doesn't connect there: give another address", addr, why)}
}

// isMetadataService knows the addresses, beyond the link-local ones, at which
// clouds tell a machine about itself, its secrets included.
func isMetadataService(addr netip.Addr) bool {
	switch addr.String() {
	case "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "100.100.100.200", "168.63.129.16", "192.0.0.192":
		return true
	}
	return false
}

// untranslated is the IPv4 address that a network reaches by an IPv6 one: by a
// translator (NAT64), or by a tunnel whose addresses name its ends (6to4, Teredo), or in
// the form that IPv6 began with (IPv4-compatible).
func untranslated(addr netip.Addr) netip.Addr {
	if !addr.Is6() {
		return addr
	}
	b := addr.As16()
	switch {
	case within("64:ff9b::/96", addr), within("::/96", addr) && addr != netip.IPv6Loopback() && !addr.IsUnspecified():
		return netip.AddrFrom4([4]byte(b[12:]))
	case within("64:ff9b:1::/48", addr):
		// A network of one's own cuts its prefix from this block, most often of 96 bits;
		// of 48 the address stands around the byte that is kept free.
		last := netip.AddrFrom4([4]byte(b[12:]))
		if whole := netip.AddrFrom4([4]byte{b[6], b[7], b[9], b[10]}); !whole.IsUnspecified() && unreachable(whole) {
			return whole
		}
		return last
	case within("2002::/16", addr):
		return netip.AddrFrom4([4]byte(b[2:6]))
	case within("2001::/32", addr):
		// Both ends of the tunnel are in it, the client's with its bits turned round.
		if server := netip.AddrFrom4([4]byte(b[4:8])); unreachable(server) {
			return server
		}
		return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]})
	}
	return addr
}

func within(prefix string, addr netip.Addr) bool { return netip.MustParsePrefix(prefix).Contains(addr) }

// unreachable reports that an IPv4 address is one that CheckDialled refuses.
func unreachable(addr netip.Addr) bool {
	return addr.IsUnspecified() || addr.IsMulticast() || addr.IsLinkLocalUnicast() || isMetadataService(addr)
}
