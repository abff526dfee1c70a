package main

import (
	"context"
	"fmt"

	contract "chalie/adapters/api"
	"chalie/adapters/pebblelog"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/retain"
	"chalie/projections"
	"chalie/replay/narrate"
)

// retentionService is told of in /health while what is over stays all the same.
const retentionService = "retention"

// retirer has records of the running Chalie's log go.
type retirer struct {
	*pebblelog.Log
	moving func() bool // the log is being moved; nil for never
	clock  domain.Clock
	folds  *folds
	feed   projections.Feed // for folding again, in no hurry
	kept   *projections.Keyframes
}

var _ background.Retirer = retirer{}

// Next implements background.Retirer.
func (r retirer) Next(ctx context.Context, kept []domain.KeptFor) (domain.SpanRetired, domain.Runs, error) {
	if err := r.MayRetire(); err != nil {
		return domain.SpanRetired{}, nil, err
	}
	if r.moving != nil && r.moving() {
		return domain.SpanRetired{}, nil, nil // it has to be whole where it goes
	}
	var now domain.World
	r.folds.World.Read(func(w *domain.World) { now = w.Clone() })
	found, err := retain.Next(ctx, r.Log, retain.Rule{Kept: kept, Now: domain.MillisOf(r.clock.Now()), Needs: now.Rests})
	return found.Span, found.Runs, err
}

// Differing implements background.Retirer.
func (r retirer) Differing(ctx context.Context, went domain.Runs, span domain.Envelope) ([]string, error) {
	rec := domain.Record{Position: r.Tail() + 1, Topic: domain.TopicSystem, RecordedAt: span.Timestamp, Envelope: span}
	return projections.Differing(ctx, r.feed, went, rec, anewToday)
}

// Retire implements background.Retirer. What looks back on what went is made anew.
func (r retirer) Retire(ctx context.Context, went domain.Runs) error {
	if err := r.Log.Retire(ctx, went); err != nil {
		return err
	}
	last, err := retain.Last(ctx, r.Log)
	r.kept.Forget(last)
	return err
}

// retention tells what would go.
func (c *cli) retention(r contract.Retention) error {
	if r.Stays != "" {
		if err := c.Printf("%s.\n", narrate.Capital(oneLine(r.Stays))); err != nil {
			return err
		}
	}
	switch {
	case r.Refused != "":
		return c.Printf("Nothing can go: %s\n", oneLine(r.Refused))
	case r.Next.Records == 0:
		return c.Printf("Nothing would go now.\n")
	}
	gives := size(int64(r.Next.Bytes)) + " before they are compressed"
	if r.Next.OnDisk > 0 {
		gives += fmt.Sprintf("; about %s of the disk, by their share of the log's files", size(int64(r.Next.OnDisk)))
	}
	if err := c.Printf("Would go, within a day: %s of %s to %s, %s.\n",
		counted(r.Next.Records, "record", "records"), c.Moment(r.Next.Oldest), c.Moment(r.Next.Newest), gives); err != nil {
		return err
	}
	rows := make([][]term.Cell, len(r.Next.Counts))
	for i, n := range r.Next.Counts {
		rows[i] = []term.Cell{term.Plain.Of(string(n.Topic)), term.Plain.Of(string(n.Type)), term.Plain.Of(grouped(n.Records))}
	}
	if err := c.Table([]term.Column{{Title: "TOPIC"}, {Title: "TYPE", Flex: true}, {Title: "RECORDS", Right: true}}, rows); err != nil {
		return err
	}
	return c.Printf("What goes can't be brought back but from a backup. What anything told, answered or done rests on stays.\n")
}

// anewToday are the projections of this program, empty.
func anewToday() []projections.Projection {
	var out []projections.Projection
	for _, k := range today() {
		out = append(out, k.Today())
	}
	return out
}
