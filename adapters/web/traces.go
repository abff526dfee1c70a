package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// episode is a trace, as GET /api/traces has it.
type episode struct {
	api.Trace

	Who string `json:"-"` // who began it, by the name that a person knows
}

// tell fills in who began it, and what it says with names in it.
func (e *episode) tell(who people) {
	if e.TraceTexts == nil {
		e.TraceTexts = &api.TraceTexts{}
	}
	e.Who, e.CameIn, e.CameTo = who.of(*e), who.named(e.CameIn), who.named(e.CameTo)
}

// Took is from its first envelope to its last.
func (e episode) Took() time.Duration { return e.UpdatedAt.Sub(e.StartedAt) }

type tracesPage struct {
	api.TracePage
	Traces []episode `json:"traces"`

	Look   look
	Wrong  string // what of it can't be understood; "" when all can
	Begins bool   // these are the newest
	Here   string // the address of this page, for its module
	Newest string // the address of the newest of what is looked for
	Older  string // the address of what is further back; "" at the end
}

// tracesPerPage is how many traces are listed at once.
const tracesPerPage = "50"

// traces is GET /traces?before=&q=&outcome=&root=&source=&tool=&errors=&since=&until=.
// With part=list it is only the list, for the page's module.
func (v *visit) traces() error {
	in := v.r.URL.Query()
	page := tracesPage{Look: lookIn(in)}
	if id, named := page.Look.id(); named {
		return v.goTo("/traces/" + url.PathEscape(id))
	}
	query := page.Look.query(v.zone())
	query.Set("limit", tracesPerPage)
	query.Set("texts", "true")
	before := in.Get("before")
	if page.Begins = before == ""; !page.Begins {
		query.Set("before", before)
	}
	if err := v.ask("/api/traces", query, &page); err != nil {
		var mistaken bool
		if page.Wrong, mistaken = page.Look.wrong(err); !mistaken || in.Get("part") == "list" {
			return err
		}
	}
	who, err := v.who()
	if err != nil {
		return err
	}
	for i := range page.Traces {
		e := &page.Traces[i]
		if m, texts := e.Matched, e.TraceTexts; m != nil && m.Records == 1 && texts != nil && (m.Gist == texts.CameIn || m.Gist == texts.CameTo) {
			e.Matched = nil // it stands there already
		}
		e.tell(who)
	}
	page.addresses(before)
	if in.Get("part") == "list" {
		return v.part("traces", "list", page)
	}
	status := http.StatusOK
	if page.Wrong != "" {
		status = http.StatusBadRequest
	}
	return v.show(status, "traces", frame{Title: "Traces", Here: "/traces", Scripts: []string{"traces.js"}, Page: page})
}

func (p *tracesPage) addresses(before string) {
	here := p.Look.values()
	p.Newest = address("/traces", here)
	if p.Next != 0 {
		here.Set("before", position(p.Next))
		p.Older = address("/traces", here)
	}
	here.Del("before")
	if before != "" {
		here.Set("before", before)
	}
	here.Set("part", "list")
	p.Here = address("/traces", here)
}

// Few reports whether less was found than fits, though there is more to look through.
func (p tracesPage) Few() bool { return p.Next != 0 && len(p.Traces) < 50 }

// Sources are who sent what is listed, to choose from.
func (p tracesPage) Sources() []string {
	known := map[string]bool{string(domain.PrincipalOperator): true}
	for _, e := range p.Traces {
		known[string(e.Root.Principal)] = true
	}
	return sortedKeys(known)
}

// Tools are those that what is listed used.
func (p tracesPage) Tools() []string {
	known := map[string]bool{}
	for _, e := range p.Traces {
		for _, tool := range e.Tools {
			known[tool] = true
		}
	}
	return sortedKeys(known)
}

// people are the interfaces and streams by their ids.
type people map[string]string

func (v *visit) who() (people, error) {
	var apps []app
	if err := v.ask("/api/apps", nil, &apps); err != nil {
		return nil, err
	}
	out := people{}
	for _, a := range apps {
		out[a.ID.ID.String()] = a.Name
	}
	var broadcasts api.Streams
	if err := v.ask("/api/streams", nil, &broadcasts); err != nil {
		return nil, err
	}
	for _, s := range broadcasts.Streams {
		out[s.ID.String()] = s.Source
	}
	return out, nil
}

// named is a gist with names in place of the ids that it has.
func (p people) named(text string) string {
	if !strings.Contains(text, "-") {
		return text
	}
	for id, name := range p {
		if known, err := domain.ParseID(id); err == nil && name != "" {
			for _, kind := range []string{"interface ", "stream ", ""} {
				text = strings.ReplaceAll(text, kind+known.UUID(), name)
			}
		}
	}
	return text
}

// of is who began a trace. What an interface sends of its own accord is told by its
// name.
func (p people) of(e episode) string {
	for _, who := range []string{string(e.Root.Principal), string(e.Root.Source)} {
		bare, stream := strings.CutPrefix(who, "stream:")
		id, err := domain.ParseID(bare)
		if err != nil {
			continue
		}
		switch name := p[id.String()]; {
		case name != "":
			return name
		case stream:
			return "a stream that was removed"
		}
		return "an interface that was removed"
	}
	switch e.Root.Principal {
	case domain.PrincipalOperator:
		return "you"
	case domain.PrincipalCore:
		return "Chalie"
	}
	return string(e.Root.Principal)
}
