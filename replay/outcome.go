package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"chalie/domain"
)

// Outcome is what came of a trace, and what would have: the two differ.
type Outcome struct {
	Trace    domain.TraceID  `json:"trace_id"`
	Position domain.Position `json:"position" doc:"Of what opened it, in the log."`
	Recorded Ending          `json:"recorded"`
	Replayed Ending          `json:"replayed"`
	Change   string          `json:"change" doc:"What that is to the person: gone, new, different, can't be told."`
}

// Ending is what came of a trace.
type Ending struct {
	// Outcome is that of the conclusion, or of an invocation that was asked for
	// directly its end; domain.EndingWaits, domain.EndingOpen, domain.EndingUnknown or domain.EndingNone otherwise.
	Outcome  domain.Outcome `json:"outcome"`
	Words    string         `json:"words" doc:"What the outcome means."`
	Shown    domain.Showing `json:"shown" doc:"How the person got to see it; empty when they didn't."`
	Text     string         `json:"text" doc:"What they were shown, or why it failed."`
	At       domain.Millis  `json:"at" doc:"When it ended; 0 when it didn't."`
	Evidence []domain.ID    `json:"evidence" doc:"What it rests on, in order."`
	Waits    []string       `json:"waits" doc:"What the person was asked to approve and didn't decide."`
	Calls    []MadeCall     `json:"calls"`
	Model    string         `json:"model,omitempty" doc:"Where nobody knows: whom it would have asked."`
}

// MadeCall is a tool call of a trace.
type MadeCall struct {
	Tool    string           `json:"tool"`
	Params  json.RawMessage  `json:"params"`
	Outcome domain.EventType `json:"outcome" doc:"Its end; empty for one without."`
	Words   string           `json:"words" doc:"What became of it."`
	// Unanswered says that no such call was recorded: it would have been made.
	Unanswered bool `json:"unanswered,omitempty"`
}

// same reports whether two endings are alike for who was told, or not told. When it
// was doesn't count, nor by which numbers.
func (e Ending) same(o Ending) bool {
	return e.Outcome == o.Outcome && e.Shown == o.Shown && e.Text == o.Text && slices.Equal(e.Evidence, o.Evidence) && slices.Equal(e.Waits, o.Waits) &&
		slices.EqualFunc(e.Calls, o.Calls, func(a, b MadeCall) bool {
			return a.Tool == b.Tool && a.Outcome == b.Outcome && a.Unanswered == b.Unanswered && bytes.Equal(a.Params, b.Params)
		})
}

// endings folds the records of a trace.
type endings struct {
	Ending
	log     domain.Reader
	made    []domain.ID             // the invocations, in order
	calls   map[domain.ID]*MadeCall // by invocation
	waiting map[domain.ID]string    // by invocation, what waits for the person
	thought bool                    // it was to be reasoned about
}

// endingOf is what came of a trace as a log has it.
func endingOf(ctx context.Context, log domain.Reader, trace domain.TraceID) (Ending, error) {
	e := endings{log: log, calls: map[domain.ID]*MadeCall{}, waiting: map[domain.ID]string{}}
	e.Outcome, e.Evidence, e.Waits, e.Calls = domain.EndingNone, []domain.ID{}, []string{}, []MadeCall{}
	err := eachOf(ctx, log, trace, func(rec domain.Record) error { return e.fold(ctx, rec) })
	return e.told(), err
}

// eachOf reads a trace in its order.
func eachOf(ctx context.Context, log domain.Reader, trace domain.TraceID, fn func(domain.Record) error) error {
	const page = 256
	for from := domain.Position(1); ; {
		records, err := log.Select(ctx, domain.Selector{Trace: trace}, from, page)
		if err != nil {
			return err
		}
		for _, rec := range records {
			if err := fn(rec); err != nil {
				return err
			}
			from = rec.Position + 1
		}
		if len(records) < page {
			return nil
		}
	}
}

func (e *endings) fold(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	invocation, _ := domain.InvocationOf(env)
	switch env.Type {
	case domain.MessageReceivedType, domain.ActionReceivedType, domain.SpineSignalEmittedType:
		e.thought = true
	case domain.ToolInvokedType:
		call := &MadeCall{}
		if p, err := domain.Decode[domain.ToolInvoked](env); err == nil {
			call.Tool, call.Params = p.Tool, p.Params
		}
		e.calls[env.ID], e.made = call, append(e.made, env.ID)
	case domain.ApprovalProposedType:
		p, err := domain.Decode[domain.ApprovalProposed](env)
		if err != nil && domain.CodeOf(err) != domain.CodeErased {
			return err
		}
		e.waiting[invocation] = p.Summary
	case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
		delete(e.waiting, invocation)
	case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType:
		e.ended(invocation, rec)
	case domain.ReasoningConcludedType:
		return e.conclude(ctx, rec)
	}
	return nil
}

// ended folds the end of an invocation. One that was asked for directly is all that
// there is of its trace.
func (e *endings) ended(invocation domain.ID, rec domain.Record) {
	if call := e.calls[invocation]; call != nil {
		call.Outcome = rec.Envelope.Type
	}
	if e.thought {
		return
	}
	e.Outcome, e.At, e.Text = domain.OutcomeFailed, rec.RecordedAt, faultIn(rec.Envelope)
	if rec.Envelope.Type != domain.ToolCompletedType {
		return
	}
	p, err := domain.Decode[domain.ToolCompleted](rec.Envelope)
	if err == nil && p.Error == nil {
		e.Outcome = domain.EndingDone
		if p.Text != nil {
			e.Text = *p.Text
		}
	}
}

func (e *endings) conclude(ctx context.Context, rec domain.Record) error {
	end, err := domain.ConclusionOf(rec.Envelope)
	if err != nil {
		return err
	}
	e.Outcome, e.Shown, e.At, e.Text = end.Outcome, end.Shown, rec.RecordedAt, faultIn(rec.Envelope)
	for _, used := range end.Evidence {
		e.Evidence = append(e.Evidence, used.EnvelopeID)
	}
	if end.Shown == domain.ShownNot {
		return nil
	}
	said, err := domain.SaidIn(rec.Envelope, func(id domain.ID) (domain.Envelope, error) {
		found, err := e.log.Find(ctx, id)
		return found.Envelope, err
	})
	if domain.CodeOf(err) == domain.CodeErased || domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	e.Text = domain.PlainText(said.Blocks)
	return err
}

func faultIn(env domain.Envelope) string {
	if len(env.Errors) == 0 {
		return ""
	}
	return env.Errors[0].Message
}

// told is the ending as far as it was folded.
func (e *endings) told() Ending {
	out := e.Ending
	open := false
	for _, id := range e.made {
		call := e.calls[id]
		out.Calls = append(out.Calls, *call)
		open = open || call.Outcome == ""
		if summary, waits := e.waiting[id]; waits {
			out.Waits = append(out.Waits, summary)
		}
	}
	switch {
	case out.At != 0:
	case len(out.Waits) > 0:
		out.Outcome = domain.EndingWaits
	case e.thought || open:
		out.Outcome = domain.EndingOpen
	}
	return out
}
