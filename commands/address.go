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

// untranslated is the IPv4 address that a network reaches by an IPv6 one.
func untranslated(addr netip.Addr) netip.Addr {
	nat64 := [12]byte{0x00, 0x64, 0xff, 0x9b}
	if b := addr.As16(); addr.Is6() && [12]byte(b[:12]) == nat64 {
		return netip.AddrFrom4([4]byte(b[12:]))
	}
	return addr
}
