package otlp_test

import (
	"fmt"
	"strings"
	"testing"

	"chalie/adapters/otlp"
	"chalie/adapters/otlp/otlptest"
	"chalie/domain"
)

// env is an environment of these variables and no others.
type env map[string]string

func (e env) lookup(name string) (string, bool) {
	value, ok := e[name]
	return value, ok
}

const (
	endpoint       = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesEndpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	protocol       = "OTEL_EXPORTER_OTLP_PROTOCOL"
	headers        = "OTEL_EXPORTER_OTLP_HEADERS"
)

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		url  string
		env  env
		want string // "" for nowhere
	}{
		{"", nil, ""},
		{"", env{protocol: "grpc"}, ""},
		{"http://localhost:4318", nil, "http/protobuf http://localhost:4318/v1/traces false"},
		{"http://localhost:4318/", nil, "http/protobuf http://localhost:4318/v1/traces false"},
		{"https://c.example/otlp/v1/traces", nil, "http/protobuf https://c.example/otlp/v1/traces false"},
		{"grpc://localhost:4317", nil, "grpc http://localhost:4317 false"},
		{"grpcs://c.example:4317", nil, "grpc https://c.example:4317 false"},
		{"http://localhost:4317", env{protocol: "grpc"}, "grpc http://localhost:4317 false"},
		{"", env{endpoint: "http://c:4318/base"}, "http/protobuf http://c:4318/base/v1/traces false"},
		{"", env{endpoint: "http://c:1", tracesEndpoint: "http://c:2/as/it/is"}, "http/protobuf http://c:2/as/it/is false"},
		{"", env{endpoint: "c:4317", protocol: "grpc"}, "grpc https://c:4317 false"},
		{"", env{endpoint: "c:4317", protocol: "grpc", "OTEL_EXPORTER_OTLP_INSECURE": "true"}, "grpc http://c:4317 false"},
		{"", env{endpoint: "http://c:1", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "grpc", protocol: "http/protobuf"}, "grpc http://c:1 false"},
		{"", env{endpoint: "http://c:1", "OTEL_SDK_DISABLED": "true"}, ""},
		{"", env{endpoint: "http://c:1", "OTEL_TRACES_EXPORTER": "none"}, ""},
		{"http://flag:1", env{endpoint: "http://c:1", "OTEL_SDK_DISABLED": "true"}, "http/protobuf http://flag:1/v1/traces false"},
		{"", env{endpoint: "http://c:1", "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true"}, "http/protobuf http://c:1/v1/traces true"},
		{"", env{endpoint: "http://c:1", headers: "authorization=Bearer%20x, a=b=c,"}, "http/protobuf http://c:1/v1/traces false"},
	} {
		got, err := otlp.Settings{URL: c.url, Lookup: c.env.lookup}.Read()
		if err != nil {
			t.Errorf("%q with %v: %v", c.url, c.env, err)
			continue
		}
		text := ""
		if got != nil {
			text = fmt.Sprint(got.Protocol, " ", got.URL, " ", got.Content)
		}
		if text != c.want {
			t.Errorf("%q with %v is %q, want %q", c.url, c.env, text, c.want)
		}
	}
}

func TestBadSettings(t *testing.T) {
	for _, c := range []struct {
		url  string
		env  env
		want string
	}{
		{"ftp://c:1", nil, "begins with ftp://"},
		{"http://", nil, "is no URL"},
		{"http://me:hunter2@c:1", nil, "OTEL_EXPORTER_OTLP_HEADERS instead"},
		{"http://c:1", env{protocol: "http/json"}, "give http/protobuf or grpc"},
		{"http://c:1", env{headers: "a=b,hunter2"}, "header 2 in OTEL_EXPORTER_OTLP_HEADERS"},
		{"http://c:1", env{headers: "api key=hunter2"}, "header 1"},
		{"http://c:1", env{headers: "key=hunter2%zz"}, "header 1"},
	} {
		got, err := otlp.Settings{URL: c.url, Lookup: c.env.lookup}.Read()
		if domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q with %v: %v, %v, want an error with %q", c.url, c.env, got, err, c.want)
		}
	}
}

// What lets Chalie in goes to the collector, and nowhere else, also in trouble.
func TestHeadersAreSecret(t *testing.T) {
	t.Setenv(headers, "authorization=Bearer%20hunter2")
	t.Setenv("OTEL_SERVICE_NAME", "chalie-of-ada")
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=home")
	for name, c := range map[string]*otlptest.Collector{"http": otlptest.HTTP(t), "grpc": otlptest.GRPC(t)} {
		h := opened(t)
		c.Refuse(503)
		f := h.follow(target(t, c.URL, false))
		heard := put(h, domain.Envelope{}, domain.ReminderSet{Text: "umbrella", Zone: "UTC"})
		c.Await(t, func(_ []*span, requests int) bool { return requests > 2 })
		trouble := f.Status().Err
		c.Refuse(0)
		has(t, c, heard)
		f.stop()
		if got := c.Headers().Get("Authorization"); got != "Bearer hunter2" {
			t.Errorf("%s: the header is %q", name, got)
		}
		if got := c.Resource(); got["service.name"] != "chalie-of-ada" || got["deployment.environment.name"] != "home" {
			t.Errorf("%s: the resource is %v", name, got)
		}
		if trouble == nil || strings.Contains(trouble.Error()+f.said.String(), "hunter2") {
			t.Errorf("%s: told %v, and logged %s", name, trouble, f.said)
		}
	}
}

// Nobody listens at all.
func TestNoCollector(t *testing.T) {
	h := opened(t)
	put(h, domain.Envelope{}, domain.ReminderSet{Text: "umbrella", Zone: "UTC"})
	f := h.follow(target(t, "http://127.0.0.1:1", false))
	f.said.await(t, "telemetry isn't exported")
	f.stop()
	if st := f.Status(); st.Err == nil || st.Position != 1 || !strings.Contains(st.Err.Error(), "the collector at 127.0.0.1:1 takes nothing (") || strings.Contains(st.Err.Error(), "/v1/traces") {
		t.Errorf("status %+v", st)
	}
}
