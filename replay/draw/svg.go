package draw

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// Sizes in pixels, beside those of place.go.
const (
	margin     = 20
	padding    = 10
	lineHeight = 16
	titleRoom  = 34
	rowGap     = 58
	tip        = 6
)

// colours of a kind: what fills a box, and its border.
func (k kind) colours() (fill, line string) {
	switch k {
	case aTarget:
		return "#fff3c4", "#b7791f"
	case aHeard:
		return "#e3f2fd", "#3182ce"
	case aPlan:
		return "#e6f6ec", "#2f855a"
	case anEnd:
		return "#fff9e6", "#b7791f"
	case anAction:
		return "#f3e8fd", "#805ad5"
	case aGap:
		return "#f2f2f2", "#a0a0a0"
	}
	return "#ffffff", "#8a94a6"
}

// class is what a kind is called in a page's style sheet, which may colour it anew.
func (k kind) class() string {
	switch k {
	case aTarget:
		return "target"
	case aHeard:
		return "heard"
	case aPlan:
		return "plan"
	case anEnd:
		return "end"
	case anAction:
		return "action"
	case aGap:
		return "gap"
	}
	return "step"
}

// sheet is a chart on paper.
type sheet struct {
	graph
	chart
	paged bool  // it is for a page, which has the title already
	x     []int // of the middle of each joint
	top   []int // of each row
	high  []int
	out   strings.Builder
}

// svg draws a graph, as a document or for a page. It has only shapes and text, and links
// when paged. Colours are attributes, so that they show under the strictest content
// security policy; a page's style sheet overrides them by class.
func svg(g graph, paged bool) string {
	s := &sheet{graph: g, chart: chartOf(g), paged: paged}
	s.untangle()
	s.x = s.centres()
	s.measure()
	right, bottom := s.extent()
	s.begin(right, bottom)
	for i := range s.arrows {
		s.arrow(i)
	}
	for i := range s.boxes {
		s.box(i)
	}
	if left := s.leftOut(); left != "" {
		fmt.Fprintf(&s.out, `<text class="left" x="%d" y="%d" fill="#4a5568">%s</text>`+"\n", margin, bottom-margin/2, escaped(left))
	}
	s.out.WriteString("</svg>\n")
	return s.out.String()
}

// begin opens the picture, with its title.
func (s *sheet) begin(right, bottom int) {
	size := fmt.Sprintf(`width="%d" height="%d" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif" font-size="12"`, right, bottom, right, bottom)
	if s.paged {
		fmt.Fprintf(&s.out, `<svg class="graph" role="group" aria-label="%s" %s>`+"\n", escaped(s.title), size)
		return
	}
	fmt.Fprintf(&s.out, `<svg xmlns="http://www.w3.org/2000/svg" %s>`+"\n<title>%s</title>\n", size, escaped(s.title))
	fmt.Fprintf(&s.out, `<rect width="%d" height="%d" fill="#ffffff"/>`+"\n", right, bottom)
	fmt.Fprintf(&s.out, `<text x="%d" y="%d" font-size="14" font-weight="bold" fill="#1a202c">%s</text>`+"\n", margin, margin+8, escaped(cut(s.title, right/9)))
}

// measure computes the rows' positions.
func (s *sheet) measure() {
	y := margin
	if !s.paged {
		y += titleRoom
	}
	for _, row := range s.rows {
		high := 0
		for _, at := range row {
			if b := s.joints[at].box; b >= 0 {
				high = max(high, s.height(b))
			}
		}
		s.top, s.high = append(s.top, y), append(s.high, high)
		y += high + rowGap
	}
}

func (s *sheet) height(b int) int { return 2*padding + lineHeight*len(s.boxes[b].text()) }

// extent is the size of the sheet.
func (s *sheet) extent() (right, bottom int) {
	for at := range s.joints {
		right = max(right, s.x[at]+s.width(at)/2)
	}
	last := len(s.top) - 1
	if last < 0 {
		return 2 * margin, 2*margin + titleRoom
	}
	return right + 2*margin, s.top[last] + s.high[last] + 2*margin
}

