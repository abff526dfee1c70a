package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
)

// section is something else that was known then.
type section struct {
	Name, Title string
	At          string
	Known       any // as its template shows it; nil until somebody asks for it
}

// pastSections are what can be asked of the past beside what was in mind.
func pastSections(at string) []section {
	return []section{
		{Name: "conversation", Title: "What had been said", At: at},
		{Name: "plans", Title: "What was planned", At: at},
		{Name: "interfaces", Title: "Who Chalie spoke with", At: at},
		{Name: "approvals", Title: "What waited for your approval", At: at},
		{Name: "policy", Title: "What Chalie was allowed to do", At: at},
	}
}

// sectionPart writes one section for the page's module.
func (v *visit) sectionPart(moment then, name string) error {
	sections := pastSections(moment.At)
	i := slices.IndexFunc(sections, func(s section) bool { return s.Name == name })
	if i < 0 {
		return &refusal{status: http.StatusNotFound, message: "There is no such part of the page."}
	}
	known, err := v.known(sections[i])
	if err != nil {
		return err
	}
	return v.part("now", "then-"+name, known)
}

// openSection fills the section that a page without modules was asked to show.
func (v *visit) openSection(moment *then, name string) error {
	for i, s := range moment.Sections {
		if s.Name != name {
			continue
		}
		known, err := v.known(s)
		if err != nil {
			return err
		}
		moment.Sections[i].Known = known
	}
	return nil
}

// known is what a section shows.
func (v *visit) known(s section) (any, error) {
	query := url.Values{"at": {s.At}}
	switch s.Name {
	case "conversation":
		said := saidThen{All: address("/chat", query)}
		query.Set("limit", "10")
		return &said, v.ask("/conversation/recent", query, &said)
	case "plans":
		var plans api.Plans
		return &plans, v.ask("/api/plans", query, &plans)
	case "interfaces":
		var apps api.PastApps
		return &apps, v.ask("/api/apps", query, &apps)
	case "approvals":
		var waiting api.Proposals
		return &waiting, v.ask("/api/approvals", query, &waiting)
	default:
		var rules api.Policy
		return &rules, v.ask("/api/policy", query, &rules)
	}
}

// saidThen is the end of the conversation of then.
type saidThen struct {
	api.Conversation
	All string `json:"-"` // the address of the whole
}

// Text is what blocks say, for reading.
func (saidThen) Text(blocks []domain.Block) string {
	return strings.TrimSpace(domain.PlainText(blocks))
}
