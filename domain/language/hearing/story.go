package hearing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain/language/when"
)

// told is a part of a sentence taken apart into what it is about and when.
type told struct {
	what, when string
	said       bool // it says when
	clear      bool // all that it says about when was read
}

// apart takes a part of a sentence apart. Where its words of time can't be read as one time, the
// part that stands by itself at its end or at its beginning says when, and the rest is what it
// is about: "trash goes out on Wednesday nights, so every Wednesday at 9".
func (l listener) apart(s said) told {
	if len(s.words) == 0 {
		return told{clear: true}
	}
	t := l.timing(s.all())
	if t.said && !t.left && t.when != "" && !isBareNumber(t.rest) {
		return told{what: t.rest, when: t.when, said: true, clear: true}
	}
	for i := len(s.words) - 1; i > 0; i-- {
		if !s.words[i-1].stop && !s.is(i-1, "so") {
			continue
		}
		if tail := s.part(i, len(s.words)); l.isOnlyTime(tail) && !l.isOnlyTime(s.part(0, i)) {
			return told{what: s.upTo(i).withoutLinks().all(), when: tail, said: true, clear: true}
		}
	}
	for i := min(len(s.words)-1, maxTimeWords); i > 0; i-- {
		if !s.words[i-1].stop && !s.is(i, "i", "we", "it", "he", "she", "they", "my", "our", "the", "there", "that", "for") {
			continue
		}
		rest := l.timing(s.part(i, len(s.words)))
		if head := s.part(0, i); !rest.said && !rest.wrong && l.isOnlyTime(head) {
			return told{what: s.part(i, len(s.words)), when: head, said: true, clear: true}
		}
	}
	if t.said && !t.unread && t.when != "" && !isBareNumber(t.rest) {
		return told{what: t.rest, when: t.when, said: true, clear: true}
	}
	return told{what: s.all(), said: t.said || t.wrong, clear: !t.said && !t.wrong}
}

// isBareNumber reports whether a text is nothing but a number, which belongs to a time then.
func isBareNumber(text string) bool {
	s, ok := read(text)
	if !ok || len(s.words) > 2 {
		return false
	}
	_, number := when.Later(text+" minutes", 0, time.UTC)
	return number
}

// maxTimeWords bounds how many words a time has that a sentence begins with.
const maxTimeWords = 12

// led is a reminder of what stands behind its time: "five minutes, remind me, eggs".
func (l listener) led(lead string, after said) intent {
	text := joined(lead, after.all())
	if _, also := read(after.all()); !also {
		return l.reminded(lead)
	}
	if after.is(0, "who", "whose", "what", "where", "how", "which") {
		return l.reminded(text)
	}
	in := l.reminded(text)
	behind := l.timing(after.all())
	if _, timed := in.params["when"]; timed && in.ask == "" || behind.said || behind.wrong || isBeside(after.all()) {
		return in
	}
	return intent{tool: skillRemind, whole: text, subject: "what", moment: "when", params: map[string]any{"what": withoutLink(after.all()), "when": lead}}
}

// Ways to say when to be reminded by what stands before it.
var (
	sameMoment = []phrase{"it|that|this|then|me|please|them|of|about|for", "of|about|for it|that|this|them", "at|by that|the time", "at the right time", "each|every time", "both times|nights|days", "when it is time|due", "when it is time to? do? it", "when the time comes", "in time", "on time", "then please"}
	whenDone   = []phrase{"when", "after that", "afterwards", "when|once it|they|that is|are done|ready|over|up|finished|cooked|baked|dry", "when|once it is time", "when time is up", "when the time is up", "when|once done|ready|finished", "when|once it|that has|have passed"}
	whenTo     = []phrase{"then? when to *what", "when it is time to *what", "when i should|must|can|have *what"}
	sameDay    = []phrase{"*at on? that|the same? day", "*at on? that|the day", "*at on? those|these days", "*at on? each of? those|these? days"}
	onlyDay    = []phrase{"on? that|the same? day", "on? that day", "on? those days", "on the day", "the day of"}
)

