package hearing

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain/language/when"
)

// alarm hears who wants an alarm or a timer: a reminder that says no more than that.
func (l listener) alarm(lead string, s said) (intent, bool) {
	if _, bare := s.any("a|an|another? alarm|timer", "alarm|timer please"); bare && !s.question {
		return l.titled(lead, s.words[len(s.words)-1].lower), true
	}
	c, ok := s.any("set|start|create|add|make|put|place|give|get|sound|have|ring me? up? an|a|another|the|my|two|three? new? egg|kitchen? alarm|timer|alarms|timers|countdown|alert clock? on|please? *when", "egg|kitchen? alarm|timer|countdown for|of *when", "egg|kitchen? alarm|timer please? *when", "two|three alarms|timers please? *when", "alarm when|once|as|if|after *when")
	if c, ok := s.any("set|start|make|put|add a|an|another? *length timer|countdown for? *what", "set|start|make|put|add a|an|another? *length timer|countdown", "i want|need a|an|another? *length timer|countdown for? *what", "i want|need a|an|another? *length timer|countdown", "a|an? *length timer|countdown please? for *what", "a|an? *length timer|countdown"); ok && l.isOnlyTime(c.get("length")) && !s.question {
		return l.saidOf(strings.TrimSpace("timer "+c.get("what")), c.get("length"), s.all()), true
	}
	if c, ok := s.any("set|start|make|put|add me? a|an|another|my? timer|countdown for|of|called *words", "timer|countdown for|of|called *words"); ok && !s.question {
		for words, n := c.sentence("words"), 1; n < 4 && n < len(words.words); n++ { // a timer for pasta 9 minutes, for 9 minutes for pasta
			if ahead := words.from(n); n > 1 && l.isLength(words.part(0, n)) && ahead.is(0, "for") && len(ahead.words) > 1 && !l.timing(ahead.all()).said {
				return l.saidOf("timer: "+ahead.from(1).all(), words.part(0, n), s.all()), true
			}
			name, length := words.upTo(len(words.words)-n), words.part(len(words.words)-n, len(words.words))
			if n > 1 && l.isLength(length) && !l.timing(name.all()).said && !l.isLength(name.all()) && !name.is(len(name.words)-1, "in", "for", "and", "after", "of") {
				return l.saidOf("timer: "+name.all(), length, s.all()), true
			}
		}
	}
	if c, ok := s.any("timer *when"); ok && !s.question && !c.sentence("when").is(0, "for", "of", "in") {
		for words, n := c.sentence("when"), 3; n > 1; n-- { // timer 3 min eggs
			if n >= len(words.words) {
				continue
			}
			if _, length := when.Later(words.part(0, n), l.p.AsOf, l.zone()); length && !l.timing(words.part(n, len(words.words))).said {
				return l.saidOf("timer "+words.part(n, len(words.words)), words.part(0, n), s.all()), true
			}
		}
	}
	if c, ok := s.any("set|start|make|put|add a|an|my? *name timer|alarm for|at *when"); ok && !s.question {
		name := c.sentence("name")
		if kind := s.words[len(s.words)-len(c.sentence("when").words)-2].lower; len(name.words) <= 3 && !name.is(0, "a", "an", "the", "my", "new", "another", "me", "two", "three", "up", "recurring", "repeating") && !l.timing(name.all()).said && !l.timing(name.all()).wrong {
			return l.titled(c.get("when"), kind+": "+name.all()), true
		}
	}
	if _, again := s.any("reset|adjust|change|edit|modify|update|fix my|the|an? alarm|alarms|timer|timers"); again {
		return intent{tool: skillReminder, ask: "Which alarm do you mean, and what should become of it? Say it such as: move the 7 o'clock alarm to 8."}, true
	}
	if bare := s.is(0, "alarm", "timer") || s.is(1, "timer"); !ok || s.question || bare && !l.timing(c.get("when")).said && !l.isOnlyTime(withoutLink(c.get("when"))) && !s.is(1, "for", "of", "when", "once", "as", "if", "after") && !s.is(2, "for", "of") {
		return intent{}, false
	}
	what, text := "alarm", joined(lead, c.get("when"))
	if s.is(0, "alarm") && s.is(1, "when", "once", "as", "if", "after") {
		text = s.from(1).all()
	}
	switch {
	case hasAny(s, "timer", "timers"):
		what = "timer"
	case hasAny(s, "countdown"):
		what = "countdown"
	case hasAny(s, "alert") && !hasAny(s, "alarm", "alarms"):
		what = "alert"
	}
	if rest, cut := strings.CutPrefix(text, "for "); cut && what != "alarm" && l.isOnlyTime(rest) {
		text = rest
	}
	return l.titled(text, what), true
}

