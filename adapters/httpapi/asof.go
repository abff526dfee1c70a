package httpapi

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/domain/retain"
	"chalie/projections"
	"chalie/replay/narrate"
)

// positionMark stands before a position, where a time may be given too.
const positionMark = "pos:"

// askedLately is the tolerated difference of two machines' clocks: the caller's present
// isn't refused as the future.
const askedLately = 5 * time.Second

// asOf is the position or the past moment of the parameter "at"; nil without it. A moment
// includes everything recorded at or before it. A position stands for the moment at which
// it was recorded. Errors are the query's, too.
func (x *exchange) asOf(q *query) (*api.AsOf, error) {
	then, err := x.asOfGiven(q)
	if err != nil || then == nil {
		return then, err
	}
	then.Lacks, err = x.lacks(then.Position)
	return then, err
}

// lacks says what a look back to a position lacks; "" of nothing.
func (x *exchange) lacks(pos domain.Position) (string, error) {
	_, spans, err := retain.Spans(x.r.Context(), x.api.cfg.Log)
	return narrate.Lacks(retain.Lacking(spans, pos)), err
}

func (x *exchange) asOfGiven(q *query) (*api.AsOf, error) {
	if q.err != nil {
		return nil, q.err
	}
	text := q.values.Get("at")
	if text == "" {
		return nil, nil
	}
	if x.api.cfg.Past == nil {
		return nil, notRunning("look back")
	}
	if number, ok := strings.CutPrefix(text, positionMark); ok {
		return x.asOfPosition(number)
	}
	at, err := momentOf("at", text, q.now, ahead)
	if err != nil {
		return nil, domain.Invalid("look back", "at", fmt.Sprintf(
			"at is %q: give a time such as 2026-03-17T14:00:00Z, a span back such as -2h, or a position such as pos:1234", clip(text)))
	}
	if at > q.now.Add(askedLately) {
		return nil, domain.Invalid("look back", "at", fmt.Sprintf(
			"at is %q, which is in the future: nothing of it is recorded yet. Give a span back such as -2h, a time that is past, or a position such as pos:1234", clip(text)))
	}
	return x.asOfTime(min(at, q.now))
}

func (x *exchange) asOfPosition(number string) (*api.AsOf, error) {
	n, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return nil, domain.Invalid("look back", "at", fmt.Sprintf("at is %q: a position is a whole number, such as pos:1234", clip(positionMark+number)))
	}
	tail := x.api.cfg.Log.Tail()
	if n > uint64(tail) {
		return nil, domain.Invalid("look back", "at", fmt.Sprintf("at is pos:%d, and the log ends at position %d: ask for that, or an earlier one", n, tail))
	}
	records, err := x.api.cfg.Log.Select(x.r.Context(), domain.Selector{}, domain.Position(n), 1)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, nothingRecorded()
	}
	first, err := x.api.cfg.Log.Select(x.r.Context(), domain.Selector{}, 1, 1)
	if err != nil {
		return nil, err
	}
	if len(first) > 0 && first[0].Position > domain.Position(n) {
		return nil, beforeTheFirst(fmt.Sprintf("pos:%d", n), first[0])
	}
	// Of one whose record went the next has the time.
	return &api.AsOf{Position: domain.Position(n), Time: records[0].RecordedAt}, nil
}

func (x *exchange) asOfTime(at domain.Millis) (*api.AsOf, error) {
	after, err := x.api.cfg.Log.Since(x.r.Context(), at+1)
	if err != nil {
		return nil, err
	}
	first, err := x.api.cfg.Log.Select(x.r.Context(), domain.Selector{}, 1, 1)
	switch {
	case err != nil:
		return nil, err
	case len(first) == 0:
		return nil, nothingRecorded()
	case after <= first[0].Position:
		return nil, beforeTheFirst(at.Time().Format(api.TimestampFormat), first[0])
	}
	return &api.AsOf{Position: after - 1, Time: at}, nil
}

func beforeTheFirst(asked string, first domain.Record) error {
	return domain.Invalid("look back", "at", fmt.Sprintf("%s is before the first record: the log begins at position %d, recorded at %s; ask for that, or later",
		asked, first.Position, first.RecordedAt.Time().Format(api.TimestampFormat)))
}

func nothingRecorded() error {
	return domain.Invalid("look back", "at", "nothing is recorded yet, so there is nothing to look back on: leave at out")
}

// lookBack is GET /api/as-of?at=&of=: it folds the log as far as one answer about the
// past needs, so that the answer itself comes at once: JSON lines of progress, and last
// the position and moment of the fold. Closing the connection ends it; the fold is kept
// for the next request.
func (x *exchange) lookBack() error {
	q := x.query()
	then, err := x.asOf(q)
	if err != nil {
		return err
	}
	if then == nil {
		return domain.Invalid("look back", "at", "at is missing: give a time such as 2026-03-17T14:00:00Z, a span back such as -2h, or a position such as pos:1234")
	}
	views := x.pastViews(*then)
	of := q.values.Get("of")
	view, ok := views[of]
	if !ok {
		return domain.Invalid("look back", "of", fmt.Sprintf("of is %q: give one of %s", clip(of), strings.Join(slices.Sorted(maps.Keys(views)), ", ")))
	}
	// An error before any progress is answered with a status.
	var begun func(any)
	line := func(v any) {
		if begun == nil {
			begun = x.lines()
		}
		begun(v)
	}
	if err := view(projections.Telling(x.r.Context(), x.progressing(line))); err != nil {
		return err
	}
	line(api.LookedBack{AsOf: *then})
	return nil
}

// pastViews are the answers there are about the past, by name.
func (x *exchange) pastViews(then api.AsOf) map[string]func(context.Context) error {
	past, at := x.api.cfg.Past, then.Position
	return map[string]func(context.Context) error{
		"world":        func(ctx context.Context) error { _, err := past.World(ctx, at); return err },
		"interfaces":   func(ctx context.Context) error { _, err := past.Registry(ctx, at); return err },
		"conversation": func(ctx context.Context) error { _, err := past.Transcript(ctx, at); return err },
		"plans":        func(ctx context.Context) error { _, err := past.Plans(ctx, at); return err },
		"approvals":    func(ctx context.Context) error { _, err := past.Approvals(ctx, at, then.Time); return err },
		"policy":       func(ctx context.Context) error { _, err := past.Policy(ctx, at); return err },
	}
}
