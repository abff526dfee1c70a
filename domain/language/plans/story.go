package plans

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
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
func (l Planner) apart(s sentences.Said) told {
	if len(s.Words) == 0 {
		return told{clear: true}
	}
	t := l.Timing(s.All())
	if t.Said && !t.Left && t.When != "" && !isBareNumber(t.Rest) {
		return told{what: t.Rest, when: t.When, said: true, clear: true}
	}
	for i := len(s.Words) - 1; i > 0; i-- {
		if !s.Words[i-1].Stop && !s.Is(i-1, "so") {
			continue
		}
		if tail := s.Part(i, len(s.Words)); l.IsOnlyTime(tail) && !l.IsOnlyTime(s.Part(0, i)) {
			return told{what: WithoutLinks(s.UpTo(i)).All(), when: tail, said: true, clear: true}
		}
	}
	for i := min(len(s.Words)-1, MaxTimeWords); i > 0; i-- {
		if !s.Words[i-1].Stop && !s.Is(i, "i", "we", "it", "he", "she", "they", "my", "our", "the", "there", "that", "for") {
			continue
		}
		rest := l.Timing(s.Part(i, len(s.Words)))
		if head := s.Part(0, i); !rest.Said && !rest.Wrong && l.IsOnlyTime(head) {
			return told{what: s.Part(i, len(s.Words)), when: head, said: true, clear: true}
		}
	}
	if t.Said && !t.Unread && t.When != "" && !isBareNumber(t.Rest) {
		return told{what: t.Rest, when: t.When, said: true, clear: true}
	}
	return told{what: s.All(), said: t.Said || t.Wrong, clear: !t.Said && !t.Wrong}
}

// isBareNumber reports whether a text is nothing but a number, which belongs to a time then.
func isBareNumber(text string) bool {
	s, ok := sentences.Read(text)
	if !ok || len(s.Words) > 2 {
		return false
	}
	_, number := when.Later(text+" minutes", 0, time.UTC)
	return number
}

// MaxTimeWords bounds how many words a time has that a sentence begins with.
const MaxTimeWords = 12

// Led is a reminder of what stands behind its time: "five minutes, remind me, eggs".
func (l Planner) Led(lead string, after sentences.Said) tools.Intent {
	text := tools.Joined(lead, after.All())
	if _, also := sentences.Read(after.All()); !also {
		return l.Reminded(lead)
	}
	if after.Is(0, "who", "whose", "what", "where", "how", "which") {
		return l.Reminded(text)
	}
	in := l.Reminded(text)
	behind := l.Timing(after.All())
	if _, timed := in.Params["when"]; timed && in.Ask.IsZero() || behind.Said || behind.Wrong || IsBeside(after.All()) {
		return in
	}
	return tools.Intent{Tool: tools.SkillRemind, Whole: text, Subject: "what", Moment: "when", Params: map[string]any{"what": WithoutLink(after.All()), "when": lead}}
}

// Ways to say when to be reminded by what stands before it.
var (
	sameMoment = []sentences.Phrase{"it|that|this|then|me|please|them|of|about|for", "of|about|for it|that|this|them", "at|by that|the time", "at the right time", "each|every time", "both times|nights|days", "when it is time|due", "when it is time to? do? it", "when the time comes", "in time", "on time", "then please"}
	whenDone   = []sentences.Phrase{"when", "after that", "afterwards", "when|once it|they|that is|are done|ready|over|up|finished|cooked|baked|dry", "when|once it is time", "when time is up", "when the time is up", "when|once done|ready|finished", "when|once it|that has|have passed"}
	whenTo     = []sentences.Phrase{"then? when to *what", "when it is time to *what", "when i should|must|can|have *what"}
	sameDay    = []sentences.Phrase{"*at on? that|the same? day", "*at on? that|the day", "*at on? those|these days", "*at on? each of? those|these? days"}
	onlyDay    = []sentences.Phrase{"on? that|the same? day", "on? that day", "on? those days", "on the day", "the day of"}
)

