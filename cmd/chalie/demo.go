package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

const demoHelp = `Demo starts a Chalie of its own on a free port, with three programs around it: a
restaurant, a hospital and a stock exchange. They connect to it and talk to it
over the public protocol, as any program could. You plan a dinner, the world goes
by, and the demo tells what Chalie makes of it. It takes under a minute.

Everything is gone afterwards, also after Ctrl-C, or when the terminal or the
reader of the output goes away. With --keep it stays in a folder, to be looked
at with the other commands; only the three programs are gone then. Where
standard output is no terminal, and with --json, the story is told without
pauses.`

const demoExample = `  chalie demo
  chalie demo --fast                   without pauses for reading
  chalie demo --keep ./demo-data       and look at it afterwards: chalie log --data ./demo-data
  chalie demo --json                   one line for each step`

// demoFlags are demo's own.
type demoFlags struct {
	keep string
	fast bool
}

func demoCommand(c *cli) *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use: "demo", Short: "See within a minute what Chalie is for", Long: demoHelp, Example: demoExample,
		Args: exactly(), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("data") {
				return &usageError{"the demo has data of its own: to keep it, name a new folder with --keep", cmd.CommandPath()}
			}
			tell := &teller{console: c, pause: unhurried}
			ctx, release := untilInterrupted(cmd.Context(), c, tell.forget)
			defer release()
			if f.fast || c.json || !c.Live {
				tell.hurried, tell.pause = true, hurried
			}
			return runDemo(ctx, tell, f.keep)
		},
	}
	cmd.AddCommand(restaurantCommand(c))
	cmd.Flags().StringVar(&f.keep, "keep", "", "a new folder to keep the data in")
	cmd.Flags().BoolVar(&f.fast, "fast", false, "don't pause for reading")
	if err := cmd.MarkFlagDirname("keep"); err != nil {
		panic(err) // the flag stands two lines above
	}
	return cmd
}

// How long nothing is said or done before the demo's Chalie looks over what it has
// in mind: nobody waits ten minutes for a demo.
const (
	demoIdle        = 2 * time.Second
	demoIdleHurried = 300 * time.Millisecond
)

// pausing waits as long as a person reads, or returns ctx's error.
type pausing func(ctx context.Context, d time.Duration) error

func unhurried(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func hurried(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// audience is who the story is told to. They may leave early: a pipe is closed
// as soon as its reader has seen enough.
type audience struct{ io.Writer }

var errAudienceLeft = errors.New("nobody reads the story any more")

func (a audience) Write(p []byte) (int, error) {
	n, err := a.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		err = errAudienceLeft
	}
	return n, err
}

// runDemo tells the story on a stage that is taken down again, whatever happens.
// Being interrupted is no error, and neither is an audience that leaves.
func runDemo(ctx context.Context, tell *teller, keep string) (err error) {
	data, remove, err := demoFolder(keep)
	if err != nil {
		return err
	}
	tell.remove.Store(&remove)
	defer func() { err = errors.Join(err, remove()) }()
	// The commands that are shown are for the data that is kept.
	heard := *tell.console.Console
	heard.Out, heard.Uncut = audience{heard.Out}, false // a story has lines
	tell.console, tell.kept = &cli{&heard, tell.console.program, data, tell.console.json}, keep != ""
	idle := demoIdle
	if tell.hurried {
		idle = demoIdleHurried
	}
	err = onStage(ctx, tell.console, data, idle, func(s *stage) error { return tellStory(s, tell) })
	switch {
	case errors.Is(err, errAudienceLeft):
		return tell.brokenOff()
	// What the interrupt broke off failed with one or the other.
	case ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))):
		return tell.brokenOff()
	case err != nil:
		return err
	}
	if err := tell.farewell(); !errors.Is(err, errAudienceLeft) {
		return err
	}
	return tell.brokenOff()
}

// forget removes the data of a demo that is ended at once. There is nobody left
// to tell how that went.
func (t *teller) forget() {
	if remove := t.remove.Load(); remove != nil {
		_ = (*remove)()
	}
}

// onStage plays on a stage. Why a part of it failed goes before what that made
// the play fail with.
func onStage(ctx context.Context, c *cli, data string, idle time.Duration, play func(*stage) error) error {
	s, err := openStage(ctx, c, data, idle)
	if err != nil {
		return err
	}
	err = play(s)
	if failure := s.takeDown(); failure != nil {
		return failure
	}
	return err
}

// demoFolder is where the data goes, and how it goes again.
func demoFolder(keep string) (data string, remove func() error, err error) {
	if keep == "" {
		if data, err = os.MkdirTemp("", "chalie-demo-"); err != nil {
			return "", nil, fmt.Errorf("can't make a folder for the demo's data; name one with --keep: %w", err)
		}
		return data, func() error {
			if err := os.RemoveAll(data); err != nil {
				return fmt.Errorf("can't remove the demo's data; remove %s yourself: %w", data, err)
			}
			return nil
		}, nil
	}
	entries, err := os.ReadDir(keep)
	switch {
	case err == nil && len(entries) > 0:
		return "", nil, fmt.Errorf("%s isn't empty; name a new folder with --keep", keep)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", nil, fmt.Errorf("can't use %s; name a new folder with --keep: %w", keep, err)
	}
	return filepath.Clean(keep), func() error { return nil }, nil
}
