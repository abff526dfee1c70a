package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
	"chalie/domain"
)

const toolHelp = `Tools are what interfaces can do when they are asked, and what Chalie can do
itself. Those of an interface that is offline, or not approved yet, are not listed. Where two interfaces use one
name, each tool is listed under interface name, dot, tool name.`

func toolCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{Use: "tool", Short: "List what interfaces and Chalie can do, and have it done", Long: toolHelp},
		toolListCommand(c), toolShowCommand(c), toolInvokeCommand(c), toolTrustCommand(c), toolAddCommand(c), toolAcceptCommand(c))
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
		{Title: "NAME"}, {Title: "INTERFACE", Cut: true}, {Title: "PARAMETERS", Cut: true, Spare: 1}, {Title: "ASKS"}, {Title: "DESCRIPTION", Flex: true},
	}
	rows := make([][]term.Cell, 0, len(tools))
	for _, tool := range tools {
		rows = append(rows, []term.Cell{
			term.Bold.Of(tool.Name), term.Plain.Of(tool.Interface), term.Plain.Of(signature(tool.Parameters)), term.Plain.Of(asksOf(tool)), term.Plain.Of(tool.Description),
		})
	}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	return c.warnOfTools(tools)
}

// asksOf is the setting of a tool, and what comes of it where the name doesn't say that.
func asksOf(t contract.Tool) string {
	out := strings.ReplaceAll(string(t.Manifest.Ask), "_", " ")
	switch v := t.WhenSaid.Verdict; {
	case isUnusable(t):
		return "can't be used"
	case v == domain.VerdictDenied:
		return out + ", denied"
	case v == domain.VerdictApproval && t.Manifest.Ask != domain.AskAlways:
		return out + ", asked"
	}
	return out
}

// isUnusable reports whether nothing can be done with a tool, whatever the policy says.
func isUnusable(t contract.Tool) bool {
	return slices.Contains(t.WhenSaid.ReasonCodes, string(domain.CodeSchemaTooLarge))
}

// warnOfTools names the tools with flagged descriptions, and those that can't be used.
func (c *cli) warnOfTools(tools []contract.Tool) error {
	for _, tool := range tools {
		if isUnusable(tool) {
			if err := c.Printf("\n%s %s.\n", c.Paint(term.Yellow, "Careful:"), oneLine(tool.WhenSaid.Words)); err != nil {
				return err
			}
		}
		if tool.Manifest.Lapsed {
			if err := c.Printf("\n%s %s\n", c.Paint(term.Yellow, "Careful:"), c.lapsedOf(tool)); err != nil {
				return err
			}
		}
		if len(tool.Flags) == 0 {
			continue
		}
		if err := c.Printf("\n%s %s\n", c.Paint(term.Yellow, "Careful:"), warningOf(tool)); err != nil {
			return err
		}
	}
	return nil
}

// lapsedOf says that a tool isn't the one any more that its person trusted.
func (c *cli) lapsedOf(t contract.Tool) string {
	return fmt.Sprintf("%s has changed since you said what it is to be taken for, so that counts only as far as it asks you more. To see both versions: %s",
		oneLine(t.Name), c.again("interfaces show "+quoted(oneLine(t.Interface))))
}

// byAsking is the setting that what comes of a tool follows from; "" where it follows from none.
func byAsking(t contract.Tool) string {
	if isUnusable(t) {
		return ""
	}
	return " (--ask " + flagOf(t.Manifest.Ask) + ")"
}

func warningOf(t contract.Tool) string {
	flags := make([]string, len(t.Flags))
	for i, f := range t.Flags {
		flags[i] = f.String()
	}
	return fmt.Sprintf("what %s says of itself tries to steer a model (%s). It is kept as data; look at %s before you trust it.",
		oneLine(t.Name), oneLine(strings.Join(flags, "; ")), oneLine(t.Interface))
}

// signature is a tool's parameters in a line, optional ones in brackets.
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

