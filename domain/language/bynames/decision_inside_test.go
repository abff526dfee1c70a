package bynames

import (
	"strings"
	"testing"
)

// The yes or no that a message begins with is looked for in its first words only, however
// long it is: what is allocated beyond the words themselves stays the same.
func TestAnswerThatLongMessagesBeginWith(t *testing.T) {
	for _, c := range []struct{ begins, goesOn, want string }{
		{"", "word ", ""},
		{"yes, ", "word ", "yes"},
		{"no way, don't do it: ", "word ", "no way don't do it"},
		{"", "yes ", strings.TrimSpace(strings.Repeat("yes ", maxAnswerWords))},
		{"", "do ", ""},
		{"", "go ", ""},
	} {
		allocations := func(bytes int) float64 {
			text := c.begins + strings.Repeat(c.goesOn, bytes/len(c.goesOn))
			if word, more := BeginsWithDecision(text); word != c.want || more != (c.want != "") {
				t.Errorf("%d bytes of %q after %q begin with %q, %t", bytes, c.goesOn, c.begins, word, more)
			}
			words := testing.AllocsPerRun(1, func() { answerWords(text) })
			return testing.AllocsPerRun(1, func() { BeginsWithDecision(text) }) - 2*words
		}
		if short, long := allocations(1_000), allocations(64_000); long > short+20 {
			t.Errorf("%q after %q: %.0f allocations for 1,000 bytes, %.0f for 64,000", c.goesOn, c.begins, short, long)
		}
	}
}

// Words are answers one after the other, wherever one ends and the next begins.
func TestMadeOfAnswers(t *testing.T) {
	for said, want := range map[string]bool{
		"": false, "yes": true, "yes ok": true, "do": false, "do it": true, "do it do that yes": true, "go": false,
		"go ahead go": false, "of course": true, "of": false, "yes of course go for it": true,
	} {
		if got := made(strings.Fields(said), yeses()); got != want {
			t.Errorf("%q: %t", said, got)
		}
	}
}

// FuzzDecision reads any message as an answer: yes or no to what was shown, a message that
// begins with it, or neither, and never two of these.
func FuzzDecision(f *testing.F) {
	for _, said := range []string{"yes", "No, thanks!", "approve the second one", "yes to all", "do it, please", "don’t do that: it rains", "👍\uFE0F", "the #3 one", "refuse number 2", "last", "stop", "ok but later"} {
		f.Add(said)
	}
	f.Fuzz(func(t *testing.T, said string) {
		a, isAnswer := DecisionIn(said)
		word, more := BeginsWithDecision(said)
		if isAnswer && more || more != (word != "") {
			t.Fatalf("%q is an answer: %t, and begins with %q, %t", said, isAnswer, word, more)
		}
		if isAnswer && (len(answerWords(said)) > maxAnswerWords || a.Which < LastListed) {
			t.Fatalf("%q is read as %+v", said, a)
		}
		if again, same := DecisionIn(strings.Join(answerWords(said), " ")); same != isAnswer || again != a {
			t.Fatalf("%q is read as %+v, and without courtesies as %+v, %t", said, a, again, same)
		}
	})
}
