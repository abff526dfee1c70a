package plans

import (
	"regexp"
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// Questions after plans, by what is asked of them. The words that name the plan stand behind.
var (
	howSoon    = regexp.MustCompile(`(?i)^(?:how (?:many (?:more )?(?:days|hours|weeks|minutes|months|sleeps)|long|much longer|much time)(?: (?:is|are|do i have|have i got|is there|are there))?(?: left| to go| still)?(?: is it)? (?:until|till|til|before|to)|how (?:long|much time|much longer)(?: is| does| do i have)?(?: left)? (?:on|for)|how soon(?: is| are)?|in how (?:many (?:days|hours|weeks|minutes)|long)(?: is| are| does| will| do i have)?|how far (?:away|off) is) (.+?)(?: starts?| begins?| goes off| is due| are due| takes place| comes| is| rings?)?[.?!]*$`)
	behind     = regexp.MustCompile(`(?i)^(?:what (?:comes|is|do i have|have i got|is there|happens)|what's|anything|is there (?:anything|something)|do i have (?:anything|something))(?: next| planned| on)? (?:right )?(?:after|behind|following) (.+?)[.?!]*$`)
	howOften   = regexp.MustCompile(`(?i)^(?:how (?:often|frequently|many times)|(?:on )?(?:which|what) (?:days|weekdays)(?: of the week)?) (?:is|are|does|do|am|will)(?: (?:i|you|we))?(?: (?:remind|tell|have|get) (?:me )?(?:about|of)?)? ?(.+?)(?: ring| rings| repeat| take place| come| comes back| go off| happen| occur)?[.?!]*$`)
	howLong    = regexp.MustCompile(`(?i)^(?:how long (?:is|are|will|does|do|am)|until when (?:is|does|will)|till when (?:is|does|will)|(?:when|what time|at what time) (?:will i be (?:done|finished|through) (?:at|with)|does|do|is|will)) (.+?)(?: (?:going to )?(?:take|last|be|end|finish|over|run|go on|go))*[.?!]*$`)
	freeAsked  = regexp.MustCompile(`(?i)\b(?:free|busy|available|conflict|conflicts|clash|clashes|clear|open|fit|work for|double[- ]booked|booked)\b`)
	askingOf   = regexp.MustCompile(`(?i)^(?:when|what time|at what time|what day|which day|how|until|where|who|do|does|did|have|should|must|what|which|is there|are there|any|anything|am i|will i|until when|has)\b`)
	InTheWorld = sentences.WordsIn(`weather rain snow sunny temperature forecast news traffic stock stocks price restaurant restaurants movie movies cinema playing game score flights train trains bus hometown nearby near town city area local downtown concert concerts umbrella song neighborhood neighbourhood email emails mail inbox`)
)

// idleAsking are words of a question after plans that name none of them, besides emptyWords.
var idleAsking = sentences.WordsIn(`happening going happen anything anyting something planned plan plans due coming around done work working look looks like run through overview summary agenda tell me show give
	today tonight need needs have has having see seeing sees meet meeting's do doing place address location still yet late early begin start end finish finishes ends time o'clock because good morning evening afternoon hello hi
	long last how until till often be out i'm am are isn't any schedule fit book booked call coffee hour hours clash conflict conflicts clear open free busy available sure gap work keep happens place remember aware rest week two file wake woken woke getting get up`)

// AsksPlan hears questions after plans that name none by its kind: "what's on this week", "when do
// I have to pay the rent", "how many days until Susan's birthday".
func (l Planner) AsksPlan(s sentences.Said) (tools.Intent, bool) {
	if sentences.AnyOf(s, InTheWorld) || sentences.HasAny(s, "list", "lists") && !sentences.HasAny(s, "to-do") {
		return tools.Intent{}, false
	}
	text := s.All()
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
		if which == "" && sentences.HasAny(s, "timer", "timers") {
			which = "timer"
		}
		if kind := kindNamed(parts[1]); (which == "" || sentences.Nouns[strings.ToLower(which)] == sentences.AnEvent) && kind != "" && way.form == howSoon {
			return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"kind": kind, "next": true, "until": true}}, true
		}
		if which == "" || way.form == howSoon && !l.speaksOfPlans(s, which) || way.form == howOften && !l.speaksOfPlans(s, which) {
			return tools.Intent{}, false
		}
		return tools.Intent{Tool: tools.SkillPlans, Params: way.with(which)}, true
	}
	if parts := behind.FindStringSubmatch(text); len(parts) > 1 && !l.IsOnlyTime(parts[1]) && !l.IsOnlyTime("after "+parts[1]) {
		f := l.FrameOf(parts[1])
		if which := f.namedBeside(idleAsking, true); which != "" {
			params := map[string]any{"after": which}
			if during := l.During(f); during != "" {
				params["during"] = during
			}
			return tools.Intent{Tool: tools.SkillPlans, Params: params}, true
		}
	}
	return tools.Intent{}, false
}

