package signal

import (
	"context"
	"reflect"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/screen"
	"chalie/domain"
)

// SurroundingsConfig is what the context commands need. All fields but Spine are
// required.
type SurroundingsConfig struct {
	commands.Env
	Book    commands.ContextView
	Applied commands.Barrier
	Spine   *background.Emitter `optional:"yes"` // hears of changes that may make something else matter; nil for nobody
}

// Surroundings takes in what clients say of where and how the person is.
type Surroundings struct{ cfg SurroundingsConfig }

// NewSurroundings checks the configuration.
func NewSurroundings(cfg SurroundingsConfig) (*Surroundings, error) {
	if err := commands.Complete("configure context", cfg); err != nil {
		return nil, err
	}
	return &Surroundings{cfg: cfg}, nil
}

// Now is what is known.
func (s *Surroundings) Now() domain.ContextUpdated { return s.cfg.Book.Now() }

// Update records what changed, and returns once the fold knows it. A client
// reports every few minutes and mostly the same: that is recorded once. A device
// that lies still and measures another metre each time hasn't moved, so of a
// location it counts only whether it is another one when snapped.
//
// Errors: validation, and what domain.Appender returns.
func (s *Surroundings) Update(ctx context.Context, c commands.Caller, update domain.ContextUpdated) error {
	if err := update.Check(); err != nil {
		return err
	}
	update = screen.Context(update)
	known := s.cfg.Book.Now()
	if reflect.DeepEqual(coarse(update.Over(known)), coarse(known)) {
		return nil
	}
	id := s.cfg.IDs.NewID()
	now := s.cfg.Now()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, now, c.Source, update)
	if err != nil {
		return err
	}
	receipt, err := s.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	if err != nil {
		return err
	}
	if signal, ok := domain.ContextSignal(known, update.Over(known), id); ok && s.cfg.Spine != nil {
		s.cfg.Spine.Emit(ctx, entry.Envelope, signal)
	}
	return s.cfg.Applied.WaitFor(ctx, receipt.Positions[0])
}

// coarse is a context whose location is snapped.
func coarse(c domain.ContextUpdated) domain.ContextUpdated {
	if c.Location != nil {
		snapped := c.Location.Snapped()
		c.Location = &snapped
	}
	return c
}
