package plans

import (
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// Lead is the time that a sentence begins with, before one of the words: "every
// Monday at 9 remind me …". "" when it doesn't.
func (l Planner) Lead(s sentences.Said, words ...string) (lead string, rest sentences.Said) {
	for i := 1; i < len(s.Words); i++ {
		if !s.Is(i, words...) {
			continue
		}
		text := s.Part(0, i)
		if s.Is(0, "for") && i > 1 && !l.IsOnlyTime(text) {
			text = s.Part(1, i)
		}
		if l.IsOnlyTime(text) {
			return text, s.From(i)
		}
		return "", s
	}
	return "", s
}

// Reminded is a reminder out of what it is to be about and when, in one text.
func (l Planner) Reminded(text string) tools.Intent {
	text = l.tidied(text)
	out := tools.Intent{Tool: tools.SkillRemind, Whole: text, Subject: "what", Moment: "when"}
	t := l.Timing(text)
	what := WithoutLink(t.Rest)
	if slices.Contains(links, strings.ToLower(what)) {
		what = "" // signs alone stood behind it
	}
	if s, ok := sentences.Read(text); ok && s.Is(0, "called", "named", "titled") {
		if name, at, ok := l.named(s); ok {
			return l.SaidOf(name, at, text)
		}
	}
	if (t.Said || t.Wrong) && (dangles(what) || l.hangs(text) || !t.Again && strings.Contains(t.When, " until ")) {
		out.Ask = tools.Says("ask.not_all_of", "what", text, "lacks", speech.Kind("everything"))
		return out
	}
	if again, ok := l.reread(text, t); ok {
		return again
	}
	if again, ok := l.clauseAhead(text); ok {
		return again
	}
	if turned, ok := l.turned(text); ok && !t.Said {
		return l.Handed(turned)
	}
	switch {
	case text == "":
		out.Missing = "text"
		out.Ask = tools.Says("ask.remind", "lacks", speech.Kind("everything"))
	case t.When != "" && l.Clocks(t.When) && elsewhere(what):
		out.Ask = tools.Says("ask.remind", "lacks", speech.Kind("zone"), "said", t.When)
	case t.Wrong || t.Left, IsBeside(text):
		// What is wrong with the time is for the skill to say: it knows why, and which
		// other plan a time lies before.
		out.Params, out.Subject = map[string]any{"text": text}, ""
	case !t.Said && IsWithin(text): // the skill knows when that is
		out.Params, out.Subject = map[string]any{"text": text}, ""
	case !t.Said:
		out.Params, out.Missing = map[string]any{"what": what}, "when"
		out.Ask = tools.Says("ask.remind", "lacks", speech.Kind("time"), "said", what)
	case pointsAtNothing(what):
		if again, ok := l.forWhat(text); ok {
			return again
		}
		out.Params, out.Missing = map[string]any{"when": t.When}, "what"
		out.Ask = tools.Says("ask.remind", "lacks", speech.Kind("thing"), "said", text)
	case t.When == "":
		out.Params, out.Subject = map[string]any{"text": text}, ""
	default:
		out.Params = map[string]any{"what": what, "when": t.When}
	}
	return out
}

// AsksFor hears who wants to be told what is planned, by the words for being reminded: "remind me
// of my appointments tomorrow", "remind me what time the party is". Without a tool the plans are
// heard as they are called.
func (l Planner) AsksFor(what sentences.Said) (in tools.Intent, ok bool) {
	if c, ok := what.Any("of|about? what i have|got *when"); ok {
		if s, ok := sentences.Read("what do I have " + c.Get("when")); ok {
			return l.Plans(s)
		}
	}
	if last := len(what.Words) - 1; what.Is(0, "what", "when") && what.Is(last, "is", "are", "starts", "begins", "ends") && !what.Is(1, "it") {
		if in, ok := l.Framed(what); ok && in.Tool == tools.SkillPlans {
			return in, true
		}
	}
	many := sentences.HasAny(what, "alarms", "reminders") || sentences.HasAny(what, "appointments", "meetings", "events", "plans", "schedule", "calendar", "agenda", "tasks") && !l.Clocks(l.Timing(what.All()).When)
	return tools.Intent{}, many && what.Is(0, "about", "of")
}

// pointsAtNothing reports whether words say nothing that one could be reminded of.
func pointsAtNothing(what string) bool {
	s, ok := sentences.Read(what)
	if !ok {
		return what == ""
	}
	_, points := s.Any("it|this|that|something|them", "this|that item|thing|event|one|date|reminder")
	return points
}

// forWhat is a reminder whose time was read over what it is for: "every day at 2 for lunch".
func (l Planner) forWhat(text string) (tools.Intent, bool) {
	s, ok := sentences.Read(text)
	for i := 1; ok && i+1 < len(s.Words); i++ {
		if head := s.Part(0, i); s.Is(i, "for", "about", "of") && l.IsOnlyTime(head) && !pointsAtNothing(s.Part(i+1, len(s.Words))) {
			return l.SaidOf(s.Part(i+1, len(s.Words)), head, text), true
		}
	}
	return tools.Intent{}, false
}

// Titles hears a reminder that begins with what it is about: "a clock out reminder every work day
// at 5", "pool reminders on Mondays at 6 pm".
func (l Planner) Titles(s sentences.Said) (title, rest string, ok bool) {
	c, ok := s.Any("a|an *title reminder *when", "set|add|create|make a|an *title reminder *when", "*title reminders|reminder *when")
	name := c.Sentence("title")
	if _, other := ActOf(s); !ok || other || s.Question || len(name.Words) > 4 || name.Is(0, "a", "an", "the", "my", "any", "all", "your", "no", "new", "this", "that", "set", "add", "create", "make", "put") || sentences.HasAny(name, "recurring", "repeating", "alarm") || name.Is(0, "send", "email", "text", "write", "forward") || name.Is(len(name.Words)-1, "a", "an", "the", "my") || l.Timing(name.All()).Said {
		return "", "", false
	}
	_, clock := l.Parts(c.Get("when"))
	if only := l.IsOnlyTime(TrimFor(c.Get("when"))); !only && !(clock && sentences.HasAny(s, "reminders")) || !clock && sentences.HasAny(s, "reminders") {
		return "", "", false // "dentist reminders for tomorrow" may ask for them
	}
	return name.All(), c.Get("when"), true
}

// reread is a reminder whose words of time aren't one time, where the part that stands by itself
// is when: "that the sitter arrives at 6, at half past five".
func (l Planner) reread(text string, t sentences.Timing) (tools.Intent, bool) {
	s, ok := sentences.Read(text)
	if !ok || !t.Wrong && !t.Left && t.Said || IsBeside(text) {
		return tools.Intent{}, false
	}
	if rest := WithoutLink(t.Rest); rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return tools.Intent{}, false // a number that may belong to the time: 1 January 9999
	}
	if what, at, ok := l.pieces(s); ok && WithoutLink(what) != "" {
		return l.SaidOf(WithoutLink(what), at, text), true
	}
	if elsewhere(WithoutLink(t.Rest)) {
		return tools.Intent{}, false
	}
	parts := l.apart(s)
	if !parts.clear || !parts.said || WithoutLink(parts.what) == "" {
		return tools.Intent{}, false
	}
	about, _ := sentences.Read(parts.what)
	if inner := l.Timing(parts.what); (inner.Said || inner.Wrong) && !about.Is(0, "that") && !sentences.HasAny(about, "is", "are", "starts", "begins", "ends", "leaves", "opens", "closes") {
		return tools.Intent{}, false
	}
	return l.SaidOf(WithoutLink(parts.what), parts.when, text), true
}

