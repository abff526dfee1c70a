package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
)

// noun makes a command of what can be done with one kind of thing. Without a verb it
// does what the first one does, and takes the same flags: it shows what the noun is
// about.
func noun(cmd, shows *cobra.Command, verbs ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(shows)
	cmd.AddCommand(verbs...)
	cmd.Flags().AddFlagSet(shows.Flags())
	cmd.Args, cmd.RunE = subcommandOr(shows.Args), shows.RunE
	cmd.Long += "\n\nWithout a verb it does what \"" + shows.Name() + "\" does."
	cmd.Example = cmp.Or(cmd.Example, shows.Example)
	return cmd
}

// nearest are up to three of the names that a word may have been meant for, the likeliest
// first: those with the word in them, and then those with the fewest letters to change, in
// the whole name or in a part of it. within bounds how many those may be.
func nearest(word string, names []string, within int) []string {
	word = strings.ToLower(word)
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	for _, name := range names {
		whole := strings.ToLower(name)
		distance := levenshtein.ComputeDistance(word, whole)
		for part := range strings.FieldsFuncSeq(whole, func(r rune) bool { return r == '.' || r == '_' || r == '-' || r == ' ' }) {
			distance = min(distance, 1+levenshtein.ComputeDistance(word, part))
		}
		if len(word) > 2 && strings.Contains(whole, word) {
			distance = 0
		}
		if distance <= within {
			near = append(near, candidate{name, distance})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	out := make([]string, 0, suggested)
	for _, n := range near[:min(suggested, len(near))] {
		out = append(out, n.name)
	}
	return out
}

// suggested is how many names a misspelt one is answered with.
const suggested = 3

// slips is how many letters may be wrong in a word that is still the same: one in a short
// word, two in a long one.
func slips(word string) int { return 1 + len(word)/5 }

// didYouMean asks whether one of these was meant; "" of none.
func didYouMean(near []string) string {
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + enumerated(near, "or") + "?"
}

// enumerated writes names one after another: a, b and c.
func enumerated(names []string, word string) string {
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
	}
	return strings.Join(names, "")
}
