package player

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"chalie/domain"
	"chalie/replay"
)

// effects answers calls to the outside in a branch: with the recorded answer to the same
// call, and otherwise not.
type effects struct{ w *branching }

var _ Effects = effects{}

// Ground implements Effects. An episode without a recorded start gets the models of the
// latest one.
func (e effects) Ground(ctx context.Context, act Act) (domain.ReasoningStarted, bool) {
	out := domain.ReasoningStarted{Models: e.w.models}
	p, err := e.w.pastOf(ctx, act.Trace)
	known := err == nil && p.started != nil
	if known {
		out = *p.started
	}
	if e.w.Model != "" {
		out.Models, out.Verifier = []string{e.w.Model}, ""
	}
	return out, known || len(out.Models) > 0
}

// Reply implements Effects.
func (e effects) Reply(ctx context.Context, act Act, model string) (domain.Envelope, error) {
	q, err := e.w.question(ctx, act.Trace)
	if err != nil {
		return domain.Envelope{}, err
	}
	if id := q.replied(); !id.IsZero() && q.same {
		return e.w.answer(ctx, id)
	}
	// A fallback model must not answer instead: that would be an invented answer.
	e.w.unknown[act.Trace] = "it would have asked " + model + " something else"
	e.w.asked[act.Trace] = model
	return domain.Envelope{}, &domain.Error{Op: "replay", Category: domain.Dependency, Code: CodeNotRecorded, Retriable: true,
		Message: "what " + model + " says to this is not recorded, and a replay asks nobody"}
}

// Verdict implements Effects.
func (e effects) Verdict(ctx context.Context, act Act) (domain.Envelope, error) {
	q, err := e.w.question(ctx, act.Trace)
	if err != nil {
		return domain.Envelope{}, err
	}
	var out domain.Envelope
	if last := q.now.LastCall(); last != nil && q.same && q.replySame {
		err = eachOf(ctx, e.w.log, act.Trace, func(rec domain.Record) error {
			if rec.Envelope.Type == domain.AnswerVerifiedType && rec.Envelope.Parent == last.ReplyID {
				out = rec.Envelope
			}
			return nil
		})
	}
	if err == nil && out.ID.IsZero() {
		err = NotRecorded("a verdict on this answer")
	}
	return out, err
}

// Answer implements Effects: an interface's tool that is called as recorded gives the
// recorded answer. Any other call isn't made.
func (e effects) Answer(ctx context.Context, act Act, call Outgoing) (domain.Envelope, error) {
	id := e.w.called(call.Invocation)
	p, err := e.w.pastOf(ctx, act.Trace)
	if err != nil {
		return domain.Envelope{}, err
	}
	var asked []domain.ID
	ends := map[domain.ID]domain.Envelope{}
	err = eachOf(ctx, e.w.log, act.Trace, func(rec domain.Record) error {
		env := rec.Envelope
		if env.Type == domain.ToolInvokedType {
			in, err := domain.Decode[domain.ToolInvoked](env)
			if err == nil && in.Tool == call.Tool && (env.ID == id || sameJSON(in.Params, call.Params)) {
				asked = append(asked, env.ID)
			}
		}
		if of, ok := domain.InvocationOf(env); ok && env.Kind == domain.KindResult && wasSent(env) {
			ends[of] = env
		}
		return nil
	})
	if err != nil {
		return domain.Envelope{}, err
	}
	// First the same invocation; then an unused one with the same parameters.
	for _, own := range []bool{true, false} {
		for _, other := range asked {
			end, ok := ends[other]
			if ok && (other == id) == own && !p.answers[other] && (!own || e.w.sameParams(ctx, id, call)) {
				p.answers[other] = true
				return e.w.answer(ctx, end.ID)
			}
		}
	}
	e.w.loose[id] = true
	return notCalled(call)
}

// answer is a recorded answer, as the change has it.
func (w *branching) answer(ctx context.Context, id domain.ID) (domain.Envelope, error) {
	if one, ok := w.edited[id]; ok {
		return one.rec.Envelope, nil
	}
	rec, err := w.log.Find(ctx, id)
	return rec.Envelope, err
}

// Edited implements Effects.
func (e effects) Edited(ctx context.Context, act Act) (domain.Envelope, bool, error) {
	if len(e.w.edited) == 0 {
		return domain.Envelope{}, false, nil
	}
	q, err := e.w.question(ctx, act.Trace)
	if err != nil {
		return domain.Envelope{}, false, err
	}
	one, ok := e.w.edited[q.replied()]
	return one.rec.Envelope, ok, nil
}

// wasSent reports whether an invocation ended after its call had left.
func wasSent(end domain.Envelope) bool {
	failed, err := domain.Decode[domain.ToolFailed](end)
	if err != nil {
		return true
	}
	switch failed.Reason {
	case domain.CodeDenied, domain.CodeNotDispatched, domain.CodeApprovalRefused, domain.CodeApprovalExpired:
		return false
	}
	return true
}

