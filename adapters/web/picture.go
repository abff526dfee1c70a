package web

import (
	"fmt"
	"html/template"

	"chalie/domain"
	"chalie/replay/draw"
	"chalie/replay/explain"
)

// picture is an explanation as a graph, each box a link to its record. The texts in it
// are text: draw's own markup is all the markup there is.
func picture(why explain.Explanation) template.HTML {
	return template.HTML(draw.Page(why, func(n explain.Node) string {
		if n.Missing {
			return ""
		}
		return recordPlace(n.Trace.ID, n.Position)
	}))
}

// recordPlace is where a record is shown: in its trace, which is looked for by the
// position where it isn't known.
func recordPlace(trace domain.ID, at domain.Position) string {
	if trace.IsZero() {
		return fmt.Sprintf("/traces/pos:%d", at)
	}
	return fmt.Sprintf("/traces/%s?at=%d#at-%d", trace, at, at)
}
