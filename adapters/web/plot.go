package web

import (
	"fmt"
	"strings"
)

// The plot's own units: an hour across is hourWide, a salience of 1 is full high.
const (
	hourWide = 10
	full     = 40
)

// plot is how something fades: points of hours and salience.
type plot []struct {
	hours    int
	salience float64
}

func (p *plot) add(hours int, salience float64) {
	*p = append(*p, struct {
		hours    int
		salience float64
	}{hours, salience})
}

// Line is the path of the curve, as an SVG writes it.
func (p plot) Line() string {
	var b strings.Builder
	for i, at := range p {
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&b, "%s%d %.1f", command, at.hours*hourWide, full*(1-at.salience))
	}
	return b.String()
}

// Area is what is below it.
func (p plot) Area() string {
	if len(p) == 0 {
		return ""
	}
	return fmt.Sprintf("%sL%d %dL0 %dZ", p.Line(), p[len(p)-1].hours*hourWide, full, full)
}

// Box is the SVG's viewBox.
func (p plot) Box() string {
	if len(p) == 0 {
		return "0 0 1 1"
	}
	return fmt.Sprintf("0 0 %d %d", p[len(p)-1].hours*hourWide, full)
}

// Floor is how high the threshold stands, below which a thing is out of mind.
func (plot) Floor(threshold float64) string { return fmt.Sprintf("%.1f", full*(1-threshold)) }

// Told is the curve in words.
func (p plot) Told() string {
	if len(p) == 0 {
		return ""
	}
	last := p[len(p)-1]
	return fmt.Sprintf("%.0f %% now, %.0f %% in %d hours", 100*p[0].salience, 100*last.salience, last.hours)
}
