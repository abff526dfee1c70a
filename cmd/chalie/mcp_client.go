package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/cgroup"
	"chalie/adapters/mcpclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

func toolAddCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{Use: "add", Short: "Add programs that offer tools"}, toolAddMCPCommand(c))
}

const toolAddMCPHelp = `Mcp adds a server of the Model Context Protocol: a command that Chalie starts as its
child, or a URL. It is started or called, asked for its tools, and listed among the
interfaces. Each tool asks you before it is used, until you say otherwise with
` + "`tool trust`" + `; a tool that changes, and a new one, waits until you accept it.

A command runs with your rights. It gets none of Chalie's variables but those named
with --env, and a folder of its own; it isn't kept from your files or the network.
Secrets are named, never written: what stands in the command or a header is kept in
clear.`

const toolAddMCPExample = `  chalie tool add mcp -- npx -y @modelcontextprotocol/server-everything
  chalie tool add mcp --name notes --env NOTES_TOKEN -- /opt/notes/server --read-only
  chalie tool add mcp --name hub --url https://example.org/mcp --header 'Authorization=Bearer $HUB_TOKEN'`

// mostMemory is how many MiB can be said in bytes.
const mostMemory = math.MaxInt64 >> 20

func toolAddMCPCommand(c *cli) *cobra.Command {
	var in contract.MCPRequest
	var headers []string
	var memory int64
	var processes int
	cmd := &cobra.Command{
		Use: "mcp [-- COMMAND ARGUMENT…]", Short: "Add a server of the Model Context Protocol", Long: toolAddMCPHelp, Example: toolAddMCPExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 0) == (in.URL == "") {
				return &usageError{"give a command behind --, or --url", cmd.CommandPath()}
			}
			in.Command = args
			if memory < 0 || memory > mostMemory {
				return &usageError{fmt.Sprintf("--memory is %d MiB: give 0 for the default, or up to %d", memory, mostMemory), cmd.CommandPath()}
			}
			if bytes := memory << 20; bytes != 0 {
				in.Memory = &bytes
			}
			if processes != 0 {
				in.Processes = &processes
			}
			if len(args) > 0 && strings.ContainsRune(args[0], filepath.Separator) {
				// Chalie may run elsewhere than the person stands.
				program, err := filepath.Abs(args[0])
				if err != nil {
					return err
				}
				args[0] = program
			}
			for _, h := range headers {
				name, value, ok := strings.Cut(h, "=")
				if !ok {
					return &usageError{fmt.Sprintf("--header is %q; write NAME=VALUE", h), cmd.CommandPath()}
				}
				in.Headers = append(in.Headers, domain.MCPHeader{Name: name, Value: value})
			}
			if in.Name == "" {
				in.Name = nameOfServer(in)
			}
			return show(cmd.Context(), c.running("adding an MCP server"), with((*apiclient.Client).AddMCP, in), func(added contract.MCPAdded) error { return c.addedMCP(in.Name, added) })
		},
	}
	cmd.Flags().StringVar(&in.Name, "name", "", "what it is called here; default: from its command or URL")
	cmd.Flags().StringVar(&in.URL, "url", "", "where it listens, for streamable HTTP")
	cmd.Flags().StringArrayVar(&in.Env, "env", nil, "a variable of Chalie's environment, by name, that the command gets; may be repeated")
	cmd.Flags().StringArrayVar(&headers, "header", nil, "NAME=VALUE, sent with each request to a URL; $NAME in it stands for a variable where Chalie runs")
	cmd.Flags().Int64Var(&memory, "memory", 0, "MiB that the command may take with all that it starts (default 2048)")
	cmd.Flags().IntVar(&processes, "processes", 0, "processes that the command may run (default 64)")
	return cmd
}

// nameOfServer is what a server is called by its command or URL: that of a package, without
// what all of them have in common.
func nameOfServer(in contract.MCPRequest) string {
	if u, err := url.Parse(in.URL); in.URL != "" && err == nil {
		return u.Hostname()
	}
	name := filepath.Base(in.Command[0])
	if runners.MatchString(name) {
		for _, arg := range in.Command[1:] {
			if !strings.HasPrefix(arg, "-") && arg != "exec" && arg != "run" {
				name = filepath.Base(arg)
				break
			}
		}
	}
	name, _, _ = strings.Cut(name, "@")
	for _, common := range []string{"mcp-", "server-"} {
		name = strings.TrimPrefix(name, common)
	}
	return strings.TrimSuffix(strings.TrimSuffix(name, "-mcp"), ".js")
}

// runners are programs whose argument is what is meant.
var runners = regexp.MustCompile(`^(npx|npm|pnpm|bunx|uvx|uv|node|deno|python[0-9.]*|go|docker)$`)

