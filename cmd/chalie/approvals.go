package main

import (
	"cmp"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
)

const approvalsHelp = `What the policy doesn't let Chalie do by itself waits for you: nothing is sent
before you say yes, and after a while it counts as a no. Each has a token to decide
it by. In the conversation its buttons decide it; what you asked for there a plain yes
or no does, too, while it is the only one, and "1" or "yes to all" of several.`

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
	return showAll(cmd.Context(), c.running("listing approvals"), (*apiclient.Client).Approvals, c.approvals)
}

// listApprovalsThen shows the proposals of a past moment. It needs only the log, and
// works without a running Chalie.
func listApprovalsThen(cmd *cobra.Command, c *cli, at string) error {
	return show(cmd.Context(), c.foldsAndPast(), with((*apiclient.Client).ApprovalsThen, at), func(then apiclient.PastApprovals) error {
		if err := c.asOf(then.AsOf); err != nil {
			return err
		}
		if len(then.Approvals) == 0 {
			return c.Println("Nothing waited for your approval.")
		}
		waited, err := apiclient.Values(then.Approvals)
		if err != nil {
			return err
		}
		columns := []term.Column{{Title: "WHAT", Flex: true}, {Title: "FOR WHOM", Cut: true}, {Title: c.Zoned("UNTIL")}}
		rows := make([][]term.Cell, 0, len(waited))
		for _, p := range waited {
			rows = append(rows, []term.Cell{term.Bold.Of(p.Summary), term.Plain.Of(cmp.Or(p.ActorName, p.Actor) + " via " + p.Channel), term.Plain.Of(c.Moment(p.ExpiresAt))})
		}
		return c.Table(columns, rows)
	})
}

func approvalCommand(c *cli, decision, short string) *cobra.Command {
	return &cobra.Command{
		Use: decision + " TOKEN", Short: short, Args: exactly("TOKEN"), ValidArgsFunction: offered(c.running("deciding"), (*apiclient.Client).Approvals, func(p contract.Proposal) cobra.Completion {
			return cobra.CompletionWithDesc(p.ProposalToken, oneLine(p.Summary))
		}),
		Long: short + ". Each can be decided once.\n\n" + approvalsHelp, Example: "  chalie approvals " + decision + " TOKEN",
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd.Context(), c.running("deciding"), with2((*apiclient.Client).DecideApproval, args[0], decision), func(done contract.DecisionTaken) error {
				return c.Printf("%s: %s\n", oneLine(done.Decision), oneLine(done.Summary))
			})
		},
	}
}

func (c *cli) approvals(pending []contract.Proposal) error {
	if len(pending) == 0 {
		return c.Println("Nothing waits for your approval.")
	}
	columns := []term.Column{{Title: "WHAT", Flex: true}, {Title: "FOR WHOM", Cut: true}, {Title: c.Zoned("UNTIL")}, {Title: "TOKEN"}}
	rows := make([][]term.Cell, 0, len(pending))
	for _, p := range pending {
		rows = append(rows, []term.Cell{
			term.Bold.Of(p.Summary), term.Plain.Of(cmp.Or(p.ActorName, p.Actor) + " via " + p.Channel), term.Plain.Of(c.Moment(p.ExpiresAt)), term.Plain.Of(p.ProposalToken),
		})
	}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	return c.Printf("\nTo decide: %s, or refuse TOKEN\n", c.again("approvals grant TOKEN"))
}
