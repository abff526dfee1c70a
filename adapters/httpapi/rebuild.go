package httpapi

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"chalie/domain"
	"chalie/projections"
)

// Rebuilds folds projections again beside those that serve. All of it answers at
// once: how a rebuild goes stands in the projection's Standing.
//
// Errors: NotFound for a name that is no projection's; Conflict when it is being
// rebuilt already, when there is nothing to go back to, or nothing to cancel; and
// Dependency when the disk refuses.
type Rebuilds interface {
	// Start begins to fold projections again; all of them when names is empty. With
	// check they are only compared. None begins when one can't.
	Start(names []string, check bool) error
	// Rollback begins to go back to the store that served before.
	Rollback(name string) error
	// Cancel ends a rebuild, and returns once nothing is left of it.
	Cancel(name string) error
}

// Edition is one store of a projection.
type Edition struct {
	Version    int `json:"version"`
	Generation int `json:"generation"` // which one of that version, from 0
}

// Standing is which store of a projection serves, which one can be gone back to,
// and its latest rebuild since the program started.
type Standing struct {
	Serving  Edition
	Previous *Edition // nil when there is none
	Held     bool     // the newer version isn't built until it is asked for
	Rebuild  *RebuildView
}

// RebuildView is a rebuild that goes on, or has ended.
type RebuildView struct {
	What     RebuildKind
	State    RebuildState
	To       Edition
	Progress projections.Progress // as it ended, when it has
	Ended    time.Time            // zero while it goes on
	Result   projections.Rebuilt  // once it is done
	Err      error                // why it failed
}

// RebuildKind is what a rebuild is for.
type RebuildKind string

// The kinds of rebuilds.
const (
	KindRebuild  RebuildKind = "rebuild"  // asked for
	KindCheck    RebuildKind = "check"    // asked for, to compare only
	KindUpgrade  RebuildKind = "upgrade"  // because the program has a newer version
	KindRollback RebuildKind = "rollback" // to what served before
)

// RebuildState is how a rebuild stands.
type RebuildState string

// The states of a rebuild.
const (
	RebuildRunning   RebuildState = "running"
	RebuildDone      RebuildState = "done"
	RebuildFailed    RebuildState = "failed"
	RebuildCancelled RebuildState = "cancelled"
)

// rebuildBody is a rebuild as it is told.
type rebuildBody struct {
	Kind        RebuildKind       `json:"kind"`
	State       RebuildState      `json:"state"`
	Phase       projections.Phase `json:"phase"`
	Version     int               `json:"version"`
	Generation  int               `json:"generation"`
	Position    domain.Position   `json:"position"`
	Tail        domain.Position   `json:"tail"`
	Records     uint64            `json:"records"`
	Rate        uint64            `json:"rate"` // records a second
	SecondsLeft float64           `json:"seconds_left"`
	StartedAt   domain.Millis     `json:"started_at"`
	EndedAt     domain.Millis     `json:"ended_at,omitempty"`
	Switched    bool              `json:"switched"`
	Difference  *differenceBody   `json:"difference,omitempty"` // absent while, or where, nothing was compared
	Error       string            `json:"error,omitempty"`
}

type differenceBody struct {
	Count    uint64       `json:"count"`
	Compared uint64       `json:"compared"`
	Missing  uint64       `json:"missing"`
	Added    uint64       `json:"added"`
	Changed  uint64       `json:"changed"`
	First    []changeBody `json:"first"`
}

type changeBody struct {
	Entity string          `json:"entity"`
	Field  string          `json:"field"`
	Was    json.RawMessage `json:"was"` // null when only the new one has it
	Is     json.RawMessage `json:"is"`  // null when only the old one has it
}

func rebuildOf(v *RebuildView) *rebuildBody {
	if v == nil {
		return nil
	}
	p := v.Progress
	out := &rebuildBody{Kind: v.What, State: v.State, Phase: p.Phase, Version: v.To.Version, Generation: v.To.Generation,
		Position: p.Position, Tail: p.Tail, Records: p.Records, Rate: p.Rate, SecondsLeft: p.Left.Seconds(),
		StartedAt: domain.MillisOf(p.Started), Switched: v.Result.Switched}
	if !v.Ended.IsZero() {
		out.EndedAt = domain.MillisOf(v.Ended)
	}
	if v.Err != nil {
		out.Error = v.Err.Error()
	}
	if d := v.Result.Difference; v.Result.Compared {
		out.Difference = &differenceBody{Count: d.Count(), Compared: d.Compared, Missing: d.Missing, Added: d.Added, Changed: d.Changed, First: []changeBody{}}
		for _, c := range d.First {
			out.Difference.First = append(out.Difference.First, changeBody{c.Entity, c.Field, orNull(c.Was), orNull(c.Is)})
		}
	}
	return out
}

func orNull(text json.RawMessage) json.RawMessage {
	if text == nil {
		return json.RawMessage("null")
	}
	return text
}

// rebuilds is what folds projections again; an error where nothing does.
func (x *exchange) rebuilds(op string) (Rebuilds, error) {
	if x.api.cfg.Rebuilds == nil {
		return nil, notRunning(op)
	}
	return x.api.cfg.Rebuilds, nil
}

// mostNamed is how many projections one request may name.
const mostNamed = 64

// rebuildAll is POST /api/projections/rebuild: {names?, check?}, or nothing for
// all of them.
func (x *exchange) rebuildAll() error {
	var names, check value
	r, err := x.rebuildFields(map[string]*value{"names": &names, "check": &check})
	if err != nil {
		return err
	}
	list, err := names.texts("names", mostNamed)
	if err != nil {
		return err
	}
	return x.startRebuild(r, list, check)
}

// rebuildOne is POST /api/projections/:name/rebuild: {check?}, or nothing.
func (x *exchange) rebuildOne() error {
	var check value
	r, err := x.rebuildFields(map[string]*value{"check": &check})
	if err != nil {
		return err
	}
	return x.startRebuild(r, []string{x.params.ByName("name")}, check)
}

// rebuildFields reads a body that may be left out.
func (x *exchange) rebuildFields(into map[string]*value) (Rebuilds, error) {
	r, err := x.rebuilds("rebuild projections")
	if err != nil {
		return nil, err
	}
	body, err := x.body()
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return r, err
	}
	v, err := parseJSON(body)
	if err != nil {
		return nil, err
	}
	return r, v.fields("the body", into)
}

func (x *exchange) startRebuild(r Rebuilds, names []string, check value) error {
	only, err := check.yes("check")
	if err != nil {
		return err
	}
	if err := r.Start(names, only); err != nil {
		return err
	}
	return x.answer(http.StatusAccepted, okBody{true})
}

// cancelRebuild is DELETE /api/projections/:name/rebuild.
func (x *exchange) cancelRebuild() error {
	r, err := x.rebuilds("cancel a rebuild")
	if err != nil {
		return err
	}
	if err := r.Cancel(x.params.ByName("name")); err != nil {
		return err
	}
	return x.answer(http.StatusOK, okBody{true})
}

// rollbackProjection is POST /api/projections/:name/rollback.
func (x *exchange) rollbackProjection() error {
	r, err := x.rebuilds("roll a projection back")
	if err != nil {
		return err
	}
	if err := r.Rollback(x.params.ByName("name")); err != nil {
		return err
	}
	return x.answer(http.StatusAccepted, okBody{true})
}