// findTool is the tool of a name; nil for none or several.
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
		return "" // no suggestion; the error names the unknown tool
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
	if said := t.Hints.InWords(); said != "" {
		out = append(out, domain.TextBlock("It says of itself: "+said+". Nothing is allowed by that.", domain.FormatPlain))
	}
	if t.Manifest.CapabilityID != "" {
		out = append(out,
			domain.TextBlock("The policy takes it for: "+trusted(t.Manifest), domain.FormatPlain),
			domain.TextBlock(t.WhenSaid.Words+byAsking(t)+".", domain.FormatPlain))
	}
	if t.Manifest.Lapsed {
		out = append(out, domain.AlertBlock(c.lapsedOf(t)+".", domain.VariantWarning))
	}
	if err := c.Blocks(out); err != nil {
		return err
	}
	if err := c.parameters(t.Parameters, t.Schema); err != nil {
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

// parameters lists a tool's parameters.
func (c *cli) parameters(parameters []domain.Parameter, schema json.RawMessage) error {
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
		rows = append(rows, []term.Cell{term.Bold.Of(p.Name), term.Plain.Of(typeInWords(p, schema)), term.Plain.Of(required), term.Plain.Of(p.Description)})
	}
	if err := c.Table(columns, rows); err != nil || len(schema) == 0 {
		return err
	}
	if err := c.Println("\nIts parameters in full, as a JSON Schema:"); err != nil {
		return err
	}
	return c.indented(schema)
}

// typeInWords is a parameter's type, with what an array holds and the values it is bound to.
func typeInWords(p domain.Parameter, schema json.RawMessage) string {
	out := string(p.Type)
	if items := domain.ItemsOf(schema, p.Name); p.Type == domain.TypeArray && items != domain.TypeAny {
		out += " of " + string(items)
	}
	if values := domain.ValuesOf(schema, p.Name); len(values) > 0 {
		out += ": " + oneLine(strings.Join(values, ", "))
	}
	return out
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
supervised or full). What no flag names the tool says itself again.

--ask says whether you are asked before what you say yourself is done, as long as
nothing but your own words was read: always; as-said, which holds unless you choose,
asks only of what wants approval or may move money; never. It changes nothing else that
you said of the tool. With --unasked a tool that changes nothing may be used for what
a program's message or Chalie's own accord leads to; no tool says that of itself.`

func toolTrustCommand(c *cli) *cobra.Command {
	var effects, asks, unasked bool
	var autonomy, ask string
	cmd := &cobra.Command{
		Use: "trust NAME", Short: "Say what the policy takes a tool for", Long: toolTrustHelp, Args: exactly("NAME"),
		Example: "  chalie tool trust status --side-effects=false\n  chalie tool trust pay --requires-approval\n  chalie tool trust forecast --side-effects=false --unasked\n  chalie tool trust transfer --ask never\n  chalie tool trust pay   what it says of itself counts again",
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
			if asking := domain.Asking(strings.ReplaceAll(ask, "-", "_")); asking != "" {
				if !asking.Known() {
					return &usageError{fmt.Sprintf("--ask is %q; give always, as-said or never", ask), cmd.CommandPath()}
				}
				said.Ask = &asking
				return c.asking(cmd.Context(), args[0], said)
			}
			return show(cmd.Context(), c.running("changing what a tool is taken for"), with2((*apiclient.Client).TrustTool, args[0], said), func(m domain.Manifest) error {
				return c.Printf("%s is taken for: %s\n", oneLine(args[0]), trusted(m))
			})
		},
	}
	cmd.Flags().BoolVar(&effects, "side-effects", false, "it may change something")
	cmd.Flags().BoolVar(&asks, "requires-approval", false, "it asks for approval, whoever wants it done")
	cmd.Flags().BoolVar(&unasked, "unasked", false, "it is safe to use when you didn't ask, as long as it changes nothing")
	cmd.Flags().StringVar(&ask, "ask", "", "whether you are asked before what you say yourself is done: always, as-said or never")
	cmd.Flags().StringVar(&autonomy, "autonomy", "", "the most it is trusted with: readonly, supervised or full")
	return cmd
}

// flagOf is a setting as --ask takes it.
func flagOf(a domain.Asking) string { return strings.ReplaceAll(string(a), "_", "-") }

// asking says of a tool whether it asks, beside what was said of it before.
func (c *cli) asking(ctx context.Context, name string, said contract.Trust) error {
	return c.running("changing what a tool is taken for").ask(ctx, func(api *session) error {
		_, tool, err := findTool(ctx, api.Client, name)
		if err != nil {
			return err
		}
		if tool != nil { // of an unknown name the API's error says more
			said = keeping(tool.Said, said)
		}
		object, err := api.TrustTool(ctx, name, said)
		if err != nil {
			return err
		}
		if c.json {
			return c.JSON(object)
		}
		if _, tool, err = findTool(ctx, api.Client, name); err != nil || tool == nil {
			return err
		}
		return c.Printf("%s: %s. %s.\n", oneLine(name), tool.Manifest.Ask.Words(), tool.WhenSaid.Words)
	})
}

// keeping is what is said of a tool now, with what was said before and isn't named.
func keeping(before, now contract.Trust) contract.Trust {
	now.SideEffects = cmp.Or(now.SideEffects, before.SideEffects)
	now.RequiresApproval = cmp.Or(now.RequiresApproval, before.RequiresApproval)
	now.Autonomy = cmp.Or(now.Autonomy, before.Autonomy)
	now.Unasked = cmp.Or(now.Unasked, before.Unasked)
	return now
}

// trusted is a manifest in words.
func trusted(m domain.Manifest) string {
	out := "changes nothing"
	if m.SideEffects {
		out = "may change something"
	}
	if m.MovesMoney {
		out += ", may move money"
	}
	if m.RequiresApproval {
		out += ", asks for approval"
	}
	if m.Unasked {
		out += ", may be used unasked"
	}
	return out + fmt.Sprintf(", autonomy %s (capability %s, version %s)", m.Autonomy, oneLine(m.CapabilityID), oneLine(m.Version))
}

const toolInvokeHelp = `Invoke has an interface do something and shows what came of it. Every step of it
stands in the log: what was asked, what the policy decided, that the call left
and how it ended.

