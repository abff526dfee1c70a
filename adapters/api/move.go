package api

import "chalie/domain"

// MoveRequest says where the log is to go: to a cluster, or from one to this machine.
type MoveRequest struct {
	To     string `json:"to,omitempty" doc:"Connection string of the cluster to move the log to."`
	From   string `json:"from,omitempty" doc:"Connection string of the cluster to bring it back from."`
	Stream string `json:"stream" doc:"This Chalie's stream there."`
}

// Move is how a move of the log stands.
type Move struct {
	State string          `json:"state" enum:"none|copying|comparing|folding|switching|moved|failed" doc:"switching: Chalie starts again on the other log, which takes a moment."`
	Done  domain.Position `json:"done" doc:"How many records."`
	Of    domain.Position `json:"of"`
	Files int             `json:"files" doc:"How many files were moved beside the log."`
	Error string          `json:"error,omitempty" doc:"Why it failed; the log is where it was."`
}

func moveRoutes() []Route {
	return []Route{
		{Name: "startMove", Method: post, Path: "/api/move", Who: Operator, Summary: "Move the log to a cluster, or back, while it is served",
			Detail: "Only over the Unix socket: it sends everything to where it is told. It answers at once; how it goes stands in GET /api/move.",
			Body:   Body{Most: 16 * kib, Shape: MoveRequest{}}, Answers: withStatus(202, OK{}), Refuses: []int{403, 409}},
		{Name: "move", Method: get, Path: "/api/move", Who: Operator, Summary: "How the move of the log stands", Answers: ok(Move{})},
	}
}
