package hearing

import (
	"strings"

	"chalie/domain/language/when"
)

// cues are ways to ask to be reminded; the longer before the shorter.
var cues = []phrase{
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
var cuesApart = []phrase{
	"set|create|make|add|put me? up? a|an|another? reminder|reminders", "do not let me forget about? it|this|that", "do not let me forget",
	"reminder|reminders please", "reminder|reminders", "remind", "ping|buzz|alert|notify|warn me",
}

// cueStarts are the words that a way to ask to be reminded begins with.
var cueStarts = firstWords(cues, cuesApart)

func firstWords(all ...[]phrase) map[string]bool {
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

// asRemind is a sentence in which every way to ask to be reminded is "remind me": what it asks
// for stays in the person's words. How often it is to come, where that stands among the asking,
// is said behind it: "I need a daily reminder" is "remind me daily".
func (l listener) asRemind(s said) said {
	s = l.withoutRecurring(s).corrected()
	var out strings.Builder
	from, changed := s.start(), false
	for i := 0; i < len(s.words); i++ {
		n, often := l.cueAt(s, i)
		if n == 0 || n == 2 && s.is(i, "remind") && s.is(i+1, "me") || s.forbidsAt(i) {
			continue
		}
		out.WriteString(s.text[from:s.words[i].start])
		if asking := strings.TrimSpace("remind me " + often); !changed || !s.is(i, "w/", "with") {
			out.WriteString(asking)
		}
		from, changed = s.words[i+n-1].end, true
		i += n - 1
	}
	if !changed {
		return s
	}
	out.WriteString(s.text[from:])
	if again, ok := read(out.String()); ok {
		again.question = again.question && s.question
		return again
	}
	return s
}

// cueAt is how many words at a place ask to be reminded, and how often it is to come.
func (l listener) cueAt(s said, i int) (n int, often string) {
	const longest = 10
	if s.words[i].quoted || !cueStarts[s.words[i].lower] && !signals[s.words[i].lower] {
		return 0, ""
	}
	apart := i > 0 && (s.words[i-1].stop || s.is(i-1, "so", "and", "please", "but", "then", "you", "just")) && !s.is(0, "do", "did", "have", "has", "are", "is", "what", "which", "how", "when")
	for n := min(longest, len(s.words)-i); n > 0; n-- {
		part := s
		part.words = s.words[i : i+n]
		if n == 2 && part.is(0, "remind") && part.is(1, "me") {
			return n, ""
		}
		part, often := part.withoutOften()
		if _, ok := part.any(cues...); ok {
			return n, often
		}
		if _, ok := part.any(cuesApart...); ok && i > 0 && s.isBare(i, n) && !(s.opensAt(i) && s.is(i+1, "me") && l.isOnlyTime(s.part(i+n, len(s.words)))) && (apart || n == 1 && s.is(i, "reminder", "remind") && s.closes(i) && l.endsInTime(s.upTo(i))) {
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
func (l listener) endsInTime(s said) bool {
	t := l.timing(s.all())
	return t.said || l.lengthAtEnd(s) > 0
}

// closes reports whether a word is a sentence's last, and it neither asks nor is about something
// that is there: "chili off the stove in 25 minutes reminder".
func (s said) closes(i int) bool {
	if i+1 < len(s.words) || s.question || s.is(i-1, "the", "a", "my", "that", "this", "to", "of", "no", "any", "new", "another", "alarm") {
		return false
	}
	act, done := s.act()
	return !done || act == ending && s.is(0, "take", "clean", "empty", "stop", "drop")
}

// isBare reports whether a word that asks by itself isn't spoken to somebody else, and isn't one
// that is pointed at: "remind Anna", "my reminders".
func (s said) isBare(i, n int) bool {
	if n > 1 || !s.is(i, "remind", "reminder", "reminders") {
		return true
	}
	if s.is(i, "remind") {
		return i+1 == len(s.words) || s.words[i].stop || !s.words[i-1].stop && !s.is(i+1, "me", "us", "him", "her", "them", "you", "people", "everyone", "everybody") && !s.is(i-1, "to", "not", "you", "i", "please", "and")
	}
	return i+1 == len(s.words) || s.words[i].stop || s.words[i-1].stop && s.is(i+1, "at", "on", "in", "for", "to", "every", "tomorrow", "tonight", "today")
}

// act is what a sentence says it wants of plans that are there; done is false when it is none.
func (s said) act() (act, bool) {
	for _, a := range acts {
		if a.act != making && s.standsAt(0, a.words) > 0 {
			return a.act, true
		}
	}
	if s.is(0, "move", "postpone", "reschedule", "push", "shift", "change", "delay", "snooze", "mark", "tick", "done", "no", "why", "turn") {
		return unsaid, true
	}
	return unsaid, false
}

// oftens are how often a reminder comes, where they stand before the word for it.
const oftens = "daily|hourly|weekly|monthly|yearly|nightly|annual|quarterly|biweekly|fortnightly"

// withoutOften takes how often a reminder comes out of what asks for it.
func (s said) withoutOften() (said, string) {
	for i := 1; i+1 < len(s.words); i++ {
		if fits(oftens, s.words[i]) && s.is(i+1, "reminder", "reminders", "alarm", "nudge", "ping", "alert") {
			often := s.part(i, i+1)
			s.words = append(append([]word(nil), s.words[:i]...), s.words[i+1:]...)
			return s, often
		}
	}
	return s, ""
}

// withoutRecurring is a sentence without the word that says that a reminder or an alarm comes
// again, where its time says so too.
func (l listener) withoutRecurring(s said) said {
	for i := 0; i+1 < len(s.words); i++ {
		if !s.is(i, "recurring", "repeating", "regular", "repeated", "recurrent") || !s.is(i+1, "reminder", "reminders", "alarm", "alarms") {
			continue
		}
		out, ok := read(s.text[s.start():s.words[i].start] + s.text[s.words[i+1].start:])
		if ok && l.recurs(out.all()) {
			out.question = s.question
			return out
		}
	}
	return s
}

// recurs reports whether a text says a time that comes again.
func (l listener) recurs(text string) bool {
	t := l.timing(text)
	return t.said && t.again
}

// corrected is what a sentence says behind the words that take back what it said before:
// "remind me at 5 to... actually remind me at 6 to call".
func (s said) corrected() said {
	for i := len(s.words) - 3; i > 0; i-- {
		var n int
		switch {
		case s.is(i, "actually", "rather", "correction"):
			n = 1
		case s.beginsAt(i, "scratch", "that"), s.beginsAt(i, "no", "wait"), s.beginsAt(i, "wait", "no"), s.beginsAt(i, "i", "mean"), s.beginsAt(i, "never", "mind"):
			n = 2
		default:
			continue
		}
		rest := s.from(i + n)
		for len(rest.words) > 1 && rest.is(0, "just", "no", "please", "instead", "make", "it", "that") {
			rest = rest.from(1)
		}
		if rest.beginsAt(0, "remind", "me") || rest.is(0, "set", "wake") {
			return rest
		}
	}
	return s
}

// forbidsAt reports whether words at a place don't ask for a reminder, as what stands before
// them in their part of the sentence says: "don't remind me", "you reminded me", "he said:
// remind me", "if it rains remind me".
func (s said) forbidsAt(i int) bool {
	if s.is(0, "if", "unless", "whenever") || s.is(i-1, "said", "says", "told", "wrote", "asked") || s.is(0, "when") && (s.question || s.is(i-1, "you", "will", "did", "to")) {
		return true
	}
	if s.isSaidOfOthers(i) {
		return true
	}
	first := i
	for first > 0 && !s.words[first-1].stop && !s.is(first-1, "so", "but") {
		first--
	}
	for at := first; at < i; at++ {
		if s.is(at, "not", "never", "why", "stop", "reminds", "reminded", "did", "was", "were", "said", "says", "told", "what", "who", "how", "if", "unless") && !s.is(at-1, "be", "get") && !(s.is(at, "not") && s.is(at+1, "forget", "let")) && !(s.is(at, "what", "who", "how") && at > first) {
			return true
		}
	}
	return s.is(i, "do") && s.is(i+1, "not") && !s.is(i+2, "let")
}

// isSaidOfOthers reports whether words at a place tell of a reminder rather than ask for one: "he
// will remind me", "you forgot to remind me", "thanks for reminding me".
func (s said) isSaidOfOthers(i int) bool {
	switch {
	case s.is(i-1, "for", "keeps", "kept", "by", "without") && s.is(i, "reminding"):
		return true
	case s.is(i-1, "will", "would", "should", "can", "could", "may", "might"):
		return i > 1 && !s.words[i-2].stop && !s.is(i-2, "you", "so", "and", "please", "then", "but")
	case s.is(i-1, "to") && s.is(i-2, "you"):
		return !s.is(i-3, "want", "need", "like", "love", "ask", "asking", "trust")
	}
	return s.is(i-1, "to") && s.is(i-2, "forgot", "forget", "need", "going", "asked", "wanted", "had", "him", "her", "them", "failed", "tried") && !s.is(i-3, "not")
}

// signals are the words that ask for a word at a time, where a time says when.
var signals = wordsIn("tell let ask shout holler yell buzz message text ring call ping alert notify warn give get remind")

// signalPhrases are ways to ask for a word at a time.
var signalPhrases = []string{"let me know", "give me a shout", "give me a call", "give me a ring", "give me a buzz", "shout at me", "yell at me", "tell me", "ask me", "buzz me", "message me", "text me", "ring me", "ping me", "alert me", "notify me", "warn me", "call me", "shout", "holler", "yell"}

// signalLength is how many words at a place ask for a word.
func signalLength(s said, i int) int {
	for _, p := range signalPhrases {
		if n := s.standsAt(i, p); n > 0 {
			return n
		}
	}
	if s.beginsAt(i, "get", "me") && s.is(i+2, "to") && !s.is(i+3, "the", "a", "an", "my", "work", "school", "bed", "you", "know") {
		return 2
	}
	return 0
}

// tellsAt reports whether words ask to be told at a time: "tell me at 12:45 that lunch is over",
// "in an hour tell me to move the car", "the eggs boil, shout in 5 minutes".
func (l listener) tellsAt(s said, i int) bool {
	n := signalLength(s, i)
	if n == 0 || s.question && i == 0 && !s.is(i, "get") || s.is(i-1, "a") && s.is(i-2, "me") {
		return false
	}
	after, before := s.from(i+n), s.upTo(i)
	switch {
	case i > 0 && s.is(i, "call", "ring", "text", "message") && !s.words[i-1].stop && !s.is(i-1, "so", "and", "please", "then", "but", "just", "you") && !l.isOnlyTime(before.all()):
		return false // have Ann call me at 5
	case len(after.words) == 0:
		return false
	case after.is(0, "to") && (i > 0 && l.timing(before.all()).said || s.is(i, "get", "tell") && l.timing(after.all()).said):
		return true
	case after.is(0, "that", "about") && i > 0 && l.isOnlyTime(before.all()):
		return true
	}
	if _, done := after.any(whenDone...); i > 0 && (done || after.beginsAt(0, "when", "it", "is", "time")) {
		return l.timing(before.all()).said || l.lengthIn(before) != ""
	}
	if c, ok := after.any("when it is *at"); ok && l.isOnlyTime(c.get("at")) {
		return true
	}
	if s.is(i, "ask") && after.is(0, "that", "this", "it", "again") {
		after = after.from(1)
	}
	for to := min(len(after.words), 8); to > 0; to-- {
		if text := after.part(0, to); isBareNumber(text) || !l.isOnlyTime(text) {
			continue
		}
		if to == len(after.words) {
			return !s.opensAt(i)
		}
		if s.is(i, "ask") && after.is(to, "how", "whether", "if", "what", "why", "where", "who") {
			return true
		}
		if !after.words[to-1].stop && !after.is(to, "that", "to", "it", "about", "i", "we", "of", "my", "the") {
			continue
		}
		return !after.is(0, "today's", "tomorrow's", "tonight's") && nouns[after.words[to].lower] == noNoun
	}
	return isBeside(after.part(0, min(8, len(after.words)))) && (after.is(0, "the", "a", "an", "half", "right", "straight", "just", "once") || l.countsAt(after))
}

// opensAt reports whether what is asked for begins at a place: only courtesies stand before it.
func (s said) opensAt(i int) bool {
	bare, _ := s.request()
	return i <= len(s.words)-len(bare.words)
}

// countsAt reports whether a sentence begins with a length of time: ten minutes.
func (l listener) countsAt(s said) bool {
	const longest = 6
	for n := min(longest, len(s.words)); n > 1; n-- {
		if _, length := when.Later(s.part(0, n), l.p.AsOf, l.zone()); length {
			return true
		}
	}
	return false
}

// isBehindTime reports whether a bare "remind" follows a time or stands behind what it is about:
// "thurs 8pm remind garbage bins".
func (l listener) isBehindTime(s said, i int) bool {
	if i == 0 || !s.is(i, "remind") || s.is(i+1, "me", "us", "him", "her", "them", "you") {
		return false
	}
	return l.isOnlyTime(s.part(0, i))
}

// cued hears who asks to be reminded behind what it is about, or behind its time: "the roast is
// done at 3:15, remind me", "I have a meeting tomorrow at ten, please remind me".
func (l listener) cued(s said) (intent, bool) {
	for i := 1; i+1 < len(s.words); i++ {
		if !s.beginsAt(i, "remind", "me") {
			continue
		}
		if s.forbidsAt(i) {
			return intent{}, false
		}
		before := s.upTo(i).withoutLinks()
		if len(before.words) == 0 || before.is(0, "remember") && len(before.words) == 1 {
			return intent{}, false
		}
		if in, ok := l.one(before); ok && in.ask == "" && !in.weak && in.tool != skillPlans && !before.isNeed() && !(in.params["action"] == "create" && in.tool == skillTask && !before.is(0, "add", "put", "task", "tasks", "todo", "to-do", "create", "new", "make", "note")) && !before.beginsAt(0, "remind", "me") {
			return intent{}, false // it is a request by itself
		}
		after := s.from(i + 2)
		if (before.is(0, "what", "where", "who", "how") || before.is(0, "when") && before.is(1, "is", "are", "does")) && !before.is(1, "about") && !l.timing(after.all()).said && !isBeside(before.all()) {
			return l.one(before) // what is asked is what one wants to be told
		}
		if l.isOnlyTime(before.all()) {
			return l.led(before.all(), after), true
		}
		if before.is(0, "on", "at", "during") && isWithin(before.all()) && len(after.words) > 0 && !l.timing(after.all()).said {
			return l.handed(after.all() + " " + before.all()), true
		}
		return l.about(before, after), true
	}
	return intent{}, false
}

// withoutLinks is what stands before an asking, without the words that only lead to it.
func (s said) withoutLinks() said {
	for len(s.words) > 0 {
		last := len(s.words) - 1
		switch {
		case s.is(last, "so", "and", "please", "you", "can", "could", "would", "will", "just", "then", "also", "but", "pls", "plz", "to", "do", "ok", "kindly"), s.is(last, "now") && !s.is(last-1, "from", "right", "by", "until"):
			s = s.upTo(last)
		case s.is(last, "sure") && s.is(last-1, "make"), s.is(last, "that") && s.is(last-1, "so"):
			s = s.upTo(last - 1)
		default:
			return s
		}
	}
	return s
}

// beginsAt reports whether these words stand at a place.
func (s said) beginsAt(i int, words ...string) bool {
	for n, w := range words {
		if !s.is(i+n, w) {
			return false
		}
	}
	return true
}

// isSlipOf reports whether a word is another with two letters next to each other exchanged, or
// one left out or typed too much.
func isSlipOf(word, typed string) bool {
	if typed == word || len(typed) < len(word)-1 || len(typed) > len(word)+1 || typed[0] != word[0] {
		return false
	}
	for i := 1; i < len(word); i++ {
		if typed == word[:i]+word[i+1:] || i+1 < len(word) && typed == word[:i]+word[i+1:i+2]+word[i:i+1]+word[i+2:] || len(typed) > len(word) && typed[:i]+typed[i+1:] == word {
			return true
		}
	}
	return false
}
