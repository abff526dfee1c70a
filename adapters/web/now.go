package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"chalie/domain"
)

// nowPage is what Chalie has in mind, and how it will fade.
type nowPage struct {
	Items, LeftOut []held
	Hours          int // that the plots show
}

// held is an item of the world state with its salience over the next hours.
type held struct {
	ID       domain.ID       `json:"envelope_id"`
	Kind     domain.ItemKind `json:"kind"`
	Label    string          `json:"label"`
	Salience float64         `json:"salience"`
	Bonus    float64         `json:"bonus"`
	Gate     domain.Gate     `json:"gate"`
	Source   string          `json:"source"`
	TraceID  domain.ID       `json:"trace_id"`
	Age      int64           `json:"age_seconds"`
	Moment   domain.Millis   `json:"moment"`
	Phase    domain.Phase    `json:"phase"`

	Decay plot `json:"-"`
}

type mind struct {
	AsOf    domain.Millis `json:"as_of"`
	Items   []held        `json:"items"`
	LeftOut []held        `json:"left_out"`
}

// ahead are the hours at which the plots have a point.
var ahead = []int{0, 1, 2, 4, 6, 8, 10, 12}

// now is GET /now. With part=items it is only what changes, for the page's module.
func (v *visit) now() error {
	page := nowPage{Hours: ahead[len(ahead)-1]}
	for i, hours := range ahead {
		var then mind
		query := url.Values{}
		if hours > 0 {
			query.Set("at", "+"+strconv.Itoa(hours)+"h")
		}
		if err := v.ask("/api/world", query, &then); err != nil {
			return err
		}
		if i == 0 {
			page.Items, page.LeftOut = then.Items, then.LeftOut
		}
		later := slices.Concat(then.Items, then.LeftOut)
		for _, list := range [][]held{page.Items, page.LeftOut} {
			for n := range list {
				list[n].Decay.add(hours, salienceIn(later, list[n].ID))
			}
		}
	}
	if v.r.URL.Query().Get("part") == "items" {
		return v.part("now", "items", page)
	}
	return v.show(http.StatusOK, "now", frame{Title: "Now", Here: "/now", Scripts: []string{"now.js"}, Page: page})
}

// salienceIn is how much an item matters in another mind: 0 when it is gone.
func salienceIn(items []held, id domain.ID) float64 {
	i := slices.IndexFunc(items, func(h held) bool { return h.ID == id })
	if i < 0 {
		return 0
	}
	return items[i].Salience
}
