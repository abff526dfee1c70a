package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
)

// latestExchange stands for the id of the latest exchange that is under way.
const latestExchange = "latest"

// cancelMessage is POST /api/messages/:id/cancel. It answers when the wish is
// recorded; the answer ends at its next step.
func (x *exchange) cancelMessage() error {
	var id domain.ID
	if name := x.params.ByName("id"); name != latestExchange {
		var err error
		if id, err = parseID("id", name); err != nil {
			return err
		}
	}
	id, err := x.api.cfg.Messages.Cancel(x.r.Context(), x.caller, id)
	if err != nil {
		return err
	}
	return x.answer(http.StatusAccepted, api.Cancelled{OK: true, ExchangeID: api.UUID{ID: id}})
}
