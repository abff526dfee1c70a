package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/httpapi"
	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/projections"
)

// rebuilder folds projections again beside those that serve, and puts them in
// their places. One projection has one rebuild at a time.
//
// close ends those under way, which leave nothing, and waits for them: call it
// while the projections still fold.
type rebuilder struct {
	folds  *folds
	shelf  *shelf
	feed   projections.Feed
	clock  domain.Clock
	logger *slog.Logger
	// record appends what was switched; nil where the log is only read.
	record func(context.Context, domain.ProjectionRebuilt, domain.Principal) error

	alive context.Context
	end   context.CancelFunc
	going sync.WaitGroup

	mu     sync.Mutex
	closed bool
	latest map[string]*rebuildJob // by projection

	compared map[string]time.Time // when each was last compared with the log
}

// rebuildJob is one rebuild of one projection.
type rebuildJob struct {
	kind   kind
	what   httpapi.RebuildKind
	was    pebblestore.Serving
	to     pebblestore.Edition
	store  *pebblestore.Store
	work   *projections.Rebuild
	cancel context.CancelFunc
	done   chan struct{}

	committed bool // while both folds stand still, and then by the goroutine that runs it

	// Guarded by the rebuilder's mu.
	state    httpapi.RebuildState
	progress projections.Progress
	ended    time.Time
	result   projections.Rebuilt
	err      error
}

// Codes of what is refused.
const (
	codeRebuilding   domain.Code = "rebuild_running"
	codeNoRebuild    domain.Code = "no_rebuild"
	codeNoPrevious   domain.Code = "no_previous"
	codeNoProjection domain.Code = "no_projection"
	codeNoFold       domain.Code = "no_fold"
)

func newRebuilder(f *folds, s *shelf, feed projections.Feed, clock domain.Clock, logger *slog.Logger) *rebuilder {
	r := &rebuilder{folds: f, shelf: s, feed: feed, clock: clock, logger: logger, latest: map[string]*rebuildJob{}, compared: map[string]time.Time{}}
	r.alive, r.end = context.WithCancel(context.Background())
	return r
}

// Start begins to fold projections again; all of them when names is empty.
func (r *rebuilder) Start(names []string, check bool) error {
	what := httpapi.KindRebuild
	if check {
		what = httpapi.KindCheck
	}
	kinds, err := r.named(names)
	if err != nil {
		return err
	}
	return r.begin(what, kinds...)
}

// Rollback begins to go back to the store that served before.
func (r *rebuilder) Rollback(name string) error {
	kinds, err := r.named([]string{name})
	if err != nil {
		return err
	}
	return r.begin(httpapi.KindRollback, kinds...)
}

// upgrade begins to fold what serves in an older version than this program's.
func (r *rebuilder) upgrade() error {
	var kinds []kind
	for _, k := range r.folds.all {
		if now := r.shelf.of(k.name); now.Serving.Version != k.versions()[0] && !now.Held {
			r.logger.Info("a projection is folded in its new version while the old one serves", "projection", k.name, "from", now.Serving.String(), "to", k.versions()[0])
			kinds = append(kinds, k)
		}
	}
	return r.begin(httpapi.KindUpgrade, kinds...)
}

// named finds projections; all of them when names is empty.
func (r *rebuilder) named(names []string) ([]kind, error) {
	if len(names) == 0 {
		return r.folds.all, nil
	}
	var out []kind
	for _, name := range names {
		i := slices.IndexFunc(r.folds.all, func(k kind) bool { return k.name == name })
		if i < 0 {
			var known []string
			for _, k := range r.folds.all {
				known = append(known, k.name)
			}
			return nil, &domain.Error{Op: "rebuild", Category: domain.NotFound, Code: codeNoProjection,
				Message: fmt.Sprintf("there is no projection named %.60q: take one of %s", name, strings.Join(known, ", "))}
		}
		if !slices.ContainsFunc(out, func(k kind) bool { return k.name == name }) {
			out = append(out, r.folds.all[i])
		}
	}
	return out, nil
}

