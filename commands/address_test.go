package commands_test

import (
	"net/netip"
	"testing"

	"chalie/commands"
)

// An address that only carries another one is judged by it, and no other is refused.
func TestCarriedAddresses(t *testing.T) {
	for address, refused := range map[string]bool{
		"2002:a9fe:a9fe::1": true, "2002:808:808::1": false, "2002:6464:64c8::": true,
		"::169.254.169.254": true, "::8.8.8.8": false, "::1": false, "::": true,
		"64:ff9b::a9fe:a9fe": true, "64:ff9b::808:808": false,
		"64:ff9b:1::a9fe:a9fe": true, "64:ff9b:1:a9fe:a9:fe00::": true, "64:ff9b:1::808:808": false,
		"2001:0:a9fe:a9fe::": true, "2001:0:808:808::5601:5601": true, "2001:0:808:808::f7f7:f7f7": false,
		"2001:db8::a9fe:a9fe": false, "::ffff:169.254.169.254": true, "127.0.0.1": false, "192.168.1.4": false,
	} {
		if err := commands.CheckDialled(netip.MustParseAddr(address)); (err != nil) != refused {
			t.Errorf("%s: %v", address, err)
		}
	}
}
