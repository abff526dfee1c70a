package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/narrate"
)

// spinePage is the services of the background bus and their state.
type spinePage struct {
	api.Spine
	Services  []service  `json:"services"`
	Consumers []consumer `json:"consumers"`

	Lately []entry `json:"-"` // deaths and recoveries, the newest first
}

// service is one of them, as GET /api/spine has it.
type service struct{ api.SpineService }

// Standing is its state in a word.
func (s service) Standing() string {
	if s.State == "passive" {
		return "on call"
	}
	return s.State
}

// Means says what its state means.
func (s service) Means() string {
	switch s.State {
	case "alive":
		return "It gives signs of life in time."
	case "dead":
		return "It gives no sign of life."
	case "done":
		return "It has done what it was there for."
	case "off":
		return "This start doesn't run it."
	}
	return "It works when it is asked, and has no life of its own."
}

// SetOff names its trigger.
func (s service) SetOff() string {
	switch s.Trigger {
	case domain.TriggerTimer:
		return "its own clock, " + s.Every()
	case domain.TriggerSignal:
		return "what was recorded or noticed"
	case domain.TriggerOnce:
		return "the start of the program"
	}
	return "somebody who asks"
}

// Every is how often it gives a sign of life.
func (s service) Every() string {
	return "every " + strings.TrimPrefix(narrate.Duration(time.Duration(s.CycleMS)*time.Millisecond), "1 ")
}

// GoodFor is how long a sign of life is good for.
func (s service) GoodFor() string { return narrate.Duration(time.Duration(s.TTLMS) * time.Millisecond) }

// Tells is what it emits, in words.
func (s service) Tells() string { return signalNames(s.Emits) }

// Takes is what it consumes, in words.
func (s service) Takes() string { return signalNames(s.Consumes) }

// Shown is its name as it is written everywhere on the page.
func (s service) Shown() string { return partName(s.Name) }

// consumer is a queue of background signals.
type consumer struct{ api.Consumer }

// Shown is its name as it is written everywhere on the page.
func (c consumer) Shown() string { return partName(c.Name) }

// layerOf is the services of one layer.
type layerOf struct {
	Layer    domain.Layer
	Title    string
	Services []service
}

// Layers are the services by layer.
func (p spinePage) Layers() []layerOf {
	out := []layerOf{
		{Layer: domain.LayerEmbodiment, Title: "Perceives and speaks"}, {Layer: domain.LayerCapability, Title: "Acts"},
		{Layer: domain.LayerCognitive, Title: "Thinks and remembers"},
	}
	for i := range out {
		for _, s := range p.Services {
			if s.Layer == out[i].Layer {
				out[i].Services = append(out[i].Services, s)
			}
		}
	}
	return out
}

// Dead are the dead services.
func (p spinePage) Dead() []service {
	return slices.DeleteFunc(slices.Clone(p.Services), func(s service) bool { return s.State != "dead" })
}

// Emitted are the signals that something emits, and how often since the start.
func (p spinePage) Emitted() []api.SignalType {
	return slices.DeleteFunc(slices.Clone(p.Signals), func(s api.SignalType) bool { return len(s.Emitters) == 0 })
}

// Picture is the graph of emitters and consumers.
func (p spinePage) Picture() spineGraph { return graphOf(p.Services, p.Recorded) }

// latest is how many deaths and recoveries are listed.
const latest = 8

// spine is GET /system/spine. With part=spine it is only what changes.
func (v *visit) spine() error {
	var page spinePage
	if err := v.ask("/api/spine", nil, &page); err != nil {
		return err
	}
	for _, eventType := range []domain.EventType{domain.ServiceDiedType, domain.ServiceRecoveredType} {
		got, err := v.askLog(url.Values{"type": {string(eventType)}, "order": {"newest"}}, latest)
		if err != nil {
			return err
		}
		page.Lately = append(page.Lately, got.Records...)
	}
	domain.SortFunc(page.Lately, func(a, b entry) int { return cmp.Compare(b.Position, a.Position) })
	page.Lately = page.Lately[:min(len(page.Lately), latest)]
	if v.r.URL.Query().Get("part") == "spine" {
		return v.part("spine", "spine", page)
	}
	return v.systemPage("spine", "Spine", []string{"spine.js"}, page)
}

// signalNames are types of signals in words.
func signalNames(types []domain.SpineType) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = plainWords(string(t))
	}
	return strings.Join(names, ", ")
}

// The layout of the spine's picture, in its own units.
const (
	boxWide, boxHigh = 204, 50
	rowHigh          = 64
	betweenColumns   = 352
	graphWide        = 2*boxWide + betweenColumns
	graphEdge        = 6
	titleHigh        = 34
)

// spineGraph is the picture of the spine: emitters on the left, consumers on the right,
// and other services below, by layer.
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

// spineWay is an arrow from an emitter to a consumer, with the number of signals since
// the start.
type spineWay struct {
	Path, Label string
	Dead        bool // its emitter is dead
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
	// Emitters for the same consumer are adjacent, so that arrows don't cross.
	domain.SortStableFunc(from, func(a, b service) int { return firstTaker(to, a) - firstTaker(to, b) })
	for i, s := range from {
		g.Boxes = append(g.Boxes, spineBox{s, graphEdge, graphEdge + i*rowHigh})
	}
	left := g.Boxes
	for _, taker := range to {
		g.take(taker, left, recorded)
	}
	g.High = graphEdge + len(from)*rowHigh
	g.drawUnconnected(alone)
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

// drawUnconnected draws the services that neither emit nor consume, a column for each
// layer.
func (g *spineGraph) drawUnconnected(alone []service) {
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
