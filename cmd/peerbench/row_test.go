package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMeasureTakesTheMedianOfTheRatios(t *testing.T) {
	var order []string
	next := map[string]int{}
	side := func(name string, figures ...float64) trial {
		return func(context.Context, string) (float64, error) {
			order = append(order, name)
			next[name]++
			return figures[next[name]-1], nil
		}
	}
	r := row{ours: side("ours", 10, 30, 80), peer: side("peer", 10, 10, 100), target: target{ratio: 1}}
	got := r.measure(t.Context(), 3, noFolder)
	if got.err != nil || got.oursMedian != 30 || got.peerMedian != 10 {
		t.Errorf("the medians are %v and %v (%v), want 30 and 10", got.oursMedian, got.peerMedian, got.err)
	}
	if got.ratio != 1 {
		t.Errorf("the ratio is %v; the ratios of the rounds are 1, 3 and 0.8, and their median is 1", got.ratio)
	}
	if want := []string{"ours", "peer", "peer", "ours", "ours", "peer"}; !slices.Equal(order, want) {
		t.Errorf("the sides ran as %v, want %v", order, want)
	}
	if got.verdict() != "ok" {
		t.Errorf("the verdict is %q", got.verdict())
	}
}

func TestMeasureWithoutPeer(t *testing.T) {
	runs := 0
	r := row{rounds: 2, target: target{atMost: 1}, ours: func(context.Context, string) (float64, error) {
		runs++
		return 2, nil
	}}
	got := r.measure(t.Context(), 5, noFolder)
	if runs != 2 || got.oursMedian != 2 || got.verdict() != "not" {
		t.Errorf("%d runs gave %v, %s; want 2 runs, 2 and not", runs, got.oursMedian, got.verdict())
	}
}

func TestMeasureKeepsTheFailure(t *testing.T) {
	cause := errors.New("no disk")
	r := row{name: "append", ours: func(context.Context, string) (float64, error) { return 0, cause }}
	got := r.measure(t.Context(), 1, noFolder)
	if !errors.Is(got.err, cause) || got.verdict() != "failed" {
		t.Errorf("the failure is %v, the verdict %q", got.err, got.verdict())
	}
}

func noFolder() (string, func(), error) { return "", func() {}, nil }

func TestFigureText(t *testing.T) {
	for _, c := range []struct {
		figure float64
		want   string
	}{{0.01234, "0.0123"}, {7.5, "7.5"}, {42.25, "42.2"}, {512.4, "512"}, {1234, "1,200"}, {1_234_567, "1,234,600"}} {
		if got := figureText(c.figure); got != c.want {
			t.Errorf("%v is written %q, want %q", c.figure, got, c.want)
		}
	}
}

func TestSampleIsAsLongAsTheRawRecord(t *testing.T) {
	s, err := newSampler()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.rawRecord()); n != recordBytes {
		t.Errorf("the raw record has %d bytes, want %d", n, recordBytes)
	}
	batch := s.batch(3)
	for _, e := range batch.Entries {
		if err := e.Envelope.Check(); err != nil {
			t.Error(err)
		}
	}
	if batch.Entries[0].Envelope.ID == batch.Entries[1].Envelope.ID {
		t.Error("two envelopes have the same id")
	}
}

func TestDocumentKeepsTheWordsAroundTheTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "benchmarks.md")
	before := "# Benchmarks\n\nWhy.\n\n" + tableBegins + "\nold\n" + tableEnds + "\n\nWhat follows.\n"
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	err := writeDocument(path, report{on: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), results: []result{{row: row{name: "append", unit: "envelopes/s"}}}})
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Why.", "What follows.", "1 May 2026", "| append | envelopes/s |"} {
		if !strings.Contains(string(after), want) {
			t.Errorf("the document lacks %q:\n%s", want, after)
		}
	}
	if strings.Contains(string(after), "old") {
		t.Errorf("the old table is still there:\n%s", after)
	}
}

// TestRun runs one row of each kind for a moment.
func TestRun(t *testing.T) {
	for _, only := range []string{"^append, 64 publishers, batches of 100$", "^Watermill publish", "^Watermill subscribe", "^scan", "^/ws, one frame"} {
		t.Run(only, func(t *testing.T) {
			var out, progress strings.Builder
			if err := run(t.Context(), &out, &progress, []string{"-short", "-dir", t.TempDir(), "-run", only}); err != nil {
				t.Fatal(err, progress.String())
			}
			if !strings.Contains(out.String(), "ratio") {
				t.Errorf("there is no table:\n%s", out.String())
			}
		})
	}
}
