package commands_test

import (
	"fmt"
	"net/netip"
	"testing"

	"chalie/commands"
	"chalie/domain/domaintest"
	"chalie/domain/guest"
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

func TestHosts(t *testing.T) {
	own := []string{"Study", "192.168.7.4", "fe80::1", "2001:db8::4"}
	clock := domaintest.NewClock()
	var ways []string
	hosts := commands.NewHosts(func() []string { return own }, func() []string { return ways }, clock)
	told := 0
	hosts.Tell(func() { told++ })
	follows := func(address string) bool { _, why := hosts.Rule().Follow(address); return why == guest.Followed }
	for _, address := range []string{"http://study:9/", "http://192.168.7.4/", "http://[2001:db8::4]:9/", "http://[fe80::1]/", "http://127.0.0.1/"} {
		if follows(address) {
			t.Errorf("%s may be followed", address)
		}
	}
	// A name that nobody here knows is this machine's once somebody came by it.
	if !follows("https://chalie.example:9/") {
		t.Error("a name that nobody came by is held for this machine")
	}
	for range 2 {
		hosts.Came("Chalie.example.")
		hosts.Came("[2001:db8::7]:8081")
	}
	if follows("https://chalie.example:9/") || follows("http://[2001:db8::7]:9/") || told != 2 {
		t.Errorf("a name that somebody came by may be followed, and %d were told", told)
	}
	if to, why := hosts.Rule().Follow("http://[2001:db8::7]:8081/now"); to != "/now" || why != guest.Followed {
		t.Errorf("Chalie's own address leads to %q, %q", to, why)
	}
	// And for as long as a session is open that was logged in by it.
	if !follows("http://box.lan:9/") {
		t.Error("a name that nobody logged in by is held for this machine")
	}
	ways = []string{"box.lan:8081"}
	if follows("http://box.lan:9/") || follows("http://BOX.lan./") {
		t.Error("a name that a session was logged in by may be followed")
	}
	if to, why := hosts.Rule().Follow("http://box.lan:8081/now"); to != "/now" || why != guest.Followed {
		t.Errorf("where a session was logged in leads to %q, %q", to, why)
	}
	if ways = nil; !follows("http://box.lan:9/") {
		t.Error("a name is held for this machine whose session has ended")
	}
	own = append(own, "10.0.0.9")
	if clock.Advance(0); !follows("http://10.0.0.9/") {
		t.Error("the machine is asked at every address")
	}
	if clock.Advance(11_000_000_000); follows("http://10.0.0.9/") {
		t.Error("an address that the machine got since may be followed")
	}
	for n := range 100 {
		hosts.Came(fmt.Sprintf("name%d.example", n))
	}
	if follows("http://name99.example:9/") || !follows("http://name0.example:9/") {
		t.Error("the names that are known have no bound")
	}
	var none *commands.Hosts
	none.Came("x.example")
	if _, why := none.Rule().Follow("http://localhost/"); why != guest.Here {
		t.Errorf("without hosts localhost is %q", why)
	}
}
