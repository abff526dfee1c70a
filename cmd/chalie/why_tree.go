package main

import (
	"fmt"
	"slices"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

// whyTree puts the causes of something below what they are causes of. An envelope
// stands once with what it came of, where it is nearest to the target; elsewhere
// its line only refers to it.
type whyTree struct {
	root   domain.ID
	nodes  map[domain.ID]apiclient.WhyNode
	causes map[domain.ID][]apiclient.WhyEdge // by effect
	under  map[domain.ID]domain.ID           // by cause, the effect below which it stands in full
}

func newWhyTree(why apiclient.Why) (*whyTree, error) {
	t := &whyTree{
		root: why.Target.ID, nodes: map[domain.ID]apiclient.WhyNode{}, causes: map[domain.ID][]apiclient.WhyEdge{},
		under: map[domain.ID]domain.ID{},
	}
	nodes, err := values(why.Nodes)
	if err != nil {
		return nil, err
	}
	for _, n := range nodes {
		t.nodes[n.ID] = n
	}
	edges, err := values(why.Edges)
	if err != nil {
		return nil, err
	}
	for _, e := range edges {
		t.causes[e.To] = append(t.causes[e.To], e)
		// Edges come the nearest first.
		if _, placed := t.under[e.From]; !placed && e.From != t.root {
			t.under[e.From] = e.To
		}
	}
	return t, nil
}

// rows are the lines of the tree.
func (t *whyTree) rows(c *console) [][]cell {
	var out [][]cell
	t.visit(c, t.root, "", nil, &out)
	return out
}

// visit writes an envelope and, below it, its causes. It goes as deep as there are
// envelopes in an answer, which the API bounds.
func (t *whyTree) visit(c *console, id domain.ID, as string, last []bool, out *[][]cell) {
	n := t.nodes[id]
	if n.Missing {
		*out = append(*out, []cell{{"", faint}, {"", faint}, {branch(last) + id.String(), plain}, {as, plain}, {oneLine(n.Label), faint}})
		return
	}
	*out = append(*out, []cell{
		{grouped(uint64(n.Position)), faint}, {c.moment(n.RecordedAt), faint}, {branch(last) + oneLine(string(n.Type)), plain},
		{as, plain}, {oneLine(n.Label), bold},
	})
	causes := t.below(id)
	for i, e := range causes {
		deeper := append(slices.Clone(last), i == len(causes)-1)
		if t.under[e.From] == id {
			t.visit(c, e.From, roleOf(e), deeper, out)
			continue
		}
		cause := t.nodes[e.From]
		*out = append(*out, []cell{
			{grouped(uint64(cause.Position)), faint}, {"", faint}, {branch(deeper) + oneLine(string(cause.Type)), plain},
			{roleOf(e), plain}, {"(on its own line)", faint},
		})
	}
}

// below are the causes of an envelope, each once: what is its parent and evidence,
// too, is shown as evidence, which says more.
func (t *whyTree) below(id domain.ID) []apiclient.WhyEdge {
	var out []apiclient.WhyEdge
	for _, e := range t.causes[id] {
		at := slices.IndexFunc(out, func(o apiclient.WhyEdge) bool { return o.From == e.From })
		switch {
		case at < 0:
			out = append(out, e)
		case out[at].Weight == nil:
			out[at] = e
		}
	}
	return out
}

// roleOf is how a cause bears on what it is a cause of.
func roleOf(e apiclient.WhyEdge) string {
	if e.Weight == nil {
		return oneLine(spelt(e.Role))
	}
	return fmt.Sprintf("%s %s", oneLine(spelt(e.Role)), domain.PPMOf(*e.Weight))
}
