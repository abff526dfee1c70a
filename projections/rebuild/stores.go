package rebuild

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"chalie/projections"
)

// StoreVersion names one store of a projection: its version, and which of that version.
type StoreVersion struct {
	Version    int `json:"version"`
	Generation int `json:"generation"` // 0 is the first
}

// String is how people read it: 2, or 2.1.
func (v StoreVersion) String() string {
	if v.Generation == 0 {
		return strconv.Itoa(v.Version)
	}
	return fmt.Sprintf("%d.%d", v.Version, v.Generation)
}

// Compare puts newer ones last.
func (v StoreVersion) Compare(o StoreVersion) int {
	return cmp.Or(cmp.Compare(v.Version, o.Version), cmp.Compare(v.Generation, o.Generation))
}

// Active says which store of a projection serves. Its JSON is what a data directory keeps.
type Active struct {
	Store StoreVersion `json:"serving"`
	// Previous is the one that served before, kept to go back to; nil when there
	// is none.
	Previous *StoreVersion `json:"previous,omitempty"`
	// Pinned says that a person went back to an older version: the newer one isn't
	// built again until they ask for it.
	Pinned bool `json:"held,omitempty"`
}

// Equal reports whether two say the same.
func (a Active) Equal(b Active) bool {
	return a.Store == b.Store && a.Pinned == b.Pinned &&
		(a.Previous == nil) == (b.Previous == nil) && (a.Previous == nil || *a.Previous == *b.Previous)
}

// Stores are where the stores of projections are kept. It is safe for concurrent use.
// Errors are those of the disk, and a Conflict for a store that another process has open.
type Stores interface {
	// Active is which store serves a projection that was opened.
	Active(name string) Active
	// Activate makes another the one that serves, now and at the next start. When it
	// fails, what was said before holds.
	Activate(name string, now Active) error
	// Unused is a store version that there is no store of.
	Unused(name string, version int) (StoreVersion, error)
	// Open opens a store for writing, or begins an empty one, also in place of one that
	// is damaged.
	Open(name string, v StoreVersion) (projections.Durable, error)
	// Remove deletes a store that nobody has open. One that isn't there is no error.
	Remove(name string, v StoreVersion) error
	// Sweep deletes the stores that nobody can go back to, of versions up to one: later
	// ones belong to a newer program. It returns what it deleted.
	Sweep(name string, now Active, through int) ([]StoreVersion, error)
}

// Choose says which store serves: of those this program has the code of, today's
// if it was folded before, then one that serves until today's is folded, and
// otherwise today's, to be folded from the start.
func Choose(versions []int, there []StoreVersion, said *Active) Active {
	today := versions[0]
	was := assumed(versions, there)
	if said != nil {
		was = *said
	}
	knows := func(e *StoreVersion) bool { return e != nil && slices.Contains(versions, e.Version) }
	back := func() Active {
		return Active{Store: *was.Previous, Previous: &was.Store}
	}
	switch {
	case knows(&was.Store) && (was.Pinned || was.Store.Version == today):
		return was
	case was.Previous != nil && was.Previous.Version == today:
		return back() // an older program served in between
	case knows(&was.Store):
		return was
	case knows(was.Previous):
		return back() // this is an older program
	}
	fresh := Active{Store: StoreVersion{Version: today, Generation: Unused(today, there)}}
	if was.Store.Version != 0 {
		fresh.Previous = &was.Store
	}
	return fresh
}

// assumed is what serves where nobody said so: the first generation of the newest
// version that this program knows, and before it that of the version before.
func assumed(versions []int, there []StoreVersion) (out Active) {
	first := map[int]StoreVersion{}
	for _, e := range slices.Backward(there) {
		first[e.Version] = e
	}
	for _, e := range slices.Backward(there) {
		switch {
		case first[e.Version] != e || e.Version > versions[0]:
		case out.Store.Version == 0:
			out.Store = e
		case out.Previous == nil:
			out.Previous = &e
		}
	}
	return out
}

// Unused is a generation of a version that isn't there.
func Unused(version int, there []StoreVersion) int {
	next := 0
	for _, e := range there {
		if e.Version == version {
			next = max(next, e.Generation+1)
		}
	}
	return next
}
