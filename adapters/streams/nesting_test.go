package streams

import (
	"strings"
	"testing"

	"chalie/domain"
)

// The bound is looked at before anything goes down into a message: ten million brackets
// cost one look at each.
func TestBroadcastsNestNoDeeperThanTheBound(t *testing.T) {
	for deep, code := range map[int]domain.Code{domain.MaxNesting: "", domain.MaxNesting + 1: domain.CodeTooNested, 9_998: domain.CodeTooNested, 10_000_000: domain.CodeTooNested} {
		sig, err := decodeMessage([]byte(`{"type":"signal","signal_type":"x","content":"c","metadata":` + strings.Repeat(`{"a":`, deep-1) + "{}" + strings.Repeat("}", deep-1) + `}`))
		if err == nil {
			err = sig.Check() // which intake does
		}
		if domain.CodeOf(err) != code || err != nil && !strings.Contains(err.Error(), "100") {
			t.Errorf("a message whose metadata nests %d deep: %v", deep, err)
		}
	}
}
