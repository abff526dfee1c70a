package sentences

import (
	"slices"
	"strings"
	"time"

	"chalie/domain/language/when"
)

// hesitations say nothing wherever they stand.
var hesitations = WordsIn("uh um er erm uhm umm hmm hm")

// greetings only open a sentence when something else follows.
var greetings = []string{"good morning", "good afternoon", "good evening", "good day", "hey there", "hi there", "hello there", "ok so", "okay so", "all right so", "alright so", "oh and", "by the way", "one more thing", "hey", "hi", "hello", "so", "oh", "maybe", "perhaps", "ok", "okay", "alright"}

// repeatable are the words that are said twice when the next doesn't come to mind: "the, the".
var repeatable = WordsIn("the a an to at for my in on of i me and with about")

// realWords are words that look like a slip and are none.
var realWords = WordsIn("remainder reminds reminded alarmed alarming")

// slips are what the words for a reminder are often typed as, and read as.
var slips = []string{"alarm", "alarms", "remind", "reminder", "reminders", "appointment", "appointments"}

// shorthand is what people type for longer words.
var shorthand = map[string]string{"bday": "birthday", "b-day": "birthday", "bdays": "birthdays", "goin": "going", "mtg": "meeting", "mtgs": "meetings", "tonite": "tonight", "reminde": "remind", "shoping": "shopping", "groceris": "groceries"}

// WithoutIdle is a sentence without the words that are only said while thinking, and with what
// was mistyped read as it is meant. What is quoted stays as it is.
func (s Said) WithoutIdle() Said {
	s = s.plainly()
	s = s.withoutOpening().askedPlainly()
	var out strings.Builder
	from := s.Start()
	changed := false
	for i, w := range s.Words {
		again := i > 0 && repeatable[w.Lower] && s.Words[i-1].Lower == w.Lower && w.Start > s.Words[i-1].Start
		if w.Quoted || !hesitations[w.Lower] && !again {
			continue
		}
		out.WriteString(strings.TrimRight(s.Text[from:w.Start], ", "))
		from, changed = s.end(i), true
		if i > 0 {
			out.WriteByte(' ')
		}
	}
	if changed {
		out.WriteString(s.Text[from:])
		if again, ok := Read(out.String()); ok {
			s = again
		}
	}
	s.Words = slices.Clone(s.Words)
	for i, w := range s.Words {
		if long, ok := shorthand[w.Lower]; ok && !w.Quoted {
			s.Words[i].Lower = long
		}
		if at := slices.IndexFunc(slips, func(meant string) bool { return IsSlipOf(meant, w.Lower) }); at >= 0 && !w.Quoted && !slices.Contains(slips, w.Lower) && !realWords[w.Lower] {
			s.Words[i].Lower = slips[at]
		}
	}
	return s
}

// askedPlainly is a sentence that asks to be reminded in the words that ask for it, where these
// were mistyped or shortened: "remindme to", "rember me to", "remind me 2 text".
func (s Said) askedPlainly() Said {
	plain, n := "remind me ", 0
	switch {
	case s.Is(0, "remindme", "remidme"):
		n = 1
	case (s.Is(0, "rember", "remember") || len(s.Words) > 0 && IsSlipOf("remember", s.Words[0].Lower)) && s.Is(1, "me") && s.Is(2, "to", "at", "in", "about", "on", "tomorrow"):
		n = 2
	case s.BeginsAt(0, "remind", "me", "2") && len(s.Words) > 4 && s.Words[3].isPlain() && !s.countsTime(3):
		plain, n = "remind me to ", 3
	}
	if n == 0 || n >= len(s.Words) {
		return s
	}
	if again, ok := Read(plain + s.Text[s.Words[n].Start:]); ok {
		again.Question = s.Question
		return again
	}
	return s
}

// isPlain reports whether a word is made of letters only.
func (w Word) isPlain() bool {
	return !w.Quoted && strings.Trim(w.Lower, "abcdefghijklmnopqrstuvwxyz") == ""
}

// countsTime reports whether a word is what a number before it counts or tells the time with:
// "2 hours", "2 pm", "2 times".
func (s Said) countsTime(i int) bool {
	_, length := when.Later("2 "+s.Words[i].Lower, 0, time.UTC)
	return length || s.Is(i, "am", "pm", "times", "things", "more", "or", "and", "to", "on", "in", "at", "before", "after", "tomorrow", "today", "tonight", "every", "each", "o'clock", "oclock", "thirty", "fifteen", "business", "full", "whole", "working", "separate", "different")
}

// withoutOpening is a sentence without a greeting before what it says.
func (s Said) withoutOpening() Said {
	for more := true; more; {
		more = false
		for _, g := range greetings {
			n := s.StandsAt(0, g)
			if n > 0 && n < len(s.Words) && !s.Is(n, "that", "far", "is", "there", "long", "much", "many", "what", "and") {
				s, more = s.From(n), true
				break
			}
		}
	}
	return s
}

// Start is where a sentence begins in its text.
func (s Said) Start() int {
	if len(s.Words) == 0 {
		return 0
	}
	return s.Words[0].Start
}

// end is where the next word begins, behind the marks of one.
func (s Said) end(i int) int {
	if i+1 < len(s.Words) {
		return s.Words[i+1].Start
	}
	return len(s.Text)
}
