package web

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/http"
	"net/url"
	"strconv"

	"chalie/adapters/api"
	"chalie/domain"
)

// chatPage is the conversation. Its exchanges are in the page as data, which the module
// renders as it does later ones.
type chatPage struct {
	past
	Exchanges int
	More      bool            // there are earlier exchanges
	Images    bool            // the first model sees images
	Most      int             // bytes of a message
	Recent    json.RawMessage // GET /conversation/recent
}

// chat is GET /chat?at=.
func (v *visit) chat() error {
	page := chatPage{Most: domain.MaxTextBytes, past: past{Path: "/chat", Of: "conversation", Heading: "Conversation"}}
	if err := v.lookBack(&page.past, func() error { return v.fillChat(&page) }); err != nil {
		return err
	}
	if page.Then != nil {
		return v.showThen("chat", &page.past, &page, "chat_then.js")
	}
	var vision api.Available
	if err := v.ask("/chat/vision-capable", nil, &vision); err != nil {
		return err
	}
	page.Images = vision.Available
	return v.show(http.StatusOK, "chat", frame{Title: page.Heading, Here: "/chat", Scripts: []string{"chat.js"}, Page: page})
}

// fillChat requests the latest exchanges; fewer for a past moment, because a reader looks
// at several.
func (v *visit) fillChat(page *chatPage) error {
	limit := "30"
	if page.Then != nil {
		limit = "10"
	}
	if err := v.askThen(&page.past, "/conversation/recent", url.Values{"limit": {limit}, "steps": {"true"}}, &page.Recent); err != nil || page.Pending {
		return err
	}
	var recent struct { // passed on unchanged to the modules
		Exchanges []struct{} `json:"exchanges"`
		HasMore   bool       `json:"has_more"`
	}
	if err := json.Unmarshal(page.Recent, &recent); err != nil {
		return err
	}
	page.Exchanges, page.More = len(recent.Exchanges), recent.HasMore
	return nil
}

// cardPolicy is that of a card's document: it runs nothing, loads nothing, belongs
// to no origin, and shows in this site's pages alone.
const cardPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"

// card is GET /cards/:seq: the card of the frame with that number, as a document of its
// own. It was sanitised before it was stored, and is shown in a sandbox. An HTML frame is
// requested with the session's cookie alone, which is enough for the conversation's
// content.
func (v *visit) card() error {
	seq, err := strconv.ParseUint(v.params.ByName("seq"), 10, 63)
	if err != nil {
		return noCard()
	}
	var found api.Card
	if err := v.ask("/api/cards/"+strconv.FormatUint(seq, 10), nil, &found); err != nil {
		return err
	}
	var out bytes.Buffer
	cleaned := struct {
		HTML template.HTML
		CSS  template.CSS
	}{template.HTML(found.HTML), template.CSS(found.CSS)}
	if err := v.site.pages["card"].ExecuteTemplate(&out, "card", cleaned); err != nil {
		return err
	}
	h := v.w.Header()
	h.Set("Content-Security-Policy", cardPolicy)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	v.write(http.StatusOK, out.Bytes())
	return nil
}

func noCard() error {
	return &refusal{status: http.StatusNotFound, message: "There is no such card: it may have been erased, or the link is not a card's."}
}
