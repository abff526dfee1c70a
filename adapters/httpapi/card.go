package httpapi

import (
	"net/http"
	"strconv"

	"chalie/adapters/api"
	"chalie/domain"
)

// card is GET /api/cards/:seq: the card of the frame with that number, cleaned as it was
// stored, and leading nowhere that a browser may not be led.
func (x *exchange) card() error {
	seq, err := strconv.ParseUint(x.params.ByName("seq"), 10, 63)
	if err != nil {
		return noCard()
	}
	records, err := x.api.cfg.Log.Select(x.r.Context(), domain.Selector{Topic: domain.TopicAll}, domain.Seq(seq).Position(), 1)
	if err != nil {
		return err
	}
	if len(records) == 0 || records[0].Position != domain.Seq(seq).Position() {
		return noCard()
	}
	done, err := domain.Decode[domain.ToolCompleted](records[0].Envelope)
	if err != nil || done.Card == nil {
		return noCard()
	}
	card := x.rule().Card(*done.Card)
	return x.answer(http.StatusOK, api.Card{HTML: card.HTML, CSS: card.CSS})
}

func noCard() error {
	return &domain.Error{Op: "read card", Category: domain.NotFound, Code: "no_card",
		Message: "there is no such card: it may have been erased, or the number is not a card's"}
}