// pieces are the two parts of a time that stand apart, a day and a time of day, as one time, and
// what else is said: "Saturday morning soccer practice at 8 AM".
func (l Planner) pieces(s sentences.Said) (what, at string, ok bool) {
	if len(s.Words) > maxPieceWords {
		return "", "", false
	}
	var rest, times []string
	places := make([]int, len(s.Words))
	for i, w := range s.Words {
		places[i] = w.Start
	}
	begins := l.TimesIn(s.Text).Begins(places)
	for i := 0; i < len(s.Words); {
		n := min(len(s.Words)-i, maxPieceWords/4)
		if !begins[i] && !s.Is(i, "just", "please") {
			n = 0 // nothing that begins with it is only a time
		}
		for n > 0 && (isBareNumber(s.Part(i, i+n)) || !l.IsOnlyTime(s.Part(i, i+n))) {
			n--
		}
		if n == 0 {
			rest = append(rest, s.Part(i, i+1))
			i++
			continue
		}
		times = append(times, s.Part(i, i+n))
		i += n
	}
	if len(times) != 2 || sentences.HasAny(s, zoneWords...) || elsewhere(strings.Join(rest, " ")) {
		return "", "", false
	}
	for _, pair := range [][2]string{{times[0], times[1]}, {times[1], times[0]}} {
		day, _ := l.Parts(pair[0])
		other, clock := l.Parts(pair[1])
		if both := pair[0] + " " + pair[1]; day && clock && !other && l.IsOnlyTime(both) {
			return strings.Join(rest, " "), both, true
		}
	}
	return "", "", false
}

