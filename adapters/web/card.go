package web

import (
	"bytes"
	"html/template"
	"net/http"
	"strconv"

	"chalie/adapters/api"
)

// cardPolicy is that of a card's document: it runs nothing, loads nothing, belongs
// to no origin, and shows in this site's pages alone.
const cardPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"

// card is GET /cards/:seq: the card of the frame with that number, as a document
// of its own. It was cleaned before it was stored, and is shown in a sandbox. A frame
// brings the session's cookie alone, which opens what the conversation holds.
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
