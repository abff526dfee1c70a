package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	programs "chalie/adapters/demo"
	"chalie/adapters/hostzone"
	"chalie/cmd/chalie/internal/demo"
	"chalie/cmd/chalie/internal/term"
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

func demoCommand(c *cli) *cobra.Command {
	var keep string
	var fast bool
	cmd := &cobra.Command{
		Use: "demo", Short: "See within a minute what Chalie is for", Long: demoHelp, Example: demoExample,
		Args: exactly(), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("data") {
				return &usageError{"the demo has data of its own: to keep it, name a new folder with --keep", cmd.CommandPath()}
			}
			show := newDemo(c, keep, fast || c.json || !c.Live)
			ctx, release := untilInterrupted(cmd.Context(), c, func() { _ = show.Forget() }) // nobody is left to be told how that went
			defer release()
			return show.Run(ctx)
		},
	}
	cmd.AddCommand(restaurantCommand(c))
	cmd.Flags().StringVar(&keep, "keep", "", "a new folder to keep the data in")
	cmd.Flags().BoolVar(&fast, "fast", false, "don't pause for reading")
	if err := cmd.MarkFlagDirname("keep"); err != nil {
		panic(err) // the flag stands two lines above
	}
	return cmd
}

// newDemo is one with a Chalie of this process.
func newDemo(c *cli, keep string, hurried bool) *demo.Demo {
	return &demo.Demo{
		Console: c.Console, JSON: c.json, Keep: keep, Hurried: hurried, Zone: hostzone.Name(),
		Start: func(ctx context.Context, data string, idle time.Duration) (demo.Chalie, error) {
			return Open(ctx, Config{
				Addr: "127.0.0.1:0", Data: data, Announced: true, SignalRate: defaultSignalRate, SignalBytes: defaultSignalBytes, IdleAfter: idle,
				Logger: slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: slog.LevelWarn})),
			})
		},
		DrawWorld: func(to *term.Console, items []api.WorldItem) error {
			return (&cli{Console: to}).worldItems(items, false)
		},
		Command: func(data, args string) string {
			if data == "" {
				return c.program + " " + args
			}
			return c.over(data).again(args)
		},
	}
}

const restaurantHelp = `Restaurant starts one of the demo's programs for a Chalie that runs already, so
that there is something to pair with: it comes in with a pairing key, offers two
tools, one of which needs your approval, and a page of its own. It stays until
Ctrl-C.

Each line on standard input, the Enter key, lets it say that there is no dinner
tonight, as a signal that Chalie overhears.

Without --key it asks the Chalie on the data directory for a key.`

const restaurantExample = `  chalie demo restaurant
  chalie demo restaurant --key chalie_pair_…   with a key from the page Interfaces
  chalie demo restaurant --key chalie_pair_… --chalie http://127.0.0.1:9000`

// restaurantFlags are demo restaurant's own.
type restaurantFlags struct{ key, chalie string }

func restaurantCommand(c *cli) *cobra.Command {
	var f restaurantFlags
	cmd := &cobra.Command{
		Use: "restaurant", Short: "Start a program to pair with", Long: restaurantHelp, Example: restaurantExample,
		Args: exactly(), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			base, err := url.Parse(f.chalie)
			if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
				return &usageError{fmt.Sprintf("--chalie is %q: give where Chalie is, such as http://%s", f.chalie, defaultAddr), cmd.CommandPath()}
			}
			ctx, release := untilInterrupted(cmd.Context(), c, func() {})
			defer release()
			err = f.run(ctx, c)
			if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
				return nil
			}
			return err
		},
	}
	cmd.Flags().StringVar(&f.key, "key", "", "the pairing key")
	cmd.Flags().StringVar(&f.chalie, "chalie", "http://"+defaultAddr, "where Chalie is, with --key")
	return cmd
}

// run comes in, with a key from the Chalie on the data directory unless it has one.
func (f restaurantFlags) run(ctx context.Context, c *cli) error {
	if f.key == "" {
		from := c.running("a restaurant without a key")
		err := from.ask(ctx, func(api *session) error {
			key, err := apiclient.Read(api.PairingKey(ctx))
			f.key, f.chalie = key.Key, "http://"+net.JoinHostPort(key.Host, strconv.Itoa(key.Port))
			return err
		})
		if err != nil {
			return err
		}
	}
	house, err := programs.NewRestaurant(programs.Config{})
	if err != nil {
		return err
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	ended := make(chan error, 1)
	go func() { ended <- house.Run(ctx) }() // pairing asks it what it is
	if err := f.open(ctx, c, house); err != nil {
		end()
		return errors.Join(err, <-ended)
	}
	go f.speak(ctx, c, house)
	return <-ended
}

// open pairs, and says what there is to see.
func (f restaurantFlags) open(ctx context.Context, c *cli, house *programs.Restaurant) error {
	paired, err := house.Pair(ctx, f.chalie, f.key)
	if refused, ok := errors.AsType[*programs.Refusal](err); ok {
		return fmt.Errorf("%s was not let in: %s", house.Name(), refused.Words)
	}
	if err != nil {
		return fmt.Errorf("%s finds no Chalie at %s: start it with `chalie serve`, or name its address with --chalie: %w", house.Name(), f.chalie, err)
	}
	return c.Printf("%s is paired. See what it offers at %s/interfaces/%s, or say “cancel my reservation res_801”.\n"+
		"Press Enter to let it say that there is no dinner tonight, Ctrl-C to close it.\n", house.Name(), f.chalie, paired.ID)
}

// speak sends a signal for each line of standard input.
func (f restaurantFlags) speak(ctx context.Context, c *cli, house *programs.Restaurant) {
	for lines := bufio.NewScanner(c.In); lines.Scan() && ctx.Err() == nil; {
		s := house.ClosedTonight()
		if _, err := house.Signal(ctx, s); err != nil {
			c.Complain(err.Error())
			continue
		}
		if err := c.Printf("It said: “%s”. See it at %s/now.\n", s.Content, f.chalie); err != nil {
			return // nobody reads it any more
		}
	}
}