// kindNamed is the kind of plans that a text names; "" for none.
func kindNamed(text string) string {
	s, ok := sentences.Read(text)
	for i := range s.Words {
		if kind := map[sentences.Noun]string{sentences.AnAlarm: "alarms", sentences.AReminder: "reminders", sentences.AnEvent: "appointments", sentences.ATask: "tasks"}[sentences.Nouns[s.Words[i].Lower]]; ok && kind != "" {
			return kind
		}
	}
	return ""
}

// woken finds the question when one is woken, or gets up.
var woken = regexp.MustCompile(`(?i)^(?:what time|when|at what time|how early|am i|will i|do i|will you|are you|is it)\b.*\b(?:wak(?:e|ing) (?:me|up|us)|(?:be|being|get|getting) (?:woken|waked|up|awoken)|woken up|wake-up)\b`)

// AsksWaking hears when one is woken: by the first alarm of then.
func (l Planner) AsksWaking(s sentences.Said) (tools.Intent, bool) {
	if !woken.MatchString(s.All()) || !sentences.HasAny(s, "i", "me", "us", "we") || sentences.HasAny(s, "can", "could", "please") {
		return tools.Intent{}, false
	}
	params := map[string]any{"kind": "alarms", "next": true}
	if during := l.During(l.FrameOf(s.All())); during != "" {
		params["during"] = during
	} else {
		params["which"] = "wake"
	}
	return tools.Intent{Tool: tools.SkillPlans, Params: params}, true
}

// roomFor finds the question whether there is time for something, and which day has the most.
var roomFor = regexp.MustCompile(`(?i)^(?:(?:do i have|have i got|is there|will i have|would i have|will there be|do we have) (?:any |enough |some |still )?(?:free )?(?:time|room|space|a slot|a gap|an opening)(?: free| open| left)? (?:for|to)\b|(?:which|what) days? .*\b(?:least busy|most free|freest|emptiest|free|open|available|lightest)\b|when (?:do|will|would) i have (?:time|a free|an hour|free time)\b|(?:when|what day|which day) am i least busy\b)`)

// AsksRoom hears who asks when there is time: "have I got time for a haircut on Thursday before
// noon", "which day this week am I least busy".
func (l Planner) AsksRoom(s sentences.Said) (tools.Intent, bool) {
	if !roomFor.MatchString(s.All()) {
		return tools.Intent{}, false
	}
	during := l.During(l.FrameOf(s.All()))
	if during == "" {
		during = map[bool]string{true: "this week", false: "today"}[sentences.HasAny(s, "day", "days")]
	}
	return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"free": true, "during": during}}, true
}

// Either finds alternatives of time in a question: at 8 or 8:30, on the 22nd or 23rd.
var Either = regexp.MustCompile(`(?i)(?:\b(?:at|on|in|for)\s+)?(?:the\s+)?(\S+)\s+or\s+(?:at |on |in |for )?(?:the )?(\S+?)([?.!]*)(?:\s|$)`)

// clashing are words that ask whether appointments overlap.
var clashing = sentences.WordsIn(`overlap overlaps overlapping conflict conflicts conflicting clash clashes clashing`)