// clauseAhead hears how long before its time a reminder is to come, behind a comma: "of the recital
// on Friday at 6, an hour before".
func (l Planner) clauseAhead(text string) (tools.Intent, bool) {
	s, ok := sentences.Read(text)
	if !ok || !liesAhead(s) {
		return tools.Intent{}, false
	}
	for i := len(s.Words) - 1; i > 0; i-- {
		if story := l.apart(s.UpTo(i)); s.Words[i-1].Stop && story.said && story.clear {
			return l.aheadOf(told{what: WithoutLink(story.what), when: story.when}, s.From(i), text)
		}
	}
	return tools.Intent{}, false
}

// Clocks reports whether a time names a time of day.
func (l Planner) Clocks(text string) bool {
	_, clock := l.Parts(text)
	return clock
}

// zoneWords are the words by which a time is said to be another zone's.
var zoneWords = []string{"central", "eastern", "pacific", "mountain", "gmt", "utc", "est", "cst", "pst", "cet", "time"}

// elsewhere reports whether what is left of a text says that its time is that of another place:
// "4 pm in London to call Nigel".
func elsewhere(what string) bool {
	c, ok := sentences.Read(what)
	if !ok {
		return false
	}
	at, ok := c.Any("in *place to|about|that *what", "in *place")
	if !ok {
		return c.Is(0, "central", "eastern", "pacific", "mountain") && c.Is(1, "to", "time")
	}
	_, known := when.Place(at.Get("place"))
	return known
}

// maxPieceWords bounds a sentence whose time may stand in two places.
const maxPieceWords = 28

// dangles reports whether what is left of a sentence without its time shows that more of it was
// meant: "/week", "my anniversary advance", "repeat for Christmas".
func dangles(what string) bool {
	s, ok := sentences.Read(what)
	return ok && (strings.HasPrefix(what, "/") || s.Is(0, "repeat") || s.Is(len(s.Words)-1, "advance", "beforehand", "prior", "ahead"))
}

var links = []string{"to", "that", "about", "of", "for", "for me", "abt", "w/", "called", "named", "titled", "saying"}

