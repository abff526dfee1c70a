package pebblelog

import (
	"context"

	"chalie/domain"
)

// Ending is a log in which nobody waits any more once a context has ended: a long poll
// would hold up the way out of a program. Everything else is the log's.
type Ending struct {
	*Log
	ctx context.Context
}

// Until is the log for those who wait until ctx ends at most.
func (l *Log) Until(ctx context.Context) Ending { return Ending{l, ctx} }

// Wait is the log's, and fails with CodeClosed when the context of Until has ended.
func (e Ending) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.ctx, cancel)()
	pos, err := e.Log.Wait(ctx, after)
	if err != nil && e.ctx.Err() != nil {
		return 0, &domain.Error{Op: "wait for records", Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true,
			Message: "Chalie is shutting down; ask again once it runs"}
	}
	return pos, err
}
