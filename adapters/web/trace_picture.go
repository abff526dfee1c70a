package web

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"

	"chalie/domain"
	"chalie/replay/explain"
)

// tracePicture is all that a trace's first envelope led to, for the page's module: it
// takes a look through the log.
func (v *visit) tracePicture() error {
	var one struct {
		Trace episode `json:"trace"`
	}
	if err := v.ask("/api/traces/"+url.PathEscape(v.params.ByName("id")), url.Values{"limit": {"1"}}, &one); err != nil {
		return err
	}
	var why explain.Explanation
	if err := v.ask("/api/why/"+one.Trace.Root.EnvelopeID.String(), v.zoned(url.Values{"direction": {string(explain.Forward)}}), &why); err != nil {
		return err
	}
	return v.part("trace", "picture", struct {
		Picture template.HTML
		Cut     bool
	}{picture(foldLike(why)), why.Cut})
}

// fewestAlike is how many like effects share a box at least.
const fewestAlike = 4

// foldLike has effects of one type that came of the same, and of which nothing came,
// share a box: a thousand of them say no more than one and their number.
func foldLike(why explain.Explanation) explain.Explanation {
	causes, effects := map[domain.ID][]domain.ID{}, map[domain.ID]int{}
	for _, e := range why.Edges {
		causes[e.To] = append(causes[e.To], e.From)
		effects[e.From]++
	}
	type kind struct {
		cause domain.ID
		what  domain.EventType
	}
	alike := map[kind][]int{}
	for i, n := range why.Nodes {
		if from := causes[n.ID]; i > 0 && effects[n.ID] == 0 && len(from) == 1 {
			k := kind{from[0], n.Type}
			alike[k] = append(alike[k], i)
		}
	}
	gone := map[domain.ID]bool{}
	nodes := slices.Clone(why.Nodes)
	for _, at := range alike {
		if len(at) < fewestAlike {
			continue
		}
		nodes[at[0]].Label = fmt.Sprintf("%s like this: %s", grouped(uint64(len(at))), nodes[at[0]].Label)
		for _, i := range at[1:] {
			gone[nodes[i].ID] = true
		}
	}
	why.Nodes = slices.DeleteFunc(nodes, func(n explain.Node) bool { return gone[n.ID] })
	why.Edges = slices.DeleteFunc(slices.Clone(why.Edges), func(e explain.Edge) bool { return gone[e.To] })
	return why
}
