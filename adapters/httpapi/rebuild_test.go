package httpapi_test

import (
	"encoding/json"
	"fmt"
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
	b.socket("GET", "/api/projections", "").wants(200, `"name":"world","version":4,"generation":3,`, `"previous":{"version":1,"generation":0},"held":true`,
		`"rebuild":{"kind":"rebuild","state":"running","phase":"folding","version":2,"generation":4,"position":40,"tail":100,"records":40,"rate":20,"seconds_left":3,"started_at":1000000,"switched":false}`)
	view.State, view.Ended = rebuild.Done, began.Add(5*time.Second)
	view.Result = projections.Rebuilt{Switched: true, Compared: true, Difference: projections.Difference{Compared: 7, Changed: 1, Added: 1, First: []projections.Change{
		{Entity: "state", Field: "a.b", Was: json.RawMessage("1"), Is: json.RawMessage(`"x"`)}, {Entity: "e:01", Is: json.RawMessage("2")}}}}
	b.socket("GET", "/api/projections", "").wants(200, `"state":"done"`, `"ended_at":1005000,"switched":true`,
		`"difference":{"count":2,"compared":7,"missing":0,"added":1,"changed":1,"first":[{"entity":"state","field":"a.b","was":1,"is":"x"},{"entity":"e:01","field":"","was":null,"is":2}]}`)
}
