package guest

import (
	"net/netip"
	"path"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// Host is the machine that pages come from, as far as it is known. The zero Host knows
// its loopback addresses and names alone.
type Host struct {
	// Is reports whether a host is this machine: a name in small letters without its
	// last dot, or an address as netip writes it. nil knows none.
	Is func(host string) bool
	// Serves reports whether Chalie itself answers under a host, or a host and port,
	// as a browser writes them into a Host header. nil knows none.
	Serves func(authority string) bool
}

// Refusal is why an address isn't followed, in words that complete "not a link:".
type Refusal string

// The refusals.
const (
	Followed Refusal = ""
	Here     Refusal = "it leads to this machine"
	Unclear  Refusal = "it is no plain web address"
)

// maxAddress bounds an address, in bytes.
const maxAddress = 8 << 10

// Follow judges an address. What may be followed comes back as it is to be written:
// an address of http or https elsewhere, or a path of Chalie's own.
func (h Host) Follow(address string) (to string, why Refusal) {
	text := strings.Trim(address, " ")
	switch {
	case text == "" || len(text) > maxAddress || strings.ContainsFunc(text, misleading):
		return "", Unclear
	case text[0] == '/':
		return text, ownPath(text)
	}
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "", Unclear
	}
	authority, after := rest, ""
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority, after = rest[:end], rest[end:]
	}
	host, port, ok := splitPort(authority)
	if !ok {
		return "", Unclear
	}
	name, why := h.judge(host)
	if why == Here && h.Serves != nil && h.Serves(withPort(name, port)) {
		if after == "" || after[0] != '/' {
			after = "/" + after
		}
		return after, ownPath(after)
	}
	if why != Followed {
		return "", why
	}
	return strings.ToLower(scheme) + "://" + withPort(name, port) + after, Followed
}

// misleading reports whether a browser or a person could take a character for another or
// for none.
func misleading(r rune) bool {
	switch r {
	case '\\', '<', '>', '"', '`', '^', '{', '}', '|', unicode.ReplacementChar:
		return true
	}
	return r <= ' ' || unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// ownPath judges a path of this site. The browser resolves dots, and two slashes,
// which may be left then, begin another host.
func ownPath(text string) Refusal {
	way, _, _ := strings.Cut(text, "#")
	way, _, _ = strings.Cut(way, "?")
	plain := strings.ReplaceAll(strings.ReplaceAll(way, "%2e", "."), "%2E", ".")
	if clean := path.Clean(plain); plain != clean && plain != clean+"/" || strings.HasPrefix(way, "//") {
		return Unclear
	}
	return Followed
}

// splitPort tells a host from its port; false where it isn't plain which is which.
func splitPort(authority string) (host, port string, ok bool) {
	if strings.ContainsAny(authority, "@%") {
		return "", "", false // a name before the host, or one that is written in code
	}
	if strings.HasPrefix(authority, "[") {
		end := strings.IndexByte(authority, ']')
		if end < 0 {
			return "", "", false
		}
		host, port = authority[:end+1], authority[end+1:]
	} else if at := strings.IndexByte(authority, ':'); at >= 0 {
		host, port = authority[:at], authority[at:]
	} else {
		host = authority
	}
	if port == "" {
		return host, "", host != ""
	}
	port = port[1:]
	digits := strings.Trim(port, "0123456789") == ""
	return host, port, digits && port != "" && len(port) <= 5 && port[0] != '0' && host != "" && authority[len(host)] == ':'
}

// withPort is a host, with its port if it has one.
func withPort(host, port string) string {
	if port == "" {
		return host
	}
	return host + ":" + port
}

// naming is how browsers read a name that isn't in ASCII.
var naming = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// judge says what a host is, and how it is written plainly: an IPv6 address in its
// brackets.
func (h Host) judge(host string) (plain string, why Refusal) {
	if inside, ok := strings.CutPrefix(host, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inside, "]"))
		if err != nil || !addr.Is6() || addr.Zone() != "" {
			return "", Unclear
		}
		return "[" + addr.String() + "]", h.judgeAddress(addr)
	}
	name, err := host, error(nil)
	if strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		name, err = naming.ToASCII(host)
	}
	if name = strings.ToLower(name); err != nil || !plainName(name) {
		return "", Unclear
	}
	bare := strings.TrimSuffix(name, ".")
	if endsInNumber(bare) {
		addr, err := netip.ParseAddr(bare)
		if err != nil || bare != name {
			return "", Unclear // 2130706433, 0x7f.1, 0177.0.0.1: each of them is 127.0.0.1
		}
		return bare, h.judgeAddress(addr)
	}
	if loopbackName(bare) || h.is(bare) {
		return bare, Here
	}
	return name, Followed
}

// plainName reports whether a name is made of what names are made of.
func plainName(name string) bool {
	bare := strings.TrimSuffix(name, ".")
	if bare == "" || len(bare) > 253 {
		return false
	}
	for label := range strings.SplitSeq(bare, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

// endsInNumber reports whether browsers take a name for an IPv4 address.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}

// loopbackName reports whether a name is this machine's on every machine.
func loopbackName(name string) bool {
	switch name {
	case "localhost", "localhost.localdomain", "localhost4", "localhost6", "ip6-localhost", "ip6-loopback":
		return true
	}
	return strings.HasSuffix(name, ".localhost") || strings.HasSuffix(name, ".localhost.localdomain")
}

func (h Host) is(host string) bool { return h.Is != nil && h.Is(host) }

func (h Host) judgeAddress(addr netip.Addr) Refusal {
	for _, a := range Reached(addr) {
		zero := a.Is4() && a.As4()[0] == 0 // 0.0.0.0 and all beside it
		if a.IsLoopback() || a.IsUnspecified() || zero || h.is(a.String()) {
			return Here
		}
	}
	return Followed
}
