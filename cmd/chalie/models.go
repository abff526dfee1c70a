package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/builtinmodel"
	"chalie/adapters/httpapi"
	"chalie/adapters/models"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/language"
)

const modelsHelp = `Models answer. They are asked in order: where one can't answer, the next is asked
and says so. The built-in model is always the last: it needs no network.

They are chosen by --model, else by CHALIE_MODEL in the environment, else by
models.json in the data directory. Each is written PROVIDER:MODEL, with commas in
between; @URL behind it is for a server of your own. The providers are anthropic,
openai (and every server that speaks like it) and ollama. "builtin" chooses none.

While Chalie runs it is asked which models it has; otherwise, and with --model, you
see what its next start would have.

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

// modelsAsked tell of models: the running program's, or those that the next start would have.
type modelsAsked interface {
	Models(ctx context.Context) ([]contract.ListedModel, error)
	CheckModel(ctx context.Context, name string) (contract.CheckedModel, error)
}

// ask asks the running program about its models. Where none runs, and for models that are
// named by a flag, it reads the settings.
func (f *modelFlags) ask(ctx context.Context, c *cli, do func(asked modelsAsked, running bool) error) error {
	if f.list == "" && f.verify == "" {
		api, running, err := dialRunning(ctx, c)
		if err != nil {
			return err
		}
		if running {
			defer api.Close()
			return do(api, true)
		}
	}
	chosen, err := f.read(c)
	if err != nil {
		return err
	}
	return do(chosenModels{chosen}, false)
}

// chosenModels are models that were chosen.
type chosenModels struct{ chosen models.Chosen }

var (
	_ httpapi.ChosenModels = chosenModels{}
	_ modelsAsked          = chosenModels{}
	_ modelsAsked          = (*session)(nil)
)

// Models lists them.
func (m chosenModels) Models(context.Context) ([]contract.ListedModel, error) {
	return listedModels(m.chosen), nil
}

// checkTime bounds a check, so that its request is still answered.
const checkTime = 80 * time.Second

// CheckModel asks one of them a question of a few words.
func (m chosenModels) CheckModel(ctx context.Context, name string) (contract.CheckedModel, error) {
	all := checkable(m.chosen)
	for i := range all {
		if all[i].Name() != name {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, checkTime)
		checked := asked(ctx, all[i])
		cancel()
		return checked, nil
	}
	if (builtinmodel.Model{}).Name() == name {
		return contract.CheckedModel{}, domain.Invalid("check model", "name", name+" is the built-in model, which always answers: name another, or none")
	}
	return contract.CheckedModel{}, &domain.Error{Op: "check model", Category: domain.NotFound, Message: fmt.Sprintf("no chosen model is named %q; see `chalie models`", name)}
}

func modelsCommand(c *cli) *cobra.Command {
	var chosen modelFlags
	cmd := &cobra.Command{
		Use: "models", Short: "See which models answer, and what they support", Long: modelsHelp, Example: modelsExample, Args: subcommandOr(exactly()),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return chosen.ask(cmd.Context(), c, func(asked modelsAsked, running bool) error {
				list, err := asked.Models(cmd.Context())
				if err != nil {
					return err
				}
				if !c.json {
					return c.models(list, running)
				}
				for _, m := range list {
					if err := c.JSON(m); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	chosen.add(cmd)
	cmd.AddCommand(modelsCheckCommand(c, &chosen), modelsAvailableCommand(c, &chosen))
	return cmd
}

func listedModels(chosen models.Chosen) []contract.ListedModel {
	out := make([]contract.ListedModel, 0, len(chosen.Models)+2)
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
	out = append(out, contract.ListedModel{Name: builtin.Name(), Usable: true, Tools: true, Vision: builtin.SeesImages(), Input: &free, Output: &free, Answers: true})
	if verifier != "" {
		listed := listedFrom(*chosen.Verifier)
		listed.Verifies = true
		out = append(out, listed)
	}
	return out
}

func listedFrom(m models.Choice) contract.ListedModel {
	t := m.Traits
	out := contract.ListedModel{Name: m.Name(), Key: m.KeyFrom, Usable: !m.NeedsKey() || !m.Key.IsZero(), Context: t.Context, MaxOutput: t.MaxOutput,
		Tools: t.Tools, Vision: t.Vision, Schema: t.Schema, Temperature: m.Style.Temperature, Stop: m.Style.Stop}
	if t.Price.IsKnown() || m.Provider == models.Ollama {
		const perDollar = 1_000_000
		in, output := float64(t.Price.Input)/perDollar, float64(t.Price.Output)/perDollar
		out.Input, out.Output = &in, &output
	}
	return out
}

func (c *cli) models(list []contract.ListedModel, running bool) error {
	columns := []term.Column{
		{Title: "NAME"}, {Title: "KEY", Cut: true}, {Title: "CONTEXT", Right: true, Spare: 2}, {Title: "TOOLS"},
		{Title: "IMAGES", Spare: 3}, {Title: "PRICE", Spare: 1}, {Title: "FOR", Flex: true},
	}
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
	if err == nil && running {
		err = c.Println("So it is in the Chalie that runs: what is chosen anew counts from its next start.")
	}
	if err == nil && len(list) == 1 {
		err = c.Printf("No other model is chosen. How to choose one: %s\n", c.again("models --help"))
	}
	return err
}

func keyCell(m contract.ListedModel) term.Cell {
	switch {
	case !m.Usable:
		return term.Red.Of("missing")
	case m.Key != "":
		return term.Green.Of(m.Key)
	}
	return term.Faint.Of("none needed")
}

func contextWords(m contract.ListedModel) string {
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

func priceWords(m contract.ListedModel) string {
	switch {
	case m.Input == nil:
		return "unknown"
	case *m.Input == 0 && *m.Output == 0:
		return "free"
	}
	return "$" + dollars(*m.Input) + " / $" + dollars(*m.Output)
}

func dollars(amount float64) string { return strconv.FormatFloat(amount, 'f', -1, 64) }

func purpose(m contract.ListedModel) string {
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
			return flags.ask(cmd.Context(), c, func(asked modelsAsked, _ bool) error {
				names := args
				if len(names) == 0 {
					var err error
					if names, err = c.checkableNames(cmd.Context(), asked); err != nil {
						return err
					}
				}
				return c.check(cmd.Context(), asked, names)
			})
		},
	}
}

// checkableNames are the names of all models but the built-in one, which always answers.
func (c *cli) checkableNames(ctx context.Context, asked modelsAsked) ([]string, error) {
	list, err := asked.Models(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range list {
		if m.Name != (builtinmodel.Model{}).Name() {
			names = append(names, m.Name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no model is chosen but the built-in one, which always answers; how to choose one: `%s`", c.again("models --help"))
	}
	return names, nil
}

// checkable are all chosen models, each once.
func checkable(chosen models.Chosen) []models.Choice {
	list := slices.Clone(chosen.Models)
	if v := chosen.Verifier; v != nil && !slices.ContainsFunc(list, func(m models.Choice) bool { return m.Name() == v.Name() }) {
		list = append(list, *v)
	}
	return list
}

// check calls each model, and fails when one doesn't answer.
func (c *cli) check(ctx context.Context, models modelsAsked, names []string) error {
	failed := false
	for _, name := range names {
		got, err := models.CheckModel(ctx, name)
		if err != nil {
			return err
		}
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

func asked(ctx context.Context, choice models.Choice) contract.CheckedModel {
	out := contract.CheckedModel{Name: choice.Name()}
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

func replyOf(ctx context.Context, choice models.Choice) (language.Reply, error) {
	list, err := models.New(models.Config{Choices: []models.Choice{choice}, Attempts: 1})
	if err != nil {
		return language.Reply{}, err
	}
	if m, ok := list[0].(*models.Model); ok {
		defer m.Close()
	}
	return list[0].Reply(ctx, language.Prompt{
		Kind: language.AskedMessage, AsOf: domain.MillisOf(time.Now()), Zone: time.UTC,
		Asked: language.Asked{Text: "Are you there? Answer in a word or two.", Source: "operator", From: domain.PrincipalOperator},
	})
}

func (c *cli) checked(got contract.CheckedModel) error {
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