// wakings are ways to ask to be woken; what stands behind them says when.
var wakings = []phrase{
	"wake me up?", "get me up", "get me out of bed", "ring me awake", "wake *who up", "i? want|need|have|got|wanna|gotta|ought to? wake|get up", "i? want|need|have|got|wanna|gotta|ought|must|should to? be up|awake", "i must|should be up|awake", "i? want|need|have to? be woken up?", "i would like to be woken up?",
	"make sure that? i am|get|wake up|awake", "do not let me oversleep", "i? want|need|get|have a? wake-up|wakeup call?", "i? want|need|get|have a? wake up call", "arrange to? wake me up?", "arrange|set|book up? me? a? wake-up|wakeup call?", "set|book up? me? a? wake up call", "wake|get up", "wake-up|wakeup call?", "wake up call", "i would like to wake|get|be up|awake",
}

// wakingAt is how many words at a place ask to be woken.
func (s said) wakingAt(i int) int {
	const longest = 8
	if !s.mayStandAt(i, wakings) {
		return 0
	}
	for n := min(longest, len(s.words)-i); n > 0; n-- {
		part := s
		part.words = s.words[i : i+n]
		if _, ok := part.any(wakings...); ok && !(part.is(0, "wake") && n > 4) {
			return n
		}
	}
	return 0
}

// wakes splits a sentence behind what asks to be woken: "wake me up", "a wake up call".
func (s said) wakes() (head, rest string, ok bool) {
	n := s.wakingAt(0)
	if n == 0 && s.is(0, "a", "my") {
		if n = s.wakingAt(1); n > 0 {
			n++
		}
	}
	if n == 0 {
		return "", "", false
	}
	return s.wakingTitle(n), s.from(n).withoutWaking().all(), true
}

// wakingTitle is what asks to be woken in a sentence's first words, without what leads to it.
func (s said) wakingTitle(n int) string {
	first := 0
	for first < n-1 && !s.is(first, "wake", "get", "be", "up", "awake", "wake-up", "wakeup", "ring", "oversleep", "woken") {
		first++
	}
	if !s.upTo(n).from(first).saysWaking() {
		return "alarm" // which is meant in the morning, too
	}
	return s.part(first, n)
}

// saysWaking reports whether words name waking itself.
func (s said) saysWaking() bool {
	return hasAny(s, "wake", "wake-up", "wakeup") || s.begins("get", "up")
}

// withoutWaking is what stands behind an asking to be woken, without another one: "on Saturday, I
// have to be up by 7:40".
func (s said) withoutWaking() said {
	for i := 1; i < len(s.words); i++ {
		if !s.words[i-1].stop && !s.is(i-1, "so") {
			continue
		}
		n := s.wakingAt(i)
		if n == 0 {
			continue
		}
		text := strings.TrimRight(s.text[s.start():s.words[i].start], ", ") + " " + s.text[s.words[i+n-1].end:]
		if again, ok := read(text); ok {
			return again
		}
	}
	return s
}

