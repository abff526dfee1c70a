package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

const interfacesHelp = `Interfaces are the programs Chalie speaks with: they send it signals and
messages, and offer it tools. One comes in with a pairing key that you generate
and enter there, or registers by itself from this machine and waits until you
approve what it asks for.`

func interfacesCommand(c *console, o *options) *cobra.Command {
	return noun(&cobra.Command{
		Use: "interfaces", Short: "See and decide who may speak with Chalie", Long: interfacesHelp,
		Example: "  chalie interfaces\n  chalie interfaces --at \"2 hours ago\"  who could then",
	}, interfacesListCommand(c, o), interfacesShowCommand(c, o), interfacesKeyCommand(c, o),
		interfacesApproveCommand(c, o), interfacesRefreshCommand(c, o), interfacesRemoveCommand(c, o))
}

func interfacesListCommand(c *console, o *options) *cobra.Command {
	var at moment
	cmd := &cobra.Command{
		Use: "list", Short: "List the interfaces", Example: "  chalie interfaces list\n  chalie interfaces list --at -2h", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return listInterfaces(cmd, c, o, at) },
	}
	c.asOfFlag(cmd, &at)
	return cmd
}

// listInterfaces shows the interfaces as they are, or as they were.
func listInterfaces(cmd *cobra.Command, c *console, o *options, at moment) error {
	api, err := connect(cmd.Context(), c, o, foldsToo)
	if err != nil {
		return err
	}
	defer api.Close()
	if at.given != "" {
		object, err := api.AppsThen(cmd.Context(), at.asked)
		return c.interfacesThen(o, object, err)
	}
	apps, err := api.Apps(cmd.Context())
	if err != nil {
		return err
	}
	if o.json {
		return lines(c, apps)
	}
	list, err := values(apps)
	if err != nil {
		return err
	}
	if err := c.interfaces(o, list); err != nil {
		return err
	}
	return c.atRest(api)
}

func (c *console) interfacesThen(o *options, object apiclient.Object[apiclient.PastApps], err error) error {
	if err != nil || o.json {
		return orJSON(c, o, err, object)
	}
	then, err := object.Value()
	if err != nil {
		return err
	}
	if err := c.asOf(then.AsOf); err != nil {
		return err
	}
	if len(then.Apps) == 0 {
		_, err := fmt.Fprintln(c.out, "Chalie spoke with no interface.")
		return err
	}
	return c.interfaceTable(then.Apps)
}

// atRest says that what was shown is not what is.
func (c *console) atRest(s *session) error {
	if s.offline == nil {
		return nil
	}
	_, err := fmt.Fprintln(c.out, "\nChalie doesn't run: this is how it was when it stopped.")
	return err
}

func (c *console) interfaces(o *options, list []apiclient.App) error {
	if len(list) == 0 {
		_, err := fmt.Fprintf(c.out, "Chalie speaks with no interface. To let one in, generate a key and enter it there: %s\n", again(c, o, "interfaces key"))
		return err
	}
	if err := c.interfaceTable(list); err != nil {
		return err
	}
	for _, a := range list {
		if err := c.flaggedTools(a, ". See "+again(c, o, "interfaces show "+quoted(oneLine(a.Name)))); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(list, func(a apiclient.App) bool { return a.Status == domain.StatusPending }) {
		return nil
	}
	_, err := fmt.Fprintf(c.out, "\nPending ones may do nothing until you approve what they ask for: %s\n", again(c, o, "interfaces approve NAME"))
	return err
}

// flaggedTools warns of tools whose own words try something, whether they can be called
// yet or not.
func (c *console) flaggedTools(a apiclient.App, more string) error {
	if len(a.FlaggedTools) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(c.out, "\n%s tools of %s describe themselves in words that try to steer a model: %s%s\n",
		c.paint(yellow, "Careful:"), oneLine(a.Name), oneLine(strings.Join(a.FlaggedTools, ", ")), more)
	return err
}

func (c *console) interfaceTable(list []apiclient.App) error {
	t := table{c, []column{{title: "NAME", cut: true}, {title: "STATUS"}, {title: "WHERE", spare: 2}, {title: "ID"}, {title: "MAY", flex: true, spare: 1}}}
	rows := make([][]cell, 0, len(list))
	for _, a := range list {
		rows = append(rows, []cell{
			{oneLine(a.Name), bold}, interfaceStatus(a.Status), {where(a), plain}, {a.ID.UUID(), faint}, {may(a), plain},
		})
	}
	return t.write(c.out, rows)
}

func interfaceStatus(s domain.InterfaceStatus) cell {
	switch s {
	case domain.StatusOnline:
		return cell{"online", green}
	case domain.StatusOffline:
		return cell{"offline", red}
	}
	return cell{oneLine(string(s)), yellow}
}

func where(a apiclient.App) string { return oneLine(net.JoinHostPort(a.Host, strconv.Itoa(a.Port))) }

// may is what an interface is allowed, in a line: what was approved, and what a
// paired one may send by its token, whatever else was approved.
func may(a apiclient.App) string {
	var parts []string
	categories := []string{"context", "signals", "messages"}
	if a.Origin == domain.OriginPaired {
		categories = categories[:1]
		signals := "signals of every type"
		if len(a.Signals) > 0 {
			signals = "signals: " + strings.Join(a.Signals, ", ")
		}
		parts = append(parts, signals, "messages")
	}
	for _, category := range categories {
		if a.Origin == domain.OriginPaired && category != "context" {
			continue // its token says so
		}
		if keys := approvedKeys(a, category); len(keys) > 0 {
			parts = append(parts, category+": "+strings.Join(keys, ", "))
		}
	}
	if len(parts) == 0 {
		return "–"
	}
	return oneLine(strings.Join(parts, "; "))
}

const interfacesKeyExample = `  chalie interfaces key                then enter it, with host and port, in the interface's set-up`

func interfacesKeyCommand(c *console, o *options) *cobra.Command {
	return &cobra.Command{
		Use: "key", Short: "Generate a pairing key", Example: interfacesKeyExample, Args: exactly(),
		Long: "Key generates a pairing key: one interface can pair with it, once, within ten\nminutes. Chalie keeps only its hash, so it is shown once.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			api, err := connectToRunning(cmd.Context(), c, o, "generating a pairing key")
			if err != nil {
				return err
			}
			defer api.Close()
			object, err := api.PairingKey(cmd.Context())
			if err != nil {
				return err
			}
			if o.json {
				return c.json(object)
			}
			key, err := object.Value()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.out, "Enter this in the interface's set-up, within %d minutes:\n\n  Host  %s\n  Port  %d\n  Key   %s\n\nThe key is good for one attempt, and is shown only now.\n",
				key.Seconds/60, oneLine(key.Host), key.Port, c.paint(bold, key.Key))
			return err
		},
	}
}

