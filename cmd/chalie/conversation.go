package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

const conversationHelp = `Conversation shows what was said, the latest last: your words, and what Chalie
answered or told you of its own accord. Programs and say --in have conversations
of their own: --list names them, and --in shows one.`

func conversationCommand(c *cli) *cobra.Command {
	var limit int
	var in string
	var list bool
	var at moment
	cmd := &cobra.Command{
		Use: "conversation", Short: "Show what was said", Long: conversationHelp,
		Example: "  chalie conversation --limit 3\n  chalie conversation --list\n  chalie conversation --in work\n  chalie conversation --at 2027-03-17T18:00", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return &usageError{fmt.Sprintf("--limit is %d: give 0 for all, or more", limit), cmd.CommandPath()}
			}
			return c.foldsAt(at).ask(cmd.Context(), func(api *session) error {
				switch {
				case list:
					return show(cmd.Context(), c.folds(), (*apiclient.Client).Conversations, c.conversations)
				case at.given != "":
					return conversationThen(cmd.Context(), c, api.Client, at.asked, in, limit)
				}
				exchanges, err := conversation(cmd.Context(), func(ctx context.Context, limit, offset int) (apiclient.Conversation, error) {
					return api.Conversation(ctx, in, limit, offset)
				}, limit)
				if err == nil && len(exchanges) == 0 && in == "" && !c.json && saidElsewhere(cmd.Context(), api.Client) {
					return c.Printf("Nothing was said here yet; programs and other conversations have said something: %s\n", c.again("conversation --list"))
				}
				return writeAnswers(c, exchanges, err, c.conversation)
			})
		},
	}
	c.asOfFlag(cmd, &at)
	cmd.Flags().StringVar(&in, "in", "", "another conversation, by its `NAME` or its id")
	cmd.Flags().BoolVar(&list, "list", false, "list the conversations")
	cmd.Flags().IntVar(&limit, "limit", 10, "at most so many turns; 0 is all")
	return cmd
}

// saidElsewhere reports whether something was said in any conversation. Where that can't be read
// nothing is said of others.
func saidElsewhere(ctx context.Context, api *apiclient.Client) bool {
	object, err := api.Conversations(ctx)
	if err != nil {
		return false
	}
	all, err := object.Value()
	return err == nil && len(all.Conversations) > 0
}

// conversationThen shows the conversation of a past moment.
func conversationThen(ctx context.Context, c *cli, api *apiclient.Client, at, in string, limit int) error {
	var then contract.AsOf
	exchanges, err := conversation(ctx, func(ctx context.Context, limit, offset int) (apiclient.Conversation, error) {
		if offset > 0 {
			at = fmt.Sprintf("pos:%d", then.Position) // the further pages of the same
		}
		page, err := api.ConversationThen(ctx, at, in, limit, offset)
		if offset == 0 {
			then = page.AsOf
		}
		return page.Conversation, err
	}, limit)
	switch {
	case err != nil:
		return err
	case c.json:
		return c.JSON(struct {
			AsOf      contract.AsOf                         `json:"as_of"`
			Exchanges []apiclient.Object[contract.Exchange] `json:"exchanges"`
		}{then, exchanges})
	}
	if err := c.asOf(then); err != nil {
		return err
	}
	turns, err := apiclient.Values(exchanges)
	if err != nil {
		return err
	}
	if len(turns) == 0 {
		return c.Printf("Nothing had been said.\n")
	}
	return c.conversation(turns)
}

// conversation reads the latest exchanges, oldest first, a page at a time; a limit
// of 0 is all.
func conversation(ctx context.Context, read func(ctx context.Context, limit, offset int) (apiclient.Conversation, error), limit int) ([]apiclient.Object[contract.Exchange], error) {
	var all []apiclient.Object[contract.Exchange]
	for {
		size := contract.MaxExchanges
		if limit > 0 {
			size = min(size, limit-len(all))
		}
		page, err := read(ctx, size, len(all))
		if err != nil {
			return nil, err
		}
		all = append(page.Exchanges, all...)
		if !page.HasMore || len(page.Exchanges) == 0 || limit > 0 && len(all) >= limit {
			return all, nil
		}
	}
}

// conversations lists the conversations, the latest first.
func (c *cli) conversations(all contract.Conversations) error {
	if len(all.Conversations) == 0 {
		return c.Printf("Nothing was said yet. To begin: %s\n", c.again("say hello"))
	}
	rows := make([][]term.Cell, 0, len(all.Conversations))
	for _, one := range all.Conversations {
		name, id := "the default one", ""
		if !one.Default {
			name, id = domain.ConversationName(one.ConversationName).String(), one.ID.UUID()
		}
		rows = append(rows, []term.Cell{
			term.Plain.Of(cmp.Or(oneLine(name), "(erased)")), term.Plain.Of(strconv.Itoa(one.Exchanges)),
			term.Plain.Of(c.ZonedTime(one.Last.In(c.Zone))), term.Plain.Of(id),
		})
	}
	return c.Table([]term.Column{{Title: "CONVERSATION"}, {Title: "TURNS"}, {Title: "LATEST"}, {Title: "ID"}}, rows)
}

func (c *cli) conversation(turns []contract.Exchange) error {
	if len(turns) == 0 {
		return c.Printf("Nothing was said yet. To begin: %s\n", c.again("say hello"))
	}
	for i, turn := range turns {
		if i > 0 {
			if err := c.Println(); err != nil {
				return err
			}
		}
		if err := c.turn(turn); err != nil {
			return err
		}
	}
	// Only the latest buttons have numbers to press them by.
	last := turns[len(turns)-1]
	return c.buttons(last.ID.ID, domain.PressablesIn(last.Blocks))
}

// turn writes an exchange, with its id for "trace show".
func (c *cli) turn(x contract.Exchange) error {
	at := c.ZonedTime(x.Timestamp.In(c.Zone))
	said := "Nobody asked:" // what an interface had to say, or Chalie by itself
	if x.Action != nil {
		said = fmt.Sprintf("You pressed: “%s”", oneLine(cmp.Or(x.Action.Label, x.Action.Skill)))
	}
	if x.Prompt != "" || len(x.ImageIDs) > 0 {
		said = "You: " + oneLine(x.Prompt)
	}
	if n := len(x.ImageIDs); n > 0 {
		said = strings.TrimSpace(said) + " (" + counted(n, "image", "images") + ")"
	}
	if err := c.Printf("%s  %s\n%s\n", c.Paint(term.Faint, oneLine(at)), c.Paint(term.Faint, x.ID.ID.String()), c.Paint(term.Bold, said)); err != nil {
		return err
	}
	if len(x.Blocks) == 0 {
		return c.Println("(the answer is under way)")
	}
	return c.Blocks(x.Blocks)
}
