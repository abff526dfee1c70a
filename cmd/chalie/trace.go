package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay"
	"chalie/replay/narrate"
)

const traceHelp = `A trace is one episode: something that arrived or fell due, and everything it
caused directly.`

func traceCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{Use: "trace", Short: "Show episodes: what caused what", Long: traceHelp},
		traceListCommand(c), traceShowCommand(c))
}

func (c *cli) tracePrinter() func(apiclient.Object[apiclient.TraceLine]) error {
	if c.json {
		return func(line apiclient.Object[apiclient.TraceLine]) error { return c.JSON(line) }
	}
	began := c.Zoned("BEGAN")
	rows := c.Rows([]term.Column{
		{Title: "TRACE", Width: 26}, {Title: began, Width: max(len(began), len(c.TimeLayout()))},
		{Title: "ENVELOPES", Width: 9, Right: true, Spare: 2}, {Title: "OUTCOME", Width: 7, Spare: 1}, {Title: "BEGAN WITH", Flex: true},
	})
	return func(line apiclient.Object[apiclient.TraceLine]) error {
		l, err := line.Value()
		if err != nil {
			return err
		}
		began := oneLine(string(l.Root.Type)) + " by " + who(domain.Envelope{Source: l.Root.Source, Principal: l.Root.Principal})
		return rows.Row(term.Plain.Of(l.TraceID.String()), term.Faint.Of(c.Moment(l.StartedAt)),
			term.Plain.Of(grouped(l.Envelopes)), outcomeStyle(l.Outcome).Of(l.Outcome), term.Bold.Of(began))
	}
}

func outcomeStyle(outcome string) term.Style {
	switch outcome {
	case "failed":
		return term.Red
	case "open":
		return term.Yellow
	}
	return term.Green
}

// traceLimit is how many envelopes of a trace are shown unless more are asked for: the
// trace of a daemon that never rests can have a hundred thousand.
const traceLimit = 1000

const traceShowHelp = `Show prints one trace as a tree: under each envelope stands what it caused. What
went wrong in it stands below the tree, in full. Of a trace with more than 1,000
envelopes it shows the first 1,000, unless --limit says otherwise; with --json it
is whole.

ID is the trace's id as ULID, UUID or 32 hex digits, or the position in the log
of any of its envelopes. "last" is the trace of what Chalie said last.`

const traceShowExample = `  chalie trace show 01KB2V7WYQC3V8P0J6R4T5N9XE
  chalie trace show 42                 the trace that the record at position 42 belongs to`