func interfacesRefreshCommand(c *console, o *options) *cobra.Command {
	return onInterface(c, o, &cobra.Command{
		Use: "refresh NAME", Short: "Ask an interface again what it offers", Example: "  chalie interfaces refresh hospital",
	}, func(ctx context.Context, api *apiclient.Client, a apiclient.App) error {
		names, err := api.RefreshInterface(ctx, a.ID)
		if err != nil || o.json {
			return orJSON(c, o, err, map[string]any{"id": a.ID.UUID(), "capabilities": names})
		}
		offers := "no tools"
		if len(names) > 0 {
			offers = strings.Join(names, ", ")
		}
		_, err = fmt.Fprintf(c.out, "%s offers %s.\n", oneLine(a.Name), oneLine(offers))
		return err
	})
}

func interfacesRemoveCommand(c *console, o *options) *cobra.Command {
	return onInterface(c, o, &cobra.Command{
		Use: "remove NAME", Short: "Shut an interface out, at once", Example: "  chalie interfaces remove hospital",
		Long: "Remove ends an interface: its tools are gone and its token is refused, at once.",
	}, func(ctx context.Context, api *apiclient.Client, a apiclient.App) error {
		err := api.RemoveInterface(ctx, a.ID)
		if err != nil || o.json {
			return orJSON(c, o, err, map[string]any{"removed": a.ID.UUID()})
		}
		_, err = fmt.Fprintf(c.out, "%s is shut out.\n", oneLine(a.Name))
		return err
	})
}

// orJSON is the error, or the value as JSON.
func orJSON(c *console, _ *options, err error, value any) error {
	if err != nil {
		return err
	}
	return c.json(value)
}

// onInterface makes a command do something with the interface its argument names:
// by id, or by a name that only one has.
func onInterface(c *console, o *options, cmd *cobra.Command, do func(context.Context, *apiclient.Client, apiclient.App) error) *cobra.Command {
	return withInterface(c, o, cmd, func(ctx context.Context) (*session, error) {
		return connectToRunning(ctx, c, o, "changing interfaces")
	}, func(ctx context.Context, s *session, a apiclient.App) error { return do(ctx, s.Client, a) })
}

// withInterface is onInterface in a session that is opened so.
func withInterface(c *console, o *options, cmd *cobra.Command, open func(context.Context) (*session, error),
	do func(context.Context, *session, apiclient.App) error) *cobra.Command {
	cmd.Args, cmd.ValidArgsFunction = exactly("NAME"), completeInterfaces(c, o)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		api, err := open(cmd.Context())
		if err != nil {
			return err
		}
		defer api.Close()
		app, err := interfaceNamed(cmd.Context(), c, o, api.Client, args[0])
		if err != nil {
			return err
		}
		return do(cmd.Context(), api, app)
	}
	return cmd
}

func interfaceNamed(ctx context.Context, c *console, o *options, api *apiclient.Client, name string) (apiclient.App, error) {
	objects, err := api.Apps(ctx)
	if err != nil {
		return apiclient.App{}, err
	}
	list, err := values(objects)
	if err != nil {
		return apiclient.App{}, err
	}
	id, _ := domain.ParseID(name) // none, when it is a name
	var found []apiclient.App
	for _, a := range list {
		if a.Name == name || a.ID == id {
			found = append(found, a)
		}
	}
	switch len(found) {
	case 0:
		return apiclient.App{}, fmt.Errorf("no interface is named %q; see `%s`", name, again(c, o, "interfaces list"))
	case 1:
		return found[0], nil
	}
	return apiclient.App{}, fmt.Errorf("%d interfaces are named %q; give the id instead, as `%s` shows it", len(found), name, again(c, o, "interfaces list"))
}

// completeInterfaces offers the names.
func completeInterfaces(c *console, o *options) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		api, err := connectToRunning(cmd.Context(), c, o, "listing interfaces")
		if err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer api.Close()
		objects, err := api.Apps(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		list, err := values(objects)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		names := make([]cobra.Completion, len(list))
		for i, a := range list {
			names[i] = a.Name
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
