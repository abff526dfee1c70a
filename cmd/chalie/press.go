package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

const pressHelp = `Press presses a button below what Chalie said last, by its number, and waits for
what comes of it. Without a number it lists them.

A form's fields are given with --with. With --of it is an earlier answer's button:
what Chalie tells by itself may have come in since.`

const pressExample = `  chalie press
  chalie press 2
  chalie press 2 --of 01KB2V7WYQC3V8P0J6R4T5N9XE
  chalie press 1 --with size=large --with name=Ada`

// lookedThrough is how far back buttons are looked for, in exchanges.
const lookedThrough = 10

func pressCommand(c *cli) *cobra.Command {
	var with []string
	var of string
	cmd := &cobra.Command{
		Use: "press [N]", Short: "Press a button of what Chalie said last", Long: pressHelp, Example: pressExample,
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.running("pressing a button").ask(cmd.Context(), func(api *session) error {
				exchange, all, err := c.shownButtons(cmd.Context(), api.Client, of)
				if err != nil {
					return err
				}
				if len(args) == 0 {
					return c.buttons(exchange, all)
				}
				one, err := buttonNumbered(all, args[0], cmd.CommandPath())
				if err != nil {
					return err
				}
				payload, err := filledWith(one.Payload, with, cmd.CommandPath())
				if err != nil {
					return err
				}
				return c.await(cmd.Context(), api.Client, func(ctx context.Context) (domain.ID, error) { return api.Press(ctx, exchange, payload, one.Label) })
			})
		},
	}
	cmd.Flags().StringVar(&of, "of", "", "the turn whose button it is, by its `ID`")
	cmd.Flags().StringArrayVar(&with, "with", nil, "a field of the form around the button, as `name=value`; may be given again")
	return cmd
}

// shownButtons are those of an exchange, or of the latest that has any.
func (c *cli) shownButtons(ctx context.Context, api *apiclient.Client, of string) (domain.ID, []domain.Pressable, error) {
	var named domain.ID
	if of != "" {
		var err error
		if named, err = domain.ParseID(of); err != nil {
			return named, nil, err
		}
	}
	if !named.IsZero() {
		turn, err := api.Exchange(ctx, named)
		if err != nil {
			return named, nil, err
		}
		if all := domain.PressablesIn(turn.Blocks); len(all) > 0 {
			return named, all, nil
		}
		return named, nil, fmt.Errorf("the turn %s has no buttons: `%s` shows what was said", named, c.again("conversation"))
	}
	page, err := api.Conversation(ctx, "", lookedThrough, 0)
	if err != nil {
		return named, nil, err
	}
	turns, err := apiclient.Values(page.Exchanges)
	if err != nil {
		return named, nil, err
	}
	for _, turn := range slices.Backward(turns) {
		if all := domain.PressablesIn(turn.Blocks); len(all) > 0 {
			return turn.ID.ID, all, nil
		}
	}
	return named, nil, fmt.Errorf("none of the last %d turns has buttons: `%s` shows them, and --of presses those of an earlier one", lookedThrough, c.again("conversation"))
}

func buttonNumbered(all []domain.Pressable, number, path string) (domain.Pressable, error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(all) {
		return domain.Pressable{}, &usageError{fmt.Sprintf("%q is no button: give a number from 1 to %d", number, len(all)), path}
	}
	return all[n-1], nil
}

// filledWith is a payload with the fields around the button. What the button itself says wins.
func filledWith(payload map[string]any, fields []string, path string) ([]byte, error) {
	out := map[string]any{}
	for _, field := range fields {
		name, value, ok := strings.Cut(field, "=")
		if !ok || name == "" {
			return nil, &usageError{fmt.Sprintf("--with %q has no name: give name=value", field), path}
		}
		out[name] = value
	}
	maps.Copy(out, payload)
	return json.Marshal(out)
}

// buttons lists buttons by their numbers.
func (c *cli) buttons(exchange domain.ID, all []domain.Pressable) error {
	if len(all) == 0 {
		return nil
	}
	for i, b := range all {
		if err := c.Printf("  %d  %s\n", i+1, oneLine(b.Label)); err != nil {
			return err
		}
	}
	return c.Printf("%s\n", c.Paint(term.Faint, "To press one: "+c.again("press NUMBER --of "+exchange.String())))
}
