package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// request is a sentence that is said to the fixed Chalie, with what is expected of it.
type request struct {
	line     int
	family   string // what the sentence is about, by its file
	sentence string
	want     expectation
}

// expected is what is expected of the sentences of a file that isn't part of the project:
// line number, the beginning of the sentence's SHA-256, and the expectation, between tabs.
//
//go:embed testdata/requests.tsv
var expected string

// hashOf is how a line of expected names its sentence.
func hashOf(sentence string) string {
	sum := sha256.Sum256([]byte(sentence))
	return hex.EncodeToString(sum[:4])
}

// judged are the families whose sentences have expectations; of all others nothing may
// come but one line.
var judged = []string{"alarm", "calendar", "lists", "datetime"}

func isJudged(family string) bool {
	return slices.ContainsFunc(judged, func(f string) bool { return strings.HasPrefix(family, f+"_") })
}

// readRequests reads lines of intent, sentence and annotation, after one that names them,
// and gives each what is expected of it. One of another family has no expectation.
func readRequests(from io.Reader) ([]request, error) {
	wants := map[int][2]string{}
	for line := range strings.Lines(expected) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("testdata/requests.tsv: %q", line)
		}
		n, err := strconv.Atoi(f[0])
		if err != nil {
			return nil, err
		}
		wants[n] = [2]string{f[1], f[2]}
	}
	var out []request
	lines := bufio.NewScanner(from)
	for n := 1; lines.Scan(); n++ {
		f := strings.Split(lines.Text(), "\t")
		if n == 1 || len(f) < 2 {
			continue
		}
		r := request{line: n, family: f[0], sentence: f[1]}
		if isJudged(r.family) {
			want, ok := wants[n]
			if !ok || want[0] != hashOf(r.sentence) {
				return nil, fmt.Errorf("line %d isn't the sentence that testdata/requests.tsv knows", n)
			}
			var err error
			if r.want, err = parseExpectation(want[1]); err != nil {
				return nil, fmt.Errorf("testdata/requests.tsv: line %d: %w", n, err)
			}
		}
		out = append(out, r)
	}
	return out, lines.Err()
}

// tally counts verdicts, and what was as expected.
type tally map[string]int

const asExpected = "as expected"

func (t tally) all() int { return t[vDone] + t[vAsked] + t[vLeft] + t[vWrong] }

// share is how much of it a verdict is, in thousandths.
func (t tally) share(verdicts ...string) int {
	n := 0
	for _, v := range verdicts {
		n += t[v]
	}
	return 1000 * n / max(1, t.all())
}

func (t tally) String() string {
	percent := func(v string) string { s := t.share(v); return fmt.Sprintf("%d.%d %%", s/10, s%10) }
	return fmt.Sprintf("%d: done %s, asked %s, left %s, wrong %s; as expected %s", t.all(), percent(vDone), percent(vAsked), percent(vLeft), percent(vWrong), percent(asExpected))
}

// outcome is what came of a request.
type outcome struct {
	verdict string
	right   bool
	got     answer
}

// measure says every sentence to the fixed Chalie, and reports each verdict.
func measure(ctx context.Context, all []request, report func(request, outcome)) error {
	fixed, err := newHouse()
	if err != nil {
		return err
	}
	if err := fixed.furnish(ctx); err != nil {
		return err
	}
	for _, r := range all {
		h, err := fixed.branch(ctx)
		if err != nil {
			return err
		}
		got, err := h.say(ctx, r.sentence)
		if err != nil {
			return fmt.Errorf("line %d, %q: %w", r.line, r.sentence, err)
		}
		want := r.want
		if want == nil {
			want = expectation{{verb: "left"}}
		}
		verdict, right, err := h.judge(ctx, want, got)
		if err != nil {
			return fmt.Errorf("line %d, %q: %w", r.line, r.sentence, err)
		}
		report(r, outcome{verdict, right, got})
	}
	return nil
}

// What is wanted of the requests, in thousandths.
const (
	wantDone     = 600
	wantDoneAsks = 850
	wantMistaken = 10
)

// measureRequests prints what wasn't done, and how much was, by intent.
func measureRequests(ctx context.Context, all []request, verbose bool, out io.Writer) error {
	byFamily := map[string]tally{}
	own, others := tally{}, tally{}
	var problem error
	say := func(format string, args ...any) {
		if _, err := fmt.Fprintf(out, format, args...); err != nil && problem == nil {
			problem = err
		}
	}
	err := measure(ctx, all, func(r request, came outcome) {
		verdict, got := came.verdict, came.got
		if byFamily[r.family] == nil {
			byFamily[r.family] = tally{}
		}
		byFamily[r.family][verdict]++
		if came.right {
			byFamily[r.family][asExpected]++
		}
		if r.want == nil {
			others[verdict]++
		} else {
			own[verdict]++
			if came.right {
				own[asExpected]++
			}
		}
		if verdict == vWrong || verbose && r.want != nil && !came.right {
			say("%-5s %s, line %d: %q: %q %s\n", verdict, r.family, r.line, r.sentence, got.text, strings.Join(got.calls, "; "))
		}
	})
	if err != nil {
		return err
	}
	for _, family := range slices.SortedFunc(maps.Keys(byFamily), func(a, b string) int {
		return cmp.Or(cmp.Compare(b2i(isJudged(b)), b2i(isJudged(a))), cmp.Compare(a, b))
	}) {
		say("%-22s %s\n", family, byFamily[family])
	}
	say("alarm, calendar, lists, datetime: %s\nother families: %s\n", own, others)
	if own.all() > 0 && (own.share(vDone) < wantDone || own.share(vDone, vAsked) < wantDoneAsks || own.share(vWrong) > wantMistaken) {
		problem = errors.Join(problem, fmt.Errorf("of the requests less is done than %d ‰, less done or asked than %d ‰, or more is wrong than %d ‰", wantDone, wantDoneAsks, wantMistaken))
	}
	return problem
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// sayLines says each line to a fixed Chalie of its own, and writes what it answers, with the
// skills that were asked. A line may be several turns, with a bar between them.
func sayLines(ctx context.Context, from io.Reader, out io.Writer) error {
	fixed, err := newHouse()
	if err != nil {
		return err
	}
	if err := fixed.furnish(ctx); err != nil {
		return err
	}
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		h, err := fixed.branch(ctx)
		if err != nil {
			return err
		}
		for turn := range strings.SplitSeq(lines.Text(), " | ") {
			got, err := h.say(ctx, turn)
			if err != nil {
				return fmt.Errorf("%q: %w", turn, err)
			}
			if _, err := fmt.Fprintf(out, "%s\n  %q\n  %s\n", turn, got.text, strings.Join(got.calls, "; ")); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}
