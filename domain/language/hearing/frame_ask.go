package hearing

import (
	"regexp"
	"slices"
	"strings"
)

// Questions after plans, by what is asked of them. The words that name the plan stand behind.
var (
	howSoon    = regexp.MustCompile(`(?i)^(?:how (?:many (?:more )?(?:days|hours|weeks|minutes|months|sleeps)|long|much longer|much time)(?: (?:is|are|do i have|have i got|is there|are there))?(?: left| to go| still)?(?: is it)? (?:until|till|til|before|to)|how (?:long|much time|much longer)(?: is| does| do i have)?(?: left)? (?:on|for)|how soon(?: is| are)?|in how (?:many (?:days|hours|weeks|minutes)|long)(?: is| are| does| will| do i have)?|how far (?:away|off) is) (.+?)(?: starts?| begins?| goes off| is due| are due| takes place| comes| is| rings?)?[.?!]*$`)
	behind     = regexp.MustCompile(`(?i)^(?:what (?:comes|is|do i have|have i got|is there|happens)|what's|anything|is there (?:anything|something)|do i have (?:anything|something))(?: next| planned| on)? (?:right )?(?:after|behind|following) (.+?)[.?!]*$`)
	howOften   = regexp.MustCompile(`(?i)^(?:how (?:often|frequently|many times)|(?:on )?(?:which|what) (?:days|weekdays)(?: of the week)?) (?:is|are|does|do|am|will)(?: (?:i|you|we))?(?: (?:remind|tell|have|get) (?:me )?(?:about|of)?)? ?(.+?)(?: ring| rings| repeat| take place| come| comes back| go off| happen| occur)?[.?!]*$`)
	howLong    = regexp.MustCompile(`(?i)^(?:how long (?:is|are|will|does|do|am)|until when (?:is|does|will)|till when (?:is|does|will)|(?:when|what time|at what time) (?:will i be (?:done|finished|through) (?:at|with)|does|do|is|will)) (.+?)(?: (?:going to )?(?:take|last|be|end|finish|over|run|go on|go))*[.?!]*$`)
	freeAsked  = regexp.MustCompile(`(?i)\b(?:free|busy|available|conflict|conflicts|clash|clashes|clear|open|fit|work for|double[- ]booked|booked)\b`)
	askingOf   = regexp.MustCompile(`(?i)^(?:when|what time|at what time|what day|which day|how|until|where|who|do|does|did|have|should|must|what|which|is there|are there|any|anything|am i|will i|until when|has)\b`)
	inTheWorld = wordsIn(`weather rain snow sunny temperature forecast news traffic stock stocks price restaurant restaurants movie movies cinema playing game score flights train trains bus hometown nearby near town city area local downtown concert concerts umbrella song neighborhood neighbourhood email emails mail inbox`)
)

// idleAsking are words of a question after plans that name none of them, besides emptyWords.
var idleAsking = wordsIn(`happening going happen anything anyting something planned plan plans due coming around done work working look looks like run through overview summary agenda tell me show give
	today tonight need needs have has having see seeing sees meet meeting's do doing place address location still yet late early begin start end finish finishes ends time o'clock because good morning evening afternoon hello hi
	long last how until till often be out i'm am are isn't any schedule fit book booked call coffee hour hours clash conflict conflicts clear open free busy available sure gap work keep happens place remember aware rest week two file wake woken woke getting get up`)

