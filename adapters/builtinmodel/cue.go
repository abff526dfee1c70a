package builtinmodel

import (
	"strings"

	"chalie/domain/when"
)

// cues are ways to ask to be reminded; the longer before the shorter.
var cues = []phrase{
	"i would|will love|like to be|get reminded", "i want|need|have|wish|wanna to? be|get reminded", "i should|must|ought to? be|get reminded", "i would like|appreciate|love a reminder", "i want|need you to remind me",
	"i would like you to remind me", "is it possible to get|have a reminder", "could|can|may i get|have a reminder", "any chance you could|can remind me", "is there any? chance you could|can remind me",
	"would you mind reminding me", "can|could you keep reminding me", "keep reminding me", "start reminding me", "make sure that? i remember", "see to it that i remember", "remember to remind me",
	"give|shoot|send|drop me a little? quick? nudge|heads-up|reminder|ping", "give me a heads up", "hit me up", "i will|would need|want|like a little? nudge", "heads up", "poke|nudge|prod me", "reminding me",
}

// asRemind is a sentence in which every way to ask to be reminded is "remind me": what it asks
// for stays in the person's words.
func (s said) asRemind() said {
	var out strings.Builder
	from, changed := 0, false
	for i := 0; i < len(s.words); i++ {
		n := s.cueAt(i)
		if n == 0 || n == 2 && s.is(i, "remind") && s.is(i+1, "me") {
			continue
		}
		out.WriteString(s.text[from:s.words[i].start])
		out.WriteString("remind me")
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

// forbids reports whether a sentence is about being reminded, and asks for no reminder: "don't
// remind me", "you reminded me", "he said: remind me".
func (s said) forbids() bool {
	for i := range s.words {
		if s.is(i, "not", "never", "why", "stop", "reminds", "reminded", "did", "was", "were", "said", "says", "told", "when", "what", "if") && i < 5 && !s.is(i+1, "let", "forget") && !(s.is(i, "reminded") && s.is(i-1, "be", "get")) && !(s.is(i, "never", "not") && s.is(i+1, "remember")) {
			if s.is(i, "when", "what", "if") && i > 0 {
				continue
			}
			return true
		}
	}
	return false
}

// cueAt is how many words at a place ask to be reminded.
func (s said) cueAt(i int) int {
	const longest = 8
	for n := min(longest, len(s.words)-i); n > 0; n-- {
		part := s
		part.words = s.words[i : i+n]
		if isSlipOf("remind", part.words[0].lower) && n == 2 && part.is(1, "me") {
			return n
		}
		if _, ok := part.any(cues...); ok {
			return n
		}
	}
	return 0
}

// isSlipOf reports whether a word is another with two letters next to each other exchanged, or
// one left out.
func isSlipOf(word, typed string) bool {
	if typed == word || len(typed) < len(word)-1 || len(typed) > len(word) || typed[0] != word[0] {
		return false
	}
	for i := 1; i < len(word); i++ {
		if typed == word[:i]+word[i+1:] || i+1 < len(word) && typed == word[:i]+word[i+1:i+2]+word[i:i+1]+word[i+2:] {
			return true
		}
	}
	return false
}

// cued hears who asks to be reminded behind what it is about: "the roast is done at 3:15,
// remind me", "I have a meeting tomorrow at ten, please remind me".
func (l listener) cued(s said) (intent, bool) {
	for i := 1; i+1 < len(s.words); i++ {
		if !s.beginsAt(i, "remind", "me") {
			continue
		}
		before := s.upTo(i)
		for len(before.words) > 0 && (before.is(len(before.words)-1, "so", "and", "please", "you", "can", "could", "would", "will", "just", "then", "also", "but", "pls", "to", "do", "ok") || before.is(len(before.words)-1, "sure") && before.is(len(before.words)-2, "make")) {
			before = before.upTo(len(before.words) - 1)
		}
		if len(before.words) == 0 {
			return intent{}, false
		}
		if in, ok := l.one(before); ok && in.ask == "" && !in.weak && in.tool != skillPlans && !before.isNeed() {
			return intent{}, false // it is a request by itself
		}
		if text := before.all(); l.isOnlyTime(text) || l.timing(text).wrong {
			return intent{}, false
		}
		after := s
		after.words = s.words[i+2:]
		return l.about(before, after), true
	}
	return intent{}, false
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

// needs are ways to say that one has something to do, which is what one is reminded of.
var needs = []phrase{
	"i have|need|ought got? to *what", "i must|should|will|gotta|can *what", "i am supposed|going|meant to *what", "i have got to *what", "i will need|have to *what", "i promised|want|plan|hope|forgot to *what", "i always|keep forget|forgetting to? *what",
	"i can not|never forget to? *what", "we have|need to *what", "we are supposed to *what", "it is *what", "there is *what", "i have *what", "we have *what", "ok|okay so? *what", "hey *what", "i am *what",
}

// isNeed reports whether a sentence says what one has to do, which may be a task.
func (s said) isNeed() bool {
	for range 2 {
		if _, ok := s.any(needs[:7]...); ok {
			return true
		}
		for i := range s.words { // behind a time: "tomorrow at 3 I have to …"
			rest := s.from(i)
			if i > 0 && rest.is(0, "i", "we") {
				s = rest
				break
			}
		}
	}
	return false
}

// about is a reminder of what stands before it, at the time that stands behind it or there.
func (l listener) about(before, after said) intent {
	for len(after.words) > 0 && after.is(len(after.words)-1, "please", "thanks", "again", "then", "too") {
		after = after.upTo(len(after.words) - 1)
	}
	said, then := l.timing(before.all()), l.timing(after.all())
	if len(after.words) == 0 {
		then = timing{}
	}
	what, moment := said.rest, said.when
	switch rest := strings.ToLower(withoutLink(then.rest)); {
	case len(after.words) == 0 || rest == "" && !then.said, rest == "each time", rest == "me", rest == "it" || rest == "that" || rest == "this" || rest == "then" || rest == "both nights" || rest == "when it is time" || rest == "when it is done" || rest == "at that time":
	case then.said && (rest == "" || rest == "day" || rest == "that day" || rest == "the same day"):
		if moment = then.when; said.said && said.when != "" {
			moment = l.meant(said.when, then.when)
		}
	case strings.Contains(after.all(), "before that") || strings.Contains(after.all(), "earlier") || strings.Contains(after.all(), "ahead") || strings.Contains(after.all(), "beforehand") || strings.Contains(after.all(), "in advance"):
		if moment = l.ahead(said.when, after); moment == "" {
			return l.reminded(before.all() + ", " + after.all())
		}
	default:
		// What stands behind is what to be reminded of, with its own time or the one before.
		if isBeside(before.all()) || isBeside(after.all()) || hasAny(before, "until", "through", "starting", "beginning", "from", "for") && said.said && then.said {
			return l.reminded(joined(after.all(), before.all()))
		}
		if !then.said && said.said && said.when != "" {
			return l.reminded(withoutLink(then.rest) + " " + said.when)
		}
		out := l.reminded(after.all())
		if about, ok := out.params["what"].(string); ok && pointsBack(about) {
			out.params["what"] = about + ": " + bareNeed(before)
		}
		return out
	}
	if s, ok := read(what); ok {
		what = bareNeed(s)
	}
	if said.left || said.said && said.when == "" || then.left {
		return l.reminded(before.all() + " " + after.all())
	}
	out := intent{tool: skillRemind, whole: joined(before.all(), after.all()), subject: "what", moment: "when", params: map[string]any{"what": what, "when": moment}}
	if moment == "" {
		delete(out.params, "when")
		out.missing, out.ask = "when", "When should I remind you: "+mention(what)+"? Say a time, such as: in 2 hours, tomorrow at 8, every Monday at 9."
	}
	if what == "" {
		return l.reminded(joined(moment, after.all()))
	}
	return out
}

// pointsBack reports whether words only make sense with what was said before.
func pointsBack(text string) bool {
	s, ok := read(text)
	return ok && hasAny(s, "it", "them", "him", "her", "that", "one")
}

// bareNeed is what one has to do, without the words that say that one has to.
func bareNeed(s said) string {
	for range 2 {
		if c, ok := s.any(needs...); ok {
			s = c.sentence("what")
		}
		for len(s.words) > 1 && s.is(len(s.words)-1, "so", "and", "at", "on", "by", "is", "are", "goes", "for", "to", "in") {
			s = s.upTo(len(s.words) - 1)
		}
	}
	return s.all()
}

// meant is the time that is meant by two, the second of which is when to be reminded: it takes
// the day from the first where it has none.
func (l listener) meant(first, second string) string {
	day, _ := when.Parts(second, l.p.AsOf, l.zone())
	if day {
		return second
	}
	if text := l.combined(first, second, true); l.isOnlyTime(text) {
		return text
	}
	return second
}

// ahead is so long before a time as other words say; "" when they don't.
func (l listener) ahead(first string, by said) string {
	for n := len(by.words); n > 0; n-- {
		text := "in " + by.part(0, n)
		span, err := when.Parse(text, l.p.AsOf, l.zone())
		at, wrong := when.Parse(first, l.p.AsOf, l.zone())
		if err != nil || wrong != nil || at.Recurrence != nil || len(span.Unread(text)) > 0 || span.Rest(text) != "" {
			continue
		}
		length := span.At.Sub(l.p.AsOf)
		return at.At.Add(-length).Time().In(l.zone()).Format("on 2 January 2006 at 15:04")
	}
	return ""
}
