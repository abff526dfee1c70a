package interfaces_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"chalie/adapters/interfaces"
	"chalie/commands"
	"chalie/domain"
)

func prefixes(texts ...string) []netip.Prefix {
	var out []netip.Prefix
	for _, t := range texts {
		out = append(out, netip.MustParsePrefix(t))
	}
	return out
}

// names is a resolver that knows only these, whatever a name server would say.
func names(t *testing.T, known map[string][]string) *net.Resolver {
	t.Helper()
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			for {
				var length [2]byte
				if _, err := io.ReadFull(server, length[:]); err != nil {
					return
				}
				query := make([]byte, binary.BigEndian.Uint16(length[:]))
				if _, err := io.ReadFull(server, query); err != nil {
					return
				}
				answer := dnsAnswer(query, known)
				if _, err := server.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
					return
				}
			}
		}()
		return client, nil
	}}
}

// dnsAnswer answers one question, as RFC 1035 has it.
func dnsAnswer(query []byte, known map[string][]string) []byte {
	const header, typeA, typeAAAA = 12, 1, 28
	var labels []string
	at := header
	for query[at] != 0 {
		labels = append(labels, string(query[at+1:at+1+int(query[at])]))
		at += 1 + int(query[at])
	}
	question := query[header : at+5]
	asked := binary.BigEndian.Uint16(query[at+1:])
	addresses, found := known[strings.ToLower(strings.Join(labels, "."))]
	var records []byte
	count := uint16(0)
	for _, a := range addresses {
		addr := netip.MustParseAddr(a)
		if addr.Is4() != (asked == typeA) || addr.Is6() != (asked == typeAAAA) {
			continue
		}
		count++
		records = append(records, 0xc0, header, 0, byte(asked), 0, 1, 0, 0, 0, 60, 0, byte(addr.BitLen()/8))
		records = append(records, addr.AsSlice()...)
	}
	flags := uint16(0x8580) // an answer, with authority
	if !found {
		flags |= 3 // no such name
	}
	out := append([]byte{}, query[:2]...)
	for _, n := range []uint16{flags, 1, count, 0, 0} {
		out = binary.BigEndian.AppendUint16(out, n)
	}
	return append(append(out, question...), records...)
}

func TestForbiddenPlaces(t *testing.T) {
	for _, host := range []string{
		"169.254.169.254", "169.254.0.1", "fe80::1", "[fe80::1]", "fe80::1%lo", "::ffff:169.254.169.254", "fd00:ec2::254", "[fd00:ec2::254]",
		"fd00:ec2::23", "fd20:ce::254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "0.0.0.0", "::", "224.0.0.1", "239.255.255.250", "ff02::1", "255.255.255.255", "64:ff9b::a9fe:a9fe",
		"2002:a9fe:a9fe::1", "::169.254.169.254", "64:ff9b:1::a9fe:a9fe", "64:ff9b:1:a9fe:a9:fe00::", "2001:0:a9fe:a9fe::", "2001:0:808:808::5601:5601",
	} {
		at := commands.Endpoint{Host: host, Port: 80}
		for name, call := range calls {
			err := call(t.Context(), newClient(t, interfaces.Config{}), at)
			if domain.CodeOf(err) != commands.CodePeerForbidden || domain.IsRetriable(err) || domain.CategoryOf(err) != domain.Policy {
				t.Errorf("%s at %s: %v", name, host, err)
			}
		}
	}
}

func TestForbiddenByName(t *testing.T) {
	healthy := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":"ok"}`) })
	c := newClient(t, interfaces.Config{Resolver: names(t, map[string][]string{
		"metadata.test": {"169.254.169.254"},
		"six.test":      {"fd00:ec2::254"},
		"local.test":    {"127.0.0.1"},
		"both.test":     {"169.254.169.254", "127.0.0.1"},
	})})
	for host, want := range map[string]domain.Code{
		"metadata.test": commands.CodePeerForbidden,
		"six.test":      commands.CodePeerForbidden,
		"unknown.test":  commands.CodePeerUnreachable,
		"local.test":    "",
		"both.test":     "", // only addresses are forbidden, and it has another
	} {
		_, err := c.Health(t.Context(), commands.Endpoint{Host: host, Port: healthy.Port})
		if domain.CodeOf(err) != want {
			t.Errorf("%s: %v", host, err)
		}
		if want != "" && !strings.Contains(err.Error(), host) {
			t.Errorf("%v doesn't say which interface", err)
		}
	}
}

func TestDeny(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":"ok"}`) })
	for _, test := range []struct {
		name string
		cfg  interfaces.Config
		want domain.Code
	}{
		{"denied", interfaces.Config{Deny: prefixes("127.0.0.0/8")}, commands.CodePeerForbidden},
		{"denied and allowed", interfaces.Config{Deny: prefixes("127.0.0.0/8"), Allow: prefixes("127.0.0.0/8")}, commands.CodePeerForbidden},
		{"another denied", interfaces.Config{Deny: prefixes("10.0.0.0/8", "::1/128")}, ""},
		{"allowed", interfaces.Config{Allow: prefixes("127.0.0.0/8")}, ""},
	} {
		_, err := newClient(t, test.cfg).Health(t.Context(), at)
		if domain.CodeOf(err) != test.want {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestNoPlace(t *testing.T) {
	c := newClient(t, interfaces.Config{})
	for _, at := range []commands.Endpoint{
		{Host: "", Port: 80}, {Host: "a/b", Port: 80}, {Host: "user@host", Port: 80}, {Host: "host:81", Port: 80}, {Host: "127.0.0.1\r\nX: y", Port: 80},
		{Host: "[127.0.0.1]", Port: 80}, {Host: "[::1", Port: 80}, {Host: "127.0.0.1", Port: 0}, {Host: "127.0.0.1", Port: 65536}, {Host: "127.0.0.1", Port: -1},
		{Host: strings.Repeat("x", 300), Port: 80},
	} {
		_, err := c.Health(t.Context(), at)
		if domain.CodeOf(err) != commands.CodePeerUnreachable || domain.IsRetriable(err) || !strings.Contains(err.Error(), "no host name or IP address") {
			t.Errorf("%+v: %v", at, err)
		}
	}
}