// about is a reminder of what stands before it, at the time that stands behind it or there. What
// stands behind it is what to be reminded of, when it is more than a time.
func (l listener) about(before, after said) intent {
	for len(after.words) > 0 && after.is(len(after.words)-1, "please", "thanks", "again", "too", "ok", "okay") {
		after = after.upTo(len(after.words) - 1)
	}
	whole := before.all() + ", " + after.all()
	story := l.apart(before)
	if ahead, ok := l.aheadOf(story, after, whole); ok {
		return ahead
	}
	if isBeside(after.all()) && !hasAny(after, "that", "this", "it") || isBeside(before.all()) {
		return l.besides(before, after)
	}
	if c, to := after.any(whenTo...); to {
		if story.said {
			return asksWhenThat(whole)
		}
		after = c.sentence("what")
		if length := l.lengthIn(before); length != "" {
			return l.saidOf(after.all()+": "+before.all(), "in "+length, whole)
		}
		return l.unsaid(after.all() + ": " + bareNeed(before))
	}
	_, done := after.any(whenDone...)
	if length := l.lengthIn(before); done && !story.said && length != "" {
		return l.saidOf(before.all(), "in "+length, whole)
	}
	_, moment := after.any(sameMoment...)
	if _, day := after.any(onlyDay...); day || done || moment || len(after.words) == 0 {
		length := l.lengthAtEnd(before)
		switch {
		case !story.clear:
			return l.handed(before.all())
		case !story.said && length > 0 && length < len(before.words):
			split := len(before.words) - length
			return l.saidOf(bareNeed(before.upTo(split)), before.part(split, len(before.words)), whole)
		case !story.said:
			return l.unsaid(bareStory(story.what))
		}
		return l.saidOf(bareStory(story.what), story.when, whole)
	}
	if c, ok := after.any("*at of that|the same? month *rest", "*at of that|the same? month"); ok {
		return l.sameMonth(before, c, story)
	}
	if c, same := after.any(sameDay...); same {
		after = c.sentence("at")
	}
	at := l.apart(after)
	rest, _ := read(withoutLink(at.what))
	_, back := rest.any(sameMoment...)
	switch onlyTime := at.clear && at.said && (len(rest.words) == 0 || back); {
	case onlyTime && !story.said && story.clear:
		return l.saidOf(bareStory(story.what), at.when, whole)
	case onlyTime && story.clear && l.isWhole(at.when):
		return l.saidOf(bareNeed(before), at.when, whole)
	case onlyTime && story.clear:
		if meant := l.meant(story.when, at.when); meant != "" {
			return l.saidOf(bareStory(story.what), meant, whole)
		}
		return l.handed(whole)
	case onlyTime:
		if l.isWhole(at.when) {
			return l.saidOf(bareStory(story.what), at.when, whole)
		}
		return l.handed(whole)
	}
	return l.behind(story, at, before, after)
}

// asksWhenThat asks for the time that a sentence only describes.
func asksWhenThat(whole string) intent {
	return intent{tool: skillRemind, whole: whole, ask: "At what time is that: " + mention(whole) + "? Say when I should tell you, such as: tomorrow at 8."}
}

// liesAhead reports whether words say how long before what was spoken of: "15 minutes before",
// "an hour before that", "a day ahead".
func (s said) liesAhead() bool {
	last := len(s.words) - 1
	return s.is(last, "earlier", "sooner", "early", "ahead", "beforehand", "before", "advance", "prior") || s.is(last, "that", "this", "it", "then") && s.is(last-1, "before", "to", "of")
}

// isWhole reports whether a time lacks neither its day nor its time of day.
func (l listener) isWhole(text string) bool {
	day, clock := l.parts(text)
	return day && (clock || l.isMoment(text) && !l.recurs(text))
}

