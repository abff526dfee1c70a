// Package otlptest is an OpenTelemetry collector in the test's own process: it takes
// what exporters send over HTTP or gRPC, as a real one does, and keeps it to be
// looked at.
package otlptest

import (
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	coltracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	_ "google.golang.org/grpc/encoding/gzip" // what exporters may compress with
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Collector keeps every span it took, in order, those that came again included.
type Collector struct {
	URL string // to export to

	mu       sync.Mutex
	requests []*coltracepb.ExportTraceServiceRequest
	headers  []http.Header
	refuse   int // HTTP status of every answer; 0 takes all
	asked    int // requests, refused ones included
	changed  chan struct{}
}

// HTTP is a collector that speaks HTTP until the test ends.
func HTTP(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{changed: make(chan struct{})}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

// GRPC is a collector that speaks gRPC until the test ends.
func GRPC(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{changed: make(chan struct{})}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	coltracepb.RegisterTraceServiceServer(server, rpc{c: c})
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		if err := <-served; err != nil {
			t.Errorf("the collector: %v", err)
		}
	})
	c.URL = "grpc://" + listener.Addr().String()
	return c
}

// Refuse answers every request from now on with an HTTP status, or what corresponds
// to it; 0 takes them again.
func (c *Collector) Refuse(status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refuse = status
}

// Spans are those taken so far.
func (c *Collector) Spans() []*tracepb.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.spans()
}

func (c *Collector) spans() (out []*tracepb.Span) {
	for _, r := range c.requests {
		for _, rs := range r.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				out = append(out, ss.Spans...)
			}
		}
	}
	return out
}

// Resource is the attributes of who sent the last request, as text.
func (c *Collector) Resource() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.requests) == 0 {
		return nil
	}
	return Texts(c.requests[len(c.requests)-1].ResourceSpans[0].Resource.Attributes)
}

// Headers are those of the last request that was taken.
func (c *Collector) Headers() http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.headers) == 0 {
		return nil
	}
	return c.headers[len(c.headers)-1]
}

// Raw is all that was taken, as it may be searched for words.
func (c *Collector) Raw(t testing.TB) string {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []byte
	for _, r := range c.requests {
		text, err := proto.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text...)
	}
	return string(out)
}

// Await returns once enough holds of the spans taken and the requests made so far.
func (c *Collector) Await(t testing.TB, enough func(spans []*tracepb.Span, requests int) bool) []*tracepb.Span {
	t.Helper()
	for {
		c.mu.Lock()
		spans, asked, changed := c.spans(), c.asked, c.changed
		c.mu.Unlock()
		if enough(spans, asked) {
			return spans
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatal("the test ended before the collector had what it waited for")
		}
	}
}

// Texts are attributes by key; of those that aren't texts, what they print as.
func Texts(attributes []*commonpb.KeyValue) map[string]string {
	out := map[string]string{}
	for _, kv := range attributes {
		if s, ok := kv.Value.Value.(*commonpb.AnyValue_StringValue); ok {
			out[kv.Key] = s.StringValue
		} else {
			out[kv.Key] = kv.Value.String()
		}
	}
	return out
}

// take keeps a request, and returns the status to answer with.
func (c *Collector) take(r *coltracepb.ExportTraceServiceRequest, h http.Header) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		close(c.changed)
		c.changed = make(chan struct{})
	}()
	c.asked++
	if c.refuse != 0 {
		return c.refuse
	}
	c.requests, c.headers = append(c.requests, r), append(c.headers, h)
	return http.StatusOK
}

// ServeHTTP takes protobuf at /v1/traces.
func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		unzipped, err := gzip.NewReader(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = unzipped
	}
	text, err := io.ReadAll(body)
	var request coltracepb.ExportTraceServiceRequest
	if err == nil {
		err = proto.Unmarshal(text, &request)
	}
	if err != nil || r.URL.Path != "/v1/traces" || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/x-protobuf" {
		http.Error(w, "no traces", http.StatusNotFound)
		return
	}
	if code := c.take(&request, r.Header.Clone()); code != http.StatusOK {
		http.Error(w, "not now", code)
		return
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
}

type rpc struct {
	coltracepb.UnimplementedTraceServiceServer
	c *Collector
}

// Export takes a request.
func (s rpc) Export(ctx context.Context, r *coltracepb.ExportTraceServiceRequest) (*coltracepb.ExportTraceServiceResponse, error) {
	headers := http.Header{}
	if sent, ok := metadata.FromIncomingContext(ctx); ok {
		for name, values := range sent {
			for _, v := range values {
				headers.Add(name, v)
			}
		}
	}
	switch s.c.take(r, headers) {
	case http.StatusOK:
		return &coltracepb.ExportTraceServiceResponse{}, nil
	case http.StatusBadRequest:
		return nil, status.Error(codes.InvalidArgument, "not these")
	}
	return nil, status.Error(codes.Unavailable, "not now")
}
