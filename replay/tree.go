package replay

import (
	"slices"

	"chalie/domain"
)

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

// A Step is a row of a shown trace: an envelope under its cause, or the first of a run of
// similar ones.
type Step struct {
	Record  domain.Record   `json:"record"`
	Depth   int             `json:"depth"`             // levels below a root
	Until   domain.Millis   `json:"until"`             // time of the last of its effects in these records
	Like    int             `json:"like,omitempty"`    // number of similar ones in this row
	Through domain.Position `json:"through,omitempty"` // position of the last of those
}

// shortestRun is the least number of similar steps that share a row.
const shortestRun = 4

// Steps makes rows of a trace, or of a part of one, whose records stand in the order of
// the log: causes before effects, siblings in log order. Consecutive similar siblings
// without effects share a row: a thousand signals of one stream are one row. The record
// at keep has a row of its own.
//
// It makes at most that many rows, and next is the position of the first record that is
// in none of them; 0 when all are.
func Steps(records []domain.Record, most int, keep domain.Position) (steps []Step, next domain.Position) {
	for {
		steps = stepsOf(records, keep)
		if len(steps) <= most {
			return steps, next
		}
		// A tree's rows aren't in the log's order, but a page ends at a position: only
		// the records before the first row too many are used.
		next = nthFirst(steps, most)
		cut := 0
		for cut < len(records) && records[cut].Position < next {
			cut++
		}
		records = records[:cut]
	}
}

// nthFirst is the position of the n-th row in the log's order, from 0.
func nthFirst(steps []Step, n int) domain.Position {
	at := make([]domain.Position, len(steps))
	for i, s := range steps {
		at[i] = s.Record.Position
	}
	slices.Sort(at)
	return at[n]
}

func stepsOf(records []domain.Record, keep domain.Position) []Step {
	tree := NewTree(records)
	var out []Step
	var rows func(siblings []int, depth int) domain.Millis
	rows = func(siblings []int, depth int) (until domain.Millis) {
		for i := 0; i < len(siblings); {
			n := tree.run(siblings[i:], keep)
			first, last := tree.records[siblings[i]], tree.records[siblings[i+n-1]]
			at := len(out)
			out = append(out, Step{Record: first, Depth: depth})
			if n > 1 {
				out[at].Like, out[at].Through = n-1, last.Position
			}
			out[at].Until = max(last.RecordedAt, rows(tree.children[first.Envelope.ID], depth+1))
			until = max(until, out[at].Until)
			i += n
		}
		return until
	}
	rows(tree.roots, 0)
	return out
}

// run is the number of siblings, from the first on, that share a row.
func (t *Tree) run(siblings []int, keep domain.Position) int {
	alone := func(rec domain.Record) bool {
		return rec.Position == keep || len(rec.Envelope.Errors) > 0 || len(t.children[rec.Envelope.ID]) > 0
	}
	first := t.records[siblings[0]]
	if alone(first) {
		return 1
	}
	n := 1
	for n < len(siblings) && !alone(t.records[siblings[n]]) && Alike(first, t.records[siblings[n]]) {
		n++
	}
	if n < shortestRun {
		return 1
	}
	return n
}

// Alike reports whether two records of a trace have the same type, source and parent.
func Alike(a, b domain.Record) bool {
	x, y := a.Envelope, b.Envelope
	return x.Type == y.Type && x.Source == y.Source && x.Principal == y.Principal && x.Parent == y.Parent
}
