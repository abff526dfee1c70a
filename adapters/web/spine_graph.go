package web

import (
	"fmt"
	"slices"

	"chalie/domain"
)

// Where things stand in the picture of the spine, in its own units.
const (
	boxWide, boxHigh = 204, 50
	rowHigh          = 64
	betweenColumns   = 352
	graphWide        = 2*boxWide + betweenColumns
	graphEdge        = 6
	titleHigh        = 34
)

// spineGraph is who tells whom what: who emits stands on the left, who takes on the
// right, and who does neither below, by layer.
type spineGraph struct {
	Wide, High int
	Boxes      []spineBox
	Ways       []spineWay
	Titles     []spineTitle
}

type spineBox struct {
	Service service
	X, Y    int
}

// Wide is how wide a box is.
func (spineBox) Wide() int { return boxWide }

// High is how high it is.
func (spineBox) High() int { return boxHigh }

// spineWay is what one service tells another, with how often since the start.
type spineWay struct {
	Path, Label string
	Dead        bool // nothing comes this way
	X, Y        int  // of the label
}

type spineTitle struct {
	Text string
	X, Y int
}

func graphOf(services []service, recorded map[domain.SpineType]uint64) spineGraph {
	g := spineGraph{Wide: graphWide + 2*graphEdge}
	var from, to, alone []service
	for _, s := range services {
		switch {
		case len(s.Emits) > 0:
			from = append(from, s)
		case len(s.Consumes) > 0:
			to = append(to, s)
		default:
			alone = append(alone, s)
		}
	}
	// Who tells the same stands together, so that ways don't cross.
	slices.SortStableFunc(from, func(a, b service) int { return firstTaker(to, a) - firstTaker(to, b) })
	for i, s := range from {
		g.Boxes = append(g.Boxes, spineBox{s, graphEdge, graphEdge + i*rowHigh})
	}
	left := g.Boxes
	for _, taker := range to {
		g.take(taker, left, recorded)
	}
	g.High = graphEdge + len(from)*rowHigh
	g.rest(alone)
	return g
}

// firstTaker is the place of the first service that takes what another emits.
func firstTaker(to []service, from service) int {
	return slices.IndexFunc(to, func(s service) bool { return len(shared(from, s)) > 0 })
}

// shared is what one service emits and another takes.
func shared(from, to service) []domain.SpineType {
	return slices.DeleteFunc(slices.Clone(from.Emits), func(t domain.SpineType) bool { return !slices.Contains(to.Consumes, t) })
}

// take draws a taker in the middle of those that tell it something, and the ways.
func (g *spineGraph) take(taker service, left []spineBox, recorded map[domain.SpineType]uint64) {
	var tellers []spineBox
	for _, b := range left {
		if len(shared(b.Service, taker)) > 0 {
			tellers = append(tellers, b)
		}
	}
	box := spineBox{Service: taker, X: graphEdge + boxWide + betweenColumns, Y: graphEdge}
	if n := len(tellers); n > 0 {
		box.Y = (tellers[0].Y + tellers[n-1].Y) / 2
	}
	for i, b := range tellers {
		y, x := b.Y+boxHigh/2, b.X+boxWide
		end := box.Y + (i+1)*boxHigh/(len(tellers)+1)
		types := shared(b.Service, taker)
		label := signalNames(types)
		times := uint64(0)
		for _, t := range types {
			times += recorded[t]
		}
		if times > 0 {
			label += " ×" + grouped(times)
		}
		g.Ways = append(g.Ways, spineWay{
			Path:  fmt.Sprintf("M%d %dH%dC%d %d %d %d %d %dH%d", x, y, x+232, x+290, y, x+276, end, box.X-22, end, box.X-7),
			Label: label, Dead: b.Service.State == "dead" || taker.State == "dead", X: x + 12, Y: y - 6,
		})
	}
	g.Boxes = append(g.Boxes, box)
}

// rest draws those who tell nobody and hear nobody, a column for each layer.
func (g *spineGraph) rest(alone []service) {
	layers := spinePage{Services: alone}.Layers()
	top, high := g.High+titleHigh, 0
	column := (graphWide - boxWide) / max(1, len(layers)-1)
	for i, layer := range layers {
		x := graphEdge + i*column
		if len(layer.Services) > 0 {
			g.Titles = append(g.Titles, spineTitle{layer.Title, x, top - 10})
		}
		for n, s := range layer.Services {
			g.Boxes = append(g.Boxes, spineBox{s, x, top + n*rowHigh})
		}
		high = max(high, len(layer.Services)*rowHigh)
	}
	g.High = top + high
}