// About is a reminder of what stands before it, at the time that stands behind it or there. What
// stands behind it is what to be reminded of, when it is more than a time.
func (l Planner) About(before, after sentences.Said) tools.Intent {
	for len(after.Words) > 0 && after.Is(len(after.Words)-1, "please", "thanks", "again", "too", "ok", "okay") {
		after = after.UpTo(len(after.Words) - 1)
	}
	whole := before.All() + ", " + after.All()
	story := l.apart(before)
	if ahead, ok := l.aheadOf(story, after, whole); ok {
		return ahead
	}
	if IsBeside(after.All()) && !sentences.HasAny(after, "that", "this", "it") || IsBeside(before.All()) {
		return l.besides(before, after)
	}
	if c, to := after.Any(whenTo...); to {
		if story.said {
			return asksWhenThat(whole)
		}
		after = c.Sentence("what")
		if length := l.lengthIn(before); length != "" {
			return l.SaidOf(after.All()+": "+before.All(), "in "+length, whole)
		}
		return l.unsaid(after.All() + ": " + bareNeed(before))
	}
	_, done := after.Any(whenDone...)
	if length := l.lengthIn(before); done && !story.said && length != "" {
		return l.SaidOf(before.All(), "in "+length, whole)
	}
	_, moment := after.Any(sameMoment...)
	if _, day := after.Any(onlyDay...); day || done || moment || len(after.Words) == 0 {
		length := l.lengthAtEnd(before)
		switch {
		case !story.clear:
			return l.Handed(before.All())
		case !story.said && length > 0 && length < len(before.Words):
			split := len(before.Words) - length
			return l.SaidOf(bareNeed(before.UpTo(split)), before.Part(split, len(before.Words)), whole)
		case !story.said:
			return l.unsaid(bareStory(story.what))
		}
		return l.SaidOf(bareStory(story.what), story.when, whole)
	}
	if c, ok := after.Any("*at of that|the same? month *rest", "*at of that|the same? month"); ok {
		return l.sameMonth(before, c, story)
	}
	if c, same := after.Any(sameDay...); same {
		after = c.Sentence("at")
	}
	at := l.apart(after)
	rest, _ := sentences.Read(WithoutLink(at.what))
	_, back := rest.Any(sameMoment...)
	switch onlyTime := at.clear && at.said && (len(rest.Words) == 0 || back); {
	case onlyTime && !story.said && story.clear:
		return l.SaidOf(bareStory(story.what), at.when, whole)
	case onlyTime && story.clear && l.isWhole(at.when):
		return l.SaidOf(bareNeed(before), at.when, whole)
	case onlyTime && story.clear:
		if meant := l.meant(story.when, at.when); meant != "" {
			return l.SaidOf(bareStory(story.what), meant, whole)
		}
		return l.Handed(whole)
	case onlyTime:
		if l.isWhole(at.when) {
			return l.SaidOf(bareStory(story.what), at.when, whole)
		}
		return l.Handed(whole)
	}
	return l.behind(story, at, before, after)
}

// asksWhenThat asks for the time that a sentence only describes.
func asksWhenThat(whole string) tools.Intent {
	return tools.Intent{Tool: tools.SkillRemind, Whole: whole, Ask: tools.Says("ask.remind", "lacks", speech.Kind("clock"), "said", whole)}
}

// liesAhead reports whether words say how long before what was spoken of: "15 minutes before",
// "an hour before that", "a day ahead".
func liesAhead(s sentences.Said) bool {
	last := len(s.Words) - 1
	return s.Is(last, "earlier", "sooner", "early", "ahead", "beforehand", "before", "advance", "prior") || s.Is(last, "that", "this", "it", "then") && s.Is(last-1, "before", "to", "of")
}

