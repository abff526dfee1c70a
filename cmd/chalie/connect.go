package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/unixsocket"
	"chalie/domain"
)

// session is a way to ask the API, and what is to be closed after it.
type session struct {
	*apiclient.Client
	offline *offline // nil when a running program answers
}

// Close ends the session. Nothing was written, so nothing can be lost.
func (s *session) Close() {
	s.Client.Close()
	if s.offline != nil {
		s.offline.close()
	}
}

// needs is how much of the data directory a question takes when no program runs.
type needs int

const (
	recordsOnly needs = iota // the log
	foldsToo                 // and every projection, folded through its tail
	foldsKept                // and what was folded is kept
)

// A program that starts or stops holds the data directory while its socket is
// not there. That takes a moment, and a question waits for it.
const (
	settleWithin = 5 * time.Second
	settleEvery  = 50 * time.Millisecond
)

// connect asks the running program, or opens the data directory read-only when
// none runs.
func connect(ctx context.Context, c *cli, need needs) (*session, error) {
	if err := checkData(c); err != nil {
		return nil, err
	}
	deadline := time.Now().Add(settleWithin)
	for {
		s, err := dial(ctx, c)
		if domain.CodeOf(err) != unixsocket.CodeNotRunning {
			return s, err
		}
		off, err := openOffline(ctx, c.data, need, c.Meter())
		if err == nil {
			if refusal := off.log.Refusal(); refusal != nil {
				c.Complain(c.advice(words(refusal)))
			}
			return &session{apiclient.InProcess(off.core.api.TrustedHandler()), off}, nil
		}
		if domain.CodeOf(err) == "no_log" {
			return nil, notStarted(c, "log in")
		}
		if !busy(err) || time.Now().After(deadline) {
			return nil, err
		}
		select {
		case <-time.After(settleEvery):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// connectToRunning asks the running program, for what only that can do.
func connectToRunning(ctx context.Context, c *cli, what string) (*session, error) {
	if err := checkData(c); err != nil {
		return nil, err
	}
	s, err := dial(ctx, c)
	if domain.CodeOf(err) == unixsocket.CodeNotRunning {
		return nil, fmt.Errorf("%s needs a running Chalie; start it with `%s`", what, c.again("serve"))
	}
	return s, err
}

// dial finds out whether a program answers.
func dial(ctx context.Context, c *cli) (*session, error) {
	conn, err := unixsocket.Dial(ctx, c.data)
	if err != nil {
		return nil, err
	}
	if err := conn.Close(); err != nil {
		return nil, fmt.Errorf("close the socket: %w", err)
	}
	return &session{Client: apiclient.New(unixsocket.Client(c.data), unixsocket.BaseURL)}, nil
}

func checkData(c *cli) error {
	info, err := os.Stat(c.data)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return notStarted(c, "data directory at")
	case err != nil:
		return noDataDir(c.data, err)
	case !info.IsDir():
		return fmt.Errorf("%s is a file and no data directory; name another one with --data", c.data)
	}
	return nil
}

// notStarted says that there is nothing to read yet.
func notStarted(c *cli, what string) error {
	return fmt.Errorf("there is no %s %s; start Chalie once with `%s`, or name another data directory with --data", what, c.data, c.again("serve"))
}

// busy reports whether another process holds what was to be opened.
func busy(err error) bool {
	return domain.CategoryOf(err) == domain.Conflict && domain.IsRetriable(err)
}

// origin is where a command gets its answer from.
type origin struct {
	*cli
	open func(context.Context) (*session, error)
}

// log asks for what stands in the log: a running Chalie, or the data directory.
func (c *cli) log() origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connect(ctx, c, recordsOnly) }}
}

// folds asks for what is folded of the log, too.
func (c *cli) folds() origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connect(ctx, c, foldsToo) }}
}

// stores asks for what is folded of the log, and keeps what is folded anew.
func (c *cli) stores() origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connect(ctx, c, foldsKept) }}
}

// running asks a Chalie that runs, for what only that can do. what says what needs it.
func (c *cli) running(what string) origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connectToRunning(ctx, c, what) }}
}

