package projections

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strconv"
)

// shownChanges bounds the changes that a Difference lists.
const shownChanges = 10

// Difference is the disagreement of two folds of the same records. The zero
// Difference is none.
type Difference struct {
	Compared uint64 // entities looked at, each once
	Missing  uint64 // the old fold had, the new one has not
	Added    uint64 // only the new fold has
	Changed  uint64 // both have, with other values
	First    []Change
}

// Count is the number of entities that differ.
func (d Difference) Count() uint64 { return d.Missing + d.Added + d.Changed }

// Change is one field that differs. Was is nil when only the new fold has it, and
// Is when only the old one has.
type Change struct {
	Entity string          // its key
	Field  string          // the path in its value, such as plans.tasks[2].due; "" for all of it
	Was    json.RawMessage // in the old fold
	Is     json.RawMessage // in the new one
}

// Side is one of the two folds of a comparison.
type Side struct {
	Projection Projection // knows how to read it; its own state doesn't count
	State      Snapshot
}

// Compare walks through two folds side by side. Both must have been folded through
// the same position, or everything since differs. It fails when one can't be read,
// or when ctx ends.
func Compare(ctx context.Context, was, is Side) (Difference, error) {
	var out Difference
	old, fresh := walk(was), walk(is)
	defer old.stop()
	defer fresh.stop()
	old.step()
	fresh.step()
	for (old.ok || fresh.ok) && ctx.Err() == nil {
		out.Compared++
		switch order(old, fresh) {
		case -1:
			out.Missing++
			out.add(Change{Entity: nameOf(old.key), Was: describe(was.Projection, old.key, old.value)})
			old.step()
		case 1:
			out.Added++
			out.add(Change{Entity: nameOf(fresh.key), Is: describe(is.Projection, fresh.key, fresh.value)})
			fresh.step()
		default:
			if !bytes.Equal(old.value, fresh.value) {
				out.Changed++
				out.fields(nameOf(old.key), describe(was.Projection, old.key, old.value), describe(is.Projection, fresh.key, fresh.value))
			}
			old.step()
			fresh.step()
		}
	}
	for _, err := range []error{ctx.Err(), old.err, fresh.err} {
		if err != nil {
			return Difference{}, err
		}
	}
	return out, nil
}

// walker goes through the entities of one side.
type walker struct {
	next       func() ([]byte, []byte, bool)
	stop       func()
	key, value []byte
	ok         bool
	err        error // set once it has ended
}

func walk(s Side) *walker {
	w := &walker{}
	w.next, w.stop = iter.Pull2(func(yield func(key, value []byte) bool) {
		w.err = Entities(s.Projection, s.State, yield)
	})
	return w
}

func (w *walker) step() { w.key, w.value, w.ok = w.next() }

// order says which of the two comes first; the one that has ended comes last.
func order(a, b *walker) int {
	switch {
	case !a.ok:
		return 1
	case !b.ok:
		return -1
	}
	return bytes.Compare(a.key, b.key)
}

func (d *Difference) add(c Change) {
	if len(d.First) < shownChanges {
		d.First = append(d.First, c)
	}
}

// fields adds the fields of one entity that differ.
func (d *Difference) fields(entity string, was, is json.RawMessage) {
	old, oldErr := parse(was)
	fresh, newErr := parse(is)
	if oldErr != nil || newErr != nil {
		d.add(Change{Entity: entity, Was: was, Is: is})
		return
	}
	before := len(d.First)
	d.differ(entity, "", old, fresh)
	if len(d.First) == before {
		// The same value in other bytes, such as a number written otherwise.
		d.add(Change{Entity: entity, Was: was, Is: is})
	}
}

// differ walks down both values.
func (d *Difference) differ(entity, path string, was, is any) {
	if len(d.First) >= shownChanges {
		return
	}
	oldObject, oldIsObject := was.(map[string]any)
	newObject, newIsObject := is.(map[string]any)
	oldList, oldIsList := was.([]any)
	newList, newIsList := is.([]any)
	switch {
	case oldIsObject && newIsObject:
		names := maps.Clone(oldObject)
		maps.Copy(names, newObject)
		for _, name := range slices.Sorted(maps.Keys(names)) {
			old, had := oldObject[name]
			fresh, has := newObject[name]
			d.member(entity, joined(path, name), old, fresh, had, has)
		}
	case oldIsList && newIsList:
		for i := range max(len(oldList), len(newList)) {
			var old, fresh any
			if i < len(oldList) {
				old = oldList[i]
			}
			if i < len(newList) {
				fresh = newList[i]
			}
			d.member(entity, path+"["+strconv.Itoa(i)+"]", old, fresh, i < len(oldList), i < len(newList))
		}
	case was != is:
		d.add(Change{Entity: entity, Field: path, Was: jsonOf(was), Is: jsonOf(is)})
	}
}

// member compares what one or both sides have under a name or index.
func (d *Difference) member(entity, path string, was, is any, had, has bool) {
	switch {
	case had && has:
		d.differ(entity, path, was, is)
	case had:
		d.add(Change{Entity: entity, Field: path, Was: jsonOf(was)})
	default:
		d.add(Change{Entity: entity, Field: path, Is: jsonOf(is)})
	}
}

func joined(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// parse keeps numbers as they are written: large ones don't fit a float.
func parse(text json.RawMessage) (out any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&out)
	return out, err
}

// jsonOf writes what was read from JSON.
func jsonOf(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage(`"?"`) // can't be: it came from JSON
	}
	return text
}