// aheadOf is a reminder so long before what was told: "15 minutes before", "the day before at
// noon", "the evening before to pack".
func (l listener) aheadOf(story told, after said, whole string) (intent, bool) {
	for n := len(after.words); n > 0; n-- {
		head, rest := after.upTo(n), after.from(n)
		if !head.liesAhead() || n < len(after.words) && !rest.is(0, "at", "to", "about", "around") {
			continue
		}
		ahead := l.ahead(story.when, head)
		parts := l.apart(rest)
		if ahead == "" || !parts.clear {
			return asksWhenThat(whole), true
		}
		if parts.said {
			day, _, _ := strings.Cut(ahead, " at ")
			if ahead = day + " " + parts.when; !l.isOnlyTime(ahead) {
				return asksWhenThat(whole), true
			}
		}
		return l.saidOf(cmp.Or(withoutLink(parts.what), bareStory(story.what)), ahead, whole), true
	}
	return intent{}, false
}

// sameMonth is a reminder on a day of the month that its story names: "the 15th of that month".
func (l listener) sameMonth(before said, c captured, story told) intent {
	whole := before.all() + ", " + c.said.all()
	at, _ := read(story.when)
	for i := range at.words {
		moment := c.get("at") + " of " + at.part(i, i+1)
		if at.isDate(i) && at.words[i].lower[0] > '9' && !at.is(i, "the") && l.isOnlyTime(moment) {
			return l.saidOf(cmp.Or(withoutLink(c.get("rest")), bareStory(story.what)), moment, whole)
		}
	}
	return l.handed(whole)
}

// behind is a reminder of what stands behind its asking, with its own time or the one before.
func (l listener) behind(story, at told, before, after said) intent {
	what := withoutLink(strings.TrimPrefix(at.what, "then "))
	if slices.Contains(links, strings.ToLower(what)) {
		return l.about(before, said{})
	}
	if pointsBack(what) {
		what += ": " + bareStory(story.what)
	}
	whole := joined(after.all(), before.all())
	switch {
	case at.clear && story.clear && story.said && timeLeft(story.what):
		return l.handed(before.all() + " " + after.all())
	case !at.clear, !story.clear && !at.said, before.is(0, "until", "till", "through", "starting", "beginning", "from", "for", "as") && story.said && at.said:
		if before.is(0, "i", "we", "my", "the", "it") {
			return l.handed(before.all() + ", " + after.all())
		}
		return l.reminded(whole)
	case !at.said && !story.said:
		return l.unsaid(what)
	case !at.said:
		return l.saidOf(what, story.when, whole)
	case !story.said:
		return l.saidOf(what, at.when, whole)
	case !story.clear:
		if day, clock := l.parts(at.when); day && clock {
			return l.saidOf(what, at.when, whole)
		}
		return l.handed(before.all() + " " + after.all())
	}
	if meant := l.meant(story.when, at.when); meant != "" {
		return l.saidOf(what, meant, whole)
	}
	return l.saidOf(what, at.when, whole)
}

// timeLeft reports whether words say something about when that no time was made of.
func timeLeft(text string) bool {
	s, ok := read(text)
	return ok && hasAny(s, "every", "each", "except", "until", "till", "unless", "before", "after", "whenever", "twice", "times", "starting", "beginning")
}

// besides is a reminder whose time is said by another plan, before its asking or behind it.
func (l listener) besides(before, after said) intent {
	whole := joined(before.all(), after.all())
	switch {
	case len(after.words) == 0:
		return l.handed(before.all())
	case isBeside(after.all()):
		return l.saidOf(bareNeed(before), after.all(), whole)
	}
	if s, _ := read(withoutLink(after.all())); l.timing(after.all()).said || len(s.words) == 0 {
		return l.handed(whole)
	}
	if start := besideAt(before); start > 0 {
		return l.handed(whole)
	}
	return l.saidOf(withoutLink(after.all()), before.all(), whole)
}