// isWhole reports whether a time lacks neither its day nor its time of day.
func (l Planner) isWhole(text string) bool {
	day, clock := l.Parts(text)
	return day && (clock || l.isMoment(text) && !l.Recurs(text))
}

// aheadOf is a reminder so long before what was told: "15 minutes before", "the day before at
// noon", "the evening before to pack".
func (l Planner) aheadOf(story told, after sentences.Said, whole string) (tools.Intent, bool) {
	for n := len(after.Words); n > 0; n-- {
		head, rest := after.UpTo(n), after.From(n)
		if !liesAhead(head) || n < len(after.Words) && !rest.Is(0, "at", "to", "about", "around") {
			continue
		}
		ahead := l.ahead(story.when, head)
		parts := l.apart(rest)
		if ahead == "" || !parts.clear {
			return asksWhenThat(whole), true
		}
		if parts.said {
			day, _, _ := strings.Cut(ahead, " at ")
			if ahead = day + " " + parts.when; !l.IsOnlyTime(ahead) {
				return asksWhenThat(whole), true
			}
		}
		return l.SaidOf(cmp.Or(WithoutLink(parts.what), bareStory(story.what)), ahead, whole), true
	}
	return tools.Intent{}, false
}

// sameMonth is a reminder on a day of the month that its story names: "the 15th of that month".
func (l Planner) sameMonth(before sentences.Said, c sentences.Captured, story told) tools.Intent {
	whole := before.All() + ", " + c.Said.All()
	at, _ := sentences.Read(story.when)
	for i := range at.Words {
		moment := c.Get("at") + " of " + at.Part(i, i+1)
		if isDate(at, i) && at.Words[i].Lower[0] > '9' && !at.Is(i, "the") && l.IsOnlyTime(moment) {
			return l.SaidOf(cmp.Or(WithoutLink(c.Get("rest")), bareStory(story.what)), moment, whole)
		}
	}
	return l.Handed(whole)
}

// behind is a reminder of what stands behind its asking, with its own time or the one before.
func (l Planner) behind(story, at told, before, after sentences.Said) tools.Intent {
	what := WithoutLink(strings.TrimPrefix(at.what, "then "))
	if slices.Contains(links, strings.ToLower(what)) {
		return l.About(before, sentences.Said{})
	}
	if pointsBack(what) {
		what += ": " + bareStory(story.what)
	}
	whole := tools.Joined(after.All(), before.All())
	switch {
	case at.clear && story.clear && story.said && timeLeft(story.what):
		return l.Handed(before.All() + " " + after.All())
	case !at.clear, !story.clear && !at.said, before.Is(0, "until", "till", "through", "starting", "beginning", "from", "for", "as") && story.said && at.said:
		if before.Is(0, "i", "we", "my", "the", "it") {
			return l.Handed(before.All() + ", " + after.All())
		}
		return l.Reminded(whole)
	case !at.said && !story.said:
		return l.unsaid(what)
	case !at.said:
		return l.SaidOf(what, story.when, whole)
	case !story.said:
		return l.SaidOf(what, at.when, whole)
	case !story.clear:
		if day, clock := l.Parts(at.when); day && clock {
			return l.SaidOf(what, at.when, whole)
		}
		return l.Handed(before.All() + " " + after.All())
	}
	if meant := l.meant(story.when, at.when); meant != "" {
		return l.SaidOf(what, meant, whole)
	}
	return l.SaidOf(what, at.when, whole)
}

// timeLeft reports whether words say something about when that no time was made of.
func timeLeft(text string) bool {
	s, ok := sentences.Read(text)
	return ok && sentences.HasAny(s, "every", "each", "except", "until", "till", "unless", "before", "after", "whenever", "twice", "times", "starting", "beginning")
}

