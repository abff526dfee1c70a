package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/narrate"
)

// episode is a trace, as GET /api/traces has it.
type episode struct {
	api.Trace

	Who string `json:"-"` // the name of its first sender
}

// tell fills in the sender's name, and names in the texts.
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
	Begins bool   // the first page
	Here   string // the address of this page, for its module
	Newest string // the address of the first page of the search
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
			e.Matched = nil // it is shown already
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

// Few reports whether the page isn't full though the search isn't complete.
func (p tracesPage) Few() bool { return p.Next != 0 && len(p.Traces) < 50 }

// Sources are the senders of the listed traces, to choose from.
func (p tracesPage) Sources() []string {
	known := map[string]bool{string(domain.PrincipalOperator): true}
	for _, e := range p.Traces {
		known[string(e.Root.Principal)] = true
	}
	return sortedKeys(known)
}

// Tools are the tools of the listed traces.
func (p tracesPage) Tools() []string {
	known := map[string]bool{}
	for _, e := range p.Traces {
		for _, tool := range e.Tools {
			known[tool] = true
		}
	}
	return sortedKeys(known)
}

// people are the interfaces, streams and programs by their ids.
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
	var let api.Tokens
	if err := v.ask("/api/tokens", nil, &let); err != nil {
		return nil, err
	}
	for who, name := range let.Names {
		if id, ok := who.Program(); ok {
			out[id.String()] = name
		}
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
			for _, kind := range []string{"interface ", "stream ", domain.ProgramNamed(""), ""} {
				text = strings.ReplaceAll(text, kind+known.UUID(), name)
			}
		}
	}
	return text
}

