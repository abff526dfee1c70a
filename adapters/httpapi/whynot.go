package httpapi

import (
	"net/http"

	"chalie/replay"
)

// whyNot is GET /api/why-not/{id}?zone=. It reads the log alone, as why does.
func (x *exchange) whyNot() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	zone, err := q.zone("zone")
	if err != nil {
		return err
	}
	asked, err := replay.ParseQuestion(x.params.ByName("id"))
	if err != nil {
		return err
	}
	answer, err := replay.WhyNot(x.r.Context(), x.api.cfg.Log, asked, replay.Asking{Zone: zone})
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, answer)
}
