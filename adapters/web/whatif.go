package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// whatIfPage is the form of a what-if replay, filled from the page's address. Its module
// sends it.
type whatIfPage struct {
	Scope   string // all, since, trace, or one of the spans
	Since   string
	Trace   string
	Spans   []spot // that can be chosen, by how the API names them
	Without []supposed
	Edits   []supposed
	Approve []supposed // proposals to which a yes is supposed
	Groups  []settings
	Choices []held // what was heard lately
	Fields  []string
	Policy  string // that is supposed, as JSON; "" for none
	InForce string // the policy, as JSON
	Model   string
	Models  []string
}

// supposed is an input that the change names.
type supposed struct {
	ID, Label    string // Label is "" when it isn't among what was heard lately
	Field, Value string // of an edit
}

// settings are parameters that belong together.
type settings struct {
	Title string
	All   []setting
	Set   bool // one of them is changed
}

type setting struct {
	api.Parameter
	Now string // the value in the change
}

// Changed reports whether the change sets it.
func (s setting) Changed() bool { return s.Now != s.Value }

// whatIf is GET /what-if?set=NAME=VALUE&without=ID&approve=ID&edit=ID FIELD=VALUE&policy=JSON&model=&since=&trace=.
func (v *visit) whatIf() error {
	can, err := v.parameters()
	if err != nil {
		return err
	}
	var m shownWorld
	if err := v.ask("/api/world", nil, &m); err != nil {
		return err
	}
	asked := v.r.URL.Query()
	page := whatIfPage{Since: asked.Get("since"), Trace: asked.Get("trace"), Policy: asked.Get("policy"), Model: asked.Get("model"), Models: can.Models, Spans: spans()}
	page.scope()
	page.Choices = heardIn(m)
	for _, id := range asked["without"] {
		page.Without = append(page.Without, page.supposed(id))
	}
	for _, id := range asked["approve"] {
		page.Approve = append(page.Approve, page.supposed(id))
	}
	for _, text := range asked["edit"] {
		id, assignment, _ := strings.Cut(text, " ")
		one := page.supposed(id)
		one.Field, one.Value, _ = strings.Cut(strings.TrimSpace(assignment), "=")
		page.Edits = append(page.Edits, one)
	}
	page.Groups = settingsOf(can.Parameters, asked["set"])
	for _, in := range can.Inputs {
		if in.Type == domain.SignalReceivedType {
			page.Fields = in.Fields
		}
	}
	if page.InForce, err = v.policyInForce(); err != nil {
		return err
	}
	return v.show(http.StatusOK, "whatif", frame{Title: "What if", Here: "/what-if", Scripts: []string{"whatif.js"}, Page: page})
}

// spans are the periods that can be chosen.
func spans() []spot {
	return []spot{{"24h", "The last 24 hours"}, {"7d", "The last 7 days"}, {"30d", "The last 30 days"}}
}

// scope says which of the choices the question is about.
func (p *whatIfPage) scope() {
	switch {
	case p.Trace != "":
		p.Scope = "trace"
	case p.Since == "":
		p.Scope = "all"
	case slices.ContainsFunc(p.Spans, func(s spot) bool { return s.Path == p.Since }):
		p.Scope = p.Since
	default:
		p.Scope = "since"
	}
}

// maxChoices bounds how much of what was heard lately can be chosen from.
const maxChoices = 60

// heardIn is what was heard of what is in mind or left out, the newest first.
func heardIn(m shownWorld) []held {
	out := slices.DeleteFunc(slices.Concat(m.Items, m.LeftOut), func(h held) bool { return !h.Heard() })
	domain.SortFunc(out, func(a, b held) int { return int(int64(b.Position) - int64(a.Position)) })
	return out[:min(len(out), maxChoices)]
}

// supposed is an input by its id, with what it said when that is at hand.
func (p *whatIfPage) supposed(id string) supposed {
	out := supposed{ID: id}
	want, err := domain.ParseID(id)
	if err != nil {
		return out
	}
	if i := slices.IndexFunc(p.Choices, func(h held) bool { return h.EnvelopeID == want }); i >= 0 {
		out.Label = p.Choices[i].Label
	}
	return out
}

// settingsOf are the parameters in groups, with what the question sets.
func settingsOf(params []api.Parameter, set []string) []settings {
	groups := []settings{{Title: "What stays in mind"}, {Title: "What you are told"}, {Title: "How an answer is made"}}
	place := map[string]int{"surfaces": 1, "cooldown": 1, "repeated": 1, "directed": 1, "memory": 2, "model_calls": 2, "tool_calls": 2, "time": 2, "cost": 2}
	for _, p := range params {
		one := setting{p, p.Value}
		for _, text := range set {
			if name, value, _ := strings.Cut(text, "="); strings.TrimSpace(name) == p.Name {
				one.Now = value
			}
		}
		g := &groups[place[p.Name]]
		g.All, g.Set = append(g.All, one), g.Set || one.Changed()
	}
	return groups
}

// policyInForce is the policy as a person reads it; "" where nothing runs.
func (v *visit) policyInForce() (string, error) {
	a, err := v.send(http.MethodGet, "/api/policy", url.Values{}, nil)
	if err != nil || a.status == http.StatusServiceUnavailable {
		return "", err
	}
	if a.status != http.StatusOK {
		return "", a.refused()
	}
	var got struct {
		Policy json.RawMessage `json:"policy"`
	}
	var text bytes.Buffer
	if err := json.Unmarshal(a.body.Bytes(), &got); err != nil {
		return "", err
	}
	err = json.Indent(&text, got.Policy, "", "  ")
	return text.String(), err
}

// Asked reports whether the address holds a question.
func (p whatIfPage) Asked() bool {
	return len(p.Without) > 0 || len(p.Approve) > 0 || len(p.Edits) > 0 || p.Numbers() || p.Policy != "" || p.Model != ""
}

// Numbers reports whether the change sets a parameter.
func (p whatIfPage) Numbers() bool {
	return slices.ContainsFunc(p.Groups, func(g settings) bool { return g.Set })
}

// supposable lists what a change can name.
type supposable struct{ api.Supposable }

func (v *visit) parameters() (supposable, error) {
	var out supposable
	return out, v.ask("/api/what-if", nil, &out)
}

// value is that of a parameter; "" when there is none of that name.
func (s supposable) value(name string) string {
	i := slices.IndexFunc(s.Parameters, func(p api.Parameter) bool { return p.Name == name })
	if i < 0 {
		return ""
	}
	return s.Parameters[i].Value
}

// score is the value of a parameter that is a number; 0 when it isn't.
func (s supposable) score(name string) float64 {
	n, _ := strconv.ParseFloat(s.value(name), 64)
	return n
}

// rules are the numbers that Now explains saliences with, in words.
func (s supposable) rules() rulesNow {
	words := func(name string) string {
		text := s.value(name)
		if d, err := time.ParseDuration(text); err == nil {
			return spanInWords(d)
		}
		return text
	}
	return rulesNow{HalfLife: words("half_life"), DueHalfLife: words("due_half_life"), FiredFor: words("fired_for"), Slots: s.value("context")}
}

// sortByDue puts the next first.
func sortByDue(plans []api.Plan) {
	domain.SortStableFunc(plans, func(a, b api.Plan) int { return a.Due.Compare(b.Due.Time) })
}
