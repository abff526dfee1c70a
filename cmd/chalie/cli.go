package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	contract "chalie/adapters/api"
	"chalie/adapters/hostzone"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/domain/language/when"
	"chalie/replay/narrate"
)

// programName is the command with which a person would start this program again, for
// advice that can be pasted.
func programName(arg0 string) string {
	path := filepath.ToSlash(arg0)
	switch {
	case strings.Contains(path, "/go-build"):
		return "go run ./cmd/chalie"
	case strings.Contains(path, "/") && !isOnPath(arg0):
		return quoted(arg0)
	default:
		return filepath.Base(arg0)
	}
}

// isOnPath reports whether the last part of an absolute path is enough for a shell
// to find it.
func isOnPath(arg0 string) bool {
	found, err := exec.LookPath(filepath.Base(arg0))
	return err == nil && filepath.IsAbs(arg0) && filepath.Clean(found) == filepath.Clean(arg0)
}

// cli is the state that all commands share: the terminal, the program's name, and the
// common flags.
type cli struct {
	*term.Console
	program string // how the person started this program, for advice
	data    string // the data directory
	json    bool   // write JSON
}

// processCLI is the cli of this process.
func processCLI() *cli {
	return &cli{Console: term.Process(hostzone.Location(time.Local)), program: programName(os.Args[0])}
}

// over is the cli for another data directory.
func (c *cli) over(data string) *cli { return &cli{Console: c.Console, program: c.program, data: data} }

// again is a command line of this program, with --data unless it is the default.
func (c *cli) again(args string) string {
	line := c.program + " " + args
	if filepath.Clean(c.data) != filepath.Clean(defaultData) {
		line += " --data " + quoted(c.data)
	}
	return line
}

// advice rewrites the commands in a text to the form for this program.
func (c *cli) advice(text string) string {
	return domain.Advice(text, c.again)
}

// logger writes a running program's log to standard error. Errors are one line, without
// stack traces of libraries.
func (c *cli) logger(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch v := a.Value.Any().(type) {
		case error:
			a.Value = slog.StringValue(c.advice(v.Error()))
		case string:
			a.Value = slog.StringValue(c.advice(v))
		}
		return a
	}}))
}

