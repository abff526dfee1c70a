package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	programs "chalie/adapters/demo"
	"chalie/cmd/chalie/internal/demo"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
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
	cmd := showCommand(c, false, cobra.Command{Use: "demo", Short: "See within a minute what Chalie is for", Long: demoHelp, Example: demoExample})
	cmd.AddCommand(restaurantCommand(c), showCommand(c, true, cobra.Command{Use: "voice", Short: "Hear Chalie speak, and have it hear", Long: demoVoiceHelp, Example: demoVoiceExample}))
	return cmd
}

const demoVoiceHelp = `Voice starts a Chalie of its own, speaks to it with a voice of this machine, and
tells what it heard, what it answered, how that was spoken, and what of it is on
the log. It needs flite, pocketsphinx and pocketsphinx-en-us, and no network.

Everything is gone afterwards. With --keep it stays in a folder.`

const demoVoiceExample = `  chalie demo voice
  chalie demo voice --fast             without pauses for reading
  chalie demo voice --keep ./demo-data and look at it afterwards: chalie log --data ./demo-data`

// showCommand is a command that shows a demo: that of voice, or the one of the world.
func showCommand(c *cli, voice bool, about cobra.Command) *cobra.Command {
	var keep string
	var fast bool
	cmd := &cobra.Command{
		Use: about.Use, Short: about.Short, Long: about.Long, Example: about.Example,
		Args: exactly(), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("data") {
				return &usageError{"the demo has data of its own: to keep it, name a new folder with --keep", cmd.CommandPath()}
			}
			show, err := newDemo(c, keep, fast || c.json || !c.Live)
			if err != nil {
				return err
			}
			show.Voice = voice
			ctx, release := untilInterrupted(cmd.Context(), c, func() { _ = show.Forget() }) // nobody is left to be told how that went
			defer release()
			return show.Run(ctx)
		},
	}
	cmd.Flags().StringVar(&keep, "keep", "", "a new folder to keep the data in")
	cmd.Flags().BoolVar(&fast, "fast", false, "don't pause for reading")
	if err := cmd.MarkFlagDirname("keep"); err != nil {
		panic(err) // the flag stands two lines above
	}
	return cmd
}

// newDemo is one with a Chalie of this process. Who is in a hurry gets no pauses.
func newDemo(c *cli, keep string, hurried bool) (*demo.Demo, error) {
	idle := 2 * time.Second // nobody waits ten minutes for a demo
	if hurried {
		idle = 300 * time.Millisecond
	}
	data, err := demo.Place(keep)
	return &demo.Demo{
		Console: c.Console, JSON: c.json, Data: data, Kept: keep != "", Idle: idle,
		Start: func(ctx context.Context) (demo.Chalie, error) {
			return Open(ctx, Config{
				Addr: "127.0.0.1:0", Data: data, Announced: true, SignalRate: defaultSignalRate, SignalBytes: defaultSignalBytes, IdleAfter: idle,
				Logger: slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: slog.LevelWarn})),
			})
		},
		DrawWorld: func(to *term.Console, items []api.WorldItem) error {
			return (&cli{Console: to}).worldItems(items, false)
		},
		Command: c.over(cmp.Or(keep, defaultData)).again,
		Pause: func(ctx context.Context, d time.Duration) error {
			if !hurried {
				commands.Sleep(ctx, d)
			}
			return ctx.Err()
		},
	}, err
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

func restaurantCommand(c *cli) *cobra.Command {
	var key, chalie string
	cmd := &cobra.Command{
		Use: "restaurant", Short: "Start a program to pair with", Long: restaurantHelp, Example: restaurantExample,
		Args: exactly(), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, release := untilInterrupted(cmd.Context(), c, func() {})
			defer release()
			if err := c.restaurant(ctx, key, chalie); ctx.Err() == nil {
				return err
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "the pairing key")
	cmd.Flags().StringVar(&chalie, "chalie", "http://"+defaultAddr, "where Chalie is, with --key")
	return cmd
}

// restaurant comes in, with a key from the Chalie on the data directory unless it has
// one, and stays until ctx ends.
func (c *cli) restaurant(ctx context.Context, key, chalie string) error {
	if key == "" {
		err := c.running("a restaurant without a key").ask(ctx, func(api *session) error {
			given, err := apiclient.Read(api.PairingKey(ctx))
			key, chalie = given.Key, "http://"+net.JoinHostPort(given.Host, strconv.Itoa(given.Port))
			return err
		})
		if err != nil {
			return err
		}
	}
	house, err := programs.Open("restaurant")
	if err != nil {
		return err
	}
	defer house.Close()
	paired, err := house.Pair(ctx, chalie, key)
	if refused, ok := errors.AsType[*programs.Refusal](err); ok {
		return fmt.Errorf("%s was not let in: %s", house.Name, refused.Words)
	}
	if err != nil {
		return fmt.Errorf("%s finds no Chalie at %s: start it with `chalie serve`, or name its address with --chalie: %w", house.Name, chalie, err)
	}
	err = c.Printf("%s is paired. See what it offers at %s/interfaces/%s, or say “cancel my reservation res_801”.\n"+
		"Press Enter to let it say that there is no dinner tonight, Ctrl-C to close it.\n", house.Name, chalie, paired.ID)
	if err != nil {
		return err
	}
	go func() { // reading ends with the process
		for lines := bufio.NewScanner(c.In); lines.Scan() && ctx.Err() == nil; {
			news := house.News
			if err := house.Send(ctx, "/api/signals", news, nil); err != nil {
				c.Complain(err.Error())
				continue
			}
			_ = c.Printf("It said: “%s”. See it at %s/now.\n", news.Content, chalie) // if anybody reads it
		}
	}()
	<-ctx.Done()
	return nil
}