// WithoutLink takes off what links an asking to what is asked for; what is left of
// "for 6pm to take the bins out" has two of them.
func WithoutLink(text string) string {
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

// Reminder hears who wants a reminder to end or to come at another time.
func (l Planner) Reminder(s sentences.Said) (tools.Intent, bool) {
	if c, ok := s.Any(
		"cancel|delete|remove|drop|stop|forget|clear|end the|my|that|this? reminder|reminders about|for|to|of|that *which", "cancel|delete|remove|drop|stop|forget|clear|end the|my|that|this *which reminder",
		"cancel|delete|remove|drop|stop|forget|clear|end the|my|that|this? reminder: *which",
		"stop reminding me about|of|to|that *which", "do not remind me about|of|to|that *which any more|longer", "do not remind me about|of|to|that *which anymore|again",
		"cancel|delete|remove|drop|stop|forget|clear|end reminder *which",
	); ok {
		return tools.Ended(c.Get("which"), "cancel")
	}
	if _, ok := s.Any("cancel|delete|remove|drop|stop|forget|clear|end the|my|that|this reminder", "do not remind me any more|longer", "do not remind me anymore|again", "stop reminding me"); ok {
		return tools.Ended("", "cancel")
	}
	if _, ok := s.Any("cancel|delete|remove|drop|stop|forget|clear|end all of? my|the? reminders", "cancel|delete|remove|drop|clear my|the reminders"); ok {
		return tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "cancel", "all": true}}, true
	}
	if c, ok := s.Any(
		"mark|tick the|my|that? reminder about|for|to|of? *which as? done|finished|off", "the|my|that reminder about|for|to|of? *which is done|finished",
		"done with the|my|that reminder about|for|to|of? *which", "i am done with the|my|that reminder about|for|to|of? *which",
	); ok && !s.Question {
		return tools.Ended(c.Get("which"), "done")
	}
	if c, ok := s.Any("cancel the|my *which", "cancel *which"); ok && !s.Question {
		return l.called(c.Sentence("which"))
	}
	return l.moved(s)
}

// called is the end of a plan that is called by its name only; it has to be one of
// those in mind.
func (l Planner) called(which sentences.Said) (tools.Intent, bool) {
	for _, item := range l.P.World {
		label, ok := sentences.Read(item.Label)
		if !ok || item.Kind != domain.ItemReminder && item.Kind != domain.ItemTask || len(which.Words) == 0 {
			continue
		}
		all := true
		for _, w := range which.Words {
			all = all && sentences.HasAny(label, w.Lower)
		}
		switch {
		case all && item.Kind == domain.ItemTask:
			return tools.TaskEnded(which.All(), "drop"), true
		case all:
			return tools.Ended(which.All(), "cancel")
		}
	}
	return tools.Intent{}, false
}

// moved hears who wants a reminder at another time.
func (l Planner) moved(s sentences.Said) (tools.Intent, bool) {
	const move = "move|postpone|reschedule|push|shift|change|delay|snooze"
	c, ok := s.Any(
		move+" the|my|that|this? reminder about|for|of *which to|until|till *when", move+" the|my|that|this *which reminder to|until|till *when", move+" the|my|that|this? reminder back? to|until|till *when",
		"snooze it|that|this? for|until|till|to? *when", "snooze the|my|that|this *which reminder for *when", "snooze the|my|that|this? reminder for *when",
		"remind me again? of|about it|that|this again? later *when", "remind me again *when", "remind me of|about it|that|this again? *when",
	)
	if !ok {
		if c, ok = s.Any("snooze", "snooze it|that|this", move+" the|my|that|this *which reminder", move+" the|my|that|this reminder"); !ok {
			return tools.Intent{}, false
		}
	}
	out := tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "move"}, Subject: "which", Moment: "when"}
	if which := c.Get("which"); which != "" {
		out.Params["which"] = which
	}
	text := c.Get("when")
	switch t := l.Timing(text); {
	case text != "" && t.Wrong:
		out.Params["when"] = text
	case t.Said && t.When != "" && t.Rest == "":
		out.Params["when"] = text
	case text != "" && s.Is(0, "remind"):
		return tools.Intent{}, false // "remind me of it when I am home" has no time yet
	default:
		out.Missing, out.Ask = "when", tools.Says("ask.change", "lacks", speech.Kind("time"))
	}
	return out, true
}
