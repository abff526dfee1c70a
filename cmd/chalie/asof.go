package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
)

// asOfFlag makes a command show what was known then.
func (c *cli) asOfFlag(cmd *cobra.Command, at *moment) {
	c.timeFlag(cmd, at, "at", "as it was: "+sayTime+", or at a position such as pos:1234", false)
}

// asOf says what follows it is based on.
func (c *cli) asOf(then apiclient.AsOf) error {
	_, err := fmt.Fprintf(c.Out, "As of %s, after %s\n\n", c.ZonedMoment(then.Time), counted(then.Position, "record", "records"))
	return err
}
