package main

import (
	"fmt"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"

	"github.com/spf13/cobra"
)

const approvalsHelp = `What the policy doesn't let Chalie do by itself waits for you: nothing is sent
before you say yes, and after a while it counts as a no. Each has a token to decide
it by. In a conversation a plain yes or no decides it while it is the only one.`

func approvalsCommand(c *cli) *cobra.Command {
	var at moment
	list := &cobra.Command{
		Use: "list", Short: "List what waits for your approval", Long: approvalsHelp, Args: exactly(), Example: "  chalie approvals list\n  chalie approvals list --at -2h            what waited two hours ago",
		RunE: func(cmd *cobra.Command, _ []string) error { return listApprovals(cmd, c, at) },
	}
	c.asOfFlag(list, &at)
	return noun(&cobra.Command{
		Use: "approvals", Short: "List what waits for your approval, and decide it", Long: approvalsHelp,
		Example: "  chalie approvals\n  chalie approvals grant TOKEN\n  chalie approvals refuse TOKEN\n  chalie approvals --at \"2 hours ago\"   what waited then",
	}, list, approvalCommand(c, "grant", "Let it be done"), approvalCommand(c, "refuse", "Don't let it be done"))
}

func listApprovals(cmd *cobra.Command, c *cli, at moment) error {
	if at.given != "" {
		return listApprovalsThen(cmd, c, at.asked)
	}
	api, err := connectToRunning(cmd.Context(), c, "listing approvals")
	if err != nil {
		return err
	}
	defer api.Close()
	pending, err := api.Approvals(cmd.Context())
	if err != nil {
		return err
	}
	if c.json {
		return lines(c, pending)
	}
	return c.approvals(pending)
}

// listApprovalsThen shows what waited. That is read from the log, also where
// nothing runs.
func listApprovalsThen(cmd *cobra.Command, c *cli, at string) error {
	api, err := connect(cmd.Context(), c, foldsToo)
	if err != nil {
		return err
	}
	defer api.Close()
	object, err := api.ApprovalsThen(cmd.Context(), at)
	if err != nil || c.json {
		return orJSON(c, err, object)
	}
	then, err := object.Value()
	if err != nil {
		return err
	}
	if err := c.asOf(then.AsOf); err != nil {
		return err
	}
	if len(then.Approvals) == 0 {
		_, err := fmt.Fprintln(c.Out, "Nothing waited for your approval.")
		return err
	}
	waited, err := values(then.Approvals)
	if err != nil {
		return err
	}
	columns := []term.Column{{Title: "WHAT", Flex: true}, {Title: "FOR WHOM", Cut: true}, {Title: c.Zoned("UNTIL")}}
	rows := make([][]term.Cell, 0, len(waited))
	for _, p := range waited {
		rows = append(rows, []term.Cell{term.Bold.Of(p.Summary), term.Plain.Of(p.Actor + " via " + p.Channel), term.Plain.Of(c.Moment(p.ExpiresAt))})
	}
	return c.Table(columns, rows)
}

func approvalCommand(c *cli, decision, short string) *cobra.Command {
	return &cobra.Command{
		Use: decision + " TOKEN", Short: short, Args: exactly("TOKEN"), ValidArgsFunction: completeApprovals(c),
		Long: short + ". Each can be decided once.\n\n" + approvalsHelp, Example: "  chalie approvals " + decision + " TOKEN",
		RunE: func(cmd *cobra.Command, args []string) error {
			api, err := connectToRunning(cmd.Context(), c, "deciding")
			if err != nil {
				return err
			}
			defer api.Close()
			object, err := api.DecideApproval(cmd.Context(), args[0], decision)
			if err != nil || c.json {
				return orJSON(c, err, object)
			}
			done, err := object.Value()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Out, "%s: %s\n", oneLine(done.Decision), oneLine(done.Summary))
			return err
		},
	}
}

func completeApprovals(c *cli) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		api, err := connectToRunning(cmd.Context(), c, "deciding")
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer api.Close()
		pending, err := api.Approvals(cmd.Context())
		var out []cobra.Completion
		for _, object := range pending {
			if p, valueErr := object.Value(); err == nil && valueErr == nil {
				out = append(out, cobra.CompletionWithDesc(p.ProposalToken, oneLine(p.Summary)))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

func (c *cli) approvals(pending []apiclient.Object[contract.Proposal]) error {
	if len(pending) == 0 {
		_, err := fmt.Fprintln(c.Out, "Nothing waits for your approval.")
		return err
	}
	columns := []term.Column{{Title: "WHAT", Flex: true}, {Title: "FOR WHOM", Cut: true}, {Title: c.Zoned("UNTIL")}, {Title: "TOKEN"}}
	rows := make([][]term.Cell, 0, len(pending))
	for _, object := range pending {
		p, err := object.Value()
		if err != nil {
			return err
		}
		rows = append(rows, []term.Cell{
			term.Bold.Of(p.Summary), term.Plain.Of(p.Actor + " via " + p.Channel), term.Plain.Of(c.Moment(p.ExpiresAt)), term.Plain.Of(p.ProposalToken),
		})
	}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.Out, "\nTo decide: %s, or refuse TOKEN\n", c.again("approvals grant TOKEN"))
	return err
}
