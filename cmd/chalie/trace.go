package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/domain"
	"chalie/replay"
	"chalie/replay/narrate"
)

const traceHelp = `A trace is one episode: something that arrived or fell due, and everything it
caused directly.`

func traceCommand(c *console, o *options) *cobra.Command {
	return noun(&cobra.Command{Use: "trace", Short: "Show episodes: what caused what", Long: traceHelp},
		traceListCommand(c, o), traceShowCommand(c, o))
}

func (c *console) tracePrinter(o *options) func(apiclient.Object[apiclient.TraceLine]) error {
	if o.json {
		return func(line apiclient.Object[apiclient.TraceLine]) error { return c.json(line) }
	}
	began := c.zoned("BEGAN")
	t := table{c, []column{
		{title: "TRACE", width: 26}, {title: began, width: max(len(began), len(c.timeLayout()))},
		{title: "ENVELOPES", width: 9, right: true, spare: 2}, {title: "OUTCOME", width: 7, spare: 1}, {title: "BEGAN WITH", flex: true},
	}}.sized(nil)
	started := false
	return func(line apiclient.Object[apiclient.TraceLine]) error {
		if !started {
			started = true
			if err := t.header(c.out); err != nil {
				return err
			}
		}
		l, err := line.Value()
		if err != nil {
			return err
		}
		began := oneLine(string(l.Root.Type)) + " by " + who(domain.Envelope{Source: l.Root.Source, Principal: l.Root.Principal})
		return t.row(c.out, cell{l.TraceID.String(), plain}, cell{c.moment(l.StartedAt), faint},
			cell{grouped(l.Envelopes), plain}, cell{oneLine(l.Outcome), outcomeStyle(l.Outcome)}, cell{began, bold})
	}
}

func outcomeStyle(outcome string) style {
	switch outcome {
	case "failed":
		return red
	case "open":
		return yellow
	}
	return green
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

func traceShowCommand(c *console, o *options) *cobra.Command {
	limit := traceLimit
	cmd := &cobra.Command{
		Use: "show ID", Short: "Show one trace as a tree", Long: traceShowHelp, Example: traceShowExample,
		Args: exactly("ID"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return &usageError{fmt.Sprintf("--limit is %d: give 0 for all, or more", limit), cmd.CommandPath()}
			}
			if o.json && !cmd.Flags().Changed("limit") {
				limit = 0
			}
			api, err := connect(cmd.Context(), c, o, foldsToo)
			if err != nil {
				return err
			}
			defer api.Close()
			id, err := traceNamed(cmd, c, o, api.Client, args[0])
			if err != nil {
				return err
			}
			trace, err := api.TraceStart(cmd.Context(), id, limit)
			if domain.CodeOf(err) == "no_trace" {
				return fmt.Errorf("there is no trace %s; see `%s`", id, again(c, o, "trace list"))
			}
			if err != nil {
				return err
			}
			if o.json {
				return c.json(trace)
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
func traceNamed(cmd *cobra.Command, c *console, o *options, api *apiclient.Client, arg string) (domain.TraceID, error) {
	if arg == "last" {
		return traceOfLast(cmd, c, o, api)
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
		return domain.TraceID{}, fmt.Errorf("there is no record at position %d; see `%s`", pos, again(c, o, "log"))
	}
	return rec.Envelope.Trace, nil
}

// traceOfLast is the trace of what "why last" explains.
func traceOfLast(cmd *cobra.Command, c *console, o *options, api *apiclient.Client) (domain.TraceID, error) {
	object, err := api.Why(cmd.Context(), "last", c.zone)
	if err != nil {
		return domain.TraceID{}, whyRefused(cmd, c, o, err)
	}
	why, err := object.Value()
	if err != nil {
		return domain.TraceID{}, err
	}
	return why.Target.Trace, nil
}

func (c *console) trace(t apiclient.Trace) error {
	line, err := t.Trace.Value()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "Trace %s: %s, %s in %s\nBegan at %s with %s by %s\n",
		line.TraceID, c.paint(outcomeStyle(line.Outcome), oneLine(line.Outcome)), counted(line.Envelopes, "envelope", "envelopes"),
		span(line.UpdatedAt.Sub(line.StartedAt)), c.zonedMoment(line.StartedAt), oneLine(string(line.Root.Type)),
		who(domain.Envelope{Source: line.Root.Source, Principal: line.Root.Principal}))
	if err == nil && !line.Root.ParentID.IsZero() {
		_, err = fmt.Fprintf(c.out, "Caused by envelope %s, in an earlier trace\n", line.Root.ParentID)
	}
	if err == nil {
		_, err = fmt.Fprintln(c.out)
	}
	if err != nil {
		return err
	}
	records, err := values(t.Records)
	if err != nil {
		return err
	}
	rows := make([][]cell, 0, len(records))
	err = replay.NewTree(records).Walk(func(rec domain.Record, last []bool) error {
		after := rec.RecordedAt.Sub(line.StartedAt)
		rows = append(rows, []cell{
			{grouped(uint64(rec.Position)), faint}, {spanAfter(after), faint},
			{branch(last) + oneLine(string(rec.Envelope.Type)), plain}, {who(rec.Envelope), plain}, {narrate.Line(rec.Envelope), bold},
		})
		return nil
	})
	if err != nil {
		return err
	}
	err = table{c, []column{
		{title: c.fitting("POSITION", "POS"), right: true}, {title: "AFTER", right: true},
		{title: "ENVELOPE", cut: true}, {title: "WHO", cut: true, spare: 1}, {title: "WHAT", flex: true},
	}}.write(c.out, rows)
	if err != nil {
		return err
	}
	if more := line.Envelopes - min(line.Envelopes, uint64(len(records))); more > 0 {
		if _, err := fmt.Fprintf(c.out, "\n%s not shown; --limit 0 shows all.\n", counted(more, "envelope more is", "envelopes more are")); err != nil {
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
