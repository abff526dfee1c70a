package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/builtinmodel"
	"chalie/adapters/models"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands/reasoning"
	"chalie/domain"
)

const modelsHelp = `Models answer. They are asked in order: where one can't answer, the next is asked
and says so. The built-in model is always the last: it needs no network.

They are chosen by --model, else by CHALIE_MODEL in the environment, else by
models.json in the data directory. Each is written PROVIDER:MODEL, with commas in
between; @URL behind it is for a server of your own. The providers are anthropic,
openai (and every server that speaks like it) and ollama. "builtin" chooses none.

The keys come from ANTHROPIC_API_KEY and OPENAI_API_KEY, or from models.json,
which only you may read (chmod 600). A key goes to its own provider and to no
other address, and is never shown. Secrets in what you say are taken out before
it is sent.`

const modelsExample = `  chalie models
  chalie models --model anthropic:claude-sonnet-5-5,ollama:llama3.1
  chalie models check
  chalie models available anthropic
  chalie serve --model openai:gpt-6-sol --verify openai:gpt-6-luna`

// modelFlags are the flags that choose models.
type modelFlags struct{ list, verify string }

func (f *modelFlags) add(cmd *cobra.Command) {
	flags := cmd.PersistentFlags()
	flags.StringVar(&f.list, "model", "", "the models to ask, in order, such as anthropic:claude-sonnet-5-5,ollama:llama3.1")
	flags.StringVar(&f.verify, "verify", "", "a model that checks answers before they are given, such as openai:gpt-6-luna")
}

// read is the models chosen by the flags, the environment and the file.
func (f *modelFlags) read(c *cli) (models.Chosen, error) {
	return f.settings(c).Read()
}

func (f *modelFlags) settings(c *cli) models.Settings {
	return models.Settings{List: f.list, Verify: f.verify, File: filepath.Join(c.data, models.FileName)}
}

func modelsCommand(c *cli) *cobra.Command {
	var chosen modelFlags
	cmd := &cobra.Command{
		Use: "models", Short: "See which models answer, and what they support", Long: modelsHelp, Example: modelsExample, Args: subcommandOr(exactly()),
		RunE: func(*cobra.Command, []string) error {
			got, err := chosen.read(c)
			if err != nil {
				return err
			}
			if c.json {
				for _, m := range listedModels(got) {
					if err := c.JSON(m); err != nil {
						return err
					}
				}
				return nil
			}
			return c.models(got)
		},
	}
	chosen.add(cmd)
	cmd.AddCommand(modelsCheckCommand(c, &chosen), modelsAvailableCommand(c, &chosen))
	return cmd
}

// listedModel is a model as JSON. Prices are US dollars for a million tokens.
type listedModel struct {
	Name      string   `json:"name"`
	Key       string   `json:"key"`        // where it comes from; "" without one
	Usable    bool     `json:"usable"`     // it has the key that it needs
	Context   int      `json:"context"`    // tokens; 0 when it isn't known
	MaxOutput int      `json:"max_output"` // tokens
	Tools     bool     `json:"tools"`
	Vision    bool     `json:"vision"`
	Schema    bool     `json:"schema"`
	Input     *float64 `json:"input_price"` // null when it isn't known
	Output    *float64 `json:"output_price"`
	Verifies  bool     `json:"verifies"`
	Answers   bool     `json:"answers"`

	Temperature *float64 `json:"temperature,omitempty"`
	Stop        []string `json:"stop,omitempty"` // before these its answers end
}

