package domain_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
)

// Equals end up where slices leaves them: what was recorded in an order is replayed in it.
func TestSortFunc(t *testing.T) {
	type pair struct{ key, place int }
	byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	rapid.Check(t, func(t *rapid.T) {
		var all []pair
		for n, key := range rapid.SliceOfN(rapid.IntRange(0, 9), 0, 300).Draw(t, "keys") {
			all = append(all, pair{key, n})
		}
		for name, with := range map[string][2]func([]pair, func(a, b pair) int){
			"sort":   {slices.SortFunc[[]pair], domain.SortFunc[pair]},
			"stable": {slices.SortStableFunc[[]pair], domain.SortStableFunc[pair]},
		} {
			theirs, ours := slices.Clone(all), slices.Clone(all)
			with[0](theirs, byKey)
			with[1](ours, byKey)
			if !slices.Equal(theirs, ours) {
				t.Fatalf("%s: %v, and slices has %v", name, ours, theirs)
			}
		}
	})
}