// begin begins a rebuild of each, or of none when one can't be begun.
func (r *rebuilder) begin(what httpapi.RebuildKind, kinds ...kind) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return &domain.Error{Op: "rebuild", Category: domain.Dependency, Code: domain.CodeClosed, Message: "Chalie is shutting down: try again when it runs"}
	}
	for _, k := range kinds {
		if j := r.latest[k.name]; j != nil && j.state == httpapi.RebuildRunning {
			return &domain.Error{Op: "rebuild " + k.name, Category: domain.Conflict, Code: codeRebuilding,
				Message: fmt.Sprintf("%s is being rebuilt already: wait for it, or cancel it (DELETE /api/projections/%s/rebuild, or Ctrl-C where it was begun)", k.name, k.name)}
		}
	}
	jobs := make([]*rebuildJob, 0, len(kinds))
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
	works, err := projections.NewRebuilds(r.feed, r.folds.group, r.clock, projections.Config{Log: r.logger.With("shadow", true)}, wanted...)
	if err != nil {
		return undo(err)
	}
	for i, j := range jobs {
		j.work, j.done, j.state = works[i], make(chan struct{}), httpapi.RebuildRunning
		ctx, cancel := context.WithCancel(r.alive)
		j.cancel = cancel
		r.latest[j.kind.name] = j
		r.going.Go(func() {
			defer cancel()
			r.run(ctx, j)
		})
	}
	return nil
}

// prepare opens where a projection is going to be folded.
func (r *rebuilder) prepare(what httpapi.RebuildKind, k kind) (*rebuildJob, projections.RebuildConfig, error) {
	j := &rebuildJob{kind: k, what: what, was: r.shelf.of(k.name)}
	cfg := projections.RebuildConfig{Serving: r.folds.of[k.name], Check: what == httpapi.KindCheck, Blind: what == httpapi.KindRollback}
	then := pebblestore.Serving{Previous: &j.was.Serving}
	if what == httpapi.KindRollback {
		if j.was.Previous == nil {
			return nil, cfg, &domain.Error{Op: "roll back " + k.name, Category: domain.Conflict, Code: codeNoPrevious,
				Message: fmt.Sprintf("%s has nothing to go back to: it was not rebuilt, or what served before is gone", k.name)}
		}
		j.to = *j.was.Previous
		then.Held = j.to.Version != k.versions()[0]
	} else {
		there, err := pebblestore.Editions(k.name, r.shelf.cfg)
		if err != nil {
			return nil, cfg, err
		}
		version := k.versions()[0]
		if what == httpapi.KindCheck {
			version = j.was.Serving.Version // or every difference between the versions would be one
		}
		j.to = pebblestore.Edition{Version: version, Generation: unused(version, there)}
	}
	then.Serving = j.to
	next, ok := k.of(j.to.Version)
	if !ok {
		return nil, cfg, &domain.Error{Op: "roll back " + k.name, Category: domain.Conflict, Code: codeNoFold,
			Message: fmt.Sprintf("what %s served before is of version %d, which this program can't fold: start the program that wrote it, which goes on from there", k.name, j.to.Version)}
	}
	var damage, err error
	j.store, damage, err = pebblestore.Recover(k.name, j.to.Version, r.shelf.in(j.to))
	if damage != nil {
		r.logger.Warn("derived state was damaged and is folded again", "projection", k.name, "error", damage)
	}
	if err != nil {
		return nil, cfg, err
	}
	cfg.Next, cfg.Store = next, j.store
	cfg.Commit = func(domain.Position) error {
		err := r.shelf.say(k.name, then)
		j.committed = err == nil
		return err
	}
	return j, cfg, nil
}

// run does one to its end.
func (r *rebuilder) run(ctx context.Context, j *rebuildJob) {
	defer close(j.done)
	result, err := j.work.Run(ctx)
	switch {
	case err != nil && j.committed:
		// It was said to serve, and can't: what served before goes on.
		err = errors.Join(err, r.shelf.say(j.kind.name, j.was), r.discard(j))
	case err != nil || !result.Switched:
		err = errors.Join(err, r.discard(j))
	default:
		if result.Revived {
			// It ends with the others, when the program does.
			r.going.Go(func() { _ = r.folds.of[j.kind.name].Run(r.alive) })
		}
		r.settle(j, result)
	}
	r.mu.Lock()
	j.progress, j.ended, j.result, j.err, j.state = j.work.Progress(), r.clock.Now(), result, err, httpapi.RebuildDone
	switch {
	case err != nil && ctx.Err() != nil:
		j.state, j.err = httpapi.RebuildCancelled, nil
	case err != nil:
		j.state = httpapi.RebuildFailed
		r.logger.Error("a rebuild failed", "projection", j.kind.name, "err", err)
	case j.what != httpapi.KindRollback: // which compares nothing
		r.compared[j.kind.name] = j.ended
	}
	r.mu.Unlock()
}

