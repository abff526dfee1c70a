package hearing

import (
	"cmp"
	"regexp"
	"strings"

	"chalie/domain/language/when"
)

// moveVerbs are verbs by which something is to take place at another time.
const moveVerbs = "move|postpone|reschedule|push|shift|change|delay|bring|switch|adjust|update|swap|bump|extend|shove|reset"

// correcting are the ends of sentences that say of what stands before them that it has changed.
var correcting = regexp.MustCompile(`(?i)[\s,.;:]+(?:so )?(?:please )?(?:can you )?(?:update|fix|change|move|adjust|correct|shift|edit) (it|that|this|(?:that|the|my) (?:alarm|reminder|appointment|meeting|event|calendar|entry|task|deadline|timer))(?: accordingly| please)?[.!?]*$`)

// lastingly are words that say that all times change, and not only the next.
var lastingly = regexp.MustCompile(`(?i)(?:^|[\s,]+)(from now on|from here on|going forward|permanently|for good|always|every time|actually|really)(?:[\s,]+|$)`)

// contrast is the time before, at the end of a sentence that says the new one: at 8, not 7.
var contrast = regexp.MustCompile(`(?i)[\s,]+(?:(?:and )?not|instead of|rather than) (?:at |on )?(\S.*?)[.!]*$`)

// onlyOnce are words that say that one time changes, and no other.
var onlyOnce = regexp.MustCompile(`(?i)(?:^|[\s,]+)(?:(?:just|only) (this week|this time|this once|once)|(this week|this time|this once) only|just for (this week)|(this once))(?:[\s,.]+|$)`)

// withoutContrast is a text without the time before, which it says besides the new one.
func (l listener) withoutContrast(text string) (string, bool) {
	at := contrast.FindStringSubmatchIndex(text)
	if len(at) < 4 || at[0] == 0 || !l.isOnlyTime("at "+text[at[2]:at[3]]) && !l.isOnlyTime(text[at[2]:at[3]]) {
		return text, false
	}
	plain, ok := read(text[:at[0]])
	return text[:at[0]], ok && l.timing(l.atHour(plain).all()).said
}

// moving is what a sentence says of a plan that is to take place at another time, without the words
// around it.
type moving struct {
	s       said
	before  said   // what stands before the request
	always  bool   // all times of it
	instead bool   // it ends with "instead" or "now"
	object  string // what is to be corrected: "that alarm"
	week    string // "this week", when only the time within it changes
}