// besides is a reminder whose time is said by another plan, before its asking or behind it.
func (l Planner) besides(before, after sentences.Said) tools.Intent {
	whole := tools.Joined(before.All(), after.All())
	switch {
	case len(after.Words) == 0:
		return l.Handed(before.All())
	case IsBeside(after.All()):
		return l.SaidOf(bareNeed(before), after.All(), whole)
	}
	if s, _ := sentences.Read(WithoutLink(after.All())); l.Timing(after.All()).Said || len(s.Words) == 0 {
		return l.Handed(whole)
	}
	if start := besideAt(before); start > 0 {
		return l.Handed(whole)
	}
	return l.SaidOf(WithoutLink(after.All()), before.All(), whole)
}

// SaidOf is a reminder of something at a time.
func (l Planner) SaidOf(what, moment, whole string) tools.Intent {
	if strings.TrimSpace(what) == "" {
		return l.Reminded(moment)
	}
	return tools.Intent{Tool: tools.SkillRemind, Whole: whole, Subject: "what", Moment: "when", Params: map[string]any{"what": what, "when": moment}}
}

// unsaid is a reminder of something that lacks its time.
func (l Planner) unsaid(what string) tools.Intent {
	return tools.Intent{Tool: tools.SkillRemind, Whole: what, Subject: "what", Moment: "when", Missing: "when", Params: map[string]any{"what": what},
		Ask: tools.Says("ask.remind", "lacks", speech.Kind("time"), "said", what)}
}

// Handed is a reminder whose time only the skill can read, or ask about.
func (l Planner) Handed(text string) tools.Intent {
	return tools.Intent{Tool: tools.SkillRemind, Whole: text, Moment: "when", Params: map[string]any{"text": text}}
}

// pointsBack reports whether words only make sense with what was said before.
func pointsBack(text string) bool {
	s, ok := sentences.Read(text)
	return ok && sentences.HasAny(s, "it", "them", "him", "her", "that", "one")
}

// needs are ways to say that one has something to do, which is what one is reminded of.
var needs = []sentences.Phrase{
	"i must|should|can|may|shall not|never forget|miss about|to? *what", "i have|need|ought got? to *what", "i must|should|will|gotta|can *what", "i am supposed|going|meant to *what", "i have got to *what", "i will need|have to *what", "i promised|want|plan|hope|forgot to *what", "i always|keep forget|forgetting to? *what",
	"i can not|never forget to? *what", "we have|need to *what", "we are supposed to *what", "it is *what", "there is *what", "i have *what", "we have *what", "ok|okay so? *what", "hey *what", "i am *what",
}

// IsNeed reports whether a sentence says what one has to do, which may be a task.
func IsNeed(s sentences.Said) bool {
	for range 2 {
		if _, ok := s.Any(needs[:8]...); ok {
			return true
		}
		for i := range s.Words { // behind a time: "tomorrow at 3 I have to …"
			rest := s.From(i)
			if i > 0 && rest.Is(0, "i", "we") {
				s = rest
				break
			}
		}
	}
	return false
}

// bareNeed is what one has to do, without the words that say that one has to.
func bareNeed(s sentences.Said) string {
	for range 2 {
		if c, ok := s.Any(needs...); ok {
			s = c.Sentence("what")
		}
		for len(s.Words) > 1 && s.Is(len(s.Words)-1, "so", "and", "at", "on", "by", "is", "are", "goes", "for", "to", "in") && !s.Is(len(s.Words)-2, "be") {
			s = s.UpTo(len(s.Words) - 1)
		}
	}
	return s.All()
}

// bareStory is bareNeed of a text.
func bareStory(text string) string {
	s, ok := sentences.Read(text)
	if !ok {
		return text
	}
	return bareNeed(s)
}

