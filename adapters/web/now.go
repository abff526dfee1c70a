package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain"
)

// nowPage is what Chalie has in mind and how it will fade, or what it had.
type nowPage struct {
	Then    *then  // the moment of the past that is looked at; nil for now
	Pending bool   // that takes longer than a page may: its module waits for it
	Wrong   string // why there is no such moment
	Items   []held
	LeftOut []group
	Rules   rulesNow
	Next    ahead
	Life    life
}

// Pointed is the position that the slider stands at.
func (p nowPage) Pointed() domain.Position {
	if p.Then == nil {
		return p.Life.Last
	}
	number, named := strings.CutPrefix(p.Then.At, "pos:")
	if at, err := strconv.ParseUint(number, 10, 63); named && err == nil {
		return domain.Position(at)
	}
	if p.Pending {
		return p.Life.Last
	}
	return p.Then.Position
}

type mind struct {
	AsOf      domain.Millis         `json:"as_of"`
	Position  domain.Position       `json:"position"`
	Items     []held                `json:"items"`
	LeftOut   []held                `json:"left_out"`
	Relations []domain.SeenRelation `json:"relations"`
	StepMS    int64                 `json:"ahead_step_ms"`
}

// plotted is how far ahead the plots show.
const plotted = 12 * time.Hour

// now is GET /now?at=, or with pos= and time= as its forms send it. With part= it is
// a piece of the page, for its modules.
func (v *visit) now() error {
	query := v.r.URL.Query()
	moment, err := v.askedMoment(query)
	if err != nil {
		return err
	}
	if part := query.Get("part"); moment != nil && part != "" && part != "view" {
		return v.sectionPart(*moment, part)
	}
	page := nowPage{Then: moment}
	err = v.fillNow(&page)
	if refused, ok := errors.AsType[*refusal](err); ok && moment != nil && refused.status == http.StatusBadRequest {
		// What is wrong is told beside the slider, over what is now.
		page = nowPage{Wrong: refused.message}
		err = v.fillNow(&page)
	}
	if err != nil {
		return err
	}
	if query.Get("part") == "view" {
		return v.part("now", "view", page)
	}
	if page.Life, err = v.life(); err != nil {
		return err
	}
	title := "Now"
	if page.Then != nil {
		title = "As it was"
		if err := v.openSection(page.Then, query.Get("show")); err != nil {
			return err
		}
	}
	return v.show(http.StatusOK, "now", frame{Title: title, Here: "/now", Scripts: []string{"now.js", "then.js"}, Page: page})
}

// fillNow asks what is or was in mind.
func (v *visit) fillNow(page *nowPage) error {
	var err error
	query := url.Values{"ahead": {strconv.Itoa(int(plotted.Hours())) + "h"}}
	var m mind
	if page.Then == nil {
		err = v.ask("/api/world", query, &m)
		if err == nil {
			page.Next, err = v.ahead()
		}
	} else {
		query.Set("at", page.Then.At)
		page.Pending, err = v.askPast("/api/world", query, &m)
		page.Then.Time, page.Then.Position = m.AsOf, m.Position
	}
	if err != nil {
		return err
	}
	params, err := v.parameters()
	if err != nil {
		return err
	}
	floor := params.score("threshold")
	page.Rules = params.rules()
	for _, list := range [][]held{m.Items, m.LeftOut} {
		for i := range list {
			list[i].fill(m, floor, page)
		}
	}
	page.Items, page.LeftOut = m.Items, byGate(m.LeftOut, page.Rules)
	return nil
}

// fill adds to an item what the page shows with it.
func (h *held) fill(m mind, floor float64, page *nowPage) {
	h.Now, h.Rules = page.Then == nil, page.Rules
	h.Decay = plot{Saliences: h.Expected, Hours: (time.Duration(m.StepMS) * time.Millisecond * time.Duration(max(0, len(h.Expected)-1))).Hours(), Floor: floor}
	if h.TurnsAt != 0 {
		h.Decay.Turn = h.TurnsAt.Sub(m.AsOf).Hours()
	}
	if h.Bonus == 0 {
		return
	}
	for _, rel := range m.Relations {
		other := rel.Signal
		switch h.ID {
		case rel.Signal:
			other = rel.Commitment
		case rel.Commitment:
		default:
			continue
		}
		if i := slices.IndexFunc(m.Items, func(o held) bool { return o.ID == other }); i >= 0 {
			h.Bears = append(h.Bears, m.Items[i].Label)
		}
	}
}

// life is from where to where the log can be looked back on.
type life struct {
	First, Last domain.Position
	Began       domain.Millis
	Zone        string // in which the page's forms mean their times
}

func (v *visit) life() (life, error) {
	out := life{Zone: v.zone()}
	if out.Zone == "" {
		out.Zone = "UTC"
	}
	var health struct {
		Resources struct {
			Tail domain.Position `json:"log_tail"`
		} `json:"resources"`
	}
	var first struct {
		Records []domain.Record `json:"records"`
	}
	if err := v.ask("/health", nil, &health); err != nil {
		return out, err
	}
	if err := v.ask("/api/log", url.Values{"from": {"1"}, "limit": {"1"}}, &first); err != nil {
		return out, err
	}
	if len(first.Records) > 0 {
		out.First, out.Began, out.Last = first.Records[0].Position, first.Records[0].RecordedAt, health.Resources.Tail
	}
	return out, nil
}
