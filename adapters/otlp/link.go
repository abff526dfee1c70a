package otlp

import (
	"context"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"chalie/domain"
)

// link ties a span to another one, with what that is to it.
func link(span *tracepb.Span, trace, id []byte, role string, weight domain.PPM) {
	if len(span.Links) >= maxLinks {
		span.DroppedLinksCount++
		return
	}
	a := attributes{}
	a.text("chalie.link.role", role)
	if weight != 0 {
		a.score("chalie.link.weight", weight)
	}
	span.Links = append(span.Links, &tracepb.Span_Link{TraceId: trace, SpanId: id, Attributes: a})
}

// linkAcross ties a span to what its envelope follows from in an earlier trace.
func (e *episode) linkAcross(ctx context.Context, d *draft, env domain.Envelope) error {
	if _, here := e.parents[env.Parent]; here || env.Parent.IsZero() {
		return nil
	}
	trace, span, found, err := place(ctx, e.reader, env.Parent)
	if err == nil && found && trace != e.trace {
		link(d.span, traceID(trace), spanID(span), "parent", 0)
	}
	return err
}

// linkEvidence ties a span to what it rests on.
func (e *episode) linkEvidence(ctx context.Context, d *draft, evidence []domain.Evidence) error {
	for _, one := range evidence {
		if err := e.linkTo(ctx, d, one.EnvelopeID, one.Role, one.Weight); err != nil {
			return err
		}
	}
	return nil
}

// linkTo ties a span to the one that an envelope belongs to, in whichever trace. One
// that the log doesn't hold any more is passed over.
func (e *episode) linkTo(ctx context.Context, d *draft, id domain.ID, role string, weight domain.PPM) error {
	if id.IsZero() {
		return nil
	}
	trace, span, found, err := place(ctx, e.reader, id)
	if err != nil || !found || trace == e.trace && span == d.id {
		return err
	}
	link(d.span, traceID(trace), spanID(span), role, weight)
	return nil
}

// maxWalk bounds the way from an envelope to the one that begins its span. Between
// two spans there are few envelopes.
const maxWalk = 64

// place finds the trace of an envelope, and the envelope that begins its span there.
// Beyond maxWalk that is the first of its trace.
func place(ctx context.Context, reader domain.Reader, id domain.ID) (trace domain.TraceID, begins domain.ID, found bool, err error) {
	rec, err := reader.Find(ctx, id)
	if err != nil {
		return trace, begins, false, unlessGone(err)
	}
	trace = rec.Envelope.Trace
	for range maxWalk {
		if beginsSpan(rec.Envelope.Type) || rec.Envelope.Parent.IsZero() {
			return trace, rec.Envelope.ID, true, nil
		}
		parent, err := reader.Find(ctx, rec.Envelope.Parent)
		if domain.CategoryOf(err) == domain.NotFound {
			break
		}
		if err != nil {
			return trace, begins, false, err
		}
		if parent.Envelope.Trace != trace {
			return trace, rec.Envelope.ID, true, nil
		}
		rec = parent
	}
	first, err := reader.Select(ctx, domain.Selector{Trace: trace}, 1, 1)
	if err != nil || len(first) == 0 {
		return trace, begins, false, err
	}
	return trace, first[0].Envelope.ID, true, nil
}

func beginsSpan(t domain.EventType) bool {
	return t == domain.ModelCalledType || t == domain.ToolInvokedType || t == domain.ApprovalProposedType
}

func unlessGone(err error) error {
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	return err
}
