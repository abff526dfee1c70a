package replay

import "chalie/domain"

// Tree is a trace by parent: each record under the one that caused it. Records
// whose cause is not among them are roots.
type Tree struct {
	records  []domain.Record
	roots    []int
	children map[domain.ID][]int
}

// NewTree takes the records of a trace in log order and keeps them.
func NewTree(records []domain.Record) *Tree {
	t := &Tree{records: records, children: map[domain.ID][]int{}}
	known := make(map[domain.ID]bool, len(records))
	for i, rec := range records {
		e := rec.Envelope
		// A cause stands before its effect in the log, so there are no cycles.
		if known[e.Parent] {
			t.children[e.Parent] = append(t.children[e.Parent], i)
		} else {
			t.roots = append(t.roots, i)
		}
		known[e.ID] = true
	}
	return t
}

// Walk calls fn for each record, once, causes before effects and siblings in log
// order, until it returns an error. last has an element for each level below the
// roots, which tells whether the record there is its parent's last; it is valid
// during the call.
func (t *Tree) Walk(fn func(rec domain.Record, last []bool) error) error {
	for _, i := range t.roots {
		if err := t.visit(i, nil, fn); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tree) visit(i int, last []bool, fn func(domain.Record, []bool) error) error {
	rec := t.records[i]
	if err := fn(rec, last); err != nil {
		return err
	}
	children := t.children[rec.Envelope.ID]
	for n, child := range children {
		if err := t.visit(child, append(last, n == len(children)-1), fn); err != nil {
			return err
		}
	}
	return nil
}
