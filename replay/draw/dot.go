package draw

import (
	"fmt"
	"strings"
)

// dot writes a graph for Graphviz.
func dot(g graph) string {
	var out strings.Builder
	direction := "BT"
	if g.forward {
		direction = "TB"
	}
	fmt.Fprintf(&out, "digraph why {\n  rankdir=%s;\n", direction)
	out.WriteString("  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11];\n  edge [fontname=\"Helvetica\", fontsize=9];\n")
	fmt.Fprintf(&out, "  label=%s;\n  labelloc=t;\n", dotText(g.title))
	for i, b := range g.boxes {
		fill, line := b.kind.colours()
		fmt.Fprintf(&out, "  n%d [label=%s, tooltip=%s, fillcolor=%q, color=%q];\n", i, dotText(b.text()...), dotText(b.full), fill, line)
	}
	for _, a := range g.arrows {
		fmt.Fprintf(&out, "  n%d -> n%d", a.from, a.to)
		if a.label != "" {
			fmt.Fprintf(&out, " [label=%s]", dotText(a.label))
		}
		out.WriteString(";\n")
	}
	if left := g.leftOut(); left != "" {
		fmt.Fprintf(&out, "  more [label=%s, shape=plaintext, style=\"\"];\n", dotText(left))
	}
	out.WriteString("}\n")
	return out.String()
}

// text is all that a box shows.
func (b box) text() []string {
	out := append([]string{b.head}, b.lines...)
	if b.score != "" {
		out = append(out, b.score)
	}
	return out
}

// dotText is a quoted string of lines. Graphviz reads escapes and entities in it.
func dotText(lines ...string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")
	var out strings.Builder
	out.WriteByte('"')
	for i, line := range lines {
		if i > 0 {
			out.WriteString(`\n`)
		}
		out.WriteString(escape.Replace(line))
	}
	out.WriteByte('"')
	return out.String()
}
