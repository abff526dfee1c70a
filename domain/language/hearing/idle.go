package hearing

import (
	"slices"
	"strings"
	"time"

	"chalie/domain/language/when"
)

// hesitations say nothing wherever they stand.
var hesitations = wordsIn("uh um er erm uhm umm hmm hm")

// greetings only open a sentence when something else follows.
var greetings = []string{"good morning", "good afternoon", "good evening", "good day", "hey there", "hi there", "hello there", "ok so", "okay so", "all right so", "alright so", "oh and", "by the way", "one more thing", "hey", "hi", "hello", "so", "oh", "maybe", "perhaps", "ok", "okay", "alright"}

// repeatable are the words that are said twice when the next doesn't come to mind: "the, the".
var repeatable = wordsIn("the a an to at for my in on of i me and with about")

// realWords are words that look like a slip and are none.
var realWords = wordsIn("remainder reminds reminded alarmed alarming")

// slips are what the words for a reminder are often typed as, and read as.
var slips = []string{"alarm", "alarms", "remind", "reminder", "reminders", "appointment", "appointments"}

// shorthand is what people type for longer words.
var shorthand = map[string]string{"bday": "birthday", "b-day": "birthday", "bdays": "birthdays", "goin": "going", "mtg": "meeting", "mtgs": "meetings", "tonite": "tonight", "reminde": "remind", "shoping": "shopping", "groceris": "groceries"}

// withoutIdle is a sentence without the words that are only said while thinking, and with what
// was mistyped read as it is meant. What is quoted stays as it is.
func (s said) withoutIdle() said {
	s = s.plainly()
	s = s.withoutOpening().askedPlainly()
	var out strings.Builder
	from := s.start()
	changed := false
	for i, w := range s.words {
		again := i > 0 && repeatable[w.lower] && s.words[i-1].lower == w.lower && w.start > s.words[i-1].start
		if w.quoted || !hesitations[w.lower] && !again {
			continue
		}
		out.WriteString(strings.TrimRight(s.text[from:w.start], ", "))
		from, changed = s.end(i), true
		if i > 0 {
			out.WriteByte(' ')
		}
	}
	if changed {
		out.WriteString(s.text[from:])
		if again, ok := read(out.String()); ok {
			s = again
		}
	}
	s.words = slices.Clone(s.words)
	for i, w := range s.words {
		if long, ok := shorthand[w.lower]; ok && !w.quoted {
			s.words[i].lower = long
		}
		if at := slices.IndexFunc(slips, func(meant string) bool { return isSlipOf(meant, w.lower) }); at >= 0 && !w.quoted && !slices.Contains(slips, w.lower) && !realWords[w.lower] {
			s.words[i].lower = slips[at]
		}
	}
	return s
}

// askedPlainly is a sentence that asks to be reminded in the words that ask for it, where these
// were mistyped or shortened: "remindme to", "rember me to", "remind me 2 text".
func (s said) askedPlainly() said {
	plain, n := "remind me ", 0
	switch {
	case s.is(0, "remindme", "remidme"):
		n = 1
	case (s.is(0, "rember", "remember") || len(s.words) > 0 && isSlipOf("remember", s.words[0].lower)) && s.is(1, "me") && s.is(2, "to", "at", "in", "about", "on", "tomorrow"):
		n = 2
	case s.beginsAt(0, "remind", "me", "2") && len(s.words) > 4 && s.words[3].isPlain() && !s.countsTime(3):
		plain, n = "remind me to ", 3
	}
	if n == 0 || n >= len(s.words) {
		return s
	}
	if again, ok := read(plain + s.text[s.words[n].start:]); ok {
		again.question = s.question
		return again
	}
	return s
}

// isPlain reports whether a word is made of letters only.
func (w word) isPlain() bool {
	return !w.quoted && strings.Trim(w.lower, "abcdefghijklmnopqrstuvwxyz") == ""
}

// countsTime reports whether a word is what a number before it counts or tells the time with:
// "2 hours", "2 pm", "2 times".
func (s said) countsTime(i int) bool {
	_, length := when.Later("2 "+s.words[i].lower, 0, time.UTC)
	return length || s.is(i, "am", "pm", "times", "things", "more", "or", "and", "to", "on", "in", "at", "before", "after", "tomorrow", "today", "tonight", "every", "each", "o'clock", "oclock", "thirty", "fifteen", "business", "full", "whole", "working", "separate", "different")
}

// withoutOpening is a sentence without a greeting before what it says.
func (s said) withoutOpening() said {
	for more := true; more; {
		more = false
		for _, g := range greetings {
			n := s.standsAt(0, g)
			if n > 0 && n < len(s.words) && !s.is(n, "that", "far", "is", "there", "long", "much", "many", "what", "and") {
				s, more = s.from(n), true
				break
			}
		}
	}
	return s
}

// start is where a sentence begins in its text.
func (s said) start() int {
	if len(s.words) == 0 {
		return 0
	}
	return s.words[0].start
}

// end is where the next word begins, behind the marks of one.
func (s said) end(i int) int {
	if i+1 < len(s.words) {
		return s.words[i+1].start
	}
	return len(s.text)
}