// asksPlan hears questions after plans that name none by its kind: "what's on this week", "when do
// I have to pay the rent", "how many days until Susan's birthday".
func (l listener) asksPlan(s said) (intent, bool) {
	if anyOf(s, inTheWorld) || hasAny(s, "list", "lists") && !hasAny(s, "to-do") {
		return intent{}, false
	}
	text := s.all()
	for _, way := range []struct {
		form *regexp.Regexp
		with func(which string) map[string]any
	}{
		{howSoon, func(which string) map[string]any { return map[string]any{"which": which, "until": true} }},
		{howOften, func(which string) map[string]any { return map[string]any{"which": which} }},
	} {
		parts := way.form.FindStringSubmatch(text)
		if parts == nil {
			continue
		}
		which := l.planNamed(parts[1])
		if which == "" && hasAny(s, "timer", "timers") {
			which = "timer"
		}
		if kind := kindNamed(parts[1]); (which == "" || nouns[strings.ToLower(which)] == anEvent) && kind != "" && way.form == howSoon {
			return intent{tool: skillPlans, params: map[string]any{"kind": kind, "next": true, "until": true}}, true
		}
		if which == "" || way.form == howSoon && !l.speaksOfPlans(s, which) || way.form == howOften && !l.speaksOfPlans(s, which) {
			return intent{}, false
		}
		return intent{tool: skillPlans, params: way.with(which)}, true
	}
	if parts := behind.FindStringSubmatch(text); len(parts) > 1 && !l.isOnlyTime(parts[1]) && !l.isOnlyTime("after "+parts[1]) {
		f := l.frameOf(parts[1])
		if which := f.namedBeside(idleAsking, true); which != "" {
			params := map[string]any{"after": which}
			if during := l.during(f); during != "" {
				params["during"] = during
			}
			return intent{tool: skillPlans, params: params}, true
		}
	}
	return intent{}, false
}

// kindNamed is the kind of plans that a text names; "" for none.
func kindNamed(text string) string {
	s, ok := read(text)
	for i := range s.words {
		if kind := map[noun]string{anAlarm: "alarms", aReminder: "reminders", anEvent: "appointments", aTask: "tasks"}[nouns[s.words[i].lower]]; ok && kind != "" {
			return kind
		}
	}
	return ""
}

// woken finds the question when one is woken, or gets up.
var woken = regexp.MustCompile(`(?i)^(?:what time|when|at what time|how early|am i|will i|do i|will you|are you|is it)\b.*\b(?:wak(?:e|ing) (?:me|up|us)|(?:be|being|get|getting) (?:woken|waked|up|awoken)|woken up|wake-up)\b`)

// asksWaking hears when one is woken: by the first alarm of then.
func (l listener) asksWaking(s said) (intent, bool) {
	if !woken.MatchString(s.all()) || !hasAny(s, "i", "me", "us", "we") || hasAny(s, "can", "could", "please") {
		return intent{}, false
	}
	params := map[string]any{"kind": "alarms", "next": true}
	if during := l.during(l.frameOf(s.all())); during != "" {
		params["during"] = during
	} else {
		params["which"] = "wake"
	}
	return intent{tool: skillPlans, params: params}, true
}

// roomFor finds the question whether there is time for something, and which day has the most.
var roomFor = regexp.MustCompile(`(?i)^(?:(?:do i have|have i got|is there|will i have|would i have|will there be|do we have) (?:any |enough |some |still )?(?:free )?(?:time|room|space|a slot|a gap|an opening)(?: free| open| left)? (?:for|to)\b|(?:which|what) days? .*\b(?:least busy|most free|freest|emptiest|free|open|available|lightest)\b|when (?:do|will|would) i have (?:time|a free|an hour|free time)\b|(?:when|what day|which day) am i least busy\b)`)

// asksRoom hears who asks when there is time: "have I got time for a haircut on Thursday before
// noon", "which day this week am I least busy".
func (l listener) asksRoom(s said) (intent, bool) {
	if !roomFor.MatchString(s.all()) {
		return intent{}, false
	}
	during := l.during(l.frameOf(s.all()))
	if during == "" {
		during = map[bool]string{true: "this week", false: "today"}[hasAny(s, "day", "days")]
	}
	return intent{tool: skillPlans, params: map[string]any{"free": true, "during": during}}, true
}

// either finds alternatives of time in a question: at 8 or 8:30, on the 22nd or 23rd.
var either = regexp.MustCompile(`(?i)(?:\b(?:at|on|in|for)\s+)?(?:the\s+)?(\S+)\s+or\s+(?:at |on |in |for )?(?:the )?(\S+?)([?.!]*)(?:\s|$)`)

