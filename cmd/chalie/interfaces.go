package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/narrate"
)

const interfacesHelp = `Interfaces are the programs Chalie speaks with: they send it signals and
messages, and offer it tools. One comes in with a pairing key that you generate
and enter there, or registers by itself from this machine and waits until you
approve what it asks for.`

func interfacesCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{
		Use: "interfaces", Short: "See and decide who may speak with Chalie", Long: interfacesHelp,
		Example: "  chalie interfaces\n  chalie interfaces --at \"2 hours ago\"  who could then",
	}, interfacesListCommand(c), interfacesShowCommand(c), interfacesKeyCommand(c),
		interfacesApproveCommand(c), interfacesRefreshCommand(c), interfacesRemoveCommand(c))
}

func interfacesListCommand(c *cli) *cobra.Command {
	var at moment
	cmd := &cobra.Command{
		Use: "list", Short: "List the interfaces", Example: "  chalie interfaces list\n  chalie interfaces list --at -2h", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return listInterfaces(cmd, c, at) },
	}
	c.asOfFlag(cmd, &at)
	return cmd
}

// listInterfaces shows the interfaces now or at a past moment.
func listInterfaces(cmd *cobra.Command, c *cli, at moment) error {
	if at.given != "" {
		return show(cmd.Context(), c.foldsAt(at), with((*apiclient.Client).AppsThen, at.asked), c.interfacesThen)
	}
	return c.folds().ask(cmd.Context(), func(api *session) error {
		apps, err := api.Apps(cmd.Context())
		return writeAnswers(c, apps, err, func(list []contract.App) error {
			if err := c.interfaces(list); err != nil {
				return err
			}
			return c.atRest(api)
		})
	})
}

func (c *cli) interfacesThen(then contract.PastApps) error {
	if err := c.asOf(then.AsOf); err != nil {
		return err
	}
	if len(then.Apps) == 0 {
		return c.Printf("Chalie spoke with no interface.\n")
	}
	return c.interfaceTable(then.Apps)
}

// atRest says that the output is of the time when Chalie stopped.
func (c *cli) atRest(s *session) error {
	if s.offline == nil {
		return nil
	}
	return c.Println("\nChalie doesn't run: this is how it was when it stopped.")
}

func (c *cli) interfaces(list []contract.App) error {
	if len(list) == 0 {
		return c.Printf("Chalie speaks with no interface. To let one in, generate a key and enter it there: %s\n", c.again("interfaces key"))
	}
	if err := c.interfaceTable(list); err != nil {
		return err
	}
	for _, a := range list {
		if err := c.flaggedTools(a, ". See "+c.again("interfaces show "+quoted(oneLine(a.Name)))); err != nil {
			return err
		}
	}
	for _, a := range list {
		if err := c.waitingTools(a); err != nil {
			return err
		}
	}
	if err := c.askedRights(list); err != nil {
		return err
	}
	if !slices.ContainsFunc(list, func(a contract.App) bool { return a.Status == domain.StatusPending }) {
		return nil
	}
	return c.Printf("\nPending ones may do nothing until you approve what they ask for: %s\n", c.again("interfaces approve NAME"))
}

// askedRights says what interfaces ask to do that nobody has decided about.
func (c *cli) askedRights(list []contract.App) error {
	asking := slices.DeleteFunc(slices.Clone(list), func(a contract.App) bool { return len(a.AskedRights) == 0 })
	if len(asking) == 0 {
		return nil
	}
	if err := c.Printf("\nAsked for, and not given until you answer:\n"); err != nil {
		return err
	}
	for _, a := range asking {
		words := slices.Sorted(maps.Values(a.AskedRights))
		if err := c.Printf("  %s asks to %s\n", c.Paint(term.Bold, oneLine(a.Name)), strings.Join(words, "; and to ")); err != nil {
			return err
		}
	}
	return c.Printf("To give it: %s, or with --nothing to refuse it\n", c.again("interfaces approve NAME"))
}

// flaggedTools warns of tools with flagged descriptions, callable or not.
func (c *cli) flaggedTools(a contract.App, more string) error {
	if len(a.FlaggedTools) == 0 {
		return nil
	}
	err := c.Printf("\n%s tools of %s describe themselves in words that try to steer a model: %s%s\n",
		c.Paint(term.Yellow, "Careful:"), oneLine(a.Name), oneLine(strings.Join(a.FlaggedTools, ", ")), more)
	return err
}

