package hearing

import (
	"strings"

	"chalie/domain/language/when"
)

// isBeside reports whether a text may say its time by another plan: an hour before the dentist,
// straight after the meeting, once the party is over.
func isBeside(text string) bool {
	s, ok := read(text)
	return ok && besideAt(s) >= 0
}

// besideAt is the word at which a sentence begins to say a time by another plan; -1 for none.
func besideAt(s said) int {
	for i := range s.words {
		switch {
		case i+1 == len(s.words):
		case i > 0 && s.is(i, "before", "after", "ahead", "prior") && !s.is(i+1, "tomorrow", "next") && s.is(i-1, "hour", "hours", "minute", "minutes", "min", "mins", "day", "days", "week", "weeks", "half", "night", "evening", "morning", "afternoon", "right", "straight", "just", "shortly", "month", "fortnight"):
			return i - 1
		case i > 0 && s.is(i, "of") && (s.is(i-1, "morning", "evening", "night", "afternoon") || s.is(i-1, "day", "end", "start", "beginning") && s.is(i-2, "the")) && !s.isDate(i+1) && !s.isDate(i+2) && !s.is(i+2, "month", "week", "year", "day", "quarter", "summer", "winter", "spring", "autumn", "fall", "season") && !s.is(i+1, "this", "next", "every", "each"):
			return i - 1
		case s.is(i, "once", "when", "after") && s.is(i+1, "the", "my", "our", "her", "his", "their") || s.is(i, "when") && !s.is(i+1, "i", "you", "we", "it", "they", "he", "she", "do", "did", "is", "are", "to", "will"),
			s.beginsAt(i, "as", "soon", "as", "the"), s.beginsAt(i, "as", "soon", "as", "my"), s.beginsAt(i, "the", "moment", "the"), s.beginsAt(i, "the", "moment", "my"):
			if s.goesOn(i) || s.is(i, "after") {
				return i
			}
		}
	}
	return -1
}

// goesOn reports whether what stands behind a word begins or ends: "once the meeting is over".
func (s said) goesOn(i int) bool {
	const longest = 9
	for at := i + 2; at < len(s.words) && at < i+longest; at++ {
		if s.is(at, "over", "done", "finished", "ends", "finishes", "starts", "begins", "ended", "started", "begun") {
			return true
		}
	}
	return false
}

// isDate reports whether a date stands at a place: the morning of March 10.
func (s said) isDate(i int) bool {
	return s.is(i, "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "today", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday") ||
		i < len(s.words) && s.words[i].lower[0] >= '0' && s.words[i].lower[0] <= '9' || s.is(i, "the") && i+1 < len(s.words) && s.words[i+1].lower[0] >= '0' && s.words[i+1].lower[0] <= '9'
}

// isWithin reports whether a text may say its time by an appointment during which it is: on Susan's
// birthday, at the staff meeting.
func isWithin(text string) bool {
	s, ok := read(text)
	const longest = 5
	for i := 0; ok && i+2 < len(s.words); i++ {
		if !s.is(i, "on", "at", "during") || !s.is(i+1, "the", "my", "our", "his", "her", "their") && !strings.HasSuffix(s.words[i+1].lower, "'s") {
			continue
		}
		for at := i + 2; at < min(i+2+longest, len(s.words)); at++ {
			if n := nouns[strings.TrimSuffix(s.words[at].lower, "'s")]; (n == anEvent || n == anOccasion) && (at+1 == len(s.words) || s.is(at+1, "to", "with") || s.words[at].stop) {
				return true
			}
		}
	}
	return false
}

// turned is a text that says at its end how long before something it is to come, with that said
// first: of "the recital a day before" it is "a day before the recital".
func (l listener) turned(text string) (string, bool) {
	s, ok := read(withoutLink(text))
	last := len(s.words) - 1
	if !ok || !s.is(last, "before", "beforehand") {
		return "", false
	}
	const longest = 5
	for from := max(1, last-longest); from < last; from++ {
		_, length := when.Later(s.part(from, last), l.p.AsOf, l.zone())
		if length = length || last-from == 2 && s.is(from, "the") && s.is(from+1, "day", "night", "evening", "week", "month"); length && !s.is(from-1, "half", "and", "a", "an") {
			return s.part(from, last) + " before " + s.part(0, from), true
		}
	}
	return "", false
}

// timeToGo hears who wants to be told when to leave for something, of which it isn't known how
// long that takes.
func (l listener) timeToGo(s said) (intent, bool) {
	c, ok := s.any("let me know when it is time to *what", "let me know when i need|have|should|must|ought to? *what",
		"remind|tell|alert|notify|ping|warn|buzz me when it is time to *what", "remind|tell|alert|notify|ping|warn|buzz me when i need|have|should|must|ought to? *what")
	what := c.sentence("what")
	if !ok || l.timing(what.all()).said || isBeside(what.all()) || !what.is(0, "leave", "go", "head", "drive", "start") || !hasAny(what, "for", "to") {
		return intent{}, false
	}
	return intent{tool: skillRemind, ask: "How long before it should I remind you: " + mention(what.all()) + "? Say it such as: remind me half an hour before the dentist to leave."}, true
}
