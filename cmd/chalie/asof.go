package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
)

// asOfFlag makes a command show what was known then.
func (c *console) asOfFlag(cmd *cobra.Command, at *moment) {
	c.timeFlag(cmd, at, "at", "as it was: "+sayTime+", or at a position such as pos:1234", false)
}

// asOf says what follows it is based on.
func (c *console) asOf(then apiclient.AsOf) error {
	_, err := fmt.Fprintf(c.out, "As of %s, after %s\n\n", c.zonedMoment(then.Time), counted(then.Position, "record", "records"))
	return err
}
