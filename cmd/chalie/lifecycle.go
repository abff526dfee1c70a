package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"chalie/domain"
)

// sourceSystem is the emitter of what the program records of itself.
const sourceSystem domain.Source = "chalie"

// recordWithin bounds the last append: a disk that hangs must not hold up the
// way out.
const recordWithin = 5 * time.Second

// recordStart appends system.started: what writes from here on.
func (a *App) recordStart(ctx context.Context) error {
	b := thisBuild()
	receipt, err := record(ctx, a, domain.SystemStarted{
		Version: b.Version, Revision: b.Revision, Projections: a.folds.versions(),
		CatalogueHash: catalogueHash(domain.Events()), Tail: a.log.Tail(),
	})
	if err != nil {
		return err
	}
	a.started, a.began = receipt.Positions[0], receipt.RecordedAt
	return nil
}

// recordStop appends system.stopped, and waits until it is folded, so that the
// next start has nothing to catch up with. A fold that is far behind is not
// waited for.
func (a *App) recordStop(why string) error {
	ctx, cancel := context.WithTimeout(context.Background(), recordWithin)
	defer cancel()
	receipt, err := record(ctx, a, domain.SystemStopped{Reason: why})
	if err != nil {
		return err
	}
	// Not catching up costs the next start a fold.
	_ = a.folds.group.WaitFor(ctx, receipt.Positions[0])
	return nil
}

// recordRebuilt appends that a projection goes on from another store, for who asked
// for it.
func (a *App) recordRebuilt(ctx context.Context, what domain.ProjectionRebuilt, by domain.Principal) error {
	id := a.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, by), id, domain.MillisOf(a.cfg.Clock.Now()), sourceSystem, what)
	if err == nil {
		_, err = a.bus.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	}
	return err
}

// record appends one event of the program itself, an episode of its own.
func record[P any](ctx context.Context, a *App, payload P) (domain.Receipt, error) {
	id := a.cfg.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(a.cfg.Clock.Now()), sourceSystem, payload)
	if err != nil {
		return domain.Receipt{}, err
	}
	return a.bus.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
}

// reason says in the log why the program stopped.
func reason(ctx context.Context, failure error) string {
	switch {
	case failure != nil:
		return words(failure)
	case context.Cause(ctx) != nil:
		return context.Cause(ctx).Error()
	}
	return "asked to"
}

// catalogueHash tells two builds with different payload schemas apart.
func catalogueHash(c *domain.Catalogue) string {
	sum := sha256.New()
	for _, d := range c.Definitions() {
		// A hash takes every write.
		_, _ = fmt.Fprintf(sum, "%s %d %s %s %v\n", d.Type, d.Version, d.Topic, d.Kind, d.Fields)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
