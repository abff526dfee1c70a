package projections_test

import (
	"testing"

	"pgregory.net/rapid"

	"chalie/projections"
	"chalie/projections/projectionstest"
)

func TestMemStore(t *testing.T) {
	projectionstest.TestStore(t, func(rapid.TB) projections.Store { return projections.NewMemStore() }, nil)
}

func TestOverlay(t *testing.T) {
	fresh := func(rapid.TB) projections.Store { return projections.NewOverlay(projections.NewMemStore()) }
	// Laying a new overlay over the old one stands for opening again, and makes
	// the random test read through many layers.
	again := func(_ rapid.TB, s projections.Store) projections.Store { return projections.NewOverlay(s) }
	projectionstest.TestStore(t, fresh, again)
}

func TestOverlayLeavesItsBaseAlone(t *testing.T) {
	base := projections.NewMemStore()
	set := func(s projections.Store, value string) {
		t.Helper()
		err := s.Update(1, func(b projections.Batch) error { return b.Set([]byte("k"), []byte(value)) })
		if err != nil {
			t.Fatal(err)
		}
	}
	set(base, "below")
	over := projections.NewOverlay(base)
	set(over, "above")
	if err := over.Reset(); err != nil {
		t.Fatal(err)
	}
	if err := over.Close(); err != nil {
		t.Fatal(err)
	}
	if got, _, err := base.Get([]byte("k")); string(got) != "below" || err != nil {
		t.Errorf("the base holds %q, %v", got, err)
	}
}
