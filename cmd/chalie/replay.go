package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/httpapi"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/domain/memlog"
	"chalie/replay/baseline"
	"chalie/replay/player"
)

const replayHelp = `Replay lets today's code decide again what was decided then, from what was recorded
of everything else: what arrived, what models and interfaces answered, the clock,
the ids. Each step is compared with the one in the log. It changes nothing, asks
nobody, and a running Chalie goes on meanwhile. Ctrl-C ends it, with 130.

TRACE is last, for what Chalie said last; the id of an exchange, a message or any
envelope of the trace; or the position of one in the log. With --all it is every
trace, or with --since those that began since: 30d or 12h (ago), a time, or a
position.

Differences are told by kind. A kind is known when it comes of a change that Chalie
names, of what was recorded before that change, or when you accepted it: with --all
--accept you accept those that aren't known, once. A kind that more decisions have than
had then is told again, and so is what would be done otherwise, with how many. What
today's own code recorded and decides differently can't be accepted: somebody edited
the log, or it is a fault.

It ends with 0 when all is decided as it was, or otherwise only as is known, and with 1
when something isn't: the first difference is named with its envelope, its field and
both values. That makes it a check after a change of the code.`

const replayExample = `  chalie replay last                   what it said last, decided again
  chalie replay 01KB2V7WYQC3V8P0J6R4T5N9XE
  chalie replay --all                  everything there is
  chalie replay --all --accept         count what differs now, and tell only of more
  chalie replay --all --since 30d --json | jq .new`

func replayCommand(c *cli) *cobra.Command {
	var everything, accept bool
	var since moment
	var s suppose
	cmd := &cobra.Command{
		Use: "replay TRACE|--all", Short: "Decide again what was decided, and compare", Long: replayHelp, Example: replayExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if s.wantsHelp() {
				return nil
			}
			if accept && (!everything || since.given != "" || s.isAny()) {
				return &usageError{"--accept goes with --all alone: what is accepted is counted in the whole log", cmd.CommandPath()}
			}
			return replayArguments(cmd, s.split(args), everything, since)
		},
		ValidArgsFunction: cobra.FixedCompletions([]string{"last"}, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.wantsHelp() {
				return c.listParameters()
			}
			what := contract.ReplayRequest{Since: since.asked}
			if !everything {
				what = contract.ReplayRequest{Trace: whyTarget(s.rest[:1])}
			}
			var err error
			if what.Supposed, err = s.read(cmd, c); err != nil {
				return err
			}
			if what.IsAnything() {
				return c.whatIf(cmd, what)
			}
			return replayAsked(cmd, c, what, accept)
		},
	}
	s.add(cmd)
	cmd.Flags().BoolVar(&everything, "all", false, "replay every trace")
	cmd.Flags().BoolVar(&accept, "accept", false, "with --all: accept the kinds of differences that aren't known, which is recorded")
	c.timeFlag(cmd, &since, "since", "with --all: only what began since: "+sayTime+", or a position", false)
	return cmd
}

// replayArguments requires one trace, or --all.
func replayArguments(cmd *cobra.Command, args []string, everything bool, since moment) error {
	switch {
	case len(args) > 1:
		return &usageError{fmt.Sprintf("%q is one argument too many", args[1]), cmd.CommandPath()}
	case everything && len(args) > 0:
		return &usageError{"--all replays every trace: leave it out, or the trace", cmd.CommandPath()}
	case !everything && len(args) == 0:
		return &usageError{"TRACE is missing: give one, or --all", cmd.CommandPath()}
	case !everything && since.given != "":
		return &usageError{"--since goes with --all: a trace is replayed whole", cmd.CommandPath()}
	}
	return nil
}

func replayAsked(cmd *cobra.Command, c *cli, what contract.ReplayRequest, accept bool) error {
	from := c.past()
	if accept {
		from = c.running("accepting differences")
	}
	return from.ask(cmd.Context(), func(api *session) error {
		object, err := metered(cmd.Context(), c, "replay", func(ctx context.Context, told func(contract.Progress)) (apiclient.Object[player.Report], error) {
			return api.Replay(ctx, what, told)
		})
		if err != nil {
			return replayRefused(cmd, c, err)
		}
		report, err := object.Value()
		if err != nil {
			return err
		}
		if c.json {
			err = c.JSON(object)
		} else {
			err = c.replayed(report, accept)
		}
		left := report.New
		if err == nil && accept {
			left, err = c.accept(cmd.Context(), api, report)
		}
		if err == nil && left > 0 {
			err = silent{exitFailed}
		}
		return err
	})
}

