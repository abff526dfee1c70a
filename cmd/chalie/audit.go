package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chalie/adapters/pebblestore"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/rebuild"
)

// The audit works a fifth of the time, and rests a little more while somebody waits
// for an answer.
const (
	auditRest = 4
	auditCalm = 50 * time.Millisecond
)

// defaultAuditAt is when the audit begins, as people write it.
const defaultAuditAt = "03:30"

// parseAuditAt reads a time of day, or off. Nothing is the default.
func parseAuditAt(text string) (at time.Duration, off bool, err error) {
	switch text {
	case "":
		return background.DefaultAuditAt, false, nil
	case "off":
		return 0, true, nil
	}
	t, err := time.Parse("15:04", text)
	if err != nil {
		return 0, false, domain.Invalid("configure chalie", "audit-at", fmt.Sprintf("--audit-at is %q: give a time of day such as %s, or off", text, defaultAuditAt))
	}
	return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, false, nil
}

// auditFolder holds what the audit folds, while it does.
func auditFolder(data string) string { return filepath.Join(data, "audit") }

// newAuditor makes the audit, and deletes what one left that was broken off.
func newAuditor(a *App) (*background.Auditor, error) {
	if err := os.RemoveAll(auditFolder(a.cfg.Data)); err != nil {
		return nil, noDataDir(auditFolder(a.cfg.Data), err)
	}
	at, off, err := parseAuditAt(a.cfg.AuditAt)
	if err != nil {
		return nil, err
	}
	return background.NewAuditor(background.AuditorConfig{
		Checker: foldChecker{a}, Env: a.env(), Priority: &a.spine.foreground, Heart: a.spine.hearts,
		Zone: a.zone, At: at, Off: off,
	})
}

// foldChecker folds the program's projections again, each into a store that is
// thrown away.
type foldChecker struct{ app *App }

var _ background.FoldChecker = foldChecker{}

// Projections are the names of all of them.
func (c foldChecker) Projections() []string {
	names := make([]string, len(c.app.folds.all))
	for i, k := range c.app.folds.all {
		names[i] = k.Name
	}
	return names
}

// Check folds one again and compares it with the one that serves.
func (c foldChecker) Check(ctx context.Context, name string) (out background.FoldAudit, err error) {
	a := c.app
	kind, err := a.rebuilds.Kind(name)
	if err != nil {
		return out, err
	}
	serves := a.stores.Active(name).Store
	next, known := kind.Of(serves.Version)
	if !known || a.rebuilds.Busy(name) {
		return out, notNow(name)
	}
	store, err := pebblestore.Open(name, next.Version(), pebblestore.Config{Dir: auditFolder(a.cfg.Data), Log: a.cfg.Logger, CacheBytes: a.cfg.memory.foldCache(), MemTableBytes: a.cfg.memory.foldTable()})
	if err != nil {
		return out, err
	}
	defer func() {
		err = errors.Join(err, store.Close(), os.RemoveAll(auditFolder(a.cfg.Data)))
	}()
	feed := projections.NewThrottled(a.log, auditRest, a.restFor)
	checks, err := projections.NewRebuilds(feed, a.folds.group, a.cfg.Clock, projections.Config{Log: a.cfg.Logger.With("shadow", true)},
		projections.RebuildConfig{Serving: a.folds.of[name], Next: next, Store: store, Check: true})
	if err != nil {
		return out, err
	}
	found, err := checks[0].Run(ctx)
	if err == nil && a.stores.Active(name).Store != serves {
		return out, notNow(name)
	}
	return background.FoldAudit{Name: name, Version: next.Version(), Position: found.Position,
		Served: found.Served, Folded: found.Folded, Differing: found.Difference.Count()}, err
}

func notNow(name string) error {
	return &domain.Error{Op: "audit " + name, Category: domain.Conflict, Code: rebuild.CodeRunning,
		Message: fmt.Sprintf("projection %s is being rebuilt; it is audited next night", name)}
}

// restFor waits for d, and a moment longer while somebody waits for an answer.
func (a *App) restFor(ctx context.Context, d time.Duration) {
	if a.spine.foreground.Waiting() {
		d += auditCalm
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// divergedWords says of a projection that it isn't what the log says, and what to
// do.
func divergedWords(p domain.ProjectionDiverged) string {
	return fmt.Sprintf("is not what the log says: %s through position %s; run `chalie rebuild %s`",
		counted(p.Differing, "thing differs", "things differ"), grouped(uint64(p.Position)), p.Name)
}
