package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/replay/narrate"
)

const policyHelp = `The policy says what may be done for whom: at once, never, or when you approve it.
Its rules are read from the top, and the first one that matches decides. Every
decision stands in the log with the reasons and the regime, which is a hash of the
rules in force.`

func policyCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{Use: "policy", Short: "Show and change what may be done, and for whom", Long: policyHelp},
		policyShowCommand(c), policyHistoryCommand(c), policySetCommand(c), policyResetCommand(c))
}

func policyShowCommand(c *cli) *cobra.Command {
	var at moment
	cmd := &cobra.Command{
		Use: "show", Short: "Show the policy in force", Args: exactly(),
		Example: "  chalie policy show\n  chalie policy show --json > policy.json   to change it and set it again",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if at.given != "" { // that is read from the log, also where nothing runs
				return show(cmd.Context(), c.foldsAt(at), with((*apiclient.Client).PolicyThen, at.asked), c.policy)
			}
			return show(cmd.Context(), c.running("showing the policy"), (*apiclient.Client).Policy, c.policy)
		},
	}
	c.asOfFlag(cmd, &at)
	return cmd
}

// maxRegimes is how many changes of the policy can be shown at once, beside the one before.
const maxRegimes = 99

func policyHistoryCommand(c *cli) *cobra.Command {
	limit := 20
	cmd := &cobra.Command{
		Use: "history", Short: "Show what was changed of the policy and of tools, the newest first", Args: exactly(),
		Example: "  chalie policy history\n  chalie policy history --limit 50",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 || limit > maxRegimes {
				return &usageError{fmt.Sprintf("--limit is %d; give 1 to %d", limit, maxRegimes), cmd.CommandPath()}
			}
			return show(cmd.Context(), c.running("showing the policy's history"), with((*apiclient.Client).PolicyHistory, limit), func(in contract.Regimes) error {
				return c.regimes(in.Regimes, limit)
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", limit, "how many changes")
	return cmd
}

// regimes lists what each of some regimes changed against the one before.
func (c *cli) regimes(all []contract.Regime, limit int) error {
	columns := []term.Column{{Title: c.Zoned("SINCE")}, {Title: "THROUGH"}, {Title: "CHANGE", Flex: true}}
	var rows [][]term.Cell
	for i, r := range all[:min(len(all), limit)] {
		since, changes := "the beginning", []string{"What Chalie comes with."}
		if r.Change != "default" {
			since, changes = c.Moment(r.Since), []string{"It isn't known what was before."}
		}
		if i+1 < len(all) {
			before := all[i+1]
			changes = append(narrate.PolicyChanges(before.Policy, r.Policy), narrate.TrustChanges(before.Manifests, r.Manifests)...)
		}
		if len(changes) == 0 {
			changes = []string{"Nothing that decides anything."}
		}
		rows = append(rows, []term.Cell{term.Plain.Of(since), term.Plain.Of(string(r.Source)), term.Plain.Of(strings.Join(changes, " "))})
	}
	return c.Table(columns, rows)
}

const policySetHelp = `Set puts a policy in force, whole, in place of the one before. FILE holds what
"policy show --json" writes; - is standard input. What is misspelt in it is
refused, and then nothing changes. What waits for approval goes on waiting. A rule
that names a capability nothing is called so far is in order, and warned about.
A FILE that names the regime it was shown with takes the place of that one only: when
the policy was changed meanwhile it is refused, unless with --force.`

func policySetCommand(c *cli) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use: "set FILE", Short: "Put a policy in force", Long: policySetHelp, Args: exactly("FILE"),
		Example: "  chalie policy set policy.json",
		RunE: func(cmd *cobra.Command, args []string) error {
			rules, against, err := readPolicy(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			if force {
				against = ""
			}
			return setPolicy(cmd, c, rules, against)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "put it in force also when the policy was changed meanwhile")
	return cmd
}

func policyResetCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "reset", Short: "Put the policy in force that Chalie comes with", Args: exactly(), Example: "  chalie policy reset",
		RunE: func(cmd *cobra.Command, _ []string) error {
			rules, err := json.Marshal(domain.DefaultPolicy())
			if err != nil {
				return err
			}
			return setPolicy(cmd, c, rules, "")
		},
	}
}

func setPolicy(cmd *cobra.Command, c *cli, rules json.RawMessage, against string) error {
	return c.running("changing the policy").ask(cmd.Context(), func(api *session) error {
		object, err := api.SetPolicy(cmd.Context(), rules, against)
		if domain.CodeOf(err) == tool.CodePolicyChanged {
			err = adding(err, "; to put the file in force all the same, give --force")
		}
		return writeAnswer(c, object, err, c.policy)
	})
}

// readPolicy reads a file with the rules, with or without their regime.
func readPolicy(stdin io.Reader, name string) (rules json.RawMessage, regime string, err error) {
	var text []byte
	if name == "-" {
		text, err = io.ReadAll(io.LimitReader(stdin, maxPolicyFile))
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, "", fmt.Errorf("can't read the policy: %w", err)
	}
	var shown struct {
		RegimeID string          `json:"regime_id"`
		Policy   json.RawMessage `json:"policy"`
	}
	if err := json.Unmarshal(text, &shown); err != nil {
		return nil, "", fmt.Errorf("%s holds no JSON object: %w", name, err)
	}
	if len(shown.Policy) > 0 {
		return shown.Policy, shown.RegimeID, nil
	}
	return text, "", nil
}

const maxPolicyFile = 1 << 20

func (c *cli) policy(in contract.Policy) error {
	if in.AsOf != nil {
		if err := c.asOf(*in.AsOf); err != nil {
			return err
		}
	}
	if err := c.Printf("Regime %s\nAutonomy of what has side effects: %s. A question waits %d min. Invocations may be nested %d deep.\n\n",
		oneLine(in.RegimeID), in.Policy.Autonomy, in.Policy.ApprovalMinutes, in.Policy.MaxDepth); err != nil {
		return err
	}
	columns := []term.Column{{Title: "RULE"}, {Title: "FOR WHOM", Flex: true}, {Title: "WHAT", Flex: true}, {Title: "VERDICT"}, {Title: "AUTONOMY"}}
	rows := make([][]term.Cell, 0, len(in.Policy.Rules))
	for _, r := range in.Policy.Rules {
		rows = append(rows, []term.Cell{
			term.Bold.Of(r.Name), term.Plain.Of(forWhom(r)), term.Plain.Of(forWhat(r)), term.Plain.Of(string(r.Verdict)), term.Plain.Of(string(r.Autonomy)),
		})
	}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	if err := c.Printf("\n%s\n", domain.FootingSentence); err != nil {
		return err
	}
	for _, warning := range in.Warnings {
		c.Complain("warning: " + warning)
	}
	return nil
}

func forWhom(r domain.PolicyRule) string {
	who := "anybody"
	if len(r.Actors) > 0 {
		who = strings.Join(r.Actors, ", ")
	}
	if len(r.Channels) > 0 {
		who += " via " + strings.Join(r.Channels, ", ")
	}
	return who
}

func forWhat(r domain.PolicyRule) string {
	what := "anything"
	if len(r.Capabilities) > 0 {
		what = strings.Join(r.Capabilities, ", ")
	}
	switch {
	case r.SideEffects == nil:
	case *r.SideEffects:
		what += " with side effects"
	default:
		what += " without side effects"
	}
	return what
}
