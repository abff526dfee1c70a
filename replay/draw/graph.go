package draw

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
	"chalie/replay/explain"
	"chalie/replay/narrate"
)

// Bounds of a picture's envelopes and arrows: a person could not read more.
const (
	MaxBoxes  = 100
	MaxArrows = 300
)

// A graph is an explanation prepared for drawing, with texts cleaned and cut.
type graph struct {
	title   string
	forward bool
	boxes   []box // the target first
	arrows  []arrow
	left    int // envelopes left out
	cut     bool
}

// A box is one envelope.
type box struct {
	kind  kind
	head  string   // type and position
	lines []string // its label
	score string   // its scores; "" without any
	full  string   // the whole label, shown on hover
	place string   // what the box leads to in a page; "" for nothing
}

// An arrow goes from a cause to an effect, both places in boxes.
type arrow struct {
	from, to int
	label    string // "" for a parent's
	evidence bool
}

// kind is the kind of a box, which sets its colour.
type kind int

const (
	aStep    kind = iota // on the way
	aTarget              // what is explained
	aHeard               // came in from outside
	aPlan                // is planned or remembered
	anEnd                // a conclusion
	anAction             // a tool's call
	aGap                 // erased, or not in the log
)

// Columns of a line, and lines of a label.
const (
	columns   = 34
	mostLines = 3
)

func graphOf(why explain.Explanation) graph {
	kept := why.Nodes[:min(len(why.Nodes), MaxBoxes)]
	g := graph{title: "Why", forward: why.Direction == explain.Forward, left: len(why.Nodes) - len(kept), cut: why.Cut}
	if g.forward {
		g.title = "What it led to"
	}
	if len(why.Sentences) > 0 {
		g.title += ": " + narrate.OneLine(why.Sentences[0])
	}
	place := map[domain.ID]int{}
	for i, n := range kept {
		place[n.ID] = i
		g.boxes = append(g.boxes, boxOf(n, i == 0))
	}
	drawn := map[[2]int]int{}
	for _, e := range why.Edges {
		from, here := place[e.From]
		to, there := place[e.To]
		if !here || !there || from == to {
			continue
		}
		a := arrow{from: from, to: to, evidence: e.Weight != nil, label: labelOf(e)}
		// Two envelopes have one arrow, of the most informative role.
		if at, known := drawn[[2]int{from, to}]; known {
			if g.arrows[at].label == "" || a.evidence && !g.arrows[at].evidence {
				g.arrows[at] = a
			}
			continue
		}
		if len(g.arrows) == MaxArrows {
			g.cut = true
			continue
		}
		drawn[[2]int{from, to}] = len(g.arrows)
		g.arrows = append(g.arrows, a)
	}
	return g
}

func labelOf(e explain.Edge) string {
	if e.Role == explain.RoleParent {
		return ""
	}
	label := cut(strings.ReplaceAll(narrate.OneLine(e.Role), "_", " "), columns/2)
	if e.Weight != nil {
		label += " " + domain.PPMOf(*e.Weight).String()
	}
	return label
}

func boxOf(n explain.Node, target bool) box {
	b := box{kind: kindOf(n), head: cut(narrate.OneLine(string(n.Type)), columns-10), lines: wrap(narrate.OneLine(n.Label)), score: scores(n)}
	switch {
	case n.Dropped:
		b.head = "no longer kept"
	case n.Missing:
		b.head = "not in this log"
	default:
		b.head += " · " + strconv.FormatUint(uint64(n.Position), 10)
	}
	if target {
		b.kind = aTarget
	}
	b.full = narrate.OneLine(fmt.Sprintf("%s %s: %s", n.Type, n.ID, n.Label))
	for _, name := range slices.Sorted(maps.Keys(n.Numbers)) {
		b.full += fmt.Sprintf(", %s %v", narrate.OneLine(name), n.Numbers[name])
	}
	if n.Gate != "" {
		b.full += ", " + narrate.OneLine(n.Gate.Clause()) + " (" + narrate.OneLine(string(n.Gate)) + ")"
	}
	if len(n.Codes) > 0 {
		b.full += ", " + narrate.OneLine(strings.Join(n.Codes, " "))
	}
	return b
}

// scores are what a box shows of a node's numbers.
func scores(n explain.Node) string {
	var out []string
	for _, name := range []string{"salience", "relation"} {
		if v, ok := n.Numbers[name]; ok {
			out = append(out, name+" "+domain.PPMOf(v).String())
		}
	}
	return strings.Join(out, ", ")
}

func kindOf(n explain.Node) kind {
	if n.Missing || n.Erased {
		return aGap
	}
	group, _, _ := strings.Cut(string(n.Type), ".")
	switch group {
	case "signal", "message", "action", "steer", "image", "context":
		return aHeard
	case "reminder", "appointment", "task", "list", "memory", "timer":
		return aPlan
	case "tool", "approval", "policy":
		return anAction
	}
	if n.Type == domain.ReasoningConcludedType {
		return anEnd
	}
	return aStep
}

// leftOut says how many envelopes the picture leaves out; "" for none.
func (g graph) leftOut() string {
	switch {
	case g.left > 0 && g.cut:
		return fmt.Sprintf("%d envelopes more are left out, and there may be more than those.", g.left)
	case g.left > 0:
		return fmt.Sprintf("%d envelopes more are left out.", g.left)
	case g.cut:
		return "There may be more than this."
	}
	return ""
}
