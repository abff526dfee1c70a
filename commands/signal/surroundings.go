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
	id := s.cfg.IDs.NewID()
	made, err := s.change(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, c.Source, update)
	if err != nil || !made.isOne() {
		return err
	}
	receipt, err := s.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{made.entry}})
	if err != nil {
		return err
	}
	s.emit(ctx, made)
	return s.cfg.Applied.WaitFor(ctx, receipt.Positions[0])
}

// Tell is Update with what a JSON object tells; what can't be used of it is passed over.
func (s *Surroundings) Tell(ctx context.Context, c commands.Caller, text []byte) error {
	return s.Update(ctx, c, domain.ContextOf(text, isZone))
}

func isZone(name string) bool {
	_, ok := commands.ZoneNamed(name)
	return ok
}

// change is what an update adds to the log, if it is one of what is known before it.
type change struct {
	entry          domain.Entry
	update, before domain.ContextUpdated
}

func (c *change) after() domain.ContextUpdated { return c.update.Over(c.before) }

// isOne reports whether anything is another afterwards.
func (c *change) isOne() bool {
	return !reflect.DeepEqual(coarse(c.after()), coarse(c.before))
}

// change judges and screens an update. The error is a validation.
func (s *Surroundings) change(lineage domain.Lineage, id domain.ID, source domain.Source, update domain.ContextUpdated) (*change, error) {
	if err := update.Check(); err != nil {
		return nil, err
	}
	update = screen.Context(update)
	entry, err := domain.New(lineage, id, s.cfg.Now(), source, update)
	return &change{entry: entry, update: update, before: s.cfg.Book.Now()}, err
}

// toldBy is what a signal changes, by what its sender wrote; nil when it tells of nothing,
// or its sender may not. It belongs to the signal's trace.
func (s *Surroundings) toldBy(c commands.Caller, sig domain.SignalReceived, heard domain.Envelope) (*change, error) {
	if s == nil {
		return nil, nil
	}
	update := domain.ContextIn(sig, c.MayByName(sig.SignalType), isZone)
	if update == (domain.ContextUpdated{}) {
		return nil, nil
	}
	return s.change(domain.Continue(heard), s.cfg.IDs.NewID(), c.Source, update)
}

// emit tells the spine of changes that were appended.
func (s *Surroundings) emit(ctx context.Context, made ...*change) {
	for _, c := range made {
		if signal, ok := domain.ContextSignal(c.before, c.after(), c.entry.Envelope.ID); ok && s.cfg.Spine != nil {
			s.cfg.Spine.Emit(ctx, c.entry.Envelope, signal)
		}
	}
}

// coarse is a context whose location is snapped.
func coarse(c domain.ContextUpdated) domain.ContextUpdated {
	if c.Location != nil {
		snapped := c.Location.Snapped()
		c.Location = &snapped
	}
	return c
}
