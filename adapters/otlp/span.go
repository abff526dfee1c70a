package otlp

import (
	"context"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"chalie/domain"
)

// agent is what GenAI conventions call the one that acts.
const agent = "chalie"

// openRoot begins the span of a whole trace.
func (e *episode) openRoot(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	switch {
	case env.Type == domain.ToolInvokedType:
		return e.openTool(ctx, rec)
	case !domain.OpensReasoning(env.Type):
		d, err := e.open(ctx, rec, string(env.Type), tracepb.Span_SPAN_KIND_INTERNAL)
		if err == nil {
			e.heard(d, env)
		}
		return err
	}
	d, err := e.open(ctx, rec, "invoke_agent "+agent, tracepb.Span_SPAN_KIND_INTERNAL)
	if err != nil {
		return err
	}
	a := attributes{}
	a.text("gen_ai.operation.name", "invoke_agent")
	a.text("gen_ai.agent.name", agent)
	d.put(a)
	e.asked(d, env)
	if domain.IsSilent(env) {
		a := attributes{}
		a.text("chalie.outcome", string(domain.OutcomeHeld))
		d.put(a)
		d.end(rec)
	}
	if sig, err := domain.Decode[domain.SpineSignalEmitted](env); err == nil {
		return e.linkTo(ctx, d, sig.ContentRef, "about", 0)
	}
	return nil
}

// tell takes in a record that begins no span: it ends one, or is an event of one.
func (e *episode) tell(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	d := e.owner(env)
	if d == nil { // what came after the end of its span
		return e.alone(ctx, rec)
	}
	d.note(rec)
	e.of[env.ID] = d
	switch env.Type {
	case domain.ReasoningConcludedType:
		return e.concluded(ctx, d, rec)
	case domain.ModelRepliedType, domain.ModelFailedType:
		return e.closeModel(ctx, d, rec)
	case domain.PolicyDecidedType:
		e.decided(d, env)
	case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
		e.closeApproval(rec)
	case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType:
		e.closeTool(d, rec)
	}
	return nil
}

// owner is the span that a record is an event of: that of its invocation or call,
// else the nearest that goes on, else the trace's own; nil when all are over.
func (e *episode) owner(env domain.Envelope) *draft {
	if id, ok := domain.InvocationOf(env); ok {
		if d := e.of[id]; d != nil && d.open {
			return d
		}
	}
	if d, _ := e.above(env); d != nil {
		return d
	}
	if d := e.of[e.root]; d != nil && d.open {
		return d
	}
	return nil
}

// alone makes a span of no length.
func (e *episode) alone(ctx context.Context, rec domain.Record) error {
	d, err := e.open(ctx, rec, string(rec.Envelope.Type), tracepb.Span_SPAN_KIND_INTERNAL)
	if err != nil {
		return err
	}
	d.end(rec)
	if faults := rec.Envelope.Errors; len(faults) > 0 {
		failed(d.span, string(faults[0].Code))
	}
	return nil
}

// concluded ends the episode. What is still open ends with it.
func (e *episode) concluded(ctx context.Context, d *draft, rec domain.Record) error {
	root := e.of[e.root]
	if root == nil {
		root = d
	}
	end, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope)
	if err == nil {
		a := attributes{}
		a.text("chalie.outcome", string(end.Outcome))
		a.text("chalie.shown", string(end.Shown))
		a.number("chalie.rejected", int64(len(end.Rejected)))
		root.put(a)
		if err := e.linkEvidence(ctx, root, end.Evidence); err != nil {
			return err
		}
	}
	if faults := rec.Envelope.Errors; len(faults) > 0 {
		failed(root.span, string(faults[0].Code))
	}
	for _, one := range e.drafts {
		if one.open {
			if one != root {
				a := attributes{}
				a.truth("chalie.unfinished", true)
				one.put(a)
			}
			one.end(rec)
		}
	}
	return nil
}
