package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
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
			return showAll(cmd.Context(), c.running("listing tools"), (*apiclient.Client).Tools, c.tools)
		},
	}
}

func (c *cli) tools(tools []contract.Tool) error {
	if len(tools) == 0 {
		return c.Println("No interface that is online offers a tool.")
	}
	columns := []term.Column{
		{Title: "NAME"}, {Title: "INTERFACE", Cut: true}, {Title: "PARAMETERS", Cut: true, Spare: 1}, {Title: "DESCRIPTION", Flex: true},
	}
	rows := make([][]term.Cell, 0, len(tools))
	for _, tool := range tools {
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
func (c *cli) warnOfTools(tools []contract.Tool) error {
	for _, tool := range tools {
		if len(tool.Flags) == 0 {
			continue
		}
		if err := c.Printf("\n%s %s\n", c.Paint(term.Yellow, "Careful:"), warningOf(tool)); err != nil {
			return err
		}
	}
	return nil
}

func warningOf(t contract.Tool) string {
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

func toolShowCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Show what a tool does and takes", Example: "  chalie tool show cancel_appointment",
		Args: exactly("NAME"), ValidArgsFunction: completeTools(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.running("showing a tool").ask(cmd.Context(), func(api *session) error {
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
			})
		},
	}
}

// findTool is the one tool that goes by a name; nil without one, or where several
// do.
func findTool(ctx context.Context, api *apiclient.Client, name string) (found apiclient.Object[contract.Tool], tool *contract.Tool, err error) {
	objects, err := api.Tools(ctx)
	if err != nil {
		return found, nil, err
	}
	for _, object := range objects {
		t, err := object.Value()
		if err != nil {
			return found, nil, err
		}
		if !apiclient.GoesBy(t, name) {
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

func (c *cli) tool(t contract.Tool) error {
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
	if t.InterfaceID != nil {
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
		if err := c.Printf("\nIt returns:\n"); err != nil {
			return err
		}
		if err := c.indented(t.Returns); err != nil {
			return err
		}
	}
	return c.Printf("\n%s\n", c.Paint(term.Faint, "To invoke it: "+c.again("tool invoke "+quoted(oneLine(t.Name))+example(t.Parameters))))
}

// parameters lists what a tool takes.
func (c *cli) parameters(parameters []domain.Parameter) error {
	if len(parameters) == 0 {
		return c.Printf("\nIt takes no parameters.\n")
	}
	if err := c.Println(); err != nil {
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
		if err := c.Println(line[:len(line)-len(said)] + oneLine(said)); err != nil {
			return err
		}
	}
	return nil
}

const toolTrustHelp = `Trust says what the policy takes a tool for, in place of what the tool says of
itself: whether it may change something, whether it asks for approval whoever wants
it done, and the most it is trusted with when nobody asked for it (readonly,
supervised or full). With --unasked a tool that changes nothing may be used for what
a program's message or Chalie's own accord leads to; no tool says that of itself.
What no flag names the tool says itself again.`

func toolTrustCommand(c *cli) *cobra.Command {
	var effects, asks, unasked bool
	var autonomy string
	cmd := &cobra.Command{
		Use: "trust NAME", Short: "Say what the policy takes a tool for", Long: toolTrustHelp, Args: exactly("NAME"),
		Example: "  chalie tool trust status --side-effects=false\n  chalie tool trust pay --requires-approval\n  chalie tool trust forecast --side-effects=false --unasked\n  chalie tool trust pay   what it says of itself counts again",
		RunE: func(cmd *cobra.Command, args []string) error {
			var said contract.Trust
			if cmd.Flags().Changed("side-effects") {
				said.SideEffects = &effects
			}
			if cmd.Flags().Changed("requires-approval") {
				said.RequiresApproval = &asks
			}
			if cmd.Flags().Changed("unasked") {
				said.Unasked = &unasked
			}
			if level := domain.Autonomy(autonomy); level != "" {
				said.Autonomy = &level
			}
			return show(cmd.Context(), c.running("changing what a tool is taken for"), with2((*apiclient.Client).TrustTool, args[0], said), func(m domain.Manifest) error {
				return c.Printf("%s is taken for: %s\n", oneLine(args[0]), trusted(m))
			})
		},
	}
	cmd.Flags().BoolVar(&effects, "side-effects", false, "it may change something")
	cmd.Flags().BoolVar(&asks, "requires-approval", false, "it asks for approval, whoever wants it done")
	cmd.Flags().BoolVar(&unasked, "unasked", false, "it is safe to use when you didn't ask, as long as it changes nothing")
	cmd.Flags().StringVar(&autonomy, "autonomy", "", "the most it is trusted with: readonly, supervised or full")
	return cmd
}

// trusted is a manifest in words.
func trusted(m domain.Manifest) string {
	out := "changes nothing"
	if m.SideEffects {
		out = "may change something"
	}
	if m.RequiresApproval {
		out += ", asks for approval"
	}
	if m.Unasked {
		out += ", may be used unasked"
	}
	return out + fmt.Sprintf(", autonomy %s (capability %s, version %s)", m.Autonomy, oneLine(m.CapabilityID), oneLine(m.Version))
}
