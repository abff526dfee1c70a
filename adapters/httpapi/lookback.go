package httpapi

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/projections"
)

// lookBack is GET /api/as-of?at=&of=: it folds what one answer about the past needs,
// so that the answer itself comes at once: JSON lines of progress, and what it is
// based on last. Closing the connection ends it; what was folded until then is kept
// for the next time.
func (x *exchange) lookBack() error {
	q, err := x.query()
	if err != nil {
		return err
	}
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
	// What can't be is answered with a status as long as there was no progress.
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

// pastViews are what can be asked of the past, by the name of the answer.
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
