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

// session is a client of the API, with the resources to close after use.
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

// While a program starts or stops it holds the data directory without a socket. Requests
// wait for that moment.
const (
	settleWithin = 5 * time.Second
	settleEvery  = 50 * time.Millisecond
)

// connect connects to the running program, or opens the data directory read-only when
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
		told := newFoldMeter(c)
		off, err := openOffline(ctx, c.data, need, told)
		if err == nil {
			if refusal := off.log.Refusal(); refusal != nil {
				c.Complain(c.advice(words(refusal)))
			}
			if saved, err := savedCluster(c.data); err == nil && saved.URL != "" {
				c.Complain(fmt.Sprintf("Chalie doesn't run here: this is what its copy of the stream %s has, through record %d; the cluster may have more.", saved.Stream, off.log.Tail()))
			}
			return &session{apiclient.InProcess(told.watching(off.core.api.TrustedHandler())), off}, nil
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

// connectToRunning connects to the running program, for requests that need one.
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
	client := apiclient.New(unixsocket.Client(c.data), unixsocket.BaseURL)
	client.Zone = apiclient.DeviceZone(c.Zone)
	return &session{Client: client}, nil
}

// dialRunning connects to the running program; false when none runs.
func dialRunning(ctx context.Context, c *cli) (_ *session, running bool, err error) {
	api, err := dial(ctx, c)
	if domain.CodeOf(err) == unixsocket.CodeNotRunning || errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return api, err == nil, err
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

// busy reports whether another process holds the lock.
func busy(err error) bool {
	return domain.CategoryOf(err) == domain.Conflict && domain.IsRetriable(err)
}

// origin is the source of a command's answer.
type origin struct {
	*cli
	open func(context.Context) (*session, error)
}

// log is a running Chalie, or the data directory's log.
func (c *cli) log() origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connect(ctx, c, recordsOnly) }}
}

// past is a running Chalie, or the data directory's log with what it held at earlier
// positions.
func (c *cli) past() origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connect(ctx, c, pastToo) }}
}

// folds is a running Chalie, or the data directory with its projections.
func (c *cli) folds() origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connect(ctx, c, foldsToo) }}
}

// foldsAndPast is folds and past in one.
func (c *cli) foldsAndPast() origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connect(ctx, c, foldsToo|pastToo) }}
}

// foldsAt is what an answer as of a moment needs: what a past one shows rests on nothing later.
func (c *cli) foldsAt(at moment) origin {
	switch {
	case at.given == "":
		return c.folds()
	case at.isPast():
		return c.past()
	}
	return c.foldsAndPast()
}

// stores is like folds, and keeps the stores of rebuilt projections.
func (c *cli) stores() origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connect(ctx, c, foldsKept) }}
}

// running is a running Chalie, for requests that need one. what names the request in
// errors.
func (c *cli) running(what string) origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connectToRunning(ctx, c, what) }}
}

// with binds a request's argument, for show.
func with[A, T any](ask func(*apiclient.Client, context.Context, A) (T, error), a A) func(*apiclient.Client, context.Context) (T, error) {
	return func(api *apiclient.Client, ctx context.Context) (T, error) { return ask(api, ctx, a) }
}

// with2 is with for two arguments.
func with2[A, B, T any](ask func(*apiclient.Client, context.Context, A, B) (T, error), a A, b B) func(*apiclient.Client, context.Context) (T, error) {
	return func(api *apiclient.Client, ctx context.Context) (T, error) { return ask(api, ctx, a, b) }
}

// ask opens a session for the duration of do.
func (o origin) ask(ctx context.Context, do func(*session) error) error {
	api, err := o.open(ctx)
	if err != nil {
		return err
	}
	defer api.Close()
	return do(api)
}

// show requests one object and writes it, with --json as JSON, else in words.
func show[T any](ctx context.Context, from origin, ask func(*apiclient.Client, context.Context) (apiclient.Object[T], error), write func(T) error) error {
	return from.ask(ctx, func(api *session) error {
		object, err := ask(api.Client, ctx)
		return writeAnswer(from.cli, object, err, write)
	})
}

// showAll requests a list and writes it, with --json as a line of JSON for each element,
// else in words.
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
	list, err := apiclient.Values(objects)
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

// offered completes the first argument with a list's names.
func offered[T any](from origin, ask func(*apiclient.Client, context.Context) ([]apiclient.Object[T], error), offer func(T) cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []cobra.Completion
		err := from.ask(cmd.Context(), func(api *session) error {
			list, err := apiclient.ReadAll(ask(api.Client, cmd.Context()))
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

// stoppedWaiting says that an interrupt ended the wait for work that continues in the
// program.
type stoppedWaiting struct{ error }

// metered makes a long request, and draws its progress. An interrupt ends the work, and
// prints the progress.
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
		far = fmt.Sprintf(" at position %s of %s", grouped(uint64(last.Position)), grouped(uint64(last.Tail)))
	}
	return out, stoppedWaiting{fmt.Errorf("the %s was interrupted%s: nothing was changed, and nothing is known of the rest", what, far)}
}

// whileWaiting is a context that SIGINT, SIGTERM or SIGHUP ends, for a command that waits
// for work in the program. The next signal ends the process.
func whileWaiting(parent context.Context) (context.Context, context.CancelFunc) {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(parent, signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
