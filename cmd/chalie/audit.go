package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"chalie/adapters/aistalk"
	"chalie/adapters/pebblestore"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/projections"
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

// auditFolder holds the audit's stores while it runs.
func auditFolder(data string) string { return filepath.Join(data, "audit") }

// newAuditor makes the audit, and deletes the stores of an interrupted one.
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

// foldChecker audits the program's projections, each in a temporary store.
type foldChecker struct{ app *App }

var _ background.FoldChecker = foldChecker{}

// Projections implements background.FoldChecker.
func (c foldChecker) Projections() []string { return c.app.folds.Names() }

// Check implements background.FoldChecker.
func (c foldChecker) Check(ctx context.Context, name string) (out background.FoldAudit, err error) {
	a := c.app
	began := a.cfg.Clock.Now()
	defer func() {
		err = errors.Join(err, os.RemoveAll(auditFolder(a.cfg.Data)))
		a.console.ran(aistalk.Ops{Name: "audit", Of: name, OK: err == nil && out.Differing == 0}, began)
	}()
	found, err := a.rebuilds.Audit(ctx, name, a.log, a.spine.foreground.Rest, func(version int) (projections.Durable, error) {
		return pebblestore.Open(name, version, pebblestore.Config{Dir: auditFolder(a.cfg.Data), Log: a.cfg.Logger, CacheBytes: a.cfg.memory.foldCache(), MemTableBytes: a.cfg.memory.foldTable()})
	})
	return background.FoldAudit{Name: name, Version: found.Version, Position: found.Position,
		Served: found.Served, Folded: found.Folded, Differing: found.Differing}, err
}

// divergedWords says that a projection differs from the log, and what to do.
func divergedWords(p domain.ProjectionDiverged) string {
	return fmt.Sprintf("is not what the log says: %s through position %s; run `chalie rebuild %s`",
		counted(p.Differing, "thing differs", "things differ"), grouped(uint64(p.Position)), p.Name)
}
