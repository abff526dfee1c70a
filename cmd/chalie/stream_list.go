package main

import (
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/commands"
	"chalie/replay/narrate"
)

func streamListCommand(c *console, o *options) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the streams, and how listening goes", Example: "  chalie stream list", Args: exactly(),
		Long: `List shows each stream: its state, how many signals a second came over the last
five seconds, how many were taken in since Chalie started, how many messages were
malformed and skipped, and the age of the oldest signal that isn't in the log yet.

` + streamHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			api, err := connectToRunning(cmd.Context(), c, o, "listing streams")
			if err != nil {
				return err
			}
			defer api.Close()
			streams, err := api.Streams(cmd.Context())
			if err != nil {
				return err
			}
			if o.json {
				return lines(c, streams)
			}
			return c.streams(o, streams)
		},
	}
}

func (c *console) streams(o *options, streams []apiclient.Object[apiclient.Stream]) error {
	if len(streams) == 0 {
		_, err := fmt.Fprintf(c.out, "Chalie listens to no stream. To listen to one: %s\n", again(c, o, "stream add URL"))
		return err
	}
	t := table{c, []column{
		{title: "ID"}, {title: "SOURCE", cut: true, spare: 3}, {title: "STATE", cut: true}, {title: "A SECOND", right: true, spare: 2},
		{title: "TAKEN IN", right: true}, {title: "MALFORMED", right: true, spare: 4}, {title: "LAG", right: true, spare: 5}, {title: "URL", flex: true, spare: 1},
	}}
	rows := make([][]cell, 0, len(streams))
	var notes []string
	for _, object := range streams {
		s, err := object.Value()
		if err != nil {
			return err
		}
		malformed := cell{grouped(s.Malformed), plain}
		if s.Malformed > 0 {
			malformed.style = yellow
		}
		lag := time.Duration(s.LagMillis) * time.Millisecond
		rows = append(rows, []cell{
			{s.ID.UUID(), bold}, {oneLine(s.Source), plain}, streamState(s.State), {grouped(uint64(math.Round(s.Rate))), plain},
			{grouped(s.Accepted), plain}, malformed, {lag.String(), plain}, {oneLine(narrate.WithoutQuery(s.URL)), plain},
		})
		notes = append(notes, c.streamNotes(s)...)
	}
	if err := t.write(c.out, rows); err != nil {
		return err
	}
	for _, note := range notes {
		if _, err := fmt.Fprintln(c.out, note); err != nil {
			return err
		}
	}
	return nil
}

func streamState(s commands.StreamState) cell {
	switch s {
	case commands.StreamLive:
		return cell{"live", green}
	case commands.StreamWaiting:
		return cell{"waiting", red}
	case "":
		return cell{"not running", faint}
	}
	return cell{oneLine(string(s)), yellow}
}

// streamNotes says what a table has no room for.
func (c *console) streamNotes(s apiclient.Stream) []string {
	var out []string
	if s.Reason != "" {
		note := fmt.Sprintf("%s waits: %s", oneLine(s.Source), oneLine(s.Reason))
		if s.Until != nil {
			note += fmt.Sprintf("; tries again at %s", c.moment(*s.Until))
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
