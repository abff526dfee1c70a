package rebuild

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"chalie/domain"
	"chalie/projections"
)

// Config is what a Rebuilder works with. All of it is required but Record and Ended.
type Config struct {
	Serving *Serving
	Stores  Stores
	Feed    projections.Feed
	Clock   domain.Clock
	Logger  *slog.Logger
	// Record appends what was switched; nil where the log is only read.
	Record func(context.Context, domain.ProjectionRebuilt, domain.Principal) error
	// Ended is told of every rebuild that has ended; nil: nobody is told.
	Ended func(projection string, ended View)
}

// Rebuilder folds projections again beside those that serve, and puts them in
// their places. One projection has one rebuild at a time. It is safe for concurrent use.
type Rebuilder struct {
	cfg Config

	alive context.Context
	end   context.CancelFunc
	going sync.WaitGroup

	mu     sync.Mutex
	closed bool
	latest map[string]*job // by projection

	compared map[string]time.Time // when each was last compared with the log
}

// Status is which store of a projection serves, which one can be gone back to,
// and its latest rebuild since the program started.
type Status struct {
	Active
	Rebuild *View
}

// View is a rebuild that goes on, or has ended.
type View struct {
	What     Purpose
	State    State
	To       StoreVersion
	Progress projections.Progress // as it ended, when it has
	Ended    time.Time            // zero while it goes on
	Result   projections.Rebuilt  // once it is done
	Err      error                // why it failed
}

// Purpose is what a rebuild is for.
type Purpose string

// The purposes of rebuilds.
const (
	Asked    Purpose = "rebuild"  // somebody asked for it
	Check    Purpose = "check"    // asked for, to compare only
	Upgrade  Purpose = "upgrade"  // the program has a newer version
	Rollback Purpose = "rollback" // back to what served before
)

// State is how a rebuild stands.
type State string

// The states of a rebuild.
const (
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// job is one rebuild of one projection.
type job struct {
	kind   projections.Kind
	was    Active
	store  projections.Durable
	work   *projections.Rebuild
	cancel context.CancelFunc
	done   chan struct{}

	committed bool // while both folds stand still, and then by the goroutine that runs it

	view View // guarded by the rebuilder's mu
}

// Codes of what is refused.
const (
	CodeRunning      domain.Code = "rebuild_running"
	CodeNoRebuild    domain.Code = "no_rebuild"
	CodeNoPrevious   domain.Code = "no_previous"
	CodeNoProjection domain.Code = "no_projection"
	CodeNoFold       domain.Code = "no_fold"
)

// New makes a Rebuilder. Close ends it.
func New(cfg Config) *Rebuilder {
	r := &Rebuilder{cfg: cfg, latest: map[string]*job{}, compared: map[string]time.Time{}}
	r.alive, r.end = context.WithCancel(context.Background())
	return r
}

// Start begins to fold projections again; all of them when names is empty.
func (r *Rebuilder) Start(names []string, check bool) error {
	what := Asked
	if check {
		what = Check
	}
	kinds, err := r.named(names)
	if err != nil {
		return err
	}
	return r.begin(what, kinds...)
}

// Rollback begins to go back to the store that served before.
func (r *Rebuilder) Rollback(name string) error {
	kinds, err := r.named([]string{name})
	if err != nil {
		return err
	}
	return r.begin(Rollback, kinds...)
}

// Upgrade begins to fold what serves in an older version than this program's.
func (r *Rebuilder) Upgrade() error {
	var kinds []projections.Kind
	for _, k := range r.cfg.Serving.kinds {
		if now := r.cfg.Stores.Active(k.Name); now.Store.Version != k.Versions()[0] && !now.Pinned {
			r.cfg.Logger.Info("a projection is folded in its new version while the old one serves", "projection", k.Name, "from", now.Store.String(), "to", k.Versions()[0])
			kinds = append(kinds, k)
		}
	}
	return r.begin(Upgrade, kinds...)
}

// named finds projections; all of them when names is empty.
func (r *Rebuilder) named(names []string) ([]projections.Kind, error) {
	if len(names) == 0 {
		return r.cfg.Serving.kinds, nil
	}
	var out []projections.Kind
	for _, name := range names {
		k, err := r.Kind(name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(k projections.Kind) bool { return k.Name == name }) {
			out = append(out, k)
		}
	}
	return out, nil
}

// Kind is a projection by its name; an error when there is none.
func (r *Rebuilder) Kind(name string) (projections.Kind, error) {
	known := make([]string, len(r.cfg.Serving.kinds))
	for i, k := range r.cfg.Serving.kinds {
		if k.Name == name {
			return k, nil
		}
		known[i] = k.Name
	}
	return projections.Kind{}, &domain.Error{Op: "rebuild", Category: domain.NotFound, Code: CodeNoProjection,
		Message: fmt.Sprintf("there is no projection named %.60q: take one of %s", name, strings.Join(known, ", "))}
}

// begin begins a rebuild of each, or of none when one can't be begun.
func (r *Rebuilder) begin(what Purpose, kinds ...projections.Kind) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return &domain.Error{Op: "rebuild", Category: domain.Dependency, Code: domain.CodeClosed, Message: "Chalie is shutting down: try again when it runs"}
	}
	for _, k := range kinds {
		if j := r.latest[k.Name]; j != nil && j.view.State == Running {
			return &domain.Error{Op: "rebuild " + k.Name, Category: domain.Conflict, Code: CodeRunning,
				Message: fmt.Sprintf("%s is being rebuilt already: wait for it, or cancel it (DELETE /api/projections/%s/rebuild, or Ctrl-C where it was begun)", k.Name, k.Name)}
		}
	}
	jobs := make([]*job, 0, len(kinds))
	undo := func(err error) error {
		for _, j := range jobs {
			err = errors.Join(err, r.discard(j))
		}
		return err
	}
	wanted := make([]projections.RebuildConfig, 0, len(kinds))
	for _, k := range kinds {
		j, cfg, err := r.prepare(what, k)
		if err != nil {
			return undo(err)
		}
		jobs, wanted = append(jobs, j), append(wanted, cfg)
	}
	works, err := projections.NewRebuilds(r.cfg.Feed, r.cfg.Serving.Group, r.cfg.Clock, projections.Config{Log: r.cfg.Logger.With("shadow", true)}, wanted...)
	if err != nil {
		return undo(err)
	}
	for i, j := range jobs {
		j.work, j.done, j.view.State = works[i], make(chan struct{}), Running
		ctx, cancel := context.WithCancel(r.alive)
		j.cancel = cancel
		r.latest[j.kind.Name] = j
		r.going.Go(func() {
			defer cancel()
			r.run(ctx, j)
		})
	}
	return nil
}