func (c *cli) interfaceTable(list []contract.App) error {
	columns := []term.Column{{Title: "NAME", Cut: true}, {Title: "STATUS"}, {Title: "WHERE", Spare: 2}, {Title: "ID"}, {Title: "MAY", Flex: true, Spare: 1}}
	rows := make([][]term.Cell, 0, len(list))
	for _, a := range list {
		rows = append(rows, []term.Cell{
			term.Bold.Of(a.Name), interfaceStyle(a.Status).Of(string(a.Status)), term.Plain.Of(where(a)), term.Faint.Of(a.ID.UUID()), term.Plain.Of(may(a)),
		})
	}
	return c.Table(columns, rows)
}

func interfaceStyle(s domain.InterfaceStatus) term.Style {
	switch s {
	case domain.StatusOnline:
		return term.Green
	case domain.StatusOffline:
		return term.Red
	}
	return term.Yellow
}

func where(a contract.App) string {
	return oneLine(narrate.Shortened(narrate.WithoutQuery(a.Where()), maxWhere))
}

// maxWhere bounds a command in a table, in bytes.
const maxWhere = 60

// may is an interface's permissions in a line: the approved ones, and the signals that a
// paired one's token permits.
func may(a contract.App) string {
	var parts []string
	categories := []string{"context", "signals", "messages"}
	if a.Origin == domain.OriginPaired {
		categories = categories[:1]
		if plain := domain.WithoutRights(a.Signals); len(plain) > 0 {
			parts = append(parts, "signals: "+strings.Join(plain, ", "))
		} else if len(a.Signals) == 0 {
			parts = append(parts, "signals of every type")
		}
		parts = append(parts, "messages")
		for _, right := range domain.RightsOfInterfaces(approvedKeys(a, "signals")) {
			words, _ := domain.RightInWords(right)
			parts = append(parts, words)
		}
	}
	for _, category := range categories {
		if a.Origin == domain.OriginPaired && category != "context" {
			continue // its token says so
		}
		if keys := approvedKeys(a, category); len(keys) > 0 {
			parts = append(parts, category+": "+strings.Join(keys, ", "))
		}
	}
	if a.Server != nil {
		parts = append(parts, "offer tools")
	}
	if len(parts) == 0 {
		return "–"
	}
	return oneLine(strings.Join(parts, "; "))
}

const interfacesKeyExample = `  chalie interfaces key                then enter it, with host and port, in the interface's set-up`

func interfacesKeyCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "key", Short: "Generate a pairing key", Example: interfacesKeyExample, Args: exactly(),
		Long: "Key generates a pairing key: one interface can pair with it, once, within ten\nminutes. Chalie keeps only its hash, so it is shown once.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd.Context(), c.running("generating a pairing key"), (*apiclient.Client).PairingKey, func(key contract.PairingKey) error {
				return c.Printf("Enter this in the interface's set-up, within %d minutes:\n\n  Host  %s\n  Port  %d\n  Key   %s\n\nThe key is good for one attempt, and is shown only now.\n",
					key.Seconds/60, oneLine(key.Host), key.Port, c.Paint(term.Bold, key.Key))
			})
		},
	}
}

func interfacesRefreshCommand(c *cli) *cobra.Command {
	return onInterface(c.running("changing interfaces"), &cobra.Command{
		Use: "refresh NAME", Short: "Ask an interface again what it offers", Example: "  chalie interfaces refresh hospital",
	}, func(ctx context.Context, api *session, a contract.App) error {
		names, err := api.RefreshInterface(ctx, a.ID.ID)
		offers := cmp.Or(strings.Join(names, ", "), "no tools")
		return c.done(err, map[string]any{"id": a.ID.UUID(), "capabilities": names}, "%s offers %s.", oneLine(a.Name), oneLine(offers))
	})
}

func interfacesRemoveCommand(c *cli) *cobra.Command {
	return onInterface(c.running("changing interfaces"), &cobra.Command{
		Use: "remove NAME", Short: "Shut an interface out, at once", Example: "  chalie interfaces remove hospital",
		Long: "Remove ends an interface: its tools are gone and its token is refused, at once.",
	}, func(ctx context.Context, api *session, a contract.App) error {
		return c.done(api.RemoveInterface(ctx, a.ID.ID), map[string]any{"removed": a.ID.UUID()}, "%s is shut out.", oneLine(a.Name))
	})
}

