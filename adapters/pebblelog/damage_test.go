package pebblelog_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// filled makes a log of n records on disk and returns its folder. Opening it a
// second time moves the records from the WAL to a table.
func filled(t *testing.T, n int, toTables bool) string {
	t.Helper()
	dir := t.TempDir()
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	l := open(t, pebblelog.Config{Dir: dir, Clock: clock})
	for range n {
		appendOne(t, l, domaintest.NewEntry(ids, "signals"))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if toTables {
		if err := open(t, pebblelog.Config{Dir: dir, Clock: clock}).Close(); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// flip inverts one bit in the middle of the largest file with the suffix.
func flip(t *testing.T, dir, suffix string, at float64) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"+suffix))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there is no %s file in %s (%v)", suffix, dir, err)
	}
	var largest string
	var text []byte
	for _, p := range paths {
		if b, err := os.ReadFile(p); err == nil && len(b) > len(text) {
			largest, text = p, b
		}
	}
	text[int(float64(len(text))*at)] ^= 0x10
	if err := os.WriteFile(largest, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFlippedBitInATable(t *testing.T) {
	dir := filled(t, 2000, true)
	flip(t, dir, ".sst", 0.6) // records fill most of it
	l := open(t, pebblelog.Config{Dir: dir, Clock: domaintest.NewClock()})
	defer l.Close()

	recs, err := l.Select(context.Background(), domain.Selector{}, 1, 1<<30)
	if domain.CodeOf(err) != domain.CodeCorrupt {
		t.Fatalf("reading over a damaged record returned %d records and %v, want %s", len(recs), err, domain.CodeCorrupt)
	}
	bad := domain.Position(len(recs) + 1)
	if !strings.Contains(err.Error(), fmt.Sprintf("position %d is damaged", bad)) || !strings.Contains(err.Error(), "chalie verify") {
		t.Errorf("the error is %q, want it to name position %d and what to do", err, bad)
	}
	report, err := l.Verify(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.OK() || report.Problems[0].Position != bad {
		t.Errorf("verify found %+v, want the first problem at position %d", report.Problems, bad)
	}
	if len(report.Problems) != 1 || report.Problems[0].Through <= bad || strings.Contains(report.Problems[0].Error, "\n") {
		t.Fatalf("verify found %+v, want one problem of one line for the records of a damaged block", report.Problems)
	}
	if cut := uint64(report.Problems[0].Through-bad) + 1; report.Records+cut != uint64(l.Tail()) {
		t.Errorf("verify read %d records and named %d unreadable of %d", report.Records, cut, l.Tail())
	}
}

// Whoever has a table that was cut off is told to repair, and that helps.
func TestTableOfAnotherSize(t *testing.T) {
	for name, length := range map[string]int{"cut off": 100, "empty": 0} {
		dir, clock := filled(t, 2000, true), domaintest.NewClock()
		tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
		if err != nil || len(tables) == 0 {
			t.Fatalf("the tables are %v, %v", tables, err)
		}
		if err := os.Truncate(tables[0], int64(length)); err != nil {
			t.Fatal(err)
		}
		for _, readOnly := range []bool{false, true} {
			if _, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: domaintest.NewClock(), ReadOnly: readOnly}); err == nil || !strings.Contains(err.Error(), "chalie repair") {
				t.Errorf("%s, read only %t: %v", name, readOnly, err)
			}
		}
		if _, err := pebblelog.Repair(t.Context(), pebblelog.RepairConfig{Log: pebblelog.Config{Dir: dir, Clock: clock}, IDs: domaintest.NewIDs(clock, 2)}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A WAL that is damaged anywhere must not pass for one that ends there: whatever it is
// opened with then, every record is there or its loss is told.
func TestFlippedBitInTheWAL(t *testing.T) {
	base := filled(t, 500, false)
	files := imaged(t, base)
	const steps = 100
	told := 0
	for step := range steps {
		dir := t.TempDir()
		image{files: files}.writeTo(t, dir)
		at := (float64(step) + 0.5) / steps
		flip(t, dir, ".log", at)
		l, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: domaintest.NewClock()})
		if err == nil {
			if n := l.Tail(); n != 500 {
				t.Errorf("a log with a bit flipped at %.1f%% of its WAL opened with %d of 500 records, and without a word", 100*at, n)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		told++
		if domain.CodeOf(err) != pebblelog.CodeRecordsLost || !strings.Contains(err.Error(), "positions ") && !strings.Contains(err.Error(), "position ") ||
			!strings.Contains(err.Error(), "chalie repair") || !strings.Contains(err.Error(), "backup") {
			t.Errorf("a log with a bit flipped at %.1f%% of its WAL said %q, want which positions and what to do", 100*at, err)
		}
	}
	if told < steps*9/10 {
		t.Errorf("of %d flips %d were told", steps, told)
	}
}
