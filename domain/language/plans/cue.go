package plans

import (
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/when"
)

// cues are ways to ask to be reminded; the longer before the shorter.
var cues = []sentences.Phrase{
	"i would|will love|like|want|need to be|get reminded|told|alerted|notified", "i want|need|have|wish|wanna to? be|get reminded|told|alerted|notified", "i should|must|ought to? be|get reminded|told|alerted",
	"can|could|may i be|get reminded", "i would like|appreciate|love a|an|some|the? reminder|reminders|nudge|ping|alert|heads-up",
	"i want|need a|an|some|the? reminder|reminders|nudge|ping|alert|heads-up", "i want|need you to remind me", "i would like you to remind me",
	"is it possible to get|have a reminder", "could|can|may i get|have a reminder", "any chance you could|can remind me", "is there any? chance you could|can remind me",
	"would you mind reminding me", "can|could you keep reminding me", "keep reminding me", "start reminding me", "make sure that? i remember", "make sure that? i do not forget", "see to? it? that i remember", "see to? it? that i do not forget", "remember to remind me",
	"i need|want reminding", "i could|can use a reminder|nudge", "how|what is? about a reminder|nudge", "it would be great|nice|good|helpful|lovely if you could|would? remind|reminded me", "i would appreciate it if you could|would? remind|reminded me",
	"would it be possible to be reminded", "would it be possible to remind me", "would you mind letting me know",
	"give|shoot|send|drop me a|some? little|quick|friendly? nudge|heads-up|reminder|ping", "give me a heads up", "hit me up", "i will|would need|want|like a little? nudge", "heads up", "poke|nudge|prod me", "reminding me", "w/|with a|an reminder|nudge",
}

// cuesApart are ways that only ask where a part of a sentence begins: "the dog needs his pill at
// 6, reminder please".
var cuesApart = []sentences.Phrase{
	"set|create|make|add|put me? up? a|an|another? reminder|reminders", "do not let me forget about? it|this|that", "do not let me forget",
	"reminder|reminders please", "reminder|reminders", "remind", "ping|buzz|alert|notify|warn me",
}

// cueStarts are the words that a way to ask to be reminded begins with.
var cueStarts = firstWords(cues, cuesApart)

func firstWords(all ...[]sentences.Phrase) map[string]bool {
	out := map[string]bool{"remind": true}
	for _, phrases := range all {
		for _, p := range phrases {
			first, _, _ := strings.Cut(string(p), " ")
			for w := range strings.SplitSeq(strings.TrimSuffix(first, "?"), "|") {
				out[w] = true
			}
		}
	}
	return out
}

// AsRemind is a sentence in which every way to ask to be reminded is "remind me": what it asks
// for stays in the person's words. How often it is to come, where that stands among the asking,
// is said behind it: "I need a daily reminder" is "remind me daily".
func (l Planner) AsRemind(s sentences.Said) sentences.Said {
	s = corrected(l.withoutRecurring(s))
	var out strings.Builder
	from, changed := s.Start(), false
	for i := 0; i < len(s.Words); i++ {
		n, often := l.cueAt(s, i)
		if n == 0 || n == 2 && s.Is(i, "remind") && s.Is(i+1, "me") || ForbidsAt(s, i) {
			continue
		}
		out.WriteString(s.Text[from:s.Words[i].Start])
		if asking := strings.TrimSpace("remind me " + often); !changed || !s.Is(i, "w/", "with") {
			out.WriteString(asking)
		}
		from, changed = s.Words[i+n-1].End, true
		i += n - 1
	}
	if !changed {
		return s
	}
	out.WriteString(s.Text[from:])
	if again, ok := sentences.Read(out.String()); ok {
		again.Question = again.Question && s.Question
		return again
	}
	return s
}

