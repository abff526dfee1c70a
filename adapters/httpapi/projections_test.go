package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/rebuild"
)

// rebuilds notes what it was asked for.
type rebuilds struct {
	asked []string
	err   error
}

func (r *rebuilds) Start(names []string, check bool) error {
	r.asked = append(r.asked, fmt.Sprintf("start %q %v", names, check))
	return r.err
}

func (r *rebuilds) Rollback(name string) error {
	r.asked = append(r.asked, "rollback "+name)
	return r.err
}

func (r *rebuilds) Cancel(name string) error {
	r.asked = append(r.asked, "cancel "+name)
	return r.err
}

func TestRebuildRoutes(t *testing.T) {
	asked := &rebuilds{}
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Rebuilds = asked }})
	for _, c := range []struct {
		method, path, body string
		status             int
		asks               string // "" for nothing
	}{
		{"POST", "/api/projections/rebuild", ``, 202, `start [] false`},
		{"POST", "/api/projections/rebuild", `{}`, 202, `start [] false`},
		{"POST", "/api/projections/rebuild", `{"names":["world","traces"],"check":true}`, 202, `start ["world" "traces"] true`},
		{"POST", "/api/projections/rebuild", `{"names":["world",7]}`, 400, ``},
		{"POST", "/api/projections/rebuild", `{"names":"world"}`, 400, ``},
		{"POST", "/api/projections/rebuild", `{"check":"yes"}`, 400, ``},
		{"POST", "/api/projections/rebuild", `[`, 400, ``},
		{"POST", "/api/projections/world/rebuild", ``, 202, `start ["world"] false`},
		{"POST", "/api/projections/world/rebuild", `{"check":true}`, 202, `start ["world"] true`},
		{"POST", "/api/projections/world/rebuild", `{"check":1}`, 400, ``},
		{"DELETE", "/api/projections/world/rebuild", ``, 200, `cancel world`},
		{"POST", "/api/projections/world/rollback", ``, 202, `rollback world`},
	} {
		asked.asked = nil
		b.socket(c.method, c.path, c.body).wants(c.status)
		if got := fmt.Sprint(asked.asked); got != fmt.Sprint(nonempty(c.asks)) {
			t.Errorf("%s %s %s asks for %s, want %q", c.method, c.path, c.body, got, c.asks)
		}
	}
	asked.err = &domain.Error{Op: "rebuild", Category: domain.Conflict, Code: "rebuild_running", Message: "it is being rebuilt"}
	b.socket("POST", "/api/projections/world/rebuild", "").wants(409, "rebuild_running")
	b = newBench(t, settings{})
	b.socket("POST", "/api/projections/world/rebuild", "").wants(503, "not_running")
}

func nonempty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

func TestProjectionsTellOfTheirRebuild(t *testing.T) {
	began := time.UnixMilli(1_000_000)
	var view rebuild.View
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Rebuilt = func(name string) rebuild.Status {
			if name != "world" {
				return rebuild.Status{}
			}
			return rebuild.Status{Active: rebuild.Active{Store: rebuild.StoreVersion{Version: 2, Generation: 3}, Previous: &rebuild.StoreVersion{Version: 1}, Pinned: true}, Rebuild: &view}
		}
	}})
	view = rebuild.View{What: rebuild.Asked, State: rebuild.Running, To: rebuild.StoreVersion{Version: 2, Generation: 4},
		Progress: projections.Progress{Phase: projections.PhaseFolding, Position: 40, Tail: 100, Records: 40, Rate: 20, Left: 3 * time.Second, Started: began}}
	b.socket("GET", "/api/projections", "").wants(200, `"name":"world","version":8,"generation":3,`, `"previous":{"version":1,"generation":0},"held":true`,
		`"rebuild":{"kind":"rebuild","state":"running","phase":"folding","version":2,"generation":4,"position":40,"tail":100,"records":40,"rate":20,"seconds_left":3,"started_at":1000000,"switched":false}`)
	view.State, view.Ended = rebuild.Done, began.Add(5*time.Second)
	view.Result = projections.Rebuilt{Switched: true, Compared: true, Difference: projections.Difference{Compared: 7, Changed: 1, Added: 1, First: []projections.Change{
		{Entity: "state", Field: "a.b", Was: json.RawMessage("1"), Is: json.RawMessage(`"x"`)}, {Entity: "e:01", Is: json.RawMessage("2")}}}}
	b.socket("GET", "/api/projections", "").wants(200, `"state":"done"`, `"ended_at":1005000,"switched":true`,
		`"difference":{"count":2,"compared":7,"missing":0,"added":1,"changed":1,"first":[{"entity":"state","field":"a.b","was":1,"is":"x"},{"entity":"e:01","field":"","was":null,"is":2}]}`)
}

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
