package httpapi

import (
	"context"
	"net/http"
	"time"

	"chalie/domain"
	"chalie/projections"
)

// catchUpFor bounds how long a reader waits for the projections.
const catchUpFor = time.Second

// projectionBody is one line of GET /api/projections.
type projectionBody struct {
	Name       string            `json:"name"`
	Version    int               `json:"version"`
	State      projections.State `json:"state"`
	Position   domain.Position   `json:"position"`
	Checkpoint domain.Position   `json:"checkpoint"`
	Lag        uint64            `json:"lag"`
	LagSeconds float64           `json:"lag_seconds"`
	Error      string            `json:"error,omitempty"`
}

// projections is GET /api/projections.
func (x *exchange) projections() error {
	out := struct {
		Projections []projectionBody `json:"projections"`
	}{[]projectionBody{}}
	for _, s := range x.api.cfg.Projections(x.r.Context()) {
		body := projectionBody{Name: s.Name, Version: s.Version, State: s.State, Position: s.Position,
			Checkpoint: s.Checkpoint, Lag: s.Lag, LagSeconds: s.LagTime.Seconds()}
		if s.Err != nil {
			body.Error = s.Err.Error()
		}
		out.Projections = append(out.Projections, body)
	}
	return x.answer(http.StatusOK, out)
}

// catchUp waits a moment for the projections to know what is in the log now, so
// that whoever was just answered finds it. A projection that is further behind,
// or has stopped, answers with what it knows: its position says how far that is.
func (x *exchange) catchUp() {
	ctx, cancel := context.WithTimeout(x.r.Context(), catchUpFor)
	defer cancel()
	_ = x.api.cfg.Applied.WaitFor(ctx, x.api.cfg.Log.Tail())
}
