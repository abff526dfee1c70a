package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
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
fields of your context. Approving again replaces what was allowed before.`

const interfacesApproveExample = `  chalie interfaces approve weather                      everything it asks for
  chalie interfaces approve weather --signals forecast   this, and nothing else
  chalie interfaces approve weather --nothing            nothing any more; its tools stay`

func interfacesApproveCommand(c *console, o *options) *cobra.Command {
	var fields, signals, messages []string
	var nothing bool
	cmd := &cobra.Command{
		Use: "approve NAME", Short: "Allow an interface what it asks for", Long: interfacesApproveHelp, Example: interfacesApproveExample,
	}
	onInterface(c, o, cmd, func(ctx context.Context, api *apiclient.Client, a apiclient.App) error {
		approved := domain.NewApproval(fields, signals, messages)
		if nothing && !approved.Empty() {
			return &usageError{"--nothing can't be given with keys", cmd.CommandPath()}
		}
		if !nothing && approved.Empty() {
			approved = domain.NewApproval(keysOf(a.Requested.Context), keysOf(a.Requested.Signals), keysOf(a.Requested.Messages))
		}
		if err := api.Approve(ctx, a.ID, approved); err != nil {
			return err
		}
		object, err := api.App(ctx, a.ID)
		if err != nil || o.json {
			return orJSON(c, o, err, object)
		}
		now, err := object.Value()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.out, "%s is %s, and may: %s\n", oneLine(now.Name), now.Status, may(now))
		return err
	})
	cmd.Flags().StringSliceVar(&fields, "context", nil, "fields of your context it may read")
	cmd.Flags().StringSliceVar(&signals, "signals", nil, "types of signals it may send")
	cmd.Flags().StringSliceVar(&messages, "messages", nil, "topics it may send messages about")
	cmd.Flags().BoolVar(&nothing, "nothing", false, "allow nothing")
	return cmd
}

func keysOf(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

func interfacesShowCommand(c *console, o *options) *cobra.Command {
	return onInterface(c, o, &cobra.Command{
		Use: "show NAME", Short: "Show what an interface asks for, may do and offers", Example: "  chalie interfaces show hospital",
	}, func(ctx context.Context, api *apiclient.Client, a apiclient.App) error {
		object, err := api.App(ctx, a.ID)
		if err != nil || o.json {
			return orJSON(c, o, err, object)
		}
		app, err := object.Value()
		if err != nil {
			return err
		}
		return c.oneInterface(app)
	})
}

func (c *console) oneInterface(a apiclient.App) error {
	var out strings.Builder
	status := interfaceStatus(a.Status)
	fmt.Fprintf(&out, "%s  %s\n%s\n\n", c.paint(bold, oneLine(a.Name)), c.paint(status.style, status.text), c.paint(faint, a.ID.UUID()))
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
	if _, err := fmt.Fprint(c.out, out.String()); err != nil {
		return err
	}
	if err := c.scopes(a); err != nil {
		return err
	}
	if len(a.Capabilities) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(c.out); err != nil {
		return err
	}
	rows := make([][]cell, len(a.Capabilities))
	for i, t := range a.Capabilities {
		rows[i] = []cell{{oneLine(t.Name), bold}, {oneLine(t.Description), plain}}
	}
	return table{c, []column{{title: "TOOL"}, {title: "WHAT IT DOES", flex: true}}}.write(c.out, rows)
}

// scopes shows what an interface asks for, in its words, and what it may.
func (c *console) scopes(a apiclient.App) error {
	var rows [][]cell
	for _, category := range []string{"context", "signals", "messages"} {
		asked := requestedKeys(a, category)
		for _, key := range keysOf(asked) {
			allowed := cell{"no", faint}
			if a.ApprovedScopes[category][key] {
				allowed = cell{"yes", green}
			}
			rows = append(rows, []cell{{category, plain}, {oneLine(key), bold}, allowed, {oneLine(asked[key]), plain}})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(c.out); err != nil {
		return err
	}
	return table{c, []column{{title: "ASKS FOR"}, {title: "KEY"}, {title: "MAY"}, {title: "WHY, IN ITS WORDS", flex: true}}}.write(c.out, rows)
}