// discard ends a job that was not switched to. What was folded for it goes; what
// was there before it stays.
func (r *rebuilder) discard(j *rebuildJob) error {
	err := j.store.Close()
	if j.what == httpapi.KindRollback {
		return err
	}
	return errors.Join(err, pebblestore.Remove(j.kind.name, j.to, r.shelf.cfg))
}

// settle tidies up after a switch, and records it.
func (r *rebuilder) settle(j *rebuildJob, result projections.Rebuilt) {
	name := j.kind.name
	old := r.folds.swapStore(name, j.store)
	err := old.Close()
	now := r.shelf.of(name)
	_, sweepErr := pebblestore.Sweep(name, now, max(j.kind.versions()[0], now.Serving.Version), r.shelf.cfg)
	// What was not tidied up goes at the next start; the switch has been made.
	if err := errors.Join(err, sweepErr); err != nil {
		r.logger.Warn("what a projection was folded into before can't be tidied up", "projection", name, "err", err)
	}
	r.logger.Info("a projection goes on from another store", "projection", name, "from", j.was.Serving.String(), "to", j.to.String(),
		"position", uint64(result.Position), "records", result.Records, "differences", result.Difference.Count())
	if r.record == nil {
		return
	}
	by := domain.PrincipalOperator
	if j.what == httpapi.KindUpgrade {
		by = domain.PrincipalCore
	}
	err = r.record(r.alive, domain.ProjectionRebuilt{
		Name: name, FromVersion: j.was.Serving.Version, FromGeneration: j.was.Serving.Generation,
		ToVersion: j.to.Version, ToGeneration: j.to.Generation, Position: result.Position, Records: result.Records,
		DurationMS: result.Took.Milliseconds(), Differences: result.Difference.Count(), RolledBack: j.what == httpapi.KindRollback,
	}, by)
	if err != nil {
		r.logger.Warn("that a projection was rebuilt can't be recorded", "projection", name, "err", err)
	}
}

// Cancel ends a rebuild, and returns once nothing is left of it.
func (r *rebuilder) Cancel(name string) error {
	if _, err := r.named([]string{name}); err != nil {
		return err
	}
	r.mu.Lock()
	j := r.latest[name]
	running := j != nil && j.state == httpapi.RebuildRunning
	end := func() {}
	if running {
		end = j.cancel
	}
	r.mu.Unlock()
	if !running {
		return &domain.Error{Op: "cancel rebuild", Category: domain.Conflict, Code: codeNoRebuild,
			Message: fmt.Sprintf("%s isn't being rebuilt: it has ended, or never began", name)}
	}
	end()
	<-j.done
	return nil
}

// busy reports whether a projection is being rebuilt.
func (r *rebuilder) busy(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := r.latest[name]
	return j != nil && j.state == httpapi.RebuildRunning
}

// checked is since when every projection was compared with the log, by checks and
// rebuilds that somebody asked for; zero while one wasn't.
func (r *rebuilder) checked() (since time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n, k := range r.folds.all {
		at := r.compared[k.name]
		if at.IsZero() {
			return at
		}
		if n == 0 || at.Before(since) {
			since = at
		}
	}
	return since
}

// Standing tells of a projection what belongs to its stores.
func (r *rebuilder) Standing(name string) httpapi.Standing {
	out := r.shelf.standing(name)
	r.mu.Lock()
	defer r.mu.Unlock()
	if j := r.latest[name]; j != nil {
		view := httpapi.RebuildView{What: j.what, State: j.state, To: api.Edition(j.to), Progress: j.progress, Ended: j.ended, Result: j.result, Err: j.err}
		if j.state == httpapi.RebuildRunning {
			view.Progress = j.work.Progress()
		}
		out.Rebuild = &view
	}
	return out
}

// close ends what is under way and waits for it.
func (r *rebuilder) close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.end()
	r.going.Wait()
}
