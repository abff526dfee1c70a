package plans

import (
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// IsBeside reports whether a text may say its time by another plan: an hour before the dentist,
// straight after the meeting, once the party is over.
func IsBeside(text string) bool {
	s, ok := sentences.Read(text)
	return ok && besideAt(s) >= 0
}

// besideAt is the word at which a sentence begins to say a time by another plan; -1 for none.
func besideAt(s sentences.Said) int {
	for i := range s.Words {
		switch {
		case i+1 == len(s.Words):
		case i > 0 && s.Is(i, "before", "after", "ahead", "prior") && !s.Is(i+1, "tomorrow", "next") && s.Is(i-1, "hour", "hours", "minute", "minutes", "min", "mins", "day", "days", "week", "weeks", "half", "night", "evening", "morning", "afternoon", "right", "straight", "just", "shortly", "month", "fortnight"):
			return i - 1
		case i > 0 && s.Is(i, "of") && (s.Is(i-1, "morning", "evening", "night", "afternoon") || s.Is(i-1, "day", "end", "start", "beginning") && s.Is(i-2, "the")) && !isDate(s, i+1) && !isDate(s, i+2) && !s.Is(i+2, "month", "week", "year", "day", "quarter", "summer", "winter", "spring", "autumn", "fall", "season") && !s.Is(i+1, "this", "next", "every", "each"):
			return i - 1
		case s.Is(i, "once", "when", "after") && s.Is(i+1, "the", "my", "our", "her", "his", "their") || s.Is(i, "when") && !s.Is(i+1, "i", "you", "we", "it", "they", "he", "she", "do", "did", "is", "are", "to", "will"),
			s.BeginsAt(i, "as", "soon", "as", "the"), s.BeginsAt(i, "as", "soon", "as", "my"), s.BeginsAt(i, "the", "moment", "the"), s.BeginsAt(i, "the", "moment", "my"):
			if goesOnOf(s, i) || s.Is(i, "after") {
				return i
			}
		}
	}
	return -1
}

// goesOnOf reports whether what stands behind a word begins or ends: "once the meeting is over".
func goesOnOf(s sentences.Said, i int) bool {
	const longest = 9
	for at := i + 2; at < len(s.Words) && at < i+longest; at++ {
		if s.Is(at, "over", "done", "finished", "ends", "finishes", "starts", "begins", "ended", "started", "begun") {
			return true
		}
	}
	return false
}

// isDate reports whether a date stands at a place: the morning of March 10.
func isDate(s sentences.Said, i int) bool {
	return s.Is(i, "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "today", "tomorrow", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday") ||
		i < len(s.Words) && s.Words[i].Lower[0] >= '0' && s.Words[i].Lower[0] <= '9' || s.Is(i, "the") && i+1 < len(s.Words) && s.Words[i+1].Lower[0] >= '0' && s.Words[i+1].Lower[0] <= '9'
}

// IsWithin reports whether a text may say its time by an appointment during which it is: on Susan's
// birthday, at the staff meeting.
func IsWithin(text string) bool {
	s, ok := sentences.Read(text)
	const longest = 5
	for i := 0; ok && i+2 < len(s.Words); i++ {
		if !s.Is(i, "on", "at", "during") || !s.Is(i+1, "the", "my", "our", "his", "her", "their") && !strings.HasSuffix(s.Words[i+1].Lower, "'s") {
			continue
		}
		for at := i + 2; at < min(i+2+longest, len(s.Words)); at++ {
			if n := sentences.Nouns[strings.TrimSuffix(s.Words[at].Lower, "'s")]; (n == sentences.AnEvent || n == sentences.AnOccasion) && (at+1 == len(s.Words) || s.Is(at+1, "to", "with") || s.Words[at].Stop) {
				return true
			}
		}
	}
	return false
}

// turned is a text that says at its end how long before something it is to come, with that said
// first: of "the recital a day before" it is "a day before the recital".
func (l Planner) turned(text string) (string, bool) {
	s, ok := sentences.Read(WithoutLink(text))
	last := len(s.Words) - 1
	if !ok || !s.Is(last, "before", "beforehand") {
		return "", false
	}
	const longest = 5
	for from := max(1, last-longest); from < last; from++ {
		_, length := when.Later(s.Part(from, last), l.P.AsOf, l.Zone())
		if length = length || last-from == 2 && s.Is(from, "the") && s.Is(from+1, "day", "night", "evening", "week", "month"); length && !s.Is(from-1, "half", "and", "a", "an") {
			return s.Part(from, last) + " before " + s.Part(0, from), true
		}
	}
	return "", false
}

// TimeToGo hears who wants to be told when to leave for something, of which it isn't known how
// long that takes.
func (l Planner) TimeToGo(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("let me know when it is time to *what", "let me know when i need|have|should|must|ought to? *what",
		"remind|tell|alert|notify|ping|warn|buzz me when it is time to *what", "remind|tell|alert|notify|ping|warn|buzz me when i need|have|should|must|ought to? *what")
	what := c.Sentence("what")
	if !ok || l.Timing(what.All()).Said || IsBeside(what.All()) || !what.Is(0, "leave", "go", "head", "drive", "start") || !sentences.HasAny(what, "for", "to") {
		return tools.Intent{}, false
	}
	return tools.Intent{Tool: tools.SkillRemind, Ask: tools.Says("ask.remind", "lacks", speech.Kind("length"), "said", what.All())}, true
}
