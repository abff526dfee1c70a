package carry

import (
	"slices"
	"testing"
)

// What has more forms than there is room for is known not to be looked through.
func TestRoomForForms(t *testing.T) {
	const text = "UXVpbnRlcm8= and more"
	all, whole := decodings(text, maxDeep, maxForms)
	if !whole || !slices.Contains(all, "Quintero ") {
		t.Fatalf("%d forms, %v", len(all), whole)
	}
	some, whole := decodings(text, maxDeep, 100)
	if whole || len(some) >= len(all) || some[0] != text {
		t.Errorf("with little room %d forms of %d, %v", len(some), len(all), whole)
	}
}
