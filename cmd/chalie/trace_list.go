package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
)

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

// traceOutcomes are how a trace can stand, and what its reasoning can come to.
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
			api, err := connect(cmd.Context(), c, foldsToo)
			if err != nil {
				return err
			}
			defer api.Close()
			asked := f.narrowing()
			f.query.Since, f.query.Until = f.since.asked, f.until.asked
			found, err := f.print(cmd.Context(), api.Client, c.tracePrinter())
			if err == nil && !found && asked != "" {
				c.Complain("no trace matches" + asked)
			}
			return err
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

// print pages through the traces, and says whether there was any.
func (f traceFlags) print(ctx context.Context, api *apiclient.Client, emit func(apiclient.Object[apiclient.TraceLine]) error) (found bool, err error) {
	for left := f.limit; ; {
		f.query.Limit = apiclient.MaxTracePage
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
