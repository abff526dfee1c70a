package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"chalie/adapters/apiclient"
)

// stoppedWaiting says that an interrupt ended the waiting for something that goes
// on without it.
type stoppedWaiting struct{ error }

// metered asks for what takes long, and draws how far it is. An interrupt ends the
// work, and says how far it was.
func metered[T any](parent context.Context, c *cli, what string, ask func(context.Context, func(apiclient.Progress)) (T, error)) (T, error) {
	ctx, stop := whileWaiting(parent)
	defer stop()
	m := c.Meter()
	var last apiclient.Progress
	out, err := ask(ctx, func(p apiclient.Progress) {
		last = p
		m.Draw(p.Position, p.Tail, p.Rate)
	})
	m.Clear()
	if err == nil || ctx.Err() == nil {
		return out, err
	}
	far := ""
	if last.Tail > 0 {
		far = fmt.Sprintf(" after %s of %s", grouped(uint64(last.Position)), counted(last.Tail, "record", "records"))
	}
	return out, stoppedWaiting{fmt.Errorf("the %s was interrupted%s: nothing was changed, and nothing is known of the rest", what, far)}
}

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