// ringings are ways to ask for an alarm where a part of a sentence begins.
var ringings = []phrase{"set|make|put|add|create|place|give|get me? up? an|a|another|the|my|two|three? alarm|timer|alarms|timers on?", "i want|need an|a alarm|timer", "alarm|timer|alarms"}

// rung hears who asks for an alarm behind what it is for: "I have to catch the ferry on Friday,
// alarm at 4:15", "power nap, wake me in half an hour".
func (l listener) rung(s said) (intent, bool) {
	if _, other := s.act(); other || s.question {
		return intent{}, false
	}
	for i := 1; i < len(s.words); i++ {
		if !s.words[i-1].stop && !s.is(i-1, "so", "and", "please", "but", "then", "just") {
			continue // it doesn't stand apart
		}
		n, title := s.wakingAt(i), ""
		if n > 0 {
			part := s.from(i)
			title = part.wakingTitle(n)
		} else if n = s.ringingAt(i); n > 0 {
			title = "alarm"
			if part := s.upTo(i + n).from(i); hasAny(part, "timer") {
				title = "timer"
			}
		}
		if n == 0 || s.forbidsAt(i) {
			continue
		}
		before, after := s.upTo(i).withoutLinks(), s.from(i+n).withoutWaking()
		if len(before.words) == 0 || l.isOnlyTime(before.all()) {
			return intent{}, false
		}
		if in, ok := l.one(before); ok && in.ask == "" && !in.weak && !before.isNeed() && !before.is(0, "i", "we") {
			return intent{}, false // it is a request by itself
		}
		return l.rings(title, before, after), true
	}
	return intent{}, false
}

// ringingAt is how many words at a place ask for an alarm.
func (s said) ringingAt(i int) int {
	const longest = 7
	if !s.mayStandAt(i, ringings) {
		return 0
	}
	for n := min(longest, len(s.words)-i); n > 0; n-- {
		part := s
		part.words = s.words[i : i+n]
		if _, ok := part.any(ringings...); ok {
			return n
		}
	}
	return 0
}

// rings is an alarm for what stands before it, at the time that stands behind it or there.
func (l listener) rings(title string, before, after said) intent {
	for len(after.words) > 0 && after.is(len(after.words)-1, "please", "thanks") {
		after = after.upTo(len(after.words) - 1)
	}
	whole := title + ": " + before.all() + ", " + after.all()
	story, at := l.apart(before), l.apart(after)
	_, back := after.any(sameMoment...)
	_, isDone := after.any(whenDone...)
	what := title + ": " + bareStory(story.what)
	if rest := withoutLink(at.what); at.clear && at.said && rest != "" && !slices.Contains(links, rest) {
		what += ", " + rest
	}
	moment := at.when
	switch {
	case after.liesAhead() && story.said:
		if moment = l.ahead(story.when, after); moment == "" {
			return asksWhenThat(whole)
		}
		return l.saidOf(title+": "+bareStory(story.what), moment, whole)
	case !story.said && story.clear && (isDone || back || len(after.words) == 0) && l.lengthIn(before) != "":
		moment = "in " + l.lengthIn(before)
		what = title + ": " + before.all()
	case back || len(after.words) == 0:
		if moment = story.when; !story.clear {
			return l.handed(whole)
		}
	case at.clear && at.said && story.clear && story.said:
		moment = l.meant(story.when, at.when)
	case !at.said, !at.clear:
		return l.handed(whole)
	}
	if moment == "" && story.said {
		return l.handed(whole)
	}
	in := l.saidOf(what, moment, whole)
	if words, _ := read(title); back {
		for _, by := range []string{"until ", "till "} {
			if rest, ok := strings.CutPrefix(moment, by); ok && l.isOnlyTime(rest) {
				in = l.saidOf(what, rest, whole)
			}
		}
	} else if words.saysWaking() && l.timing(title+" "+moment).when != moment {
		in = l.handed(what + " " + moment) // what it is for tells which half of the day is meant
	}
	if moment == "" {
		in = l.unsaid(what)
		delete(in.params, "when")
	}
	return l.clocked(in, moment)
}

