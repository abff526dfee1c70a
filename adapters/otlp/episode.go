package otlp

import (
	"context"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"chalie/domain"
)

// segment is a part of a trace that came to an end: what was recorded after one end,
// through the next.
type segment struct {
	trace   domain.TraceID
	root    domain.ID // the first envelope of the trace
	after   domain.Position
	through domain.Position
}

// episode makes spans of a window. Spans are begun by the first envelope of a trace,
// by a call to a model, an invocation of a tool and a proposal that waits. Every
// other envelope is an event of the span it belongs to; after the end of the
// trace's first window, a span of no length.
type episode struct {
	segment
	reader  domain.Reader
	content bool

	drafts  []*draft                // in the order they were begun
	of      map[domain.ID]*draft    // the span of each envelope of the window
	parents map[domain.ID]domain.ID // of each
}

// draft is a span that is being made.
type draft struct {
	id   domain.ID // of the envelope that begins it
	span *tracepb.Span
	open bool

	waits domain.ID // of a proposal, the invocation that waits for it
}

// windowPage is how many records of a window are in memory.
const windowPage = 512

// spansOf reads a window and makes its spans. It fails only when the log can't be
// read.
func spansOf(ctx context.Context, reader domain.Reader, w segment, content bool) ([]*tracepb.Span, error) {
	e := &episode{segment: w, reader: reader, content: content, of: map[domain.ID]*draft{}, parents: map[domain.ID]domain.ID{}}
	var last domain.Record
	for from := w.after + 1; from <= w.through; {
		page := int(min(windowPage, w.through-from+1))
		records, err := reader.Select(ctx, domain.Selector{Trace: w.trace}, from, page)
		if err != nil {
			return nil, err
		}
		for _, rec := range records {
			if rec.Position > w.through {
				break
			}
			if err := e.add(ctx, rec); err != nil {
				return nil, err
			}
			last = rec
		}
		if len(records) < page {
			break
		}
		from = records[len(records)-1].Position + 1
	}
	out := make([]*tracepb.Span, len(e.drafts))
	for i, d := range e.drafts {
		if d.open {
			d.end(last)
		}
		out[i] = d.span
	}
	return out, nil
}

// add takes one record in.
func (e *episode) add(ctx context.Context, rec domain.Record) error {
	env := rec.Envelope
	e.parents[env.ID] = env.Parent
	var err error
	switch {
	case env.Type == domain.ModelStreamedType:
		return nil // the reply has it all
	case env.ID == e.root:
		err = e.openRoot(ctx, rec)
	case env.Type == domain.ModelCalledType:
		err = e.openModel(ctx, rec)
	case env.Type == domain.ToolInvokedType:
		err = e.openTool(ctx, rec)
	case env.Type == domain.ApprovalProposedType:
		err = e.openApproval(ctx, rec)
	default:
		err = e.tell(ctx, rec)
	}
	return err
}

// open begins a span below what goes on just now, and links it with what caused it
// when that is over already.
func (e *episode) open(ctx context.Context, rec domain.Record, name string, kind tracepb.Span_SpanKind) (*draft, error) {
	env := rec.Envelope
	d := &draft{id: env.ID, open: true, span: &tracepb.Span{
		TraceId: traceID(e.trace), SpanId: spanID(env.ID), Name: name, Kind: kind,
		StartTimeUnixNano: nanos(rec.RecordedAt), EndTimeUnixNano: nanos(rec.RecordedAt),
	}}
	a := attributes{}
	a.text("chalie.envelope.id", env.ID.String())
	a.text("chalie.type", string(env.Type))
	a.number("chalie.position", int64(rec.Position))
	a.text("chalie.source", string(env.Source))
	a.text("chalie.principal", string(env.Principal))
	d.span.Attributes = a
	if env.ID != e.root {
		above, cause := e.above(env)
		d.span.ParentSpanId = spanID(e.root)
		if above != nil {
			d.span.ParentSpanId = above.span.SpanId
		}
		if cause != nil && cause != above {
			link(d.span, cause.span.TraceId, cause.span.SpanId, "cause", 0)
		}
	}
	e.drafts = append(e.drafts, d)
	e.of[env.ID] = d
	return d, e.linkAcross(ctx, d, env)
}

// above is the nearest span around an envelope that goes on, and the nearest that
// led to it, over or not; nil for none in this window.
func (e *episode) above(env domain.Envelope) (above, cause *draft) {
	for id, steps := env.Parent, 0; !id.IsZero() && steps <= len(e.parents); steps++ {
		if d := e.of[id]; d != nil {
			if cause == nil {
				cause = d
			}
			if d.open {
				return d, cause
			}
		}
		id = e.parents[id]
	}
	return nil, cause
}

// end ends a span with a record.
func (d *draft) end(rec domain.Record) {
	d.open = false
	d.span.EndTimeUnixNano = max(d.span.StartTimeUnixNano, nanos(rec.RecordedAt))
}

// note adds an event to a span.
func (d *draft) note(rec domain.Record) *tracepb.Span_Event {
	a := attributes{}
	a.text("chalie.envelope.id", rec.Envelope.ID.String())
	a.number("chalie.position", int64(rec.Position))
	event := &tracepb.Span_Event{TimeUnixNano: nanos(rec.RecordedAt), Name: string(rec.Envelope.Type), Attributes: a}
	for _, fault := range rec.Envelope.Errors {
		a := attributes(event.Attributes)
		a.text("error.type", string(fault.Code))
		event.Attributes = a
		break // the first says what it is
	}
	if len(d.span.Events) < maxEvents {
		d.span.Events = append(d.span.Events, event)
	} else {
		d.span.DroppedEventsCount++
	}
	return event
}

// The bounds of one span, as collectors have them.
const (
	maxEvents = 128
	maxLinks  = 128
)

// put adds attributes to a span.
func (d *draft) put(more attributes) { d.span.Attributes = append(d.span.Attributes, more...) }
