package web

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"

	"chalie/domain"
	"chalie/replay/explain"
)

// askPlaces are the pages that ask about what happened, in the order of their own
// navigation.
func askPlaces() []spot {
	return []spot{{"/traces", "Traces"}, {"/why", "Why"}, {"/why-not", "Why not"}, {"/replay", "Replay"}}
}

// askPage is where a person chooses what to ask about: why, or why not.
type askPage struct {
	Latest explain.Latest
	Not    bool   // why not
	Of     string // what they asked about
	Wrong  string // why that can't be asked
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

// choose leads to the answer, or shows what can be asked about.
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

// Forward reports whether it goes on to what came of it.
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

// orChoose says beside the field why something can't be asked, and offers what can.
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

// Told is what told it after all; none when nothing did.
func (s silence) Told() domain.ID { return s.Surfaced }

// Supposed is where the smallest change can be looked at; "" when it can't be supposed.
func (s silence) Supposed() string {
	if s.Change == nil {
		return ""
	}
	return whatIfPlace(*s.Change, s.Target)
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
