package main

import (
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
	"chalie/replay/narrate"
)

func streamListCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the streams, and how listening goes", Example: "  chalie stream list", Args: exactly(),
		Long: `List shows each stream: its state, how many signals a second came over the last
five seconds, how many were taken in since Chalie started, how many messages were
malformed and skipped, and the age of the oldest signal that isn't in the log yet.

` + streamHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			api, err := connectToRunning(cmd.Context(), c, "listing streams")
			if err != nil {
				return err
			}
			defer api.Close()
			streams, err := api.Streams(cmd.Context())
			if err != nil {
				return err
			}
			if c.json {
				return lines(c, streams)
			}
			return c.streams(streams)
		},
	}
}

func (c *cli) streams(streams []apiclient.Object[apiclient.Stream]) error {
	if len(streams) == 0 {
		_, err := fmt.Fprintf(c.Out, "Chalie listens to no stream. To listen to one: %s\n", c.again("stream add URL"))
		return err
	}
	columns := []term.Column{
		{Title: "ID"}, {Title: "SOURCE", Cut: true, Spare: 3}, {Title: "STATE", Cut: true}, {Title: "A SECOND", Right: true, Spare: 2},
		{Title: "TAKEN IN", Right: true}, {Title: "MALFORMED", Right: true, Spare: 4}, {Title: "LAG", Right: true, Spare: 5}, {Title: "URL", Flex: true, Spare: 1},
	}
	rows := make([][]term.Cell, 0, len(streams))
	var notes []string
	for _, object := range streams {
		s, err := object.Value()
		if err != nil {
			return err
		}
		malformed := term.Plain.Of(grouped(s.Malformed))
		if s.Malformed > 0 {
			malformed = malformed.In(term.Yellow)
		}
		lag := time.Duration(s.LagMillis) * time.Millisecond
		rows = append(rows, []term.Cell{
			term.Bold.Of(s.ID.UUID()), term.Plain.Of(s.Source), streamState(s.State), term.Plain.Of(grouped(uint64(math.Round(s.Rate)))),
			term.Plain.Of(grouped(s.Accepted)), malformed, term.Plain.Of(lag.String()), term.Plain.Of(narrate.WithoutQuery(s.URL)),
		})
		notes = append(notes, c.streamNotes(s)...)
	}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	for _, note := range notes {
		if _, err := fmt.Fprintln(c.Out, note); err != nil {
			return err
		}
	}
	return nil
}

func streamState(s commands.StreamState) term.Cell {
	switch s {
	case commands.StreamLive:
		return term.Green.Of("live")
	case commands.StreamWaiting:
		return term.Red.Of("waiting")
	case "":
		return term.Faint.Of("not running")
	}
	return term.Yellow.Of(string(s))
}

// streamNotes says what a table has no room for.
func (c *cli) streamNotes(s apiclient.Stream) []string {
	var out []string
	if s.Reason != "" {
		note := fmt.Sprintf("%s waits: %s", oneLine(s.Source), oneLine(s.Reason))
		if s.Until != nil {
			note += fmt.Sprintf("; tries again at %s", c.Moment(*s.Until))
		}
		out = append(out, note)
	}
	if s.LastFault != "" {
		out = append(out, fmt.Sprintf("%s, last malformed message: %s", oneLine(s.Source), oneLine(s.LastFault)))
	}
	if s.Lost > 0 {
		out = append(out, fmt.Sprintf("%s: the log did not take %s", oneLine(s.Source), counted(s.Lost, "signal", "signals")))
	}
	return out
}
