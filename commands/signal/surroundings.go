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
	Book    commands.View[domain.ContextUpdated]
	Applied commands.Barrier
	Spine   *background.Emitter `optional:"yes"` // gets the changes that may make other items relevant; nil for none
}

// Surroundings takes in the person's context as clients report it: place, device, time
// zone.
type Surroundings struct{ cfg SurroundingsConfig }

// NewSurroundings checks the configuration.
func NewSurroundings(cfg SurroundingsConfig) (*Surroundings, error) {
	if err := commands.Complete("configure context", cfg); err != nil {
		return nil, err
	}
	return &Surroundings{cfg: cfg}, nil
}

// Now is the person's context as far as it is known.
func (s *Surroundings) Now() domain.ContextUpdated { return commands.Copy(s.cfg.Book) }

// Update records what changed, and returns once the fold knows it. Clients report every
// few minutes, mostly the same; a repeat is not recorded. A device at rest measures a
// slightly different location each time, so locations are compared after snapping them to
// a grid.
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

// Tell is Update with the fields of a JSON object; fields that can't be used are skipped.
func (s *Surroundings) Tell(ctx context.Context, c commands.Caller, text []byte) error {
	return s.Update(ctx, c, domain.ContextOf(text, isZone))
}

func isZone(name string) bool {
	_, ok := commands.ZoneNamed(name)
	return ok
}

// change is the entry of an update, with the context before and after it.
type change struct {
	entry          domain.Entry
	update, before domain.ContextUpdated
	known          domain.ContextUpdated // the context when the change was made
}

func (c *change) after() domain.ContextUpdated { return c.update.Over(c.before) }

// isOne reports whether the context differs afterwards.
func (c *change) isOne() bool {
	return !reflect.DeepEqual(coarse(c.after()), coarse(c.before))
}

// change checks and screens an update. The error is a validation error.
func (s *Surroundings) change(lineage domain.Lineage, id domain.ID, source domain.Source, update domain.ContextUpdated) (*change, error) {
	if err := update.Check(); err != nil {
		return nil, err
	}
	update = screen.Context(update)
	entry, err := domain.New(lineage, id, s.cfg.Now(), source, update)
	known := s.Now()
	return &change{entry: entry, update: update, before: known, known: known}, err
}

// toldBy is the change that a signal makes, in the signal's trace; nil when the signal
// reports nothing or its sender may not change the context.
func (s *Surroundings) toldBy(c commands.Caller, sig domain.SignalReceived, heard domain.Envelope) (*change, error) {
	if s == nil {
		return nil, nil
	}
	update := domain.ContextIn(sig, c.Has(domain.RightContext), isZone)
	if update == (domain.ContextUpdated{}) {
		return nil, nil
	}
	return s.change(domain.Continue(heard), s.cfg.IDs.NewID(), c.Source, update)
}

// emit sends appended changes to the spine.
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
