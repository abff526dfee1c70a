package faultfile_test

import (
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"chalie/adapters/faultfile"
	"chalie/domain"
)

// read is what the child is reading when it ends.
var read = domain.TraceID{ID: domain.ID{1, 2, 3}}

const way = "CHALIE_TEST_ENDS"

// TestMain is the child, too: it ends in the way that it is told to.
func TestMain(m *testing.M) {
	how := os.Getenv(way)
	if how == "" {
		os.Exit(m.Run())
	}
	f, err := faultfile.Open(os.Args[1], slog.New(slog.DiscardHandler))
	if err != nil {
		panic(err)
	}
	f.Trying(domain.TraceID{ID: domain.ID{9}})()
	done := f.Trying(read)
	switch how {
	case "beside":
		ended := make(chan struct{})
		go func() { defer close(ended); panic("no such word") }()
		<-ended
		select {}
	case "overflow":
		debug.SetMaxStack(1 << 20)
		panic(deeper(0))
	case "kill":
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {}
	case "after":
		done()
		panic("something else")
	case "in order":
		if err := f.Close(); err != nil {
			panic(err)
		}
		os.Exit(0)
	}
}

//go:noinline
func deeper(n int) int {
	if n < 0 {
		return 0
	}
	return deeper(n+1) + 1
}

func TestHowTheProcessBeforeEnded(t *testing.T) {
	for how, c := range map[string]struct {
		trace domain.TraceID
		says  string // of the fault; "" for none
	}{
		"beside":   {read, "a fault in chalie/adapters/faultfile_test.TestMain.func1"},
		"overflow": {read, "a fault in chalie/adapters/faultfile_test.deeper"},
		"kill":     {},
		"after":    {domain.TraceID{}, "a fault in chalie/adapters/faultfile_test.TestMain"},
		"in order": {},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := exec.Command(os.Args[0], dir)
			cmd.Env = append(os.Environ(), way+"="+how)
			_ = cmd.Run()
			for range 2 { // the second start knows nothing of it
				var log strings.Builder
				f, err := faultfile.Open(dir, slog.New(slog.NewTextHandler(&log, nil)))
				if err != nil {
					t.Fatal(err)
				}
				trace, says, died := f.Died()
				if died != !c.trace.IsZero() || trace != c.trace || says != c.says {
					t.Errorf("it died %t reading %s of %q", died, trace, says)
				}
				if kept, err := os.ReadFile(filepath.Join(dir, "FAULT.last")); c.says != "" && !strings.Contains(string(kept), strings.TrimPrefix(c.says, "a fault in ")) {
					t.Errorf("what it left has %d bytes, %v", len(kept), err)
				}
				if c.says != "" && !strings.Contains(log.String(), "by a fault of its own") {
					t.Errorf("the log says %q", log.String())
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
				c.trace, c.says = domain.TraceID{}, ""
			}
		})
	}
}