// quoted quotes an argument for a shell.
func quoted(arg string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:=@%,"
	if arg != "" && strings.Trim(arg, plain) == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// oneLine makes an untrusted text safe for one line of a terminal.
func oneLine(s string) string { return narrate.OneLine(s) }

// spelt writes a stored name in words.
func spelt(name string) string { return narrate.Spelt(name) }

// span writes a duration in its largest units.
func span(d time.Duration) string { return narrate.Span(d) }

// ago writes an age.
func ago(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return span(d) + " ago"
}

// counted writes a number with its noun.
func counted[N int | uint64 | domain.Position](n N, one, many string) string {
	return narrate.Counted(n, one, many)
}

// grouped writes a number with its thousands apart.
func grouped(n uint64) string { return narrate.Grouped(n) }

// defaultData is the default data directory.
const defaultData = "./data"

const rootHelp = `Chalie is one person's cognitive router. The world sends it signals; it keeps
what matters now in mind and lets the rest fade. Say something to it and it
answers. Everything it was told and did stands in a log that is never rewritten,
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
			serveCommand(c), sayCommand(c), pressCommand(c), cancelCommand(c), conversationCommand(c), worldCommand(c), plansCommand(c),
			approvalsCommand(c), demoCommand(c),
		}},
		{"past", "Ask the past", []*cobra.Command{
			whyCommand(c), whyNotCommand(c), effectsCommand(c), replayCommand(c), logCommand(c), traceCommand(c),
		}},
		{"others", "Tools, interfaces and who may do what", []*cobra.Command{
			toolCommand(c), interfacesCommand(c), streamCommand(c), tokenCommand(c), mcpCommand(c), policyCommand(c), sessionsCommand(c), passwordCommand(c),
		}},
		{"upkeep", "Upkeep", []*cobra.Command{
			setCommand(c), modelsCommand(c), spineCommand(c), projectionsCommand(c), rebuildCommand(c), verifyCommand(c), repairCommand(c),
			backupCommand(c), restoreCommand(c), exportCommand(c), importCommand(c), moveCommand(c), versionCommand(c),
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

// noEmptyFlag refuses a flag with an empty value: otherwise a script with an unset
// variable could export everything instead of one trace.
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

// flagWords says which values a flag takes, when its value can't be read.
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

// exactly requires these arguments, named as in the usage line.
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

// noun makes a command with verbs. Without a verb it runs shows, with the same flags.
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
	domain.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	out := make([]string, 0, suggested)
	for _, n := range near[:min(suggested, len(near))] {
		out = append(out, n.name)
	}
	return out
}

// suggested bounds the suggestions for a misspelt name.
const suggested = 3

// slips is how many letters may be wrong in a word that is still the same: one in a short
// word, two in a long one.
func slips(word string) int { return 1 + len(word)/5 }

// didYouMean asks whether one of these was meant; "" for none.
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

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitUnknown     = 3   // the outcome is unknown
	exitOtherBuild  = 4   // the log holds what this build can't read; nothing was done
	exitInterrupted = 130 // 128 + SIGINT, as shells count
)

// usageError says that a command was not understood.
type usageError struct {
	message string
	command string // whose help to read
}

func (e *usageError) Error() string { return e.message }

// silent is an exit code for a command that has printed its error itself.
type silent struct{ code int }

func (silent) Error() string { return "failed" }

// unknownOutcome says that a call was begun and its outcome is unknown.
type unknownOutcome struct{ error }

// exit writes an error as one line: what happened; what to do next. It
// returns the exit code.
func exit(c *cli, err error) int {
	if err == nil {
		return exitDone
	}
	if said, ok := errors.AsType[silent](err); ok {
		return said.code
	}
	if usage, ok := errors.AsType[*usageError](err); ok {
		c.Complain(fmt.Sprintf("%s; see `%s --help`", usage.message, usage.command))
		return exitUsage
	}
	c.Complain(c.advice(words(err)))
	if _, ok := errors.AsType[unknownOutcome](err); ok {
		return exitUnknown
	}
	if _, ok := errors.AsType[stoppedWaiting](err); ok {
		return exitInterrupted
	}
	switch {
	case domain.CategoryOf(err) == domain.Conflict && domain.CodeOf(err) == domain.CodeUndecodable:
		return exitOtherBuild
	case domain.CategoryOf(err) == domain.Validation:
		return exitUsage
	}
	return exitFailed
}

// adding is an error with more text.
func adding(err error, more string) error {
	e, ok := errors.AsType[*domain.Error](err)
	if !ok || more == "" {
		return err
	}
	said := *e
	said.Message = strings.TrimSuffix(said.Message, ".") + more
	return &said
}

// words is an error's text for a person. The program's messages say what to do next; the
// cause is added where it names the part of the machine that failed.
func words(err error) string {
	e, ok := errors.AsType[*domain.Error](err)
	if !ok {
		return err.Error()
	}
	text := strings.TrimSuffix(e.Message, ".")
	if e.Category == domain.Dependency && e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

// moment is the time in a flag, in words as in a conversation or in a machine format.
type moment struct {
	given string // as it was written
	asked string // as the API takes it; "" without the flag
}

// isPast reports whether it is past for sure.
func (m moment) isPast() bool {
	if strings.HasPrefix(m.asked, "pos:") || strings.HasPrefix(m.asked, "-") {
		return true
	}
	at, err := time.Parse(time.RFC3339Nano, m.asked)
	return err == nil && at.Before(time.Now())
}

// sayTime gives examples of past times, for the help of flags.
const sayTime = "yesterday, 2 hours ago or 2h, last Monday at 8, 2026-03-17 or 2026-03-17T18:00"

// timeFlag adds a flag for a past time; with ahead also for a future one.
func (c *cli) timeFlag(cmd *cobra.Command, m *moment, name, usage string, ahead bool) {
	cmd.Flags().Var(&momentFlag{c, m, ahead}, name, usage)
}

// momentFlag reads a moment in the person's zone.
type momentFlag struct {
	console *cli
	moment  *moment
	ahead   bool
}

var _ pflag.Value = (*momentFlag)(nil)

// String is what was written.
func (f *momentFlag) String() string {
	if f.moment == nil { // the zero value, which pflag compares with
		return ""
	}
	return f.moment.given
}

// Type is what the flag takes, for its help and its errors.
func (f *momentFlag) Type() string { return "time" }

// Set reads a time. Spans, numbers and positions are left to the API, which has the log's
// clock.
func (f *momentFlag) Set(text string) error {
	asked, err := f.read(text)
	if err == nil {
		*f.moment = moment{text, asked}
	}
	return err
}

func (f *momentFlag) read(text string) (string, error) {
	zone, now := f.console.Zone, domain.MillisOf(time.Now())
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04", time.DateTime, "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339Nano} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t.Format(time.RFC3339Nano), nil
		}
	}
	at, err := when.ParsePast(text, now, zone)
	if err == nil {
		return at.Time().In(zone).Format(time.RFC3339Nano), nil
	}
	said := domain.CodeOf(err)
	if said == when.CodeNoTime && text != "" && !strings.Contains(text, " ") && strings.ContainsAny(text[:1], "0123456789+-p") {
		return text, nil
	}
	if f.ahead && (said == when.CodeNoTime || said == when.CodeAhead) {
		if t, err := when.Parse(text, now, zone); err == nil && t.Rest(text) == "" && t.Recurrence == nil {
			return t.At.Time().In(zone).Format(time.RFC3339Nano), nil
		}
	}
	return "", err
}

// asOfFlag adds the flag for showing a past moment.
func (c *cli) asOfFlag(cmd *cobra.Command, at *moment) {
	c.timeFlag(cmd, at, "at", "as it was: "+sayTime+", or at a position such as pos:1234", false)
}

// asOf prints the position and moment of the following output.
func (c *cli) asOf(then contract.AsOf) error {
	if then.Lacks != "" {
		c.Complain(then.Lacks)
	}
	return c.Printf("As of %s, through position %s\n\n", c.ZonedMoment(then.Time), grouped(uint64(then.Position)))
}