// prepare opens where a projection is going to be folded.
func (r *Rebuilder) prepare(what Purpose, k projections.Kind) (*job, projections.RebuildConfig, error) {
	j := &job{kind: k, was: r.cfg.Stores.Active(k.Name), view: View{What: what}}
	cfg := projections.RebuildConfig{Serving: r.cfg.Serving.Of(k.Name), Check: what == Check, Blind: what == Rollback}
	then := Active{Previous: &j.was.Store}
	if what == Rollback {
		if j.was.Previous == nil {
			return nil, cfg, &domain.Error{Op: "roll back " + k.Name, Category: domain.Conflict, Code: CodeNoPrevious,
				Message: fmt.Sprintf("%s has nothing to go back to: it was not rebuilt, or what served before is gone", k.Name)}
		}
		j.view.To = *j.was.Previous
		then.Pinned = j.view.To.Version != k.Versions()[0]
	} else {
		version := k.Versions()[0]
		if what == Check {
			version = j.was.Store.Version // or every difference between the versions would be one
		}
		var err error
		if j.view.To, err = r.cfg.Stores.Unused(k.Name, version); err != nil {
			return nil, cfg, err
		}
	}
	then.Store = j.view.To
	next, ok := k.Of(j.view.To.Version)
	if !ok {
		return nil, cfg, &domain.Error{Op: "roll back " + k.Name, Category: domain.Conflict, Code: CodeNoFold,
			Message: fmt.Sprintf("what %s served before is of version %d, which this program can't fold: start the program that wrote it, which goes on from there", k.Name, j.view.To.Version)}
	}
	var err error
	if j.store, err = r.cfg.Stores.Open(k.Name, j.view.To); err != nil {
		return nil, cfg, err
	}
	cfg.Next, cfg.Store = next, j.store
	cfg.Commit = func(domain.Position) error {
		err := r.cfg.Stores.Activate(k.Name, then)
		j.committed = err == nil
		return err
	}
	return j, cfg, nil
}