// accept accepts what isn't known, and returns how many differences can't be.
func (c *cli) accept(ctx context.Context, api *session, r player.Report) (left int, err error) {
	var what contract.DifferencesToAccept
	accepted := 0
	for _, k := range r.Kinds {
		switch {
		case k.Known:
		case k.SameCode:
			left += k.Count
		default:
			accepted += k.Count
			what.Kinds = append(what.Kinds, domain.AcceptedKind{Kind: string(k.Kind), Count: k.Count})
		}
	}
	if len(what.Kinds) > 0 {
		object, err := api.Accept(ctx, what)
		switch {
		case err != nil:
			return left, err
		case c.json:
			return left, c.JSON(object)
		}
		err = c.Printf("\nAccepted: %s of %s. They are counted from now on, and told of no more.\n",
			counted(accepted, "difference", "differences"), counted(len(what.Kinds), "kind", "kinds"))
		if err != nil {
			return left, err
		}
	}
	if left == 0 || c.json {
		return left, nil
	}
	return left, c.Printf("\n%s can't be accepted: the code that recorded is today's, so the log isn't what was decided.\n", counted(left, "difference", "differences"))
}

// replayRefused is whyRefused with exit code 2 for an unknown trace, because 1 means that
// a replay differs.
func replayRefused(cmd *cobra.Command, c *cli, err error) error {
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Category == domain.NotFound && e.Code != "nothing_said" {
		return &usageError{e.Message, cmd.CommandPath()}
	}
	return whyRefused(cmd, c, err)
}

// replayed writes the report of a replay. accepting, it doesn't say how to accept.
func (c *cli) replayed(r player.Report, accepting bool) error {
	whole := fmt.Sprintf("%s in %s", counted(r.Steps, "decision", "decisions"), counted(r.Traces, "trace", "traces"))
	switch {
	case r.Differ > 0:
		if err := c.differently(r, accepting); err != nil {
			return err
		}
	case r.Steps == 0 && r.Given > 0:
		if err := c.Println("Nothing of it can be decided again in this log."); err != nil {
			return err
		}
	case r.Traces == 0:
		if err := c.Println("There is nothing to decide again."); err != nil {
			return err
		}
	default:
		if err := c.Printf("%s: %s.\n", c.Paint(term.Green, "All is decided as it was"), whole); err != nil {
			return err
		}
	}
	var left []string
	for _, part := range []struct {
		n    int
		what string
	}{{r.Open, "not ended yet"}, {r.Erased, "with something erased"}, {r.Cut, "whose beginning is not in this log"}} {
		if part.n > 0 {
			left = append(left, grouped(uint64(part.n))+" "+part.what)
		}
	}
	if len(left) > 0 {
		if err := c.Printf("Replayed only in part: %s.\n", strings.Join(left, ", ")); err != nil {
			return err
		}
	}
	if r.Given > 0 {
		if err := c.Printf("Taken as recorded: %s that rest on what is not in this log.\n", counted(r.Given, "decision", "decisions")); err != nil {
			return err
		}
	}
	if err := c.gap(r.Gap); err != nil {
		return err
	}
	if r.Unread == 0 {
		return nil
	}
	return c.Printf("By the older rule: %s, recorded without how much of the log had been read; each agrees with what may have been.\n",
		counted(r.Unread, "decision", "decisions"))
}

