//go:build linux

package cgroup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A group holds what it was given, and is gone afterwards. Where none can be made, New says
// so and leaves nothing.
func TestGroup(t *testing.T) {
	g, err := New("chalie-test-group", 1<<30, 8)
	if err != nil {
		if own, no := ownGroup(); no == nil {
			if _, err := os.Stat(filepath.Join(own, "chalie-test-group")); !os.IsNotExist(err) {
				t.Errorf("a group is left: %v", err)
			}
		}
		t.Skipf("no control group of version 2 with memory and pids can be made here: %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(g.dir, "memory.max")); err != nil || strings.TrimSpace(string(text)) != "1073741824" {
		t.Errorf("its memory is %s, %v", text, err)
	}
	if err := g.Kill(); err != nil {
		t.Error(err)
	}
	if err := g.Remove(); err != nil {
		t.Error(err)
	}
}