// movingIn takes apart what a sentence says around what is to be moved, and to when.
func movingIn(s said) moving {
	m := moving{}
	text, asked := s.all(), s.question
	if at := correcting.FindStringSubmatchIndex(text); len(at) > 3 && at[0] > 0 {
		m.object, text = text[at[2]:at[3]], text[:at[0]]
	}
	if lastingly.MatchString(text) && !strings.HasPrefix(strings.ToLower(text), "every time") {
		text, m.always = strings.TrimSpace(lastingly.ReplaceAllString(text, " ")), true
	}
	if once := onlyOnce.FindStringSubmatch(text); once != nil {
		text, m.instead = strings.TrimSpace(onlyOnce.ReplaceAllString(text, " ")), true
		if strings.Contains(strings.ToLower(once[0]), "week") {
			m.week = "this week"
		}
	}
	if again, ok := read(wishing.ReplaceAllString(text, "")); ok {
		s = again.spelled()
		s.question = asked
	}
	if clause := s.lastClause(moveVerbs); len(clause.words) < len(s.words) {
		m.before, s = s.upTo(len(s.words)-len(clause.words)), clause
	}
	m.instead = m.instead || s.is(len(s.words)-1, "instead", "now")
	for len(s.words) > 3 && s.is(len(s.words)-1, "instead", "please", "time", "now") && !(s.is(len(s.words)-1, "time") && !s.is(len(s.words)-2, "same")) {
		s = s.upTo(len(s.words) - 1)
	}
	if len(s.words) > 2 && s.is(len(s.words)-1, "same") {
		s = s.upTo(len(s.words) - 1) // the same time is kept anyway
	}
	m.always = m.always || hasAny(s, "weekdays", "weekends", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays")
	m.s = s
	return m
}

// ways are how a sentence says that a plan takes place at another time.
var ways = []struct {
	phrase phrase
	by     string // "later", "earlier": the time is how much by
	loose  bool   // its words surely speak of a plan
}{
	{moveVerbs + " the? time|date|day of? *which from *old to *when", "", true}, {moveVerbs + " *which from *old to *when", "", true},
	{moveVerbs + " *which on *day to|until|till|for *when", "", true}, {moveVerbs + " *which on *day back|forward|up|off to|until|till *when", "", true},
	{moveVerbs + " *which forward|up|earlier by *when", "earlier", true}, {moveVerbs + " *which back|out|off|later? by *when", "later", true},
	{moveVerbs + " forward|up *which by *when", "earlier", true}, {moveVerbs + " back|off|out *which by *when", "later", true},
	{moveVerbs + " the? start|due|end? time|date|day|deadline of|for *which to|until|till|for *when", "", true},
	{moveVerbs + " *which back|forward|out|up|off? to|until|till|for|on *when", "", true}, {moveVerbs + " back|forward|out|up|off *which to|until|till|for *when", "", true},
	{"put|hold|push off *which to|until|till *when", "", true}, {"put|hold|push *which off to|until|till *when", "", true},
	{moveVerbs + " *which back|out|off *when", "later", true}, {moveVerbs + " *which forward|up *when", "earlier", true},
	{"*which *when later", "later", false}, {"*which *when earlier", "earlier", false},
	{"set|make *which be|ring|start? to|at|for *when rather|instead than|of *old", "", true},
	{"*which is|starts|begins now at|on? *when", "", false}, {"*which now is|starts|begins at|on? *when", "", false}, {"*which is|starts|begins at|on? *when now", "", false},
	{"*which was|is|got|has been? moved|pushed|rescheduled|postponed|delayed to|until *when", "", true},
	{"*which moved|pushed|rescheduled|postponed|bumped|changed me|us|it? to|until *when", "", true}, {"*which should be|ring at *when", "", false},
	{"*which at|on *when rather|instead than|of *old", "", true},
}

// onMove hears what is to take place at another time: "move the dentist to Wednesday at 2",
// "postpone lunch by an hour", "the dinner party is at 8 now".
func (l listener) onMove(s said) (intent, bool) {
	if s.is(0, "remind", "snooze", "what", "when", "how", "why", "who", "where", "which", "tell", "email", "text", "message", "inform", "notify", "write", "ask", "say") {
		return intent{}, false
	}
	m := movingIn(s)
	if in, ok := l.altered(m.s); ok {
		return in, true
	}
	in, ok := l.movedBy(m)
	if plain, contrasts := l.withoutContrast(m.s.all()); contrasts && !ok {
		if again, readable := read(plain); readable {
			m.s, m.instead = again, true
			in, ok = l.movedBy(m)
		}
	}
	if !ok {
		return l.movesOpen(m.s)
	}
	if m.always && in.tool != skillTask {
		in = in.with("always", true)
	}
	if m.week != "" && in.tool != skillTask {
		in = in.with("during", m.week)
	}
	if names := l.namesIn(m.before); names != "" {
		in = in.with("about", names)
	}
	if k, _ := read(m.object); hasAny(k, "alarm", "reminder", "timer") {
		in.tool = skillReminder
	}
	return in, true
}

// altered hears that something else of an appointment changes: its place, its end or its name.
func (l listener) altered(s said) (intent, bool) {
	for _, way := range []struct {
		phrase phrase
		param  string
	}{
		{moveVerbs + " the? location|place|venue|address of|for *which to *to", "place"}, {moveVerbs + " the? end of *which to *to", "until"},
		{"*which will|should|now end|finish|ends|finishes at *to", "until"}, {"*which ends|finishes at *to", "until"}, {"rename *which to|as *to", "what"},
	} {
		c, ok := s.match(way.phrase)
		if !ok || s.question {
			continue
		}
		which := c.sentence("which")
		if l.planTool(which) != skillAppointment || way.param == "until" && !l.isOnlyTime("at "+c.get("to")) {
			continue
		}
		return intent{tool: skillAppointment, params: map[string]any{"action": "move", "which": bareOf(which), way.param: c.get("to")}, subject: "which"}, true
	}
	return intent{}, false
}

// movedBy is a plan at another time, by the first of the ways to say so that fits.
func (l listener) movedBy(m moving) (intent, bool) {
	s := m.s
	if in, ok := l.shiftedBy(s); ok {
		return in, true
	}
	for _, way := range ways {
		c, ok := s.match(way.phrase)
		if !ok {
			continue
		}
		if in, ok := l.planMoved(c, way.by, way.loose); ok {
			return in, true
		}
	}
	if m.instead {
		if c, ok := l.atHour(s).any("set|make|put *which to|for|at|on *when"); ok {
			if in, ok := l.planMoved(c, "", false); ok {
				return in, true
			}
		}
	}
	if !m.always && m.object == "" && !m.instead {
		return intent{}, false
	}
	if c, ok := s.any("*which is|are|starts|begins|falls due? at|on *when", "*which is|are|starts|begins|falls due? *when"); ok {
		if in, ok := l.planMoved(c, "", m.object != "" || hasAny(s, "due")); ok {
			return in, true
		}
	}
	if f, _ := l.takeApart(s); m.instead && f.time != "" && f.named() != "" && !s.question && f.act == unsaid {
		if tool := l.planTool(s); tool != "" {
			return intent{tool: tool, params: map[string]any{"action": "move", "which": f.named(), momentOf(tool): f.time}, subject: "which", moment: momentOf(tool)}, true
		}
	}
	return intent{}, false
}

// atHour is a sentence with the word before an hour at its end that it leaves out: make the party 8.
func (l listener) atHour(s said) said {
	for i := max(1, len(s.words)-2); i < len(s.words); i++ {
		if !s.is(i-1, "at", "to", "for", "on") && l.isOnlyTime("at "+s.part(i, len(s.words))) {
			if again, ok := read(s.part(0, i) + " at " + s.part(i, len(s.words))); ok {
				return again
			}
		}
	}
	return s
}

// remindsInstead hears that a reminder is to come at another time by the words for a new one:
// "remind me about the plants on Friday instead".
func (l listener) remindsInstead(s said) (intent, bool) {
	if plain, contrasts := l.withoutContrast(s.all()); contrasts && hasAny(s, "instead", "rather") {
		if again, ok := read(plain + " instead"); ok {
			s = again
		}
	}
	c, ok := s.any("remind me about|of|to|that *which instead", "remind me *when instead about|of|to|that *which")
	if !ok || s.question {
		return intent{}, false
	}
	t := l.timing(c.get("which"))
	if at := c.get("when"); at != "" {
		t = timing{rest: c.get("which"), when: at, said: l.isOnlyTime(at)}
	}
	which := strings.TrimSpace(withoutLink(t.rest))
	if !t.said || t.when == "" || which == "" || isPointing(which) {
		return intent{}, false
	}
	return intent{tool: skillReminder, params: map[string]any{"action": "move", "which": which, "when": t.when}, subject: "which", moment: "when"}, true
}

// movesOpen hears that a plan is to be moved, and not to when.
func (l listener) movesOpen(s said) (intent, bool) {
	c, ok := s.any(moveVerbs+" *which back|forward|out|off|to another day|time", moveVerbs+" *which back|forward|off", moveVerbs+" *which")
	if !ok || s.question && !s.is(0, "push") || s.is(0, "put", "bring", "update", "switch", "adjust", "extend", "swap", "reset") || s.is(0, "push") && !hasAny(s, "back") {
		return intent{}, false
	}
	which := c.sentence("which")
	tool := l.planTool(which)
	if tool == "" || l.timing(which.all()).said {
		return intent{}, false
	}
	return intent{tool: tool, params: map[string]any{"action": "move", "which": which.all()}, missing: momentOf(tool), moment: momentOf(tool), subject: "which", weak: true,
		ask: "To when should I move it: " + mention(which.all()) + "? Say a time, such as: tomorrow at 8, an hour later."}, true
}

// comesBack hears how a plan that there is comes back from now on: "make the staff meeting biweekly".
func (l listener) comesBack(s said) (intent, bool) {
	if !s.begins("make", "the") && !s.begins("make", "my") || s.question {
		return intent{}, false
	}
	for i := 3; i < len(s.words); i++ {
		which, moment := s.upTo(i).from(2), s.part(i, len(s.words))
		if !l.isOnlyTime(moment) || !l.recurs(moment) {
			continue
		}
		tool := l.planTool(which)
		if tool == "" || tool == skillTask || len(which.words) == 1 && !l.isKnown(which) {
			return intent{}, false // make the appointment every Friday
		}
		return intent{tool: tool, params: map[string]any{"action": "move", "which": bareOf(which), "when": moment}, subject: "which", moment: "when"}, true
	}
	return intent{}, false
}

// namesIn are the words of what stands before a request that may tell which plan is meant.
func (l listener) namesIn(before said) string {
	if len(before.words) == 0 {
		return ""
	}
	f := frame{s: before, used: make([]bool, len(before.words)), at: -1}
	l.takeTime(&f)
	return f.named()
}

// movesBefore hears what is to take place at another time by words that would be taken for a new
// reminder: "set the flight alarm half an hour later".
func (l listener) movesBefore(s said) (intent, bool) {
	if in, ok := l.remindsInstead(s); ok {
		return in, true
	}
	if s.asksBehind() {
		return intent{}, false // how much earlier than what stands before it
	}
	for _, hear := range []func(said) (intent, bool){l.comesBack, l.madeAt} {
		if in, ok := hear(s); ok {
			return in, true
		}
	}
	if !hasAny(s, "instead", "earlier", "later", "rather", "sooner") && !lastingly.MatchString(s.all()) && !correcting.MatchString(s.all()) && !contrast.MatchString(s.all()) && !onlyOnce.MatchString(s.all()) || s.is(0, "remind", "snooze") {
		return intent{}, false
	}
	in, ok := l.onMove(s)
	return in, ok && in.ask == ""
}

// asksBehind reports whether a later part of a sentence asks for an alarm or a reminder.
func (s said) asksBehind() bool {
	for i := 1; i < len(s.words); i++ {
		if s.words[i-1].stop && (s.wakingAt(i) > 0 || s.ringingAt(i) > 0 || s.beginsAt(i, "remind", "me")) {
			return true
		}
	}
	return false
}

// shiftedBy hears by how much earlier or later something is to be: "make the kickball alarm an hour
// earlier", "delay the dentist by fifteen minutes".
func (l listener) shiftedBy(s said) (intent, bool) {
	n := len(s.words)
	by, end := "", n
	switch {
	case s.is(n-1, "later", "earlier", "sooner"):
		by, end = s.words[n-1].lower, n-1
	case s.is(0, "delay", "postpone", "push", "bump", "extend", "shove"):
		by = "later"
	}
	if by == "sooner" {
		by = "earlier"
	}
	if by == "" {
		return intent{}, false
	}
	const longest = 6
	for from := max(1, end-longest); from < end; from++ {
		amount := s.part(from, end)
		if _, length := when.Later(amount, l.p.AsOf, l.zone()); !length || s.is(from, "by", "in", "the") {
			continue
		}
		which := s.upTo(from)
		for len(which.words) > 0 && which.is(0, "make", "let", "set", "can", "could", "have", "move", "delay", "postpone", "push", "bump", "extend", "shift", "shove", "change", "reschedule", "bring", "start", "ring", "wake", "the", "my", "our", "put") && !(which.is(0, "wake") && which.is(1, "up")) {
			which = which.from(1)
		}
		for len(which.words) > 0 && which.is(len(which.words)-1, "be", "ring", "start", "go", "off", "by", "back", "out", "up", "forward", "begin", "to", "for", "go") && !(which.is(len(which.words)-1, "up") && which.is(len(which.words)-2, "wake")) {
			which = which.upTo(len(which.words) - 1)
		}
		tool := l.planTool(which)
		if tool == "" && (s.is(0, "delay", "postpone", "push", "bump", "extend", "shove", "move", "reschedule", "shift") || hasAny(s, "be", "ring")) {
			tool = skillAppointment
		}
		if len(which.words) == 0 || tool == "" || isPointing(which.all()) {
			return intent{}, false
		}
		at := momentOf(tool)
		return intent{tool: tool, params: map[string]any{"action": "move", "which": bareOf(which), at: amount + " " + by}, subject: "which", moment: at}, true
	}
	return intent{}, false
}

// bareOf are words that name a plan, with a day that owns it as a day: Friday's doctor visit.
func bareOf(which said) string {
	if which.is(0, "be") && len(which.words) > 1 {
		which = which.from(1)
	}
	text := which.all()
	for _, w := range which.words {
		if day, owns := strings.CutSuffix(w.lower, "'s"); owns && (isDay[day] || day == "week" || day == "month") {
			text = strings.Replace(text, which.text[w.start:w.end], strings.TrimSuffix(which.text[w.start:w.end], "'s"), 1)
		}
	}
	return text
}

var isDay = wordsIn(`monday tuesday wednesday thursday friday saturday sunday today tomorrow`)

// lastClause is the part of a sentence from its last clause on that begins with one of some
// words: "I can't do 11, move the dentist to 3".
func (s said) lastClause(words string) said {
	for i := len(s.words) - 1; i > 0; i-- {
		if s.words[i-1].stop && fits(words, s.words[i]) && i+2 < len(s.words) {
			return s.from(i)
		}
	}
	return s
}

func momentOf(tool string) string {
	if tool == skillTask {
		return "deadline"
	}
	return "when"
}

// planTool is the skill that keeps what words name; "" when they name no plan.
func (l listener) planTool(which said) string {
	tool := ""
	for i, w := range which.words {
		switch n := nouns[w.lower]; {
		case n == anAlarm || n == aReminder || which.is(i, "wake", "woken"):
			return skillReminder
		case n == aTask || which.is(i, "deadline"):
			return skillTask
		case n != noNoun && n != aCalendar && n != aSchedule:
			tool = skillAppointment
		}
	}
	if tool == "" && l.isKnown(which) {
		tool = skillAppointment
	}
	return tool
}

// isKnown reports whether words name something in mind.
func (l listener) isKnown(which said) bool {
	for _, item := range l.p.World {
		label, ok := read(item.Label)
		if !ok {
			continue
		}
		for _, w := range which.words {
			if len(w.lower) > 3 && !emptyWords[w.lower] && (hasAny(label, w.lower) || hasAny(label, w.lower+"'s")) {
				return true
			}
		}
	}
	return false
}

// planMoved is a plan at another time, when that is a time, or how much later or earlier. loose says
// that its words surely name a plan, of whatever kind.
func (l listener) planMoved(c captured, by string, loose bool) (intent, bool) {
	which, moment := c.sentence("which"), c.get("when")
	for len(which.words) > 1 && which.is(0, "the", "my", "our") {
		which = which.from(1)
	}
	if len(which.words) == 0 || which.is(0, "it", "that", "this", "i", "you", "he", "she", "they", "we", "what", "when", "which", "how", "where", "there", "in", "at", "remind", "is") && len(which.words) == 1 || len(which.words) > 8 || isPointing(which.all()) {
		return intent{}, false
	}
	if in, ok := l.swapsDays(which, cmp.Or(c.get("day"), c.get("old")), moment); ok {
		return in, true
	}
	day := c.get("day")
	if names, _ := l.parts(day); day != "" && (!names || !l.isOnlyTime(day) || l.recurs(day)) {
		return intent{}, false
	}
	if old := c.get("old"); day == "" && l.isOnlyTime(old) && !l.recurs(old) {
		if names, clock := l.parts(old); names && !clock {
			day = old
		}
	}
	tool := l.planTool(which)
	switch {
	case tool != "":
	case !loose || hasAny(which, "light", "lights", "volume", "music", "song", "temperature", "thermostat", "color", "colour", "brightness", "channel", "station", "list", "language", "subject", "topic", "file", "money"):
		return intent{}, false
	case hasAny(c.said, "deadline", "due"):
		tool = skillTask
	default:
		tool = skillAppointment
	}
	moment = sameTime.ReplaceAllString(strings.TrimSuffix(moment, " o'clock today"), "")
	switch {
	case by != "" && (l.isOnlyTime("in "+moment) || l.isOnlyTime(moment) && strings.Contains(moment, " ")):
		moment += " " + by
	case by != "":
		return intent{}, false
	default:
		moment = l.linked(moment)
		t := l.timing(moment)
		if !t.said || withoutLink(t.rest) != "" {
			return intent{}, false
		}
	}
	at := momentOf(tool)
	params := map[string]any{"action": "move", "which": bareOf(which), at: moment}
	if day != "" && tool != skillTask { // of one that comes back only that time
		params["during"] = day
	}
	if l.hasVerb(which) {
		delete(params, "which")
		params["about"] = l.namesIn(which)
	}
	return intent{tool: tool, params: params, subject: "which", moment: at}, true
}

// swapsDays hears that a plan comes on other days of the week instead of some: run on Wednesdays to
// Thursdays.
func (l listener) swapsDays(which said, from, to string) (intent, bool) {
	tool := l.planTool(which)
	if tool == skillTask || when.Weekdays(from) == nil || when.Weekdays(to) == nil || !l.recurs(from) || !l.recurs(to) {
		return intent{}, false
	}
	return intent{tool: cmp.Or(tool, skillAppointment), params: map[string]any{"action": "move", "which": bareOf(which), "except": from, "when": to}, subject: "which", moment: "when"}, true
}

// hours are from when to when: to seven minutes before ten nobody moves anything.
var hours = regexp.MustCompile(`(?i)^(?:[1-46-9]|1[12]) ?(?:am|pm)? to \d`)

// linked is a time with the word that it leaves out: 8 tomorrow, Friday 9, 7 to 10.
func (l listener) linked(moment string) string {
	s, ok := read(moment)
	switch {
	case !ok:
	case hours.MatchString(moment) && l.isOnlyTime("from "+moment):
		return "from " + moment
	case l.isOnlyTime(moment):
	case l.isOnlyTime("at " + moment):
		return "at " + moment
	case l.isOnlyTime(l.atHour(s).all()):
		return l.atHour(s).all()
	}
	return moment
}

// sameTime are words before a day that leave the time of day as it was.
var sameTime = regexp.MustCompile(`(?i)^(?:the )?same time (?:on )?`)

// hasVerb reports whether words that should name a plan say something: Joe wants to meet.
func (l listener) hasVerb(which said) bool {
	return hasAny(which, "wants", "needs", "office", "asked", "would", "can", "has", "said", "likes", "prefers")
}
