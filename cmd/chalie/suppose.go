package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

const supposeHelp = `

What if: with one of the flags below it tells instead what would have come
otherwise. The log goes on as a branch in memory, with every input as it came then,
and today's code decides anew. What follows from something that is left out doesn't
come. Tools answer what they answered; a call that was not made then is listed, and
not made now. A model that isn't part of Chalie says what it said when it is asked
the same; asked something else, nobody knows, and the list says so. --model NAME lets
another answer: the built-in one freely, and one that Chalie was started with is
really asked, which is the one thing that leaves this machine and may cost money.
It ends with 0: differences are the answer.`

const supposeExample = `
  chalie replay --all --without 01KB2V7WYQC3V8P0J6R4T5N9XE
  chalie replay --all --edit 42 activation_energy=0.9
  chalie replay last --set half_life=12h --set cooldown=0s
  chalie replay --all --since 30d --policy strict.json
  chalie replay --set help             the parameters, with their values`

// suppose are the flags that make a replay ask what if.
type suppose struct {
	without, edit, set []string
	policy, model      string
	rest               []string // the arguments that belong to no edit
}

func (s *suppose) add(cmd *cobra.Command) {
	cmd.Long += supposeHelp
	cmd.Example += supposeExample
	flags := cmd.Flags()
	flags.StringArrayVar(&s.without, "without", nil, "leave out an input: an id, or a position in the log")
	flags.StringArrayVar(&s.edit, "edit", nil, "change a field of an input: ID field=value; recorded_at lets it come at another time")
	flags.StringArrayVar(&s.set, "set", nil, "decide by another parameter: half_life=12h; help lists them")
	flags.StringVar(&s.policy, "policy", "", "have another policy in force: the `FILE` as chalie policy set takes it, or - for standard input")
	flags.StringVar(&s.model, "model", "", "let another model answer: builtin, or one that Chalie was started with")
}

// split takes what belongs to --edit out of the arguments: its field=value may stand
// behind the id.
func (s *suppose) split(args []string) []string {
	for _, arg := range args {
		i := slices.IndexFunc(s.edit, func(e string) bool { return !strings.ContainsAny(e, " =") })
		if i < 0 || !strings.Contains(arg, "=") {
			s.rest = append(s.rest, arg)
			continue
		}
		s.edit[i] += " " + arg
	}
	return s.rest
}

func (s *suppose) wantsHelp() bool { return slices.Contains(s.set, "help") }

// read is what is supposed, as the API takes it.
func (s *suppose) read(cmd *cobra.Command, c *cli) (apiclient.Supposed, error) {
	out := apiclient.Supposed{Model: s.model, Zone: apiclient.ZoneName(c.Zone)}
	for _, id := range s.without {
		out.Without = append(out.Without, whyTarget(id))
	}
	for _, text := range s.edit {
		id, assignment, _ := strings.Cut(strings.TrimSpace(text), " ")
		field, value, found := strings.Cut(strings.TrimSpace(assignment), "=")
		if !found || field == "" {
			return out, &usageError{fmt.Sprintf("--edit %s names no field=value: write --edit ID field=value", text), cmd.CommandPath()}
		}
		out.Edit = append(out.Edit, apiclient.SupposedEdit{ID: whyTarget(id), Field: strings.TrimSpace(field), Value: value})
	}
	for _, text := range s.set {
		name, value, found := strings.Cut(text, "=")
		if !found {
			return out, &usageError{fmt.Sprintf("--set %s names no value: write --set name=value; --set help lists the names", text), cmd.CommandPath()}
		}
		if out.Set == nil {
			out.Set = map[string]string{}
		}
		out.Set[strings.TrimSpace(name)] = value
	}
	if s.policy != "" {
		rules, _, err := readPolicy(cmd.InOrStdin(), s.policy)
		if err != nil {
			return out, &usageError{words(err), cmd.CommandPath()}
		}
		out.Policy = rules
	}
	return out, nil
}

