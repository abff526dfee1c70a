package wsapi

import (
	"strings"
	"sync/atomic"
	"testing"

	"chalie/domain"
	"chalie/domain/guest"
)

// knowing are hosts that learn a name while a test runs.
type knowing struct{ name atomic.Value }

func (k *knowing) Rule() guest.Host {
	return guest.Host{Is: func(host string) bool { return host == k.name.Load() }}
}

// What frames lead to is judged by what is known when they are sent, also of those that
// were written before.
func TestFramesLeadAway(t *testing.T) {
	hosts := &knowing{}
	h := newHouse(t, func(c *Config) { c.Speaks.(*Chat).Hosts = hosts })
	srv := h.serve(t)
	first := h.status(t)
	h.exchange(t, "[a](http://127.0.0.1:9/x) http://chalie.example:9/y https://example.com/z")
	h.followed(t)
	says := func() string {
		p := connect(t, srv)
		p.say(`{"type":"resume","last_seq":%d}`, first)
		for {
			if got := p.next(); got.Type == string(domain.FrameMessage) {
				return string(got.payload)
			}
		}
	}
	const here = "not a link: it leads to this machine"
	if got := says(); strings.Count(got, here) != 1 {
		t.Errorf("sent %s", got)
	}
	hosts.name.Store("chalie.example")
	h.hub.Refresh()
	if got := says(); strings.Count(got, here) != 2 {
		t.Errorf("when the name was known sent %s", got)
	}
}
