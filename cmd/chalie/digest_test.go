package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/domain"
	"chalie/projections"
)

// upTo is a log that ends at a position.
type upTo struct {
	projections.Feed
	tail domain.Position
}

func (u *upTo) Tail() domain.Position { return u.tail }

func (u *upTo) Wait(_ context.Context, after domain.Position) (domain.Position, error) {
	if after < u.tail {
		return u.tail, nil
	}
	return 0, &domain.Error{Code: domain.CodeClosed, Message: "the log ends here"}
}

func (u *upTo) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if from > u.tail {
		return nil, nil
	}
	return u.Feed.Select(ctx, s, from, min(limit, int(u.tail-from+1)))
}

// TestSameLogSameDigest folds the log of a whole story in every way that it may be
// folded: in batches of any size, saved at any time, stopped and started again
// anywhere. What each projection keeps is the same in the end, to the byte.
func TestSameLogSameDigest(t *testing.T) {
	log := toldLog(t)
	kinds := (&folds{}).kinds()
	whole := map[string]string{}
	for _, k := range kinds {
		whole[k.Name] = foldedIn(t, log, k, projections.Config{}, nil)
	}
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom(kinds).Draw(t, "projection")
		cfg := projections.Config{Batch: rapid.IntRange(1, 64).Draw(t, "batch"), SaveEvery: rapid.IntRange(1, 100).Draw(t, "save every")}
		stops := rapid.SliceOfNDistinct(rapid.IntRange(1, int(log.Tail())), 0, 4, rapid.ID[int]).Draw(t, "stops")
		if got := foldedIn(t, log, k, cfg, stops); got != whole[k.Name] {
			t.Errorf("%s keeps %s, and folded at once %s", k.Name, got, whole[k.Name])
		}
	})
}

// foldedIn folds the whole log, with a stop at each of some positions, and returns
// the digest of what is kept.
func foldedIn(t rapid.TB, log *pebblelog.Log, k kind, cfg projections.Config, stops []int) string {
	t.Helper()
	store := projections.NewMemStore()
	digest := ""
	for _, end := range append(slices.Sorted(slices.Values(stops)), int(log.Tail())) {
		p := k.Today()
		r, err := projections.NewRunner(p, &upTo{log, domain.Position(end)}, store, sysclock.Clock{}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		if at, err := store.Checkpoint(); at != domain.Position(end) || err != nil {
			t.Fatalf("%s was saved through %d, %v, want %d", k.Name, at, err, end)
		}
		if digest, err = projections.Digest(p, store); err != nil {
			t.Fatal(err)
		}
	}
	return digest
}

// toldLog is the log of the demo's story.
func toldLog(t *testing.T) *pebblelog.Log {
	t.Helper()
	tempFolder(t)
	c, _, _ := testConsole()
	data := filepath.Join(t.TempDir(), "data")
	if err := shown(t, c, data).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	return log
}
