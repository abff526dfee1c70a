package commands

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chalie/domain"
)

// told is what the end of an invocation says. Whoever asked is told what is
// recorded, no more and no less.
func told(id domain.ID, e domain.Envelope) (Invoked, error) {
	out := Invoked{ID: id, Outcome: e.Type}
	if len(e.Errors) > 0 {
		out.Fault = &e.Errors[0]
	}
	switch e.Type {
	case domain.ToolCompletedType:
		p, err := domain.Decode[domain.ToolCompleted](e)
		if err != nil {
			return out, err
		}
		out.Result = Result{Text: p.Text, Data: p.Data, Error: p.Error, Blocks: p.Blocks, OpenURL: p.OpenURL}
		if bytes.Equal(p.Data, []byte("null")) {
			out.Result.Data = nil
		}
	case domain.ToolFailedType:
		p, err := domain.Decode[domain.ToolFailed](e)
		if err != nil {
			return out, err
		}
		out.Result.Error = &p.Detail
	case domain.ToolOutcomeUnknownType:
		p, err := domain.Decode[domain.ToolOutcomeUnknown](e)
		if err != nil {
			return out, err
		}
		out.Result.Error = &p.Detail
	}
	return out, nil
}

// Recover ends every invocation that an earlier process left open: of one that
// was dispatched nobody knows the outcome, any other failed. Nothing is called,
// and doing it again does nothing. What Invoke has under way is left alone, so
// people need not wait for it at the start; so is what goes on by itself: the
// tool calls of episodes, and what the person was asked about. It waits until the
// fold of the open invocations has come to the tail.
//
// One that can't be ended doesn't keep the others from it; the error joins what
// went wrong.
func (t *Tools) Recover(ctx context.Context) error {
	if err := t.cfg.Applied.WaitFor(ctx, t.cfg.Tail.Tail()); err != nil {
		return err
	}
	var open map[domain.ID]domain.OpenInvocation
	t.cfg.Invocations.Read(func(s *domain.Invocations) { open = maps.Clone(s.Open) })
	order := slices.SortedFunc(maps.Keys(open), func(a, b domain.ID) int { return int(open[a].Invoked) - int(open[b].Invoked) })
	var failures []error
	for _, id := range order {
		if t.held(id) || open[id].GoesOn() {
			continue
		}
		_, err := t.settle(ctx, id, open[id])
		failures = append(failures, err)
	}
	return errors.Join(failures...)
}

// settle ends an invocation that nobody works on any more.
func (t *Tools) settle(ctx context.Context, id domain.ID, open domain.OpenInvocation) (Invoked, error) {
	records, err := t.cfg.Reader.Select(ctx, domain.Selector{}, open.Last, 1)
	if err != nil {
		return Invoked{ID: id}, err
	}
	if len(records) == 0 || records[0].Position != open.Last {
		return Invoked{ID: id}, &domain.Error{Op: "recover invocations", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("the latest step of invocation %s, at position %d, is not in the log: verify the log", id, open.Last)}
	}
	latest := records[0].Envelope
	inv := &invoking{id: id, lineage: domain.Continue(latest), last: latest.ID, through: open.Last}
	e := notDispatched(inv, "Chalie ended before the call was made")
	switch {
	case !open.Dispatched:
	case t.isOwn(ctx, open.Invoked):
		// What it does it does together with its end.
		e = failed(inv, domain.CodeInterrupted, "Chalie ended before it was done; nothing was changed", false, 0)
	default:
		e = unknown(inv, domain.CodeInterrupted, "Chalie ended while the call was under way"+perhapsDone, 0)
	}
	return t.end(ctx, inv, e)
}

// isOwn reports whether what was invoked at a position is something that Chalie
// itself does. What can't be read any more may be anybody's.
func (t *Tools) isOwn(ctx context.Context, invoked domain.Position) bool {
	records, err := t.cfg.Reader.Select(ctx, domain.Selector{}, invoked, 1)
	if err != nil || len(records) == 0 {
		return false
	}
	asked, err := domain.Decode[domain.ToolInvoked](records[0].Envelope)
	return err == nil && asked.InterfaceID.IsZero()
}
