package commands_test

import (
	"net/netip"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

func TestCheckDialled(t *testing.T) {
	for addr, allowed := range map[string]bool{
		"127.0.0.1": true, "::1": true, "192.168.1.20": true, "10.0.0.1": true, "fd12:3456::1": true, "8.8.8.8": true, "2001:db8::1": true,
		"64:ff9b::8.8.8.8": true, "169.253.255.255": true, "169.255.0.1": true,
		"169.254.169.254": false, "169.254.0.1": false, "fe80::1": false, "fe80::1%eth0": false, "::ffff:169.254.169.254": false,
		"64:ff9b::169.254.169.254": false, "fd00:ec2::254": false, "100.100.100.200": false, "168.63.129.16": false,
		"0.0.0.0": false, "::": false, "224.0.0.1": false, "ff02::1": false, "255.255.255.255": false,
	} {
		err := commands.CheckDialled(netip.MustParseAddr(addr))
		if allowed != (err == nil) || err != nil && (domain.CodeOf(err) != commands.CodePeerForbidden || domain.CategoryOf(err) != domain.Policy) {
			t.Errorf("%s: %v", addr, err)
		}
	}
	if commands.CheckDialled(netip.Addr{}) == nil {
		t.Error("no address at all was allowed")
	}
}
