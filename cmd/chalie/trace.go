package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay"
	"chalie/replay/explain"
	"chalie/replay/narrate"
)

const traceHelp = `A trace is one episode: something that arrived or fell due, and everything it
caused directly.`

func traceCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{Use: "trace", Short: "Show episodes: what caused what", Long: traceHelp},
		traceListCommand(c), traceShowCommand(c))
}

func (c *cli) tracePrinter(from *callers) func(apiclient.Object[contract.Trace]) error {
	if c.json {
		return func(line apiclient.Object[contract.Trace]) error { return c.JSON(line) }
	}
	began := c.Zoned("BEGAN")
	rows := c.Rows([]term.Column{
		{Title: "TRACE", Width: 26}, {Title: began, Width: max(len(began), len(c.TimeLayout()))},
		{Title: "ENVELOPES", Width: 9, Right: true, Spare: 2}, {Title: "OUTCOME", Width: 7, Spare: 1}, {Title: "BEGAN WITH", Flex: true},
	})
	return func(line apiclient.Object[contract.Trace]) error {
		l, err := line.Value()
		if err != nil {
			return err
		}
		began := oneLine(string(l.Root.Type)) + " by " + from.who(domain.Envelope{Source: l.Root.Source, Principal: l.Root.Principal})
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

// traceLimit is the default bound of a trace's shown envelopes: a busy daemon's trace can
// have a hundred thousand.
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
			return c.folds().ask(cmd.Context(), func(api *session) error {
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
				if err := c.trace(callersOf(cmd.Context(), api.Client), trace); err != nil {
					return err
				}
				return c.ground(cmd.Context(), api.Client, trace)
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", traceLimit, "at most so many envelopes, the first ones; 0 is all")
	return cmd
}

// traceNamed is the trace of an id, of a position, or of the last answer.
func traceNamed(cmd *cobra.Command, c *cli, api *apiclient.Client, arg string) (domain.TraceID, error) {
	if arg == "last" {
		return traceOfLast(cmd, c, api)
	}
	// Positions are shown with thousands separators, and so pasted with them.
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

func (c *cli) trace(from *callers, t apiclient.Trace) error {
	line, err := t.Trace.Value()
	if err != nil {
		return err
	}
	err = c.Printf("Trace %s: %s, %s in %s\nBegan at %s with %s by %s\n",
		line.TraceID, c.Paint(outcomeStyle(line.Outcome), oneLine(line.Outcome)), counted(line.Envelopes, "envelope", "envelopes"),
		span(line.UpdatedAt.Sub(line.StartedAt)), c.ZonedMoment(line.StartedAt), oneLine(string(line.Root.Type)),
		from.who(domain.Envelope{Source: line.Root.Source, Principal: line.Root.Principal}))
	if err == nil && line.Root.ParentID != nil {
		err = c.Printf("Caused by envelope %s, in an earlier trace\n", line.Root.ParentID)
	}
	if err == nil {
		err = c.Println()
	}
	if err != nil {
		return err
	}
	records, err := apiclient.Values(t.Records)
	if err != nil {
		return err
	}
	rows := make([][]term.Cell, 0, len(records))
	parts, lastPart := partsOf(records)
	err = replay.NewTree(records).Walk(func(rec domain.Record, last []bool) error {
		after := rec.RecordedAt.Sub(line.StartedAt)
		what := narrate.Line(rec.Envelope)
		if n := parts[rec.Envelope.Parent]; isPart(rec) && n > 1 {
			if lastPart[rec.Envelope.Parent] != rec.Position {
				return nil
			}
			what = fmt.Sprintf("answers as it goes, in %d parts", n)
		}
		rows = append(rows, []term.Cell{
			term.Faint.Of(grouped(uint64(rec.Position))), term.Faint.Of(spanAfter(after)),
			term.Plain.Of(string(rec.Envelope.Type)).Behind(term.Branch(last)), term.Plain.Of(from.who(rec.Envelope)), term.Bold.Of(what),
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
		if err := c.Printf("\n%s not shown; --limit 0 shows all.\n", counted(more, "envelope more is", "envelopes more are")); err != nil {
			return err
		}
	}
	return c.faults(records)
}

// isPart reports whether a record is a part of a reply that was told as it was made.
func isPart(rec domain.Record) bool {
	return rec.Envelope.Type == domain.ModelStreamedType && !slices.Contains(rec.Envelope.Keys, domain.RetractsKey)
}

// partsOf counts the parts of each reply, by the call to the model, and finds the last: they
// share a line.
func partsOf(records []domain.Record) (count map[domain.ID]int, last map[domain.ID]domain.Position) {
	count, last = map[domain.ID]int{}, map[domain.ID]domain.Position{}
	for _, rec := range records {
		if isPart(rec) {
			count[rec.Envelope.Parent]++
			last[rec.Envelope.Parent] = rec.Position
		}
	}
	return count, last
}

func spanAfter(d time.Duration) string {
	if d <= 0 {
		return "0"
	}
	return span(d)
}

const traceListHelp = `List shows one line for each trace, the newest first. The flags narrow it, all of
them at once; they are those of GET /api/traces. With --json each line is the whole
line of the API.

A trace begins with its first envelope: --root, --source, --since and --until are
about that one. There is no index of the rest, so what is rare is looked for through
the whole log, and shows as it is found.`

const traceListExample = `  chalie trace list --limit 10
  chalie trace list --outcome failed --since 7d
  chalie trace list --words "luigi closed"
  chalie trace list --root message --tool remind --json`

// traceOutcomes are the states of a trace, and the outcomes of reasoning.
var traceOutcomes = []string{"open", "done", "failed", "responded", "surfaced", "held", "yielded", "cancelled"}

// traceFlags narrow the list.
type traceFlags struct {
	query        apiclient.TraceQuery
	since, until moment
	limit        int
}

func traceListCommand(c *cli) *cobra.Command {
	var f traceFlags
	cmd := &cobra.Command{
		Use: "list", Short: "List the traces, newest first", Long: traceListHelp, Example: traceListExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.limit < 0 {
				return &usageError{fmt.Sprintf("--limit is %d: give 0 for all, or more", f.limit), cmd.CommandPath()}
			}
			return c.folds().ask(cmd.Context(), func(api *session) error {
				asked := f.narrowing()
				f.query.Since, f.query.Until = f.since.asked, f.until.asked
				found, err := f.print(cmd.Context(), api.Client, c.tracePrinter(callersOf(cmd.Context(), api.Client)))
				if err == nil && !found && asked != "" {
					c.Complain("no trace matches" + asked)
				}
				return err
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.query.Words, "words", "", "only those in whose texts each of these words stands, in any case")
	flags.StringVar(&f.query.Outcome, "outcome", "", "only those that stand so, or came to that: "+strings.Join(traceOutcomes, ", "))
	flags.StringVar(&f.query.Root, "root", "", "only those that began with this type, or a kind of it such as message")
	flags.StringVar(&f.query.Source, "source", "", "only those that this sender began, by name or id")
	flags.StringVar(&f.query.Tool, "tool", "", "only those that used this tool")
	flags.BoolVar(&f.query.Errors, "errors", false, "only those in which something went wrong")
	flags.BoolVar(&f.query.Mattered, "mattered", false, "leave out signals and thoughts that led to nothing")
	c.timeFlag(cmd, &f.since, "since", "only those that began since: "+sayTime, false)
	c.timeFlag(cmd, &f.until, "until", "only those that began before, in the same words", false)
	flags.IntVar(&f.limit, "limit", 50, "at most so many traces; 0 is all")
	complete(cmd, "outcome", cobra.FixedCompletions(traceOutcomes, cobra.ShellCompDirectiveNoFileComp))
	complete(cmd, "root", catalogueNames(typeName))
	return cmd
}

// print pages through the traces, and reports whether there was any.
func (f traceFlags) print(ctx context.Context, api *apiclient.Client, emit func(apiclient.Object[contract.Trace]) error) (found bool, err error) {
	for left := f.limit; ; {
		f.query.Limit = contract.MaxTracePage
		if f.limit > 0 {
			f.query.Limit = min(left, f.query.Limit)
		}
		page, err := api.Traces(ctx, f.query)
		if err != nil {
			return found, err
		}
		for _, line := range page.Traces {
			if err := emit(line); err != nil {
				return found, err
			}
		}
		found = found || len(page.Traces) > 0
		left -= len(page.Traces)
		f.query.Before = page.Next
		if page.Next == 0 || f.limit > 0 && left <= 0 {
			return found, nil
		}
	}
}

// narrowing is the flags that were given, as they are written.
func (f traceFlags) narrowing() string {
	var out strings.Builder
	for _, flag := range [][2]string{{"words", f.query.Words}, {"outcome", f.query.Outcome}, {"root", f.query.Root}, {"source", f.query.Source},
		{"tool", f.query.Tool}, {"since", f.since.given}, {"until", f.until.given}} {
		if flag[1] != "" {
			fmt.Fprintf(&out, " --%s %s", flag[0], flag[1])
		}
	}
	if f.query.Errors {
		out.WriteString(" --errors")
	}
	if f.query.Mattered {
		out.WriteString(" --mattered")
	}
	return out.String()
}

// faults writes a trace's errors in full, which the tree cuts to a line.
func (c *cli) faults(records []domain.Record) error {
	title := "\nWhat went wrong:\n\n"
	for _, rec := range records {
		for _, f := range rec.Envelope.Errors {
			where := fmt.Sprintf("%s %s", grouped(uint64(rec.Position)), oneLine(string(rec.Envelope.Type)))
			text := fmt.Sprintf("%s (%s)", strings.TrimSuffix(oneLine(f.Message), "."), oneLine(string(f.Code)))
			lines := strings.Join(term.Wrap(text, c.Width-4), "\n    ")
			if err := c.Printf("%s  %s\n    %s\n", title, c.Paint(term.Faint, where), lines); err != nil {
				return err
			}
			title = ""
		}
	}
	return nil
}

// ground shows the world state of a trace's reasoning: the items with their scores, and
// which of them the answer rests on. Without reasoning it shows nothing.
func (c *cli) ground(ctx context.Context, api *apiclient.Client, t apiclient.Trace) error {
	if t.Considered != nil {
		return c.considered(*t.Considered)
	}
	records, err := apiclient.Values(t.Records)
	if err != nil {
		return err
	}
	var started *domain.ReasoningStarted
	named := map[domain.ID]string{}
	for _, rec := range records {
		switch rec.Envelope.Type {
		case domain.ReasoningStartedType:
			if p, err := domain.Decode[domain.ReasoningStarted](rec.Envelope); err == nil {
				started = &p
			}
		case domain.ReasoningConcludedType:
			if p, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope); err == nil {
				for _, e := range p.Evidence {
					named[e.EnvelopeID] = e.Role
				}
			}
		}
	}
	if started == nil || len(started.World.Items) == 0 {
		return nil
	}
	err = c.Printf("\nWhat it had in mind at %s, and %s left out (`%s` says why):\n\n",
		c.ZonedMoment(started.AsOf), counted(len(started.World.LeftOut), "item", "items"), "--json")
	if err != nil {
		return err
	}
	return c.seenItems(ctx, api, *started, named)
}

// considered shows what a cycle that told nothing had looked at.
func (c *cli) considered(of explain.Considered) error {
	switch {
	case of.Lost != "":
		return c.Printf("\n%s.\n", narrate.Capital(of.Lost))
	case len(of.Items) == 0:
		return c.Printf("\nThere was nothing to consider.\n")
	}
	if err := c.Printf("\nWhat it had considered at %s:\n\n", c.ZonedMoment(of.AsOf)); err != nil {
		return err
	}
	shown := of.Items[:min(len(of.Items), mostConsidered)]
	rows := make([][]term.Cell, len(shown))
	for i, one := range shown {
		rows[i] = []term.Cell{
			term.Faint.Of(grouped(uint64(one.Position))), term.Plain.Of(domain.PPMOf(one.Salience).String()), term.Bold.Of(oneLine(one.Says)),
			term.Plain.Of(string(one.Gate)), term.Plain.Of(oneLine(one.Words)),
		}
	}
	err := c.Table([]term.Column{
		{Title: c.Fitting("POSITION", "POS"), Right: true}, {Title: "SALIENCE"}, {Title: "WHAT", Cut: true}, {Title: "GATE", Spare: 1}, {Title: "WHY NOT", Flex: true},
	}, rows)
	if err != nil || len(shown) == len(of.Items) {
		return err
	}
	return c.Printf("\nand %s more (see them with --json)\n", grouped(uint64(len(of.Items)-len(shown))))
}

// mostConsidered bounds what is shown of it.
const mostConsidered = 20

func (c *cli) seenItems(ctx context.Context, api *apiclient.Client, started domain.ReasoningStarted, named map[domain.ID]string) error {
	rows := make([][]term.Cell, 0, len(started.World.Items))
	for _, item := range started.World.Items {
		what, from, position, age := item.EnvelopeID.String(), "", "", ""
		if rec, ok := itemRecord(ctx, api, item); ok {
			what, from, position = narrate.Line(rec.Envelope), callersOf(ctx, api).who(rec.Envelope), grouped(uint64(rec.Position))
			age = span(max(0, time.Duration(started.AsOf-rec.Clock())*time.Millisecond))
		}
		role := named[item.EnvelopeID]
		if role == "" {
			role = "–"
		}
		rows = append(rows, []term.Cell{
			term.Faint.Of(position), term.Plain.Of(item.Salience.String()), term.Bold.Of(what), term.Plain.Of(from), term.Plain.Of(age), term.Plain.Of(role),
		})
	}
	return c.Table([]term.Column{
		{Title: c.Fitting("POSITION", "POS"), Right: true}, {Title: "SALIENCE"}, {Title: "WHAT", Flex: true},
		{Title: "WHO", Cut: true, Spare: 2}, {Title: "AGE", Spare: 1}, {Title: "IN THE ANSWER"},
	}, rows)
}

// itemRecord is the record with an item's text: a signal or a message opens its trace; a plan is made
// or changed within one.
func itemRecord(ctx context.Context, api *apiclient.Client, item domain.SeenItem) (domain.Record, bool) {
	if item.Kind.IsHeard() {
		return api.Opening(ctx, item.EnvelopeID)
	}
	return api.Record(ctx, item.Text())
}