// differently writes how today's code decides differently: the first place, what isn't known in
// full, and what is by kind.
func (c *cli) differently(r player.Report, accepting bool) error {
	color, more := term.Red, ""
	if r.New == 0 {
		color, more = term.Green, ", as is known"
	}
	err := c.Printf("%s in %s of %s%s: %s of %s are as they were.\n", c.Paint(color, "Today's code decides differently"), grouped(uint64(r.Diverged)),
		counted(r.Traces, "trace", "traces"), more, grouped(uint64(r.Steps-r.Differ)), counted(r.Steps, "decision", "decisions"))
	if err != nil {
		return err
	}
	if d := r.Divergence; d != nil && (r.New > 0 || r.Traces == 1) {
		if err := c.Printf("The first time:\n\n"); err != nil {
			return err
		}
		if err := c.divergence(*d); err != nil {
			return err
		}
	}
	for _, known := range []bool{false, true} {
		if err := c.kinds(r, known); err != nil {
			return err
		}
	}
	if r.Deeds > 0 {
		if err := c.Printf("\nBy %s of all something would be done otherwise than it was.\n", counted(r.Deeds, "difference", "differences")); err != nil {
			return err
		}
	}
	if accepting || !slices.ContainsFunc(r.Kinds, func(k player.Kind) bool { return !k.Known && !k.SameCode }) {
		return nil
	}
	return c.Printf("\nTo accept what isn't known, and be told of more only: %s\n", c.again("replay --all --accept"))
}

// kinds lists the differences that are known, or those that aren't with each of their places. Kinds
// with one reason stand together.
func (c *cli) kinds(r player.Report, known bool) error {
	title, n := "New", r.New
	if known {
		title, n = "Known", r.Known
	}
	if n == 0 {
		return nil
	}
	kinds := slices.DeleteFunc(slices.Clone(r.Kinds), func(k player.Kind) bool { return k.Known != known })
	if err := c.Printf("\n%s: %s of %s.\n", title, counted(n, "difference", "differences"), counted(len(kinds), "kind", "kinds")); err != nil {
		return err
	}
	for len(kinds) > 0 {
		reason := kinds[0].Reason()
		for _, k := range kinds {
			if k.Reason() != reason {
				continue
			}
			if err := c.Printf("%7s  %s\n", grouped(uint64(k.Count)), oneLine(string(k.Kind))); err != nil {
				return err
			}
		}
		for _, line := range term.Wrap(oneLine(reason), max(20, c.Width-11)) {
			if err := c.Printf("           %s\n", line); err != nil {
				return err
			}
		}
		kinds = slices.DeleteFunc(kinds, func(k player.Kind) bool { return k.Reason() == reason })
	}
	if known {
		return nil
	}
	return c.places(r)
}

// places lists every difference that isn't known.
func (c *cli) places(r player.Report) error {
	var rows [][]term.Cell
	for _, d := range r.Differing {
		rows = append(rows, []term.Cell{term.Plain.Of(grouped(uint64(d.Position))), term.Plain.Of(oneLine(string(d.Type))), term.Plain.Of(oneLine(d.Field)), term.Plain.Of(d.Trace.String())})
	}
	if err := c.Println(""); err != nil {
		return err
	}
	err := c.Table([]term.Column{{Title: "POSITION", Right: true}, {Title: "RECORD"}, {Title: "FIELD"}, {Title: "TRACE"}}, rows)
	if err != nil || len(rows) == r.New {
		return err
	}
	return c.Printf("These are the first %s of %s.\n", grouped(uint64(len(rows))), grouped(uint64(r.New)))
}

// gap writes what went from the log, if anything did.
func (c *cli) gap(g player.Gap) error {
	if g.Lacks == "" {
		return nil
	}
	return c.Printf("%s; `%s` lists them.\n", g.Lacks, c.again("log --type span.retired"))
}

// divergence writes where today's code differs.
func (c *cli) divergence(d player.Divergence) error {
	versions := d.Versions
	rows := [][2]string{
		{"Trace", d.Trace.String()},
		{"Envelope", fmt.Sprintf("%s, %s at position %s", d.Envelope, oneLine(string(d.Type)), grouped(uint64(d.Position)))},
		{"Field", oneLine(d.Field)},
		{"Recorded", shownValue(d.Recorded) + " by " + codeWords(versions.Recorded)},
		{"Replayed", shownValue(d.Replayed) + " by " + codeWords(versions.Replayed)},
	}
	if d.Field == "next" {
		rows[1][0], rows[2] = "After", [2]string{"Differs in", "what comes next"}
	}
	for _, row := range rows {
		for i, line := range term.Wrap(row[1], max(20, c.Width-12)) {
			title := ""
			if i == 0 {
				title = row[0]
			}
			if err := c.Printf("%-11s %s\n", title, line); err != nil {
				return err
			}
		}
	}
	return nil
}

