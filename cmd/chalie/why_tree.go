package main

import (
	"fmt"
	"slices"

	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay"
)

// whyTree puts the causes of something below what they are causes of, or what it led
// to below it. An envelope stands once with what is below it, where it is nearest to
// the target; elsewhere its line only refers to it.
type whyTree struct {
	root    domain.ID
	forward bool
	nodes   map[domain.ID]replay.Node
	further map[domain.ID][]branching // by what they stand below
	under   map[domain.ID]domain.ID   // below which an envelope stands in full
}

// branching is an edge as it is gone along.
type branching struct {
	to   domain.ID
	edge replay.Edge
}

func newWhyTree(why replay.Explanation) *whyTree {
	t := &whyTree{
		root: why.Target.ID, forward: why.Direction == replay.Forward,
		nodes: map[domain.ID]replay.Node{}, further: map[domain.ID][]branching{}, under: map[domain.ID]domain.ID{},
	}
	for _, n := range why.Nodes {
		t.nodes[n.ID] = n
	}
	for _, e := range why.Edges {
		at, next := e.To, e.From
		if t.forward {
			at, next = e.From, e.To
		}
		t.further[at] = append(t.further[at], branching{next, e})
		// Edges come the nearest first.
		if _, placed := t.under[next]; !placed && next != t.root {
			t.under[next] = at
		}
	}
	return t
}

// rows are the lines of the tree.
func (t *whyTree) rows(c *cli) [][]term.Cell {
	var out [][]term.Cell
	t.visit(c, t.root, "", nil, &out)
	return out
}

// visit writes an envelope and, below it, what it came of or led to. It goes as deep as
// there are envelopes in an answer, which the API bounds.
func (t *whyTree) visit(c *cli, id domain.ID, as string, last []bool, out *[][]term.Cell) {
	n := t.nodes[id]
	if n.Missing {
		*out = append(*out, []term.Cell{term.Faint.Of(""), term.Faint.Of(""), term.Plain.Of(id.String()).Behind(term.Branch(last)), term.Plain.Of(as), term.Faint.Of(n.Label)})
		return
	}
	*out = append(*out, []term.Cell{
		term.Faint.Of(grouped(uint64(n.Position))), term.Faint.Of(c.Moment(n.RecordedAt)), term.Plain.Of(string(n.Type)).Behind(term.Branch(last)),
		term.Plain.Of(as), term.Bold.Of(n.Label),
	})
	below := t.below(id)
	for i, b := range below {
		deeper := append(slices.Clone(last), i == len(below)-1)
		if t.under[b.to] == id {
			t.visit(c, b.to, t.roleOf(b.edge), deeper, out)
			continue
		}
		other := t.nodes[b.to]
		*out = append(*out, []term.Cell{
			term.Faint.Of(grouped(uint64(other.Position))), term.Faint.Of(""), term.Plain.Of(string(other.Type)).Behind(term.Branch(deeper)),
			term.Plain.Of(t.roleOf(b.edge)), term.Faint.Of("(on its own line)"),
		})
	}
}

// below is what stands below an envelope, each once: what is its parent and evidence,
// too, is shown as evidence, which says more.
func (t *whyTree) below(id domain.ID) []branching {
	var out []branching
	for _, b := range t.further[id] {
		at := slices.IndexFunc(out, func(o branching) bool { return o.to == b.to })
		switch {
		case at < 0:
			out = append(out, b)
		case out[at].edge.Weight == nil:
			out[at] = b
		}
	}
	return out
}

// roleOf is how a cause bears on what it is a cause of.
func (t *whyTree) roleOf(e replay.Edge) string {
	role := oneLine(spelt(e.Role))
	if t.forward && e.Role == replay.RoleParent {
		role = "caused"
	}
	if e.Weight == nil {
		return role
	}
	return fmt.Sprintf("%s %s", role, domain.PPMOf(*e.Weight))
}
