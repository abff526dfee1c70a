package main

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// On a disk without a byte left Chalie starts, also again, and what was recorded is read.
func TestStartOnAFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=400m"); err != nil {
		t.Skipf("not run: it needs to mount a disk: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	data := filepath.Join(disk, "data")
	v := begun(t, data, alone(data))
	v.ready()
	v.chalie("say", "remind me: dinner reservation at Luigi's in 2 hours")
	v.stop()
	leaveNoRoom(t, disk)
	for range 2 {
		v = begun(t, data, alone(data))
		if says := v.chalie("plans"); !strings.Contains(says, "dinner reservation") {
			t.Errorf("the plans are %q", says)
		}
		if says := v.wants(http.StatusServiceUnavailable, http.MethodGet, "/ready", ""); !strings.Contains(says, "free some space") {
			t.Errorf("it says %s", says)
		}
		v.wants(http.StatusServiceUnavailable, http.MethodPost, "socket:/api/messages", `{"text":"hello"}`)
		v.stop()
	}
	if err := os.Remove(filepath.Join(disk, "fill")); err != nil {
		t.Fatal(err)
	}
	v = begun(t, data, alone(data))
	v.ready()
	v.stop()
	if info, err := os.Stat(filepath.Join(data, reserveFile)); err != nil || info.Size() != reserveBytes {
		t.Errorf("the reserve isn't there again: %v", err)
	}
}

// leaveNoRoom writes until a disk is full.
func leaveNoRoom(t *testing.T, disk string) {
	t.Helper()
	file, err := os.Create(filepath.Join(disk, "fill"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for size := 1 << 20; size > 0; {
		if _, err := file.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
