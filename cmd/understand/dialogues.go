package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"chalie/cmd/internal/dialogue"
)

// played is a dialogue that was played.
type played struct {
	dialogue.Dialogue
	before []dialogue.Happened // what came of its setup
	turns  []playedTurn
}

// playedTurn is what came of a turn.
type playedTurn struct {
	dialogue.Happened
	verdict dialogue.Verdict // "" of a turn that isn't counted
	missing []string         // of its check
}

// play says a dialogue to a Chalie of its own.
func play(ctx context.Context, d dialogue.Dialogue) (played, error) {
	out := played{Dialogue: d, turns: make([]playedTurn, len(d.Turns))}
	s, before, err := opens(ctx, d)
	if err != nil {
		return out, fmt.Errorf("%s: %w", d.ID, err)
	}
	out.before = before
	for n, t := range d.Turns {
		if out.turns[n], err = s.judged(ctx, n, t.Check); err != nil {
			return out, fmt.Errorf("%s, turn %d: %w", d.ID, n+1, err)
		}
	}
	return out, nil
}

// judged plays the nth turn, and holds it against its check.
func (s *stage) judged(ctx context.Context, n int, want *dialogue.Check) (out playedTurn, err error) {
	if out.Happened, err = s.plays(ctx, n); err != nil || want == nil {
		return out, err
	}
	now, err := s.planned(ctx)
	out.missing, out.verdict = s.of.Missing(*want, now, out.Happened), dialogue.Right
	if len(out.missing) > 0 {
		out.verdict = s.of.Verdict(s.of.Turns[n], out.Happened)
	}
	return out, err
}

// holds reports whether no turn of it misses anything.
func (p played) holds() bool {
	return !slices.ContainsFunc(p.turns, func(t playedTurn) bool { return len(t.missing) > 0 })
}

// playAll plays dialogues, as many at a time as there are processors, and gives them in order.
func playAll(ctx context.Context, all []dialogue.Dialogue) ([]played, error) {
	out, failed := make([]played, len(all)), make([]error, len(all))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(all)); i = next.Add(1) - 1 {
				out[i], failed[i] = play(ctx, all[i])
			}
		})
	}
	workers.Wait()
	return out, errors.Join(failed...)
}

// measureDialogues plays the dialogues of files, and prints what wasn't right, and how much was.
func measureDialogues(ctx context.Context, files []string, verbose bool, out io.Writer) error {
	all, err := dialogue.ReadFiles(files...)
	if err != nil {
		return err
	}
	came, err := playAll(ctx, all)
	if err != nil {
		return err
	}
	for _, p := range came {
		p.print(verbose, out)
	}
	printTallies(came, out)
	return nil
}

// print prints the turns that aren't right, and all of them where everything is wanted.
func (p played) print(verbose bool, out io.Writer) {
	if p.holds() && !verbose {
		return
	}
	fmt.Fprintf(out, "%s (%s)\n", p.ID, strings.Join(append([]string{p.Kind}, p.Topics...), ", "))
	for n, came := range p.before {
		if verbose || len(came.Changes) == 0 { // nothing stands on what wasn't understood
			fmt.Fprintf(out, "  before: %q\n", p.Setup[n])
			printHappened(came, out)
		}
	}
	for n, t := range p.turns {
		if !verbose && len(t.missing) == 0 {
			continue
		}
		fmt.Fprintf(out, "  %d %s: %s\n", n+1, cmp.Or(string(t.verdict), "not counted"), p.Turns[n])
		printHappened(t.Happened, out)
		if len(t.missing) > 0 {
			fmt.Fprintf(out, "      wanted: %s\n", p.Turns[n].Want)
		}
		for _, m := range t.missing {
			fmt.Fprintf(out, "      missed: %s\n", m)
		}
	}
}

// printHappened prints what came of a turn.
func printHappened(h dialogue.Happened, out io.Writer) {
	if text := strings.TrimSpace(h.Text); text != "" {
		fmt.Fprintf(out, "      says: %s\n", strings.ReplaceAll(text, "\n", "\n            "))
	}
	if len(h.Offers) > 0 {
		fmt.Fprintf(out, "      offers: %s\n", strings.Join(h.Offers, " | "))
	}
	if did := h.Deeds(); did != "" {
		fmt.Fprintf(out, "      did: %s\n", did)
	}
}

// turnTally counts what turns came to.
type turnTally struct{ right, asked, left, wrong int }

func (t *turnTally) add(verdict dialogue.Verdict) {
	switch verdict {
	case dialogue.Right:
		t.right++
	case dialogue.Asked:
		t.asked++
	case dialogue.Left:
		t.left++
	case dialogue.Wrong:
		t.wrong++
	}
}

func (t turnTally) all() int { return t.right + t.asked + t.left + t.wrong }

// String is the tally in per cent.
func (t turnTally) String() string {
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(1, t.all())) }
	return fmt.Sprintf("right %.1f asked %.1f left %.1f wrong %.1f", percent(t.right), percent(t.asked), percent(t.left), percent(t.wrong))
}

// printTallies prints what holds by topic and by kind, and of all.
func printTallies(all []played, out io.Writer) {
	var sum turnTally
	whole := 0
	kinds, topics := map[string]*turnTally{}, map[string]*turnTally{}
	for _, p := range all {
		if p.holds() {
			whole++
		}
		for _, t := range p.turns {
			sum.add(t.verdict)
			for _, topic := range p.Topics {
				tallyOf(topics, topic).add(t.verdict)
			}
			tallyOf(kinds, p.Kind).add(t.verdict)
		}
	}
	const often = 10 // turns: what comes less tells nothing in per cent
	maps.DeleteFunc(topics, func(_ string, t *turnTally) bool { return t.all() < often })
	printTable("topic", topics, out)
	printTable("kind", kinds, out)
	fmt.Fprintf(out, "%d of %d dialogues hold whole, %d of %d turns\n%s\n", whole, len(all), sum.right, sum.all(), sum)
}

func tallyOf(all map[string]*turnTally, name string) *turnTally {
	if all[name] == nil {
		all[name] = &turnTally{}
	}
	return all[name]
}

// printTable prints tallies, those with the most turns first.
func printTable(of string, all map[string]*turnTally, out io.Writer) {
	names := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(all[b].all(), all[a].all()), cmp.Compare(a, b))
	})
	for _, name := range names {
		fmt.Fprintf(out, "%s %-32s %5d turns: %s\n", of, name, all[name].all(), all[name])
	}
}
