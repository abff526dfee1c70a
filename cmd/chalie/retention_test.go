package main

import (
	"bytes"
	"maps"
	"path/filepath"
	"reflect"
	"testing"

	"chalie/adapters/exportfile"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

// retires has records of a data directory at rest go, as the running Chalie has.
func retires(t *testing.T, data string, runs domain.Runs, deleted bool) {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}})
	if err != nil {
		t.Fatal(err)
	}
	ids := ulids.New(sysclock.Clock{})
	id := ids.NewID()
	span := domain.SpanRetired{
		Through: log.Tail(), Runs: runs.Write(), Kept: []domain.KeptFor{{Topic: domain.TopicSignals, For: 1}}, Records: runs.Count(),
		Counts: []domain.RetiredCount{{Topic: domain.TopicSignals, Type: domain.SignalReceivedType, Records: runs.Count()}},
	}
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(sysclock.Clock{}.Now()), domain.SourceRetention, span)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	if deleted {
		if err := log.Retire(t.Context(), runs); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// verified is what verify says of a data directory's log, and which records went from it.
func verified(t *testing.T, data string) (pebblelog.Report, domain.Runs) {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	report, err := log.Verify(t.Context(), nil)
	if err != nil || !report.OK() {
		t.Fatalf("verify says %+v, %v", report, err)
	}
	went, err := log.Retired(t.Context(), 1, log.Tail())
	if err != nil {
		t.Fatal(err)
	}
	return report, went
}

// exportOf is the whole log of a data directory as a file.
func exportOf(t *testing.T, data string) []byte {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var out bytes.Buffer
	if err := exportfile.Export(t.Context(), log, exportfile.Selection{}, exportfile.JSONL, "", &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// What is brought elsewhere of a log from which records went has its gaps, and nothing of it
// is taken for lost; and what is folded is the same, whether the records were there when it was.
func TestGapsGoAlong(t *testing.T) {
	t.Parallel()
	data := resting(t, 1500)
	folded(t, data) // so that the folds go on over what went
	old := filepath.Join(t.TempDir(), "old")
	if _, err := backedUp(t, data, old); err != nil {
		t.Fatal(err)
	}
	runs := domain.Runs{{From: 2, Through: 700}, {From: 702, Through: 702}, {From: 900, Through: 1200}}
	retires(t, data, runs, true)
	report, went := verified(t, data)
	if report.Lost > 0 || report.Retired != runs.Count() || !reflect.DeepEqual(went, runs) {
		t.Fatalf("verify says %+v, and %v went", report, went)
	}
	after := folded(t, data)
	file := exportOf(t, data)
	imported := filepath.Join(t.TempDir(), "imported")
	came, err := importFile(t.Context(), imported, bytes.NewReader(file), false, term.NoMeter())
	if err != nil || came.Lost > 0 || came.Retired != runs.Count() || came.Renumbered {
		t.Fatalf("imported %+v, %v", came, err)
	}
	if again := exportOf(t, imported); !bytes.Equal(again, file) {
		t.Error("the export of what was imported is another file")
	}
	fresh := filepath.Join(t.TempDir(), "backup")
	for _, c := range []struct{ what, folder string }{{"a new backup", fresh}, {"one that goes on from before", old}} {
		if _, err := backedUp(t, data, c.folder); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		to := filepath.Join(t.TempDir(), "restored")
		got, err := restores(t.Context(), c.folder, to)
		if err != nil || got.Lost > 0 || len(got.Compared) != len(today()) {
			t.Fatalf("%s: %+v, %v", c.what, got, err)
		}
		if is := folded(t, to); !maps.Equal(is, after) {
			t.Errorf("%s: what is folded differs: %v, want %v", c.what, is, after)
		}
		if report, _ := verified(t, to); report.Lost > 0 {
			t.Errorf("%s: verify says %+v", c.what, report)
		}
	}
}
