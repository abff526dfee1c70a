package main

import (
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	contract "chalie/adapters/api"
	"chalie/domain"
	"chalie/domain/when"
)

// moment is a time that a flag names, in the words that a conversation understands or
// as computers write it.
type moment struct {
	given string // as it was written
	asked string // as the API takes it; "" without the flag
}

// sayTime is how a time that has passed is written, for the help of flags.
const sayTime = "yesterday, 2 hours ago or 2h, last Monday at 8, 2026-03-17 or 2026-03-17T18:00"

// timeFlag lets a command take a time that has passed, or one that lies ahead, too.
func (c *cli) timeFlag(cmd *cobra.Command, m *moment, name, usage string, ahead bool) {
	cmd.Flags().Var(&momentFlag{c, m, ahead}, name, usage)
}

// momentFlag reads a moment in the person's zone.
type momentFlag struct {
	console *cli
	moment  *moment
	ahead   bool
}

var _ pflag.Value = (*momentFlag)(nil)

// String is what was written.
func (f *momentFlag) String() string {
	if f.moment == nil { // the zero value, which pflag compares with
		return ""
	}
	return f.moment.given
}

// Type is what the flag takes, for its help and its errors.
func (f *momentFlag) Type() string { return "time" }

// Set reads a time. What looks like a span, a number or a position is left to the API,
// which has the log's clock.
func (f *momentFlag) Set(text string) error {
	asked, err := f.read(text)
	if err == nil {
		*f.moment = moment{text, asked}
	}
	return err
}

func (f *momentFlag) read(text string) (string, error) {
	zone, now := f.console.Zone, domain.MillisOf(time.Now())
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339Nano} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t.Format(time.RFC3339Nano), nil
		}
	}
	at, err := when.ParsePast(text, now, zone)
	if err == nil {
		return at.Time().In(zone).Format(time.RFC3339Nano), nil
	}
	said := domain.CodeOf(err)
	if said == when.CodeNoTime && text != "" && !strings.Contains(text, " ") && strings.ContainsAny(text[:1], "0123456789+-p") {
		return text, nil
	}
	if f.ahead && (said == when.CodeNoTime || said == when.CodeAhead) {
		if t, err := when.Parse(text, now, zone); err == nil && t.Rest(text) == "" && t.Recurrence == nil {
			return t.At.Time().In(zone).Format(time.RFC3339Nano), nil
		}
	}
	return "", err
}

// asOfFlag makes a command show what was known then.
func (c *cli) asOfFlag(cmd *cobra.Command, at *moment) {
	c.timeFlag(cmd, at, "at", "as it was: "+sayTime+", or at a position such as pos:1234", false)
}

// asOf says what follows it is based on.
func (c *cli) asOf(then contract.AsOf) error {
	return c.Printf("As of %s, after %s\n\n", c.ZonedMoment(then.Time), counted(then.Position, "record", "records"))
}
