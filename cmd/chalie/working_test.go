package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A service that doesn't end doesn't keep the program from it.
func TestServicesAreLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, over := &working{running: map[string]bool{}}, make(chan struct{})
		defer close(over)
		w.begin("idle", func() {})
		w.begin("timer", func() { <-over })
		var log bytes.Buffer
		began := time.Now()
		w.end(slog.New(slog.NewTextHandler(&log, nil)))
		if took := time.Since(began); took != leaveAfter || !strings.Contains(log.String(), "[timer]") {
			t.Errorf("after %s the log says %q", took, log.String())
		}
	})
}
