package wsapi

import (
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// TestAStalledClientDelaysNobody lets one client read nothing while another is
// sent far more than the kernel keeps.
func TestAStalledClientDelaysNobody(t *testing.T) {
	h := newHouse(t)
	srv := h.serve(t)
	stalled, good := connect(t, srv), connect(t, srv)
	for _, p := range []*peer{stalled, good} {
		p.say(`{"type":"pong"}`)
	}
	answer := strings.Repeat("so much to say ", 4<<10)
	var last domain.Seq
	for range 260 {
		h.exchange(t, answer)
		for _, kind := range []string{"status", "status", "status", "status", "status", "message", "done"} {
			if got := good.text(kind); got.Seq <= last {
				t.Fatalf("got %s after seq %d", got, last)
			} else {
				last = got.Seq
			}
		}
	}
	domaintest.Until(t, "the stalled client is sent away", func() bool { return h.hub.Clients() == 1 })
	if err := stalled.over(); err == nil {
		t.Error("the stalled client is still served")
	}
}

// TestASlowClientHearsWhy takes its time, but takes everything: it is told to
// come back, and gets what it missed.
func TestASlowClientHearsWhy(t *testing.T) {
	h := newHouse(t)
	srv := h.serve(t)
	slow := connect(t, srv)
	slow.say(`{"type":"pong"}`)
	answer := strings.Repeat("so much to say ", 4<<10)
	for i := 0; !h.sendingAway(); i++ {
		if i == 1000 {
			t.Fatal("a client that reads nothing is still kept")
		}
		h.exchange(t, answer)
		h.followed(t) // or the hub would be the slow one, and say so with a gap
	}
	var last domain.Seq
	for {
		got := slow.next() // it takes everything, late
		if got.op == 8 {
			if text := got.String(); !strings.Contains(text, "1013") || !strings.Contains(text, "resume") {
				t.Errorf("closed with %s", text)
			}
			break
		}
		if got.Type == "gap" || got.Seq <= last {
			t.Fatalf("got %s after %d", got, last)
		}
		last = got.Seq
	}
	again := connect(t, srv)
	again.say(`{"type":"resume","last_seq":%d}`, last)
	gap := again.text("gap")
	if gap.From != last+1 {
		t.Errorf("got %s, want it to begin after %d", gap, last)
	}
	for range 200 {
		if got := again.next(); got.Seq <= gap.To || got.Type == "gap" {
			t.Fatalf("got %s after the gap", got)
		}
	}
}

// sendingAway reports whether a client is being closed.
func (h *house) sendingAway() bool {
	for i := range h.hub.slots {
		for _, c := range h.hub.slots[i].appendTo(nil) {
			if c.isClosing() {
				return true
			}
		}
	}
	return false
}
