package commands

import (
	"context"
	"slices"

	"chalie/domain"
)

// spinePage is how many records of the topic are read at a time.
const spinePage = 100

// intake fills the queue from the log.
func (c *Consumer) intake(ctx context.Context) error {
	var from domain.Position
	err := c.insist(ctx, func() error {
		at, err := c.cfg.Feed.Checkpoint(ctx, c.checkpoint())
		from = at + 1
		return err
	})
	for err == nil {
		tail := c.cfg.Feed.Tail()
		var records []domain.Record
		err = c.insist(ctx, func() (err error) {
			records, err = c.cfg.Feed.Select(ctx, domain.Selector{Topic: domain.TopicSpine}, from, spinePage)
			return err
		})
		if err != nil {
			break
		}
		for _, rec := range records {
			c.take(rec)
			from = rec.Position + 1
		}
		if len(records) == spinePage {
			continue // only who has read everything knows what was dropped before
		}
		from = max(from, tail+1)
		c.queue.read(from - 1)
		if err = c.insist(ctx, func() error { return c.trim(ctx) }); err == nil {
			_, err = c.cfg.Feed.Wait(ctx, from-1)
		}
	}
	return err
}

// take puts a signal into the queue.
func (c *Consumer) take(rec domain.Record) {
	if name, signal, dropped := domain.DroppedOf(rec.Envelope); dropped {
		if name == c.cfg.Name {
			c.queue.forget(signal)
		}
		return
	}
	if t, ok := domain.SpineTypeOf(rec.Envelope); !ok || !slices.Contains(c.cfg.Takes, t) {
		return
	}
	header := rec.Envelope
	header.Payload, header.Errors = domain.Payload{}, nil
	c.queue.add(queued{id: rec.Envelope.ID, header: header, position: rec.Position})
}

// trim drops the oldest until no more wait than may.
func (c *Consumer) trim(ctx context.Context) error {
	for {
		oldest, full := c.queue.over(c.cfg.Depth)
		if !full {
			return nil
		}
		if err := c.recordDrop(ctx, oldest); err != nil {
			c.queue.back(oldest)
			return err
		}
	}
}

func (c *Consumer) recordDrop(ctx context.Context, s queued) error {
	entry, err := domain.New(domain.Continue(s.header), c.cfg.IDs.NewID(), c.cfg.Now(), domain.Source(c.cfg.Name),
		domain.SpineSignalDropped{Consumer: c.cfg.Name, Signal: s.id, Reason: domain.DroppedForOverflow})
	if err != nil {
		return err
	}
	key := domain.DroppedKey(c.cfg.Name, s.id)
	entry.Envelope.Keys = []domain.Key{key}
	_, err = c.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}, Conditions: []domain.Condition{{Key: key}}})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil // an earlier start recorded it
	}
	return err
}

// insist repeats what fails for a reason that may pass, until ctx ends.
func (c *Consumer) insist(ctx context.Context, do func() error) error {
	pause := againAfter
	for {
		err := do()
		switch {
		case err == nil:
			c.queue.tell(func(s *ConsumerState) { s.unread = nil })
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !domain.IsRetriable(err) || domain.CodeOf(err) == domain.CodeClosed:
			return err
		}
		c.queue.tell(func(s *ConsumerState) { s.unread = err })
		if !sleep(ctx, pause) {
			return ctx.Err()
		}
		pause = min(2*pause, againAtMost)
	}
}
