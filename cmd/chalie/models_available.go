package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/builtinmodel"
	"chalie/adapters/models"
	"chalie/cmd/chalie/internal/term"
)

const availableHelp = `Available asks the providers of the chosen models which models they have, or the
one that is named: anthropic, openai or ollama, and @URL behind it for a server of
your own. What is printed is what --model takes.`

func modelsAvailableCommand(c *cli, flags *modelFlags) *cobra.Command {
	return &cobra.Command{
		Use: "available [PROVIDER]", Short: "Ask the providers which models they have", Long: availableHelp,
		Example: "  chalie models available\n  chalie models available ollama\n  chalie models available openai@https://llm.example/v1",
		Args:    cobra.MaximumNArgs(1), ValidArgs: []string{string(models.Anthropic), string(models.OpenAI), string(models.Ollama)},
		RunE: func(cmd *cobra.Command, args []string) error {
			chosen, err := flags.read(c)
			if err != nil {
				return err
			}
			providers := chosen.Endpoints()
			if len(args) > 0 {
				one, err := flags.settings(c).Endpoint(args[0])
				if err != nil {
					return err
				}
				providers = []models.Choice{one}
			}
			if len(providers) == 0 {
				return noProviders(cmd.Context(), c, flags)
			}
			return c.available(cmd.Context(), providers, chosen)
		},
	}
}

// noProviders is the error where the settings choose no model. Those of the program that runs may have been
// chosen by a flag: their keys and addresses are its own.
func noProviders(ctx context.Context, c *cli, flags *modelFlags) error {
	var others []string
	err := flags.ask(ctx, c, func(asked modelsAsked, running bool) error {
		list, err := asked.Models(ctx)
		for _, m := range list {
			if running && m.Name != (builtinmodel.Model{}).Name() {
				others = append(others, m.Name)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	name := c.again("models available ollama")
	if len(others) > 0 {
		return fmt.Errorf("no model is chosen here, so no provider is asked: the Chalie that runs was started with %s; name the provider, as in `%s`, or the same --model", strings.Join(others, ", "), name)
	}
	return fmt.Errorf("no model is chosen, so no provider is asked: name one, as in `%s`", name)
}

// availableModel is a model of a provider as JSON. Prices are US dollars for a million tokens.
type availableModel struct {
	Model     string   `json:"model"` // as --model takes it
	Provider  string   `json:"provider"`
	ID        string   `json:"id"`   // the provider's
	Name      string   `json:"name"` // for a person
	Context   int      `json:"context"`
	MaxOutput int      `json:"max_output"`
	Tools     bool     `json:"tools"`
	Vision    bool     `json:"vision"`
	Input     *float64 `json:"input_price"` // null when it isn't known
	Output    *float64 `json:"output_price"`
	Chosen    bool     `json:"chosen"`
}

// available lists what providers have. One that doesn't answer doesn't hide the others.
func (c *cli) available(ctx context.Context, providers []models.Choice, chosen models.Chosen) error {
	var all []availableModel
	failed := false
	for _, provider := range providers {
		list, err := models.List(ctx, provider)
		if err != nil && len(providers) == 1 {
			return err
		}
		if err != nil {
			failed = true
			c.Complain(words(err))
		}
		for _, m := range list {
			known := listedFrom(m.Choice)
			isChosen := slices.ContainsFunc(checkable(chosen), func(one models.Choice) bool { return one.String() == m.Choice.String() })
			all = append(all, availableModel{
				Model: m.Choice.String(), Provider: string(m.Choice.Provider), ID: m.Choice.Model, Name: m.Name, Context: known.Context,
				MaxOutput: known.MaxOutput, Tools: known.Tools, Vision: known.Vision, Input: known.Input, Output: known.Output, Chosen: isChosen,
			})
		}
	}
	if err := c.availableTable(all); err != nil {
		return err
	}
	if failed {
		return silent{exitFailed}
	}
	return nil
}

func (c *cli) availableTable(all []availableModel) error {
	rows := make([][]term.Cell, 0, len(all))
	for _, m := range all {
		if c.json {
			if err := c.JSON(m); err != nil {
				return err
			}
			continue
		}
		shown := contract.ListedModel{Context: m.Context, MaxOutput: m.MaxOutput, Input: m.Input, Output: m.Output}
		rows = append(rows, []term.Cell{term.Bold.Of(m.Model), term.Plain.Of(m.Name), term.Plain.Of(contextWords(shown)), yesNo(m.Vision), term.Plain.Of(priceWords(shown)), yesNo(m.Chosen)})
	}
	if c.json {
		return nil
	}
	if len(all) == 0 {
		return c.Println("They list no models.")
	}
	return c.Table([]term.Column{
		{Title: "MODEL"}, {Title: "NAME", Flex: true, Spare: 3}, {Title: "CONTEXT", Right: true, Spare: 2}, {Title: "IMAGES", Spare: 4}, {Title: "PRICE", Spare: 1}, {Title: "CHOSEN"},
	}, rows)
}
