package projections

// Kind is one projection of a program, in every version that the program has the code of.
type Kind struct {
	Name string
	// For is what it is for, in a sentence for the person.
	For string
	// Makes make an empty one: today's version first, and then those before it that may
	// serve until today's has been folded. An older version can be kept only by an
	// HotSwapper, which is what becomes today's.
	Makes []func() Projection
}

// Versions are those that the program has the code of, today's first.
func (k Kind) Versions() []int {
	out := make([]int, len(k.Makes))
	for i, fresh := range k.Makes {
		out[i] = fresh().Version()
	}
	return out
}

// Of makes an empty one of a version; false when the program has no code of it.
func (k Kind) Of(version int) (Projection, bool) {
	for _, fresh := range k.Makes {
		if p := fresh(); p.Version() == version {
			return p, true
		}
	}
	return nil, false
}

// Today makes an empty one of today's version.
func (k Kind) Today() Projection { return k.Makes[0]() }
