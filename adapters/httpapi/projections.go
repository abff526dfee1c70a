package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/projections/rebuild"
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
		body := api.Projection{Name: s.Name, For: s.For, Version: s.Version, State: string(s.State), Position: s.Position,
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

// catchUp waits a moment for the projections to fold the log's present tail, so that a
// client can read what it has just written. A projection that is further behind or has
// stopped answers with its state, whose position says how far it has folded.
func (x *exchange) catchUp() {
	ctx, cancel := context.WithTimeout(x.r.Context(), catchUpFor)
	defer cancel()
	_ = x.api.cfg.Applied.WaitFor(ctx, x.api.cfg.Log.Tail())
}

// Rebuilds rebuilds projections beside the active ones. Its methods return at once; the
// projection's Status has the progress.
//
// Errors: NotFound for a name that is no projection's; Conflict when it is being
// rebuilt already, when there is nothing to go back to, or nothing to cancel; and
// Dependency when the disk refuses.
type Rebuilds interface {
	// Start begins to rebuild projections; all of them when names is empty. With check
	// they are only compared. None begins when one can't.
	Start(names []string, check bool) error
	// Rollback begins to go back to the store that was active before.
	Rollback(name string) error
	// Cancel ends a rebuild, and returns once its store is deleted.
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

// rebuilds is the configured Rebuilds; an error when the log is only read.
func (x *exchange) rebuilds(op string) (Rebuilds, error) {
	if x.api.cfg.Rebuilds == nil {
		return nil, notRunning(op)
	}
	return x.api.cfg.Rebuilds, nil
}

// rebuildAll is POST /api/projections/rebuild: {names?, check?}; without a body, all
// projections.
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

// ExportQuery selects the records to export, and the format. The zero ExportQuery is all
// records.
type ExportQuery struct {
	Trace   domain.ID       // of a trace, or of any envelope of it
	Since   domain.Millis   // 0 is the start
	Until   domain.Millis   // 0 is now
	Through domain.Position // 0 is the tail
	Format  string          // "" is the usual one
}

// Export writes the records of a query. An invalid query is an error before anything is
// written.
type Export func(ctx context.Context, q ExportQuery, out io.Writer) error

// exportPatience bounds the time a peer may take to read a piece of a file.
const exportPatience = 30 * time.Second

// export is GET /api/export?trace=&since=&until=&through=&format=: a file, in pieces. An
// incomplete file has no trailer.
func (x *exchange) export() error {
	in := x.query()
	q := ExportQuery{Format: in.values.Get("format"), Trace: in.id("trace"), Through: domain.Position(in.count("through"))}
	for _, bound := range []struct {
		name string
		into *domain.Millis
	}{{"since", &q.Since}, {"until", &q.Until}} {
		if in.values.Get(bound.name) != "" {
			*bound.into = in.moment(bound.name, ago)
		}
	}
	if in.err != nil {
		return in.err
	}
	if !q.Trace.IsZero() && (q.Since != 0 || q.Until != 0) {
		return domain.Invalid("export", "trace", "a trace is exported whole: leave out since and until")
	}
	return x.api.cfg.Export(x.r.Context(), q, &piecewise{x: x, stream: http.NewResponseController(x.w)})
}

// piecewise sends a long answer in pieces. The deadline is for each piece, not for the
// whole.
type piecewise struct {
	x      *exchange
	stream *http.ResponseController
}

func (p *piecewise) Write(text []byte) (int, error) {
	if !p.x.begun {
		p.x.begun = true
		p.x.w.Header().Set("Content-Type", "application/x-ndjson")
	}
	// Without deadlines, the request's context ends the walk when the peer is gone.
	_ = p.stream.SetWriteDeadline(time.Now().Add(exportPatience))
	return p.x.w.Write(text)
}
