package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/replay/narrate"

	"github.com/spf13/cobra"
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
			api, err := connectToRunning(cmd.Context(), c, "adding a stream")
			if err != nil {
				return err
			}
			defer api.Close()
			object, err := api.AddStream(cmd.Context(), args[0], source)
			if err != nil {
				return err
			}
			if c.json {
				return c.JSON(object)
			}
			added, err := object.Value()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Out, "Chalie listens to %s, as stream %s. How that goes: %s\n",
				oneLine(narrate.WithoutQuery(args[0])), added.StreamID.UUID(), c.again("stream list"))
			return err
		},
	}
	cmd.Flags().StringVar(&source, "source", "", "what its signals are said to come from when they name nothing; default: its host")
	return cmd
}

func streamRemoveCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "remove ID|URL", Short: "Stop listening to a broadcast", Example: streamRemoveExample,
		Args: exactly("ID|URL"), ValidArgsFunction: completeStreams(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := domain.ParseID(args[0])
			isURL := strings.Contains(args[0], "://")
			if err != nil && !isURL {
				return &usageError{words(err), cmd.CommandPath()}
			}
			api, err := connectToRunning(cmd.Context(), c, "removing a stream")
			if err != nil {
				return err
			}
			defer api.Close()
			if isURL {
				if id, err = streamAt(cmd.Context(), c, api.Client, args[0]); err != nil {
					return err
				}
			}
			if err := api.RemoveStream(cmd.Context(), id); err != nil {
				if domain.CodeOf(err) == "no_stream" {
					return fmt.Errorf("there is no stream %s; see `%s`", id.UUID(), c.again("stream list"))
				}
				return err
			}
			if c.json {
				return c.JSON(map[string]string{"removed": id.UUID()})
			}
			_, err = fmt.Fprintf(c.Out, "Chalie listens to stream %s no more.\n", id.UUID())
			return err
		},
	}
}

const streamRemoveExample = `  chalie stream remove 019aa7e1-7f17-7f57-a8f3-b10af86f5db1
  chalie stream remove wss://quotes.example/stream`

// streamAt is the stream with this URL; no two have the same. The list shows a
// URL without its query: that will do where it means one stream.
func streamAt(ctx context.Context, c *cli, api *apiclient.Client, url string) (domain.ID, error) {
	objects, err := api.Streams(ctx)
	if err != nil {
		return domain.ID{}, err
	}
	list, err := values(objects)
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

// completeStreams offers the ids of the streams, with what they are.
func completeStreams(c *cli) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ids, err := streamIDs(cmd.Context(), c, strings.ToLower(begun))
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}

func streamIDs(ctx context.Context, c *cli, begun string) ([]cobra.Completion, error) {
	api, err := connectToRunning(ctx, c, "listing streams")
	if err != nil {
		return nil, err
	}
	defer api.Close()
	streams, err := api.Streams(ctx)
	if err != nil {
		return nil, err
	}
	var out []cobra.Completion
	for _, object := range streams {
		s, err := object.Value()
		if err != nil {
			return nil, err
		}
		if id := s.ID.UUID(); strings.HasPrefix(id, begun) {
			out = append(out, cobra.CompletionWithDesc(id, oneLine(s.Source)+" "+oneLine(s.URL)))
		}
	}
	return out, nil
}

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

func (c *cli) streams(streams []apiclient.Object[contract.Stream]) error {
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
			term.Bold.Of(s.ID.UUID()), term.Plain.Of(s.Source), streamState(signal.StreamState(s.State)), term.Plain.Of(grouped(uint64(math.Round(s.Rate)))),
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

// streamNotes says what a table has no room for.
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
