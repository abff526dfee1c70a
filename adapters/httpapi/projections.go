package httpapi

import (
	"context"
	"net/http"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// catchUpFor bounds how long a reader waits for the projections.
const catchUpFor = time.Second

func projectionHandlers() handlers {
	return handlers{
		"projections": (*exchange).projections, "rebuildAll": (*exchange).rebuildAll, "rebuildOne": (*exchange).rebuildOne,
		"cancelRebuild": (*exchange).cancelRebuild, "rollbackProjection": (*exchange).rollbackProjection,
	}
}

// projections is GET /api/projections: a list.
func (x *exchange) projections() error {
	out := []api.Projection{}
	var diverged map[string]domain.ProjectionDiverged
	if x.api.cfg.Diverged != nil {
		diverged = x.api.cfg.Diverged(x.r.Context())
	}
	for _, s := range x.api.cfg.Projections(x.r.Context()) {
		body := api.Projection{Name: s.Name, Version: s.Version, State: string(s.State), Position: s.Position,
			Checkpoint: s.Checkpoint, Lag: s.Lag, LagSeconds: s.LagTime.Seconds()}
		if s.Err != nil {
			body.Error = x.advice(s.Err.Error())
		}
		if x.api.cfg.Rebuilt != nil {
			stands := x.api.cfg.Rebuilt(s.Name)
			body.Generation, body.Previous, body.Held = stands.Store.Generation, (*api.Edition)(stands.Previous), stands.Pinned
			body.Rebuild = rebuildOf(stands.Rebuild)
		}
		if p, found := diverged[s.Name]; found {
			body.Diverged = &api.Diverged{Position: p.Position, Differing: p.Differing}
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
