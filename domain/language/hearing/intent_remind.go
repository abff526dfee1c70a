package hearing

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language/when"
)

// remind hears who wants to be reminded.
func (l listener) remind(s said) (intent, bool) {
	lead, s := l.lead(s, "remind", "wake", "set", "alert", "notify")
	if in, ok := l.alarm(lead, s); ok {
		return in, true
	}
	c, ok := s.any(
		"remind me *what", "reminder: *what", "new reminder: *what", "set|add|create|make|put|schedule|leave in? up? me? a|another|new new? reminder *what", "i need|want a new? reminder *what",
		"do not let me forget *what", "do not forget to *what", "remember to *what", "alert|notify|ping|call|buzz|ring|warn me *what", "give me a shout|ring|buzz|call|poke *what",
		"give me a reminder|nudge *what", "i would like a reminder *what", "i must|should|can not forget to *what",
	)
	if now, moment := c.sentence("what").any("when it is *at"); ok && moment && l.isOnlyTime(now.get("at")) && s.is(0, "alert", "notify", "ping", "buzz") {
		return l.reminded(joined(lead, now.get("at"))), true
	}
	if ok && s.wakingAt(0) == 0 && s.is(0, "alert", "notify", "ping", "call", "buzz", "ring", "warn", "give") && l.isOnlyTime(c.get("what")) && !s.question {
		return l.clocked(l.saidOf("alarm", joined(lead, c.get("what")), s.all()), joined(lead, c.get("what"))), true
	}
	if ok && s.wakingAt(0) > 0 {
		ok = false
	}
	if ok && s.is(0, "call", "ring", "warn") || ok && s.is(0, "give") && !s.is(3, "reminder", "nudge") {
		return intent{}, false
	}
	if ok && s.is(0, "alert", "notify", "ping", "buzz") && !l.timing(c.get("what")).said && lead == "" {
		return intent{}, false // "notify me of changes" is more than a reminder can do
	}
	if !ok {
		if title, rest, found := l.titles(s); found {
			return l.reminded(joined(lead, title+" "+rest)), true
		}
		if title, rest, found := s.wakes(); found && !s.question && (s.is(0, "wake", "set", "book", "get", "a", "make", "do") || rest == "" || l.timing(rest).said || l.timing(rest).wrong) {
			return l.woken(title, joined(lead, rest)), true
		}
		if _, bare := s.any("remind me", "set|add|create|make me? a|another new? reminder", "new reminder", "do not let me forget"); !bare {
			return intent{}, false
		}
		return l.reminded(lead), true
	}
	what := c.sentence("what")
	if now, ok := what.any("when it is *at"); ok && l.timing(now.get("at")).said { // remind me when it is 4 pm to …
		return l.reminded(joined(lead, now.get("at"))), true
	}
	if plans, asks := l.asksFor(what); s.is(0, "remind") && asks {
		if plans.tool == "" {
			return l.framed(what)
		}
		return plans, true
	}
	if rest, ok := what.any("to? remind me *what"); ok { // remember to remind me …
		return l.reminded(joined(lead, rest.get("what"))), true
	}
	if what.is(0, "who", "whose", "what", "where", "how", "which") {
		if in, ok := l.list(what); ok {
			return in, true
		}
		about := what.part(1, len(what.words))
		return intent{tool: skillRecall, params: map[string]any{"about": about}, subject: "about"}, about != ""
	}
	if what.is(0, "why") {
		return intent{}, false
	}
	return l.reminded(joined(lead, c.get("what"))), true
}

// lead is the time that a sentence begins with, before one of the words: "every
// Monday at 9 remind me …". "" when it doesn't.
func (l listener) lead(s said, words ...string) (lead string, rest said) {
	for i := 1; i < len(s.words); i++ {
		if !s.is(i, words...) {
			continue
		}
		text := s.part(0, i)
		if s.is(0, "for") && i > 1 && !l.isOnlyTime(text) {
			text = s.part(1, i)
		}
		if l.isOnlyTime(text) {
			return text, s.from(i)
		}
		return "", s
	}
	return "", s
}

func joined(lead, text string) string { return strings.TrimSpace(lead + " " + text) }

