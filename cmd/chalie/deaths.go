package main

import (
	"context"
	"maps"
	"sync"
)

// deaths are the services that ended by themselves, with the reason. The zero
// deaths is ready to use.
type deaths struct {
	mu sync.Mutex
	of map[string]error
}

func (d *deaths) add(service string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil {
		d.of = map[string]error{}
	}
	d.of[service] = err
}

func (d *deaths) all() map[string]error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.of)
}

// lives are the services that run, each with a context of its own, so that one can
// be ended alone. The zero lives is ready to use.
type lives struct {
	mu   sync.Mutex
	ends map[string]context.CancelCauseFunc
}

// begin is the context of a service.
func (l *lives) begin(ctx context.Context, service string) context.Context {
	ctx, end := context.WithCancelCause(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ends == nil {
		l.ends = map[string]context.CancelCauseFunc{}
	}
	l.ends[service] = end
	return ctx
}
