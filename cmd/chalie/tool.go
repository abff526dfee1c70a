package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

const toolHelp = `Tools are what interfaces can do when they are asked, and what Chalie can do
itself. Those of an interface that is offline, or not approved yet, are not listed. Where two interfaces use one
name, each tool is listed under interface name, dot, tool name.`

func toolCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{Use: "tool", Short: "List what interfaces and Chalie can do, and have it done", Long: toolHelp},
		toolListCommand(c), toolShowCommand(c), toolInvokeCommand(c), toolTrustCommand(c))
}

func toolListCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the tools that can be invoked now", Long: "List lists the tools that can be invoked now.\n\n" + toolHelp,
		Example: "  chalie tool list", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			api, err := connectToRunning(cmd.Context(), c, "listing tools")
			if err != nil {
				return err
			}
			defer api.Close()
			tools, err := api.Tools(cmd.Context())
			if err != nil {
				return err
			}
			if c.json {
				return lines(c, tools)
			}
			return c.tools(tools)
		},
	}
}

func (c *cli) tools(tools []apiclient.Object[apiclient.Tool]) error {
	if len(tools) == 0 {
		_, err := fmt.Fprintln(c.Out, "No interface that is online offers a tool.")
		return err
	}
	columns := []term.Column{
		{Title: "NAME"}, {Title: "INTERFACE", Cut: true}, {Title: "PARAMETERS", Cut: true, Spare: 1}, {Title: "DESCRIPTION", Flex: true},
	}
	rows := make([][]term.Cell, 0, len(tools))
	for _, object := range tools {
		tool, err := object.Value()
		if err != nil {
			return err
		}
		rows = append(rows, []term.Cell{
			term.Bold.Of(tool.Name), term.Plain.Of(tool.Interface), term.Plain.Of(signature(tool.Parameters)), term.Plain.Of(tool.Description),
		})
	}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	return c.warnOfTools(tools)
}

// warnOfTools says which tools describe themselves in words that are meant for a
// model.
func (c *cli) warnOfTools(tools []apiclient.Object[apiclient.Tool]) error {
	for _, object := range tools {
		tool, err := object.Value()
		if err != nil {
			return err
		}
		if len(tool.Flags) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(c.Out, "\n%s %s\n", c.Paint(term.Yellow, "Careful:"), warningOf(tool)); err != nil {
			return err
		}
	}
	return nil
}

func warningOf(t apiclient.Tool) string {
	flags := make([]string, len(t.Flags))
	for i, f := range t.Flags {
		flags[i] = f.String()
	}
	return fmt.Sprintf("what %s says of itself tries to steer a model (%s). It is kept as data; look at %s before you trust it.",
		oneLine(t.Name), oneLine(strings.Join(flags, "; ")), oneLine(t.Interface))
}

// signature is what a tool takes, in a line; what may be left out is in brackets.
func signature(parameters []domain.Parameter) string {
	if len(parameters) == 0 {
		return "none"
	}
	out := make([]string, len(parameters))
	for i, p := range parameters {
		out[i] = oneLine(p.Name) + "=" + string(p.Type)
		if !p.Required {
			out[i] = "[" + out[i] + "]"
		}
	}
	return strings.Join(out, " ")
}
