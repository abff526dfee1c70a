package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain"
	"chalie/replay/explain"
)

// askPlaces are the pages that ask about what happened, in the order of their own
// navigation.
func askPlaces() []spot {
	return []spot{{"/traces", "Traces"}, {"/why", "Why"}, {"/why-not", "Why not"}, {"/replay", "Replay"}}
}

// askPage is the page to choose what to ask why or why not about.
type askPage struct {
	Latest explain.Latest
	Not    bool   // why not
	Of     string // the subject
	Wrong  string // why the subject is invalid
}

// Path is where the question is sent to.
func (p askPage) Path() string {
	if p.Not {
		return "/why-not"
	}
	return "/why"
}

// askWhy is GET /why?of=.
func (v *visit) askWhy() error { return v.choose(askPage{}) }

// askWhyNot is GET /why-not?of=.
func (v *visit) askWhyNot() error { return v.choose(askPage{Not: true}) }

// choose redirects to the answer, or lists possible subjects.
func (v *visit) choose(page askPage) error {
	if of := v.r.URL.Query().Get("of"); of != "" {
		return v.goTo(page.Path() + "/" + url.PathEscape(of))
	}
	return v.choices(http.StatusOK, page)
}

func (v *visit) choices(status int, page askPage) error {
	if err := v.ask("/api/why", nil, &page.Latest); err != nil {
		return err
	}
	title := "Why"
	if page.Not {
		title = "Why not"
	}
	return v.show(status, "ask", frame{Title: title, Here: "/traces", Scripts: []string{"times.js"}, Page: page})
}

// whyPage tells why, in words, as a picture, and with the numbers of each cause.
type whyPage struct {
	explain.Explanation
	Asked   string
	Picture template.HTML // with links to the records
	File    string        // the address of the picture as a file
}

// Forward reports whether it shows effects.
func (p whyPage) Forward() bool { return p.Direction == explain.Forward }

// Measured are the numbers that some step has.
func (p whyPage) Measured() []meaning {
	var all []explain.Numbers
	for _, n := range p.Nodes {
		all = append(all, n.Numbers)
	}
	return meanings(all)
}

// why is GET /why/:id?direction=.
func (v *visit) why() error {
	page := whyPage{Asked: v.params.ByName("id")}
	query := url.Values{}
	if v.r.URL.Query().Get("direction") == string(explain.Forward) {
		query.Set("direction", string(explain.Forward))
	}
	path := "/api/why/" + url.PathEscape(page.Asked)
	if err := v.ask(path, v.zoned(query), &page.Explanation); err != nil {
		return v.orChoose(err, askPage{Of: page.Asked})
	}
	query.Set("format", "svg")
	page.File = path + "?" + query.Encode()
	page.Picture = picture(page.Explanation)
	title := "Why"
	if page.Forward() {
		title = "What came of it"
	}
	return v.show(http.StatusOK, "why", frame{Title: title, Here: "/traces", Scripts: []string{"times.js", "picture.js"}, Page: page})
}

// orChoose shows the error beside the field, with the possible subjects.
func (v *visit) orChoose(err error, page askPage) error {
	refused, ok := errors.AsType[*refusal](err)
	if !ok || refused.status != http.StatusNotFound && refused.status != http.StatusBadRequest {
		return err
	}
	page.Wrong = sentence(refused.message)
	return v.choices(refused.status, page)
}

// whyNotPage tells why the person wasn't told of something.
type whyNotPage struct {
	Asked  string
	Answer *silence // nil: the page's module asks for it
}

// silence is the answer, with what a template needs of it.
type silence struct{ explain.NotTold }

// Told is the record that told it after all; none for none.
func (s silence) Told() domain.ID { return s.Surfaced }

// Supposed is the address of the smallest change as a what-if; "" when it can't be one.
func (s silence) Supposed() string {
	if s.Change == nil {
		return ""
	}
	return whatIfPlace(*s.Change, s.Target)
}

// Settable is the address that fills in the smallest change as a setting; "" when it is none.
func (s silence) Settable() string {
	if s.Change == nil || len(s.Change.Set) == 0 {
		return ""
	}
	query, first := url.Values{}, ""
	for _, name := range sortedKeys(s.Change.Set) {
		query.Set(name, s.Change.Set[name])
		first = cmp.Or(first, name)
	}
	return "/system/settings?" + query.Encode() + "#" + url.PathEscape(first)
}

// Measured are the numbers that some decision has.
func (s silence) Measured() []meaning {
	var all []explain.Numbers
	for _, c := range s.Considered {
		all = append(all, c.Numbers)
	}
	return meanings(all)
}

// whyNot is GET /why-not/:id?try=&part=. To try changes may take long, so the page's
// module asks for that part; with try=false the answer is there without it.
func (v *visit) whyNot() error {
	page, asked := whyNotPage{Asked: v.params.ByName("id")}, v.r.URL.Query()
	path, query := "/api/why-not/"+url.PathEscape(page.Asked), v.zoned(nil)
	if asked.Get("part") == "answer" {
		query.Set("progress", "true")
		return v.work(http.MethodGet, path, query, nil, func(text []byte) ([]byte, error) {
			return piece[silence](v, "whynot", "answer", text)
		})
	}
	if asked.Get("try") == "false" {
		query.Set("try", "false")
		page.Answer = &silence{}
		if err := v.ask(path, query, page.Answer); err != nil {
			return v.orChoose(err, askPage{Not: true, Of: page.Asked})
		}
	} else if err := v.someone(); err != nil {
		return err
	}
	return v.show(http.StatusOK, "whynot", frame{Title: "Why not", Here: "/traces", Scripts: []string{"times.js", "whynot.js"}, Page: page})
}

