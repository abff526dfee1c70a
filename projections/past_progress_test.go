package projections_test

import (
	"slices"
	"testing"

	"chalie/domain"
	"chalie/projections"
)

// Who asks is told how far it has come, and nothing when it is known already.
func TestPastTells(t *testing.T) {
	feed := newTape(20_000)
	past, _ := newPast(feed, newKeyframes(t, feed, projections.NewMemStore()))
	var told []domain.Position
	ctx := projections.Telling(t.Context(), func(done, total domain.Position) { told = append(told, done, total) })
	for _, want := range [][]domain.Position{{3616, 3616}, nil} {
		told = nil
		if _, err := past.At(ctx, 20_000); err != nil || !slices.Equal(told, want) {
			t.Errorf("told %v, want %v, %v", told, want, err)
		}
	}
	told = nil
	if _, err := past.At(ctx, 9000); err != nil || !slices.Equal(told, []domain.Position{808, 808}) {
		t.Errorf("from the keyframe before it told %v, %v", told, err)
	}
}