func traceShowCommand(c *cli) *cobra.Command {
	limit := traceLimit
	cmd := &cobra.Command{
		Use: "show ID", Short: "Show one trace as a tree", Long: traceShowHelp, Example: traceShowExample,
		Args: exactly("ID"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return &usageError{fmt.Sprintf("--limit is %d: give 0 for all, or more", limit), cmd.CommandPath()}
			}
			if c.json && !cmd.Flags().Changed("limit") {
				limit = 0
			}
			api, err := connect(cmd.Context(), c, foldsToo)
			if err != nil {
				return err
			}
			defer api.Close()
			id, err := traceNamed(cmd, c, api.Client, args[0])
			if err != nil {
				return err
			}
			trace, err := api.TraceStart(cmd.Context(), id, limit)
			if domain.CodeOf(err) == "no_trace" {
				return fmt.Errorf("there is no trace %s; see `%s`", id, c.again("trace list"))
			}
			if err != nil {
				return err
			}
			if c.json {
				return c.JSON(trace)
			}
			if err := c.trace(trace); err != nil {
				return err
			}
			return c.ground(cmd.Context(), api.Client, trace)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", traceLimit, "at most so many envelopes, the first ones; 0 is all")
	return cmd
}

// traceNamed reads an id, or looks up the trace of a position, or of what was said
// last.
func traceNamed(cmd *cobra.Command, c *cli, api *apiclient.Client, arg string) (domain.TraceID, error) {
	if arg == "last" {
		return traceOfLast(cmd, c, api)
	}
	// Positions are shown with their thousands apart, and copied so.
	pos, err := strconv.ParseUint(strings.ReplaceAll(arg, ",", ""), 10, 63)
	if err != nil || len(arg) > 19 {
		id, err := domain.ParseID(arg)
		if e, ok := errors.AsType[*domain.Error](err); ok {
			return domain.TraceID{}, &usageError{e.Message, cmd.CommandPath()}
		}
		return domain.TraceID{ID: id}, err
	}
	page, err := api.Log(cmd.Context(), apiclient.LogQuery{From: domain.Position(pos), Limit: 1})
	if err != nil {
		return domain.TraceID{}, err
	}
	var rec domain.Record
	if pos > 0 && len(page.Records) > 0 {
		if rec, err = page.Records[0].Value(); err != nil {
			return domain.TraceID{}, err
		}
	}
	if pos == 0 || rec.Position != domain.Position(pos) {
		return domain.TraceID{}, fmt.Errorf("there is no record at position %d; see `%s`", pos, c.again("log"))
	}
	return rec.Envelope.Trace, nil
}

// traceOfLast is the trace of what "why last" explains.
func traceOfLast(cmd *cobra.Command, c *cli, api *apiclient.Client) (domain.TraceID, error) {
	object, err := api.Why(cmd.Context(), "last", c.Zone)
	if err != nil {
		return domain.TraceID{}, whyRefused(cmd, c, err)
	}
	why, err := object.Value()
	if err != nil {
		return domain.TraceID{}, err
	}
	return why.Target.Trace, nil
}

func (c *cli) trace(t apiclient.Trace) error {
	line, err := t.Trace.Value()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Out, "Trace %s: %s, %s in %s\nBegan at %s with %s by %s\n",
		line.TraceID, c.Paint(outcomeStyle(line.Outcome), oneLine(line.Outcome)), counted(line.Envelopes, "envelope", "envelopes"),
		span(line.UpdatedAt.Sub(line.StartedAt)), c.ZonedMoment(line.StartedAt), oneLine(string(line.Root.Type)),
		who(domain.Envelope{Source: line.Root.Source, Principal: line.Root.Principal}))
	if err == nil && !line.Root.ParentID.IsZero() {
		_, err = fmt.Fprintf(c.Out, "Caused by envelope %s, in an earlier trace\n", line.Root.ParentID)
	}
	if err == nil {
		_, err = fmt.Fprintln(c.Out)
	}
	if err != nil {
		return err
	}
	records, err := values(t.Records)
	if err != nil {
		return err
	}
	rows := make([][]term.Cell, 0, len(records))
	err = replay.NewTree(records).Walk(func(rec domain.Record, last []bool) error {
		after := rec.RecordedAt.Sub(line.StartedAt)
		rows = append(rows, []term.Cell{
			term.Faint.Of(grouped(uint64(rec.Position))), term.Faint.Of(spanAfter(after)),
			term.Plain.Of(string(rec.Envelope.Type)).Behind(term.Branch(last)), term.Plain.Of(who(rec.Envelope)), term.Bold.Of(narrate.Line(rec.Envelope)),
		})
		return nil
	})
	if err != nil {
		return err
	}
	err = c.Table([]term.Column{
		{Title: c.Fitting("POSITION", "POS"), Right: true}, {Title: "AFTER", Right: true},
		{Title: "ENVELOPE", Cut: true}, {Title: "WHO", Cut: true, Spare: 1}, {Title: "WHAT", Flex: true},
	}, rows)
	if err != nil {
		return err
	}
	if more := line.Envelopes - min(line.Envelopes, uint64(len(records))); more > 0 {
		if _, err := fmt.Fprintf(c.Out, "\n%s not shown; --limit 0 shows all.\n", counted(more, "envelope more is", "envelopes more are")); err != nil {
			return err
		}
	}
	return c.faults(records)
}

func values[T any](objects []apiclient.Object[T]) ([]T, error) {
	out := make([]T, len(objects))
	for i, object := range objects {
		var err error
		if out[i], err = object.Value(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func spanAfter(d time.Duration) string {
	if d <= 0 {
		return "0"
	}
	return span(d)
}