// asksEither hears a question with alternatives of time. Where it names a plan they are no
// filter: the plan is told with its time. Otherwise it asks for each of them.
func (l listener) asksEither(s said) []intent {
	text := s.all()
	at := either.FindStringSubmatchIndex(text)
	if at == nil || !s.question && !s.is(0, "is", "are", "does", "do", "am", "will", "was", "which", "what", "when") {
		return nil
	}
	for _, one := range []string{text[at[2]:at[3]], text[at[4]:at[5]]} {
		if !slices.ContainsFunc([]string{"", "on ", "at ", "the ", "in the "}, func(before string) bool { return l.isOnlyTime(before + one) }) {
			return nil
		}
	}
	ask := func(text string) (intent, bool) {
		plain, ok := read(text)
		if !ok || len(plain.words) < 3 {
			return intent{}, false
		}
		plain.question = true
		in, ok := l.one(plain)
		return in, ok && in.tool == skillPlans && in.ask == ""
	}
	if in, ok := ask(strings.TrimSpace(text[:at[0]]) + " " + text[at[1]:]); ok && len(in.params) > 1 {
		return []intent{in}
	}
	first, ok := ask(text[:at[3]] + text[at[5]:])
	second, both := ask(text[:at[2]] + text[at[4]:])
	if !ok || !both {
		return nil
	}
	return []intent{first, second}
}

// clashing are words that ask whether appointments overlap.
var clashing = wordsIn(`overlap overlaps overlapping conflict conflicts conflicting clash clashes clashing`)

// asksClash hears who asks whether appointments overlap: "do I have any conflicts this week?".
func (l listener) asksClash(s said) (intent, bool) {
	_, double := s.any("am|are i|we double-booked|overbooked *rest", "am|are i|we double booked *rest", "am|are i|we double booked", "am|are i|we double-booked|overbooked", "are|is there any? double bookings|booking", "are|is there any? double bookings|booking *rest")
	asks := s.question || s.is(0, "do", "does", "is", "are", "any", "have", "show", "tell", "check", "find", "will", "what", "which", "am", "did")
	if !double && !(asks && !hasAny(s, "if", "with", "at") && anyOf(s, clashing) && (l.isEventful(s) || hasAny(s, "i", "my", "any", "calendar", "schedule"))) {
		return intent{}, false
	}
	params := map[string]any{"conflicts": true}
	if during := l.during(l.frameOf(s.all())); during != "" {
		params["during"] = during
	}
	return intent{tool: skillPlans, params: params}, true
}

// speaksOfPlans reports whether a question is about a plan: it names one by its kind, one in mind,
// or what is somebody's own.
func (l listener) speaksOfPlans(s said, which string) bool {
	named, ok := read(which)
	return ok && (l.isEventful(s) || l.planTool(named) != "" || l.planTool(s) != "" || hasAny(s, "my", "i", "due", "our", "remind"))
}

// frameOf is a text taken apart as far as it says when.
func (l listener) frameOf(text string) frame {
	s, ok := read(text)
	f := frame{s: s, used: make([]bool, len(s.words)), at: -1, act: asking}
	if ok {
		l.takeTime(&f)
	}
	return f
}

// planNamed are the words of a text that name a plan, without articles.
func (l listener) planNamed(text string) string {
	f := l.frameOf(text)
	return f.namedBeside(map[string]bool{}, true)
}

// namedBeside is named without further idle words. Words for kinds of plans stay where keeping
// says so.
func (f frame) namedBeside(idle map[string]bool, keeping bool) string {
	var out []string
	for i, w := range f.s.words {
		kind := keeping && nouns[w.lower] == anEvent
		if w.start == w.end || f.used[i] || !kind && (emptyWords[w.lower] || idle[w.lower]) && !w.quoted {
			continue
		}
		out = append(out, strings.TrimSuffix(strings.Trim(f.s.text[w.start:w.end], closing+`"“”`), "'s"))
	}
	return strings.Join(out, " ")
}

// amFree finds the question whether one is free, wherever it stands.
var amFree = regexp.MustCompile(`(?i)\b(?:am i|are we|will i be) (?:free|busy|available|out)\b`)

// mySpan finds the question what a day or a week holds that is called one's own.
var mySpan = regexp.MustCompile(`(?i)^(?:tell me about|how does|how is|how's|what does|what's|what is|show me|describe|run me through|walk me through|give me|summari[sz]e|read me) my (day|week|month|weekend|morning|afternoon|evening)(?: look(?:ing)?(?: like)?| like| shaping up| going to be| plan)?[.?!]*$`)

