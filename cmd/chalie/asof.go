package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
)

// asOfFlag makes a command show what was known then.
func asOfFlag(cmd *cobra.Command, at *string) {
	cmd.Flags().StringVar(at, "at", "", "as it was: a time such as 2027-03-17T18:00, a span back such as -2h, or a position such as pos:1234")
}

// asOf says what follows it is based on.
func (c *console) asOf(then apiclient.AsOf) error {
	_, err := fmt.Fprintf(c.out, "As of %s, after %s\n\n", c.zonedMoment(then.Time), counted(then.Position, "record", "records"))
	return err
}