// onInterface makes a command do something with the interface its argument names:
// by id, or by a name that only one has.
func onInterface(from origin, cmd *cobra.Command, do func(context.Context, *session, contract.App) error) *cobra.Command {
	c := from.cli
	cmd.Args, cmd.ValidArgsFunction = exactly("NAME"), offered(c.running("listing interfaces"), (*apiclient.Client).Apps, func(a contract.App) cobra.Completion { return a.Name })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return from.ask(cmd.Context(), func(api *session) error {
			app, err := interfaceNamed(cmd.Context(), c, api.Client, args[0])
			if err != nil {
				return err
			}
			return do(cmd.Context(), api, app)
		})
	}
	return cmd
}

func interfaceNamed(ctx context.Context, c *cli, api *apiclient.Client, name string) (contract.App, error) {
	list, err := apiclient.ReadAll(api.Apps(ctx))
	if err != nil {
		return contract.App{}, err
	}
	id, _ := domain.ParseID(name) // none, when it is a name
	var found []contract.App
	for _, a := range list {
		if a.Name == name || a.ID.ID == id {
			found = append(found, a)
		}
	}
	switch len(found) {
	case 0:
		return contract.App{}, fmt.Errorf("no interface is named %q; see `%s`", name, c.again("interfaces list"))
	case 1:
		return found[0], nil
	}
	return contract.App{}, fmt.Errorf("%d interfaces are named %q; give the id instead, as `%s` shows it", len(found), name, c.again("interfaces list"))
}

// requestedKeys are the permissions that an interface asks for in one category, with its
// reasons.
func requestedKeys(a contract.App, category string) map[string]string {
	return map[string]map[string]string{
		"context": a.Requested.Context, "signals": a.Requested.Signals, "messages": a.Requested.Messages,
	}[category]
}

// allowed are an interface's permissions in one category.
func allowed(a contract.App, category string) map[string]bool {
	return map[string]map[string]bool{
		"context": a.ApprovedScopes.Context, "signals": a.ApprovedScopes.Signals, "messages": a.ApprovedScopes.Messages,
	}[category]
}

func approvedKeys(a contract.App, category string) []string {
	return slices.Sorted(maps.Keys(allowed(a, category)))
}

const interfacesApproveHelp = `Approve allows an interface what it asks for: all of it, unless flags name the
keys. What isn't approved is refused: signals of a type, messages about a topic,
fields of your context. Approving again replaces what was allowed before.

What a paired interface may send stands in its pairing and ends when you remove
it: of such a one only the fields of your context can be approved, and the rights
that it named, which are voice and context_update.`

const interfacesApproveExample = `  chalie interfaces approve weather                      everything it asks for
  chalie interfaces approve weather --signals forecast   this, and nothing else
  chalie interfaces approve weather --nothing            nothing any more; its tools stay`

func interfacesApproveCommand(c *cli) *cobra.Command {
	var fields, signals, messages []string
	var nothing bool
	cmd := &cobra.Command{
		Use: "approve NAME", Short: "Allow an interface what it asks for", Long: interfacesApproveHelp, Example: interfacesApproveExample,
	}
	onInterface(c.running("changing interfaces"), cmd, func(ctx context.Context, api *session, a contract.App) error {
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
		if err := api.Approve(ctx, a.ID.ID, approved); err != nil {
			return err
		}
		object, err := api.App(ctx, a.ID.ID)
		return writeAnswer(c, object, err, func(now contract.OneApp) error {
			return c.Printf("%s is %s, and may: %s\n", oneLine(now.Name), now.Status, may(now.App))
		})
	})
	cmd.Flags().StringSliceVar(&fields, "context", nil, "fields of your context it may read")
	cmd.Flags().StringSliceVar(&signals, "signals", nil, "types of signals it may send")
	cmd.Flags().StringSliceVar(&messages, "messages", nil, "topics it may send messages about")
	cmd.Flags().BoolVar(&nothing, "nothing", false, "allow nothing")
	return cmd
}

