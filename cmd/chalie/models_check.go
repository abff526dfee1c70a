package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/models"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
	"chalie/domain"
)

const modelsCheckHelp = `Check asks each chosen model, or the one that is named, a question of a few words
and says how long it took to answer. It costs what a short question costs.`

func modelsCheckCommand(c *cli, flags *modelFlags) *cobra.Command {
	return &cobra.Command{
		Use: "check [NAME]", Short: "Ask the models something, to see that they answer", Long: modelsCheckHelp,
		Example: "  chalie models check\n  chalie models check ollama/llama3.1", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			chosen, err := flags.read(c)
			if err != nil {
				return err
			}
			list := checkable(chosen)
			if len(args) > 0 {
				list = slices.DeleteFunc(list, func(m models.Choice) bool { return m.Name() != args[0] })
				if len(list) == 0 {
					return fmt.Errorf("no chosen model is named %q; see `%s`", args[0], c.again("models"))
				}
			}
			if len(list) == 0 {
				return fmt.Errorf("no model is chosen but the built-in one, which always answers; how to choose one: `%s`", c.again("models --help"))
			}
			return c.check(cmd.Context(), list)
		},
	}
}

// checkable are all that were chosen, each once.
func checkable(chosen models.Chosen) []models.Choice {
	list := slices.Clone(chosen.Models)
	if v := chosen.Verifier; v != nil && !slices.ContainsFunc(list, func(m models.Choice) bool { return m.Name() == v.Name() }) {
		list = append(list, *v)
	}
	return list
}

// checkedModel is what a check found, as JSON.
type checkedModel struct {
	Name   string       `json:"name"`
	OK     bool         `json:"ok"`
	Millis int64        `json:"ms"`
	Answer string       `json:"answer"`
	Error  string       `json:"error"` // "" when it answered
	Usage  domain.Usage `json:"usage"`
}

// check asks each, and fails when one doesn't answer.
func (c *cli) check(ctx context.Context, list []models.Choice) error {
	failed := false
	for _, choice := range list {
		got := asked(ctx, choice)
		failed = failed || !got.OK
		if err := c.checked(got); err != nil {
			return err
		}
	}
	if failed {
		return silent{exitFailed}
	}
	return nil
}

func asked(ctx context.Context, choice models.Choice) checkedModel {
	out := checkedModel{Name: choice.Name()}
	started := time.Now()
	reply, err := replyOf(ctx, choice)
	out.Millis = time.Since(started).Milliseconds()
	if err != nil {
		out.Error = words(err)
		return out
	}
	out.OK, out.Answer, out.Usage = true, domain.PlainText(reply.Blocks), reply.Usage
	return out
}

func replyOf(ctx context.Context, choice models.Choice) (commands.Reply, error) {
	list, err := models.New(models.Config{Choices: []models.Choice{choice}, Attempts: 1})
	if err != nil {
		return commands.Reply{}, err
	}
	if m, ok := list[0].(*models.Model); ok {
		defer m.Close()
	}
	return list[0].Reply(ctx, commands.Prompt{
		Kind: commands.AskedMessage, AsOf: domain.MillisOf(time.Now()), Zone: time.UTC,
		Asked: commands.Asked{Text: "Are you there? Answer in a word or two.", Source: "operator", From: domain.PrincipalOperator},
	})
}

func (c *cli) checked(got checkedModel) error {
	if c.json {
		return c.JSON(got)
	}
	if !got.OK {
		_, err := fmt.Fprintf(c.Out, "%s %s: %s\n", c.Paint(term.Red, "✗"), oneLine(got.Name), oneLine(got.Error))
		return err
	}
	_, err := fmt.Fprintf(c.Out, "%s %s answers within %s: %s (%d tokens in, %d out)\n", c.Paint(term.Green, "✓"), oneLine(got.Name),
		time.Duration(got.Millis)*time.Millisecond, oneLine(got.Answer), got.Usage.InputTokens, got.Usage.OutputTokens)
	return err
}
