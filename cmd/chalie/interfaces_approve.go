package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

// requestedKeys are what an interface asks for in one category, with its words.
func requestedKeys(a apiclient.App, category string) map[string]string {
	return map[string]map[string]string{
		"context": a.Requested.Context, "signals": a.Requested.Signals, "messages": a.Requested.Messages,
	}[category]
}

func approvedKeys(a apiclient.App, category string) []string {
	return slices.Sorted(maps.Keys(a.ApprovedScopes[category]))
}

const interfacesApproveHelp = `Approve allows an interface what it asks for: all of it, unless flags name the
keys. What isn't approved is refused: signals of a type, messages about a topic,
fields of your context. Approving again replaces what was allowed before.

What a paired interface may send stands in its pairing and ends when you remove
it: of such a one only the fields of your context can be approved.`

const interfacesApproveExample = `  chalie interfaces approve weather                      everything it asks for
  chalie interfaces approve weather --signals forecast   this, and nothing else
  chalie interfaces approve weather --nothing            nothing any more; its tools stay`

func interfacesApproveCommand(c *cli) *cobra.Command {
	var fields, signals, messages []string
	var nothing bool
	cmd := &cobra.Command{
		Use: "approve NAME", Short: "Allow an interface what it asks for", Long: interfacesApproveHelp, Example: interfacesApproveExample,
	}
	onInterface(c, cmd, func(ctx context.Context, api *apiclient.Client, a apiclient.App) error {
		approved := domain.NewApproval(fields, signals, messages)
		if nothing && !approved.Empty() {
			return &usageError{"--nothing can't be given with keys", cmd.CommandPath()}
		}
		if err := approvable(c, a, approved); err != nil {
			return err
		}
		if !nothing && approved.Empty() {
			approved = allAsked(a)
		}
		if err := api.Approve(ctx, a.ID, approved); err != nil {
			return err
		}
		object, err := api.App(ctx, a.ID)
		if err != nil || c.json {
			return orJSON(c, err, object)
		}
		now, err := object.Value()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.Out, "%s is %s, and may: %s\n", oneLine(now.Name), now.Status, may(now))
		return err
	})
	cmd.Flags().StringSliceVar(&fields, "context", nil, "fields of your context it may read")
	cmd.Flags().StringSliceVar(&signals, "signals", nil, "types of signals it may send")
	cmd.Flags().StringSliceVar(&messages, "messages", nil, "topics it may send messages about")
	cmd.Flags().BoolVar(&nothing, "nothing", false, "allow nothing")
	return cmd
}

// approvable says why an interface can't be approved for these keys: it didn't ask
// for one of them, or has its rights from its pairing.
func approvable(c *cli, a apiclient.App, approved domain.Approval) error {
	why := ""
	if a.Origin == domain.OriginPaired && (len(a.Requested.Context) == 0 || len(approved.Signals)+len(approved.Messages) > 0) {
		why = fmt.Sprintf("%s is paired: what it may send (%s) stands in its pairing and ends only with %s; only fields of your context can be approved for it",
			a.Name, may(a), "`"+c.again("interfaces remove "+quoted(a.Name))+"`")
		if len(a.Requested.Context) == 0 {
			why += ", and it asks for none"
		}
	}
	for _, of := range []struct {
		category string
		keys     []string
	}{{"context", approved.Context}, {"signals", approved.Signals}, {"messages", approved.Messages}} {
		for _, key := range of.keys {
			if _, asked := requestedKeys(a, of.category)[key]; !asked && why == "" {
				why = fmt.Sprintf("%s doesn't ask for %q in %s; see %s for what it asks for", a.Name, key, of.category, "`"+c.again("interfaces show "+quoted(a.Name))+"`")
			}
		}
	}
	if why == "" {
		return nil
	}
	return &domain.Error{Op: "interfaces approve", Category: domain.Validation, Code: "not_approvable", Message: why}
}

