package commands

import (
	"fmt"
	"net/netip"

	"chalie/domain"
	"chalie/domain/guest"
)

// CheckDialled judges an address that something outside named, once it is
// resolved and before anything connects to it. What only this machine's
// surroundings should reach, and what is no machine's address, is a policy error
// with CodePeerForbidden.
func CheckDialled(addr netip.Addr) error {
	for _, a := range guest.Reached(addr) {
		if why := forbids(a); why != "" {
			return &domain.Error{Op: "connect", Category: domain.Policy, Code: CodePeerForbidden,
				Message: fmt.Sprintf("%s %s; Chalie doesn't connect there: give another address", a, why)}
		}
	}
	return nil
}

// forbids is why nothing connects to an address, "" when it may.
func forbids(addr netip.Addr) string {
	switch {
	case !addr.IsValid() || addr.IsUnspecified() || addr.IsMulticast() || addr.String() == "255.255.255.255":
		return "is not the address of a machine"
	case addr.IsLinkLocalUnicast():
		return "is link-local: what is there belongs to this machine's surroundings"
	case isMetadataService(addr):
		return "is that of a cloud's metadata service"
	}
	return ""
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
