package web

import (
	"bytes"
	"html/template"
	"net/http"
	"net/url"
	"strconv"

	"chalie/domain"
)

// cardPolicy is that of a card's document: it runs nothing, loads nothing, belongs
// to no origin, and shows in this site's pages alone.
const cardPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"

// card is GET /cards/:seq: the card of the frame with that number, as a document
// of its own.
func (v *visit) card() error {
	seq, err := strconv.ParseUint(v.params.ByName("seq"), 10, 63)
	if err != nil {
		return noCard()
	}
	var found struct {
		Records []domain.Record `json:"records"`
	}
	from := strconv.FormatUint(uint64(domain.Seq(seq).Position()), 10)
	if err := v.ask("/api/log", url.Values{"from": {from}, "limit": {"1"}}, &found); err != nil {
		return err
	}
	if len(found.Records) == 0 {
		return noCard()
	}
	done, err := domain.Decode[domain.ToolCompleted](found.Records[0].Envelope)
	if err != nil || done.Card == nil {
		return noCard()
	}
	card := v.site.cfg.Hosts.Rule().Card(*done.Card)
	var out bytes.Buffer
	if err := v.site.pages["card"].ExecuteTemplate(&out, "card", struct {
		HTML template.HTML
		CSS  template.CSS
	}{template.HTML(card.HTML), template.CSS(card.CSS)}); err != nil { //nolint:gosec // cleaned before it was stored, and shown in a sandbox
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