// shownValue is a value on one line, cut if long.
func shownValue(raw json.RawMessage) string {
	const most = 400
	text := oneLine(string(raw))
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	if text == "" || text == "null" {
		return "nothing"
	}
	return text
}

// codeWords names a version of the code, with a few digits of its rules' hash.
func codeWords(v player.Version) string {
	const digits = 8
	out := "an unknown build"
	if v.Build != "" {
		out = oneLine(v.Build)
	}
	if v.Rules != "" {
		out += ", rules " + oneLine(v.Rules[:min(digits, len(v.Rules))])
	}
	return out
}

// beside is the number of walks of a replay in a running program: half of the processors,
// because people wait for the others.
func beside() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// replayer replays a log with today's code, on that many walks at once.
func replayer(log memlog.Base, kept keyframes, walks int) httpapi.Replayer {
	return func(ctx context.Context, what player.Request, told func(player.Progress)) (player.Report, error) {
		p, err := player.New(player.Config{Log: log, Staging: sandboxes(kept).Open, Workers: walks, Today: todaysCode()})
		if err != nil {
			return player.Report{}, err
		}
		return p.Replay(ctx, what, told)
	}
}

// todaysCode names this program.
func todaysCode() player.Version {
	return player.Version{Build: thisBuild().Version, Amendments: baseline.Latest()}
}

const supposeHelp = `

What if: with one of the flags below it tells instead what would have come
otherwise. The log goes on as a branch in memory, with every input as it came then,
and today's code decides anew. What follows from something that is left out doesn't
come, nor what comes in by a pairing, a token or a stream that is left out. Tools
answer what they answered; a call that was not made then is listed, and not made now.
A model that isn't part of Chalie says what it said when it is asked the same; asked something else, nobody knows, and the list says so. --model NAME lets
another answer: the built-in one freely, and one that Chalie was started with is
really asked, which is the one thing that leaves this machine and may cost money.
It ends with 0: differences are the answer.`

const supposeExample = `
  chalie replay --all --without 01KB2V7WYQC3V8P0J6R4T5N9XE
  chalie replay --all --edit 42 activation_energy=0.9
  chalie replay --all --approve 42     had you said yes to what was proposed at position 42
  chalie replay last --set half_life=12h --set cooldown=0s
  chalie replay --all --since 30d --policy strict.json
  chalie replay --set help             the parameters, with their values`

// suppose are the flags of a what-if replay.
type suppose struct {
	without, approve, edit, set []string
	policy, model               string
	rest                        []string // arguments outside of edits
}

func (s *suppose) add(cmd *cobra.Command) {
	cmd.Long += supposeHelp
	cmd.Example += supposeExample
	flags := cmd.Flags()
	flags.StringArrayVar(&s.without, "without", nil, "leave out an input: an id, or a position in the log")
	flags.StringArrayVar(&s.approve, "approve", nil, "have said yes at once to a proposal: the id of an approval.proposed, or its position")
	flags.StringArrayVar(&s.edit, "edit", nil, "change a field of an input: ID field=value; recorded_at lets it come at another time")
	flags.StringArrayVar(&s.set, "set", nil, "decide by another parameter: half_life=12h; help lists them")
	flags.StringVar(&s.policy, "policy", "", "have another policy in force: the `FILE` as chalie policy set takes it, or - for standard input")
	flags.StringVar(&s.model, "model", "", "let another model answer: builtin, or one that Chalie was started with")
}

// split removes the field=value of --edit, which may follow the id, from the arguments.
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

// isAny reports whether any of the flags is given.
func (s *suppose) isAny() bool {
	return len(s.without)+len(s.approve)+len(s.edit)+len(s.set) > 0 || s.policy != "" || s.model != ""
}

func (s *suppose) wantsHelp() bool { return slices.Contains(s.set, "help") }

