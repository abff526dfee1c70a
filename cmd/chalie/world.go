package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

const worldHelp = `World shows what Chalie has in mind: the few things that matter most now, each
with its salience from 0 to 1, and below them what was left out and why.

A signal's salience is twice its activation energy, halved every six hours, and
counted as 1 while it is above 1. A program's message weighs as a signal of 0.7 until
you have seen it. A reminder or a deadline weighs 1 when it is due
and half of that twelve hours before or after; a task without a deadline 0.5.

A moment that is past is shown as it was: from what was recorded until then,
with the salience it had then.`

const worldExample = `  chalie world
  chalie world --at +6h                what will be left of it in six hours
  chalie world --at -2h                what was in mind two hours ago
  chalie world --at pos:1234           what was in mind after the record at 1234
  chalie world --all                   with everything that was left out
  chalie world --json | jq '.items[0]'`

func worldCommand(c *cli) *cobra.Command {
	var at moment
	var all bool
	cmd := &cobra.Command{
		Use: "world", Short: "Show what is in mind now, and what is not, and why",
		Long: worldHelp, Example: worldExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd.Context(), c.foldsAt(at), with((*apiclient.Client).World, at.asked), func(state contract.World) error {
				return c.world(state, all)
			})
		},
	}
	c.timeFlag(cmd, &at, "at", "the moment to score for: tomorrow at 8, +6h, "+sayTime+", or a position such as pos:1234; the past as it was", true)
	cmd.Flags().BoolVar(&all, "all", false, "show everything that was left out")
	return cmd
}

// leftOutShown is how many items left out are shown without --all.
const leftOutShown = 10

// barWidth is how many columns a salience of 1 takes.
const barWidth = 10

func (c *cli) world(w contract.World, all bool) error {
	if w.Lacks != "" {
		c.Complain(w.Lacks)
	}
	err := c.Printf("World state at %s, through position %s\n\n",
		c.ZonedMoment(w.AsOf), grouped(uint64(w.Position)))
	if err != nil {
		return err
	}
	if len(w.Items) == 0 {
		if err := c.Println(nothingInMind(w.LeftOut, domain.PPMOf(w.Threshold))); err != nil {
			return err
		}
	} else if err := c.worldItems(w.Items, false); err != nil {
		return err
	}
	if err := c.relations(w); err != nil || len(w.LeftOut) == 0 {
		return err
	}
	if err := c.Printf("\nLeft out: %s\n\n", counted(len(w.LeftOut), "item", "items")); err != nil {
		return err
	}
	shown := w.LeftOut
	if !all && len(shown) > leftOutShown {
		shown = shown[:leftOutShown]
	}
	if err := c.worldItems(shown, true); err != nil || len(shown) == len(w.LeftOut) {
		return err
	}
	return c.Printf("\nand %s more (see them with --all or --json)\n", grouped(uint64(len(w.LeftOut)-len(shown))))
}

// relations writes which signals are related to which plans.
func (c *cli) relations(w contract.World) error {
	labels := map[domain.ID]string{}
	for _, item := range w.Items {
		labels[item.EnvelopeID] = oneLine(item.Label)
	}
	for _, rel := range w.Relations {
		heard, planned := labels[rel.Signal], labels[rel.Commitment]
		score := domain.PPMOf(rel.Score)
		if heard == "" || planned == "" || rel.Score < w.Surfaces {
			continue
		}
		if err := c.Printf("\n“%s” bears on “%s”: %s\n", heard, planned, score); err != nil {
			return err
		}
	}
	return nil
}

// nothingInMind says why the world state is empty: all items have faded or are over, or there are
// none.
func nothingInMind(leftOut []contract.WorldItem, threshold domain.PPM) string {
	over := func(item contract.WorldItem) bool {
		return item.Gate == domain.GateOver || item.Gate == domain.GateExpired
	}
	switch n := len(leftOut); {
	case n == 0:
		return "Nothing is in mind: no signal came in yet."
	case slices.ContainsFunc(leftOut, over):
		return "Nothing is in mind: below is why, for each."
	case n == 1:
		return fmt.Sprintf("Nothing is in mind: the one %s has faded below %s.", sortOf(leftOut), threshold)
	default:
		return fmt.Sprintf("Nothing is in mind: all %d %ss have faded below %s.", n, sortOf(leftOut), threshold)
	}
}

// sortOf is the word for what items are, all of them: a signal, a message or a plan.
func sortOf(items []contract.WorldItem) string {
	sort := func(item contract.WorldItem) string {
		if item.Kind.IsHeard() {
			return string(item.Kind)
		}
		return "plan"
	}
	first := sort(items[0])
	if slices.ContainsFunc(items, func(item contract.WorldItem) bool { return sort(item) != first }) {
		return "thing"
	}
	return first
}

func (c *cli) worldItems(items []contract.WorldItem, leftOut bool) error {
	columns := []term.Column{
		{Title: "SALIENCE"}, {Title: "KIND", Spare: 3}, {Title: "WHAT", Flex: true},
		{Title: "FROM", Cut: true, Spare: 2}, {Title: "HEARD", Spare: 1},
	}
	if leftOut {
		columns = append(columns, term.Column{Title: "WHY"})
	}
	short := leftOut || c.Narrow()
	rows := make([][]term.Cell, 0, len(items))
	for _, item := range items {
		row := []term.Cell{
			term.Plain.Of(salience(item.Salience, short) + bonus(item.Bonus)), term.Plain.Of(string(item.Kind)), term.Bold.Of(item.Label),
			term.Plain.Of(from(item)), term.Plain.Of(ago(age(item))),
		}
		if leftOut {
			row = append(row, term.Plain.Of(item.Gate.Brief()))
			for i := range row {
				row[i] = row[i].In(term.Faint)
			}
		}
		rows = append(rows, row)
	}
	return c.Table(columns, rows)
}

// bonus is the score that puts an item before heavier ones; "" for 0.
func bonus(value float64) string {
	if value <= 0 {
		return ""
	}
	return " +" + domain.PPMOf(value).String()
}

// from is an item's sender; a plan's is the person, whichever program recorded it.
func from(item contract.WorldItem) string {
	if item.Kind.IsMinded() {
		return "you"
	}
	return oneLine(item.Source)
}

// salience is the number with a bar.
func salience(value float64, short bool) string {
	number := domain.PPMOf(value).String()
	if short {
		return number
	}
	full := max(0, min(barWidth, int(math.Round(value*barWidth))))
	return number + " " + strings.Repeat("█", full) + strings.Repeat("░", barWidth-full)
}

func age(item contract.WorldItem) time.Duration {
	return time.Duration(item.AgeSeconds) * time.Second
}
