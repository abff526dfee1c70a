package projections_test

import (
	"slices"
	"testing"

	"chalie/domain"
	"chalie/projections"
)

// Who asks is told how far it has come, and nothing when it is known already.
func TestPastTells(t *testing.T) {
	past, _ := newPast(newTape(20_000))
	var told []domain.Position
	ctx := projections.Telling(t.Context(), func(done, total domain.Position) { told = append(told, done, total) })
	for _, want := range [][]domain.Position{{8192, 20_000, 16_384, 20_000, 20_000, 20_000}, nil} {
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
