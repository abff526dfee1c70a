package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/replay/narrate"
)

const streamHelp = `A stream is a broadcast: an interface sends signals over a WebSocket to whoever
listens, and doesn't know who does. Chalie connects to it, and again when the
connection breaks.`

func streamCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{Use: "stream", Short: "Listen to broadcasts", Long: streamHelp},
		streamListCommand(c), streamAddCommand(c), streamRemoveCommand(c))
}

const streamAddExample = `  chalie stream add ws://127.0.0.1:9000/stream
  chalie stream add wss://quotes.example/stream --source nasdaq`

func streamAddCommand(c *cli) *cobra.Command {
	var source string
	cmd := &cobra.Command{
		Use: "add URL", Short: "Begin to listen to a broadcast", Long: "Add makes Chalie listen to the broadcast at a URL, ws or wss.\n\n" + streamHelp,
		Example: streamAddExample, Args: exactly("URL"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd.Context(), c.running("adding a stream"), with2((*apiclient.Client).AddStream, args[0], source), func(added contract.StreamAdded) error {
				return c.Printf("Chalie listens to %s, as stream %s. How that goes: %s\n",
					oneLine(narrate.WithoutQuery(args[0])), added.StreamID.UUID(), c.again("stream list"))
			})
		},
	}
	cmd.Flags().StringVar(&source, "source", "", "what its signals are said to come from when they name nothing; default: its host")
	return cmd
}

func streamRemoveCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "remove ID|URL", Short: "Stop listening to a broadcast", Example: streamRemoveExample,
		Args: exactly("ID|URL"), ValidArgsFunction: offered(c.running("listing streams"), (*apiclient.Client).Streams, func(s contract.Stream) cobra.Completion {
			return cobra.CompletionWithDesc(s.ID.UUID(), oneLine(s.Source)+" "+oneLine(s.URL))
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := domain.ParseID(args[0])
			isURL := strings.Contains(args[0], "://")
			if err != nil && !isURL {
				return &usageError{words(err), cmd.CommandPath()}
			}
			return c.running("removing a stream").ask(cmd.Context(), func(api *session) error {
				if isURL {
					if id, err = streamAt(cmd.Context(), c, api.Client, args[0]); err != nil {
						return err
					}
				}
				err := api.RemoveStream(cmd.Context(), id)
				if domain.CodeOf(err) == "no_stream" {
					err = fmt.Errorf("there is no stream %s; see `%s`", id.UUID(), c.again("stream list"))
				}
				return c.done(err, map[string]string{"removed": id.UUID()}, "Chalie listens to stream %s no more.", id.UUID())
			})
		},
	}
}

const streamRemoveExample = `  chalie stream remove 019aa7e1-7f17-7f57-a8f3-b10af86f5db1
  chalie stream remove wss://quotes.example/stream`

// streamAt is the stream with this URL, which is unique. The URL without its query, as
// the list shows it, is enough if only one stream has it.
func streamAt(ctx context.Context, c *cli, api *apiclient.Client, url string) (domain.ID, error) {
	list, err := apiclient.ReadAll(api.Streams(ctx))
	if err != nil {
		return domain.ID{}, err
	}
	var shown []domain.ID
	for _, s := range list {
		if s.URL == url {
			return s.ID.ID, nil
		}
		if narrate.WithoutQuery(s.URL) == narrate.WithoutQuery(url) && strings.HasSuffix(url, "?…") {
			shown = append(shown, s.ID.ID)
		}
	}
	if len(shown) == 1 {
		return shown[0], nil
	}
	return domain.ID{}, fmt.Errorf("Chalie listens to no one stream at %s; see `%s`", narrate.WithoutQuery(url), c.again("stream list")) //nolint:staticcheck // the name is written so
}

func streamListCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the streams, and how listening goes", Example: "  chalie stream list", Args: exactly(),
		Long: `List shows each stream: its state, how many signals a second came over the last
five seconds, how many were taken in since Chalie started, how many messages were
malformed and skipped, and the age of the oldest signal that isn't in the log yet.

` + streamHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return showAll(cmd.Context(), c.running("listing streams"), (*apiclient.Client).Streams, c.streams)
		},
	}
}

func (c *cli) streams(streams []contract.Stream) error {
	if len(streams) == 0 {
		return c.Printf("Chalie listens to no stream. To listen to one: %s\n", c.again("stream add URL"))
	}
	columns := []term.Column{
		{Title: "ID"}, {Title: "SOURCE", Cut: true, Spare: 3}, {Title: "STATE", Cut: true}, {Title: "A SECOND", Right: true, Spare: 2},
		{Title: "TAKEN IN", Right: true}, {Title: "MALFORMED", Right: true, Spare: 4}, {Title: "LAG", Right: true, Spare: 5}, {Title: "URL", Flex: true, Spare: 1},
	}
	rows := make([][]term.Cell, 0, len(streams))
	var notes []string
	for _, s := range streams {
		malformed := term.Plain.Of(grouped(s.Malformed))
		if s.Malformed > 0 {
			malformed = malformed.In(term.Yellow)
		}
		lag := time.Duration(s.LagMillis) * time.Millisecond
		rows = append(rows, []term.Cell{
			term.Bold.Of(s.ID.UUID()), term.Plain.Of(s.Source), streamState(signal.StreamState(s.State)), term.Plain.Of(grouped(uint64(math.Round(s.Rate)))),
			term.Plain.Of(grouped(s.Accepted)), malformed, term.Plain.Of(lag.String()), term.Plain.Of(narrate.WithoutQuery(s.URL)),
		})
		notes = append(notes, c.streamNotes(s)...)
	}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	for _, note := range notes {
		if err := c.Println(note); err != nil {
			return err
		}
	}
	return nil
}

func streamState(s signal.StreamState) term.Cell {
	switch s {
	case signal.StreamLive:
		return term.Green.Of("live")
	case signal.StreamWaiting:
		return term.Red.Of("waiting")
	case "":
		return term.Faint.Of("not running")
	}
	return term.Yellow.Of(string(s))
}

// streamNotes are the remarks below the table.
func (c *cli) streamNotes(s contract.Stream) []string {
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