// allAsked is everything an interface asks for and can be approved for.
func allAsked(a apiclient.App) domain.Approval {
	if a.Origin == domain.OriginPaired {
		return domain.NewApproval(keysOf(a.Requested.Context), nil, nil)
	}
	return domain.NewApproval(keysOf(a.Requested.Context), keysOf(a.Requested.Signals), keysOf(a.Requested.Messages))
}

// mayDo reports whether an interface may do what it asks for under a key.
func mayDo(a apiclient.App, category, key string) bool {
	if a.Origin != domain.OriginPaired || category == "context" {
		return a.ApprovedScopes[category][key]
	}
	return category == "messages" || len(a.Signals) == 0 || slices.Contains(a.Signals, key)
}

func keysOf(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

func interfacesShowCommand(c *cli) *cobra.Command {
	open := func(ctx context.Context) (*session, error) { return connect(ctx, c, foldsToo) }
	return withInterface(c, &cobra.Command{
		Use: "show NAME", Short: "Show what an interface asks for, may do and offers", Example: "  chalie interfaces show hospital",
	}, open, func(ctx context.Context, api *session, a apiclient.App) error {
		object, err := api.App(ctx, a.ID)
		if err != nil || c.json {
			return orJSON(c, err, object)
		}
		app, err := object.Value()
		if err != nil {
			return err
		}
		if err := c.oneInterface(app); err != nil {
			return err
		}
		if err := c.flaggedTools(app, "."); err != nil {
			return err
		}
		if app.Status == domain.StatusPending {
			name := quoted(oneLine(app.Name))
			if _, err := fmt.Fprintf(c.Out, "\nIt waits for your yes, and may do nothing until then:\n\n  %s\n  %s  to turn it away\n",
				c.again("interfaces approve "+name), c.again("interfaces remove "+name)); err != nil {
				return err
			}
		}
		return c.atRest(api)
	})
}

func (c *cli) oneInterface(a apiclient.App) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s  %s\n%s\n\n", c.Paint(term.Bold, oneLine(a.Name)), c.Paint(interfaceStyle(a.Status), oneLine(string(a.Status))), c.Paint(term.Faint, a.ID.UUID()))
	for _, line := range [][2]string{{"What", a.Description}, {"Version", a.Version}, {"By", a.Author}, {"Where", where(a)}, {"Offline", a.OfflineReason}} {
		if line[1] != "" {
			fmt.Fprintf(&out, "%-8s  %s\n", line[0], oneLine(line[1]))
		}
	}
	if a.Origin == domain.OriginPaired {
		fmt.Fprintf(&out, "%-8s  %s\n", "May", may(a))
	}
	if a.LastSeenAt != nil {
		fmt.Fprintf(&out, "%-8s  %s\n", "Heard", oneLine(*a.LastSeenAt))
	}
	if _, err := fmt.Fprint(c.Out, out.String()); err != nil {
		return err
	}
	if err := c.scopes(a); err != nil {
		return err
	}
	if len(a.Capabilities) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(c.Out); err != nil {
		return err
	}
	rows := make([][]term.Cell, len(a.Capabilities))
	for i, t := range a.Capabilities {
		rows[i] = []term.Cell{term.Bold.Of(t.Name), term.Plain.Of(t.Description)}
	}
	return c.Table([]term.Column{{Title: "TOOL"}, {Title: "WHAT IT DOES", Flex: true}}, rows)
}

// scopes shows what an interface asks for, in its words, and what it may.
func (c *cli) scopes(a apiclient.App) error {
	var rows [][]term.Cell
	for _, category := range []string{"context", "signals", "messages"} {
		asked := requestedKeys(a, category)
		for _, key := range keysOf(asked) {
			allowed := term.Faint.Of("no")
			if mayDo(a, category, key) {
				allowed = term.Green.Of("yes")
			}
			rows = append(rows, []term.Cell{term.Plain.Of(category), term.Bold.Of(key), allowed, term.Plain.Of(asked[key])})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(c.Out); err != nil {
		return err
	}
	return c.Table([]term.Column{{Title: "ASKS FOR"}, {Title: "KEY"}, {Title: "MAY"}, {Title: "WHY, IN ITS WORDS", Flex: true}}, rows)
}