// cueAt is how many words at a place ask to be reminded, and how often it is to come.
func (l Planner) cueAt(s sentences.Said, i int) (n int, often string) {
	const longest = 10
	if s.Words[i].Quoted || !cueStarts[s.Words[i].Lower] && !signals[s.Words[i].Lower] {
		return 0, ""
	}
	apart := i > 0 && (s.Words[i-1].Stop || s.Is(i-1, "so", "and", "please", "but", "then", "you", "just")) && !s.Is(0, "do", "did", "have", "has", "are", "is", "what", "which", "how", "when")
	for n := min(longest, len(s.Words)-i); n > 0; n-- {
		part := s
		part.Words = s.Words[i : i+n]
		if n == 2 && part.Is(0, "remind") && part.Is(1, "me") {
			return n, ""
		}
		part, often := withoutOften(part)
		if _, ok := part.Any(cues...); ok {
			return n, often
		}
		if _, ok := part.Any(cuesApart...); ok && i > 0 && isBare(s, i, n) && !(opensAt(s, i) && s.Is(i+1, "me") && l.IsOnlyTime(s.Part(i+n, len(s.Words)))) && (apart || n == 1 && s.Is(i, "reminder", "remind") && closesOf(s, i) && l.endsInTime(s.UpTo(i))) {
			return n, often
		}
	}
	if l.tellsAt(s, i) {
		return signalLength(s, i), ""
	}
	if l.isBehindTime(s, i) {
		return 1, ""
	}
	return 0, ""
}

// endsInTime reports whether a sentence says a time, or a length of time at its end.
func (l Planner) endsInTime(s sentences.Said) bool {
	t := l.Timing(s.All())
	return t.Said || l.lengthAtEnd(s) > 0
}

// closesOf reports whether a word is a sentence's last, and it neither asks nor is about something
// that is there: "chili off the stove in 25 minutes reminder".
func closesOf(s sentences.Said, i int) bool {
	if i+1 < len(s.Words) || s.Question || s.Is(i-1, "the", "a", "my", "that", "this", "to", "of", "no", "any", "new", "another", "alarm") {
		return false
	}
	act, done := ActOf(s)
	return !done || act == sentences.Ending && s.Is(0, "take", "clean", "empty", "stop", "drop")
}

// isBare reports whether a word that asks by itself isn't spoken to somebody else, and isn't one
// that is pointed at: "remind Anna", "my reminders".
func isBare(s sentences.Said, i, n int) bool {
	if n > 1 || !s.Is(i, "remind", "reminder", "reminders") {
		return true
	}
	if s.Is(i, "remind") {
		return i+1 == len(s.Words) || s.Words[i].Stop || !s.Words[i-1].Stop && !s.Is(i+1, "me", "us", "him", "her", "them", "you", "people", "everyone", "everybody") && !s.Is(i-1, "to", "not", "you", "i", "please", "and")
	}
	return i+1 == len(s.Words) || s.Words[i].Stop || s.Words[i-1].Stop && s.Is(i+1, "at", "on", "in", "for", "to", "every", "tomorrow", "tonight", "today")
}

// ActOf is what a sentence says it wants of plans that are there; done is false when it is none.
func ActOf(s sentences.Said) (sentences.Act, bool) {
	for _, a := range sentences.Acts {
		if a.Act != sentences.Making && s.StandsAt(0, a.Words) > 0 {
			return a.Act, true
		}
	}
	if s.Is(0, "move", "postpone", "reschedule", "push", "shift", "change", "delay", "snooze", "mark", "tick", "done", "no", "why", "turn") {
		return sentences.Unsaid, true
	}
	return sentences.Unsaid, false
}

// oftens are how often a reminder comes, where they stand before the word for it.
const oftens = "daily|hourly|weekly|monthly|yearly|nightly|annual|quarterly|biweekly|fortnightly"

// withoutOften takes how often a reminder comes out of what asks for it.
func withoutOften(s sentences.Said) (sentences.Said, string) {
	for i := 1; i+1 < len(s.Words); i++ {
		if sentences.Fits(oftens, s.Words[i]) && s.Is(i+1, "reminder", "reminders", "alarm", "nudge", "ping", "alert") {
			often := s.Part(i, i+1)
			s.Words = append(append([]sentences.Word(nil), s.Words[:i]...), s.Words[i+1:]...)
			return s, often
		}
	}
	return s, ""
}

// withoutRecurring is a sentence without the word that says that a reminder or an alarm comes
// again, where its time says so too.
func (l Planner) withoutRecurring(s sentences.Said) sentences.Said {
	for i := 0; i+1 < len(s.Words); i++ {
		if !s.Is(i, "recurring", "repeating", "regular", "repeated", "recurrent") || !s.Is(i+1, "reminder", "reminders", "alarm", "alarms") {
			continue
		}
		out, ok := sentences.Read(s.Text[s.Start():s.Words[i].Start] + s.Text[s.Words[i+1].Start:])
		if ok && l.Recurs(out.All()) {
			out.Question = s.Question
			return out
		}
	}
	return s
}

