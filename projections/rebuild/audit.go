package rebuild

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chalie/domain"
	"chalie/projections"
)

// auditRest lets an audit work a fifth of the time.
const auditRest = 4

// Audited is the result of folding a projection again, and comparing.
type Audited struct {
	Version        int
	Position       domain.Position // through which both were folded
	Served, Folded string          // hashes of what answers and of what the log gives
	Differing      uint64          // things they don't agree on; 0 when they do
}

// Audit folds a projection again in no hurry, in the version that serves, and compares.
// It folds into a store that open makes, which it closes and the caller throws away;
// pause is projections.NewThrottled's. A projection that is being rebuilt is a Conflict.
func (r *Rebuilder) Audit(ctx context.Context, name string, feed projections.Feed, pause func(context.Context, time.Duration), open func(version int) (projections.Durable, error)) (out Audited, err error) {
	kind, err := r.Kind(name)
	if err != nil {
		return out, err
	}
	serves := r.cfg.Stores.Active(name).Store
	next, known := kind.Of(serves.Version)
	if !known || r.busy(name) {
		return out, notNow(name)
	}
	store, err := open(next.Version())
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	checks, err := projections.NewRebuilds(projections.NewThrottled(feed, auditRest, pause), r.cfg.Serving.Group, r.cfg.Clock,
		projections.Config{Log: r.cfg.Logger.With("shadow", true)},
		projections.RebuildConfig{Serving: r.cfg.Serving.Of(name), Next: next, Store: store, Check: true})
	if err != nil {
		return out, err
	}
	found, err := checks[0].Run(ctx)
	if err == nil && r.cfg.Stores.Active(name).Store != serves {
		return out, notNow(name)
	}
	return Audited{next.Version(), found.Position, found.Served, found.Folded, found.Difference.Count()}, err
}

// busy reports whether a projection is being rebuilt.
func (r *Rebuilder) busy(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := r.latest[name]
	return j != nil && j.view.State == Running
}

func notNow(name string) error {
	return &domain.Error{Op: "audit " + name, Category: domain.Conflict, Code: CodeRunning,
		Message: fmt.Sprintf("projection %s is being rebuilt; it is audited next night", name)}
}
