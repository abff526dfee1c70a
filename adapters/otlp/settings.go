package otlp

import (
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"

	"chalie/domain"
)

// Protocol is how spans travel.
type Protocol string

// The protocols.
const (
	HTTP Protocol = "http/protobuf"
	GRPC Protocol = "grpc"
)

// Settings say where spans go: to a URL, else where the standard variables of the
// environment say. What else those say (headers, timeout, certificates, compression,
// the service's name) counts either way.
type Settings struct {
	URL     string // http, https, grpc or grpcs; "" leaves it to the environment
	Content bool   // send what was said, heard, asked and answered, too
	Lookup  func(name string) (string, bool)
}

// Target is a collector.
type Target struct {
	URL      string // http or https, whole
	Protocol Protocol
	Content  bool
}

// tracesPath is where a collector takes traces, below its base URL.
const tracesPath = "/v1/traces"

// Read is the collector, nil for none. Its errors are validations, and repeat no
// header.
func (s Settings) Read() (*Target, error) {
	if s.Lookup == nil {
		s.Lookup = os.LookupEnv
	}
	given, whole := s.URL, false
	if given == "" {
		if s.truth("OTEL_SDK_DISABLED") || s.get("OTEL_TRACES_EXPORTER") == "none" {
			return nil, nil
		}
		given, whole = s.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), true
		if given == "" {
			given, whole = s.get("OTEL_EXPORTER_OTLP_ENDPOINT"), false
		}
	}
	if given == "" {
		return nil, nil
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"} {
		if err := checkHeaders(name, s.get(name)); err != nil {
			return nil, err
		}
	}
	target, err := s.target(given, whole)
	if err != nil {
		return nil, err
	}
	target.Content = s.Content || s.truth("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")
	return target, nil
}

func (s Settings) target(given string, whole bool) (*Target, error) {
	protocol, err := s.protocol()
	if err != nil {
		return nil, err
	}
	if !strings.Contains(given, "://") {
		scheme := "https"
		if s.truth("OTEL_EXPORTER_OTLP_TRACES_INSECURE") || s.truth("OTEL_EXPORTER_OTLP_INSECURE") {
			scheme = "http"
		}
		given = scheme + "://" + given
	}
	u, err := url.Parse(given)
	if err != nil || u.Host == "" {
		return nil, badTarget("is no URL")
	}
	switch u.Scheme {
	case "http", "https":
	case "grpc", "grpcs":
		protocol = GRPC
		u.Scheme = map[string]string{"grpc": "http", "grpcs": "https"}[u.Scheme]
	default:
		return nil, badTarget(fmt.Sprintf("begins with %s://", clip(u.Scheme)))
	}
	if u.User != nil {
		return nil, badTarget("has a user in it, and would be shown: put what lets you in into OTEL_EXPORTER_OTLP_HEADERS instead; it")
	}
	if protocol == HTTP && !whole {
		u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), tracesPath) + tracesPath
	}
	return &Target{URL: u.String(), Protocol: protocol}, nil
}

func (s Settings) protocol() (Protocol, error) {
	name := s.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL")
	if name == "" {
		name = s.get("OTEL_EXPORTER_OTLP_PROTOCOL")
	}
	switch name {
	case "", string(HTTP):
		return HTTP, nil
	case string(GRPC):
		return GRPC, nil
	}
	return "", domain.Invalid("configure telemetry", "protocol", fmt.Sprintf(
		"OTEL_EXPORTER_OTLP_PROTOCOL is %q: give http/protobuf or grpc", clip(name)))
}

func badTarget(how string) error {
	return domain.Invalid("configure telemetry", "otlp", "the collector's URL "+how+
		": give one such as http://localhost:4318, or grpc://localhost:4317, with --otlp or OTEL_EXPORTER_OTLP_ENDPOINT")
}

// checkHeaders finds what could not be read before anybody logs it.
func checkHeaders(name, text string) error {
	for n, pair := range strings.Split(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		key, value, found := strings.Cut(pair, "=")
		_, badKey := url.PathUnescape(key)
		_, badValue := url.PathUnescape(value)
		if !found || strings.TrimSpace(key) == "" || strings.ContainsAny(strings.TrimSpace(key), " \t\r\n:\"") || badKey != nil || badValue != nil {
			return domain.Invalid("configure telemetry", "headers", fmt.Sprintf(
				"header %d in %s can't be read: write them as name=value, with commas between them, and other signs as %%20", n+1, name))
		}
	}
	return nil
}

// host is the collector as errors and /health name it.
func (t Target) host() string {
	if u, err := url.Parse(t.URL); err == nil {
		return u.Host
	}
	return "?"
}

func (s Settings) get(name string) string {
	value, _ := s.Lookup(name)
	return strings.TrimSpace(value)
}

func (s Settings) truth(name string) bool {
	yes, err := strconv.ParseBool(s.get(name))
	return err == nil && yes
}

// clip bounds what an error repeats of its input.
func clip(text string) string {
	if len(text) > 40 {
		return strings.ToValidUTF8(text[:40], "") + "…"
	}
	return text
}
