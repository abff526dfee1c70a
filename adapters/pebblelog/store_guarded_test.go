package pebblelog

import (
	"strings"
	"testing"
)

// What panics may hold Pebble's locks, so the store counts as failed: it is shut off
// and left behind, where closing it in order would never return.
func TestAPanicFailsTheStore(t *testing.T) {
	s := &store{failed: make(chan struct{})}
	err := s.guarded(nil, func() error { panic("the write-ahead file") })
	if err == nil || !strings.Contains(err.Error(), "the write-ahead file") {
		t.Errorf("it ends with %v", err)
	}
	select {
	case <-s.failed:
	default:
		t.Error("the store counts as sound")
	}
}
