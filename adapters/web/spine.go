package web

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/narrate"
)

// spinePage is the services that Chalie is made of, and how they are.
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

// SetOff says what sets it off.
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

// consumer is a queue of what is to be thought about unasked.
type consumer struct{ api.Consumer }

// Shown is its name as it is written everywhere on the page.
func (c consumer) Shown() string { return partName(c.Name) }

// layerOf is the services of one layer.
type layerOf struct {
	Layer    domain.Layer
	Title    string
	Services []service
}

// Layers are the services by what they are for.
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

// Dead are the services that are.
func (p spinePage) Dead() []service {
	return slices.DeleteFunc(slices.Clone(p.Services), func(s service) bool { return s.State != "dead" })
}

// Emitted are the signals that something emits, and how often since the start.
func (p spinePage) Emitted() []api.SignalType {
	return slices.DeleteFunc(slices.Clone(p.Signals), func(s api.SignalType) bool { return len(s.Emitters) == 0 })
}

// Picture is who tells whom what.
func (p spinePage) Picture() spineGraph { return graphOf(p.Services, p.Recorded) }

// latest is how many deaths and recoveries are told.
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
	slices.SortFunc(page.Lately, func(a, b entry) int { return cmp.Compare(b.Position, a.Position) })
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
