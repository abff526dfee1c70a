package main

import (
	"strings"
	"testing"
)

// What the project holds itself to on its own sentences, in thousandths.
const (
	ownRight = 950
	ownWrong = 5
	ownLeast = 1500 // sentences
)

// TestOwnSentences says the project's own sentences to the fixed Chalie.
func TestOwnSentences(t *testing.T) {
	all, err := readOwn()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < ownLeast {
		t.Errorf("there are %d sentences, want %d", len(all), ownLeast)
	}
	said := map[string]int{}
	for _, r := range all {
		plain := strings.ToLower(strings.TrimRight(r.sentence, ".!? "))
		if first, twice := said[plain]; twice {
			t.Errorf("lines %d and %d say the same: %s", first, r.line, r.sentence)
		}
		said[plain] = r.line
	}
	sum := tally{}
	err = measure(t.Context(), all, func(r request, came outcome) {
		sum[came.verdict]++
		if came.right {
			sum[asExpected]++
		}
		if came.verdict == vWrong {
			t.Logf("line %d: %q: %q %s", r.line, r.sentence, came.got.text, strings.Join(came.got.calls, "; "))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(sum)
	if sum.share(asExpected) < ownRight || sum.share(vWrong) > ownWrong {
		t.Errorf("%s: want %d ‰ as expected, and %d ‰ wrong at most", sum, ownRight, ownWrong)
	}
}

// A wrong thing that was done is noticed, whatever was expected.
func TestJudge(t *testing.T) {
	fixed, err := newHouse()
	if err != nil {
		t.Fatal(err)
	}
	if err := fixed.furnish(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sentence, want, verdict string
		right                   bool
	}{
		{"remind me to call Anna tomorrow at 8", "remind at=2027-03-02T08:00 what=anna", vDone, true},
		{"remind me to call Anna tomorrow at 8", "remind at=2027-03-02T09:00 what=anna", vWrong, false},
		{"remind me to call Anna tomorrow at 8", "remind at=2027-03-02T08:00 what=bob", vWrong, false},
		{"remind me to call Anna tomorrow at 8", "ask", vWrong, false},
		{"remind me to call Anna every day at 8", "remind at=2027-03-02T08:00 rule=daily", vDone, true},
		{"remind me to call Anna every day at 8", "remind at=2027-03-02T08:00", vWrong, false},
		{"remind me to call Anna", "ask", vAsked, true},
		{"remind me to call Anna", "remind at=2027-03-02T08:00", vAsked, false},
		{"put figs on the grocery list", "list+ grocery item=figs", vDone, true},
		{"put figs on the grocery list", "list+ shopping item=figs", vWrong, false},
		{"take eggs off the grocery list", "list- grocery item=eggs", vDone, true},
		{"cancel the reminder to pay the rent", "end r-rent", vDone, true},
		{"cancel the reminder to pay the rent", "end r-plants", vWrong, false},
		{"what's on the grocery list?", "tell eggs+cheese", vDone, true},
		{"what's on the grocery list?", "tell milk", vWrong, false},
		{"clear the grocery list", "confirm", vAsked + vDone, true},
		{"remind me to feed the cat on Friday at 6 pm", "move r-plants at=2027-03-05T18:00", vWrong, false},
		{"remind me about the plants on Friday instead", "move r-plants at=2027-03-05T18:00", vDone, true},
		{"xyzzy", "left", vLeft, true},
		{"xyzzy", "remind at=?", vLeft, false},
	} {
		h, err := fixed.branch(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := h.say(t.Context(), c.sentence)
		if err != nil {
			t.Fatal(err)
		}
		want, err := parseExpectation(c.want)
		if err != nil {
			t.Fatal(err)
		}
		verdict, right, err := h.judge(t.Context(), want, got)
		if err != nil || !strings.Contains(c.verdict, verdict) || right != c.right {
			t.Errorf("%q, expected %s: %s %v %v: %s", c.sentence, c.want, verdict, right, err, got.text)
		}
	}
	for _, bad := range []string{"", "remember || ", "fly to=moon", "end", "tell a b"} {
		if _, err := parseExpectation(bad); err == nil {
			t.Errorf("%q is taken for an expectation", bad)
		}
	}
}
