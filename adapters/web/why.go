package web

import (
	"net/http"
	"net/url"

	"chalie/domain"
	"chalie/replay"
)

// whyPage tells why, in words, as a picture, and with the numbers of each cause.
type whyPage struct {
	replay.Explanation
	Forward bool
	Picture string // the address of the picture
	Other   string // the address of the other direction
}

// why is GET /why/:id?direction=.
func (v *visit) why() error {
	id := v.params.ByName("id")
	page := whyPage{Forward: v.r.URL.Query().Get("direction") == string(replay.Forward)}
	query, other := url.Values{}, url.Values{}
	if page.Forward {
		query.Set("direction", string(replay.Forward))
	} else {
		other.Set("direction", string(replay.Forward))
	}
	if err := v.ask("/api/why/"+url.PathEscape(id), query, &page.Explanation); err != nil {
		return err
	}
	page.Other = address("/why/"+url.PathEscape(id), other)
	query.Set("format", "svg")
	page.Picture = address("/api/why/"+url.PathEscape(id), query)
	return v.show(http.StatusOK, "why", frame{Title: "Why", Here: "/traces", Scripts: []string{"times.js"}, Page: page})
}

func address(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

type whyNotPage struct{ replay.Silence }

// Told is what told it after all; none when nothing did.
func (p whyNotPage) Told() domain.ID { return p.Surfaced }

// whyNot is GET /why-not/:id.
func (v *visit) whyNot() error {
	var page whyNotPage
	if err := v.ask("/api/why-not/"+url.PathEscape(v.params.ByName("id")), nil, &page.Silence); err != nil {
		return err
	}
	return v.show(http.StatusOK, "whynot", frame{Title: "Why not", Here: "/now", Scripts: []string{"times.js"}, Page: page})
}