// AsksClash hears who asks whether appointments overlap: "do I have any conflicts this week?".
func (l Planner) AsksClash(s sentences.Said) (tools.Intent, bool) {
	_, double := s.Any("am|are i|we double-booked|overbooked *rest", "am|are i|we double booked *rest", "am|are i|we double booked", "am|are i|we double-booked|overbooked", "are|is there any? double bookings|booking", "are|is there any? double bookings|booking *rest")
	asks := s.Question || s.Is(0, "do", "does", "is", "are", "any", "have", "show", "tell", "check", "find", "will", "what", "which", "am", "did")
	if !double && !(asks && !sentences.HasAny(s, "if", "with", "at") && sentences.AnyOf(s, clashing) && (l.isEventful(s) || sentences.HasAny(s, "i", "my", "any", "calendar", "schedule"))) {
		return tools.Intent{}, false
	}
	params := map[string]any{"conflicts": true}
	if during := l.During(l.FrameOf(s.All())); during != "" {
		params["during"] = during
	}
	return tools.Intent{Tool: tools.SkillPlans, Params: params}, true
}

// speaksOfPlans reports whether a question is about a plan: it names one by its kind, one in mind,
// or what is somebody's own.
func (l Planner) speaksOfPlans(s sentences.Said, which string) bool {
	named, ok := sentences.Read(which)
	return ok && (l.isEventful(s) || l.PlanTool(named) != "" || l.PlanTool(s) != "" || sentences.HasAny(s, "my", "i", "due", "our", "remind"))
}

// FrameOf is a text taken apart as far as it says when.
func (l Planner) FrameOf(text string) Frame {
	s, ok := sentences.Read(text)
	f := Frame{S: s, Used: make([]bool, len(s.Words)), At: -1, Act: sentences.Asking}
	if ok {
		l.TakeTime(&f)
	}
	return f
}

// planNamed are the words of a text that name a plan, without articles.
func (l Planner) planNamed(text string) string {
	f := l.FrameOf(text)
	return f.namedBeside(map[string]bool{}, true)
}

// namedBeside is named without further idle words. Words for kinds of plans stay where keeping
// says so.
func (f Frame) namedBeside(idle map[string]bool, keeping bool) string {
	var out []string
	for i, w := range f.S.Words {
		kind := keeping && sentences.Nouns[w.Lower] == sentences.AnEvent
		if w.Start == w.End || f.Used[i] || !kind && (sentences.EmptyWords[w.Lower] || idle[w.Lower]) && !w.Quoted {
			continue
		}
		out = append(out, strings.TrimSuffix(strings.Trim(f.S.Text[w.Start:w.End], sentences.Closing+`"“”`), "'s"))
	}
	return strings.Join(out, " ")
}

// amFree finds the question whether one is free, wherever it stands.
var amFree = regexp.MustCompile(`(?i)\b(?:am i|are we|will i be) (?:free|busy|available|out)\b`)

// mySpan finds the question what a day or a week holds that is called one's own.
var mySpan = regexp.MustCompile(`(?i)^(?:tell me about|how does|how is|how's|what does|what's|what is|show me|describe|run me through|walk me through|give me|summari[sz]e|read me) my (day|week|month|weekend|morning|afternoon|evening)(?: look(?:ing)?(?: like)?| like| shaping up| going to be| plan)?[.?!]*$`)

// AsksMySpan hears it: "what's my afternoon like".
func (l Planner) AsksMySpan(s sentences.Said) (tools.Intent, bool) {
	mine := mySpan.FindStringSubmatch(s.All())
	if mine == nil {
		return tools.Intent{}, false
	}
	during := "this " + strings.ToLower(mine[1])
	if during == "this day" {
		during = "today"
	}
	return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"during": during}}, true
}

