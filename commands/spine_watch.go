package commands

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"chalie/domain"
)

// Listener hands the records of a topic to durable groups.
type Listener interface {
	// Listen calls handle for every record of the topic, in log order and one at a
	// time, beginning behind the last one that handle returned nil for in this group.
	// A record whose handling fails comes again, after a pause. It returns nil when
	// ctx ends, and an error when the log can't be read any more.
	Listen(ctx context.Context, group string, topic domain.Topic, handle func(context.Context, domain.Record) error) error
}

// Noticing is what a watcher makes of what it reads.
type Noticing interface {
	// Notice is the signal that a record is worth; false when it is worth none. It is
	// given the records of each topic in order, again when it fails and after a crash.
	// An error that is retriable is waited for; with any other the record passes.
	Notice(ctx context.Context, rec domain.Record) (domain.SpineSignal, bool, error)
}

// WatcherConfig is what a watcher needs. All fields are required.
type WatcherConfig struct {
	Env
	Service  string // who emits; the group is named after it
	Topics   []domain.Topic
	Noticing Noticing
	Listener Listener
	Emitter  *Emitter
	Heart    Heart
}

// Validate returns a validation error when something is missing.
func (c WatcherConfig) Validate() error {
	if c.Service == "" || len(c.Topics) == 0 {
		return domain.Invalid("configure watcher", "", "a watcher has a service and at least one topic")
	}
	return Complete("configure watcher", c)
}

// Watcher is a service that reads the log and emits a spine signal for what it
// notices there. It keeps its place, so what happened while it was away is noticed
// when it is back, once.
//
// What a background cycle does is noticed by nobody: thinking about it again would
// go round in a circle. What is older than staleAfter is history.
type Watcher struct{ cfg WatcherConfig }

// staleAfter is how old something may be that is still worth a signal.
const staleAfter = 24 * time.Hour

// NewWatcher checks the configuration. Run does the work.
func NewWatcher(cfg WatcherConfig) (*Watcher, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Watcher{cfg: cfg}, nil
}

// Run watches until ctx ends. An error says that the log can't be read any more.
func (w *Watcher) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, len(w.cfg.Topics))
	for _, topic := range w.cfg.Topics {
		go func() {
			ended <- w.cfg.Listener.Listen(ctx, "spine/"+w.cfg.Service, topic, w.handle)
			cancel() // one topic alone would be half a service
		}()
	}
	var failure error
	for range w.cfg.Topics {
		if err := <-ended; err != nil && failure == nil {
			failure = err
		}
	}
	return failure
}

// handle returns only what is worth another try.
func (w *Watcher) handle(ctx context.Context, rec domain.Record) error {
	defer w.cfg.Heart.Work(w.cfg.Service)()
	signal, ok, err := w.notice(ctx, rec)
	if err == nil && ok {
		if ok, err = w.isNews(ctx, rec); ok && err == nil {
			err = w.cfg.Emitter.Record(ctx, rec.Envelope, signal)
		}
	}
	if err != nil && (domain.IsRetriable(err) || ctx.Err() != nil) {
		return err
	}
	if err != nil {
		w.cfg.Logger.DebugContext(ctx, "nothing could be made of a record", "service", w.cfg.Service, "position", uint64(rec.Position), "err", err)
	}
	return nil
}

// notice turns a panic into an error: one bad record must not end the service.
func (w *Watcher) notice(ctx context.Context, rec domain.Record) (s domain.SpineSignal, ok bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			w.cfg.Logger.ErrorContext(ctx, "a record was too much for a service", "service", w.cfg.Service, "position", uint64(rec.Position), "panic", p, "stack", string(debug.Stack()))
			ok, err = false, &domain.Error{Op: "notice", Category: domain.Conflict, Code: "panicked", Message: fmt.Sprintf("it broke off: %v", p)}
		}
	}()
	return w.cfg.Noticing.Notice(ctx, rec)
}

// isNews reports whether a record is recent, and not the doing of a background
// cycle.
func (w *Watcher) isNews(ctx context.Context, rec domain.Record) (bool, error) {
	if w.cfg.Now().Sub(rec.Clock()) > staleAfter {
		return false, nil
	}
	opening, err := w.cfg.Reader.Find(ctx, rec.Envelope.Trace.ID)
	if domain.CategoryOf(err) == domain.NotFound {
		return true, nil // what the trace began with is not kept any more
	}
	return opening.Envelope.Type != domain.SpineSignalEmittedType, err
}
