package projections_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/projections"
)

func TestFoldStopsWhereItIsTold(t *testing.T) {
	feed := newTape(5000) // more than two batches
	for _, through := range []domain.Position{0, 1, 2047, 2048, 2049, 4999, 5000} {
		one, other := newSum("one"), newSum("other")
		if err := projections.Fold(t.Context(), feed, 0, through, one, other); err != nil {
			t.Fatal(err)
		}
		wantSum(t, one, uint64(through))
		wantSum(t, other, uint64(through))
		if one.saves != 0 {
			t.Errorf("it was saved %d times", one.saves)
		}
	}
}

func TestFoldGoesOn(t *testing.T) {
	feed, p := newTape(3000), newSum("sum")
	if err := projections.Fold(t.Context(), feed, 0, 10, p); err != nil {
		t.Fatal(err)
	}
	if err := projections.Fold(t.Context(), feed, 10, 2999, p); err != nil {
		t.Fatal(err)
	}
	wantSum(t, p, 2999)
}

func TestFoldFails(t *testing.T) {
	feed := newTape(50)
	if err := projections.Fold(t.Context(), feed, 0, 51, newSum("sum")); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("beyond the tail: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := projections.Fold(ended, feed, 0, 50, newSum("sum")); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	p := newSum("sum")
	p.explode = 7
	err := projections.Fold(t.Context(), feed, 0, 50, p)
	if domain.CodeOf(err) != projections.CodeStopped {
		t.Errorf("a record that can't be applied: %v", err)
	}
	for _, w := range []string{"sum", "position 7", "test.happened v1", "half applied"} {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q doesn't say %q", err, w)
		}
	}
	broken := errors.New("the disk is gone")
	feed.spoil(func(from domain.Position) error {
		if from > 1 {
			return broken
		}
		return nil
	})
	if err := projections.Fold(t.Context(), feed, 5, 50, newSum("sum")); !errors.Is(err, broken) {
		t.Errorf("a log that can't be read: %v", err)
	}
}
