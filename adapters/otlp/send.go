package otlp

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"chalie/domain"
)

// The bounds of one request, and of the pause between two attempts at it.
const (
	maxSpans = 512
	maxBytes = 2 << 20 // collectors take 4 MiB over gRPC
	maxPause = time.Minute
)

// newClient is the official exporter's. Retrying is the follower's, which knows how
// to wait.
func newClient(t Target) otlptrace.Client {
	if t.Protocol == GRPC {
		return otlptracegrpc.NewClient(otlptracegrpc.WithEndpointURL(t.URL),
			otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig{Enabled: false}), otlptracegrpc.WithReconnectionPeriod(time.Second))
	}
	return otlptracehttp.NewClient(otlptracehttp.WithEndpointURL(t.URL), otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: false}))
}

// describe is the program as a resource; the environment has the last word.
func describe(ctx context.Context, version string) (*resourcepb.Resource, error) {
	known, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", agent), attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil {
		return nil, domain.Invalid("configure telemetry", "resource", "OTEL_RESOURCE_ATTRIBUTES can't be read: write it as name=value, with commas between them")
	}
	out := &resourcepb.Resource{}
	for _, kv := range known.Attributes() {
		out.Attributes = append(out.Attributes, &commonpb.KeyValue{Key: string(kv.Key),
			Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: kv.Value.String()}}})
	}
	return out, nil
}

// send gives spans to the collector, in requests of a bounded size.
func (f *Follower) send(ctx context.Context, spans []*tracepb.Span) error {
	for len(spans) > 0 {
		n, size := 0, 0
		for n < len(spans) && n < maxSpans {
			size += proto.Size(spans[n])
			if n > 0 && size > maxBytes {
				break
			}
			n++
		}
		if err := f.upload(ctx, spans[:n]); err != nil {
			return err
		}
		spans = spans[n:]
	}
	return nil
}

// upload tries until the collector has taken a request, or has said that it never
// will. It fails with ctx only.
func (f *Follower) upload(ctx context.Context, spans []*tracepb.Span) error {
	request := []*tracepb.ResourceSpans{{Resource: f.resource, ScopeSpans: []*tracepb.ScopeSpans{{
		Scope: &commonpb.InstrumentationScope{Name: agent, Version: f.cfg.Version}, Spans: spans,
	}}}}
	for wait := f.cfg.Retry; ; wait = min(2*wait, maxPause) {
		within, cancel := context.WithTimeout(ctx, f.cfg.Within)
		err := f.client.UploadTraces(within, request)
		cancel()
		switch {
		case err == nil || isPartial(err):
			f.sent(len(spans), err)
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case isRefused(err):
			f.refused(len(spans), err)
			return nil
		}
		f.troubled(err, wait)
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// isPartial reports whether the collector took the request, but not every span. It
// wants none of them again.
func isPartial(err error) bool { return strings.Contains(err.Error(), "OTLP partial success") }

// isRefused reports whether the collector says that it is the spans that are wrong,
// and not who sends them, where to, or when. The HTTP client tells statuses in words
// only.
func isRefused(err error) bool {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.OutOfRange, codes.ResourceExhausted:
		return status.Code(err) != codes.ResourceExhausted || strings.Contains(err.Error(), "larger than max")
	}
	text := err.Error()
	return strings.HasPrefix(text, "failed to send to ") && (strings.Contains(text, ": 400 ") || strings.Contains(text, ": 413 "))
}

// inShort is an error of the exporter's for people: without the URL, which may have a
// secret in its path, and without what the collector wrote at length.
func inShort(err error) string {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	text := err.Error()
	if rest, ok := strings.CutPrefix(text, "failed to send to "); ok {
		if _, answer, found := strings.Cut(rest, ": "); found {
			text = "it answers " + answer
		}
	}
	text, _, _ = strings.Cut(text, " (body:")
	text = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}
