package player

import (
	"context"

	"chalie/domain"
	"chalie/domain/retain"
	"chalie/replay/narrate"
)

// Gap is what went from a log because its time to be kept was over, as far as decisions may have
// rested on it.
type Gap struct {
	Went  uint64          `json:"went,omitempty" doc:"Records that went, on which what was decided through base may have rested."`
	From  domain.Position `json:"went_from,omitempty" doc:"Where the first of them stood."`
	Base  domain.Position `json:"base,omitempty" doc:"From here on nothing is missing."`
	Lacks string          `json:"lacks,omitempty" doc:"The same in words."`
}

// GapBehind is what went on which decisions at a position or later may have rested. Errors are
// the log's.
func GapBehind(ctx context.Context, log domain.Selecter, from domain.Position) (out Gap, err error) {
	_, spans, err := retain.Spans(ctx, log)
	for _, s := range spans {
		if s.Through < from {
			continue
		}
		out.Went += s.Records
		out.Base = max(out.Base, s.Through)
		if runs, err := s.Positions(); err == nil && len(runs) > 0 && (out.From == 0 || runs[0].From < out.From) {
			out.From = runs[0].From
		}
	}
	if out.Went > 0 {
		out.Lacks = narrate.Rested(out.Went, out.From, out.Base)
	}
	return out, err
}
