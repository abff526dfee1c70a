package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
)

// Moves moves the log while it is served.
type Moves interface {
	// Start begins a move, and returns once that is possible. Errors: Validation for what
	// can't be read; Conflict when one is under way, or the log is there already.
	Start(m api.MoveRequest) error
	// Status is how the last one stands.
	Status() api.Move
}

func moveHandlers() handlers {
	return handlers{"startMove": (*exchange).startMove, "move": (*exchange).move}
}

// startMove is POST /api/move.
func (x *exchange) startMove() error {
	var in api.MoveRequest
	if err := x.read(&in); err != nil {
		return err
	}
	if !x.trusted {
		return &domain.Error{Op: "move", Category: domain.Policy, Code: "only_here",
			Message: "the log can only be moved from the machine that Chalie runs on: use chalie move there"}
	}
	if x.api.cfg.Moves == nil {
		return notRunning("move the log")
	}
	if err := x.api.cfg.Moves.Start(in); err != nil {
		return err
	}
	return x.answer(http.StatusAccepted, api.OK{OK: true})
}

// move is GET /api/move.
func (x *exchange) move() error {
	if x.api.cfg.Moves == nil {
		return notRunning("move the log")
	}
	return x.answer(http.StatusOK, x.api.cfg.Moves.Status())
}
