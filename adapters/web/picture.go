package web

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/replay/draw"
	"chalie/replay/explain"
)

// picture is an explanation as a graph, each box a link to its record. Its only markup is
// draw's own; texts are escaped.
func picture(why explain.Explanation) template.HTML {
	return template.HTML(draw.Page(why, func(n explain.Node) string {
		if n.Missing {
			return ""
		}
		return recordPlace(n.Trace.ID, n.Position)
	}))
}

// recordPlace is the address of a record in its trace; an unknown trace is found by the
// position.
func recordPlace(trace domain.ID, at domain.Position) string {
	if trace.IsZero() {
		return fmt.Sprintf("/traces/pos:%d", at)
	}
	return fmt.Sprintf("/traces/%s?at=%d#at-%d", trace, at, at)
}

// tracePicture draws all effects of a trace's first envelope, for the page's module,
// because it has to search the log.
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

// fewestAlike is the least number of similar effects that share a box.
const fewestAlike = 4

// foldLike merges effects of one type and cause without effects of their own into one box
// with their number.
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

// The plot's own units. It is drawn unscaled, so they are pixels on most screens; the
// axes take the space around the curve.
const (
	plotWide, plotHigh = 272, 92
	plotLeft           = 40 // of the curve, where the scale stands
	plotRight          = 16
	plotTop            = 8
	plotFoot           = 18 // below the curve, where the hours stand
)

// plot is the fading of an item: its salience at each step of the hours ahead.
type plot struct {
	From      string // the moment it begins at: now or then
	Saliences []float64
	Hours     float64
	Floor     float64 // the threshold, below which a thing is out of mind
	Turn      float64 // the hour at which it crosses that; 0 when it doesn't here
}

func (plot) x(share float64) float64 { return plotLeft + share*(plotWide-plotLeft-plotRight) }
func (plot) y(salience float64) float64 {
	return plotTop + (1-salience)*(plotHigh-plotTop-plotFoot)
}

// Box is the SVG's viewBox.
func (plot) Box() string { return fmt.Sprintf("0 0 %d %d", plotWide, plotHigh) }

// Line is the path of the curve, as an SVG writes it.
func (p plot) Line() string {
	var b strings.Builder
	for i, salience := range p.Saliences {
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&b, "%s%.1f %.1f", command, p.x(float64(i)/float64(max(1, len(p.Saliences)-1))), p.y(salience))
	}
	return b.String()
}

// Area is what is below it.
func (p plot) Area() string {
	if len(p.Saliences) == 0 {
		return ""
	}
	return fmt.Sprintf("%sL%.1f %.1fL%.1f %.1fZ", p.Line(), p.x(1), p.y(0), p.x(0), p.y(0))
}

// mark is a place of a plot with what stands there.
type mark struct {
	X, Y string
	Text string
}

// Scale are the marks of the upright axis: everything, and the threshold.
func (p plot) Scale() []mark {
	return []mark{p.mark(0, 1, "100 %"), p.mark(0, p.Floor, fmt.Sprintf("%.0f %%", 100*p.Floor))}
}

// Ticks are the marks of the hours.
func (p plot) Ticks() []mark {
	const parts = 4
	out := []mark{p.mark(0, 0, p.From)}
	for i := 1; i <= parts; i++ {
		share := float64(i) / parts
		out = append(out, p.mark(share, 0, fmt.Sprintf("%.0f h", share*p.Hours)))
	}
	return out
}

// Crossing is where it crosses the threshold; nil when it doesn't here.
func (p plot) Crossing() *mark {
	if p.Turn <= 0 || p.Turn > p.Hours {
		return nil
	}
	at := p.mark(p.Turn/p.Hours, p.Floor, "")
	return &at
}

func (p plot) mark(share, salience float64, text string) mark {
	return mark{fmt.Sprintf("%.1f", p.x(share)), fmt.Sprintf("%.1f", p.y(salience)), text}
}

// Ends are the left and the right of the curve, and its foot.
func (p plot) Ends() mark {
	return mark{X: fmt.Sprintf("%.1f", p.x(0)), Y: fmt.Sprintf("%.1f", p.y(0)), Text: fmt.Sprintf("%.1f", p.x(1))}
}

// Told is the curve in words.
func (p plot) Told() string {
	if len(p.Saliences) == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %% %s, %.0f %% in %.0f hours", 100*p.Saliences[0], p.From, 100*p.Saliences[len(p.Saliences)-1], p.Hours)
}