// asksMySpan hears it: "what's my afternoon like".
func (l listener) asksMySpan(s said) (intent, bool) {
	mine := mySpan.FindStringSubmatch(s.all())
	if mine == nil {
		return intent{}, false
	}
	during := "this " + strings.ToLower(mine[1])
	if during == "this day" {
		during = "today"
	}
	return intent{tool: skillPlans, params: map[string]any{"during": during}}, true
}

// asksPeriod hears what is asked of a period, or of what one has to do: "is Sunday clear", "tell me
// about Wednesday", "when do I have to pay the rent".
func (l listener) asksPeriod(s said) (intent, bool) {
	for len(s.words) > 2 && s.is(0, "good") && s.is(1, "morning", "evening", "afternoon") {
		s = s.from(2)
	}
	if asked := amFree.FindStringIndex(s.all()); asked != nil {
		if during := l.during(l.frameOf(s.all())); during != "" {
			return intent{tool: skillPlans, params: map[string]any{"free": true, "during": during}}, true
		}
	}
	if _, day := s.any("what does my day look like", "how does|is my day look|looking? like?", "how is my day", "what is my day like"); day {
		return intent{tool: skillPlans, params: map[string]any{"during": "today"}}, true
	}
	if anyOf(s, inTheWorld) || hasAny(s, "list", "lists", "alarm", "remind", "alert", "ask", "ping", "notify", "buy", "store", "groceries") || len(s.words) < 2 || howSoon.MatchString(s.all()) {
		return intent{}, false
	}
	text := s.all()
	looks := s.question || s.is(len(s.words)-1, "when") || s.is(0, "fit") || askingOf.MatchString(text) || s.is(0, "what", "tell", "show", "give", "run", "walk", "read", "check", "find", "list", "is", "are", "would", "can", "could", "does", "whats", "go", "look", "isn't")
	if !looks {
		return intent{}, false
	}
	f := frame{s: s, used: make([]bool, len(s.words)), at: -1, act: asking}
	l.takeTime(&f)
	during := l.during(f)
	rest := f.namedBeside(idleAsking, false)
	if date.MatchString(rest) {
		rest = "" // next Tuesday, the 9th
	}
	if bareHours[strings.ToLower(f.time)] {
		return intent{}, false // one more time
	}
	switch {
	case hasAny(s, "open", "closed") && hasAny(s, "the", "a", "an") && !hasAny(s, "i", "my", "me", "we", "our", "free", "calendar", "schedule", "diary", "slot", "slots") && rest != "":
		return intent{}, false // the pool's hours are none of the person's plans
	case freeAsked.MatchString(text) && during != "" && (hasAny(s, "i", "my", "me", "free", "fit", "conflict", "clash", "clear", "open") || s.is(0, "would", "is", "does")):
		if len(strings.Fields(rest)) > 3 && !s.question {
			return intent{}, false
		}
		return intent{tool: skillPlans, params: map[string]any{"free": true, "during": during}}, true
	case during != "" && rest == "" && !s.is(0, "when", "at", "in", "on", "should", "would", "can", "could", "shall") && !hasAny(s, "yesterday", "ago", "had") && !(hasAny(s, "did", "was", "were") && hasAny(s, "i", "there", "we")) && !hasAny(s, "date", "born", "old", "holiday", "sunrise", "sunset", "clock", "dst") && !(hasAny(s, "day", "time") && !hasAny(s, "i", "my", "me")) && (len(s.words) > 2 || s.is(0, "whats", "anything")):
		return intent{tool: skillPlans, params: map[string]any{"during": during}, weak: true}, true
	case during == "" && f.time != "":
		return intent{}, false
	}
	return l.asksOwn(s, rest, during)
}

// asksTime hears who asks when something is, by a word or two.
func (l listener) asksTime(s said) (intent, bool) {
	c, ok := s.any("when is|are|was|does|do my|our|the|this? *which", "when is|are|was|does|do my|our|the|this? *which start|begin|end|happen", "what time|day is|are my|our|the? *which")
	which := c.sentence("which")
	const most = 2
	if !ok || len(which.words) > most || anyOf(which, inTheWorld) || hasAny(which, "it", "he", "she", "they", "you", "i", "we", "that", "this", "there", "next", "date", "today", "tomorrow", "here", "in", "now", "moon", "sunset", "sunrise", "best", "good") {
		return intent{}, false
	}
	return intent{tool: skillPlans, params: map[string]any{"which": which.all()}, subject: "which", weak: true}, true
}

