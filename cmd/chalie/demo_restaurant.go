package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"chalie/adapters/demo"
)

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

func (f restaurantFlags) run(ctx context.Context, c *cli) error {
	if f.key == "" {
		if err := f.askKey(ctx, c); err != nil {
			return err
		}
	}
	house, err := demo.NewRestaurant(demo.Config{})
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

// askKey asks the Chalie on the data directory for a key, and where it is.
func (f *restaurantFlags) askKey(ctx context.Context, c *cli) error {
	api, err := connectToRunning(ctx, c, "a restaurant without a key")
	if err != nil {
		return err
	}
	defer api.Close()
	object, err := api.PairingKey(ctx)
	if err != nil {
		return err
	}
	key, err := object.Value()
	if err != nil {
		return err
	}
	f.key, f.chalie = key.Key, "http://"+net.JoinHostPort(key.Host, strconv.Itoa(key.Port))
	return nil
}

// open pairs, and says what there is to see.
func (f restaurantFlags) open(ctx context.Context, c *cli, house *demo.Restaurant) error {
	paired, err := house.Pair(ctx, f.chalie, f.key)
	if refused, ok := errors.AsType[*demo.Refusal](err); ok {
		return fmt.Errorf("%s was not let in: %s", house.Name(), refused.Words)
	}
	if err != nil {
		return fmt.Errorf("%s finds no Chalie at %s: start it with `chalie serve`, or name its address with --chalie: %w", house.Name(), f.chalie, err)
	}
	_, err = fmt.Fprintf(c.Out, "%s is paired. See what it offers at %s/interfaces/%s, or say “cancel my reservation res_801”.\n"+
		"Press Enter to let it say that there is no dinner tonight, Ctrl-C to close it.\n", house.Name(), f.chalie, paired.ID)
	return err
}

// speak sends a signal for each line of standard input.
func (f restaurantFlags) speak(ctx context.Context, c *cli, house *demo.Restaurant) {
	for lines := bufio.NewScanner(c.In); lines.Scan() && ctx.Err() == nil; {
		s := house.ClosedTonight()
		if _, err := house.Signal(ctx, s); err != nil {
			c.Complain(err.Error())
			continue
		}
		if _, err := fmt.Fprintf(c.Out, "It said: “%s”. See it at %s/now.\n", s.Content, f.chalie); err != nil {
			return // nobody reads it any more
		}
	}
}