// Recurs reports whether a text says a time that comes again.
func (l Planner) Recurs(text string) bool {
	t := l.Timing(text)
	return t.Said && t.Again
}

// corrected is what a sentence says behind the words that take back what it said before:
// "remind me at 5 to... actually remind me at 6 to call".
func corrected(s sentences.Said) sentences.Said {
	for i := len(s.Words) - 3; i > 0; i-- {
		var n int
		switch {
		case s.Is(i, "actually", "rather", "correction"):
			n = 1
		case s.BeginsAt(i, "scratch", "that"), s.BeginsAt(i, "no", "wait"), s.BeginsAt(i, "wait", "no"), s.BeginsAt(i, "i", "mean"), s.BeginsAt(i, "never", "mind"):
			n = 2
		default:
			continue
		}
		rest := s.From(i + n)
		for len(rest.Words) > 1 && rest.Is(0, "just", "no", "please", "instead", "make", "it", "that") {
			rest = rest.From(1)
		}
		if rest.BeginsAt(0, "remind", "me") || rest.Is(0, "set", "wake") {
			return rest
		}
	}
	return s
}

// ForbidsAt reports whether words at a place don't ask for a reminder, as what stands before
// them in their part of the sentence says: "don't remind me", "you reminded me", "he said:
// remind me", "if it rains remind me".
func ForbidsAt(s sentences.Said, i int) bool {
	if s.Is(0, "if", "unless", "whenever") || s.Is(i-1, "said", "says", "told", "wrote", "asked") || s.Is(0, "when") && (s.Question || s.Is(i-1, "you", "will", "did", "to")) {
		return true
	}
	if isSaidOfOthers(s, i) {
		return true
	}
	first := i
	for first > 0 && !s.Words[first-1].Stop && !s.Is(first-1, "so", "but") {
		first--
	}
	for at := first; at < i; at++ {
		if s.Is(at, "not", "never", "why", "stop", "reminds", "reminded", "did", "was", "were", "said", "says", "told", "what", "who", "how", "if", "unless") && !s.Is(at-1, "be", "get") && !(s.Is(at, "not") && s.Is(at+1, "forget", "let")) && !(s.Is(at, "what", "who", "how") && at > first) {
			return true
		}
	}
	return s.Is(i, "do") && s.Is(i+1, "not") && !s.Is(i+2, "let")
}

// isSaidOfOthers reports whether words at a place tell of a reminder rather than ask for one: "he
// will remind me", "you forgot to remind me", "thanks for reminding me".
func isSaidOfOthers(s sentences.Said, i int) bool {
	switch {
	case s.Is(i-1, "for", "keeps", "kept", "by", "without") && s.Is(i, "reminding"):
		return true
	case s.Is(i-1, "will", "would", "should", "can", "could", "may", "might"):
		return i > 1 && !s.Words[i-2].Stop && !s.Is(i-2, "you", "so", "and", "please", "then", "but")
	case s.Is(i-1, "to") && s.Is(i-2, "you"):
		return !s.Is(i-3, "want", "need", "like", "love", "ask", "asking", "trust")
	}
	return s.Is(i-1, "to") && s.Is(i-2, "forgot", "forget", "need", "going", "asked", "wanted", "had", "him", "her", "them", "failed", "tried") && !s.Is(i-3, "not")
}

// signals are the words that ask for a word at a time, where a time says when.
var signals = sentences.WordsIn("tell let ask shout holler yell buzz message text ring call ping alert notify warn give get remind")

// signalPhrases are ways to ask for a word at a time.
var signalPhrases = []string{"let me know", "give me a shout", "give me a call", "give me a ring", "give me a buzz", "shout at me", "yell at me", "tell me", "ask me", "buzz me", "message me", "text me", "ring me", "ping me", "alert me", "notify me", "warn me", "call me", "shout", "holler", "yell"}

// signalLength is how many words at a place ask for a word.
func signalLength(s sentences.Said, i int) int {
	for _, p := range signalPhrases {
		if n := s.StandsAt(i, p); n > 0 {
			return n
		}
	}
	if s.BeginsAt(i, "get", "me") && s.Is(i+2, "to") && !s.Is(i+3, "the", "a", "an", "my", "work", "school", "bed", "you", "know") {
		return 2
	}
	return 0
}

