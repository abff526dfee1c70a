package apiclient

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"chalie/domain"
)

// Projection is how a projection stands.
type Projection struct {
	Name       string          `json:"name"`
	Version    int             `json:"version"`
	Generation int             `json:"generation"` // which store of that version, from 0
	State      string          `json:"state"`
	Position   domain.Position `json:"position"`
	Lag        uint64          `json:"lag"`
	LagSeconds float64         `json:"lag_seconds"`
	Error      string          `json:"error"`
	Previous   *Edition        `json:"previous"` // what can be gone back to; nil when there is nothing
	Held       bool            `json:"held"`
	Rebuild    *Rebuild        `json:"rebuild"` // the latest; nil when there was none
	Diverged   *Diverged       `json:"diverged"`
}

// Diverged says that a projection was found not to be what the log says.
type Diverged struct {
	Position  domain.Position `json:"position"` // through which
	Differing uint64          `json:"differing"`
}

// Edition is one store of a projection.
type Edition struct {
	Version    int `json:"version"`
	Generation int `json:"generation"`
}

// Rebuild is how a rebuild goes, or went.
type Rebuild struct {
	Kind        string          `json:"kind"`  // rebuild, check, upgrade or rollback
	State       string          `json:"state"` // running, done, failed or cancelled
	Phase       string          `json:"phase"`
	Version     int             `json:"version"`
	Generation  int             `json:"generation"`
	Position    domain.Position `json:"position"`
	Tail        domain.Position `json:"tail"`
	Records     uint64          `json:"records"`
	Rate        uint64          `json:"rate"` // records a second
	SecondsLeft float64         `json:"seconds_left"`
	StartedAt   domain.Millis   `json:"started_at"`
	EndedAt     domain.Millis   `json:"ended_at"` // 0 while it goes on
	Switched    bool            `json:"switched"`
	Difference  *Difference     `json:"difference"` // nil where nothing was compared
	Error       string          `json:"error"`
}

// Difference is what the old and the new fold don't agree on.
type Difference struct {
	Count    uint64   `json:"count"`
	Compared uint64   `json:"compared"`
	Missing  uint64   `json:"missing"`
	Added    uint64   `json:"added"`
	Changed  uint64   `json:"changed"`
	First    []Change `json:"first"`
}

// Change is one field that differs. Was is null when only the new fold has it, and
// Is when only the old one has.
type Change struct {
	Entity string          `json:"entity"`
	Field  string          `json:"field"`
	Was    json.RawMessage `json:"was"`
	Is     json.RawMessage `json:"is"`
}

// Projections tells how each projection stands.
func (c *Client) Projections(ctx context.Context) ([]Object[Projection], error) {
	return get[[]Object[Projection]](ctx, c, "/api/projections", nil)
}

// Rebuild begins to fold projections again, all of them when none is named; with
// check only to compare. How it goes stands in Projections.
func (c *Client) Rebuild(ctx context.Context, names []string, check bool) error {
	_, err := call[struct{}](ctx, c, http.MethodPost, "/api/projections/rebuild", nil, struct {
		Names []string `json:"names"`
		Check bool     `json:"check"`
	}{names, check})
	return err
}

// RollBack begins to go back to what served before.
func (c *Client) RollBack(ctx context.Context, name string) error {
	_, err := call[struct{}](ctx, c, http.MethodPost, "/api/projections/"+url.PathEscape(name)+"/rollback", nil, nil)
	return err
}

// CancelRebuild ends a rebuild; it returns once nothing is left of it.
func (c *Client) CancelRebuild(ctx context.Context, name string) error {
	_, err := call[struct{}](ctx, c, http.MethodDelete, "/api/projections/"+url.PathEscape(name)+"/rebuild", nil, nil)
	return err
}
