package inmemory

import (
	"context"
	"slices"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/memlog"
)

// folding is a log of which everything is folded, and noticed, as soon as it is appended.
type folding struct {
	*memlog.Log
	c *Chalie
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
		before := commands.Copy(l.c.Box.Surroundings)
		if err := l.c.Box.Apply(records[i]); err != nil {
			return receipt, err
		}
		if err := l.c.surroundings(ctx, before, records[i]); err != nil {
			return receipt, err
		}
	}
	for _, rec := range records {
		if err := l.c.notice(ctx, rec); err != nil {
			return receipt, err
		}
	}
	return receipt, nil
}

// surroundings says what a change of the person's makes worth thinking of.
func (c *Chalie) surroundings(ctx context.Context, before domain.ContextUpdated, rec domain.Record) error {
	if rec.Envelope.Type != domain.ContextUpdatedType {
		return nil
	}
	s, ok := domain.ContextSignal(before, commands.Copy(c.Box.Surroundings), rec.Envelope.ID)
	if !ok {
		return nil
	}
	return c.emit(ctx, rec.Envelope, s)
}

// notice is what the services make of a record: those that emit, the consumer, and those that
// wait for silence.
func (c *Chalie) notice(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	if t, ok := domain.SpineTypeOf(e); ok && slices.Contains(c.takes, t) && e.Type == domain.SpineSignalEmittedType && !domain.IsSilent(e) {
		c.queue = append(c.queue, rec)
	}
	switch rec.Topic {
	case domain.TopicMessages, domain.TopicTools, domain.TopicReasoning, domain.TopicSpine:
		if e.Type != domain.ContextUpdatedType {
			c.quiet = rec.Clock().Time()
		}
	}
	switch e.Type {
	case domain.MessageReceivedType, domain.ActionReceivedType, domain.ReasoningConcludedType:
		if e.Principal == domain.PrincipalOperator && !slices.Contains(e.Keys, domain.UnaskedKey) {
			c.spoken = rec
		}
	case domain.ApprovalGrantedType, domain.ApprovalRefusedType:
		c.goOn = append(c.goOn, e.Trace)
	}
	for _, service := range c.noticing[rec.Topic] {
		s, ok, err := service.Notice(ctx, rec)
		if err == nil && ok {
			err = c.unlessCycles(ctx, rec, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unlessCycles emits what a record is worth, unless a cycle did it.
func (c *Chalie) unlessCycles(ctx context.Context, rec domain.Record, s domain.SpineSignal) error {
	opening, err := c.Log.Find(ctx, rec.Envelope.Trace.ID)
	if err != nil || opening.Envelope.Type == domain.SpineSignalEmittedType {
		return err
	}
	return c.emit(ctx, rec.Envelope, s)
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