func address(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// whatIfPlace is the address of a change as a filled-in what-if; "" for one that can't
// be. A change of the subject itself, or of a rule, counts from the subject's position;
// one of an earlier input from the beginning.
func whatIfPlace(r explain.Counterfactual, about explain.Subject) string {
	query := url.Values{}
	for _, name := range sortedKeys(r.Set) {
		query.Add("set", name+"="+r.Set[name])
	}
	if !r.Approve.IsZero() {
		query.Set("approve", r.Approve.String())
	}
	if !r.Without.IsZero() {
		query.Set("without", r.Without.String())
	}
	if r.Edit != nil {
		query.Set("edit", fmt.Sprintf("%s %s=%s", r.Edit.ID, r.Edit.Field, r.Edit.Value))
	}
	if r.Policy != nil {
		rules, err := json.Marshal(r.Policy)
		if err != nil {
			return "" // rules that were read can be written
		}
		query.Set("policy", string(rules))
	}
	if len(query) == 0 {
		return ""
	}
	if about.Position > 0 && r.Without.IsZero() && r.Approve.IsZero() && (r.Edit == nil || r.Edit.ID == about.ID) {
		query.Set("since", fmt.Sprintf("pos:%d", about.Position))
	}
	return "/what-if?" + query.Encode()
}

// number is a number that was reckoned then, in words.
type number struct{ Name, Value string }

// meaning is what a kind of number says.
type meaning struct{ Name, Says string }

// unit is how a number is written.
type unit int

const (
	aScore unit = iota // from 0 to 1
	aCount
	aSpan // milliseconds
	aCost // millionths of a US dollar
)

// scale is how a kind of number is told.
type scale struct {
	key, name, says string
	unit            unit
}

// scales are the numbers of explanations, the most telling first.
func scales() []scale {
	return []scale{
		{"salience", "salience", "how much it mattered at that moment, from 0 to 1", aScore},
		{"bonus", "for your plans", "what it counted more because it has to do with something you plan", aScore},
		{"relation", "relation", "how much it has to do with something you plan, from 0 to 1", aScore},
		{"relation_needed", "relation needed", "from which relation on you are told of it", aScore},
		{"threshold", "lowest salience", "below that something is out of mind", aScore},
		{"last_in", "last that was in mind", "what the least of those weighed that were thought with", aScore},
		{"slots", "places", "how many things are thought with", aCount},
		{"score", "score", "how strong the case was to tell you, from 0 to 1", aScore},
		{"confidence", "confidence", "how sure the model was, from 0 to 1", aScore},
		{"activation_energy", "energy", "how much it weighed when it came in, as its sender said, from 0 to 1", aScore},
		{"age_ms", "age", "how old it was then", aSpan},
		{"due_in_ms", "due in", "how long it was until its time", aSpan},
		{"overdue_ms", "late by", "how long its time was past", aSpan},
		{"told_ago_ms", "told before", "how long before you had been told", aSpan},
		{"duration_ms", "took", "how long that took", aSpan},
		{"in_mind", "in mind", "how many things were thought with", aCount},
		{"left_out", "left out", "how many things were known, and not thought with", aCount},
		{"evidence", "rests on", "how many things it rests on", aCount},
		{"rejected", "kept back", "how many things were considered, and not told", aCount},
		{"depth", "depth", "how many tools had asked for each other", aCount},
		{"input_tokens", "words in", "tokens that the model read; a word is one or two", aCount},
		{"output_tokens", "words out", "tokens that the model wrote", aCount},
		{"cost_micros", "cost", "what the model's answer cost", aCost},
	}
}

// numbersOf are the numbers of one step: those that say something.
func numbersOf(numbers explain.Numbers) []number {
	var out []number
	known := map[string]bool{}
	for _, s := range scales() {
		n, has := numbers[s.key]
		if known[s.key] = true; has && (n != 0 || s.unit == aScore && s.key != "bonus" && s.key != "confidence") {
			out = append(out, number{s.name, s.unit.write(n)})
		}
	}
	for _, key := range sortedKeys(numbers) {
		if !known[key] { // a newer program's
			out = append(out, number{strings.ReplaceAll(key, "_", " "), strconv.FormatFloat(numbers[key], 'g', 6, 64)})
		}
	}
	return out
}

// write is a number as a person reads it.
func (u unit) write(n float64) string {
	switch u {
	case aCount:
		return fmt.Sprintf("%.0f", n)
	case aSpan:
		return took(time.Duration(n) * time.Millisecond)
	case aCost:
		return fmt.Sprintf("$%.6g", n/1e6)
	}
	return domain.PPMOf(n).String()
}

// meanings say of each kind of number among these what it says.
func meanings(all []explain.Numbers) []meaning {
	var out []meaning
	for _, s := range scales() {
		if slices.ContainsFunc(all, func(n explain.Numbers) bool {
			return slices.ContainsFunc(numbersOf(n), func(m number) bool { return m.Name == s.name })
		}) {
			out = append(out, meaning{s.name, s.says})
		}
	}
	return out
}
