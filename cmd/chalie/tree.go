package main

import (
	"strings"

	"chalie/domain"
)

// tree is a trace by parent: each record under the one that caused it. Records
// whose cause is not among them are roots.
type tree struct {
	records  []domain.Record
	roots    []int
	children map[domain.ID][]int
}

func newTree(records []domain.Record) *tree {
	t := &tree{records: records, children: map[domain.ID][]int{}}
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

// maxIndent bounds how far branches are drawn: beyond it a line could not be
// read, and a chain of a hundred thousand would take gigabytes.
const maxIndent = 12

// walk calls fn for each record, causes before effects, with the branch to draw
// before it.
func (t *tree) walk(fn func(branch string, rec domain.Record) error) error {
	for _, i := range t.roots {
		if err := t.visit(i, "", "", 0, fn); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) visit(i int, branch, below string, depth int, fn func(string, domain.Record) error) error {
	rec := t.records[i]
	if err := fn(branch, rec); err != nil {
		return err
	}
	children := t.children[rec.Envelope.ID]
	for n, child := range children {
		next, under := below+"├─ ", below+"│  "
		if n == len(children)-1 {
			next, under = below+"└─ ", below+"   "
		}
		if depth >= maxIndent {
			next, under = strings.Repeat(" ", 3*maxIndent)+"… ", ""
		}
		if err := t.visit(child, next, under, depth+1, fn); err != nil {
			return err
		}
	}
	return nil
}