// AsksPeriod hears what is asked of a period, or of what one has to do: "is Sunday clear", "tell me
// about Wednesday", "when do I have to pay the rent".
func (l Planner) AsksPeriod(s sentences.Said) (tools.Intent, bool) {
	for len(s.Words) > 2 && s.Is(0, "good") && s.Is(1, "morning", "evening", "afternoon") {
		s = s.From(2)
	}
	if asked := amFree.FindStringIndex(s.All()); asked != nil {
		if during := l.During(l.FrameOf(s.All())); during != "" {
			return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"free": true, "during": during}}, true
		}
	}
	if _, day := s.Any("what does my day look like", "how does|is my day look|looking? like?", "how is my day", "what is my day like"); day {
		return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"during": "today"}}, true
	}
	if sentences.AnyOf(s, InTheWorld) || sentences.HasAny(s, "list", "lists", "alarm", "remind", "alert", "ask", "ping", "notify", "buy", "store", "groceries") || len(s.Words) < 2 || howSoon.MatchString(s.All()) {
		return tools.Intent{}, false
	}
	text := s.All()
	looks := s.Question || s.Is(len(s.Words)-1, "when") || s.Is(0, "fit") || askingOf.MatchString(text) || s.Is(0, "what", "tell", "show", "give", "run", "walk", "read", "check", "find", "list", "is", "are", "would", "can", "could", "does", "whats", "go", "look", "isn't")
	if !looks {
		return tools.Intent{}, false
	}
	f := Frame{S: s, Used: make([]bool, len(s.Words)), At: -1, Act: sentences.Asking}
	l.TakeTime(&f)
	during := l.During(f)
	rest := f.namedBeside(idleAsking, false)
	if date.MatchString(rest) {
		rest = "" // next Tuesday, the 9th
	}
	if bareHours[strings.ToLower(f.Time)] {
		return tools.Intent{}, false // one more time
	}
	switch {
	case sentences.HasAny(s, "open", "closed") && sentences.HasAny(s, "the", "a", "an") && !sentences.HasAny(s, "i", "my", "me", "we", "our", "free", "calendar", "schedule", "diary", "slot", "slots") && rest != "":
		return tools.Intent{}, false // the pool's hours are none of the person's plans
	case freeAsked.MatchString(text) && during != "" && (sentences.HasAny(s, "i", "my", "me", "free", "fit", "conflict", "clash", "clear", "open") || s.Is(0, "would", "is", "does")):
		if len(strings.Fields(rest)) > 3 && !s.Question {
			return tools.Intent{}, false
		}
		return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"free": true, "during": during}}, true
	case during != "" && rest == "" && !s.Is(0, "when", "at", "in", "on", "should", "would", "can", "could", "shall") && !sentences.HasAny(s, "yesterday", "ago", "had") && !(sentences.HasAny(s, "did", "was", "were") && sentences.HasAny(s, "i", "there", "we")) && !sentences.HasAny(s, "date", "born", "old", "holiday", "sunrise", "sunset", "clock", "dst") && !(sentences.HasAny(s, "day", "time") && !sentences.HasAny(s, "i", "my", "me")) && (len(s.Words) > 2 || s.Is(0, "whats", "anything")):
		return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"during": during}, Weak: true}, true
	case during == "" && f.Time != "":
		return tools.Intent{}, false
	}
	return l.asksOwn(s, rest, during)
}

// AsksTime hears who asks when something is, by a word or two.
func (l Planner) AsksTime(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("when is|are|was|does|do my|our|the|this? *which", "when is|are|was|does|do my|our|the|this? *which start|begin|end|happen", "what time|day is|are my|our|the? *which")
	which := c.Sentence("which")
	const most = 2
	if !ok || len(which.Words) > most || sentences.AnyOf(which, InTheWorld) || sentences.HasAny(which, "it", "he", "she", "they", "you", "i", "we", "that", "this", "there", "next", "date", "today", "tomorrow", "here", "in", "now", "moon", "sunset", "sunrise", "best", "good") {
		return tools.Intent{}, false
	}
	return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"which": which.All()}, Subject: "which", Weak: true}, true
}

