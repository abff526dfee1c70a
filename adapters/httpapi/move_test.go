package httpapi_test

import (
	"testing"

	"chalie/adapters/api"
	"chalie/adapters/httpapi"
)

// moves notes what it was asked for.
type moves struct{ asked []api.MoveRequest }

func (m *moves) Start(req api.MoveRequest) error {
	m.asked = append(m.asked, req)
	return nil
}

func (m *moves) Status() api.Move { return api.Move{State: api.MoveCopying, Done: 3, Of: 7} }

// TestMove: the log is moved over the socket alone; how it goes any session may see.
func TestMove(t *testing.T) {
	asked := &moves{}
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Moves = asked }})
	session := b.settled()
	const to = `{"to":"esdb://one:2113","stream":"chalie"}`
	b.call("POST", "/api/move", to).wants(401)
	b.call("POST", "/api/move", to, bearer(b.token("station", "[]"))).wants(403)
	b.call("POST", "/api/move", to, cookie(session)).wants(403, "only_here", "use chalie move there")
	if len(asked.asked) > 0 {
		t.Errorf("it was moved: %+v", asked.asked)
	}
	b.socket("POST", "/api/move", to).wants(202)
	if len(asked.asked) != 1 || asked.asked[0] != (api.MoveRequest{To: "esdb://one:2113", Stream: "chalie"}) {
		t.Errorf("asked %+v", asked.asked)
	}
	b.socket("POST", "/api/move", `{"to":7}`).wants(400)
	b.socket("GET", "/api/move", "").wants(200, `{"state":"copying","done":3,"of":7,"files":0}`)

	b = newBench(t, settings{})
	b.socket("POST", "/api/move", to).wants(503, "doesn't run")
}
