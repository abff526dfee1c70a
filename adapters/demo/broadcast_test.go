package demo

import (
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// One that takes nothing holds the others up once, and no longer than it may.
func TestSlowListenerIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow, ours := net.Pipe()
		p := &Program{listeners: map[net.Conn]bool{ours: true}}
		for i, want := range []time.Duration{WriteWithin, 0} {
			began := time.Now()
			p.Broadcast(Signal{Type: "news", Content: "hello"})
			if took := time.Since(began); took != want {
				t.Errorf("saying it the %d. time took %s", i+1, took)
			}
		}
		if _, err := slow.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("it was kept: %v", err)
		}
	})
}