// read is the change in the API's shape.
func (s *suppose) read(cmd *cobra.Command, c *cli) (contract.Supposed, error) {
	out := contract.Supposed{Model: s.model, Zone: apiclient.ZoneName(c.Zone)}
	for _, id := range s.without {
		out.Without = append(out.Without, whyTarget([]string{id}))
	}
	for _, id := range s.approve {
		out.Approve = append(out.Approve, whyTarget([]string{id}))
	}
	for _, text := range s.edit {
		id, assignment, _ := strings.Cut(strings.TrimSpace(text), " ")
		field, value, found := strings.Cut(strings.TrimSpace(assignment), "=")
		if !found || field == "" {
			return out, &usageError{fmt.Sprintf("--edit %s names no field=value: write --edit ID field=value", text), cmd.CommandPath()}
		}
		// A string always marshals.
		quoted, _ := json.Marshal(value)
		out.Edit = append(out.Edit, contract.SupposedEdit{ID: whyTarget([]string{id}), Field: strings.TrimSpace(field), Value: quoted})
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

// whatIf requests a what-if replay, and writes the result.
func (c *cli) whatIf(cmd *cobra.Command, what contract.ReplayRequest) error {
	return c.past().ask(cmd.Context(), func(api *session) error {
		object, err := metered(cmd.Context(), c, "replay", func(ctx context.Context, told func(contract.Progress)) (apiclient.Object[contract.WhatIf], error) {
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
	})
}

// reallyAsked says how often a model was called, with tokens and cost.
func (c *cli) reallyAsked(a player.Asked) error {
	u := a.Usage
	text := fmt.Sprintf("Asked %s %s: %s tokens in, %s out", oneLine(a.Model), counted(a.Questions, "question", "questions"),
		grouped(uint64(u.InputTokens+u.CacheReadTokens+u.CacheWriteTokens)), grouped(uint64(u.OutputTokens)))
	if u.CostMicros > 0 {
		const perDollar = 1_000_000
		text += ", $" + dollars(float64(u.CostMicros)/perDollar)
	} else {
		text += "; it is free, or its price isn't known"
	}
	return c.Printf("\n%s.\n", text)
}

// otherwise writes the different outcomes.
func (c *cli) otherwise(out contract.WhatIf) error {
	whole := counted(out.Traces, "trace", "traces")
	text := fmt.Sprintf("%s would have come otherwise, of %s.", counted(len(out.Outcomes), "trace", "traces"), whole)
	switch {
	case out.Traces == 0:
		text = "There is nothing to decide anew."
	case out.Identical:
		text = fmt.Sprintf("%s: %s would have come to the same end.", c.Paint(term.Green, "Nothing would have been otherwise"), whole)
	}
	if err := c.Println(text); err != nil {
		return err
	}
	for _, o := range out.Outcomes {
		if err := c.Printf("\n%s\n", c.Paint(term.Bold, o.Trace.String())); err != nil {
			return err
		}
		if err := c.Sentences(o.Sentences); err != nil {
			return err
		}
	}
	for _, left := range []struct {
		n   int
		why string
	}{{out.Skipped, "with something erased, or gone"}, {out.Aside, "that would come otherwise without the change, too, because something went from the log"}} {
		if left.n == 0 {
			continue
		}
		if err := c.Printf("\nTaken as %s: %s %s.\n", wereOf(left.n), counted(left.n, "trace", "traces"), left.why); err != nil {
			return err
		}
	}
	return c.gap(out.Gap)
}

func wereOf(n int) string {
	if n == 1 {
		return "it was"
	}
	return "they were"
}

// listParameters lists the parameters of --set.
func (c *cli) listParameters() error {
	type listed struct {
		Name    string `json:"name"`
		Value   string `json:"value"`
		Least   string `json:"least"`
		Most    string `json:"most"`
		Bounds  string `json:"bounds"`
		Meaning string `json:"meaning"`
	}
	var rows [][]term.Cell
	for _, p := range domain.DefaultParams().Listed() {
		if c.json {
			if err := c.JSON(listed{p.Name, p.Value, p.Least, p.Most, p.Bounds, p.Meaning}); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []term.Cell{term.Bold.Of(p.Name), term.Plain.Of(p.Value), term.Plain.Of(p.Bounds), term.Plain.Of(p.Meaning)})
	}
	if c.json {
		return nil
	}
	return c.Table([]term.Column{{Title: "NAME"}, {Title: "VALUE"}, {Title: "BOUNDS"}, {Title: "MEANING", Flex: true}}, rows)
}
