package otlp

import (
	"sync"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"chalie/domain"
)

// maxFailures bounds the spans of failed appends that wait to be sent; more are dropped.
const maxFailures = 512

// failures are appends that failed. The log has no record of them, so they are kept in
// memory until they are sent, and gone with the process.
type failures struct {
	mu    sync.Mutex
	spans []*tracepb.Span
}

// Appended makes a span of an append that failed, or was refused; it goes with what is sent
// next. All other spans are made from the log. A condition that doesn't hold is no failure.
func (f *Follower) Appended(a domain.Appended) {
	if a.Err == nil || domain.CategoryOf(a.Err) == domain.Conflict || len(a.Batch.Entries) == 0 {
		return
	}
	first := &a.Batch.Entries[0]
	e := &first.Envelope
	if e.Trace.IsZero() {
		return // there is no span without a trace
	}
	span := &tracepb.Span{
		TraceId: traceID(e.Trace), SpanId: spanID(e.ID), Name: "append " + string(first.Topic), Kind: tracepb.Span_SPAN_KIND_PRODUCER,
		StartTimeUnixNano: nanoseconds(a.Began), EndTimeUnixNano: nanoseconds(a.Began.Add(a.Took)),
	}
	span.SpanId[0] ^= 0x80 // the envelope may be recorded later, and begin a span of its own
	if e.ID != e.Trace.ID {
		span.ParentSpanId = spanID(e.Trace.ID)
	}
	attrs := attributes{}
	attrs.text("chalie.type", string(e.Type))
	attrs.text("chalie.source", string(e.Source))
	attrs.text("chalie.principal", string(e.Principal))
	attrs.number("messaging.batch.message_count", int64(len(a.Batch.Entries)))
	span.Attributes = attrs
	failed(span, string(domain.CodeOf(a.Err)))
	f.failures.mu.Lock()
	defer f.failures.mu.Unlock()
	if len(f.failures.spans) < maxFailures {
		f.failures.spans = append(f.failures.spans, span)
	}
}

// take are those that wait.
func (f *failures) take() []*tracepb.Span {
	f.mu.Lock()
	defer f.mu.Unlock()
	spans := f.spans
	f.spans = nil
	return spans
}

func nanoseconds(at time.Time) uint64 { return uint64(max(0, at.UnixNano())) }