func (s *sheet) box(i int) {
	b := s.boxes[i]
	fill, line := b.kind.colours()
	left, top, high := margin+s.x[i]-boxWidth/2, s.top[s.joints[i].row], s.height(i)
	strong := 1
	if b.kind == aTarget {
		strong = 2
	}
	end := "</g>\n"
	if b.place != "" {
		end = "</a>\n"
		fmt.Fprintf(&s.out, `<a class="box box-%s" href="%s">`, b.kind.class(), escaped(b.place))
	} else {
		fmt.Fprintf(&s.out, `<g class="box box-%s">`, b.kind.class())
	}
	fmt.Fprintf(&s.out, "\n<title>%s</title>\n", escaped(b.full))
	fmt.Fprintf(&s.out, `<rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="%s" stroke="%s" stroke-width="%d"/>`+"\n", left, top, boxWidth, high, fill, line, strong)
	y := top + padding + lineHeight - 4
	for n, text := range b.text() {
		look := `fill="#1a202c"`
		switch {
		case n == 0:
			look = `class="head" fill="#5a6478" font-size="11"`
		case b.score != "" && n == len(b.lines)+1:
			look = `class="score" fill="` + line + `" font-size="11"`
		}
		fmt.Fprintf(&s.out, `<text x="%d" y="%d" %s>%s</text>`+"\n", left+padding, y, look, escaped(text))
		y += lineHeight
	}
	s.out.WriteString(end)
}

// arrow draws a curve from row to row, with a tip at the effect.
func (s *sheet) arrow(i int) {
	a, path := s.arrows[i], s.paths[i]
	up := path[0] == a.to // the effect stands above
	look := `class="arrow" stroke="#8a94a6"`
	if a.evidence {
		look = `class="arrow evidence" stroke="#3182ce" stroke-width="2"`
	}
	type point struct{ x, y int }
	var points []point
	for n, at := range path {
		x, row := margin+s.x[at], s.joints[at].row
		if n > 0 {
			y := s.top[row]
			if n == len(path)-1 && !up {
				y -= tip
			}
			points = append(points, point{x + s.port(at, path[n-1], true), y})
		}
		if n < len(path)-1 {
			y := s.top[row] + s.high[row]
			if b := s.joints[at].box; b >= 0 {
				y = s.top[row] + s.height(b)
			}
			if n == 0 && up {
				y += tip
			}
			points = append(points, point{x + s.port(at, path[n+1], false), y})
		}
	}
	var d strings.Builder
	fmt.Fprintf(&d, "M%d,%d", points[0].x, points[0].y)
	for n := 1; n < len(points); n++ {
		from, to := points[n-1], points[n]
		half := (to.y - from.y) / 2
		fmt.Fprintf(&d, " C%d,%d %d,%d %d,%d", from.x, from.y+half, to.x, to.y-half, to.x, to.y)
	}
	fmt.Fprintf(&s.out, `<path d="%s" fill="none" %s/>`+"\n", d.String(), look)
	end, grow := points[len(points)-1], tip
	if up {
		end, grow = points[0], -tip
	}
	fmt.Fprintf(&s.out, `<path class="tip" d="M%d,%d l%d,%d h%d z" fill="#4a5568"/>`+"\n", end.x, end.y+grow, -tip/2-1, -grow, tip+2)
	if a.label != "" {
		// The label is beside the cause: effects have many arrows, causes few.
		from, to := points[len(points)-1], points[len(points)-2]
		if !up {
			from, to = points[0], points[1]
		}
		fmt.Fprintf(&s.out, `<text class="role" x="%d" y="%d" text-anchor="middle" font-size="10" fill="#2c5282" stroke="#ffffff" stroke-width="3" paint-order="stroke">%s</text>`+"\n",
			from.x+(to.x-from.x)/4, from.y+(to.y-from.y)/4+3, escaped(a.label))
	}
}

// port is the offset from a box's middle at which an arrow leaves it: arrows to the left
// leave on the left.
func (s *sheet) port(at, other int, above bool) int {
	if s.joints[at].box < 0 {
		return 0
	}
	neighbours := s.joints[at].down
	if above {
		neighbours = s.joints[at].up
	}
	before, same := 0, 0
	for _, n := range neighbours {
		switch {
		case s.x[n] < s.x[other]:
			before++
		case s.x[n] == s.x[other] && n < other:
			same++
		}
	}
	if len(neighbours) == 0 { // a straight arrow
		return 0
	}
	room := boxWidth * 7 / 10
	return (2*(before+same)+1)*room/(2*len(neighbours)) - room/2
}

// escaped is a text escaped for XML.
func escaped(text string) string {
	var out strings.Builder
	// A strings.Builder returns no error.
	_ = xml.EscapeText(&out, []byte(text))
	return out.String()
}