// tellsAt reports whether words ask to be told at a time: "tell me at 12:45 that lunch is over",
// "in an hour tell me to move the car", "the eggs boil, shout in 5 minutes".
func (l Planner) tellsAt(s sentences.Said, i int) bool {
	n := signalLength(s, i)
	if n == 0 || s.Question && i == 0 && !s.Is(i, "get") || s.Is(i-1, "a") && s.Is(i-2, "me") {
		return false
	}
	after, before := s.From(i+n), s.UpTo(i)
	switch {
	case i > 0 && s.Is(i, "call", "ring", "text", "message") && !s.Words[i-1].Stop && !s.Is(i-1, "so", "and", "please", "then", "but", "just", "you") && !l.IsOnlyTime(before.All()):
		return false // have Ann call me at 5
	case len(after.Words) == 0:
		return false
	case after.Is(0, "to") && (i > 0 && l.Timing(before.All()).Said || s.Is(i, "get", "tell") && l.Timing(after.All()).Said):
		return true
	case after.Is(0, "that", "about") && i > 0 && l.IsOnlyTime(before.All()):
		return true
	}
	if _, done := after.Any(whenDone...); i > 0 && (done || after.BeginsAt(0, "when", "it", "is", "time")) {
		return l.Timing(before.All()).Said || l.lengthIn(before) != ""
	}
	if c, ok := after.Any("when it is *at"); ok && l.IsOnlyTime(c.Get("at")) {
		return true
	}
	if s.Is(i, "ask") && after.Is(0, "that", "this", "it", "again") {
		after = after.From(1)
	}
	for to := min(len(after.Words), 8); to > 0; to-- {
		if text := after.Part(0, to); isBareNumber(text) || !l.IsOnlyTime(text) {
			continue
		}
		if to == len(after.Words) {
			return !opensAt(s, i)
		}
		if s.Is(i, "ask") && after.Is(to, "how", "whether", "if", "what", "why", "where", "who") {
			return true
		}
		if !after.Words[to-1].Stop && !after.Is(to, "that", "to", "it", "about", "i", "we", "of", "my", "the") {
			continue
		}
		return !after.Is(0, "today's", "tomorrow's", "tonight's") && sentences.Nouns[after.Words[to].Lower] == sentences.NoNoun
	}
	return IsBeside(after.Part(0, min(8, len(after.Words)))) && (after.Is(0, "the", "a", "an", "half", "right", "straight", "just", "once") || l.countsAt(after))
}

// opensAt reports whether what is asked for begins at a place: only courtesies stand before it.
func opensAt(s sentences.Said, i int) bool {
	bare, _ := s.Request()
	return i <= len(s.Words)-len(bare.Words)
}

// countsAt reports whether a sentence begins with a length of time: ten minutes.
func (l Planner) countsAt(s sentences.Said) bool {
	const longest = 6
	for n := min(longest, len(s.Words)); n > 1; n-- {
		if _, length := when.Later(s.Part(0, n), l.P.AsOf, l.Zone()); length {
			return true
		}
	}
	return false
}

// isBehindTime reports whether a bare "remind" follows a time or stands behind what it is about:
// "thurs 8pm remind garbage bins".
func (l Planner) isBehindTime(s sentences.Said, i int) bool {
	if i == 0 || !s.Is(i, "remind") || s.Is(i+1, "me", "us", "him", "her", "them", "you") {
		return false
	}
	return l.IsOnlyTime(s.Part(0, i))
}

// WithoutLinks is what stands before an asking, without the words that only lead to it.
func WithoutLinks(s sentences.Said) sentences.Said {
	for len(s.Words) > 0 {
		last := len(s.Words) - 1
		switch {
		case s.Is(last, "so", "and", "please", "you", "can", "could", "would", "will", "just", "then", "also", "but", "pls", "plz", "to", "do", "ok", "kindly"), s.Is(last, "now") && !s.Is(last-1, "from", "right", "by", "until"):
			s = s.UpTo(last)
		case s.Is(last, "sure") && s.Is(last-1, "make"), s.Is(last, "that") && s.Is(last-1, "so"):
			s = s.UpTo(last - 1)
		default:
			return s
		}
	}
	return s
}