// with gives a question its argument, so that it can be asked by show.
func with[A, T any](ask func(*apiclient.Client, context.Context, A) (T, error), a A) func(*apiclient.Client, context.Context) (T, error) {
	return func(api *apiclient.Client, ctx context.Context) (T, error) { return ask(api, ctx, a) }
}

// with2 is with for two arguments.
func with2[A, B, T any](ask func(*apiclient.Client, context.Context, A, B) (T, error), a A, b B) func(*apiclient.Client, context.Context) (T, error) {
	return func(api *apiclient.Client, ctx context.Context) (T, error) { return ask(api, ctx, a, b) }
}

// ask opens a way to the answer, for as long as do asks.
func (o origin) ask(ctx context.Context, do func(*session) error) error {
	api, err := o.open(ctx)
	if err != nil {
		return err
	}
	defer api.Close()
	return do(api)
}

// show asks for one thing and writes it: as JSON where that is wanted, else in words.
func show[T any](ctx context.Context, from origin, ask func(*apiclient.Client, context.Context) (apiclient.Object[T], error), write func(T) error) error {
	return from.ask(ctx, func(api *session) error {
		object, err := ask(api.Client, ctx)
		return writeAnswer(from.cli, object, err, write)
	})
}

// showAll asks for a list and writes it: as a line of JSON for each element where that is
// wanted, else in words.
func showAll[T any](ctx context.Context, from origin, ask func(*apiclient.Client, context.Context) ([]apiclient.Object[T], error), write func([]T) error) error {
	return from.ask(ctx, func(api *session) error {
		objects, err := ask(api.Client, ctx)
		return writeAnswers(from.cli, objects, err, write)
	})
}

// writeAnswer is the error, or writes what was answered.
func writeAnswer[T any](c *cli, object apiclient.Object[T], err error, write func(T) error) error {
	if err != nil {
		return err
	}
	if c.json {
		return c.JSON(object)
	}
	value, err := object.Value()
	if err != nil {
		return err
	}
	return write(value)
}

// writeAnswers is writeAnswer for a list.
func writeAnswers[T any](c *cli, objects []apiclient.Object[T], err error, write func([]T) error) error {
	if err != nil {
		return err
	}
	if c.json {
		for _, object := range objects {
			if err := c.JSON(object); err != nil {
				return err
			}
		}
		return nil
	}
	list, err := values(objects)
	if err != nil {
		return err
	}
	return write(list)
}

// done is the error, or says what was done: as JSON, or in words.
func (c *cli) done(err error, told any, format string, args ...any) error {
	if err != nil {
		return err
	}
	if c.json {
		return c.JSON(told)
	}
	return c.Printf(format+"\n", args...)
}

// values reads a list of what the API answered.
func values[T any](objects []apiclient.Object[T]) ([]T, error) {
	out := make([]T, len(objects))
	for i, object := range objects {
		var err error
		if out[i], err = object.Value(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// offered completes the first argument with what a list has.
func offered[T any](from origin, ask func(*apiclient.Client, context.Context) ([]apiclient.Object[T], error), offer func(T) cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []cobra.Completion
		err := from.ask(cmd.Context(), func(api *session) error {
			objects, err := ask(api.Client, cmd.Context())
			if err != nil {
				return err
			}
			list, err := values(objects)
			for _, one := range list {
				out = append(out, offer(one))
			}
			return err
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp // there is nothing to offer, and no place for words
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// stoppedWaiting says that an interrupt ended the waiting for something that goes
// on without it.
type stoppedWaiting struct{ error }

// metered asks for what takes long, and draws how far it is. An interrupt ends the
// work, and says how far it was.
func metered[T any](parent context.Context, c *cli, what string, ask func(context.Context, func(contract.Progress)) (T, error)) (T, error) {
	ctx, stop := whileWaiting(parent)
	defer stop()
	m := c.Meter()
	var last contract.Progress
	out, err := ask(ctx, func(p contract.Progress) {
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
