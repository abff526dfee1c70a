package draw

import (
	"fmt"
	"io"

	"chalie/domain"
	"chalie/replay/explain"
)

// Format is a language of pictures.
type Format string

// The formats.
const (
	SVG     Format = "svg"
	DOT     Format = "dot"
	Mermaid Format = "mermaid"
)

// ParseFormat reads a format by its name. The error is a validation error that names
// all of them, and json, which is the explanation itself.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case SVG, DOT, Mermaid:
		return f, nil
	}
	return "", domain.Invalid("draw", "format", fmt.Sprintf("format is %.20q: give svg, dot, mermaid or json", name))
}

// MediaType is the media type of a format.
func (f Format) MediaType() string {
	switch f {
	case SVG:
		return "image/svg+xml; charset=utf-8"
	case DOT:
		return "text/vnd.graphviz; charset=utf-8"
	}
	return "text/plain; charset=utf-8"
}

// Write draws an explanation. The error is out's.
func Write(out io.Writer, why explain.Explanation, f Format) error {
	g := graphOf(why)
	var text string
	switch f {
	case SVG:
		text = svg(g, false)
	case DOT:
		text = dot(g)
	case Mermaid:
		text = mermaid(g)
	}
	_, err := io.WriteString(out, text)
	return err
}

// Page draws an explanation for an HTML page: an svg element whose boxes are links to the
// addresses that to returns; "" for no link. Colours are for paper, and the page's style
// sheet gives its own by class: graph, box with box-heard, box-plan, box-step,
// box-action, box-end, box-target or box-gap, and within head and score; arrow, evidence,
// tip, role and left.
func Page(why explain.Explanation, to func(explain.Node) string) string {
	g := graphOf(why)
	for i := range g.boxes {
		g.boxes[i].place = to(why.Nodes[i])
	}
	return svg(g, true)
}
