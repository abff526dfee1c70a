package main

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
)

// onScreen is what stands on a terminal that was written so: a line can be drawn over from its
// begin.
func onScreen(written string) string {
	var out strings.Builder
	for line := range strings.Lines(written) {
		parts := strings.Split(line, "\r\x1b[K")
		out.WriteString(parts[len(parts)-1])
	}
	return out.String()
}

func delta(step int, text string) domain.ModelStreamed {
	return domain.ModelStreamed{Step: step, Attempt: 1, Part: 1, Events: []domain.StreamEvent{{Type: domain.StreamText, Delta: text}}}
}

// However an answer comes, in the end a terminal shows what it shows of one that came at once.
func TestAnAnswerIsShownOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"a ", "word ", "another ", "line\n", "paragraph\n\n", strings.Repeat("-", 70) + " "})
		text := strings.TrimSpace(strings.Join(rapid.SliceOfN(word, 0, 60).Draw(t, "text"), ""))
		console, out, _ := testConsole()
		console.Live = true
		shown := &typing{cli: console}
		for at, words := 0, strings.SplitAfter(text, " "); at < len(words); {
			n := min(len(words)-at, rapid.IntRange(1, 9).Draw(t, "words"))
			if err := shown.part(delta(1, strings.Join(words[at:at+n], ""))); err != nil {
				t.Fatal(err)
			}
			at += n
		}
		blocks := []domain.Block{domain.TextBlock(text, domain.FormatMarkdown)}
		if rapid.Bool().Draw(t, "more") {
			blocks = append(blocks, domain.TextBlock("Stopped.", domain.FormatPlain))
		}
		if err := shown.end(blocks); err != nil {
			t.Fatal(err)
		}
		plain, want, _ := testConsole()
		if err := plain.Blocks(blocks); err != nil {
			t.Fatal(err)
		}
		if got := onScreen(out.String()); got != want.String() {
			t.Fatalf("it shows\n%s\nwant\n%s", got, want)
		}
	})
}

// Elsewhere than on a terminal nothing comes before the end, and on one what doesn't count is
// said to.
func TestWhatDoesNotCountIsSaid(t *testing.T) {
	for _, live := range []bool{true, false} {
		console, out, _ := testConsole()
		console.Live = live
		shown := &typing{cli: console}
		for _, p := range []domain.ModelStreamed{delta(1, "It is at seven."), {Withdrawn: "it broke off\x1b[2J"}, delta(1, "Let me look. "), delta(2, "It is at")} {
			if err := shown.part(p); err != nil {
				t.Fatal(err)
			}
		}
		if err := shown.end([]domain.Block{domain.TextBlock("It is at eight.", domain.FormatMarkdown)}); err != nil {
			t.Fatal(err)
		}
		want := "It is at eight.\n"
		if live {
			want = "It is at seven.\nThat doesn't count: it broke off[2J.\n\nLet me look.\n" + want
		}
		if got := onScreen(out.String()); got != want || regexp.MustCompile(`\x1b\[2J`).MatchString(out.String()) {
			t.Errorf("it shows\n%q\nwant\n%q", got, want)
		}
	}
}
