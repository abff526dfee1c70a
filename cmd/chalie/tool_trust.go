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
supervised or full). What no flag names the tool says itself again.`

func toolTrustCommand(c *console, o *options) *cobra.Command {
	var effects, asks bool
	var autonomy string
	cmd := &cobra.Command{
		Use: "trust NAME", Short: "Say what the policy takes a tool for", Long: toolTrustHelp, Args: exactly("NAME"),
		Example: "  chalie tool trust status --side-effects=false\n  chalie tool trust pay --requires-approval\n  chalie tool trust pay   what it says of itself counts again",
		RunE: func(cmd *cobra.Command, args []string) error {
			var said apiclient.Trust
			if cmd.Flags().Changed("side-effects") {
				said.SideEffects = &effects
			}
			if cmd.Flags().Changed("requires-approval") {
				said.RequiresApproval = &asks
			}
			if level := domain.Autonomy(autonomy); level != "" {
				said.Autonomy = &level
			}
			api, err := connectToRunning(cmd.Context(), c, o, "changing what a tool is taken for")
			if err != nil {
				return err
			}
			defer api.Close()
			object, err := api.TrustTool(cmd.Context(), args[0], said)
			if err != nil || o.json {
				return orJSON(c, o, err, object)
			}
			m, err := object.Value()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.out, "%s is taken for: %s\n", oneLine(args[0]), trusted(m))
			return err
		},
	}
	cmd.Flags().BoolVar(&effects, "side-effects", false, "it may change something")
	cmd.Flags().BoolVar(&asks, "requires-approval", false, "it asks for approval, whoever wants it done")
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
	return out + fmt.Sprintf(", autonomy %s (capability %s, version %s)", m.Autonomy, oneLine(m.CapabilityID), oneLine(m.Version))
}