// saidOf is a reminder of something at a time.
func (l listener) saidOf(what, moment, whole string) intent {
	if strings.TrimSpace(what) == "" {
		return l.reminded(moment)
	}
	return intent{tool: skillRemind, whole: whole, subject: "what", moment: "when", params: map[string]any{"what": what, "when": moment}}
}

// unsaid is a reminder of something that lacks its time.
func (l listener) unsaid(what string) intent {
	return intent{tool: skillRemind, whole: what, subject: "what", moment: "when", missing: "when", params: map[string]any{"what": what},
		ask: fmt.Sprintf("When should I remind you: %s? Say a time, such as: in 2 hours, tomorrow at 8, every Monday at 9.", mention(what))}
}

// handed is a reminder whose time only the skill can read, or ask about.
func (l listener) handed(text string) intent {
	return intent{tool: skillRemind, whole: text, moment: "when", params: map[string]any{"text": text}}
}

// pointsBack reports whether words only make sense with what was said before.
func pointsBack(text string) bool {
	s, ok := read(text)
	return ok && hasAny(s, "it", "them", "him", "her", "that", "one")
}

// needs are ways to say that one has something to do, which is what one is reminded of.
var needs = []phrase{
	"i must|should|can|may|shall not|never forget|miss about|to? *what", "i have|need|ought got? to *what", "i must|should|will|gotta|can *what", "i am supposed|going|meant to *what", "i have got to *what", "i will need|have to *what", "i promised|want|plan|hope|forgot to *what", "i always|keep forget|forgetting to? *what",
	"i can not|never forget to? *what", "we have|need to *what", "we are supposed to *what", "it is *what", "there is *what", "i have *what", "we have *what", "ok|okay so? *what", "hey *what", "i am *what",
}

