package web

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// nowPage is what Chalie has in mind and how it will fade, or what it had.
type nowPage struct {
	past
	Items   []held
	LeftOut []group
	Rules   rulesNow
	Next    ahead
}

// mind is the world state, with items that the page can show.
type mind struct {
	api.World
	Items   []held `json:"items"`
	LeftOut []held `json:"left_out"`
}

// sameMoment is how far ahead the present may be named: it is now by the clock of whoever
// asks.
const sameMoment = 5 * time.Second

// plotted is how far ahead the plots show.
const plotted = 12 * time.Hour

// now is GET /now?at=, or with pos= and time= as its forms send it. With part= it is
// a piece of the page, for its modules.
func (v *visit) now() error {
	query := v.r.URL.Query()
	if part := query.Get("part"); part != "" && part != "view" {
		moment, err := v.askedMoment(query)
		if err != nil {
			return err
		}
		if moment != nil {
			return v.sectionPart(*moment, part)
		}
	}
	page := nowPage{past: past{Path: "/now", Of: "world", Heading: "Now"}}
	if err := v.lookBack(&page.past, func() error { return v.fillNow(&page) }); err != nil {
		return err
	}
	if page.Then != nil {
		if err := v.openSection(page.Then, query.Get("show")); err != nil {
			return err
		}
	}
	return v.showThen("now", &page.past, &page, "now.js")
}

// fillNow asks what is or was in mind.
func (v *visit) fillNow(page *nowPage) error {
	var err error
	query := url.Values{"ahead": {strconv.Itoa(int(plotted.Hours())) + "h"}}
	var m mind
	asked := domain.MillisOf(time.Now().Add(sameMoment))
	if page.Then == nil {
		err = v.ask("/api/world", query, &m)
		if err == nil {
			page.Next, err = v.ahead()
		}
	} else {
		query.Set("at", page.Then.At)
		page.Pending, err = v.askPast("/api/world", query, &m)
		page.Then.Time, page.Then.Position = m.AsOf, m.Position
		// What is planned and said by then nobody knows.
		if page.Then.Ahead = m.AsOf > asked; !page.Then.Ahead {
			page.Then.Sections = pastSections(page.Then.At)
		}
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
	page.Lead = fmt.Sprintf("What Chalie would think with at this moment. Up to %s things go into every answer; each fades with time.", page.Rules.Slots)
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
	h.Decay = plot{From: "now", Saliences: h.Expected, Hours: (time.Duration(m.StepMS) * time.Millisecond * time.Duration(max(0, len(h.Expected)-1))).Hours(), Floor: floor}
	if !h.Now {
		h.Decay.From = "then"
	}
	if h.TurnsAt != 0 {
		h.Decay.Turn = h.TurnsAt.Sub(m.AsOf).Hours()
	}
	if h.Bonus == 0 {
		return
	}
	for _, rel := range m.Relations {
		other := rel.Signal
		switch h.EnvelopeID {
		case rel.Signal:
			other = rel.Commitment
		case rel.Commitment:
		default:
			continue
		}
		if i := slices.IndexFunc(m.Items, func(o held) bool { return o.EnvelopeID == other }); i >= 0 {
			h.Bears = append(h.Bears, m.Items[i].Label)
		}
	}
}
