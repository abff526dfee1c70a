package main

import (
	"context"

	"chalie/adapters/pebblelog"
	"chalie/domain"
)

// feed is the log as the API reads it. Once the program stops nobody waits in it
// any more: a long poll would hold up the way out.
type feed struct {
	*pebblelog.Log
	stopping context.Context
}

// Wait is the log's Wait, and fails with CodeClosed when the program stops.
func (f feed) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(f.stopping, cancel)()
	pos, err := f.Log.Wait(ctx, after)
	if err != nil && f.stopping.Err() != nil {
		return 0, &domain.Error{Op: "wait for records", Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true,
			Message: "Chalie is shutting down; ask again once it runs"}
	}
	return pos, err
}
