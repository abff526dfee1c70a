package replay

import (
	"cmp"
	"context"
	"slices"

	"chalie/domain"
)

// outcomes compares what came of every trace that was touched.
func (w *branching) outcomes(ctx context.Context) (Outcomes, error) {
	out := Outcomes{Skipped: len(w.skipped), Outcomes: []Outcome{}}
	for _, trace := range w.order {
		then, err := endingOf(ctx, w.log, trace)
		if err != nil {
			return out, err
		}
		if w.anew[trace].decided {
			out.Traces++
			if then.Outcome == domain.EndingOpen {
				out.Open++
			}
		}
		if !w.anew[trace].differs && w.unknown[trace] == "" {
			continue
		}
		now, err := w.endingHere(ctx, trace, then)
		if err != nil {
			return out, err
		}
		if then.same(now) {
			continue
		}
		out.Outcomes = append(out.Outcomes, Outcome{Trace: trace, Position: w.anew[trace].opened, Recorded: then, Replayed: now})
	}
	slices.SortStableFunc(out.Outcomes, func(a, b Outcome) int { return cmp.Compare(a.Position, b.Position) })
	return out, nil
}

// endingHere is what came of a trace in the branch.
func (w *branching) endingHere(ctx context.Context, trace domain.TraceID, then Ending) (Ending, error) {
	now, err := endingOf(ctx, w.branch, trace)
	if err != nil {
		return now, err
	}
	if why := w.unknown[trace]; why != "" {
		now.Outcome, now.Shown, now.Text, now.At, now.Model = domain.EndingUnknown, domain.ShownNot, why, 0, w.asked[trace]
		return now, nil
	}
	i := 0
	err = eachOf(ctx, w.branch, trace, func(rec domain.Record) error {
		if rec.Envelope.Type == domain.ToolInvokedType {
			now.Calls[i].Unanswered = w.loose[rec.Envelope.ID]
			i++
		}
		return nil
	})
	// What was under way when the log ended is compared as far as it had come.
	if then.Outcome == domain.EndingOpen && now.Outcome == domain.EndingOpen {
		return then, err
	}
	return now, err
}