// run does one to its end.
func (r *Rebuilder) run(ctx context.Context, j *job) {
	defer close(j.done)
	result, err := j.work.Run(ctx)
	switch {
	case err != nil && j.committed:
		// It was said to serve, and can't: what served before goes on.
		err = errors.Join(err, r.cfg.Stores.Activate(j.kind.Name, j.was), r.discard(j))
	case err != nil || !result.Switched:
		err = errors.Join(err, r.discard(j))
	default:
		if result.Revived {
			// It ends with the others, when the program does.
			r.going.Go(func() { _ = r.cfg.Serving.Of(j.kind.Name).Run(r.alive) })
		}
		r.settle(j, result)
	}
	r.mu.Lock()
	j.view.Progress, j.view.Ended, j.view.Result, j.view.Err, j.view.State = j.work.Progress(), r.cfg.Clock.Now(), result, err, Done
	switch {
	case err != nil && ctx.Err() != nil:
		j.view.State, j.view.Err = Cancelled, nil
	case err != nil:
		j.view.State = Failed
		r.cfg.Logger.Error("a rebuild failed", "projection", j.kind.Name, "err", err)
	case j.view.What != Rollback: // which compares nothing
		r.compared[j.kind.Name] = j.view.Ended
	}
	ended := j.view
	r.mu.Unlock()
	if r.cfg.Ended != nil {
		r.cfg.Ended(j.kind.Name, ended)
	}
}

// discard ends a job that was not switched to. What was folded for it goes; what
// was there before it stays.
func (r *Rebuilder) discard(j *job) error {
	err := j.store.Close()
	if j.view.What == Rollback {
		return err
	}
	return errors.Join(err, r.cfg.Stores.Remove(j.kind.Name, j.view.To))
}

// settle tidies up after a switch, and records it.
func (r *Rebuilder) settle(j *job, result projections.Rebuilt) {
	name := j.kind.Name
	old := r.cfg.Serving.swap(name, j.store)
	err := old.Close()
	now := r.cfg.Stores.Active(name)
	_, sweepErr := r.cfg.Stores.Sweep(name, now, max(j.kind.Versions()[0], now.Store.Version))
	// What was not tidied up goes at the next start; the switch has been made.
	if err := errors.Join(err, sweepErr); err != nil {
		r.cfg.Logger.Warn("what a projection was folded into before can't be tidied up", "projection", name, "err", err)
	}
	r.cfg.Logger.Info("a projection goes on from another store", "projection", name, "from", j.was.Store.String(), "to", j.view.To.String(),
		"position", uint64(result.Position), "records", result.Records, "differences", result.Difference.Count())
	if r.cfg.Record == nil {
		return
	}
	by := domain.PrincipalOperator
	if j.view.What == Upgrade {
		by = domain.PrincipalCore
	}
	err = r.cfg.Record(r.alive, domain.ProjectionRebuilt{
		Name: name, FromVersion: j.was.Store.Version, FromGeneration: j.was.Store.Generation,
		ToVersion: j.view.To.Version, ToGeneration: j.view.To.Generation, Position: result.Position, Records: result.Records,
		DurationMS: result.Took.Milliseconds(), Differences: result.Difference.Count(), RolledBack: j.view.What == Rollback,
	}, by)
	if err != nil {
		r.cfg.Logger.Warn("that a projection was rebuilt can't be recorded", "projection", name, "err", err)
	}
}

// Cancel ends a rebuild, and returns once nothing is left of it.
func (r *Rebuilder) Cancel(name string) error {
	if _, err := r.Kind(name); err != nil {
		return err
	}
	r.mu.Lock()
	j := r.latest[name]
	running := j != nil && j.view.State == Running
	end := func() {}
	if running {
		end = j.cancel
	}
	r.mu.Unlock()
	if !running {
		return &domain.Error{Op: "cancel rebuild", Category: domain.Conflict, Code: CodeNoRebuild,
			Message: fmt.Sprintf("%s isn't being rebuilt: it has ended, or never began", name)}
	}
	end()
	<-j.done
	return nil
}

// Checked is since when every projection was compared with the log, by checks and
// rebuilds that somebody asked for; zero while one wasn't.
func (r *Rebuilder) Checked() (since time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n, k := range r.cfg.Serving.kinds {
		at := r.compared[k.Name]
		if at.IsZero() {
			return at
		}
		if n == 0 || at.Before(since) {
			since = at
		}
	}
	return since
}

// Status tells of a projection what belongs to its stores.
func (r *Rebuilder) Status(name string) Status {
	out := Status{Active: r.cfg.Stores.Active(name)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if j := r.latest[name]; j != nil {
		view := j.view
		if view.State == Running {
			view.Progress = j.work.Progress()
		}
		out.Rebuild = &view
	}
	return out
}

// Close ends what is under way and waits for it.
func (r *Rebuilder) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.end()
	r.going.Wait()
}
