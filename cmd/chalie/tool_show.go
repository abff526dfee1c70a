package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

func toolShowCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Show what a tool does and takes", Example: "  chalie tool show cancel_appointment",
		Args: exactly("NAME"), ValidArgsFunction: completeTools(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			api, err := connectToRunning(cmd.Context(), c, "showing a tool")
			if err != nil {
				return err
			}
			defer api.Close()
			object, tool, err := findTool(cmd.Context(), api.Client, args[0])
			switch {
			case err != nil:
				return err
			case tool == nil:
				return fmt.Errorf("no tool that can be invoked now is named %q%s; see `%s`", args[0], toolsLike(cmd.Context(), api.Client, args[0]), c.again("tool list"))
			case c.json:
				return c.JSON(object)
			}
			return c.tool(*tool)
		},
	}
}

// findTool is the one tool that goes by a name; nil without one, or where several
// do.
func findTool(ctx context.Context, api *apiclient.Client, name string) (found apiclient.Object[apiclient.Tool], tool *apiclient.Tool, err error) {
	objects, err := api.Tools(ctx)
	if err != nil {
		return found, nil, err
	}
	for _, object := range objects {
		t, err := object.Value()
		if err != nil {
			return found, nil, err
		}
		if !t.GoesBy(name) {
			continue
		}
		if tool != nil {
			return found, nil, nil
		}
		found, tool = object, &t
	}
	return found, tool, nil
}

// toolsLike asks whether a tool with a similar name was meant.
func toolsLike(ctx context.Context, api *apiclient.Client, name string) string {
	objects, err := api.Tools(ctx)
	if err != nil {
		return "" // which was asked for and isn't there is the news
	}
	var names []string
	for _, object := range objects {
		if t, err := object.Value(); err == nil {
			names = append(names, t.Name)
		}
	}
	return didYouMean(nearest(name, names, slips(name)))
}

func (c *cli) tool(t apiclient.Tool) error {
	out := []domain.Block{domain.HeaderBlock(t.Name, 1)}
	if t.Description != "" {
		out = append(out, domain.TextBlock(t.Description, domain.FormatPlain))
	}
	if t.Documentation != "" {
		out = append(out, domain.TextBlock(t.Documentation, domain.FormatPlain))
	}
	if len(t.Flags) > 0 {
		out = append(out, domain.AlertBlock(warningOf(t), domain.VariantWarning))
	}
	whose := fmt.Sprintf("%s of %s", t.Tool, t.Interface)
	if !t.InterfaceID.IsZero() {
		whose += ", interface " + t.InterfaceID.UUID()
	}
	out = append(out, domain.TextBlock(whose, domain.FormatPlain))
	if t.Manifest.CapabilityID != "" {
		out = append(out, domain.TextBlock("The policy takes it for: "+trusted(t.Manifest), domain.FormatPlain))
	}
	if err := c.Blocks(out); err != nil {
		return err
	}
	if err := c.parameters(t.Parameters); err != nil {
		return err
	}
	if len(t.Returns) > 0 && string(t.Returns) != "null" {
		if _, err := fmt.Fprintf(c.Out, "\nIt returns:\n"); err != nil {
			return err
		}
		if err := c.indented(t.Returns); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(c.Out, "\n%s\n", c.Paint(term.Faint, "To invoke it: "+c.again("tool invoke "+quoted(oneLine(t.Name))+example(t.Parameters))))
	return err
}

// parameters lists what a tool takes.
func (c *cli) parameters(parameters []domain.Parameter) error {
	if len(parameters) == 0 {
		_, err := fmt.Fprintf(c.Out, "\nIt takes no parameters.\n")
		return err
	}
	if _, err := fmt.Fprintln(c.Out); err != nil {
		return err
	}
	columns := []term.Column{{Title: "PARAMETER"}, {Title: "TYPE"}, {Title: "REQUIRED"}, {Title: "DESCRIPTION", Flex: true}}
	rows := make([][]term.Cell, 0, len(parameters))
	for _, p := range parameters {
		required := "no"
		if p.Required {
			required = "yes"
		}
		rows = append(rows, []term.Cell{term.Bold.Of(p.Name), term.Plain.Of(string(p.Type)), term.Plain.Of(required), term.Plain.Of(p.Description)})
	}
	return c.Table(columns, rows)
}

// example is the required parameters, as they are given.
func example(parameters []domain.Parameter) string {
	var out strings.Builder
	for _, p := range parameters {
		if p.Required {
			out.WriteString(" " + quoted(oneLine(p.Name)+"="+strings.ToUpper(string(p.Type))))
		}
	}
	return out.String()
}

// data writes JSON over several lines.
func (c *cli) indented(text json.RawMessage) error {
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, text, "", "  "); err != nil {
		return err
	}
	for line := range strings.Lines(pretty.String()) {
		said := strings.TrimLeft(line, " ")
		if _, err := fmt.Fprintln(c.Out, line[:len(line)-len(said)]+oneLine(said)); err != nil {
			return err
		}
	}
	return nil
}
