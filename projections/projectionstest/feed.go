package projectionstest

import (
	"context"

	"chalie/domain"
	"chalie/projections"
)

// UntilEnd is a log behind whose end nothing is waited for: what follows it ends there, as
// if the log had been closed.
type UntilEnd struct{ projections.Feed }

// Wait implements domain.Tailer.
func (u UntilEnd) Wait(_ context.Context, after domain.Position) (domain.Position, error) {
	if tail := u.Tail(); tail > after {
		return tail, nil
	}
	return 0, &domain.Error{Op: "wait", Category: domain.Dependency, Code: domain.CodeClosed, Message: "the log ends here"}
}