func listedModels(chosen models.Chosen) []listedModel {
	out := make([]listedModel, 0, len(chosen.Models)+2)
	verifier := ""
	if chosen.Verifier != nil {
		verifier = chosen.Verifier.Name()
	}
	for _, m := range chosen.Models {
		listed := listedFrom(m)
		listed.Answers, listed.Verifies = true, m.Name() == verifier
		out = append(out, listed)
		if listed.Verifies {
			verifier = ""
		}
	}
	free := 0.0
	builtin := builtinmodel.Model{}
	out = append(out, listedModel{Name: builtin.Name(), Usable: true, Tools: true, Vision: builtin.SeesImages(), Input: &free, Output: &free, Answers: true})
	if verifier != "" {
		listed := listedFrom(*chosen.Verifier)
		listed.Verifies = true
		out = append(out, listed)
	}
	return out
}

func listedFrom(m models.Choice) listedModel {
	t := m.Traits
	out := listedModel{Name: m.Name(), Key: m.KeyFrom, Usable: !m.NeedsKey() || !m.Key.IsZero(), Context: t.Context, MaxOutput: t.MaxOutput,
		Tools: t.Tools, Vision: t.Vision, Schema: t.Schema, Temperature: m.Style.Temperature, Stop: m.Style.Stop}
	if t.Price.IsKnown() || m.Provider == models.Ollama {
		const perDollar = 1_000_000
		in, output := float64(t.Price.Input)/perDollar, float64(t.Price.Output)/perDollar
		out.Input, out.Output = &in, &output
	}
	return out
}

func (c *cli) models(chosen models.Chosen) error {
	columns := []term.Column{
		{Title: "NAME"}, {Title: "KEY", Cut: true}, {Title: "CONTEXT", Right: true, Spare: 2}, {Title: "TOOLS"},
		{Title: "IMAGES", Spare: 3}, {Title: "PRICE", Spare: 1}, {Title: "FOR", Flex: true},
	}
	list := listedModels(chosen)
	rows := make([][]term.Cell, 0, len(list))
	for _, m := range list {
		rows = append(rows, []term.Cell{
			term.Bold.Of(m.Name), keyCell(m), term.Plain.Of(contextWords(m)), yesNo(m.Tools), yesNo(m.Vision), term.Plain.Of(priceWords(m)), term.Plain.Of(purpose(m)),
		})
	}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	err := c.Printf("\nThey are asked in this order. Prices are US dollars for a million tokens, in and out, as of %s;\nwhat a model costs whose price isn't known counts as 0.\n", models.PricesAsOf)
	if err == nil && len(chosen.Models) == 0 {
		err = c.Printf("No other model is chosen. How to choose one: %s\n", c.again("models --help"))
	}
	return err
}

func keyCell(m listedModel) term.Cell {
	switch {
	case !m.Usable:
		return term.Red.Of("missing")
	case m.Key != "":
		return term.Green.Of(m.Key)
	}
	return term.Faint.Of("none needed")
}

func contextWords(m listedModel) string {
	switch {
	case m.MaxOutput == 0:
		return "" // the built-in one counts no tokens
	case m.Context == 0:
		return "unknown"
	}
	return grouped(uint64(m.Context))
}

func yesNo(yes bool) term.Cell {
	if yes {
		return term.Plain.Of("yes")
	}
	return term.Faint.Of("no")
}

func priceWords(m listedModel) string {
	switch {
	case m.Input == nil:
		return "unknown"
	case *m.Input == 0 && *m.Output == 0:
		return "free"
	}
	return "$" + dollars(*m.Input) + " / $" + dollars(*m.Output)
}

func dollars(amount float64) string { return strconv.FormatFloat(amount, 'f', -1, 64) }

func purpose(m listedModel) string {
	switch {
	case m.Answers && m.Verifies:
		return "answers, and checks answers"
	case m.Verifies:
		return "checks answers"
	}
	return "answers"
}

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

// checkable are all chosen models, each once.
func checkable(chosen models.Chosen) []models.Choice {
	list := slices.Clone(chosen.Models)
	if v := chosen.Verifier; v != nil && !slices.ContainsFunc(list, func(m models.Choice) bool { return m.Name() == v.Name() }) {
		list = append(list, *v)
	}
	return list
}

