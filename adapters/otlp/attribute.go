package otlp

import (
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"chalie/domain"
)

// attributes are written once, in order.
type attributes []*commonpb.KeyValue

func (a *attributes) text(key, value string) {
	if value != "" {
		a.add(key, &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: value}})
	}
}

func (a *attributes) number(key string, value int64) {
	a.add(key, &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: value}})
}

func (a *attributes) truth(key string, value bool) {
	a.add(key, &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: value}})
}

func (a *attributes) score(key string, value domain.PPM) {
	a.add(key, &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: value.Float()}})
}

func (a *attributes) texts(key string, values []string) {
	if len(values) == 0 {
		return
	}
	list := &commonpb.ArrayValue{}
	for _, v := range values {
		list.Values = append(list.Values, &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: v}})
	}
	a.add(key, &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: list}})
}

func (a *attributes) add(key string, value *commonpb.AnyValue) {
	*a = append(*a, &commonpb.KeyValue{Key: key, Value: value})
}

// traceID is a trace's id as OpenTelemetry has it: the same sixteen bytes.
func traceID(t domain.TraceID) []byte { return append([]byte{}, t.ID[:]...) }

// spanID is the id of the span that an envelope begins: the last eight bytes of its
// own, which are the random ones. OpenTelemetry has no id of zeros.
func spanID(id domain.ID) []byte {
	out := append([]byte{}, id[8:]...)
	for _, b := range out {
		if b != 0 {
			return out
		}
	}
	out[7] = 1
	return out
}

func nanos(at domain.Millis) uint64 { return uint64(max(0, at)) * 1_000_000 }

// failed marks a span with a code; the words stay away, they may be anybody's.
func failed(span *tracepb.Span, code string) {
	if code == "" {
		code = "_OTHER"
	}
	span.Status = &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: code}
	a := attributes(span.Attributes)
	a.text("error.type", code)
	span.Attributes = a
}
