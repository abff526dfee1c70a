package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/explain"
)

const whyNotHelp = `Why-not tells why you were not told of something, or why a tool was not used: each
decision that could have told it, what stopped it there with the numbers of then,
and the smallest change by which it would have been told.

ID is the id of a signal, a message, a reminder, a task or a tool call, as ULID,
UUID or 32 hex digits; its position in the log; the name of a tool; words of what
was heard or planned; or last, for the last thing Chalie kept to itself. Of an
episode any id will do. Of what has all the words the latest is meant, and others
are named.

A change that would have helped is tried: the decision is made again with it, by
today's code and without any effect. In a long log that takes some seconds.`

const whyNotExample = `  chalie why-not                       the last thing it kept to itself
  chalie why-not 01KB2V7WYQC3V8P0J6R4T5N9XE
  chalie why-not 42                    the record at position 42
  chalie why-not passport office       what has these words
  chalie why-not add_event --json      a tool by its name, as one object`

func whyNotCommand(c *cli) *cobra.Command {
	var blind bool
	cmd := &cobra.Command{
		Use: "why-not [ID|TOOL|WORDS|last]", Short: "Tell why Chalie did not tell or do something", Long: whyNotHelp, Example: whyNotExample,
		ValidArgsFunction: cobra.FixedCompletions([]string{"last"}, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			target := whyTarget(args)
			return c.past().ask(cmd.Context(), func(api *session) error {
				answer, err := api.WhyNot(cmd.Context(), target, c.Zone, !blind)
				return writeAnswer(c, answer, whyRefused(cmd, c, err), c.silence)
			})
		},
	}
	cmd.Flags().BoolVar(&blind, "no-try", false, "leave out what would have helped, which is quicker")
	return cmd
}

// silence writes a why-not answer: sentences first, then the decisions.
func (c *cli) silence(s explain.NotTold) error {
	listed := map[domain.Position]bool{}
	for _, d := range s.Considered {
		listed[d.Position] = d.Decision != s.Surfaced // which is to be asked about
	}
	if err := c.Sentences(withPositions(s.Parts, listed)); err != nil {
		return err
	}
	if s.Change != nil {
		for _, name := range slices.Sorted(maps.Keys(s.Change.Set)) {
			if err := c.Printf("To set it so from now on: %s\n", c.again("set "+name+" "+s.Change.Set[name])); err != nil {
				return err
			}
		}
	}
	if len(s.Considered) == 0 {
		return nil
	}
	if err := c.Println(); err != nil {
		return err
	}
	rows := make([][]term.Cell, 0, len(s.Considered))
	for _, d := range s.Considered {
		gate := term.Yellow
		if d.Gate == domain.Gate("") {
			gate = term.Green
		}
		rows = append(rows, []term.Cell{term.Plain.Of(grouped(uint64(d.Position))), term.Plain.Of(c.Moment(d.At)), term.Plain.Of(spelt(string(d.Kind))),
			gate.Of(d.Gate.Brief()), term.Plain.Of(numbersInWords(d.Numbers))})
	}
	return c.Table([]term.Column{
		{Title: c.Fitting("POSITION", "POS"), Right: true}, {Title: c.Zoned("AT"), Spare: 1}, {Title: "DECISION", Cut: true}, {Title: "WHAT STOPPED IT", Cut: true}, {Title: "NUMBERS", Flex: true},
	}, rows)
}

// numbersInWords are the numbers of a decision by name: scores with two decimals,
// times in their largest unit.
func numbersInWords(numbers explain.Numbers) string {
	counts := []string{"depth", "slots", "in_mind", "left_out"}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(numbers)) {
		n := numbers[name]
		plain, isTime := strings.CutSuffix(name, "_ms")
		switch {
		case isTime:
			out = append(out, spelt(plain)+" "+span(time.Duration(n)*time.Millisecond))
		case slices.Contains(counts, name):
			out = append(out, fmt.Sprintf("%s %.0f", spelt(plain), n))
		default:
			out = append(out, spelt(plain)+" "+domain.PPMOf(n).String())
		}
	}
	return strings.Join(out, ", ")
}