func (c *cli) addedMCP(name string, added contract.MCPAdded) error {
	shown := quoted(oneLine(name))
	said := "is added"
	if !added.New {
		said = "was known already, and may be reached from here"
	}
	if err := c.Printf("%s %s, as interface %s.\n", oneLine(name), said, added.InterfaceID.UUID()); err != nil {
		return err
	}
	if len(added.Tools) == 0 {
		if len(added.LeftOut) > 0 {
			return c.toolsLeftOut(added.LeftOut)
		}
		return c.Printf("It offers no tools.\n")
	}
	if err := c.Println(); err != nil {
		return err
	}
	rows := make([][]term.Cell, len(added.Tools))
	for i, t := range added.Tools {
		rows[i] = []term.Cell{term.Bold.Of(t.Name), term.Plain.Of(saidOf(t)), term.Plain.Of(t.Description)}
	}
	if err := c.Table([]term.Column{{Title: "TOOL"}, {Title: "SAYS OF ITSELF", Cut: true}, {Title: "WHAT IT DOES", Flex: true}}, rows); err != nil {
		return err
	}
	if err := c.toolsLeftOut(added.LeftOut); err != nil {
		return err
	}
	return c.Printf("\nEach asks you before it is used. What it says of itself is its own word; to say it yourself: %s\nTo look at it: %s; to end it: %s\n",
		c.again("tool trust NAME"), c.again("interfaces show "+shown), c.again("interfaces remove "+shown))
}

func saidOf(t domain.Tool) string {
	if said := t.Hints.InWords(); said != "" {
		return said
	}
	return "nothing"
}

// reachedBy is how a server is reached, beside where.
func reachedBy(s domain.MCPServer) string {
	var out strings.Builder
	for _, line := range [][2]string{{"Gets", strings.Join(s.Env, ", ")}, {"Sent", headersIn(s.Headers)}} {
		if line[1] != "" {
			fmt.Fprintf(&out, "%-8s  %s\n", line[0], oneLine(line[1]))
		}
	}
	return out.String()
}

func headersIn(headers []domain.MCPHeader) string {
	out := make([]string, len(headers))
	for i, h := range headers {
		out[i] = h.Name + "=" + h.Value
	}
	return strings.Join(out, ", ")
}

// waitingTools says that tools of an interface wait.
func (c *cli) waitingTools(a contract.App) error {
	if len(a.WaitingTools) == 0 {
		return nil
	}
	name := quoted(oneLine(a.Name))
	return c.Printf("\nTools of %s are new or have changed, and can't be used until you accept them: %s\nTo look at them: %s; to accept them: %s\n",
		oneLine(a.Name), oneLine(strings.Join(a.WaitingTools, ", ")), c.again("interfaces show "+name), c.again("tool accept "+name))
}

func (c *cli) toolsWaiting(waiting []contract.WaitingTool) error {
	if len(waiting) == 0 {
		return nil
	}
	if err := c.Println(); err != nil {
		return err
	}
	rows := make([][]term.Cell, len(waiting))
	for i, w := range waiting {
		why := "has changed"
		if w.New {
			why = "is new"
		}
		rows[i] = []term.Cell{term.Bold.Of(w.Tool.Name), term.Yellow.Of(why), term.Plain.Of(saidOf(w.Tool)), term.Plain.Of(w.Tool.Description)}
	}
	if err := c.Table([]term.Column{{Title: "WAITS"}, {Title: "WHY"}, {Title: "SAYS OF ITSELF", Cut: true}, {Title: "WHAT IT DOES NOW", Flex: true}}, rows); err != nil {
		return err
	}
	for _, w := range waiting {
		if err := c.toolChanges(w.Tool.Name, "you accepted it", w.Changes); err != nil {
			return err
		}
		if w.Lapses == nil {
			continue
		}
		if err := c.Printf("You said of %s: %s. For the tool as it is now that won't count.\n", oneLine(w.Tool.Name), inFlags(*w.Lapses)); err != nil {
			return err
		}
	}
	return nil
}

// toolChanges shows two versions of a tool side by side.
func (c *cli) toolChanges(name, since string, changes []domain.ToolChange) error {
	if len(changes) == 0 {
		return nil
	}
	if err := c.Printf("\n%s has changed since %s:\n", oneLine(name), since); err != nil {
		return err
	}
	rows := make([][]term.Cell, len(changes))
	for i, d := range changes {
		rows[i] = []term.Cell{term.Plain.Of(d.What), term.Plain.Of(cmp.Or(d.Was, "nothing")), term.Plain.Of(cmp.Or(d.Is, "nothing"))}
	}
	return c.Table([]term.Column{{Title: "WHAT"}, {Title: "WAS", Flex: true}, {Title: "IS", Flex: true}}, rows)
}

// lapsedTrust tells what was said of tools as they were, beside what they are.
func (c *cli) lapsedTrust(lapsed []contract.LapsedTrust) error {
	for _, l := range lapsed {
		if err := c.toolChanges(l.Tool, "you said what it is to be taken for", l.Changes); err != nil {
			return err
		}
		flags := inFlags(l.Said)
		if err := c.Printf("%s You said of %s: %s. It has changed since, so that counts only as far as it asks you more. If it still holds: %s\n",
			c.Paint(term.Yellow, "Careful:"), oneLine(l.Tool), flags, c.again("tool trust "+quoted(oneLine(l.Tool))+" "+flags)); err != nil {
			return err
		}
	}
	return nil
}

