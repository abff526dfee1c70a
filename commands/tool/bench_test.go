package tool_test

import (
	"context"
	"time"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/domain/memlog"
)

// lawfulTools holds every invocation in the log to the law, and returns their ends.
func lawfulTools(t rapid.TB, records []domain.Record, whole bool) map[domain.ID]domain.EventType {
	t.Helper()
	ends := map[domain.ID]domain.EventType{}
	last := map[domain.ID]domain.Envelope{}
	for _, rec := range records {
		e := rec.Envelope
		id, ok := domain.InvocationOf(e)
		if !ok {
			t.Fatalf("%s belongs to no invocation", e.Type)
		}
		before, begun := last[id]
		if begun == (e.Type == "tool.invoked") || begun && e.Parent != before.ID {
			t.Fatalf("%s comes after %s, of %s", e.Type, before.Type, e.Parent)
		}
		if ends[id] != "" && e.Type != "tool.verified" && e.Type != "tool.state_taken" {
			t.Fatalf("invocation %s goes on with %s after %s", id, e.Type, ends[id])
		}
		if e.Kind == domain.KindResult {
			ends[id] = e.Type
		}
		last[id] = e
	}
	if whole && len(ends) != len(last) {
		t.Fatalf("%d of %d invocations have an end", len(ends), len(last))
	}
	return ends
}

// refusingRegime is a regime that denies everything.
type refusingRegime struct {
	domain.Rulebook
	because []string // beside the rule
}

func (r *refusingRegime) Decide(in domain.Invoking) domain.PolicyDecided {
	d := r.Rulebook.Decide(in)
	d.RegimeID, d.Verdict, d.Allowed, d.ReasonCodes = "closed/1", domain.VerdictDenied, false, append([]string{"nobody_asked"}, r.because...)
	return d
}

func orNone(s *string) string {
	if s == nil {
		return "(none)"
	}
	return *s
}

func millis(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// holed is a log that no longer has one record.
type holed struct {
	*memlog.Log
	gone domain.Position
}

func (h *holed) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if from == h.gone {
		from++
	}
	return h.Log.Select(ctx, s, from, limit)
}
