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
	Generation int               `json:"generation"` // which store of that version
	State      projections.State `json:"state"`
	Position   domain.Position   `json:"position"`
	Checkpoint domain.Position   `json:"checkpoint"`
	Lag        uint64            `json:"lag"`
	LagSeconds float64           `json:"lag_seconds"`
	Error      string            `json:"error,omitempty"`
	Previous   *Edition          `json:"previous,omitempty"` // what can be gone back to
	Held       bool              `json:"held,omitempty"`     // a newer version waits to be asked for
	Rebuild    *rebuildBody      `json:"rebuild,omitempty"`  // the latest since the program started
	Diverged   *divergedBody     `json:"diverged,omitempty"`
}

// divergedBody says that a projection is not what the log says.
type divergedBody struct {
	Position  domain.Position `json:"position"`  // through which it was found so
	Differing uint64          `json:"differing"` // things
}

// projections is GET /api/projections: a list.
func (x *exchange) projections() error {
	out := []projectionBody{}
	var diverged map[string]domain.ProjectionDiverged
	if x.api.cfg.Diverged != nil {
		diverged = x.api.cfg.Diverged(x.r.Context())
	}
	for _, s := range x.api.cfg.Projections(x.r.Context()) {
		body := projectionBody{Name: s.Name, Version: s.Version, State: s.State, Position: s.Position,
			Checkpoint: s.Checkpoint, Lag: s.Lag, LagSeconds: s.LagTime.Seconds()}
		if s.Err != nil {
			body.Error = x.advice(s.Err.Error())
		}
		if x.api.cfg.Standing != nil {
			stands := x.api.cfg.Standing(s.Name)
			body.Generation, body.Previous, body.Held = stands.Serving.Generation, stands.Previous, stands.Held
			body.Rebuild = rebuildOf(stands.Rebuild)
		}
		if p, found := diverged[s.Name]; found {
			body.Diverged = &divergedBody{p.Position, p.Differing}
		}
		out = append(out, body)
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
