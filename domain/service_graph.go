package domain

import (
	"fmt"
	"slices"
	"strings"
)

// SpineEdge says that what one service emits another consumes.
type SpineEdge struct {
	From, To string
	Type     SpineType
}

// SpineEdges are the ways that spine signals take between services, in the order
// of the services and of the types each emits.
func SpineEdges(services []Service) (edges []SpineEdge) {
	for _, from := range services {
		for _, t := range from.Emits {
			for _, to := range services {
				if slices.Contains(to.Consumes, t) {
					edges = append(edges, SpineEdge{from.Name, to.Name, t})
				}
			}
		}
	}
	return edges
}

// SpineMermaid draws the ways of spine signals as a Mermaid flowchart: each layer
// with its services, and an arrow for every pair with the types between them.
// Services that neither emit nor consume stand alone.
func SpineMermaid(services []Service) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for _, layer := range []Layer{LayerEmbodiment, LayerCapability, LayerCognitive} {
		fmt.Fprintf(&b, "  subgraph %s\n", layer)
		for _, s := range services {
			if s.Layer == layer {
				fmt.Fprintf(&b, "    %s\n", s.Name)
			}
		}
		b.WriteString("  end\n")
	}
	edges := SpineEdges(services)
	for i, e := range edges {
		between := []string{string(e.Type)}
		if slices.ContainsFunc(edges[:i], func(o SpineEdge) bool { return o.From == e.From && o.To == e.To }) {
			continue // drawn with the first of the pair
		}
		for _, o := range edges[i+1:] {
			if o.From == e.From && o.To == e.To {
				between = append(between, string(o.Type))
			}
		}
		fmt.Fprintf(&b, "  %s -->|%s| %s\n", e.From, strings.Join(between, "<br>"), e.To)
	}
	return b.String()
}