// clocked is an alarm, or a question for its time of day when it has none.
func (l listener) clocked(in intent, moment string) intent {
	at, err := l.parse(moment)
	if in.ask != "" || err != nil {
		return in
	}
	day, clock := l.parts(moment)
	words, _ := read(moment)
	never := at.Recurrence != nil && !clock
	if part := at.To > 0 && !hasAny(words, "from", "between", "to", "until", "till"); day && !clock && at.Grain >= when.Day || part || never {
		in.params["when"] = moment
		in.moment, in.missing, in.ask = "when", "when", fmt.Sprintf("At what time, %s?", mention(moment))
	}
	return in
}

// woken is an alarm to wake up. What stands behind the time is said with it.
func (l listener) woken(title, text string) intent {
	if s, ok := read(text); ok {
		for i := 1; i < len(s.words); i++ {
			if s.words[i-1].stop && l.isOnlyTime(s.part(0, i)) && !l.isOnlyTime(s.all()) {
				return l.reminded(title + ": " + s.part(i, len(s.words)) + " " + s.part(0, i))
			}
		}
		for len(s.words) > 1 && s.is(len(s.words)-1, "alarm", "please") && !isBeside(text) {
			s = s.upTo(len(s.words) - 1)
		}
		text = s.all()
	}
	return l.titled(text, title)
}