// reminded is a reminder out of what it is to be about and when, in one text.
func (l listener) reminded(text string) intent {
	text = l.tidied(text)
	out := intent{tool: skillRemind, whole: text, subject: "what", moment: "when"}
	t := l.timing(text)
	what := withoutLink(t.rest)
	if slices.Contains(links, strings.ToLower(what)) {
		what = "" // signs alone stood behind it
	}
	if s, ok := read(text); ok && s.is(0, "called", "named", "titled") {
		if name, at, ok := l.named(s); ok {
			return l.saidOf(name, at, text)
		}
	}
	if (t.said || t.wrong) && (dangles(what) || l.hangs(text) || !t.again && strings.Contains(t.when, " until ")) {
		out.ask = "I don't understand all of " + mention(text) + ", so I have set nothing. What should I remind you of, and when?"
		return out
	}
	if again, ok := l.reread(text, t); ok {
		return again
	}
	if again, ok := l.clauseAhead(text); ok {
		return again
	}
	if turned, ok := l.turned(text); ok && !t.said {
		return l.handed(turned)
	}
	switch {
	case text == "":
		out.missing = "text"
		out.ask = "What should I remind you of, and when? Say it such as: remind me to call Anna tomorrow at 8."
	case t.when != "" && l.clocks(t.when) && elsewhere(what):
		out.ask = "Is " + mention(t.when) + " the time there? Say it in your own time, such as: tomorrow at 8."
	case t.wrong || t.left, isBeside(text):
		// What is wrong with the time is for the skill to say: it knows why, and which
		// other plan a time lies before.
		out.params, out.subject = map[string]any{"text": text}, ""
	case !t.said && isWithin(text): // the skill knows when that is
		out.params, out.subject = map[string]any{"text": text}, ""
	case !t.said:
		out.params, out.missing = map[string]any{"what": what}, "when"
		out.ask = fmt.Sprintf("When should I remind you: %s? Say a time, such as: in 2 hours, tomorrow at 8, every Monday at 9.", mention(what))
	case pointsAtNothing(what):
		if again, ok := l.forWhat(text); ok {
			return again
		}
		out.params, out.missing = map[string]any{"when": t.when}, "what"
		out.ask = fmt.Sprintf("What should I remind you of, %s?", mention(text))
	case t.when == "":
		out.params, out.subject = map[string]any{"text": text}, ""
	default:
		out.params = map[string]any{"what": what, "when": t.when}
	}
	return out
}

// asksFor hears who wants to be told what is planned, by the words for being reminded: "remind me
// of my appointments tomorrow", "remind me what time the party is". Without a tool the plans are
// heard as they are called.
func (l listener) asksFor(what said) (in intent, ok bool) {
	if c, ok := what.any("of|about? what i have|got *when"); ok {
		if s, ok := read("what do I have " + c.get("when")); ok {
			return l.plans(s)
		}
	}
	if last := len(what.words) - 1; what.is(0, "what", "when") && what.is(last, "is", "are", "starts", "begins", "ends") && !what.is(1, "it") {
		if in, ok := l.framed(what); ok && in.tool == skillPlans {
			return in, true
		}
	}
	many := hasAny(what, "alarms", "reminders") || hasAny(what, "appointments", "meetings", "events", "plans", "schedule", "calendar", "agenda", "tasks") && !l.clocks(l.timing(what.all()).when)
	return intent{}, many && what.is(0, "about", "of")
}

// pointsAtNothing reports whether words say nothing that one could be reminded of.
func pointsAtNothing(what string) bool {
	s, ok := read(what)
	if !ok {
		return what == ""
	}
	_, points := s.any("it|this|that|something|them", "this|that item|thing|event|one|date|reminder")
	return points
}

// forWhat is a reminder whose time was read over what it is for: "every day at 2 for lunch".
func (l listener) forWhat(text string) (intent, bool) {
	s, ok := read(text)
	for i := 1; ok && i+1 < len(s.words); i++ {
		if head := s.part(0, i); s.is(i, "for", "about", "of") && l.isOnlyTime(head) && !pointsAtNothing(s.part(i+1, len(s.words))) {
			return l.saidOf(s.part(i+1, len(s.words)), head, text), true
		}
	}
	return intent{}, false
}

// titles hears a reminder that begins with what it is about: "a clock out reminder every work day
// at 5", "pool reminders on Mondays at 6 pm".
func (l listener) titles(s said) (title, rest string, ok bool) {
	c, ok := s.any("a|an *title reminder *when", "set|add|create|make a|an *title reminder *when", "*title reminders|reminder *when")
	name := c.sentence("title")
	if _, other := s.act(); !ok || other || s.question || len(name.words) > 4 || name.is(0, "a", "an", "the", "my", "any", "all", "your", "no", "new", "this", "that", "set", "add", "create", "make", "put") || hasAny(name, "recurring", "repeating", "alarm") || name.is(0, "send", "email", "text", "write", "forward") || name.is(len(name.words)-1, "a", "an", "the", "my") || l.timing(name.all()).said {
		return "", "", false
	}
	_, clock := l.parts(c.get("when"))
	if only := l.isOnlyTime(trimFor(c.get("when"))); !only && !(clock && hasAny(s, "reminders")) || !clock && hasAny(s, "reminders") {
		return "", "", false // "dentist reminders for tomorrow" may ask for them
	}
	return name.all(), c.get("when"), true
}