// checkedModel is the result of a check, as JSON.
type checkedModel struct {
	Name   string       `json:"name"`
	OK     bool         `json:"ok"`
	Millis int64        `json:"ms"`
	Answer string       `json:"answer"`
	Error  string       `json:"error"` // "" when it answered
	Usage  domain.Usage `json:"usage"`
	Finish string       `json:"finish_reason"` // stop, tool_use, max_tokens or error
}

// check calls each model, and fails when one doesn't answer.
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
		out.Error, out.Finish = words(err), string(domain.FinishError)
		return out
	}
	out.Finish = string(reply.Finish)
	out.OK, out.Answer, out.Usage = true, domain.PlainText(reply.Blocks), reply.Usage
	return out
}

func replyOf(ctx context.Context, choice models.Choice) (reasoning.Reply, error) {
	list, err := models.New(models.Config{Choices: []models.Choice{choice}, Attempts: 1})
	if err != nil {
		return reasoning.Reply{}, err
	}
	if m, ok := list[0].(*models.Model); ok {
		defer m.Close()
	}
	return list[0].Reply(ctx, reasoning.Prompt{
		Kind: reasoning.AskedMessage, AsOf: domain.MillisOf(time.Now()), Zone: time.UTC,
		Asked: reasoning.Asked{Text: "Are you there? Answer in a word or two.", Source: "operator", From: domain.PrincipalOperator},
	})
}

func (c *cli) checked(got checkedModel) error {
	if c.json {
		return c.JSON(got)
	}
	if !got.OK {
		return c.Printf("%s %s: %s\n", c.Paint(term.Red, "✗"), oneLine(got.Name), oneLine(got.Error))
	}
	err := c.Printf("%s %s answers within %s: %s (%d tokens in, %d out)\n", c.Paint(term.Green, "✓"), oneLine(got.Name),
		time.Duration(got.Millis)*time.Millisecond, oneLine(got.Answer), got.Usage.InputTokens, got.Usage.OutputTokens)
	return err
}

// answeringModels are the models that answer, in the order they are tried, and the
// verifier of their answers.
type answeringModels struct {
	models   []reasoning.Model // the built-in one last: it always answers
	verifier reasoning.Verifier
	close    []func()
	profiles map[string]string // the model of each that isn't the first's
}

// newAnsweringModels makes the chosen models. Nothing is sent.
func newAnsweringModels(chosen models.Chosen) (*answeringModels, error) {
	chosenOnes, err := models.New(models.Config{Choices: chosen.Models})
	if err != nil {
		return nil, err
	}
	out := &answeringModels{models: append(chosenOnes, builtinmodel.Model{})}
	for _, m := range chosenOnes {
		if m, ok := m.(*models.Model); ok {
			out.close = append(out.close, m.Close)
		}
	}
	out.profiles = map[string]string{}
	for profile, named := range chosen.Profiles {
		if out.profiles[profile] = domain.ModelMeant(named, "", out.names()); out.profiles[profile] == "" {
			return nil, domain.Invalid("choose models", "profiles", fmt.Sprintf("the profile %s names %q, which is none of the models that answer: give one of those, or builtin", profile, named))
		}
	}
	if chosen.Verifier == nil {
		return out, nil
	}
	verifier, err := models.NewVerifier(*chosen.Verifier, models.Config{})
	if err != nil {
		return nil, err
	}
	out.verifier, out.close = verifier, append(out.close, verifier.Close)
	return out, nil
}

// names are the models' names, in order.
func (t *answeringModels) names() []string {
	out := make([]string, len(t.models))
	for i, m := range t.models {
		out[i] = m.Name()
	}
	return out
}

// seeImages reports whether the first model sees images.
func (t *answeringModels) seeImages() bool { return t.models[0].SeesImages() }

// release closes the models.
func (t *answeringModels) release() {
	for _, release := range t.close {
		release()
	}
}