// owning are forms of questions after what one has to do oneself, or has planned.
var owning = regexp.MustCompile(`(?i)^(?:(?:when|what time|at what time|what day|which day|how (?:early|late|soon)|until when|until what time)(?: is it that)? (?:do|should|must|am|are|will|did|have|has|was|shall) (?:i|we|you reminding me|you remind me)\b|(?:where|who) (?:am|will|was) i\b|where (?:do|should|must|will) i (?:meet|see|have|pick up|go)\b|(?:where|when) (?:do|should|must) i (?:need to|have to|be)\b|what (?:do|should|must|am) i (?:need to|have to|supposed to|work on)\b|(?:do|did|should|must|am|will|have|had) i (?:still |already |ever )?(?:need to|have to|got to|(?:have|got) (?:something|anything|any plans)|supposed|seeing|meeting|set|put|scheduled?|book|file|pay|call|clean|getting|woken|forget to)\b|(?:when|what time|where|which place|what day|is|are|who)\b.*\b(?:due|address|location)\b|is there (?:something|anything) to do\b|what(?:'s| is) (?:going on|happening|up) at\b|(?:what|which)(?:'s| is) the (?:address|location|place) of\b)`)

// date is the day of a month.
var date = regexp.MustCompile(`(?i)^\d+(?:st|nd|rd|th)$`)

// bareHours are words that may be an hour, and alone are none.
var bareHours = wordsIn(`one two three four five six seven eight nine ten eleven twelve second`)

// asksOwn hears questions after what one has to do or has planned.
func (l listener) asksOwn(s said, rest, during string) (intent, bool) {
	text := s.all()
	known := false
	if named, ok := read(rest); ok {
		known = l.isKnown(named)
	}
	long := howLong.MatchString(text) || s.begins("until", "when") || s.begins("what", "time", "does")
	if rest == "" || !owning.MatchString(text) && !(long && (known || l.isEventful(s) && !hasAny(s, "a", "an"))) && !(s.is(len(s.words)-1, "when") && l.isEventful(s)) {
		return intent{}, false
	}
	if s.is(0, "do") && during != "" && !hasAny(s, "anything", "something") || strings.Contains(strings.ToLower(text), "have to do to ") {
		return intent{}, false // it asks what is one's duty
	}
	if hasAny(s, "you") && !hasAny(s, "remind", "reminding") || hasAny(s, "weigh", "cost", "mean", "spell", "say", "think", "feel") {
		return intent{}, false
	}
	params := map[string]any{"which": rest}
	if during != "" {
		params["during"] = during
	}
	return intent{tool: skillPlans, params: params, weak: true}, true
}

// narrow adds to a question for plans whether it is for the next one, for how many there are, or
// for what comes back.
func (in *intent) narrow(s said) {
	if in.tool != skillPlans || in.ask != "" || in.params["free"] != nil {
		return
	}
	if in.params["which"] != nil {
		if s.begins("how", "many") && in.params["kind"] != nil {
			in.params["count"] = true
		}
		return
	}
	if during, _ := in.params["during"].(string); s.begins("what", "is", "the", "first", "thing") && strings.HasPrefix(during, "first thing ") {
		in.params["during"], in.params["next"] = strings.TrimPrefix(during, "first thing "), true
		return
	}
	_, whatever := s.any("what is next", "what comes next", "what is up|due next", "what do i have next", "what is my|the next thing|plan")
	for i := range s.words {
		if s.is(i-1, "next", "first") && s.is(i, "reminder", "alarm", "task", "todo", "to-do", "timer") || whatever && len(in.params) == 0 {
			in.params["next"] = true
			return
		}
	}
	if _, day := s.any("*rest of|in|on the day"); day && in.params["during"] == nil {
		in.params["during"] = "today"
	}
	switch {
	case hasAny(s, "repeats", "recurs", "recurring", "repeating", "recurrent", "repeated", "regular", "recur", "repeat"):
		in.params["recurring"] = true
	case s.begins("how", "many") && in.params["kind"] != nil:
		in.params["count"] = true
	}
}
