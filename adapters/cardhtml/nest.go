package cardhtml

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// maxDepth bounds how deep tags are nested. What is deeper loses its tags and
// keeps its text.
const maxDepth = 64

// nesting writes tags so that each is where a browser would put it: opened in an
// element it may be in, and ended before that is.
type nesting struct {
	out  strings.Builder
	open []string
	says bool // there is something to see
}

// nest is the second pass.
func nest(clean string) string {
	n := nesting{}
	n.out.Grow(len(clean))
	z := html.NewTokenizer(strings.NewReader(clean))
	for {
		switch z.Next() {
		case html.ErrorToken: // the end
			n.endTo(0)
			if !n.says {
				return ""
			}
			return n.out.String()
		case html.TextToken:
			n.text(z.Token().Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			n.begin(z.Token())
		case html.EndTagToken:
			n.end(z.Token().Data)
		}
	}
}

func (n *nesting) text(text string) {
	text = strings.Map(printed, text)
	if strings.TrimSpace(text) == "" {
		if !n.inHolder() {
			n.out.WriteString(html.EscapeString(text))
		}
		return
	}
	if n.inHolder() {
		return // a browser would put it before the table
	}
	n.says = true
	n.out.WriteString(html.EscapeString(text))
}

// printed drops control characters: browsers don't agree on them.
func printed(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' || r == 0x7F {
		return -1
	}
	return r
}

func (n *nesting) begin(t html.Token) {
	e, known := elements[t.Data]
	if !known {
		return
	}
	if e.block {
		n.endNearest([]string{"p"})
	}
	n.endNearest(e.ends)
	if t.Data == "tr" && n.top() == "table" && len(n.open) < maxDepth {
		n.push("tbody", "<tbody>") // a browser adds it
	}
	if t.Data == "col" && n.top() == "table" && len(n.open) < maxDepth {
		n.push("colgroup", "<colgroup>")
	}
	if len(e.within) > 0 && !slices.Contains(e.within, n.top()) || n.inHolder() && len(e.within) == 0 || len(n.open) >= maxDepth {
		return
	}
	attrs, ok := attributes(t)
	if !ok {
		return
	}
	tag := "<" + t.Data + attrs + ">"
	if e.void {
		n.out.WriteString(tag)
		n.says = n.says || t.Data == "img" || t.Data == "hr"
		return
	}
	n.push(t.Data, tag)
}

func (n *nesting) push(name, tag string) {
	n.out.WriteString(tag)
	n.open = append(n.open, name)
}

// end ends the element of that name and all within it, unless a border, such as
// the cell of a table, is between them.
func (n *nesting) end(name string) {
	for i, open := range slices.Backward(n.open) {
		if open == name {
			n.endTo(i)
			return
		}
		if isBorder(open) && !slices.Contains(rowGroups, name) && name != "table" {
			return
		}
		if open == "table" {
			return
		}
	}
}

// endNearest ends the outermost of some elements that is open within the nearest
// border; it may be the border itself.
func (n *nesting) endNearest(names []string) {
	at := -1
	for i, open := range slices.Backward(n.open) {
		if slices.Contains(names, open) {
			at = i
		}
		if isBorder(open) && !(slices.Contains(names, open) && open != "table") {
			break
		}
	}
	if at >= 0 {
		n.endTo(at)
	}
}

// endTo ends elements until only so many are open.
func (n *nesting) endTo(depth int) {
	for len(n.open) > depth {
		n.out.WriteString("</" + n.top() + ">")
		n.open = n.open[:len(n.open)-1]
	}
}

func (n *nesting) top() string {
	if len(n.open) == 0 {
		return ""
	}
	return n.open[len(n.open)-1]
}

// inHolder reports whether only rows and cells may stand here.
func (n *nesting) inHolder() bool { return len(n.open) > 0 && elements[n.top()].holds }
