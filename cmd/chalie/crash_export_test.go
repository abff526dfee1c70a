package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chalie/adapters/exportfile"
	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// crashRecords is how many records are moved, enough for several writes of each.
const crashRecords = 20_000

// TestCrashExport kills `chalie import` and `chalie export --out` at random
// moments, again and again. Afterwards a log is empty or holds everything, and a
// file is as it was before or whole; and what was broken off can be done again.
func TestCrashExport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.jsonl")
	file := manySignals(t, crashRecords)
	if err := os.WriteFile(whole, file, 0o600); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	began := time.Now()
	mustRun(t, "import", whole, "--data", data)
	importing := time.Since(began)
	out := filepath.Join(dir, "out.jsonl")
	began = time.Now()
	mustRun(t, "export", "--out", out, "--data", data)
	exporting := time.Since(began)
	sameFile(t, out, file)

	seed := domaintest.Seed(t)
	t.Logf("an import takes %s, an export %s", importing, exporting)
	imports, exports := 0, 0
	for round := range crashRounds(t) {
		rng := rand.New(rand.NewPCG(seed, uint64(round)))
		fresh := filepath.Join(dir, fmt.Sprintf("data-%d", round))
		runUntil(t, time.Duration(rng.Int64N(int64(importing)*5/4)), "import", whole, "--data", fresh)
		if crashedImport(t, fresh) {
			imports++
		} else {
			mustRun(t, "import", whole, "--data", fresh)
			if !crashedImport(t, fresh) {
				t.Fatal("an import that ended well left the log empty")
			}
		}
		if err := os.WriteFile(out, []byte("before\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		runUntil(t, time.Duration(rng.Int64N(int64(exporting)*5/4)), "export", "--out", out, "--data", data)
		if got, err := os.ReadFile(out); err != nil {
			t.Fatal(err)
		} else if string(got) != "before\n" {
			exports++
			sameFile(t, out, file)
		}
		if err := os.RemoveAll(fresh); err != nil {
			t.Fatal(err)
		}
	}
	mustRun(t, "export", "--out", out, "--data", data)
	sameFile(t, out, file)
	t.Logf("%d imports and %d exports were whole", imports, exports)
}

// manySignals is the file of a log with so many records.
func manySignals(t *testing.T, n int) []byte {
	t.Helper()
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	var out bytes.Buffer
	w, err := exportfile.NewWriter(&out, exportfile.JSONL, exportfile.Header{
		What: exportfile.Whole, First: 1, Last: domain.Position(n), Records: uint64(n), Catalogue: domain.Events().Hash(),
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		id := ids.NewID()
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(clock.Now()), "chalie",
			domain.SystemStopped{Reason: fmt.Sprintf("number %d: %s", i, strings.Repeat("x", 300))})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(domain.Record{Position: domain.Position(i + 1), Topic: entry.Topic, RecordedAt: domain.MillisOf(clock.Now()), Envelope: entry.Envelope}); err != nil {
			t.Fatal(err)
		}
		clock.Advance(time.Millisecond)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func mustRun(t *testing.T, args ...string) {
	t.Helper()
	if out, err := chalieProcess(t, args...).CombinedOutput(); err != nil {
		t.Fatalf("chalie %v: %v\n%s", args, err, out)
	}
}

// runUntil kills the command after a time, unless it has ended by then.
func runUntil(t *testing.T, after time.Duration, args ...string) {
	t.Helper()
	cmd := chalieProcess(t, args...)
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	killed := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	defer killed.Stop()
	if err := cmd.Wait(); err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.Exited() {
			t.Fatalf("chalie %v: %v\n%s", args, err, said.String())
		}
	}
}

func chalieProcess(t *testing.T, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), "chalie", args...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	return cmd
}

// crashedImport reports whether everything is there; nothing is the only other
// thing that may be.
func crashedImport(t *testing.T, data string) bool {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: domaintest.NewClock(), ReadOnly: true})
	if code := domain.CodeOf(err); code == "no_log" || code == pebblelog.CodeBrokenOff {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if log.Tail() == 0 {
		return false
	}
	if report, err := log.Verify(t.Context(), nil); err != nil || !report.OK() || report.Records != crashRecords {
		t.Fatalf("the log holds %d records: %+v, %v", log.Tail(), report, err)
	}
	return true
}

func sameFile(t *testing.T, name string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s has %d bytes and differs from what was imported, %d bytes", name, len(got), len(want))
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s has mode %v, %v", name, info.Mode(), err)
	}
}