// inFlags is a statement on a tool as "tool trust" takes it.
func inFlags(t contract.Trust) string {
	var out []string
	for _, f := range []struct {
		name string
		said *bool
	}{{"side-effects", t.SideEffects}, {"requires-approval", t.RequiresApproval}, {"unasked", t.Unasked}} {
		if f.said != nil {
			out = append(out, fmt.Sprintf("--%s=%t", f.name, *f.said))
		}
	}
	if t.Autonomy != nil {
		out = append(out, "--autonomy "+string(*t.Autonomy))
	}
	if t.Ask != nil {
		out = append(out, "--ask "+flagOf(*t.Ask))
	}
	return strings.Join(out, " ")
}

// toolsLeftOut says which tools of a server can't be used.
func (c *cli) toolsLeftOut(tools []contract.LeftOut) error {
	if len(tools) == 0 {
		return nil
	}
	if err := c.Printf("\nThese can't be used, which its maker would have to change:\n"); err != nil {
		return err
	}
	for _, t := range tools {
		if err := c.Printf("  %s: %s\n", oneLine(t.Name), oneLine(t.Why)); err != nil {
			return err
		}
	}
	return nil
}

func toolAcceptCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "accept SERVER [TOOL…]", Short: "Accept tools of an MCP server as they are now",
		Long:    "Accept takes tools of an MCP server that are new or have changed: those named, or all\nthat wait. `interfaces show` tells what they say of themselves now, beside what they said\nwhen you accepted them. What you said of a tool with `tool trust` was said of the tool as it\nwas: say it again if it still holds.",
		Example: "  chalie tool accept everything\n  chalie tool accept everything echo add",
		Args:    cobra.MinimumNArgs(1), ValidArgsFunction: offered(c.running("listing interfaces"), (*apiclient.Client).Apps, func(a contract.App) cobra.Completion { return a.Name }),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.running("accepting tools").ask(cmd.Context(), func(api *session) error {
				app, err := interfaceNamed(cmd.Context(), c, api.Client, args[0])
				if err != nil {
					return err
				}
				waited, err := api.App(cmd.Context(), app.ID.ID)
				if err != nil {
					return err
				}
				shown, err := waited.Value()
				if err != nil {
					return err
				}
				object, err := api.AcceptTools(cmd.Context(), app.ID.ID, contract.Acceptance{Tools: args[1:], Pins: pinsOf(shown.Waiting)})
				return writeAnswer(c, object, err, func(now contract.Accepted) error { return c.accepted(cmd.Context(), api, shown, now.Accepted) })
			})
		},
	}
}

// pinsOf are the tools that wait as they were shown.
func pinsOf(waiting []contract.WaitingTool) map[string]string {
	out := make(map[string]string, len(waiting))
	for _, w := range waiting {
		out[w.Tool.Name] = w.Pin
	}
	return out
}

// accepted tells what was accepted, as it was and as it is, and what it isn't trusted with any more.
func (c *cli) accepted(ctx context.Context, api *session, shown contract.OneApp, names []string) error {
	if err := c.Printf("You accepted of %s: %s\n", oneLine(shown.Name), oneLine(strings.Join(names, ", "))); err != nil {
		return err
	}
	lapses := false
	for _, w := range shown.Waiting {
		if !slices.Contains(names, w.Tool.Name) {
			continue
		}
		if lapses = lapses || w.Lapses != nil; w.Lapses != nil {
			continue // told below
		}
		if err := c.toolChanges(w.Tool.Name, "you accepted it", w.Changes); err != nil {
			return err
		}
	}
	if !lapses {
		return nil
	}
	object, err := api.App(ctx, shown.ID.ID)
	if err != nil {
		return err
	}
	now, err := object.Value()
	if err != nil {
		return err
	}
	return c.lapsedTrust(now.Lapsed)
}

// guardName is the command that this program runs as between itself and a server that it
// started. It is none of a person's, and costs nothing of what the others need.
const guardName = "guard-mcp"

// newServers reaches the MCP servers that the registry knows.
func newServers(a *App, changed func(domain.ID)) (*mcpclient.Client, error) {
	cfg := mcpclient.Config{
		Book: a.folds.Registry, Dir: filepath.Join(a.cfg.Data, "mcp"), Logger: a.cfg.Logger, Changed: changed,
		Groups: func(name string, memory int64, processes int) (mcpclient.Group, error) {
			return cgroup.New(name, memory, processes)
		},
	}
	if self, err := os.Executable(); err == nil {
		cfg.Guard = []string{self, guardName}
	}
	return mcpclient.New(cfg)
}
