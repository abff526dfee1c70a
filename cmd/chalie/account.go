package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands/account"
	"chalie/domain"
	"chalie/replay/narrate"
)

const sessionsHelp = `A session is a browser or an app in which you are logged in. It lasts for 30 days
after it was last used, which is noted once a day, and for 90 in all. Where it was
logged in from is what the connection showed then. The id of a session opens nothing.`

func sessionsCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{Use: "sessions", Short: "See where you are logged in, and log out there", Long: sessionsHelp},
		sessionsListCommand(c), sessionsRevokeCommand(c))
}

func sessionsListCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List where you are logged in, the latest first", Example: "  chalie sessions list", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return showAll(cmd.Context(), c.folds(), (*apiclient.Client).Sessions, c.sessions)
		},
	}
}

func (c *cli) sessions(sessions []contract.Session) error {
	if len(sessions) == 0 {
		return c.Println("You are logged in nowhere.")
	}
	columns := []term.Column{{Title: "ID"}, {Title: c.Zoned("LOGGED IN"), Spare: 1}, {Title: "NOTED IN USE", Spare: 2}, {Title: "FROM"}, {Title: "CLIENT", Flex: true}}
	rows := make([][]term.Cell, 0, len(sessions))
	for _, s := range sessions {
		client := oneLine(s.Client)
		if client == "" {
			client = "(it did not say)"
		}
		from := strings.TrimPrefix(strings.TrimPrefix(oneLine(narrate.CameFrom(s.From, s.Relayed)), "from "), "through a ")
		if from == "" {
			from = "(not recorded)"
		}
		rows = append(rows, []term.Cell{term.Bold.Of(s.ID.UUID()), term.Plain.Of(c.Moment(s.OpenedAt)), term.Plain.Of(c.Moment(s.UsedAt)), term.Plain.Of(from), term.Plain.Of(client)})
	}
	return c.Table(columns, rows)
}

const sessionsRevokeExample = `  chalie sessions revoke 745f07ee-02a0-94d6-b270-ab929480c9fd
  chalie sessions revoke --all`

func sessionsRevokeCommand(c *cli) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "revoke [ID]", Short: "Log out one session, or all of them", Long: "Revoke logs a browser or an app out, at once: it needs the password again.\n\n" + sessionsHelp,
		Example: sessionsRevokeExample, Args: cobra.MaximumNArgs(1), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if all == (len(args) == 1) {
				return &usageError{fmt.Sprintf("name one session as %#q lists them, or give --all", c.again("sessions list")), cmd.CommandPath()}
			}
			return c.running("ending sessions").ask(cmd.Context(), func(api *session) (err error) {
				ended := 1
				if all {
					ended, err = api.EndSessions(cmd.Context())
				} else {
					err = api.EndSession(cmd.Context(), args[0])
				}
				if domain.CodeOf(err) == "no_session" {
					err = fmt.Errorf("no open session is %s; see `%s`", args[0], c.again("sessions list"))
				}
				return c.done(err, map[string]int{"ended": ended}, "Logged out: %d.", ended)
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "log out everywhere")
	return cmd
}

const passwordHelp = `Password sets the password that you log in with. The present one isn't asked for: who
may run this command here can read everything anyway. Every browser and app is logged
out, and has to log in with the new one. Tokens of programs stay as they are.

It is typed twice and not shown, or is the first line of standard input.`

const passwordExample = `  chalie password
  pass show chalie | chalie password`

func passwordCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "password", Short: "Set another password, also when you forgot it", Long: passwordHelp, Example: passwordExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.running("setting a password").ask(cmd.Context(), func(api *session) error {
				password, err := c.newPassword(cmd.Context())
				if err != nil {
					return err
				}
				ended, err := api.SetPassword(cmd.Context(), password)
				return c.done(err, map[string]int{"ended": ended}, "The password is set. Logged out: %d.", ended)
			})
		},
	}
}

// newPassword asks for a password on a terminal, and otherwise reads a line.
func (c *cli) newPassword(ctx context.Context) (string, error) {
	if c.IsTyped() {
		return c.typedPassword(ctx)
	}
	line, err := bufio.NewReader(io.LimitReader(c.In, domain.MaxPasswordBytes+2)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("standard input can't be read: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

func (c *cli) typedPassword(ctx context.Context) (string, error) {
	ctx, stop := whileWaiting(ctx)
	defer stop()
	first, err := c.ReadSecret(ctx, "New password: ")
	if err == nil {
		err = account.CheckPassword(first)
	}
	var second string
	if err == nil {
		second, err = c.ReadSecret(ctx, "Once more: ")
	}
	switch {
	case ctx.Err() != nil:
		return "", stoppedWaiting{errors.New("the password stays as it was")}
	case err == nil && first != second:
		err = errors.New("the two are not the same: nothing was changed, try again")
	}
	return first, err
}