// whatIf asks what would have come otherwise, and tells it.
func (c *cli) whatIf(cmd *cobra.Command, what apiclient.ReplayRequest) error {
	api, err := connect(cmd.Context(), c, recordsOnly)
	if err != nil {
		return err
	}
	defer api.Close()
	object, err := metered(cmd.Context(), c, "replay", func(ctx context.Context, told func(apiclient.Progress)) (apiclient.Object[apiclient.WhatIf], error) {
		return api.WhatIf(ctx, what, told)
	})
	if err != nil {
		return replayRefused(cmd, c, err)
	}
	if c.json {
		return c.JSON(object)
	}
	out, err := object.Value()
	if err != nil {
		return err
	}
	if err := c.otherwise(out); err != nil || out.Asked == nil {
		return err
	}
	return c.reallyAsked(*out.Asked)
}

// reallyAsked says what was asked of a model, and what that took.
func (c *cli) reallyAsked(a apiclient.WhatIfAsked) error {
	u := a.Usage
	text := fmt.Sprintf("Asked %s %s: %s tokens in, %s out", oneLine(a.Model), counted(a.Questions, "question", "questions"),
		grouped(uint64(u.InputTokens+u.CacheReadTokens+u.CacheWriteTokens)), grouped(uint64(u.OutputTokens)))
	if u.CostMicros > 0 {
		const perDollar = 1_000_000
		text += ", $" + dollars(float64(u.CostMicros)/perDollar)
	} else {
		text += "; it is free, or its price isn't known"
	}
	_, err := fmt.Fprintf(c.Out, "\n%s.\n", text)
	return err
}

// otherwise writes what would have come otherwise.
func (c *cli) otherwise(out apiclient.WhatIf) error {
	whole := counted(out.Traces, "trace", "traces")
	text := fmt.Sprintf("%s would have come otherwise, of %s.", counted(len(out.Outcomes), "trace", "traces"), whole)
	switch {
	case out.Traces == 0:
		text = "There is nothing to decide anew."
	case out.Identical:
		text = fmt.Sprintf("%s: %s would have come to the same end.", c.Paint(term.Green, "Nothing would have been otherwise"), whole)
	}
	if _, err := fmt.Fprintln(c.Out, text); err != nil {
		return err
	}
	for _, o := range out.Outcomes {
		if _, err := fmt.Fprintf(c.Out, "\n%s\n", c.Paint(term.Bold, o.Trace.String())); err != nil {
			return err
		}
		if err := c.Sentences(o.Sentences); err != nil {
			return err
		}
	}
	if out.Skipped == 0 {
		return nil
	}
	_, err := fmt.Fprintf(c.Out, "\nTaken as %s: %s with something erased.\n", wereOf(out.Skipped), counted(out.Skipped, "trace", "traces"))
	return err
}

func wereOf(n int) string {
	if n == 1 {
		return "it was"
	}
	return "they were"
}

// listParameters lists what --set takes.
func (c *cli) listParameters() error {
	type listed struct {
		Name    string `json:"name"`
		Value   string `json:"value"`
		Least   string `json:"least"`
		Most    string `json:"most"`
		Meaning string `json:"meaning"`
	}
	var rows [][]term.Cell
	for _, p := range domain.DefaultParams().Listed() {
		if c.json {
			if err := c.JSON(listed{p.Name, p.Value, p.Least, p.Most, p.Meaning}); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []term.Cell{term.Bold.Of(p.Name), term.Plain.Of(p.Value), term.Plain.Of(p.Least + " to " + p.Most), term.Plain.Of(p.Meaning)})
	}
	if c.json {
		return nil
	}
	return c.Table([]term.Column{{Title: "NAME"}, {Title: "VALUE"}, {Title: "BOUNDS"}, {Title: "MEANING", Flex: true}}, rows)
}