// meant is the time that is meant by two, the second of which is when to be reminded: it takes
// the day from the first where it has none, and the half of the day in which the first is. ""
// when the first has a day that it can't take.
func (l Planner) meant(first, second string) string {
	if day, clock := l.Parts(second); day {
		if _, timed := l.Parts(first); !clock && timed && (!l.isMoment(second) || l.Recurs(second)) {
			return cmp.Or(l.shared(second, first), second)
		}
		return second
	}
	if dated, _ := l.Parts(first); !dated {
		return second
	}
	was, err := l.Parse(first)
	if err != nil {
		return ""
	}
	const noon = 12
	if late := was.At.Time().In(l.Zone()).Hour() >= noon; late && !sentences.SaysHalf(second) {
		for _, half := range []string{"pm", "p.m.", "in the evening", "in the afternoon"} {
			if at := l.shared(second+" "+half, first); strings.Contains(strings.ToLower(first), half) && at != "" {
				if moment, err := l.Parse(at); err == nil && moment.At <= was.At {
					return at
				}
			}
		}
	}
	at := l.shared(second, first)
	if moment, err := l.Parse(at); err == nil && was.At.Sub(moment.At) > noon*time.Hour && !sentences.SaysHalf(second) {
		return "" // in the morning, for what is in the evening?
	}
	return at
}

// shared is a time with what it lacks of another one, its day or its time of day, in the words
// of both: of "6:10" beside "6:20 tomorrow morning" it is "6:10 tomorrow morning". "" when they
// make no time.
func (l Planner) shared(text, other string) string {
	words := strings.Fields(other)
	whole := func(text string) bool {
		day, clock := l.Parts(text)
		return day && clock && l.IsOnlyTime(text)
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
func (l Planner) lengthIn(s sentences.Said) string {
	for n := min(len(s.Words), MaxTimeWords); n > 0; n-- {
		for i := 0; i+n <= len(s.Words); i++ {
			text := s.Part(i, i+n)
			if _, ok := when.Later(text, l.P.AsOf, l.Zone()); ok && !s.Is(i, "for", "exactly", "about", "in") {
				return text
			}
		}
	}
	return ""
}

// lengthAtEnd is how many words at a sentence's end are a length of time; 0 for none.
func (l Planner) lengthAtEnd(s sentences.Said) int {
	const longest = 6
	for n := min(len(s.Words), longest); n > 0; n-- {
		first := len(s.Words) - n
		if s.Is(first, "a") || s.Is(first-1, "times", "once", "twice", "every", "per", "each") {
			continue // twice a day
		}
		text := s.Part(first, len(s.Words))
		if _, ok := when.Later(text, l.P.AsOf, l.Zone()); ok {
			return n
		}
	}
	return 0
}

// daysAhead are the parts of the day before that a reminder can come in, with their hour; the
// day itself has that of what was spoken of.
var daysAhead = []struct {
	says sentences.Phrase
	hour int
}{{"the|on? night before that|it|this?", 20}, {"the evening before that|it|this?", 19}, {"the afternoon before that|it|this?", 15}, {"the morning before that|it|this?", 9}, {"the day before that|it|this?", -1}}

// ahead is so long before a time as other words say; "" when they don't.
func (l Planner) ahead(first string, by sentences.Said) string {
	for _, d := range daysAhead {
		at, err := l.Parse(first)
		if _, ok := by.Match(d.says); !ok || err != nil || at.Recurrence != nil {
			continue
		}
		day := at.At.Time().In(l.Zone()).AddDate(0, 0, -1)
		if d.hour >= 0 {
			day = time.Date(day.Year(), day.Month(), day.Day(), d.hour, 0, 0, 0, l.Zone())
		}
		return day.Format("on 2 January 2006 at 15:04")
	}
	for n := len(by.Words); n > 0; n-- {
		text := "in " + by.Part(0, n)
		span, err := l.Parse(text)
		at, wrong := l.Parse(first)
		if err != nil || wrong != nil || at.Recurrence != nil || len(span.Unread(text)) > 0 || span.Rest(text) != "" {
			continue
		}
		length := span.At.Sub(l.P.AsOf)
		return at.At.Add(-length).Time().In(l.Zone()).Format("on 2 January 2006 at 15:04")
	}
	return ""
}
