package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"chalie/domain"
)

const cancelHelp = `Cancel ends an answer that is under way, at its next step. What was done for it
by then stays done: the trace shows how far it came. Without an ID it is the
answer to the latest message.`

const cancelExample = `  chalie cancel
  chalie cancel 01KB2V7WYQC3V8P0J6R4T5N9XE`

func cancelCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "cancel [ID]", Short: "End an answer that is under way", Long: cancelHelp, Example: cancelExample,
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			var id domain.ID
			if len(args) > 0 {
				var err error
				if id, err = domain.ParseID(args[0]); err != nil {
					return err
				}
			}
			api, err := connectToRunning(cmd.Context(), c, "cancelling an answer")
			if err != nil {
				return err
			}
			defer api.Close()
			object, err := api.Cancel(cmd.Context(), id)
			if err != nil {
				return err
			}
			if c.json {
				return c.JSON(object)
			}
			cancelled, err := object.Value()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Out, "It ends at its next step. How far it came: %s\n", c.again("trace show "+cancelled.ExchangeID.String()))
			return err
		},
	}
}
