package models

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"chalie/adapters/models/dialogue"
	"chalie/domain/language"
)

// However an answer is cut into pieces, what is told comes to its text.
func TestProseIsTheTextOfTheAnswer(t *testing.T) {
	said := []string{" ", "\n", "word", "a [#1]", "[#2:90", "]", " [", "#", "[#1, #2]", "[see]", "@@", "@", "@@ topic: x", "\n@@ confidence: 7\n", "> ", "*", "@@ -1,2 +1,3 @@", "é", "\u00a0", "\r\n", "[#3:"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(said), 0, 20).Draw(t, "said"), "")
		var reply language.Reply
		a := asking{}
		whole := closings(a.references(text, &reply), &reply)
		var p prose
		told := ""
		for rest := text; rest != ""; {
			n := min(len(rest), rapid.IntRange(1, 7).Draw(t, "piece"))
			for n < len(rest) && !utf8.RuneStart(rest[n]) {
				n++
			}
			told += p.add(rest[:n])
			rest = rest[n:]
			if !strings.HasPrefix(whole, told) {
				t.Fatalf("of %q %q was told, and it says %q", text, told, whole)
			}
		}
		if told += p.rest(); told != whole {
			t.Fatalf("of %q %q was told, and it says %q", text, told, whole)
		}
	})
}

func TestStops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ab#]{0,30}`).Draw(t, "text")
		s := dialogue.Stops{Sequences: []string{"##", "ab#"}}
		want, end := text, len(text)+1 // the sequence that is whole first ends the text
		for _, sequence := range s.Sequences {
			if at := strings.Index(text, sequence); at >= 0 && at+len(sequence) < end {
				want, end = text[:at], at+len(sequence)
			}
		}
		got, hit := "", false
		for i := 0; i < len(text) && !hit; i++ {
			var more string
			more, hit = s.Add(text[i : i+1])
			got += more
		}
		if !hit {
			got += s.Rest()
		}
		if got != want || hit != (end <= len(text)) {
			t.Fatalf("of %q comes %q, want %q", text, got, want)
		}
	})
}
