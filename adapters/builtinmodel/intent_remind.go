package builtinmodel

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/when"
)

// remind hears who wants to be reminded.
func (l listener) remind(s said) (intent, bool) {
	lead, s := l.lead(s, "remind", "wake", "set", "alert", "notify")
	if in, ok := l.alarm(lead, s); ok {
		return in, true
	}
	c, ok := s.any(
		"remind me *what", "reminder: *what", "new reminder: *what", "set|add|create|make me? a|another|new new? reminder *what", "i need|want a new? reminder *what",
		"do not let me forget *what", "do not forget to *what", "remember to *what", "alert|notify|ping|call me *what",
		"give me a reminder|nudge *what", "i would like a reminder *what", "i must|should|can not forget to *what",
	)
	if ok && s.is(0, "alert", "notify", "ping", "call") && l.isOnlyTime(c.get("what")) && !s.question {
		return l.titled(joined(lead, c.get("what")), "alarm"), true
	}
	if ok && s.is(0, "call") {
		return intent{}, false
	}
	if ok && s.is(0, "alert", "notify", "ping") && !l.timing(c.get("what")).said && lead == "" {
		return intent{}, false // "notify me of changes" is more than a reminder can do
	}
	if !ok {
		if c, ok := s.any("*title *what", "i want|need|have to *title *what", "arrange to *title *what", "i need|want a? *title *what", "set up? a? *title *what"); ok && !s.question {
			if title, rest, found := wakes(c.sentence("title"), c.sentence("what")); found {
				return l.woken(title, joined(lead, rest)), true
			}
		}
		if _, bare := s.any("remind me", "set|add|create|make me? a|another new? reminder", "new reminder", "do not let me forget"); !bare {
			return intent{}, false
		}
		return l.reminded(lead), true
	}
	what := c.sentence("what")
	if s.is(0, "remind") && (what.is(len(what.words)-1, "alarms", "reminders") || hasAny(what, "alarms", "reminders")) && what.is(0, "about", "of") {
		return intent{}, false // it asks for them
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

// alarm hears who wants an alarm or a timer: a reminder that says no more than that.
func (l listener) alarm(lead string, s said) (intent, bool) {
	c, ok := s.any("set|start|create|add|make|put me? an|a|another|the|my? new? alarm|timer *when", "alarm|timer for|at *when")
	if !ok || s.question {
		return intent{}, false
	}
	what, text := "alarm", joined(lead, c.get("when"))
	if hasAny(s, "timer") {
		what = "timer"
		if rest, cut := strings.CutPrefix(text, "for "); cut && l.isOnlyTime(rest) {
			text = rest
		}
	}
	return l.titled(text, what), true
}

// wakes splits a sentence behind what asks to be woken: "wake me up", "a wake up call".
func wakes(title, what said) (head, rest string, ok bool) {
	all := title
	all.words = title.words[: len(title.words)+len(what.words) : cap(title.words)]
	for n := min(4, len(all.words)-1); n > 0; n-- {
		head := all.upTo(n)
		if _, wake := head.any("wake me up?", "get me up", "wake|get up", "wake-up|wakeup call?", "wake up call?"); wake {
			return head.all(), all.from(n).all(), true
		}
	}
	return "", "", false
}

// woken is an alarm to wake up. What stands behind the time is said with it.
func (l listener) woken(title, text string) intent {
	if s, ok := read(text); ok {
		for i := 1; i < len(s.words); i++ {
			if s.words[i-1].stop && l.isOnlyTime(s.part(0, i)) {
				return l.reminded(title + ": " + s.part(i, len(s.words)) + " " + s.part(0, i))
			}
		}
		for len(s.words) > 1 && s.is(len(s.words)-1, "alarm", "please") {
			s = s.upTo(len(s.words) - 1)
		}
		text = s.all()
	}
	return l.titled(text, title)
}

// titled is a reminder that begins with what it is: "alarm", "alarm for kickball". It needs a
// time of day.
func (l listener) titled(text, title string) intent {
	for _, idle := range []string{"for me ", "me ", "at me "} {
		if rest, ok := strings.CutPrefix(text, idle); ok {
			text = rest
		}
	}
	out := intent{tool: skillRemind, whole: text, subject: "what", moment: "when", params: map[string]any{"what": title}}
	const ask = "For when should I set it? Say a time, such as: tomorrow at 7."
	if text = strings.TrimSpace(text); text == "" || slices.Contains(links, strings.ToLower(text)) {
		out.missing, out.ask = "when", ask
		return out
	}
	t := l.timing(text)
	if rest := withoutLink(text); !t.said && l.isOnlyTime(rest) {
		text, t = rest, l.timing(rest) // for 12 minutes
	}
	day, clock := when.Parts(t.when, l.p.AsOf, l.zone())
	switch only := t.said && t.when != "" && withoutLink(t.rest) == "" || slices.Contains(links, t.rest); {
	case t.when != "" && day && !clock && !l.isMoment(t.when):
		if !slices.Contains(links, strings.ToLower(t.rest)) {
			out.params["what"] = strings.TrimSpace(title + " " + t.rest)
		}
		out.params["when"] = t.when
		out.missing, out.ask = "when", fmt.Sprintf("At what time, %s?", mention(t.when))
	case only && l.timing(title+" "+t.when).when == t.when:
		out.params["when"] = t.when
	case only && !l.timing(title+" "+t.when).said:
		out.params["when"] = t.when
	default: // the title tells which half of the day is meant
		if out = l.reminded(title + " " + text); out.missing == "when" {
			out.ask = ask
		}
	}
	return out
}

// isMoment reports whether a time without a clock is one: in two hours, tonight.
func (l listener) isMoment(text string) bool {
	at, err := when.Parse(text, l.p.AsOf, l.zone())
	return err == nil && at.Grain < when.Day
}

// lead is the time that a sentence begins with, before one of the words: "every
// Monday at 9 remind me …". "" when it doesn't.
func (l listener) lead(s said, words ...string) (lead string, rest said) {
	for i := 1; i < len(s.words); i++ {
		if !s.is(i, words...) {
			continue
		}
		if text := s.part(0, i); l.isOnlyTime(text) {
			return text, s.from(i)
		}
		return "", s
	}
	return "", s
}

func joined(lead, text string) string { return strings.TrimSpace(lead + " " + text) }

// reminded is a reminder out of what it is to be about and when, in one text.
func (l listener) reminded(text string) intent {
	out := intent{tool: skillRemind, whole: text, subject: "what", moment: "when"}
	t := l.timing(text)
	what := withoutLink(t.rest)
	if slices.Contains(links, strings.ToLower(what)) {
		what = "" // signs alone stood behind it
	}
	switch {
	case text == "":
		out.missing = "text"
		out.ask = "What should I remind you of, and when? Say it such as: remind me to call Anna tomorrow at 8."
	case t.wrong || t.left, isBeside(text):
		// What is wrong with the time is for the skill to say: it knows why, and which
		// other plan a time lies before.
		out.params, out.subject = map[string]any{"text": text}, ""
	case !t.said:
		out.params, out.missing = map[string]any{"what": what}, "when"
		out.ask = fmt.Sprintf("When should I remind you: %s? Say a time, such as: in 2 hours, tomorrow at 8, every Monday at 9.", mention(what))
	case what == "":
		out.params, out.missing = map[string]any{"when": t.when}, "what"
		out.ask = fmt.Sprintf("What should I remind you of, %s?", mention(text))
	case t.when == "":
		out.params, out.subject = map[string]any{"text": text}, ""
	default:
		out.params = map[string]any{"what": what, "when": t.when}
	}
	return out
}

// isBeside reports whether a text may say its time by another plan: an hour before the dentist.
func isBeside(text string) bool {
	s, ok := read(text)
	if !ok {
		return false
	}
	for i := 1; i+1 < len(s.words); i++ {
		by := s.is(i, "before", "after", "ahead", "prior") || s.is(i, "of") && s.is(i-1, "morning", "evening", "night", "afternoon")
		if by && s.is(i-1, "hour", "hours", "minute", "minutes", "min", "mins", "day", "days", "week", "weeks", "half", "night", "evening", "morning", "afternoon", "right", "straight", "just", "shortly", "month", "fortnight") {
			return true
		}
	}
	return false
}

var links = []string{"to", "that", "about", "of", "for"}

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
		return intent{tool: skillReminder, ask: "Which reminder should end? I end one at a time: say cancel the reminder, and words of it."}, true
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
