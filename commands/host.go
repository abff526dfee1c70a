package commands

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

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

// Hosts knows by which names and addresses a browser reaches this machine: those
// that the machine itself knows of, and those by which a person has come with their
// session, through a name server or a proxy that Chalie doesn't know. These are
// known for as long as the process runs, and from one to the next for as long as a
// session is open that was logged in there: its cookie is sent to that host alone.
//
// A nil Hosts knows loopback alone. It is safe for concurrent use.
type Hosts struct {
	own   func() []string
	ways  func() []string
	clock domain.Clock

	mu      sync.RWMutex
	came    []string // hosts with their ports as they came, oldest first
	names   map[string]bool
	machine map[string]bool // what own said
	asked   time.Time
	tell    func()
}

// maxCame bounds the ways by which a person comes; the oldest is forgotten first.
const maxCame = 64

// ownFor is the time for which the machine's own names and addresses are remembered.
const ownFor = 10 * time.Second

// NewHosts takes what the machine knows: own returns its names and the addresses of
// its interfaces, and ways by which hosts open sessions were logged in, as they are then.
func NewHosts(own, ways func() []string, clock domain.Clock) *Hosts {
	return &Hosts{own: own, ways: ways, clock: clock, names: map[string]bool{}}
}

// Tell has fn called whenever a person came by a way that wasn't known.
func (h *Hosts) Tell(fn func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tell = fn
}

// Came notes the Host header of a request that brought a person's session.
func (h *Hosts) Came(authority string) {
	if h == nil || authority == "" || len(authority) > domain.MaxNameBytes*4 {
		return
	}
	authority = strings.ToLower(authority)
	h.mu.RLock()
	known := slices.Contains(h.came, authority)
	h.mu.RUnlock()
	if known {
		return
	}
	h.mu.Lock()
	if slices.Contains(h.came, authority) {
		h.mu.Unlock()
		return
	}
	if len(h.came) == maxCame {
		h.came = slices.Delete(h.came, 0, 1)
	}
	h.came = append(h.came, authority)
	h.names = map[string]bool{}
	for _, way := range h.came {
		h.names[hostIn(way)] = true
	}
	tell := h.tell
	h.mu.Unlock()
	if tell != nil {
		tell()
	}
}

// Rule judges addresses by the names known now.
func (h *Hosts) Rule() guest.Host {
	if h == nil {
		return guest.Host{}
	}
	ways := h.ways()
	return guest.Host{
		Is: func(host string) bool {
			return h.is(host) || slices.ContainsFunc(ways, func(way string) bool { return hostIn(way) == host })
		},
		Serves: func(authority string) bool { return h.serves(authority) || slices.Contains(ways, authority) },
	}
}

func (h *Hosts) is(host string) bool {
	h.look()
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.names[host] || h.machine[host]
}

func (h *Hosts) serves(authority string) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return slices.Contains(h.came, authority)
}

// look asks the machine again when what it said is old.
func (h *Hosts) look() {
	now := h.clock.Now()
	h.mu.RLock()
	fresh := h.machine != nil && now.Sub(h.asked).Abs() < ownFor
	h.mu.RUnlock()
	if fresh {
		return
	}
	machine := map[string]bool{}
	for _, name := range h.own() {
		machine[hostIn(strings.ToLower(name))] = true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.machine, h.asked = machine, now
}

// hostIn is the host of a Host header, without its port, its brackets and its last dot.
func hostIn(authority string) string {
	host := authority
	if inside, ok := strings.CutPrefix(authority, "["); ok {
		host, _, _ = strings.Cut(inside, "]")
	} else if strings.Count(authority, ":") == 1 {
		host, _, _ = strings.Cut(authority, ":")
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.WithZone("").Unmap().String()
	}
	return strings.TrimSuffix(host, ".")
}
