package draw

import (
	"fmt"
	"strings"
	"unicode"
)

// mermaid writes a flowchart.
func mermaid(g graph) string {
	var out strings.Builder
	direction := "BT"
	if g.forward {
		direction = "TB"
	}
	fmt.Fprintf(&out, "flowchart %s\n", direction)
	for i, b := range g.boxes {
		var lines []string
		for _, line := range b.text() {
			lines = append(lines, mermaidText(line))
		}
		fmt.Fprintf(&out, "  n%d[\"%s\"]\n", i, strings.Join(lines, "<br/>"))
	}
	for _, a := range g.arrows {
		if a.label == "" {
			fmt.Fprintf(&out, "  n%d --> n%d\n", a.from, a.to)
			continue
		}
		fmt.Fprintf(&out, "  n%d -->|\"%s\"| n%d\n", a.from, mermaidText(a.label), a.to)
	}
	if left := g.leftOut(); left != "" {
		fmt.Fprintf(&out, "  more[\"%s\"]\n", mermaidText(left))
	}
	for i, b := range g.boxes {
		fill, line := b.kind.colours()
		fmt.Fprintf(&out, "  style n%d fill:%s,stroke:%s\n", i, fill, line)
	}
	return out.String()
}

// mermaidText writes every character with a meaning in Mermaid or HTML as a numeric
// entity.
func mermaidText(text string) string {
	var out strings.Builder
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune(" .,-'!?()/…·_:+", r) {
			out.WriteRune(r)
			continue
		}
		fmt.Fprintf(&out, "#%d;", r)
	}
	return out.String()
}
