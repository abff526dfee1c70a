package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/memlog"
	"chalie/replay/player"
)

// folding is a log of which everything is folded, and noticed, as soon as it is appended.
type folding struct {
	*memlog.Log
	d *driver
}

// Append implements domain.Appender.
func (l folding) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	receipt, err := l.Log.Append(ctx, b)
	if err != nil || receipt.Duplicate {
		return receipt, err
	}
	records := make([]domain.Record, len(b.Entries))
	for i, e := range b.Entries {
		records[i] = domain.Record{Position: receipt.Positions[i], Topic: e.Topic, RecordedAt: receipt.RecordedAt, Envelope: e.Envelope}
		before := commands.Copy(l.d.box.Surroundings)
		if err := l.d.box.Apply(records[i]); err != nil {
			return receipt, err
		}
		if err := l.d.surroundings(ctx, before, records[i]); err != nil {
			return receipt, err
		}
	}
	for _, rec := range records {
		if err := l.d.notice(ctx, rec); err != nil {
			return receipt, err
		}
	}
	return receipt, nil
}

// surroundings says what a change of the person's makes worth thinking of.
func (d *driver) surroundings(ctx context.Context, before domain.ContextUpdated, rec domain.Record) error {
	if rec.Envelope.Type != domain.ContextUpdatedType {
		return nil
	}
	s, ok := domain.ContextSignal(before, commands.Copy(d.box.Surroundings), rec.Envelope.ID)
	if !ok {
		return nil
	}
	return d.emit(ctx, rec.Envelope, s)
}

// notice is what the services make of a record: those that emit, the consumer, and those that
// wait for silence.
func (d *driver) notice(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	if t, ok := domain.SpineTypeOf(e); ok && slices.Contains(d.takes, t) && e.Type == domain.SpineSignalEmittedType && !domain.IsSilent(e) {
		d.queue = append(d.queue, rec)
	}
	switch rec.Topic {
	case domain.TopicMessages, domain.TopicTools, domain.TopicReasoning, domain.TopicSpine:
		if e.Type != domain.ContextUpdatedType {
			d.quiet = rec.Clock().Time()
		}
	}
	switch e.Type {
	case domain.MessageReceivedType, domain.ActionReceivedType, domain.ReasoningConcludedType:
		if e.Principal == domain.PrincipalOperator && !slices.Contains(e.Keys, domain.UnaskedKey) {
			d.spoken = rec
		}
	}
	for _, service := range d.noticing[rec.Topic] {
		s, ok, err := service.Notice(ctx, rec)
		if err == nil && ok {
			err = d.unlessCycles(ctx, rec, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unlessCycles emits what a record is worth, unless a cycle did it.
func (d *driver) unlessCycles(ctx context.Context, rec domain.Record, s domain.SpineSignal) error {
	opening, err := d.log.Find(ctx, rec.Envelope.Trace.ID)
	if err != nil || opening.Envelope.Type == domain.SpineSignalEmittedType {
		return err
	}
	return d.emit(ctx, rec.Envelope, s)
}

// folded is a barrier for folds that are always there.
type folded struct{}

// WaitFor implements commands.Barrier.
func (folded) WaitFor(context.Context, domain.Position) error { return nil }

// unwatched is the heart of services that nobody watches.
type unwatched struct{}

var _ background.Heart = unwatched{}

// Work implements background.Heart.
func (unwatched) Work(string) func() { return func() {} }

// nothing is what is outside of a life: no other model, and no interface.
type nothing struct{}

var _ player.Effects = nothing{}

var errOutside = errors.New("there is nothing outside of a life")

// Ground implements player.Effects: the built-in model alone answers.
func (nothing) Ground(context.Context, player.Act) (domain.ReasoningStarted, bool) {
	return domain.ReasoningStarted{}, false
}

// Reply implements player.Effects.
func (nothing) Reply(_ context.Context, _ player.Act, model string) (domain.Envelope, error) {
	return domain.Envelope{}, fmt.Errorf("%w: %s was asked", errOutside, model)
}

// Edited implements player.Effects.
func (nothing) Edited(context.Context, player.Act) (domain.Envelope, bool, error) {
	return domain.Envelope{}, false, nil
}

// Verdict implements player.Effects.
func (nothing) Verdict(context.Context, player.Act) (domain.Envelope, error) {
	return domain.Envelope{}, errOutside
}

// Answer implements player.Effects.
func (nothing) Answer(_ context.Context, _ player.Act, call player.Outgoing) (domain.Envelope, error) {
	return domain.Envelope{}, fmt.Errorf("%w: %s was called", errOutside, call.Tool)
}

// State implements player.Effects.
func (nothing) State(context.Context, player.Act, player.Outgoing, domain.Moment) (domain.StateTaken, error) {
	return domain.StateTaken{}, errOutside
}

// Invoked implements player.Effects.
func (nothing) Invoked(context.Context, domain.ID) (domain.Record, error) {
	return domain.Record{}, errOutside
}

// Trouble implements player.Effects.
func (nothing) Trouble() []string { return nil }
