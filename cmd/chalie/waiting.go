package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// stoppedWaiting says that an interrupt ended the waiting for something that goes
// on without it.
type stoppedWaiting struct{ error }

// whileWaiting is a context that an interrupt, SIGTERM or SIGHUP ends, for a
// command that waits for what goes on without it. The next one ends the process.
func whileWaiting(parent context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(parent, signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
