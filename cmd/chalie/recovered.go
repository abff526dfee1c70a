package main

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"slices"

	"chalie/domain"
)

// recovered tells who reads the program's log which invocations of before were
// ended at the start: what became of their tools may want a look.
type recovered struct{ app *App }

// open is the invocations that an earlier process left open.
func (r *recovered) open(ctx context.Context) (map[domain.ID]domain.OpenInvocation, error) {
	folds := r.app.folds
	if err := folds.of[folds.invocations.Name()].WaitFor(ctx, r.app.started); err != nil {
		return nil, err
	}
	var open map[domain.ID]domain.OpenInvocation
	folds.invocations.Read(func(s *domain.Invocations) { open = maps.Clone(s.Open) })
	maps.DeleteFunc(open, func(_ domain.ID, of domain.OpenInvocation) bool { return of.Invoked > r.app.started || of.GoesOn() })
	return open, nil
}

// tell names each that has ended since, with its tool and its trace.
func (r *recovered) tell(ctx context.Context, open map[domain.ID]domain.OpenInvocation) error {
	const most = 16 // an invocation has four steps
	order := slices.SortedFunc(maps.Keys(open), func(a, b domain.ID) int { return cmp.Compare(open[a].Invoked, open[b].Invoked) })
	for _, id := range order {
		of := open[id]
		first, err := r.app.log.Select(ctx, domain.Selector{}, of.Invoked, 1)
		if err != nil {
			return err
		}
		later, err := r.app.log.Select(ctx, domain.Selector{Key: domain.InvocationKey(id)}, of.Last+1, most)
		if err != nil {
			return err
		}
		if len(first) == 0 || len(later) == 0 {
			continue // it could not be ended
		}
		tool := "(erased)"
		if p, err := domain.Decode[domain.ToolInvoked](first[0].Envelope); err == nil {
			tool = p.Tool
		}
		end := later[len(later)-1].Envelope
		why := "nobody knows what came of it"
		if end.Type == domain.ToolFailedType {
			why = "it was not called"
		}
		r.app.cfg.Logger.LogAttrs(ctx, slog.LevelWarn, "a tool was under way when Chalie ended: "+why,
			slog.String("tool", tool), slog.String("outcome", string(end.Type)), slog.String("trace", end.Trace.String()))
	}
	return nil
}
