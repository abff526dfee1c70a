package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain"
)

// then is a moment of the past that is looked at.
type then struct {
	At       string // as the API is asked for it
	Time     domain.Millis
	Position domain.Position
	Sections []section
}

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

// localTime is how forms send a moment: without a zone.
const localTime = "2006-01-02T15:04"

// askedMoment is the moment that a request asks about; nil for now.
func (v *visit) askedMoment(query url.Values) (*then, error) {
	at := query.Get("at")
	if pos := query.Get("pos"); pos != "" {
		at = "pos:" + pos
	}
	if text := query.Get("time"); text != "" {
		zone, err := time.LoadLocation(v.zone())
		if err != nil {
			return nil, err
		}
		at = text
		for _, layout := range []string{localTime, localTime + ":05"} {
			if t, err := time.ParseInLocation(layout, text, zone); err == nil {
				at = strconv.FormatInt(t.UnixMilli(), 10)
			}
		}
	}
	if at == "" || at == "now" {
		return nil, nil
	}
	return &then{At: at, Sections: pastSections(at)}, nil
}

// pastWithin bounds how long a page waits for an answer about the past before it
// leaves that to its module.
const pastWithin = 60 * time.Millisecond

// askPast asks about the past. Pending says that the answer takes longer than a page
// may, unless the request says to wait for it.
func (v *visit) askPast(path string, query url.Values, into any) (pending bool, err error) {
	if asked := v.r.URL.Query(); asked.Get("wait") != "" || asked.Get("part") != "" {
		return false, v.ask(path, query, into)
	}
	ctx, cancel := context.WithTimeout(v.r.Context(), pastWithin)
	defer cancel()
	hurried := *v
	hurried.r = v.r.WithContext(ctx)
	err = hurried.ask(path, query, into)
	if err != nil && v.r.Context().Err() == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return true, nil
	}
	return false, err
}

// sectionPart writes one section for the page's module.
func (v *visit) sectionPart(moment then, name string) error {
	i := slices.IndexFunc(moment.Sections, func(s section) bool { return s.Name == name })
	if i < 0 {
		return &refusal{status: http.StatusNotFound, message: "There is no such part of the page."}
	}
	known, err := v.known(moment.Sections[i])
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
		var said saidThen
		query.Set("limit", "10")
		return &said, v.ask("/conversation/recent", query, &said)
	case "plans":
		var plans plansThen
		return &plans, v.ask("/api/plans", query, &plans)
	case "interfaces":
		var apps struct {
			Apps []struct {
				Name     string                     `json:"name"`
				Status   domain.InterfaceStatus     `json:"status"`
				Approved map[string]map[string]bool `json:"approved_scopes"`
			} `json:"apps"`
		}
		return &apps, v.ask("/api/apps", query, &apps)
	case "approvals":
		var waiting struct {
			Approvals []struct {
				Summary   string        `json:"summary"`
				Actor     string        `json:"actor"`
				TraceID   string        `json:"trace_id"`
				ExpiresAt domain.Millis `json:"expires_at"`
			} `json:"approvals"`
		}
		return &waiting, v.ask("/api/approvals", query, &waiting)
	default:
		var rules struct {
			Regime string             `json:"regime_id"`
			Policy domain.PolicyRules `json:"policy"`
		}
		return &rules, v.ask("/api/policy", query, &rules)
	}
}

// saidThen is the end of the conversation of then.
type saidThen struct {
	Exchanges []struct {
		Prompt    string         `json:"prompt"`
		Blocks    []domain.Block `json:"blocks"`
		Timestamp string         `json:"timestamp"`
	} `json:"exchanges"`
	Total int `json:"total"`
}

// Text is what blocks say, for reading.
func (saidThen) Text(blocks []domain.Block) string {
	return strings.TrimSpace(domain.PlainText(blocks))
}

type plansThen struct {
	Reminders []plannedItem `json:"reminders"`
	Tasks     []plannedItem `json:"tasks"`
}