// reread is a reminder whose words of time aren't one time, where the part that stands by itself
// is when: "that the sitter arrives at 6, at half past five".
func (l listener) reread(text string, t timing) (intent, bool) {
	s, ok := read(text)
	if !ok || !t.wrong && !t.left && t.said || isBeside(text) {
		return intent{}, false
	}
	if rest := withoutLink(t.rest); rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return intent{}, false // a number that may belong to the time: 1 January 9999
	}
	if what, at, ok := l.pieces(s); ok && withoutLink(what) != "" {
		return l.saidOf(withoutLink(what), at, text), true
	}
	if elsewhere(withoutLink(t.rest)) {
		return intent{}, false
	}
	parts := l.apart(s)
	if !parts.clear || !parts.said || withoutLink(parts.what) == "" {
		return intent{}, false
	}
	about, _ := read(parts.what)
	if inner := l.timing(parts.what); (inner.said || inner.wrong) && !about.is(0, "that") && !hasAny(about, "is", "are", "starts", "begins", "ends", "leaves", "opens", "closes") {
		return intent{}, false
	}
	return l.saidOf(withoutLink(parts.what), parts.when, text), true
}

// pieces are the two parts of a time that stand apart, a day and a time of day, as one time, and
// what else is said: "Saturday morning soccer practice at 8 AM".
func (l listener) pieces(s said) (what, at string, ok bool) {
	if len(s.words) > maxPieceWords {
		return "", "", false
	}
	var rest, times []string
	places := make([]int, len(s.words))
	for i, w := range s.words {
		places[i] = w.start
	}
	begins := l.timesIn(s.text).Begins(places)
	for i := 0; i < len(s.words); {
		n := min(len(s.words)-i, maxPieceWords/4)
		if !begins[i] && !s.is(i, "just", "please") {
			n = 0 // nothing that begins with it is only a time
		}
		for n > 0 && (isBareNumber(s.part(i, i+n)) || !l.isOnlyTime(s.part(i, i+n))) {
			n--
		}
		if n == 0 {
			rest = append(rest, s.part(i, i+1))
			i++
			continue
		}
		times = append(times, s.part(i, i+n))
		i += n
	}
	if len(times) != 2 || hasAny(s, zoneWords...) || elsewhere(strings.Join(rest, " ")) {
		return "", "", false
	}
	for _, pair := range [][2]string{{times[0], times[1]}, {times[1], times[0]}} {
		day, _ := l.parts(pair[0])
		other, clock := l.parts(pair[1])
		if both := pair[0] + " " + pair[1]; day && clock && !other && l.isOnlyTime(both) {
			return strings.Join(rest, " "), both, true
		}
	}
	return "", "", false
}

// clauseAhead hears how long before its time a reminder is to come, behind a comma: "of the recital
// on Friday at 6, an hour before".
func (l listener) clauseAhead(text string) (intent, bool) {
	s, ok := read(text)
	if !ok || !s.liesAhead() {
		return intent{}, false
	}
	for i := len(s.words) - 1; i > 0; i-- {
		if story := l.apart(s.upTo(i)); s.words[i-1].stop && story.said && story.clear {
			return l.aheadOf(told{what: withoutLink(story.what), when: story.when}, s.from(i), text)
		}
	}
	return intent{}, false
}

// clocks reports whether a time names a time of day.
func (l listener) clocks(text string) bool {
	_, clock := l.parts(text)
	return clock
}

// zoneWords are the words by which a time is said to be another zone's.
var zoneWords = []string{"central", "eastern", "pacific", "mountain", "gmt", "utc", "est", "cst", "pst", "cet", "time"}

// elsewhere reports whether what is left of a text says that its time is that of another place:
// "4 pm in London to call Nigel".
func elsewhere(what string) bool {
	c, ok := read(what)
	if !ok {
		return false
	}
	at, ok := c.any("in *place to|about|that *what", "in *place")
	if !ok {
		return c.is(0, "central", "eastern", "pacific", "mountain") && c.is(1, "to", "time")
	}
	_, known := when.Place(at.get("place"))
	return known
}

// maxPieceWords bounds a sentence whose time may stand in two places.
const maxPieceWords = 28

// dangles reports whether what is left of a sentence without its time shows that more of it was
// meant: "/week", "my anniversary advance", "repeat for Christmas".
func dangles(what string) bool {
	s, ok := read(what)
	return ok && (strings.HasPrefix(what, "/") || s.is(0, "repeat") || s.is(len(s.words)-1, "advance", "beforehand", "prior", "ahead"))
}

var links = []string{"to", "that", "about", "of", "for", "for me", "abt", "w/", "called", "named", "titled", "saying"}