// of is the name of a trace's first sender.
func (p people) of(e episode) string {
	for _, who := range []string{string(e.Root.Principal), string(e.Root.Source)} {
		bare, stream := strings.CutPrefix(who, "stream:")
		bare, program := strings.CutPrefix(bare, domain.ProgramNamed(""))
		id, err := domain.ParseID(bare)
		if err != nil {
			continue
		}
		switch name := p[id.String()]; {
		case name != "":
			return name
		case stream:
			return "a stream that was removed"
		case program:
			return string(e.Root.Source)
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

// look is the form's search of traces.
type look struct {
	Words, Outcome, Root, Source, Tool, Since, Until string
	Errors, Mattered                                 bool
}

func lookIn(in url.Values) look {
	text := func(name string) string { return strings.TrimSpace(in.Get(name)) }
	return look{Words: text("q"), Outcome: text("outcome"), Root: text("root"), Source: text("source"), Tool: text("tool"),
		Since: text("since"), Until: text("until"), Errors: in.Get("errors") != "", Mattered: in.Get("mattered") != ""}
}

// values are the form's values without empty ones.
func (l look) values() url.Values {
	out := url.Values{}
	for name, text := range map[string]string{"q": l.Words, "outcome": l.Outcome, "root": l.Root, "source": l.Source, "tool": l.Tool, "since": l.Since, "until": l.Until} {
		if text != "" {
			out.Set(name, text)
		}
	}
	if l.Errors {
		out.Set("errors", "true")
	}
	if l.Mattered {
		out.Set("mattered", "true")
	}
	return out
}

// query is the search for the API. Days are those of the person's zone.
func (l look) query(zone string) url.Values {
	out := l.values()
	if l.Words != "" {
		out.Del("q")
		out.Set("words", l.Words)
	}
	place, err := time.LoadLocation(zone)
	if err != nil {
		place = time.UTC
	}
	for name, days := range map[string]int{"since": 0, "until": 1} { // until is the end of its day
		if day, err := time.ParseInLocation(time.DateOnly, out.Get(name), place); err == nil {
			out.Set(name, day.AddDate(0, 0, days).Format(time.RFC3339))
		}
	}
	return out
}

// wrong names the form's field that can't be understood.
func (l look) wrong(err error) (string, bool) {
	text, mistaken := refusedWith(err, http.StatusBadRequest)
	var r *refusal
	if !mistaken || !errors.As(err, &r) {
		return "", false
	}
	day := func(label, text string) string {
		return fmt.Sprintf("“%s”: “%s” is no day. Choose one, or write it as 2026-03-17.", label, shortened(text))
	}
	switch r.field {
	case "since":
		return day("From", l.Since), true
	case "until":
		return day("To", l.Until), true
	case "outcome":
		return "“Came to” can't be that: choose one of the list.", true
	}
	return sentence(text), true
}

// Any reports whether the search has any filter.
func (l look) Any() bool { return l != look{} }

// More reports whether a filter behind the button is set.
func (l look) More() bool {
	return l.Source != "" || l.Tool != "" || l.Since != "" || l.Until != "" || l.Errors
}

// id is the id or the position that was entered in place of words.
func (l look) id() (string, bool) {
	if id, err := domain.ParseID(l.Words); err == nil {
		return id.String(), true
	}
	if number, ok := strings.CutPrefix(l.Words, "pos:"); ok {
		_, err := strconv.ParseUint(number, 10, 63)
		return l.Words, err == nil
	}
	return "", false
}

// choice is one of a list to choose from.
type choice struct {
	Value, Name string
	Chosen      bool
}

func choices(chosen string, all ...string) []choice {
	out := make([]choice, 0, len(all)/2)
	for i := 0; i < len(all); i += 2 {
		out = append(out, choice{all[i], all[i+1], all[i] == chosen})
	}
	return out
}

// Outcomes are the outcomes to choose from.
func (l look) Outcomes() []choice {
	return choices(l.Outcome, "", "Anything", "open", "Still going on", "done", "Done", "failed", "Failed", "responded", "Answered", "surfaced", "Told you",
		"held", "Kept to itself", "yielded", "Made room for you", "cancelled", "Stopped")
}

// Roots are the beginnings to choose from.
func (l look) Roots() []choice {
	return choices(l.Root, "", "Anything", "message", "A message", "signal", "A signal", "spine", "A thought of its own", "timer", "A reminder, appointment or deadline",
		"tool", "A tool call", "action", "An action", "context", "Your surroundings", "image", "An image", "interface", "An interface", "pairing", "Pairing",
		"stream", "A broadcast", "policy", "The policy", "operator", "The account", "token", "A token", "service", "A service", "projection", "A projection", "system", "The program itself")
}

// Kind names a trace's beginning in a word.
func (e episode) Kind() string { return narrate.Kind(e.Root.Type) }

// Lead tells the trace's beginning.
func (e episode) Lead() string { return narrate.Lead(e.Root.Type, e.Who, e.CameIn) }

// outcome is the outcome of the trace, with or without a conclusion.
func (e episode) outcome() domain.Outcome {
	return domain.EndingOf(e.Outcome == "open", e.Outcome == "failed", e.Concluded)
}

// Standing is its state in a word or two.
func (e episode) Standing() string { return e.outcome().Brief() }

// looks are the classes of the badges for outcomes.
var looks = map[domain.Outcome]string{
	domain.EndingOpen: "info", domain.OutcomeFailed: "error", domain.OutcomeCancelled: "warning", domain.OutcomeYielded: "warning",
	domain.OutcomeResponded: "success", domain.OutcomeSurfaced: "success",
}

// Look is the class of its badge.
func (e episode) Look() string {
	if look, ok := looks[e.outcome()]; ok {
		return look
	}
	return "plain-badge"
}

// Came tells the result in a sentence; its quote is a text of the log, and may be empty.
func (e episode) Came() (said struct{ Says, Quote string }) {
	says := e.outcome().Sentence()
	switch e.outcome() {
	case domain.OutcomeResponded, domain.OutcomeSurfaced, domain.OutcomeFailed:
		said.Quote = e.CameTo
	case domain.EndingDone:
		said.Quote = e.CameTo
		says = e.cameOf()
	}
	switch {
	case said.Quote != "":
		said.Says = says + ":"
	case says != "":
		said.Says = says + "."
	}
	return said
}

// cameOf tells the result of a trace without reasoning.
func (e episode) cameOf() string {
	switch {
	case e.CameTo != "":
		return "In the end"
	case e.Root.Type == domain.SignalReceivedType:
		return "Chalie heard it, and keeps it in mind while it matters"
	case e.Root.Type == domain.ContextUpdatedType:
		return "Chalie takes it into account"
	}
	return "" // it had no effect
}

// Cost is the models' cost; "" for none.
func (e episode) Cost() string {
	switch {
	case e.CostMicros > 0 && e.CostMicros < 10_000:
		return fmt.Sprintf("%.2f ¢", float64(e.CostMicros)/10_000)
	case e.CostMicros > 0:
		return fmt.Sprintf("$%.2f", float64(e.CostMicros)/1_000_000)
	case e.Tokens > 0:
		return grouped(e.Tokens) + " tokens"
	}
	return ""
}

// Steps is the number of its envelopes.
func (e episode) Steps() string {
	if e.Envelopes == 1 {
		return "1 step"
	}
	return grouped(e.Envelopes) + " steps"
}
