package web

import (
	"fmt"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/replay/explain"
)

func TestLikeEffectsShareABox(t *testing.T) {
	for edges, want := range map[string]string{
		"1>2 1>3 1>4 1>5 1>6a":     "1 2×4 6 1>2 1>6",
		"1>2 1>3 1>4":              "1 2 3 4 1>2 1>3 1>4",
		"1>2 1>3 1>4 1>5 5>6":      "1 2 3 4 5 6 1>2 1>3 1>4 1>5 5>6",
		"1>2 1>3 1>4 1>5 2>3":      "1 2 3 4 5 1>2 1>3 1>4 1>5 2>3",
		"1>2 2>3 2>4 2>5 2>6 1>7a": "1 2 3×4 7 1>2 2>3 1>7",
	} {
		why := explain.Explanation{Nodes: []explain.Node{{ID: domain.ID{15: 1}, Label: "root"}}}
		for edge := range strings.FieldsSeq(edges) {
			var from, to byte
			var kind string
			_, _ = fmt.Sscanf(edge, "%d>%d%s", &from, &to, &kind)
			why.Edges = append(why.Edges, explain.Edge{From: domain.ID{15: from}, To: domain.ID{15: to}})
			if int(to) > len(why.Nodes) {
				why.Nodes = append(why.Nodes, explain.Node{ID: domain.ID{15: to}, Type: domain.EventType("t" + kind), Label: "one"})
			}
		}
		got := []string{}
		folded := foldLike(why)
		for _, n := range folded.Nodes {
			text := fmt.Sprint(n.ID[15])
			if count, _, found := strings.Cut(n.Label, " like this"); found {
				text += "×" + count
			}
			got = append(got, text)
		}
		for _, e := range folded.Edges {
			got = append(got, fmt.Sprintf("%d>%d", e.From[15], e.To[15]))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, want %s", edges, text, want)
		}
	}
}
