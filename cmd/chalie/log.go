package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/unixsocket"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/narrate"
)

const logHelp = `Log shows what was recorded, oldest first: every record unless narrowed.

Each line is one envelope: its position in the log, when it was recorded, what
it is, who is accountable for it, and what it says in short. With --json each
line is the whole record.`

const logExample = `  chalie log --since 1h
  chalie log --type signal.received --follow
  chalie log --limit 20 --json | jq .envelope.payload
  chalie log --trace 01KB2V7WYQC3V8P0J6R4T5N9XE`

// logFlags are the filters of the log, and whether to follow it.
type logFlags struct {
	topic, event, trace string
	since               moment
	limit               int
	follow              bool
}

func logCommand(c *cli) *cobra.Command {
	var f logFlags
	cmd := &cobra.Command{
		Use: "log", Short: "Show what was recorded", Long: logHelp, Example: logExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.limit < 0 {
				return &usageError{fmt.Sprintf("--limit is %d: give 0 for all, or more", f.limit), cmd.CommandPath()}
			}
			from := c.log()
			if f.follow {
				from = c.running("following the log")
			}
			return from.ask(cmd.Context(), func(api *session) error {
				emit, header := c.recordPrinter(callersOf(cmd.Context(), api.Client))
				if f.follow {
					if err := header(); err != nil {
						return err
					}
				}
				last, err := f.print(cmd.Context(), api.Client, emit, func() error {
					return f.nothing(cmd.Context(), c, api.Client, cmd.CommandPath())
				})
				if f.follow && gone(err) {
					return fmt.Errorf("the log ended after position %d because Chalie stopped; start it again with `%s`", last, c.again("serve"))
				}
				return err
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.topic, "topic", "", "only this topic")
	flags.StringVar(&f.event, "type", "", "only this event type")
	flags.StringVar(&f.trace, "trace", "", "only this trace: its id as ULID, UUID or 32 hex digits")
	c.timeFlag(cmd, &f.since, "since", "only what was recorded since: "+sayTime, false)
	flags.IntVar(&f.limit, "limit", 0, "at most so many records; 0 is all")
	flags.BoolVarP(&f.follow, "follow", "f", false, "wait for more until interrupted")
	complete(cmd, "topic", catalogueNames(topicName))
	complete(cmd, "type", catalogueNames(typeName))
	return cmd
}

func complete(cmd *cobra.Command, flag string, fn cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, fn); err != nil {
		panic(err) // the command has no such flag
	}
}

// followWait is how long one request waits for the next record.
const followWait = 20 * time.Second

// gone reports whether the program has ended since the last request.
func gone(err error) bool {
	switch domain.CodeOf(err) {
	case unixsocket.CodeNotRunning, apiclient.CodeUnreachable, domain.CodeClosed:
		return true
	}
	return false
}

// print pages through the log, and returns the last position it read. With --follow it
// continues from there. It calls nothing when no record matches.
func (f logFlags) print(ctx context.Context, api *apiclient.Client, emit func(apiclient.Object[domain.Record]) error, nothing func() error) (last domain.Position, err error) {
	q := apiclient.LogQuery{Topic: f.topic, Type: f.event, Trace: f.trace, Since: f.since.asked}
	for left := f.limit; ; {
		q.Limit = contract.MaxLogPage
		if f.limit > 0 {
			q.Limit = min(left, q.Limit)
		}
		page, err := api.Log(ctx, q)
		if err != nil {
			return last, err
		}
		if q.From == 0 && len(page.Records) == 0 {
			if err := nothing(); err != nil {
				return last, err
			}
		}
		for _, rec := range page.Records {
			if err := emit(rec); err != nil {
				return last, err
			}
			if left--; f.limit > 0 && left == 0 {
				return last, nil
			}
		}
		q.From, last = page.Next, page.Next-1
		switch {
		case page.Cut || len(page.Records) == q.Limit:
		case f.follow:
			q.Wait = followWait
		default:
			return last, nil
		}
	}
}

// nothing says on standard error that no record matches. A topic or type in neither the
// catalogue nor the log is most likely misspelt; with --follow it is waited for all the
// same.
func (f logFlags) nothing(ctx context.Context, c *cli, api *apiclient.Client, command string) error {
	unknown, err := f.unknown(ctx, api)
	switch {
	case err != nil:
		return err
	case unknown == "" && f.follow:
		return nil // it waits for records
	case f.narrowing() == "":
		c.Complain("the log is empty")
	case unknown == "":
		c.Complain("no record matches" + f.narrowing())
	case f.follow:
		c.Complain(unknown + "; waiting for one")
	default:
		return &usageError{unknown, command}
	}
	return nil
}

// unknown names an unknown topic or type; "" for none.
func (f logFlags) unknown(ctx context.Context, api *apiclient.Client) (string, error) {
	for _, n := range []struct {
		noun, name string
		known      []string
		query      apiclient.LogQuery
	}{
		{"topic", f.topic, append(catalogued(topicName), string(domain.TopicAll)), apiclient.LogQuery{Topic: f.topic, Limit: 1}},
		{"type", f.event, catalogued(typeName), apiclient.LogQuery{Type: f.event, Limit: 1}},
	} {
		if n.name == "" || slices.Contains(n.known, n.name) {
			continue
		}
		page, err := api.Log(ctx, n.query)
		if err != nil {
			return "", err
		}
		if len(page.Records) == 0 {
			near := nearest(n.name, n.known, math.MaxInt)
			return fmt.Sprintf("there is no %s %s; the nearest are %s", n.noun, n.name, enumerated(near, "and")), nil
		}
	}
	return "", nil
}

// narrowing is the given flags as they are written.
func (f logFlags) narrowing() string {
	var out strings.Builder
	for _, flag := range [][2]string{{"topic", f.topic}, {"type", f.event}, {"trace", f.trace}, {"since", f.since.given}} {
		if flag[1] != "" {
			fmt.Fprintf(&out, " --%s %s", flag[0], flag[1])
		}
	}
	return out.String()
}

func topicName(d domain.Definition) string { return string(d.Topic) }
func typeName(d domain.Definition) string  { return string(d.Type) }

// catalogued is the stored names of topics or event types.
func catalogued(name func(domain.Definition) string) []string {
	var names []string
	for _, d := range domain.Events().Definitions() {
		if n := name(d); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// recordPrinter writes records as they come: a table, or JSON lines. header writes the
// table's titles before there is a record.
func (c *cli) recordPrinter(from *callers) (emit func(apiclient.Object[domain.Record]) error, header func() error) {
	if c.json {
		return func(rec apiclient.Object[domain.Record]) error { return c.JSON(rec) }, func() error { return nil }
	}
	recorded := c.Zoned(c.Fitting("RECORDED", "WHEN"))
	rows := c.Rows([]term.Column{
		{Title: c.Fitting("POSITION", "POS"), Width: len(c.Fitting("POSITION", "99,999")), Right: true},
		{Title: recorded, Width: max(len(recorded), len(c.TimeLayout()))},
		{Title: "TYPE", Width: 22}, {Title: "WHO", Width: 12, Cut: true, Spare: 1}, {Title: "WHAT", Flex: true},
	})
	return func(object apiclient.Object[domain.Record]) error {
		rec, err := object.Value()
		if err != nil {
			return err
		}
		e := rec.Envelope
		return rows.Row(term.Faint.Of(grouped(uint64(rec.Position))), term.Faint.Of(c.Moment(rec.RecordedAt)),
			term.Plain.Of(string(e.Type)), term.Plain.Of(from.named(e.Principal)), term.Bold.Of(narrate.Line(e)))
	}, rows.Header
}
