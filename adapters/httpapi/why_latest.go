package httpapi

import (
	"net/http"

	"chalie/replay/explain"
)

// askable is GET /api/why?limit=: what a person may want to ask why, or why not, of.
func (x *exchange) askable() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	limit, err := q.count("limit")
	if err != nil {
		return err
	}
	latest, err := explain.LatestOf(x.r.Context(), x.api.cfg.Log, int(limit))
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, latest)
}