// sameParams reports whether an invocation was recorded with the parameters of a call.
func (w *branching) sameParams(ctx context.Context, id domain.ID, call Outgoing) bool {
	rec, err := w.log.Find(ctx, id)
	if err != nil {
		return false
	}
	in, err := domain.Decode[domain.ToolInvoked](rec.Envelope)
	// Redacted parameters can't be compared, and count as the same.
	return err == nil && (in.Marks != nil || sameJSON(in.Params, call.Params))
}

// notCalled is the end of a call that isn't made.
func notCalled(call Outgoing) (domain.Envelope, error) {
	text, err := json.Marshal(domain.ToolFailed{InvocationID: call.Invocation, Reason: "unreachable",
		Detail: fmt.Sprintf("%s was not called: a replay calls nothing, and no answer to this was recorded", call.Tool)})
	return domain.Envelope{Type: domain.ToolFailedType, Version: 1, Kind: domain.KindResult, Payload: domain.JSONPayload(text)}, err
}

// called is an invocation's id in the branch.
func (w *branching) called(id domain.ID) domain.ID {
	if w.moving != nil {
		return w.moving.names.of(id)
	}
	return id
}

// State implements Effects.
func (e effects) State(ctx context.Context, act Act, call Outgoing, when domain.Moment) (domain.StateTaken, error) {
	var out domain.StateTaken
	id, found := e.w.called(call.Invocation), false
	err := eachOf(ctx, e.w.log, act.Trace, func(rec domain.Record) error {
		state, err := domain.Decode[domain.StateTaken](rec.Envelope)
		if err == nil && state.InvocationID == id && state.When == when {
			out, found = state, true
		}
		return nil
	})
	if err == nil && !found {
		err = NotRecorded("the state " + string(when) + " a call")
	}
	return out, err
}

// Invoked implements Effects.
func (e effects) Invoked(ctx context.Context, id domain.ID) (domain.Record, error) {
	if rec, ok := e.w.falling.begun[id]; ok {
		return rec, nil
	}
	if one, ok := e.w.edited[id]; ok {
		return one.rec, nil
	}
	return e.w.log.Find(ctx, id)
}

// Trouble implements Effects. Recorded troubles are the same in a branch.
func (e effects) Trouble() []string {
	if e.w.moving == nil {
		return nil
	}
	var out []string
	err := eachOf(context.Background(), e.w.log, e.w.moving.act.Trace, func(rec domain.Record) error {
		if found := troublesIn(rec.Envelope); found != nil {
			out = found
		}
		return nil
	})
	if err != nil {
		return nil // the walk reads it next
	}
	return out
}

func sameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// until is a log that ends at a position: otherwise a trace could be compared with a
// longer one, as a running program goes on appending.
type until struct {
	log     replay.Log
	through domain.Position
}

var _ replay.Log = until{}

// asItStands is the log through its present tail.
func asItStands(log replay.Log) replay.Log { return until{log, log.Tail()} }

// Tail implements domain.Tailer.
func (l until) Tail() domain.Position { return l.through }

// Wait implements domain.Tailer. There are no later records.
func (l until) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	if l.through > after {
		return l.through, nil
	}
	<-ctx.Done()
	return 0, ctx.Err()
}

// Select implements domain.Reader.
func (l until) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	records, err := l.log.Select(ctx, s, from, limit)
	if over := slices.IndexFunc(records, func(r domain.Record) bool { return r.Position > l.through }); over >= 0 {
		records = records[:over]
	}
	return records, err
}

// Find implements domain.Reader.
func (l until) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, err := l.log.Find(ctx, id)
	if err == nil && rec.Position > l.through {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found", Message: fmt.Sprintf("there is no envelope %s in the log", id)}
	}
	return rec, err
}

// Since implements domain.Reader.
func (l until) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	pos, err := l.log.Since(ctx, t)
	return min(pos, l.through+1), err
}

// outcomes compares the endings of all touched traces.
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
	domain.SortStableFunc(out.Outcomes, func(a, b Outcome) int { return cmp.Compare(a.Position, b.Position) })
	return out, nil
}

// endingHere is the ending of a trace in the branch.
func (w *branching) endingHere(ctx context.Context, trace domain.TraceID, then Ending) (Ending, error) {
	now, err := endingOf(ctx, w.branch, trace)
	if err != nil {
		return now, err
	}
	i := 0
	err = eachOf(ctx, w.branch, trace, func(rec domain.Record) error {
		if rec.Envelope.Type == domain.ToolInvokedType {
			now.Calls[i].Unanswered = w.loose[rec.Envelope.ID]
			i++
		}
		return nil
	})
	if why := w.unknown[trace]; why != "" {
		now.Outcome, now.Shown, now.Text, now.At, now.Model = domain.EndingUnknown, domain.ShownNot, why, 0, w.asked[trace]
		return now, err
	}
	// A trace under way at the log's end is compared as far as it got.
	if then.Outcome == domain.EndingOpen && now.Outcome == domain.EndingOpen {
		return then, err
	}
	return now, err
}
