package otlp

import (
	"context"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"chalie/domain"
)

// openTool begins the span of an invocation: from when it is wanted to its end, with
// what the policy says and how long a yes is waited for.
func (e *episode) openTool(ctx context.Context, rec domain.Record) error {
	call, err := domain.Decode[domain.ToolInvoked](rec.Envelope)
	known := err == nil
	name := "execute_tool"
	if known {
		name += " " + call.Tool
	}
	d, err := e.open(ctx, rec, name, tracepb.Span_SPAN_KIND_INTERNAL)
	if err != nil {
		return err
	}
	a := attributes{}
	a.text("gen_ai.operation.name", "execute_tool")
	a.text("gen_ai.tool.call.id", rec.Envelope.ID.String())
	if known {
		a.text("gen_ai.tool.name", call.Tool)
		if call.InterfaceID.IsZero() {
			a.text("gen_ai.tool.type", "function")
		} else {
			a.text("gen_ai.tool.type", "extension")
			a.text("chalie.interface.id", call.InterfaceID.UUID())
		}
		a.number("chalie.tool.depth", int64(call.Depth))
	}
	d.put(a)
	e.wanted(d, call)
	return nil
}

// decided tells of an invocation's span what the policy says.
func (e *episode) decided(d *draft, env domain.Envelope) {
	decision, err := domain.Decode[domain.PolicyDecided](env)
	if err != nil {
		return
	}
	a := attributes{}
	a.text("chalie.policy.verdict", string(decision.Verdict))
	a.text("chalie.policy.regime", decision.RegimeID)
	a.texts("chalie.policy.reasons", decision.ReasonCodes)
	a.texts("chalie.policy.obligations", decision.Obligations)
	a.truth("chalie.tool.side_effects", decision.SideEffects)
	d.put(a)
}

// openApproval begins the span of a proposal: how long the person is waited for.
func (e *episode) openApproval(ctx context.Context, rec domain.Record) error {
	d, err := e.open(ctx, rec, "await_approval", tracepb.Span_SPAN_KIND_INTERNAL)
	if err != nil {
		return err
	}
	d.waits, _ = domain.InvocationOf(rec.Envelope)
	if tool := e.of[d.waits]; tool != nil && tool.open {
		d.span.ParentSpanId = tool.span.SpanId
	}
	return nil
}

// closeApproval ends the wait of an invocation with the decision. A no is an
// outcome, and the invocation's to fail of.
func (e *episode) closeApproval(rec domain.Record) {
	id, ok := domain.InvocationOf(rec.Envelope)
	for _, d := range e.drafts {
		if ok && d.open && d.waits == id {
			a := attributes{}
			a.text("chalie.approval", string(rec.Envelope.Type))
			d.put(a)
			d.end(rec)
		}
	}
}

// closeTool ends an invocation.
func (e *episode) closeTool(d *draft, rec domain.Record) {
	env := rec.Envelope
	id, ok := domain.InvocationOf(env)
	if !ok || d.id != id {
		return // the invocation it ends isn't open
	}
	d.end(rec)
	code := ""
	if len(env.Errors) > 0 {
		code = string(env.Errors[0].Code)
	}
	switch env.Type {
	case domain.ToolFailedType:
		if end, err := domain.Decode[domain.ToolFailed](env); err == nil {
			code = string(end.Reason)
		}
		failed(d.span, code)
	case domain.ToolOutcomeUnknownType:
		a := attributes{}
		a.truth("chalie.tool.outcome_unknown", true)
		if end, err := domain.Decode[domain.ToolOutcomeUnknown](env); err == nil {
			code = string(end.Reason)
		}
		d.put(a)
		failed(d.span, code)
	default:
		if len(env.Errors) > 0 {
			failed(d.span, code)
		}
		e.answered(d, env)
	}
}
