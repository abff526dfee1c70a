package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/narrate"
)

const tokenHelp = `A token lets a program in: it sends signals, and messages that reach you, with
the header "Authorization: Bearer TOKEN". Which types of signal it may send can be
limited. Four names are rights, which let it do more and have to be named:

  mcp             see what Chalie has in mind and did, and ask for tools
  console         speak for you, and hear all that you do
  voice           have Chalie hear and speak for it
  context_update  say where and how you are

A program is known by its token, not by its name: one that gets a token of the
same name later is another program. Chalie keeps only a hash of the token, so it is shown once, when it is
issued.`

func tokenCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{Use: "token", Short: "Let programs in, and shut them out", Long: tokenHelp},
		tokenListCommand(c), tokenIssueCommand(c), tokenRevokeCommand(c))
}

const tokenIssueExample = `  chalie token issue weather --signals weather_forecast,weather_alert
  TOKEN=$(chalie token issue stocks --json | jq -r .token)`

func tokenIssueCommand(c *cli) *cobra.Command {
	var signals []string
	cmd := &cobra.Command{
		Use: "issue NAME", Short: "Let a program in under a name", Long: "Issue makes a token for a program and shows it once.\n\n" + tokenHelp,
		Example: tokenIssueExample, Args: exactly("NAME"), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd.Context(), c.running("changing tokens"), with2((*apiclient.Client).IssueToken, args[0], signals), func(issued contract.IssuedToken) error {
				may := narrate.Permissions(issued.Signals)
				if len(may) == 1 {
					return c.Printf("%s may now send messages and %s, with this token, which is not shown again:\n\n  %s\n",
						oneLine(issued.Name), may[0], issued.Token)
				}
				return c.Printf("%s may now:\n\n  - send messages\n  - %s\n\nIt shows this token, which is not shown again:\n\n  %s\n",
					oneLine(issued.Name), strings.Join(may, "\n  - "), issued.Token)
			})
		},
	}
	cmd.Flags().StringSliceVar(&signals, "signals", nil, "the signal types it may send, with commas between; default: all")
	return cmd
}

func tokenListCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the programs that are let in", Example: "  chalie token list", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return showAll(cmd.Context(), c.folds(), (*apiclient.Client).Tokens, c.tokens)
		},
	}
}

func (c *cli) tokens(tokens []contract.Token) error {
	if len(tokens) == 0 {
		return c.Printf("No program has a token. To let one in: %s\n%s", c.again("token issue NAME"), interfacesToo(c))
	}
	columns := []term.Column{{Title: "NAME"}, {Title: c.Zoned("SINCE")}, {Title: "LAST HEARD", Spare: 1}, {Title: "MAY, BESIDE SENDING MESSAGES", Flex: true}}
	rows := make([][]term.Cell, 0, len(tokens))
	for _, token := range tokens {
		heard := "-"
		if token.LastSeenAt != nil {
			heard = c.Moment(domain.Millis(token.LastSeenAt.UnixMilli()))
		}
		rows = append(rows, []term.Cell{
			term.Bold.Of(token.Name), term.Plain.Of(c.Moment(token.IssuedAt)), term.Plain.Of(heard), term.Plain.Of(narrate.Permitted(token.Signals) + speaksNow(token.MCP)),
		})
	}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	_, err := fmt.Fprint(c.Out, "\n"+interfacesToo(c))
	return err
}

// speaksNow names a program's open sessions of MCP.
func speaksNow(sessions []contract.MCPSession) string {
	var out strings.Builder
	for _, s := range sessions {
		fmt.Fprintf(&out, "; connected over MCP (%s): %s", s.Over, oneLine(s.Client+" "+s.Version))
	}
	return out.String()
}

// interfacesToo says that interfaces may send, too.
func interfacesToo(c *cli) string {
	return fmt.Sprintf("Interfaces may send, too: %s\n", c.again("interfaces list"))
}

func tokenRevokeCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "revoke NAME", Short: "Shut a program out, at once", Example: "  chalie token revoke weather",
		Args: exactly("NAME"), ValidArgsFunction: offered(c.folds(), (*apiclient.Client).Tokens, func(t contract.Token) cobra.Completion { return t.Name }),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.running("changing tokens").ask(cmd.Context(), func(api *session) error {
				err := api.RevokeToken(cmd.Context(), args[0])
				if domain.CodeOf(err) == "no_token" {
					err = fmt.Errorf("no active token is named %q; see `%s`", args[0], c.again("token list"))
				}
				return c.done(err, map[string]string{"revoked": args[0]}, "%s is shut out.", oneLine(args[0]))
			})
		},
	}
}

// catalogueNames offers the stored names of topics or event types.
func catalogueNames(name func(domain.Definition) string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return catalogued(name), cobra.ShellCompDirectiveNoFileComp
	}
}
