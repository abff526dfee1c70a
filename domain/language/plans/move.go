package plans

import (
	"cmp"
	"regexp"
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// moveVerbs are verbs by which something is to take place at another time.
const moveVerbs = "move|postpone|reschedule|push|shift|change|delay|bring|switch|adjust|update|swap|bump|extend|shove|reset"

// correcting are the ends of sentences that say of what stands before them that it has changed.
var correcting = regexp.MustCompile(`(?i)[\s,.;:]+(?:so )?(?:please )?(?:can you )?(?:update|fix|change|move|adjust|correct|shift|edit) (it|that|this|(?:that|the|my) (?:alarm|reminder|appointment|meeting|event|calendar|entry|task|deadline|timer))(?: accordingly| please)?[.!?]*$`)

// Lastingly are words that say that all times change, and not only the next.
var Lastingly = regexp.MustCompile(`(?i)(?:^|[\s,]+)(from now on|from here on|going forward|permanently|for good|always|every time|actually|really)(?:[\s,]+|$)`)

// contrast is the time before, at the end of a sentence that says the new one: at 8, not 7.
var contrast = regexp.MustCompile(`(?i)[\s,]+(?:(?:and )?not|instead of|rather than) (?:at |on )?(\S.*?)[.!]*$`)

// onlyOnce are words that say that one time changes, and no other.
var onlyOnce = regexp.MustCompile(`(?i)(?:^|[\s,]+)(?:(?:just|only) (this week|this time|this once|once)|(this week|this time|this once) only|just for (this week)|(this once))(?:[\s,.]+|$)`)

// withoutContrast is a text without the time before, which it says besides the new one.
func (l Planner) withoutContrast(text string) (string, bool) {
	at := contrast.FindStringSubmatchIndex(text)
	if len(at) < 4 || at[0] == 0 || !l.IsOnlyTime("at "+text[at[2]:at[3]]) && !l.IsOnlyTime(text[at[2]:at[3]]) {
		return text, false
	}
	plain, ok := sentences.Read(text[:at[0]])
	return text[:at[0]], ok && l.Timing(l.atHour(plain).All()).Said
}

// moving is what a sentence says of a plan that is to take place at another time, without the words
// around it.
type moving struct {
	s       sentences.Said
	before  sentences.Said // what stands before the request
	always  bool           // all times of it
	instead bool           // it ends with "instead" or "now"
	object  string         // what is to be corrected: "that alarm"
	week    string         // "this week", when only the time within it changes
}

// movingIn takes apart what a sentence says around what is to be moved, and to when.
func movingIn(s sentences.Said) moving {
	m := moving{}
	text, asked := s.All(), s.Question
	if at := correcting.FindStringSubmatchIndex(text); len(at) > 3 && at[0] > 0 {
		m.object, text = text[at[2]:at[3]], text[:at[0]]
	}
	if Lastingly.MatchString(text) && !strings.HasPrefix(strings.ToLower(text), "every time") {
		text, m.always = strings.TrimSpace(Lastingly.ReplaceAllString(text, " ")), true
	}
	if once := onlyOnce.FindStringSubmatch(text); once != nil {
		text, m.instead = strings.TrimSpace(onlyOnce.ReplaceAllString(text, " ")), true
		if strings.Contains(strings.ToLower(once[0]), "week") {
			m.week = "this week"
		}
	}
	if again, ok := sentences.Read(wishing.ReplaceAllString(text, "")); ok {
		s = Spelled(again)
		s.Question = asked
	}
	if clause := lastClause(s, moveVerbs); len(clause.Words) < len(s.Words) {
		m.before, s = s.UpTo(len(s.Words)-len(clause.Words)), clause
	}
	m.instead = m.instead || s.Is(len(s.Words)-1, "instead", "now")
	for len(s.Words) > 3 && s.Is(len(s.Words)-1, "instead", "please", "time", "now") && !(s.Is(len(s.Words)-1, "time") && !s.Is(len(s.Words)-2, "same")) {
		s = s.UpTo(len(s.Words) - 1)
	}
	if len(s.Words) > 2 && s.Is(len(s.Words)-1, "same") {
		s = s.UpTo(len(s.Words) - 1) // the same time is kept anyway
	}
	m.always = m.always || sentences.HasAny(s, "weekdays", "weekends", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays")
	m.s = s
	return m
}

// ways are how a sentence says that a plan takes place at another time.
var ways = []struct {
	phrase sentences.Phrase
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

// OnMove hears what is to take place at another time: "move the dentist to Wednesday at 2",
// "postpone lunch by an hour", "the dinner party is at 8 now".
func (l Planner) OnMove(s sentences.Said) (tools.Intent, bool) {
	if s.Is(0, "remind", "snooze", "what", "when", "how", "why", "who", "where", "which", "tell", "email", "text", "message", "inform", "notify", "write", "ask", "say") {
		return tools.Intent{}, false
	}
	m := movingIn(s)
	if in, ok := l.altered(m.s); ok {
		return in, true
	}
	in, ok := l.movedBy(m)
	if plain, contrasts := l.withoutContrast(m.s.All()); contrasts && !ok {
		if again, readable := sentences.Read(plain); readable {
			m.s, m.instead = again, true
			in, ok = l.movedBy(m)
		}
	}
	if !ok {
		return l.movesOpen(m.s)
	}
	if m.always && in.Tool != tools.SkillTask {
		in = in.With("always", true)
	}
	if m.week != "" && in.Tool != tools.SkillTask {
		in = in.With("during", m.week)
	}
	if names := l.NamesIn(m.before); names != "" {
		in = in.With("about", names)
	}
	if k, _ := sentences.Read(m.object); sentences.HasAny(k, "alarm", "reminder", "timer") {
		in.Tool = tools.SkillReminder
	}
	return in, true
}

// altered hears that something else of an appointment changes: its place, its end or its name.
func (l Planner) altered(s sentences.Said) (tools.Intent, bool) {
	for _, way := range []struct {
		phrase sentences.Phrase
		param  string
	}{
		{moveVerbs + " the? location|place|venue|address of|for *which to *to", "place"}, {moveVerbs + " the? end of *which to *to", "until"},
		{"*which will|should|now end|finish|ends|finishes at *to", "until"}, {"*which ends|finishes at *to", "until"}, {"rename *which to|as *to", "what"},
	} {
		c, ok := s.Match(way.phrase)
		if !ok || s.Question {
			continue
		}
		which := c.Sentence("which")
		if l.PlanTool(which) != tools.SkillAppointment || way.param == "until" && !l.IsOnlyTime("at "+c.Get("to")) {
			continue
		}
		return tools.Intent{Tool: tools.SkillAppointment, Params: map[string]any{"action": "move", "which": bareOf(which), way.param: c.Get("to")}, Subject: "which"}, true
	}
	return tools.Intent{}, false
}

// movedBy is a plan at another time, by the first of the ways to say so that fits.
func (l Planner) movedBy(m moving) (tools.Intent, bool) {
	s := m.s
	if in, ok := l.shiftedBy(s); ok {
		return in, true
	}
	for _, way := range ways {
		c, ok := s.Match(way.phrase)
		if !ok {
			continue
		}
		if in, ok := l.planMoved(c, way.by, way.loose); ok {
			return in, true
		}
	}
	if m.instead {
		if c, ok := l.atHour(s).Any("set|make|put *which to|for|at|on *when"); ok {
			if in, ok := l.planMoved(c, "", false); ok {
				return in, true
			}
		}
	}
	if !m.always && m.object == "" && !m.instead {
		return tools.Intent{}, false
	}
	if c, ok := s.Any("*which is|are|starts|begins|falls due? at|on *when", "*which is|are|starts|begins|falls due? *when"); ok {
		if in, ok := l.planMoved(c, "", m.object != "" || sentences.HasAny(s, "due")); ok {
			return in, true
		}
	}
	if f, _ := l.TakeApart(s); m.instead && f.Time != "" && f.Named() != "" && !s.Question && f.Act == sentences.Unsaid {
		if tool := l.PlanTool(s); tool != "" {
			return tools.Intent{Tool: tool, Params: map[string]any{"action": "move", "which": f.Named(), MomentOf(tool): f.Time}, Subject: "which", Moment: MomentOf(tool)}, true
		}
	}
	return tools.Intent{}, false
}

// atHour is a sentence with the word before an hour at its end that it leaves out: make the party 8.
func (l Planner) atHour(s sentences.Said) sentences.Said {
	for i := max(1, len(s.Words)-2); i < len(s.Words); i++ {
		if !s.Is(i-1, "at", "to", "for", "on") && l.IsOnlyTime("at "+s.Part(i, len(s.Words))) {
			if again, ok := sentences.Read(s.Part(0, i) + " at " + s.Part(i, len(s.Words))); ok {
				return again
			}
		}
	}
	return s
}

// remindsInstead hears that a reminder is to come at another time by the words for a new one:
// "remind me about the plants on Friday instead".
func (l Planner) remindsInstead(s sentences.Said) (tools.Intent, bool) {
	if plain, contrasts := l.withoutContrast(s.All()); contrasts && sentences.HasAny(s, "instead", "rather") {
		if again, ok := sentences.Read(plain + " instead"); ok {
			s = again
		}
	}
	c, ok := s.Any("remind me about|of|to|that *which instead", "remind me *when instead about|of|to|that *which")
	if !ok || s.Question {
		return tools.Intent{}, false
	}
	t := l.Timing(c.Get("which"))
	if at := c.Get("when"); at != "" {
		t = sentences.Timing{Rest: c.Get("which"), When: at, Said: l.IsOnlyTime(at)}
	}
	which := strings.TrimSpace(WithoutLink(t.Rest))
	if !t.Said || t.When == "" || which == "" || sentences.IsPointing(which) {
		return tools.Intent{}, false
	}
	return tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "move", "which": which, "when": t.When}, Subject: "which", Moment: "when"}, true
}

// movesOpen hears that a plan is to be moved, and not to when.
func (l Planner) movesOpen(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any(moveVerbs+" *which back|forward|out|off|to another day|time", moveVerbs+" *which back|forward|off", moveVerbs+" *which")
	if !ok || s.Question && !s.Is(0, "push") || s.Is(0, "put", "bring", "update", "switch", "adjust", "extend", "swap", "reset") || s.Is(0, "push") && !sentences.HasAny(s, "back") {
		return tools.Intent{}, false
	}
	which := c.Sentence("which")
	tool := l.PlanTool(which)
	if tool == "" || l.Timing(which.All()).Said {
		return tools.Intent{}, false
	}
	return tools.Intent{Tool: tool, Params: map[string]any{"action": "move", "which": which.All()}, Missing: MomentOf(tool), Moment: MomentOf(tool), Subject: "which", Weak: true,
		Ask: tools.Says("ask.change", "lacks", speech.Kind("time"), "said", which.All())}, true
}

// comesBack hears how a plan that there is comes back from now on: "make the staff meeting biweekly".
func (l Planner) comesBack(s sentences.Said) (tools.Intent, bool) {
	if !s.Begins("make", "the") && !s.Begins("make", "my") || s.Question {
		return tools.Intent{}, false
	}
	for i := 3; i < len(s.Words); i++ {
		which, moment := s.UpTo(i).From(2), s.Part(i, len(s.Words))
		if !l.IsOnlyTime(moment) || !l.Recurs(moment) {
			continue
		}
		tool := l.PlanTool(which)
		if tool == "" || tool == tools.SkillTask || len(which.Words) == 1 && !l.IsKnown(which) {
			return tools.Intent{}, false // make the appointment every Friday
		}
		return tools.Intent{Tool: tool, Params: map[string]any{"action": "move", "which": bareOf(which), "when": moment}, Subject: "which", Moment: "when"}, true
	}
	return tools.Intent{}, false
}

// NamesIn are the words of what stands before a request that may tell which plan is meant.
func (l Planner) NamesIn(before sentences.Said) string {
	if len(before.Words) == 0 {
		return ""
	}
	f := Frame{S: before, Used: make([]bool, len(before.Words)), At: -1}
	l.TakeTime(&f)
	return f.Named()
}

// MovesBefore hears what is to take place at another time by words that would be taken for a new
// reminder: "set the flight alarm half an hour later".
func (l Planner) MovesBefore(s sentences.Said) (tools.Intent, bool) {
	if in, ok := l.remindsInstead(s); ok {
		return in, true
	}
	if asksBehind(s) {
		return tools.Intent{}, false // how much earlier than what stands before it
	}
	for _, hear := range []func(sentences.Said) (tools.Intent, bool){l.comesBack, l.madeAt} {
		if in, ok := hear(s); ok {
			return in, true
		}
	}
	if !sentences.HasAny(s, "instead", "earlier", "later", "rather", "sooner") && !Lastingly.MatchString(s.All()) && !correcting.MatchString(s.All()) && !contrast.MatchString(s.All()) && !onlyOnce.MatchString(s.All()) || s.Is(0, "remind", "snooze") {
		return tools.Intent{}, false
	}
	in, ok := l.OnMove(s)
	return in, ok && in.Ask.IsZero()
}

// asksBehind reports whether a later part of a sentence asks for an alarm or a reminder.
func asksBehind(s sentences.Said) bool {
	for i := 1; i < len(s.Words); i++ {
		if s.Words[i-1].Stop && (WakingAt(s, i) > 0 || RingingAt(s, i) > 0 || s.BeginsAt(i, "remind", "me")) {
			return true
		}
	}
	return false
}

// shiftedBy hears by how much earlier or later something is to be: "make the kickball alarm an hour
// earlier", "delay the dentist by fifteen minutes".
func (l Planner) shiftedBy(s sentences.Said) (tools.Intent, bool) {
	n := len(s.Words)
	by, end := "", n
	switch {
	case s.Is(n-1, "later", "earlier", "sooner"):
		by, end = s.Words[n-1].Lower, n-1
	case s.Is(0, "delay", "postpone", "push", "bump", "extend", "shove"):
		by = "later"
	}
	if by == "sooner" {
		by = "earlier"
	}
	if by == "" {
		return tools.Intent{}, false
	}
	const longest = 6
	for from := max(1, end-longest); from < end; from++ {
		amount := s.Part(from, end)
		if _, length := when.Later(amount, l.P.AsOf, l.Zone()); !length || s.Is(from, "by", "in", "the") {
			continue
		}
		which := s.UpTo(from)
		for len(which.Words) > 0 && which.Is(0, "make", "let", "set", "can", "could", "have", "move", "delay", "postpone", "push", "bump", "extend", "shift", "shove", "change", "reschedule", "bring", "start", "ring", "wake", "the", "my", "our", "put") && !(which.Is(0, "wake") && which.Is(1, "up")) {
			which = which.From(1)
		}
		for len(which.Words) > 0 && which.Is(len(which.Words)-1, "be", "ring", "start", "go", "off", "by", "back", "out", "up", "forward", "begin", "to", "for", "go") && !(which.Is(len(which.Words)-1, "up") && which.Is(len(which.Words)-2, "wake")) {
			which = which.UpTo(len(which.Words) - 1)
		}
		tool := l.PlanTool(which)
		if tool == "" && (s.Is(0, "delay", "postpone", "push", "bump", "extend", "shove", "move", "reschedule", "shift") || sentences.HasAny(s, "be", "ring")) {
			tool = tools.SkillAppointment
		}
		if len(which.Words) == 0 || tool == "" || sentences.IsPointing(which.All()) {
			return tools.Intent{}, false
		}
		at := MomentOf(tool)
		return tools.Intent{Tool: tool, Params: map[string]any{"action": "move", "which": bareOf(which), at: amount + " " + by}, Subject: "which", Moment: at}, true
	}
	return tools.Intent{}, false
}

// bareOf are words that name a plan, with a day that owns it as a day: Friday's doctor visit.
func bareOf(which sentences.Said) string {
	if which.Is(0, "be") && len(which.Words) > 1 {
		which = which.From(1)
	}
	text := which.All()
	for _, w := range which.Words {
		if day, owns := strings.CutSuffix(w.Lower, "'s"); owns && (isDay[day] || day == "week" || day == "month") {
			text = strings.Replace(text, which.Text[w.Start:w.End], strings.TrimSuffix(which.Text[w.Start:w.End], "'s"), 1)
		}
	}
	return text
}

var isDay = sentences.WordsIn(`monday tuesday wednesday thursday friday saturday sunday today tomorrow`)

// lastClause is the part of a sentence from its last clause on that begins with one of some
// words: "I can't do 11, move the dentist to 3".
func lastClause(s sentences.Said, words string) sentences.Said {
	for i := len(s.Words) - 1; i > 0; i-- {
		if s.Words[i-1].Stop && sentences.Fits(words, s.Words[i]) && i+2 < len(s.Words) {
			return s.From(i)
		}
	}
	return s
}

// MomentOf is the parameter for the time of a skill.
func MomentOf(tool string) string {
	if tool == tools.SkillTask {
		return "deadline"
	}
	return "when"
}

// PlanTool is the skill that keeps what words name; "" when they name no plan.
func (l Planner) PlanTool(which sentences.Said) string {
	tool := ""
	for i, w := range which.Words {
		switch n := sentences.Nouns[w.Lower]; {
		case n == sentences.AnAlarm || n == sentences.AReminder || which.Is(i, "wake", "woken"):
			return tools.SkillReminder
		case n == sentences.ATask || which.Is(i, "deadline"):
			return tools.SkillTask
		case n != sentences.NoNoun && n != sentences.ACalendar && n != sentences.ASchedule:
			tool = tools.SkillAppointment
		}
	}
	if tool == "" && l.IsKnown(which) {
		tool = tools.SkillAppointment
	}
	return tool
}

// planMoved is a plan at another time, when that is a time, or how much later or earlier. loose says
// that its words surely name a plan, of whatever kind.
func (l Planner) planMoved(c sentences.Captured, by string, loose bool) (tools.Intent, bool) {
	which, moment := c.Sentence("which"), c.Get("when")
	for len(which.Words) > 1 && which.Is(0, "the", "my", "our") {
		which = which.From(1)
	}
	if len(which.Words) == 0 || which.Is(0, "it", "that", "this", "i", "you", "he", "she", "they", "we", "what", "when", "which", "how", "where", "there", "in", "at", "remind", "is") && len(which.Words) == 1 || len(which.Words) > 8 || sentences.IsPointing(which.All()) {
		return tools.Intent{}, false
	}
	if in, ok := l.swapsDays(which, cmp.Or(c.Get("day"), c.Get("old")), moment); ok {
		return in, true
	}
	day := c.Get("day")
	if names, _ := l.Parts(day); day != "" && (!names || !l.IsOnlyTime(day) || l.Recurs(day)) {
		return tools.Intent{}, false
	}
	if old := c.Get("old"); day == "" && l.IsOnlyTime(old) && !l.Recurs(old) {
		if names, clock := l.Parts(old); names && !clock {
			day = old
		}
	}
	tool := l.PlanTool(which)
	switch {
	case tool != "":
	case !loose || sentences.HasAny(which, "light", "lights", "volume", "music", "song", "temperature", "thermostat", "color", "colour", "brightness", "channel", "station", "list", "language", "subject", "topic", "file", "money"):
		return tools.Intent{}, false
	case sentences.HasAny(c.Said, "deadline", "due"):
		tool = tools.SkillTask
	default:
		tool = tools.SkillAppointment
	}
	moment = sameTime.ReplaceAllString(strings.TrimSuffix(moment, " o'clock today"), "")
	switch {
	case by != "" && (l.IsOnlyTime("in "+moment) || l.IsOnlyTime(moment) && strings.Contains(moment, " ")):
		moment += " " + by
	case by != "":
		return tools.Intent{}, false
	default:
		moment = l.Linked(moment)
		t := l.Timing(moment)
		if !t.Said || WithoutLink(t.Rest) != "" {
			return tools.Intent{}, false
		}
	}
	at := MomentOf(tool)
	params := map[string]any{"action": "move", "which": bareOf(which), at: moment}
	if day != "" && tool != tools.SkillTask { // of one that comes back only that time
		params["during"] = day
	}
	if l.hasVerb(which) {
		delete(params, "which")
		params["about"] = l.NamesIn(which)
	}
	return tools.Intent{Tool: tool, Params: params, Subject: "which", Moment: at}, true
}

// swapsDays hears that a plan comes on other days of the week instead of some: run on Wednesdays to
// Thursdays.
func (l Planner) swapsDays(which sentences.Said, from, to string) (tools.Intent, bool) {
	tool := l.PlanTool(which)
	if tool == tools.SkillTask || when.Weekdays(from) == nil || when.Weekdays(to) == nil || !l.Recurs(from) || !l.Recurs(to) {
		return tools.Intent{}, false
	}
	return tools.Intent{Tool: cmp.Or(tool, tools.SkillAppointment), Params: map[string]any{"action": "move", "which": bareOf(which), "except": from, "when": to}, Subject: "which", Moment: "when"}, true
}

// hours are from when to when: to seven minutes before ten nobody moves anything.
var hours = regexp.MustCompile(`(?i)^(?:[1-46-9]|1[12]) ?(?:am|pm)? to \d`)

// Linked is a time with the word that it leaves out: 8 tomorrow, Friday 9, 7 to 10.
func (l Planner) Linked(moment string) string {
	s, ok := sentences.Read(moment)
	switch {
	case !ok:
	case hours.MatchString(moment) && l.IsOnlyTime("from "+moment):
		return "from " + moment
	case l.IsOnlyTime(moment):
	case l.IsOnlyTime("at " + moment):
		return "at " + moment
	case l.IsOnlyTime(l.atHour(s).All()):
		return l.atHour(s).All()
	}
	return moment
}

// sameTime are words before a day that leave the time of day as it was.
var sameTime = regexp.MustCompile(`(?i)^(?:the )?same time (?:on )?`)

// hasVerb reports whether words that should name a plan say something: Joe wants to meet.
func (l Planner) hasVerb(which sentences.Said) bool {
	return sentences.HasAny(which, "wants", "needs", "office", "asked", "would", "can", "has", "said", "likes", "prefers")
}