// titled is a reminder that begins with what it is: "alarm", "alarm for kickball". It needs a
// time of day.
func (l listener) titled(text, title string) intent {
	for _, idle := range []string{"for me ", "me ", "at me ", "please ", "to go off ", "to ring ", "to sound ", "ring ", "go off "} {
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
	text = l.tidied(text)
	if s, ok := read(text); ok {
		if name, at, ok := l.named(s); ok {
			return l.titled(at, title+": "+name)
		}
		if at, reason, ok := l.withReason(s); ok {
			if in := l.titled(at, title); in.ask == "" && in.params["what"] == title {
				in.params["what"] = title + " " + reason
				return in
			} else if whole := title + " " + at + " " + reason; in.ask == "" && !l.timing(whole).left && l.timing(whole).said {
				return l.handed(whole)
			}
		}
	}
	t := l.timing(text)
	if rest := withoutLink(text); l.isOnlyTime(rest) {
		text = clockOf(rest) // for 12 minutes
		t = l.timing(text)
	}
	if at := clockOf(withoutLink(text)); at != withoutLink(text) && l.clocks(at) && t.said && !l.clocks(t.when) {
		text, t = at, l.timing(at) // for 6 tomorrow
	}
	if s, ok := read(text); ok && !t.said && !t.wrong {
		if _, times := l.several(text); len(times) > 1 {
			return l.handed(title + " " + text)
		}
		if parts := l.apart(s); parts.clear && parts.said {
			return l.clocked(l.saidOf(title+" "+parts.what, parts.when, text), parts.when)
		}
	}
	if s, ok := read(t.rest); t.said && t.when != "" && ok && s.is(0, "on", "when", "once", "unless", "if", "while") && len(s.words) > 1 {
		out.ask = fmt.Sprintf("When is that, %s? Say the day itself, such as: tomorrow at 7.", mention(s.all()))
		return out
	}
	if s, ok := read(text); ok && s.is(0, "when", "once", "if", "unless", "whenever") && !t.said && !isBeside(text) {
		out.ask = fmt.Sprintf("When is that, %s? Say the time itself, such as: tomorrow at 7.", mention(text))
		return out
	}
	if s, ok := read(text); ok && strings.ContainsAny(t.rest, "0123456789") {
		if what, at, apart := l.pieces(s); apart {
			return l.saidOf(strings.TrimSpace(title+" "+strings.TrimPrefix(what, "there should be ")), at, text)
		}
	}
	switch only := t.said && t.when != "" && withoutLink(t.rest) == "" || slices.Contains(links, t.rest); {
	case only && l.timing(title+" "+t.when).when == t.when, only && !l.timing(title+" "+t.when).said:
		out.params["when"] = t.when
	default: // the title tells which half of the day is meant
		if out = l.reminded(title + " " + text); out.missing == "when" {
			out.ask = ask
		}
	}
	if _, timed := out.params["when"]; !timed || out.ask != "" {
		return out
	}
	if out = l.clocked(out, t.when); out.ask != "" && !slices.Contains(links, strings.ToLower(t.rest)) {
		out.params["what"] = strings.TrimSpace(title + " " + t.rest)
	}
	return out
}

// clockOf is a text that begins with a bare number as the time of day that it is: of "6 tomorrow"
// it is "at 6 tomorrow".
func clockOf(text string) string {
	s, ok := read(text)
	if !ok || !isBareNumber(s.part(0, 1)) || isBareNumber(s.part(0, min(2, len(s.words)))) && len(s.words) > 1 {
		return text
	}
	const longest = 6
	for n := 2; n <= min(longest, len(s.words)); n++ {
		if _, length := when.Later(s.part(0, n), 0, time.UTC); length {
			return text
		}
	}
	return "at " + text
}

// onlyAlarm hears what is to happen to an alarm whose name or whose part of a sentence would be
// taken for something else: "delete the meeting alarm", "remove Finlee's bedtime alarm",
// "practice is over, I don't need the alarm for it".
func (l listener) onlyAlarm(s said) (intent, bool) {
	if !hasAny(s, "alarm", "alarms") {
		return intent{}, false
	}
	if _, several := s.any("*some next|first two|three|four|five|six|2|3|4|5|6 alarms *rest", "*some next|first two|three|four|five|six|2|3|4|5|6 alarms"); several {
		if act, _ := s.act(); act == asking || s.question {
			return intent{tool: skillPlans, params: map[string]any{"kind": "alarms"}}, true
		}
	}
	for i := range s.words {
		if part := s.from(i); i == 0 || s.words[i-1].stop && hasAny(part, "alarm", "alarms") {
			if act, ok := part.act(); ok && act == ending {
				s = part
				break
			}
		}
	}
	f, ok := l.takeApart(s)
	at := slices.IndexFunc(s.words, func(w word) bool { return (w.lower == "alarm" || w.lower == "alarms") && !w.quoted })
	if !ok || at < 0 || f.act != ending {
		return intent{}, false
	}
	f.noun, f.at = anAlarm, at
	for i := range at {
		if w := s.words[i].lower; strings.HasSuffix(w, "'s") && nouns[w] == noNoun && !s.is(i, "today's", "tomorrow's", "tonight's", "week's") && l.isOnlyTime(s.part(i+1, at)) {
			clear(f.used[i+1 : at])
			f.time = ""
		}
	}
	return l.onAlarm(f)
}

// framedNow hears a sentence by its frame, unless it only tells of an alarm or a reminder: "my
// alarm rang at 5", "the reminder at 5 was wrong".
func (l listener) framedNow(s said) (intent, bool) {
	_, asks := s.act()
	alarm, reminder := hasAny(s, "alarm", "alarms", "timer"), hasAny(s, "reminder", "reminders")
	switch {
	case !alarm && !reminder:
	case reminder && s.is(0, "send", "email", "text", "message", "mail", "write", "forward"): // to somebody else
		return intent{}, false
	case s.is(0, "why") || s.begins("how", "do", "i"), s.begins("i", "have") && reminder,
		!asks && !s.question && hasAny(s, "went", "rang", "heard", "woke", "was", "were", "had", "yesterday"),
		!asks && !s.question && reminder && hasAny(s, "is", "are"):
		return intent{}, false
	}
	return l.framed(s)
}

// isMoment reports whether a time without a clock is one: in two hours.
func (l listener) isMoment(text string) bool {
	at, err := l.parse(text)
	return err == nil && at.Grain < when.Day
}
