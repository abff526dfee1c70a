package web

import (
	"encoding/json"
	"net/http"
	"net/url"
)

// chatPage is the conversation. Its exchanges stand in the page as data, for the
// module to show: the same that shows what comes later.
type chatPage struct {
	Exchanges int
	More      bool            // there are earlier ones
	Images    bool            // the model that is asked first sees images
	Recent    json.RawMessage // GET /conversation/recent
}

func (v *visit) chat() error {
	var page chatPage
	if err := v.ask("/conversation/recent", url.Values{"limit": {"30"}, "steps": {"true"}}, &page.Recent); err != nil {
		return err
	}
	var recent struct {
		Exchanges []struct{} `json:"exchanges"`
		More      bool       `json:"has_more"`
	}
	if err := json.Unmarshal(page.Recent, &recent); err != nil {
		return err
	}
	page.Exchanges, page.More = len(recent.Exchanges), recent.More
	var vision struct {
		Available bool `json:"available"`
	}
	if err := v.ask("/chat/vision-capable", nil, &vision); err != nil {
		return err
	}
	page.Images = vision.Available
	return v.show(http.StatusOK, "chat", frame{Title: "Conversation", Here: "/chat", Scripts: []string{"chat.js"}, Page: page})
}