// withoutLink takes off what links an asking to what is asked for; what is left of
// "for 6pm to take the bins out" has two of them.
func withoutLink(text string) string {
	for range 2 {
		for _, link := range links {
			if n := len(link); len(text) > n && strings.EqualFold(text[:n], link) && (text[n] == ' ' || text[n] == ':') {
				text = strings.TrimLeft(text[n:], " :")
				break
			}
		}
	}
	return text
}

// reminder hears who wants a reminder to end or to come at another time.
func (l listener) reminder(s said) (intent, bool) {
	if c, ok := s.any(
		"cancel|delete|remove|drop|stop|forget|clear|end the|my|that|this? reminder|reminders about|for|to|of|that *which", "cancel|delete|remove|drop|stop|forget|clear|end the|my|that|this *which reminder",
		"cancel|delete|remove|drop|stop|forget|clear|end the|my|that|this? reminder: *which",
		"stop reminding me about|of|to|that *which", "do not remind me about|of|to|that *which any more|longer", "do not remind me about|of|to|that *which anymore|again",
		"cancel|delete|remove|drop|stop|forget|clear|end reminder *which",
	); ok {
		return ended(c.get("which"), "cancel")
	}
	if _, ok := s.any("cancel|delete|remove|drop|stop|forget|clear|end the|my|that|this reminder", "do not remind me any more|longer", "do not remind me anymore|again", "stop reminding me"); ok {
		return ended("", "cancel")
	}
	if _, ok := s.any("cancel|delete|remove|drop|stop|forget|clear|end all of? my|the? reminders", "cancel|delete|remove|drop|clear my|the reminders"); ok {
		return intent{tool: skillReminder, params: map[string]any{"action": "cancel", "all": true}}, true
	}
	if c, ok := s.any(
		"mark|tick the|my|that? reminder about|for|to|of? *which as? done|finished|off", "the|my|that reminder about|for|to|of? *which is done|finished",
		"done with the|my|that reminder about|for|to|of? *which", "i am done with the|my|that reminder about|for|to|of? *which",
	); ok && !s.question {
		return ended(c.get("which"), "done")
	}
	if c, ok := s.any("cancel the|my *which", "cancel *which"); ok && !s.question {
		return l.called(c.sentence("which"))
	}
	return l.moved(s)
}

// called is the end of a plan that is called by its name only; it has to be one of
// those in mind.
func (l listener) called(which said) (intent, bool) {
	for _, item := range l.p.World {
		label, ok := read(item.Label)
		if !ok || item.Kind != domain.ItemReminder && item.Kind != domain.ItemTask || len(which.words) == 0 {
			continue
		}
		all := true
		for _, w := range which.words {
			all = all && hasAny(label, w.lower)
		}
		switch {
		case all && item.Kind == domain.ItemTask:
			return taskEnded(which.all(), "drop"), true
		case all:
			return ended(which.all(), "cancel")
		}
	}
	return intent{}, false
}

func ended(which, action string) (intent, bool) {
	out := intent{tool: skillReminder, params: map[string]any{"action": action}, subject: "which"}
	if which != "" {
		out.params["which"] = which
	}
	return out, true
}

// moved hears who wants a reminder at another time.
func (l listener) moved(s said) (intent, bool) {
	const move = "move|postpone|reschedule|push|shift|change|delay|snooze"
	c, ok := s.any(
		move+" the|my|that|this? reminder about|for|of *which to|until|till *when", move+" the|my|that|this *which reminder to|until|till *when", move+" the|my|that|this? reminder back? to|until|till *when",
		"snooze it|that|this? for|until|till|to? *when", "snooze the|my|that|this *which reminder for *when", "snooze the|my|that|this? reminder for *when",
		"remind me again? of|about it|that|this again? later *when", "remind me again *when", "remind me of|about it|that|this again? *when",
	)
	if !ok {
		if c, ok = s.any("snooze", "snooze it|that|this", move+" the|my|that|this *which reminder", move+" the|my|that|this reminder"); !ok {
			return intent{}, false
		}
	}
	out := intent{tool: skillReminder, params: map[string]any{"action": "move"}, subject: "which", moment: "when"}
	if which := c.get("which"); which != "" {
		out.params["which"] = which
	}
	text := c.get("when")
	switch t := l.timing(text); {
	case text != "" && t.wrong:
		out.params["when"] = text
	case t.said && t.when != "" && t.rest == "":
		out.params["when"] = text
	case text != "" && s.is(0, "remind"):
		return intent{}, false // "remind me of it when I am home" has no time yet
	default:
		out.missing, out.ask = "when", "To when should I move it? Say a time, such as: in 10 minutes, tomorrow at 8."
	}
	return out, true
}
