package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/builtinmodel"
	"chalie/adapters/httpapi"
	"chalie/adapters/interfaces"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/adapters/unixsocket"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/projections/rebuild"
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

// needs says which parts of the data directory a request needs when no program runs.
type needs int

const (
	recordsOnly needs = iota // the log
	foldsToo                 // and every projection, folded through its tail
	foldsKept                // and their stores are kept
)

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
		off, err := openOffline(ctx, c.data, need, c.Meter())
		if err == nil {
			if refusal := off.log.Refusal(); refusal != nil {
				c.Complain(c.advice(words(refusal)))
			}
			if saved, err := savedCluster(c.data); err == nil && saved.URL != "" {
				c.Complain(fmt.Sprintf("Chalie doesn't run here: this is what its copy of the stream %s has, through record %d; the cluster may have more.", saved.Stream, off.log.Tail()))
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

// folds is a running Chalie, or the data directory with its projections.
func (c *cli) folds() origin {
	return origin{c, func(ctx context.Context) (*session, error) { return connect(ctx, c, foldsToo) }}
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
		far = fmt.Sprintf(" after %s of %s", grouped(uint64(last.Position)), counted(last.Tail, "record", "records"))
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

// offline is a data directory that no program runs on, opened to be read. It
// folds in memory and never changes a byte of the directory; only what rebuilds
// projections keeps what it folds.
type offline struct {
	log      *pebblelog.Log
	folds    *folds
	kept     keyframes
	rebuilds *rebuild.Rebuilder // nil when stores aren't kept
	env      commands.Env       // its appender refuses everything
	core     *core
}

func openOffline(ctx context.Context, data string, need needs, m term.Meter) (_ *offline, err error) {
	clock := sysclock.Clock{}
	off := &offline{}
	defer func() {
		if err != nil {
			off.close()
		}
	}()
	quiet := slog.New(slog.DiscardHandler)
	room := machineMemory()
	kept := storesOf(data, quiet, room, 0)
	saved, err := savedCluster(data)
	if err != nil {
		return nil, err
	}
	off.log, err = pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Of: saved.name(), Clock: clock, ReadOnly: true,
		CacheBytes: room.logCache(), MemTableBytes: room.logTable(), Known: kept.FoldedThrough(today())})
	if err == nil && need == foldsKept {
		err = off.log.Refusal() // the projections know lost records, and must not be replaced
	}
	if err != nil {
		return nil, err
	}
	if need != recordsOnly {
		if err := passGate(ctx, off.log); err != nil {
			return nil, err
		}
	}
	stores := map[needs]rebuild.Open{recordsOnly: rebuild.InMemory, foldsToo: kept.Overlay, foldsKept: kept.Serve}[need]
	if off.folds, err = newFolds(off.log, clock, quiet, stores); err != nil {
		return nil, err
	}
	if need == foldsKept {
		off.rebuilds = rebuild.New(rebuild.Config{Serving: off.folds.Serving, Stores: kept, Feed: off.log, Clock: clock, Logger: quiet})
	}
	if need != recordsOnly {
		off.folds.Run()
		// A stopped projection is a reason to rebuild, not an error.
		if err := off.foldThrough(ctx, off.log.Tail(), m); err != nil && (need != foldsKept || ctx.Err() != nil) {
			return nil, err
		}
	}
	off.env = commands.Env{Log: off.log, Reader: off.log, Tail: off.log, Clock: clock, IDs: ulids.New(clock), Logger: quiet}
	var backed *backups
	if need != recordsOnly {
		backed = &backups{data: data, log: off.log, folds: off.folds}
	}
	off.kept = readKeyframes(off.log, keyframesIn(data, quiet, room, 0))
	off.core, err = newCore(coreParts{
		backups: backed, rebuilds: off.rebuilds, stores: kept, scans: need == recordsOnly,
		Env: off.env, log: off.log, feed: off.log, folds: off.folds, kept: off.kept, thinkers: &answeringModels{models: []reasoning.Model{builtinmodel.Model{}}},
		running: off.remember,
		health:  func(context.Context) httpapi.Health { return httpapi.Health{Reason: "Chalie does not run"} },
	})
	return off, err
}

// remember gives the API the interfaces as they were when Chalie stopped. What
// would change them fails: the log is only read.
func (off *offline) remember(_ *core, cfg *httpapi.Config) error {
	peer, err := interfaces.New(interfaces.Config{})
	if err != nil {
		return err
	}
	book := off.folds.Registry
	cfg.Interfaces, err = pairing.New(pairing.Config{
		Env: off.env, Book: book, Applied: off.folds.Of(book.Name()), Peer: peer,
	})
	return err
}

// drawEvery is how often the meter is redrawn.
const drawEvery = 200 * time.Millisecond

// foldThrough waits for the projections to fold through the tail.
func (off *offline) foldThrough(ctx context.Context, tail domain.Position, m term.Meter) error {
	defer m.Clear()
	for {
		step, cancel := context.WithTimeout(ctx, drawEvery)
		err := off.folds.Group.WaitFor(step, tail)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return err
		}
		through := tail
		for _, s := range off.folds.Group.Status(ctx) {
			through = min(through, s.Position)
		}
		m.Draw(through, tail, 0)
	}
}

// close releases the data directory. Nothing is saved, so errors don't matter.
func (off *offline) close() {
	if off.rebuilds != nil {
		off.rebuilds.Close()
	}
	if off.folds != nil {
		_ = off.folds.Close()
	}
	off.kept.close(slog.New(slog.DiscardHandler))
	if off.log != nil {
		_ = off.log.Close()
	}
}
