package httpapi

import (
	"encoding/json"
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/projections/rebuild"
)

// Rebuilds folds projections again beside those that serve. All of it answers at
// once: how a rebuild goes stands in the projection's Status.
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

func rebuildOf(v *rebuild.View) *api.Rebuild {
	if v == nil {
		return nil
	}
	p := v.Progress
	out := &api.Rebuild{Kind: string(v.What), State: string(v.State), Phase: string(p.Phase), Version: v.To.Version, Generation: v.To.Generation,
		Position: p.Position, Tail: p.Tail, Records: p.Records, Rate: p.Rate, SecondsLeft: p.Left.Seconds(),
		StartedAt: domain.MillisOf(p.Started), Switched: v.Result.Switched}
	if !v.Ended.IsZero() {
		out.EndedAt = domain.MillisOf(v.Ended)
	}
	if v.Err != nil {
		out.Error = v.Err.Error()
	}
	if d := v.Result.Difference; v.Result.Compared {
		out.Difference = &api.Difference{Count: d.Count(), Compared: d.Compared, Missing: d.Missing, Added: d.Added, Changed: d.Changed, First: []api.Change{}}
		for _, c := range d.First {
			out.Difference.First = append(out.Difference.First, api.Change{Entity: c.Entity, Field: c.Field, Was: orNull(c.Was), Is: orNull(c.Is)})
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

// rebuildAll is POST /api/projections/rebuild: {names?, check?}, or nothing for
// all of them.
func (x *exchange) rebuildAll() error {
	r, err := x.rebuilds("rebuild projections")
	if err != nil {
		return err
	}
	var in api.RebuildRequest
	if err := x.read(&in); err != nil {
		return err
	}
	return x.startRebuild(r, in.Names, in.Check)
}

// rebuildOne is POST /api/projections/:name/rebuild: {check?}, or nothing.
func (x *exchange) rebuildOne() error {
	r, err := x.rebuilds("rebuild projections")
	if err != nil {
		return err
	}
	var in api.RebuildOne
	if err := x.read(&in); err != nil {
		return err
	}
	return x.startRebuild(r, []string{x.params.ByName("name")}, in.Check)
}

func (x *exchange) startRebuild(r Rebuilds, names []string, check bool) error {
	if err := r.Start(names, check); err != nil {
		return err
	}
	return x.answer(http.StatusAccepted, api.OK{OK: true})
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
	return x.answer(http.StatusOK, api.OK{OK: true})
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
	return x.answer(http.StatusAccepted, api.OK{OK: true})
}
