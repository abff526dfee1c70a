package builtinmodel_test

import (
	"strings"
	"testing"

	"chalie/domain"
)

// An interface goes by the name that Chalie knows it under, whatever it says of
// itself: its id tells a person nothing.
func TestInterfacesGoByTheirName(t *testing.T) {
	for _, c := range []struct {
		source, via, want string
	}{
		{"St. Anne's", "interface/st-annes", "St. Anne's says:"},
		{"St. Anne's", "interface/lab", "lab passes on from St. Anne's:"},
		{"lab", "interface/lab", "lab says:"},
		{"", "interface/lab", "lab says:"},
		{"ward", "interface", "019aa7e1 passes on from ward:"},
	} {
		p := asks("hello")
		p.Asked.From, p.Asked.Source, p.Asked.Via = "019aa7e1", c.source, domain.Source(c.via)
		if got, _, _ := strings.Cut(domain.PlainText(reply(t, p).Blocks), "\n"); got != c.want {
			t.Errorf("%q via %s: %q, want %q", c.source, c.via, got, c.want)
		}
	}
}
