package web

import (
	"net/http"
	"slices"

	"chalie/adapters/api"
	"chalie/replay/narrate"
)

// accountPage is who is logged in, where, and which programs were let in.
type accountPage struct {
	api.Account

	Sessions []session
	Total    int // of the sessions, those beyond the list included
	Tokens   []api.Token

	Elsewhere []elsewhere
}

// Others reports whether somebody else is logged in.
func (p accountPage) Others() bool { return p.Total > 1 }

// More is how many sessions are beyond the list.
func (p accountPage) More() int { return p.Total - len(p.Sessions) }

// session is a session, as GET /api/sessions has it.
type session struct{ api.Session }

// elsewhere is a use of a session, as GET /api/sessions-elsewhere has it.
type elsewhere struct{ api.Elsewhere }

// Device is what used it, as far as can be told from what it called itself.
func (e elsewhere) Device() string { return session{api.Session{Client: e.Client}}.Device() }

// CameFrom is where it was.
func (e elsewhere) CameFrom() string {
	return session{api.Session{From: e.From, Relayed: e.Relayed}}.CameFrom()
}

// account is GET /account. With part=tokens or part=sessions it is only those, for the
// page's module.
func (v *visit) account() error {
	var page accountPage
	switch part := v.r.URL.Query().Get("part"); part {
	case "tokens":
		if err := page.askTokens(v); err != nil {
			return err
		}
		return v.part("account", part, page)
	case "sessions":
		if err := page.askSessions(v); err != nil {
			return err
		}
		return v.part("account", part, page)
	}
	if err := v.ask("/api/account", nil, &page); err != nil {
		return err
	}
	if err := page.askTokens(v); err != nil {
		return err
	}
	if err := page.askSessions(v); err != nil {
		return err
	}
	return v.show(http.StatusOK, "account", frame{Title: "Account", Here: "/account", Scripts: []string{"act.js", "entry.js", "account.js"}, Page: page})
}

func (p *accountPage) askTokens(v *visit) error {
	var tokens api.Tokens
	err := v.ask("/api/tokens", nil, &tokens)
	p.Tokens = tokens.Tokens
	return err
}

func (p *accountPage) askSessions(v *visit) error {
	var open struct {
		Sessions []session `json:"sessions"`
		Total    int       `json:"total"`
	}
	if err := v.ask("/api/sessions", nil, &open); err != nil {
		return err
	}
	p.Sessions, p.Total = open.Sessions, open.Total
	var used struct {
		Elsewhere []elsewhere `json:"elsewhere"`
	}
	if err := v.ask("/api/sessions-elsewhere", nil, &used); err != nil {
		return err
	}
	p.Elsewhere = used.Elsewhere
	// The one they are in comes first: it is the one they know.
	slices.SortStableFunc(p.Sessions, func(a, b session) int {
		switch {
		case a.Current == b.Current:
			return 0
		case a.Current:
			return -1
		}
		return 1
	})
	return nil
}

// Device is what a session's client is, as far as can be told from what it called
// itself when it logged in.
func (s session) Device() string {
	if s.Client == "" {
		return "A client that did not say what it is"
	}
	return narrate.Client(s.Client)
}

// CameFrom is where it was logged in from.
func (s session) CameFrom() string {
	if from := narrate.CameFrom(s.From, s.Relayed); from != "" {
		return from
	}
	return "from where is not recorded"
}