Parameters are given as name=value, each read as the type that the tool
declares: text as it is, numbers, true or false, objects as JSON. With --params
they are given as one JSON object; a name=value beside it adds to it.

Interrupting only ends the waiting: what was called goes on, and the log tells
how it ended.

The exit code is 1 if the tool failed or was denied, and 3 if it was called and
nobody knows what came of it: then look before you ask for it again. With --json
an invocation that brought no answer is an object, too, with its invocation_id,
the error and its code.`

const toolInvokeExample = `  chalie tool invoke cancel_appointment appointment_id=apt_12345
  chalie tool invoke set_light room=kitchen level=40 on=true
  chalie tool invoke set_light --params '{"room":"kitchen","level":40}' --json`

func toolInvokeCommand(c *cli) *cobra.Command {
	var params string
	cmd := &cobra.Command{
		Use: "invoke NAME [PARAMETER=VALUE...]", Short: "Have a tool do something, and show what came of it", Long: toolInvokeHelp, Example: toolInvokeExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{"NAME is missing", cmd.CommandPath()}
			}
			return nil
		},
		ValidArgsFunction: completeTools(c),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.running("invoking a tool").ask(cmd.Context(), func(api *session) error {
				_, tool, err := findTool(cmd.Context(), api.Client, args[0])
				if err != nil {
					return err
				}
				given := json.RawMessage("{}")
				// For an unknown name the API's error says more.
				if tool != nil {
					if given, err = parametersOf(*tool, params, args[1:]); err != nil {
						return &usageError{err.Error(), cmd.CommandPath()}
					}
				}
				answer, err := invoke(cmd.Context(), c, api.Client, args[0], given)
				if tool == nil && domain.CategoryOf(err) == domain.NotFound {
					err = adding(err, toolsLike(cmd.Context(), api.Client, args[0]))
				}
				if err != nil {
					return err
				}
				return c.invoked(args[0], answer)
			})
		},
	}
	cmd.Flags().StringVar(&params, "params", "", "the parameters as one JSON object")
	return cmd
}

// invoke calls a tool and waits for its answer. Its error says where to look.
func invoke(ctx context.Context, c *cli, api *apiclient.Client, name string, given json.RawMessage) (apiclient.Object[apiclient.Answer], error) {
	ctx, stop := whileWaiting(ctx)
	defer stop()
	answer, err := api.InvokeTool(ctx, name, given)
	none, denied := errors.AsType[*apiclient.NoAnswer](err)
	switch log := c.again("log --topic tools"); {
	case err != nil && ctx.Err() != nil:
		return answer, stoppedWaiting{fmt.Errorf("%s goes on without being waited for, if it was called: see how it ended with `%s`", name, log)}
	case denied && c.json:
		if err := c.JSON(none.Text); err != nil {
			return answer, err
		}
		return answer, silent{codeOf(none)}
	case denied:
		err = noAnswer(c, name, words(none), none.InvocationID)
		if codeOf(none) == exitUnknown {
			err = unknownOutcome{err}
		}
	case domain.CodeOf(err) == apiclient.CodeUnreachable:
		err = unknownOutcome{fmt.Errorf("Chalie went away before it answered, and %s may have been called: start Chalie again, and see `%s` before you ask for it again", name, log)} //nolint:staticcheck // the name is written so
	}
	return answer, err
}

// codeOf is the exit code for an invocation without an answer: of one that may have been done, as of
// one that nobody knows the outcome of, whatever came instead.
func codeOf(none *apiclient.NoAnswer) int {
	switch code := domain.CodeOf(none); {
	case code == contract.CodeNobodyKnows, code == domain.CodeOutcomeUnknown, commands.PerhapsDone(code):
		return exitUnknown
	}
	return exitFailed
}

// invoked shows the answer. One that is an error ends the command as failed.
func (c *cli) invoked(name string, object apiclient.Object[apiclient.Answer]) error {
	answer, err := object.Value()
	if err != nil {
		return err
	}
	if c.json {
		if err := c.JSON(object); err != nil {
			return err
		}
		if answer.Error != nil {
			return silent{exitFailed}
		}
		return nil
	}
	if answer.Approval != "" {
		return c.Printf("It waits for approval until %s, and nothing was sent. To decide: %s\n", c.Moment(answer.ExpiresAt), c.again("approvals"))
	}
	why := ""
	if answer.Error != nil {
		why = *answer.Error
		if answer.Text != nil {
			if once, beside := domain.SaidOnce(*answer.Text, why); beside == "" {
				why, answer.Text = oneLine(once), nil
			}
		}
	}
	said, err := c.said(answer)
	if err != nil {
		return err
	}
	if answer.Error != nil {
		return noAnswer(c, name, strings.TrimSuffix(why, "."), answer.InvocationID.ID)
	}
	if !said {
		if err := c.Println("It is done; the tool had nothing to say."); err != nil {
			return err
		}
	}
	return c.Printf("\n%s\n", c.Paint(term.Faint, "How it was done: "+c.again("trace show "+answer.InvocationID.ID.String())))
}

// noAnswer explains why a tool gave no good answer, and where to read all of it.
func noAnswer(c *cli, name, why string, id domain.ID) error {
	return fmt.Errorf("%s: %s; see `%s`", name, why, c.again("trace show "+id.String()))
}

// said writes a tool's answer; false for an empty one.
func (c *cli) said(answer apiclient.Answer) (bool, error) {
	var blocks []domain.Block
	if answer.Text != nil && strings.TrimSpace(*answer.Text) != "" {
		blocks = append(blocks, domain.TextBlocks(*answer.Text)...)
	}
	if blocks = append(blocks, answer.Blocks...); len(blocks) > 0 {
		if err := c.Blocks(blocks); err != nil {
			return true, err
		}
	}
	said := len(blocks) > 0
	twice := answer.Text != nil && domain.SaysAll(*answer.Text, answer.Data)
	if len(answer.Data) > 0 && string(answer.Data) != "null" && !twice {
		if said {
			if err := c.Println(); err != nil {
				return true, err
			}
		}
		said = true
		if err := c.indented(answer.Data); err != nil {
			return true, err
		}
	}
	if answer.OpenURL != nil && *answer.OpenURL != "" {
		said = true
		if err := c.Printf("Open %s\n", oneLine(*answer.OpenURL)); err != nil {
			return true, err
		}
	}
	return said, nil
}

// parametersOf reads a tool's arguments: a JSON object, and name=value pairs of the
// declared types. Its errors are for the person who typed them.
func parametersOf(tool contract.Tool, object string, pairs []string) (json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if object != "" && (json.Unmarshal([]byte(object), &given) != nil || given == nil) {
		return nil, fmt.Errorf("--params is not a JSON object; write it like '%s'", sample(tool))
	}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, fmt.Errorf("%q is no parameter; write name=value", pair)
		}
		declared, ok := parameterNamed(tool, name)
		if !ok && name != "" && domain.TakesOthers(tool.Schema) {
			declared, ok = domain.Parameter{Name: name, Type: domain.TypeAny}, true
		}
		if !ok {
			names := make([]string, len(tool.Parameters))
			for i, p := range tool.Parameters {
				names[i] = p.Name
			}
			return nil, fmt.Errorf("%s has no parameter %q; it takes %s%s", tool.Name, name, signature(tool.Parameters), didYouMean(nearest(name, names, slips(name))))
		}
		if _, twice := given[name]; twice {
			return nil, fmt.Errorf("%s is given twice", name)
		}
		text, err := valueOf(declared, tool.Schema, domain.ItemsOf(tool.Schema, name), value)
		if err != nil {
			return nil, err
		}
		given[name] = text
	}
	return json.Marshal(given)
}

func parameterNamed(tool contract.Tool, name string) (domain.Parameter, bool) {
	for _, p := range tool.Parameters {
		if p.Name == name {
			return p, true
		}
	}
	return domain.Parameter{}, false
}

// takes describes the syntax of a type's values.
func takes(t domain.ParameterType) string {
	switch t {
	case domain.TypeNumber:
		return "a number such as 1.5"
	case domain.TypeInteger:
		return "a whole number"
	case domain.TypeBoolean:
		return "true or false"
	case domain.TypeObject:
		return `a JSON object such as {"key":"value"}`
	case domain.TypeArray:
		return `values with commas between, or a JSON array such as ["a","b"]`
	case domain.TypeAny:
		return `JSON, or text`
	}
	return "text"
}

// valueOf reads a value as the type its parameter is declared with; items is that of an
// array's items.
func valueOf(p domain.Parameter, schema json.RawMessage, items domain.ParameterType, value string) (json.RawMessage, error) {
	if p.Type == domain.TypeString {
		return json.Marshal(value)
	}
	probe := domain.Tool{Name: "it", Schema: schema, Parameters: []domain.Parameter{{Name: p.Name, Type: p.Type, Required: true}}}
	text := strings.TrimSpace(value)
	if json.Valid([]byte(text)) {
		whole, err := json.Marshal(map[string]json.RawMessage{p.Name: json.RawMessage(text)})
		if err != nil {
			return nil, err
		}
		if probe.CheckParams(whole) == nil {
			return json.RawMessage(text), nil
		}
	}
	switch p.Type {
	case domain.TypeAny:
		return json.Marshal(value)
	case domain.TypeArray:
		return arrayOf(p, schema, items, value)
	case domain.TypeInteger:
		if len(schema) == 0 {
			return nil, fmt.Errorf("%s is %q; give %s, from %d to %d", p.Name, value, takes(p.Type), -domain.MaxInteger, domain.MaxInteger)
		}
	}
	return nil, fmt.Errorf("%s is %q; give %s", p.Name, value, takes(p.Type))
}

// arrayOf reads values with commas between.
func arrayOf(p domain.Parameter, schema json.RawMessage, items domain.ParameterType, value string) (json.RawMessage, error) {
	out := []json.RawMessage{}
	for part := range strings.SplitSeq(value, ",") {
		item, err := valueOf(domain.Parameter{Name: p.Name, Type: items}, schema, domain.TypeAny, strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
	return json.Marshal(out)
}

// sample is an object of the tool's first parameter.
func sample(tool contract.Tool) string {
	if len(tool.Parameters) == 0 {
		return "{}"
	}
	return fmt.Sprintf("{%q: …}", tool.Parameters[0].Name)
}

// completeTools completes the names of tools, and after one its parameters.
func completeTools(c *cli) cobra.CompletionFunc {
	names := offered(c.running("listing tools"), (*apiclient.Client).Tools, func(t contract.Tool) cobra.Completion {
		return cobra.CompletionWithDesc(t.Name, oneLine(t.Description))
	})
	return func(cmd *cobra.Command, args []string, begun string) (out []cobra.Completion, d cobra.ShellCompDirective) {
		if len(args) == 0 || cmd.Name() != "invoke" {
			return names(cmd, args, begun)
		}
		err := c.running("listing tools").ask(cmd.Context(), func(api *session) error {
			out, d = completeParameters(cmd.Context(), api.Client, args)
			return nil
		})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp // there is nothing to offer, and no place for words
		}
		return out, d
	}
}

func completeParameters(ctx context.Context, api *apiclient.Client, args []string) ([]cobra.Completion, cobra.ShellCompDirective) {
	_, tool, err := findTool(ctx, api, args[0])
	if err != nil || tool == nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	for _, p := range tool.Parameters {
		names = append(names, cobra.CompletionWithDesc(p.Name+"=", oneLine(p.Description)))
	}
	return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
