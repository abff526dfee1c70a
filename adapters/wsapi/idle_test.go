package wsapi

import (
	"runtime"
	"testing"

	"chalie/domain/domaintest"
)

// TestAnIdleClientIsSmall bounds what a client costs that says nothing, both ends
// of its connection included.
func TestAnIdleClientIsSmall(t *testing.T) {
	const clients, bound = 400, 12 << 10
	h := newHouse(t)
	srv := h.serve(t)
	warm := connect(t, srv)
	warm.say(hello)
	warm.text("status")
	before := inUse()
	for range clients {
		p := connect(t, srv)
		p.say(`{"type":"pong"}`)
		p.in = nil
	}
	domaintest.Until(t, "all are silent", func() bool { return h.hub.Clients() == clients+1 && runtime.NumGoroutine() < clients+50 })
	if each := (inUse() - before) / clients; each > bound {
		t.Errorf("a client costs %d bytes, the bound is %d", each, bound)
	} else {
		t.Logf("a client costs %d bytes", each)
	}
}

// inUse is what the heap and the goroutines' stacks take.
func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
