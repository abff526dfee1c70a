package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chalie/domain"
	"chalie/domain/when"
)

// defaultData is where Chalie keeps everything unless told otherwise.
const defaultData = "./data"

const rootHelp = `Chalie is one person's cognitive router. The world sends it signals; it keeps
what matters now in mind and lets the rest fade. Say something to it and it
answers. Everything it was told and did stands in a log that only ever grows,
and everything it knows is a fold of that log.

Start it with "serve". The other commands ask the running Chalie over the
socket in its data directory. When none runs, those that show what stands in the
log read the data directory themselves, and never change it; the others say so.

A command that is a noun shows what it is about: "chalie tool" lists the tools, as
"chalie tool list" does. Its help names what else can be done with it. Times are
given in words, too: --since yesterday, --at "last Monday at 8".

Exit codes: 0 done; 1 it failed, or damage was found; 2 the command was not
understood; 3 a tool was called and nobody knows what came of it; 4 the log
holds what this build can't read; 130 an interrupt ended the waiting.`

const rootExample = `  chalie demo                          see what it is for, within a minute
  chalie serve                         start on http://127.0.0.1:8081, data in ./data
  chalie say what is on your mind?     talk to it
  chalie world                         what is in mind now, and what is not, and why
  chalie log --since 1h                what happened in the last hour
  chalie why                           what made it say what it said last
  chalie token issue weather           let a program in`

// run executes one command line and returns the exit code.
func run(c *cli, args []string) int {
	root := rootCommand(c)
	root.SetArgs(args)
	err := root.ExecuteContext(context.Background())
	return exit(c, err)
}

func rootCommand(c *cli) *cobra.Command {
	root := &cobra.Command{
		Use: "chalie", Short: "One person's cognitive router", Long: rootHelp, Example: rootExample,
		SilenceErrors: true, SilenceUsage: true, PersistentPreRunE: noEmptyFlag,
	}
	root.SetOut(c.Out)
	root.SetErr(c.Err)
	root.PersistentFlags().StringVar(&c.data, "data", defaultData, "the data directory")
	root.PersistentFlags().BoolVar(&c.json, "json", false, "write JSON: one object, or one line for each element of a list")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{flagWords(err), cmd.CommandPath()}
	})
	if err := root.MarkPersistentFlagDirname("data"); err != nil {
		panic(err) // the flag stands four lines above
	}
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"everyday", "Everyday", []*cobra.Command{
			serveCommand(c), sayCommand(c), cancelCommand(c), conversationCommand(c), worldCommand(c), plansCommand(c),
			approvalsCommand(c), demoCommand(c),
		}},
		{"past", "Ask the past", []*cobra.Command{
			whyCommand(c), whyNotCommand(c), effectsCommand(c), replayCommand(c), logCommand(c), traceCommand(c),
		}},
		{"others", "Tools, interfaces and who may do what", []*cobra.Command{
			toolCommand(c), interfacesCommand(c), streamCommand(c), tokenCommand(c), policyCommand(c), sessionsCommand(c), passwordCommand(c),
		}},
		{"upkeep", "Upkeep", []*cobra.Command{
			modelsCommand(c), spineCommand(c), projectionsCommand(c), rebuildCommand(c), verifyCommand(c), repairCommand(c),
			exportCommand(c), importCommand(c), versionCommand(c),
		}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title + ":"})
		for _, cmd := range g.commands {
			cmd.GroupID = g.id
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommandGroupID("upkeep")
	root.SetCompletionCommandGroupID("upkeep")
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	strict(root)
	return root
}

// noEmptyFlag refuses a flag with an empty value. A script whose variable isn't set
// would otherwise do without it: export all, where one trace was meant.
func noEmptyFlag(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.String() == "" {
			err = &usageError{fmt.Sprintf("--%s is empty: give it a value, or leave it out", f.Name), cmd.CommandPath()}
		}
	})
	return err
}

// strict makes a misspelt subcommand a usage error, in every command that has
// subcommands: Cobra would take the word for an argument.
func strict(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		strict(sub)
	}
	if !cmd.HasSubCommands() || cmd.Runnable() || cmd.Name() == "help" {
		return
	}
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		return noCommand(cmd, args[0])
	}
}

// subcommandOr takes the first word that a command with subcommands of its own
// doesn't want for a misspelt one of them.
func subcommandOr(takes cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := takes(cmd, args)
		if err == nil || len(args) == 0 {
			return err
		}
		return noCommand(cmd, args[0])
	}
}

func noCommand(cmd *cobra.Command, word string) error {
	cmd.SuggestionsMinimumDistance = slips(word)
	return &usageError{fmt.Sprintf("%q is no command", word) + didYouMean(cmd.SuggestionsFor(word)), cmd.CommandPath()}
}

// flagWords says what a flag takes when what it was given can't be read.
func flagWords(err error) string {
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err.Error()
	}
	takes := "another value"
	switch invalid.GetFlag().Value.Type() {
	case "int":
		takes = "a whole number"
	case "duration":
		takes = "a span such as 30s or 2m"
	case "network":
		takes = "a network such as 192.168.1.0/24"
	case "bool":
		takes = "true or false"
	case "time":
		if cause := invalid.Unwrap(); domain.CodeOf(cause) != when.CodeNoTime {
			return fmt.Sprintf("--%s: %s", invalid.GetFlag().Name, words(cause))
		}
		takes = "a time such as " + sayTime
	}
	return fmt.Sprintf("--%s is %q: give %s", invalid.GetFlag().Name, invalid.GetValue(), takes)
}

// exactly wants these arguments, named as in the usage line.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return &usageError{names[len(args)] + " is missing", cmd.CommandPath()}
		case len(args) > len(names):
			return &usageError{fmt.Sprintf("%q is one argument too many", args[len(names)]), cmd.CommandPath()}
		}
		return nil
	}
}

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
