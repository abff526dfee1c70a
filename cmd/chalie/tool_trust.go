package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

const toolTrustHelp = `Trust says what the policy takes a tool for, in place of what the tool says of
itself: whether it may change something, whether it asks for approval whoever wants
it done, and the most it is trusted with when nobody asked for it (readonly,
supervised or full). With --unasked a tool that changes nothing may be used for what
a program's message or Chalie's own accord leads to; no tool says that of itself.
What no flag names the tool says itself again.`

func toolTrustCommand(c *cli) *cobra.Command {
	var effects, asks, unasked bool
	var autonomy string
	cmd := &cobra.Command{
		Use: "trust NAME", Short: "Say what the policy takes a tool for", Long: toolTrustHelp, Args: exactly("NAME"),
		Example: "  chalie tool trust status --side-effects=false\n  chalie tool trust pay --requires-approval\n  chalie tool trust forecast --side-effects=false --unasked\n  chalie tool trust pay   what it says of itself counts again",
		RunE: func(cmd *cobra.Command, args []string) error {
			var said apiclient.Trust
			if cmd.Flags().Changed("side-effects") {
				said.SideEffects = &effects
			}
			if cmd.Flags().Changed("requires-approval") {
				said.RequiresApproval = &asks
			}
			if cmd.Flags().Changed("unasked") {
				said.Unasked = &unasked
			}
			if level := domain.Autonomy(autonomy); level != "" {
				said.Autonomy = &level
			}
			api, err := connectToRunning(cmd.Context(), c, "changing what a tool is taken for")
			if err != nil {
				return err
			}
			defer api.Close()
			object, err := api.TrustTool(cmd.Context(), args[0], said)
			if err != nil || c.json {
				return orJSON(c, err, object)
			}
			m, err := object.Value()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Out, "%s is taken for: %s\n", oneLine(args[0]), trusted(m))
			return err
		},
	}
	cmd.Flags().BoolVar(&effects, "side-effects", false, "it may change something")
	cmd.Flags().BoolVar(&asks, "requires-approval", false, "it asks for approval, whoever wants it done")
	cmd.Flags().BoolVar(&unasked, "unasked", false, "it is safe to use when you didn't ask, as long as it changes nothing")
	cmd.Flags().StringVar(&autonomy, "autonomy", "", "the most it is trusted with: readonly, supervised or full")
	return cmd
}

// trusted is a manifest in words.
func trusted(m domain.Manifest) string {
	out := "changes nothing"
	if m.SideEffects {
		out = "may change something"
	}
	if m.RequiresApproval {
		out += ", asks for approval"
	}
	if m.Unasked {
		out += ", may be used unasked"
	}
	return out + fmt.Sprintf(", autonomy %s (capability %s, version %s)", m.Autonomy, oneLine(m.CapabilityID), oneLine(m.Version))
}