// isNeed reports whether a sentence says what one has to do, which may be a task.
func (s said) isNeed() bool {
	for range 2 {
		if _, ok := s.any(needs[:8]...); ok {
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

// bareNeed is what one has to do, without the words that say that one has to.
func bareNeed(s said) string {
	for range 2 {
		if c, ok := s.any(needs...); ok {
			s = c.sentence("what")
		}
		for len(s.words) > 1 && s.is(len(s.words)-1, "so", "and", "at", "on", "by", "is", "are", "goes", "for", "to", "in") && !s.is(len(s.words)-2, "be") {
			s = s.upTo(len(s.words) - 1)
		}
	}
	return s.all()
}

// bareStory is bareNeed of a text.
func bareStory(text string) string {
	s, ok := read(text)
	if !ok {
		return text
	}
	return bareNeed(s)
}

// meant is the time that is meant by two, the second of which is when to be reminded: it takes
// the day from the first where it has none, and the half of the day in which the first is. ""
// when the first has a day that it can't take.
func (l listener) meant(first, second string) string {
	if day, clock := l.parts(second); day {
		if _, timed := l.parts(first); !clock && timed && (!l.isMoment(second) || l.recurs(second)) {
			return cmp.Or(l.shared(second, first), second)
		}
		return second
	}
	if dated, _ := l.parts(first); !dated {
		return second
	}
	was, err := l.parse(first)
	if err != nil {
		return ""
	}
	const noon = 12
	if late := was.At.Time().In(l.zone()).Hour() >= noon; late && !saysHalf(second) {
		for _, half := range []string{"pm", "p.m.", "in the evening", "in the afternoon"} {
			if at := l.shared(second+" "+half, first); strings.Contains(strings.ToLower(first), half) && at != "" {
				if moment, err := l.parse(at); err == nil && moment.At <= was.At {
					return at
				}
			}
		}
	}
	at := l.shared(second, first)
	if moment, err := l.parse(at); err == nil && was.At.Sub(moment.At) > noon*time.Hour && !saysHalf(second) {
		return "" // in the morning, for what is in the evening?
	}
	return at
}

// saysHalf reports whether a time of day says which half of the day it is in.
func saysHalf(text string) bool {
	s, ok := read(text)
	if !ok {
		return false
	}
	lower := strings.ToLower(text)
	return strings.Contains(lower, "am") || strings.Contains(lower, "pm") || strings.Contains(lower, ".m") ||
		hasAny(s, "morning", "noon", "midnight", "evening", "night", "afternoon", "tonight", "lunchtime")
}

// shared is a time with what it lacks of another one, its day or its time of day, in the words
// of both: of "6:10" beside "6:20 tomorrow morning" it is "6:10 tomorrow morning". "" when they
// make no time.
func (l listener) shared(text, other string) string {
	words := strings.Fields(other)
	whole := func(text string) bool {
		day, clock := l.parts(text)
		return day && clock && l.isOnlyTime(text)
	}
	for i := range words {
		if both := text + " " + strings.Join(words[i:], " "); whole(both) {
			return both
		}
	}
	for i := len(words); i > 0; i-- {
		if words[i-1] == "at" && strings.HasPrefix(text, "at ") {
			continue
		}
		if both := strings.TrimRight(strings.Join(words[:i], " "), ",") + " " + text; whole(both) {
			return both
		}
	}
	return ""
}

// lengthIn is the length of time that a text speaks of: "the roast needs 2 hours 15 minutes".
func (l listener) lengthIn(s said) string {
	for n := min(len(s.words), maxTimeWords); n > 0; n-- {
		for i := 0; i+n <= len(s.words); i++ {
			text := s.part(i, i+n)
			if _, ok := when.Later(text, l.p.AsOf, l.zone()); ok && !s.is(i, "for", "exactly", "about", "in") {
				return text
			}
		}
	}
	return ""
}

// lengthAtEnd is how many words at a sentence's end are a length of time; 0 for none.
func (l listener) lengthAtEnd(s said) int {
	const longest = 6
	for n := min(len(s.words), longest); n > 0; n-- {
		first := len(s.words) - n
		if s.is(first, "a") || s.is(first-1, "times", "once", "twice", "every", "per", "each") {
			continue // twice a day
		}
		text := s.part(first, len(s.words))
		if _, ok := when.Later(text, l.p.AsOf, l.zone()); ok {
			return n
		}
	}
	return 0
}

// daysAhead are the parts of the day before that a reminder can come in, with their hour; the
// day itself has that of what was spoken of.
var daysAhead = []struct {
	says phrase
	hour int
}{{"the|on? night before that|it|this?", 20}, {"the evening before that|it|this?", 19}, {"the afternoon before that|it|this?", 15}, {"the morning before that|it|this?", 9}, {"the day before that|it|this?", -1}}

// ahead is so long before a time as other words say; "" when they don't.
func (l listener) ahead(first string, by said) string {
	for _, d := range daysAhead {
		at, err := l.parse(first)
		if _, ok := by.match(d.says); !ok || err != nil || at.Recurrence != nil {
			continue
		}
		day := at.At.Time().In(l.zone()).AddDate(0, 0, -1)
		if d.hour >= 0 {
			day = time.Date(day.Year(), day.Month(), day.Day(), d.hour, 0, 0, 0, l.zone())
		}
		return day.Format("on 2 January 2006 at 15:04")
	}
	for n := len(by.words); n > 0; n-- {
		text := "in " + by.part(0, n)
		span, err := l.parse(text)
		at, wrong := l.parse(first)
		if err != nil || wrong != nil || at.Recurrence != nil || len(span.Unread(text)) > 0 || span.Rest(text) != "" {
			continue
		}
		length := span.At.Sub(l.p.AsOf)
		return at.At.Add(-length).Time().In(l.zone()).Format("on 2 January 2006 at 15:04")
	}
	return ""
}