// approvable says why an interface can't be approved for these keys: it didn't ask
// for one of them, or has its rights from its pairing.
func approvable(c *cli, a contract.App, approved domain.Approval) error {
	why := ""
	nothingAsked := allAsked(a).Empty()
	if a.Origin == domain.OriginPaired && (nothingAsked || len(domain.WithoutRights(approved.Signals))+len(approved.Messages) > 0) {
		why = fmt.Sprintf("%s is paired: what it may send (%s) stands in its pairing and ends only with %s; only fields of your context and rights can be approved for it",
			a.Name, may(a), "`"+c.again("interfaces remove "+quoted(a.Name))+"`")
		if nothingAsked {
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

// allAsked are all permissions that an interface asks for and can be approved for.
func allAsked(a contract.App) domain.Approval {
	if a.Origin == domain.OriginPaired {
		return domain.NewApproval(keysOf(a.Requested.Context), domain.RightsIn(keysOf(a.Requested.Signals)), nil)
	}
	return domain.NewApproval(keysOf(a.Requested.Context), keysOf(a.Requested.Signals), keysOf(a.Requested.Messages))
}

// mayDo reports whether an interface may do what it asks for under a key.
func mayDo(a contract.App, category, key string) bool {
	_, right := domain.RightInWords(key)
	if a.Origin != domain.OriginPaired || category == "context" || category == "signals" && right {
		return allowed(a, category)[key]
	}
	return category == "messages" || len(a.Signals) == 0 || slices.Contains(a.Signals, key)
}

func keysOf(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

func interfacesShowCommand(c *cli) *cobra.Command {
	return onInterface(c.folds(), &cobra.Command{
		Use: "show NAME", Short: "Show what an interface asks for, may do and offers", Example: "  chalie interfaces show hospital",
	}, func(ctx context.Context, api *session, a contract.App) error {
		object, err := api.App(ctx, a.ID.ID)
		return writeAnswer(c, object, err, func(app contract.OneApp) error {
			if err := c.oneInterface(app); err != nil {
				return err
			}
			if err := c.flaggedTools(app.App, "."); err != nil {
				return err
			}
			if err := c.askedRights([]contract.App{app.App}); err != nil {
				return err
			}
			if app.Status == domain.StatusPending {
				name := quoted(oneLine(app.Name))
				if err := c.Printf("\nIt waits for your yes, and may do nothing until then:\n\n  %s\n  %s  to turn it away\n",
					c.again("interfaces approve "+name), c.again("interfaces remove "+name)); err != nil {
					return err
				}
			}
			return c.atRest(api)
		})
	})
}

func (c *cli) oneInterface(a contract.OneApp) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s  %s\n%s\n\n", c.Paint(term.Bold, oneLine(a.Name)), c.Paint(interfaceStyle(a.Status), oneLine(string(a.Status))), c.Paint(term.Faint, a.ID.UUID()))
	for _, line := range [][2]string{{"What", a.Description}, {"Version", a.Version}, {"By", a.Author}, {"Where", where(a.App)}, {"Offline", a.OfflineReason}} {
		if line[1] != "" {
			fmt.Fprintf(&out, "%-8s  %s\n", line[0], oneLine(line[1]))
		}
	}
	if a.Server != nil {
		out.WriteString(reachedBy(*a.Server))
	}
	if a.Origin == domain.OriginPaired {
		fmt.Fprintf(&out, "%-8s  %s\n", "May", may(a.App))
	}
	if a.LastSeenAt != nil {
		fmt.Fprintf(&out, "%-8s  %s\n", "Heard", a.LastSeenAt.String())
	}
	if _, err := fmt.Fprint(c.Out, out.String()); err != nil {
		return err
	}
	if err := c.scopes(a.App); err != nil {
		return err
	}
	if err := c.waitingTools(a.App); err != nil {
		return err
	}
	if err := c.toolsWaiting(a.Waiting); err != nil {
		return err
	}
	if err := c.lapsedTrust(a.Lapsed); err != nil {
		return err
	}
	if err := c.toolsLeftOut(a.LeftOut); err != nil {
		return err
	}
	if len(a.Capabilities) == 0 {
		return nil
	}
	if err := c.Println(); err != nil {
		return err
	}
	rows := make([][]term.Cell, len(a.Capabilities))
	for i, t := range a.Capabilities {
		rows[i] = []term.Cell{term.Bold.Of(t.Name), term.Plain.Of(t.Description)}
	}
	return c.Table([]term.Column{{Title: "TOOL"}, {Title: "WHAT IT DOES", Flex: true}}, rows)
}

// scopes shows the permissions an interface asks for, with its reasons, and those it has.
func (c *cli) scopes(a contract.App) error {
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
	if err := c.Println(); err != nil {
		return err
	}
	return c.Table([]term.Column{{Title: "ASKS FOR"}, {Title: "KEY"}, {Title: "MAY"}, {Title: "WHY, IN ITS WORDS", Flex: true}}, rows)
}