// owning are forms of questions after what one has to do oneself, or has planned.
var owning = regexp.MustCompile(`(?i)^(?:(?:when|what time|at what time|what day|which day|how (?:early|late|soon)|until when|until what time)(?: is it that)? (?:do|should|must|am|are|will|did|have|has|was|shall) (?:i|we|you reminding me|you remind me)\b|(?:where|who) (?:am|will|was) i\b|where (?:do|should|must|will) i (?:meet|see|have|pick up|go)\b|(?:where|when) (?:do|should|must) i (?:need to|have to|be)\b|what (?:do|should|must|am) i (?:need to|have to|supposed to|work on)\b|(?:do|did|should|must|am|will|have|had) i (?:still |already |ever )?(?:need to|have to|got to|(?:have|got) (?:something|anything|any plans)|supposed|seeing|meeting|set|put|scheduled?|book|file|pay|call|clean|getting|woken|forget to)\b|(?:when|what time|where|which place|what day|is|are|who)\b.*\b(?:due|address|location)\b|is there (?:something|anything) to do\b|what(?:'s| is) (?:going on|happening|up) at\b|(?:what|which)(?:'s| is) the (?:address|location|place) of\b)`)

// date is the day of a month.
var date = regexp.MustCompile(`(?i)^\d+(?:st|nd|rd|th)$`)

// bareHours are words that may be an hour, and alone are none.
var bareHours = sentences.WordsIn(`one two three four five six seven eight nine ten eleven twelve second`)

// asksOwn hears questions after what one has to do or has planned.
func (l Planner) asksOwn(s sentences.Said, rest, during string) (tools.Intent, bool) {
	text := s.All()
	known := false
	if named, ok := sentences.Read(rest); ok {
		known = l.IsKnown(named)
	}
	long := howLong.MatchString(text) || s.Begins("until", "when") || s.Begins("what", "time", "does")
	if rest == "" || !owning.MatchString(text) && !(long && (known || l.isEventful(s) && !sentences.HasAny(s, "a", "an"))) && !(s.Is(len(s.Words)-1, "when") && l.isEventful(s)) {
		return tools.Intent{}, false
	}
	if s.Is(0, "do") && during != "" && !sentences.HasAny(s, "anything", "something") || strings.Contains(strings.ToLower(text), "have to do to ") {
		return tools.Intent{}, false // it asks what is one's duty
	}
	if sentences.HasAny(s, "you") && !sentences.HasAny(s, "remind", "reminding") || sentences.HasAny(s, "weigh", "cost", "mean", "spell", "say", "think", "feel") {
		return tools.Intent{}, false
	}
	params := map[string]any{"which": rest}
	if during != "" {
		params["during"] = during
	}
	return tools.Intent{Tool: tools.SkillPlans, Params: params, Weak: true}, true
}

// Narrow adds to a question for plans whether it is for the next one, for how many there are, or
// for what comes back.
func Narrow(in *tools.Intent, s sentences.Said) {
	if in.Tool != tools.SkillPlans || !in.Ask.IsZero() || in.Params["free"] != nil {
		return
	}
	if in.Params["which"] != nil {
		if s.Begins("how", "many") && in.Params["kind"] != nil {
			in.Params["count"] = true
		}
		return
	}
	if during, _ := in.Params["during"].(string); s.Begins("what", "is", "the", "first", "thing") && strings.HasPrefix(during, "first thing ") {
		in.Params["during"], in.Params["next"] = strings.TrimPrefix(during, "first thing "), true
		return
	}
	_, whatever := s.Any("what is next", "what comes next", "what is up|due next", "what do i have next", "what is my|the next thing|plan")
	for i := range s.Words {
		if s.Is(i-1, "next", "first") && s.Is(i, "reminder", "alarm", "task", "todo", "to-do", "timer") || whatever && len(in.Params) == 0 {
			in.Params["next"] = true
			return
		}
	}
	if _, day := s.Any("*rest of|in|on the day"); day && in.Params["during"] == nil {
		in.Params["during"] = "today"
	}
	switch {
	case sentences.HasAny(s, "repeats", "recurs", "recurring", "repeating", "recurrent", "repeated", "regular", "recur", "repeat"):
		in.Params["recurring"] = true
	case s.Begins("how", "many") && in.Params["kind"] != nil:
		in.Params["count"] = true
	}
}
