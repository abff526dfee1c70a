package httpapi_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
)

func TestExportPassesItsQueryOn(t *testing.T) {
	b := newBench(t, settings{})
	b.settled()
	var asked httpapi.ExportQuery
	var fail error
	b.cfg.Export = func(_ context.Context, q httpapi.ExportQuery, out io.Writer) error {
		asked = q
		if fail != nil {
			return fail
		}
		_, err := io.WriteString(out, "a line\n")
		return err
	}
	var err error
	b.api.API, err = httpapi.New(b.cfg)
	b.must(err)
	const id = "01KB2V7WYQC3V8P0J6R4T5N9XE"
	trace, err := domain.ParseID(id)
	b.must(err)
	now := domain.MillisOf(b.clock.Now())
	for _, c := range []struct {
		query string
		want  httpapi.ExportQuery
	}{
		{"", httpapi.ExportQuery{}},
		{"?format=cloudevents&through=7", httpapi.ExportQuery{Format: "cloudevents", Through: 7}},
		{"?trace=" + id, httpapi.ExportQuery{Trace: trace}},
		{"?since=30m&until=10m", httpapi.ExportQuery{Since: now.Add(-30 * time.Minute), Until: now.Add(-10 * time.Minute)}},
	} {
		answer := b.socket("GET", "/api/export"+c.query, "").wants(200, "a line")
		if asked != c.want || answer.header.Get("Content-Type") != "application/x-ndjson" {
			t.Errorf("%s asked for %+v, want %+v", c.query, asked, c.want)
		}
	}
	for query, says := range map[string]string{
		"?trace=x": "give a ULID", "?through=0": "give a whole number from 1", "?since=soon": "give a time such as",
		"?trace=" + id + "&since=1h": "leave out since and until",
	} {
		b.socket("GET", "/api/export"+query, "").wants(400, says)
	}
	fail = &domain.Error{Category: domain.NotFound, Code: "no_trace", Message: "there is no such trace"}
	b.socket("GET", "/api/export", "").wants(404, "no such trace")
}

// A file that is broken off must not look like one that ended.
func TestBrokenExportIsBrokenOff(t *testing.T) {
	b := newBench(t, settings{})
	b.settled()
	b.cfg.Export = func(_ context.Context, _ httpapi.ExportQuery, out io.Writer) error {
		if _, err := io.WriteString(out, strings.Repeat("a line\n", 10_000)); err != nil {
			return err
		}
		return errors.New("the log is closed")
	}
	api, err := httpapi.New(b.cfg)
	b.must(err)
	server := httptest.NewServer(api.TrustedHandler())
	defer server.Close()
	resp, err := http.Get(server.URL + "/api/export")
	b.must(err)
	defer resp.Body.Close()
	var text strings.Builder
	if _, err := io.Copy(&text, resp.Body); err == nil {
		t.Errorf("it ended in order, with %d bytes", text.Len())
	}
}
