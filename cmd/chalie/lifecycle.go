package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"chalie/domain"
)

// sourceSystem is the emitter of what the program records of itself.
const sourceSystem domain.Source = "chalie"

// recordWithin bounds the last append: a disk that hangs must not hold up the
// way out.
const recordWithin = 5 * time.Second

// starting is the log of a program that has begun once system.started stands in it:
// nothing that this program appends comes before. Where the disk has no room the
// program runs all the same, and every append is refused as this one is, until one
// can be made.
type starting struct {
	domain.Log
	entry func() (domain.Entry, error) // system.started, as it is to be recorded now

	mu    sync.Mutex // one at a time begins
	began atomic.Bool
}

var _ domain.Log = (*starting)(nil)

// Append is the log's, after system.started.
func (s *starting) Append(ctx context.Context, batch domain.Batch) (domain.Receipt, error) {
	if _, err := s.begin(ctx); err != nil {
		return domain.Receipt{}, err
	}
	return s.Log.Append(ctx, batch)
}

// begin appends system.started, unless it is there; its receipt is empty then.
func (s *starting) begin(ctx context.Context) (domain.Receipt, error) {
	if s.began.Load() {
		return domain.Receipt{}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.Load() {
		return domain.Receipt{}, nil
	}
	entry, err := s.entry()
	if err != nil {
		return domain.Receipt{}, err
	}
	receipt, err := s.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	s.began.Store(err == nil)
	return receipt, err
}

// startEntry says what writes from here on.
func (a *App) startEntry() (domain.Entry, error) {
	b := thisBuild()
	return entryOf(a, domain.SystemStarted{
		Version: b.Version, Revision: b.Revision, Projections: a.folds.Versions(),
		CatalogueHash: catalogueHash(domain.Events()), Tail: a.log.Tail(),
	})
}

// recordStart appends system.started. Where the disk has no room for it, what is in
// the log until then is what there is to know, and the record waits for room.
func (a *App) recordStart(ctx context.Context) error {
	receipt, err := a.starting.begin(ctx)
	if domain.CodeOf(err) == domain.CodeDiskLow {
		a.started, a.began = a.log.Tail(), domain.MillisOf(a.cfg.Clock.Now())
		a.cfg.Logger.Warn("nothing can be recorded until there is room; what was recorded can be read", "err", err)
		return nil
	}
	if err != nil {
		return err
	}
	a.started, a.began = receipt.Positions[0], receipt.RecordedAt
	return nil
}

// startEvery is how often a start that couldn't be recorded is tried again.
const startEvery = time.Second

// startLater records the start once there is room for it. Whatever is appended
// before does so, too.
func (a *App) startLater(ctx context.Context) {
	tick := time.NewTicker(startEvery)
	defer tick.Stop()
	for !a.starting.began.Load() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		receipt, err := a.starting.begin(ctx)
		switch {
		case err == nil && len(receipt.Positions) > 0:
			a.cfg.Logger.Info("there is room again; Chalie goes on", "position", uint64(receipt.Positions[0]))
		case err != nil && domain.CodeOf(err) != domain.CodeDiskLow && ctx.Err() == nil:
			a.cfg.Logger.Error("the start can't be recorded", "err", err)
		}
	}
}

// recordStop appends system.stopped, and waits until it is folded, so that the
// next start has nothing to catch up with. A fold that is far behind is not
// waited for.
//
// One that never had room to say that it started has nothing to say.
func (a *App) recordStop(why string) error {
	if !a.starting.began.Load() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), recordWithin)
	defer cancel()
	receipt, err := record(ctx, a, domain.SystemStopped{Reason: why})
	if err != nil {
		return err
	}
	// Not catching up costs the next start a fold.
	_ = a.folds.Group.WaitFor(ctx, receipt.Positions[0])
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
	entry, err := entryOf(a, payload)
	if err != nil {
		return domain.Receipt{}, err
	}
	return a.bus.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
}

// entryOf is an event of the program itself.
func entryOf[P any](a *App, payload P) (domain.Entry, error) {
	id := a.cfg.IDs.NewID()
	return domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(a.cfg.Clock.Now()), sourceSystem, payload)
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
