package domain

import "sort"

// SortFunc sorts as slices.SortFunc does, and leaves equals in the same order. It is for few large
// values: all types share its code, while slices makes 15 to 40 KB of its own for each.
func SortFunc[E any](all []E, compare func(a, b E) int) { sort.Sort(byCompare[E]{all, compare}) }

// SortStableFunc is SortFunc that leaves equals where they were.
func SortStableFunc[E any](all []E, compare func(a, b E) int) {
	sort.Stable(byCompare[E]{all, compare})
}

type byCompare[E any] struct {
	all     []E
	compare func(a, b E) int
}

func (s byCompare[E]) Len() int           { return len(s.all) }
func (s byCompare[E]) Less(i, j int) bool { return s.compare(s.all[i], s.all[j]) < 0 }
func (s byCompare[E]) Swap(i, j int)      { s.all[i], s.all[j] = s.all[j], s.all[i] }
