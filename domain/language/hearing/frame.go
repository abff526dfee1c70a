package hearing

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
	"chalie/domain/language/when"
)

// frame is a sentence taken apart: what is to happen, to what kind of plan, and when. It is
// for sentences that no phrase fits whole: their words may stand in any order, and what isn't
// known is what names the plan.
type frame struct {
	s    said
	act  act
	noun noun
	at   int    // the word of the noun
	used []bool // words that say act, noun or time
	time string // the words of time, "" for none
	many bool   // several are meant
	all  bool   // all are
}

// act is what is to happen.
type act int

const (
	unsaid act = iota
	making
	ending
	asking
)

// noun is a kind of plan, or what holds them.
type noun int

const (
	noNoun noun = iota
	anAlarm
	aReminder
	aTask
	anEvent    // an appointment, whatever it is called
	aCalendar  // what holds appointments
	aSchedule  // all that is planned
	anOccasion // a word that is a title by itself: a party, dinner
)

// actWords are words for an act.
type actWords struct {
	words string
	act   act
}

// acts are the words that a sentence says its act with, the longer before the shorter.
var acts = []actWords{
	{"i do not need", ending}, {"i no longer need", ending}, {"i am not going to", ending}, {"get rid of", ending}, {"turn off", ending}, {"shut off", ending}, {"switch off", ending}, {"take off", ending}, {"take out", ending}, {"clear off", ending},
	{"clear out", ending}, {"clear up", ending}, {"clean out", ending}, {"call off", ending}, {"cross out", ending}, {"throw away", ending}, {"throw out", ending}, {"take away", ending}, {"put away", ending}, {"do away with", ending}, {"back out of", ending}, {"pull out of", ending}, {"i want to cancel", ending}, {"i need to cancel", ending}, {"i have to cancel", ending},
	{"cancel", ending}, {"delete", ending}, {"remove", ending}, {"clear", ending}, {"erase", ending}, {"drop", ending}, {"wipe", ending}, {"empty", ending}, {"clean", ending}, {"unset", ending}, {"disable", ending},
	{"deactivate", ending}, {"destroy", ending}, {"trash", ending}, {"scratch", ending}, {"scrap", ending}, {"kill", ending}, {"nix", ending}, {"abort", ending}, {"unschedule", ending}, {"unbook", ending}, {"ditch", ending}, {"lose", ending}, {"uncheck", ending}, {"axe", ending}, {"revoke", ending}, {"stop", ending}, {"quit", ending}, {"forget", ending}, {"dismiss", ending}, {"silence", ending}, {"strike", ending}, {"take", ending},
	{"set up", making}, {"turn on", making}, {"switch on", making}, {"note down", making}, {"write down", making}, {"pencil in", making}, {"jot down", making}, {"pencil me in for", making}, {"sign me up for", making},
	{"i want to have", making}, {"i would like to have", making}, {"i would like to schedule", making}, {"i want to schedule", making}, {"i need to schedule", making}, {"i would like to set", making}, {"i want to set", making}, {"i need to set", making},
	{"i would like", making}, {"i want", making}, {"i need", making}, {"please arrange", making}, {"put me down for", making},
	{"set", making}, {"add", making}, {"create", making}, {"make", making}, {"schedule", making}, {"put", making}, {"book", making}, {"plan", making}, {"arrange", making}, {"place", making}, {"start", making}, {"begin", making},
	{"enter", making}, {"include", making}, {"insert", making}, {"write", making}, {"note", making}, {"organize", making}, {"organise", making}, {"record", making}, {"enable", making}, {"activate", making},
	{"let me know about", asking}, {"let me know", asking}, {"let me see", asking}, {"let me hear", asking}, {"tell me about", asking}, {"tell me", asking}, {"give me", asking}, {"show me", asking}, {"read me", asking}, {"read out", asking}, {"list out", asking},
	{"pull up", asking}, {"look up", asking}, {"go through", asking}, {"let us go through", asking}, {"i would like to know", asking}, {"i want to know", asking}, {"would like to know", asking}, {"may i know", asking}, {"find out", asking}, {"check if", asking}, {"check whether", asking}, {"check out", asking},
	{"show", asking}, {"list", asking}, {"tell", asking}, {"read", asking}, {"check", asking}, {"find", asking}, {"display", asking}, {"review", asking}, {"confirm", asking}, {"evaluate", asking}, {"report", asking}, {"view", asking}, {"open", asking}, {"search", asking}, {"see", asking}, {"provide", asking},
	{"what", asking}, {"which", asking}, {"when", asking}, {"where", asking}, {"how many", asking}, {"how often", asking}, {"how", asking}, {"why", asking}, {"at what time", asking}, {"is", asking}, {"are", asking}, {"am", asking}, {"do", asking}, {"does", asking}, {"did", asking}, {"have", asking}, {"has", asking}, {"will", asking}, {"any", asking}, {"who", asking},
}

// surelyEnding are verbs with which nobody makes anything: what begins with one of them is to go.
var surelyEnding = wordsIn(`cancel delete remove erase wipe scrap scratch nix abort unschedule unbook unset disable deactivate destroy trash kill dismiss ditch cancle delet axe revoke uncheck`)

// isEnding reports whether a sentence begins by saying that something is to go.
func (s said) isEnding() bool {
	return len(s.words) > 0 && !s.words[0].quoted && (surelyEnding[s.words[0].lower] || s.begins("call", "off") || s.begins("get", "rid", "of") || s.begins("throw", "away") || s.begins("throw", "out") || s.begins("take", "away") || s.begins("do", "away", "with"))
}

// nouns are the words for what is acted on.
var nouns = map[string]noun{
	"alarm": anAlarm, "alarms": anAlarm, "timer": anAlarm, "timers": anAlarm, "alerts": anAlarm, "wake-up": anAlarm, "wakeup": anAlarm,
	"reminder": aReminder, "reminders": aReminder, "notification": aReminder, "notifications": aReminder,
	"task": aTask, "tasks": aTask, "todo": aTask, "todos": aTask, "to-do": aTask, "to-dos": aTask, "chores": aTask,
	"event": anEvent, "events": anEvent, "appointment": anEvent, "appointments": anEvent, "meeting": anEvent, "meetings": anEvent, "appt": anEvent, "appts": anEvent, "engagements": anEvent, "engagement": anEvent,
	"calendar": aCalendar, "calender": aCalendar, "cal": aCalendar, "diary": aCalendar, "planner": aCalendar, "schedule": aSchedule, "schedules": aSchedule, "agenda": aSchedule, "plans": aSchedule, "plan": aSchedule, "openings": aSchedule,
	"party": anOccasion, "birthday": anOccasion, "birthdays": anOccasion, "dinner": anOccasion, "lunch": anOccasion, "breakfast": anOccasion, "brunch": anOccasion, "wedding": anOccasion, "anniversary": anOccasion, "interview": anOccasion,
	"conference": anOccasion, "practice": anOccasion, "class": anOccasion, "classes": anOccasion, "lesson": anOccasion, "concert": anOccasion, "rsvp": anOccasion, "dentist": anOccasion, "doctor": anOccasion, "doctor's": anOccasion, "reunion": anOccasion,
	"checkup": anOccasion, "haircut": anOccasion, "rehearsal": anOccasion, "recital": anOccasion, "workshop": anOccasion, "seminar": anOccasion, "webinar": anOccasion, "ceremony": anOccasion, "barbecue": anOccasion,
}

// plurals are nouns that say several.
func isPlural(word string) bool {
	return nouns[word] != noNoun && strings.HasSuffix(word, "s") && nouns[strings.TrimSuffix(word, "s")] != noNoun
}

// emptyWords name no plan: what is left of a sentence without them does.
var emptyWords = wordsIn(`a an the my our your me i you we us it its this that these those there any some all every each of for on in at to from with about by as up out off
	is are am be was were do does did have has had will would can could should shall may must got get going go goes set scheduled schedule planned plan coming upcoming current currently active existing open pending
	and or please now right just also too so then only still already ever up again what which when where who whose how many much time times day days date hour not no more if whether
	event events appointment appointments entry entries calendar calender cal diary agenda schedules plans item items thing things anything something everything else happening happen happens going
	alarm alarms reminder reminders timer timers alert alerts notification notifications task tasks todo todos scheduled kept called named titled saved save made sure know aware let see tell show give want need like
	today's data content contents details whole entire next first last second third fourth number recurring repeating monthly weekly yearly permanently anymore longer any off well hey olly
	start starts begin begins end ends place true right left undone important dates settings setting timings timing situation status they week weeks month months year years information through details information about
	remember remembered repeat repeats turned until till before after away overlap overlaps overlapping clash clashes address located location set
	add added put entered entering having long ring rings remaining available outstanding planned sort kind kinds already next upcoming there's theres whats here here's full busy free open take use using been being him her them his hers their
	altogether exists exist purpose usual falls fall whom say appts`)

func wordsIn(text string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		out[w] = true
	}
	return out
}

// framed hears a sentence by its frame.
func (l listener) framed(s said) (intent, bool) {
	if s.is(0, "never") || s.begins("what", "if") || s.is(0, "tell", "ask") && !s.is(1, "me", "us", "about") || s.begins("do", "not") || s.begins("what", "is", "a") || s.begins("what", "is", "an") {
		return intent{}, false
	}
	s = s.withoutReason()
	f, ok := parted(s)
	if !ok && f.act == ending && !s.question && !s.is(0, "forget", "stop", "drop", "scrap", "cancel", "take") && isPointing(itemBefore(s, len(s.words))) {
		return intent{tool: skillPlans, ask: "What do you mean? Say words of the reminder, task, appointment or entry, and where it stands."}, true
	}
	if !ok || f.act == asking && f.noun != anAlarm && f.noun != aReminder && anyOf(s, inTheWorld) {
		return intent{}, false
	}
	l.takeTimes(&f) // the most work: only where there is what they may be of
	if f.act == asking && f.isPointed() && f.named() == "" && f.time == "" && f.noun != aSchedule && f.noun != aCalendar {
		return asksWhich(skillPlans, "one")
	}
	switch f.noun {
	case anAlarm:
		return l.onAlarm(f)
	case aReminder:
		return l.onReminder(f)
	case aTask:
		return l.onTask(f)
	case noNoun:
		return intent{}, false
	}
	return l.onEvent(f)
}

// withoutReason is a sentence that ends something, without a last clause that only says why.
func (s said) withoutReason() said {
	if len(s.words) == 0 || !endVerbs[s.words[0].lower] && !s.begins("turn", "off") && !s.begins("switch", "off") && !s.begins("call", "off") {
		return s
	}
	for i := 2; i < len(s.words); i++ {
		if !s.words[i-1].stop && !s.is(i, "because", "since") {
			continue
		}
		why := s.from(i)
		says := why.is(0, "the", "my", "our") && hasAny(why, "is", "was", "are", "got", "has")
		if (says || why.is(0, "i", "we", "he", "she", "they", "it", "there", "because", "since")) && !hasAny(why, "instead", "until", "except", "but", "if", "unless", "only", "also", "and", "want", "need") {
			return s.upTo(i)
		}
		return s
	}
	return s
}

// takeApart finds a sentence's act, noun and time.
func (l listener) takeApart(s said) (frame, bool) {
	f, ok := parted(s)
	l.takeTimes(&f)
	return f, ok
}

// parted finds a sentence's act and noun.
func parted(s said) (frame, bool) {
	f := frame{s: s, used: make([]bool, len(s.words)), at: -1}
	for _, a := range acts {
		if n := s.standsAt(0, a.words); n > 0 {
			f.act = a.act
			f.use(0, n)
			break
		}
	}
	if f.act == unsaid && s.question {
		f.act = asking
	}
	if f.act != ending && f.act != asking && f.undone() {
		f.act = ending
	}
	for i, w := range s.words {
		n := nouns[w.lower]
		if w.quoted || n == noNoun || i == 0 && len(s.words) > 1 && f.used[0] && f.act != unsaid || n == anOccasion && f.noun != noNoun {
			continue
		}
		// The kind counts before what holds it: "delete the meeting from my calendar".
		if f.noun == noNoun || f.noun == anOccasion || (n == anAlarm || n == aReminder) && f.noun == anEvent && f.at == i-1 || f.noun == aCalendar && n != aSchedule || f.noun == aSchedule && n != aCalendar {
			f.noun, f.at = n, i
			f.many = f.many || isPlural(w.lower)
		}
	}
	for i := range s.words {
		f.all = f.all || s.is(i, "all", "everything", "every", "whole", "entire", "both")
	}
	return f, f.noun != noNoun
}

// takeTimes marks the words of time, the hour of an alarm among them.
func (l listener) takeTimes(f *frame) {
	l.takeTime(f)
	if f.act != making {
		f.takeHour()
	}
	if i := f.at - 1; f.noun == anAlarm && f.time == "" && i >= 0 && f.s.is(i, "morning", "afternoon", "evening", "night") && f.act != making { // my morning alarm
		f.time, f.used[i] = f.s.words[i].lower, true
	}
}

func (f *frame) use(from, to int) {
	for i := from; i < to; i++ {
		f.used[i] = true
	}
}

// undone reports whether a sentence says of something that it is to go: "this item should be
// removed", "my alarm off, please".
func (f *frame) undone() bool {
	for i := range f.s.words {
		if f.s.is(i, "removed", "deleted", "cancelled", "canceled", "erased", "cleared", "silenced") {
			f.used[i] = true
			return true
		}
	}
	for i := range f.s.words {
		if i > 0 && f.s.is(0, "turn", "switch", "shut") && f.s.is(i, "off") {
			f.use(0, 1)
			f.use(i, i+1)
			return true
		}
	}
	return false
}

// takeTime marks the words of time.
func (l listener) takeTime(f *frame) {
	base := f.s.words[0].start
	text := f.s.text[base:f.s.words[len(f.s.words)-1].end]
	at, err := l.parse(text)
	var parts []string
	if err != nil && domain.CodeOf(err) != when.CodePassed || len(at.Spans) == 0 || len(at.Spans) == 1 && isMeal(text[at.Spans[0].Start:at.Spans[0].End]) {
		l.takePeriod(f)
		return
	}
	for _, span := range at.Spans {
		for i, w := range f.s.words {
			if w.start < base+span.End && w.end > base+span.Start {
				f.used[i] = true
			}
		}
		parts = append(parts, text[span.Start:span.End])
	}
	f.time = strings.Join(parts, " ")
}

// takeHour takes the number behind an alarm for its hour: the alarm for 8, the alarm for 8 tomorrow.
func (f *frame) takeHour() {
	for i := range f.s.words {
		if i < 2 || f.used[i] || !f.s.is(i-1, "for", "at") || !f.s.is(i-2, "alarm", "alarms") || i+1 < len(f.s.words) && !f.used[i+1] {
			continue
		}
		if n, err := strconv.Atoi(f.s.words[i].lower); err == nil && n >= 1 && n <= 12 {
			f.use(i-1, i+1)
			f.time = strings.TrimSpace("at " + f.s.words[i].lower + " " + f.time)
			return
		}
	}
}

// periods finds words that are read as a time only by themselves.
var periods = regexp.MustCompile(`(?i)\b(?:week|month|year|weekend|minutes?|mins?|hours?|hrs?|seconds?|half)\b|day's\b|tomorrow's\b|\d`)

// takePeriod marks the longest run of words that is a period by itself.
func (l listener) takePeriod(f *frame) {
	whole := f.s.all()
	if _, _, err := l.narrow(whole); domain.CodeOf(err) == when.CodeNoTime && !periods.MatchString(whole) {
		return
	}
	const longest, most = 8, 32 // words of a period, and of a sentence in which one is looked for
	if len(f.s.words) > most {
		return
	}
	for n := min(longest, len(f.s.words)); n > 0; n-- {
		for i := 0; i+n <= len(f.s.words); i++ {
			text := f.s.part(i, i+n)
			if c, ok := read(text); ok && c.is(0, "the") && c.is(1, "week", "month", "year", "weekend") && n == 2 {
				text = "this " + c.part(1, 2)
			}
			if day, owns := strings.CutSuffix(strings.ToLower(text), "'s"); owns && isDay[day] {
				text = text[:len(day)]
			}
			if f.s.is(i, "a", "an", "of", "my", "for", "march") && n == 1 || f.used[i] || isMeal(text) {
				continue
			}
			if _, rest, err := l.narrow(text); err == nil && rest == "" {
				if f.s.is(i-1, "of") && f.s.is(i-2, "rest", "remainder") {
					f.use(i-2, i) // what has passed of it is over
				}
				f.use(i, i+n)
				f.time = text
				return
			}
		}
	}
}

// isMeal reports whether words that may be a time name what takes place then: Finlee's bedtime.
func isMeal(text string) bool {
	s, ok := read(text)
	for ok && len(s.words) > 1 && s.is(0, "the", "my", "at", "for", "on", "by", "our") {
		s = s.from(1)
	}
	return ok && len(s.words) == 1 && s.is(0, "bedtime", "lunch", "dinner", "breakfast", "brunch", "supper")
}

// named are the words that name a plan: those that are neither act, nor time, nor empty.
func (f frame) named() string {
	var out []string
	for i, w := range f.s.words {
		if w.start == w.end || f.used[i] || emptyWords[w.lower] && !w.quoted {
			continue
		}
		out = append(out, strings.TrimSuffix(strings.Trim(f.s.text[w.start:w.end], closing+`"“”`), "'s"))
	}
	return strings.Join(out, " ")
}

// during is the period that a frame names; "" for none that can be read as one.
func (l listener) during(f frame) string {
	if f.time == "" {
		return ""
	}
	for _, introduced := range []string{"for ", "on ", "by ", "in ", "within ", "through ", "about ", "from the "} {
		if rest, ok := strings.CutPrefix(strings.ToLower(f.time), introduced); ok && (introduced != "from the " || !strings.Contains(rest, " to ")) {
			f.time = f.time[len(f.time)-len(rest):]
		}
	}
	if _, _, err := when.During(f.time, l.p.AsOf, l.zone()); err != nil {
		if _, rest, err := l.narrow(f.time); err != nil || rest != "" {
			return ""
		}
	}
	return f.time
}

// position is which of several in their order is meant: "next", "first", "last"; "" for none.
func (f frame) position() string {
	for i := range f.s.words {
		if !f.used[i] && f.s.is(i, "next", "first", "last") && i+1 < len(f.s.words) {
			return f.s.words[i].lower
		}
	}
	return ""
}

// isPointed reports whether a sentence points at what was spoken of: "this alarm", "that event".
func (f frame) isPointed() bool { return f.at > 0 && f.s.is(f.at-1, "this", "that") && !f.used[f.at-1] }

// daysBack finds words by which a plan may be named that comes back.
var daysBack = regexp.MustCompile(`(?i)^(?:on |every )?(?:recurring|weekdays?|weekends|daily|nightly|everyday|\w+days)$`)

// chosenBy are the parameters that say which plans are meant.
func (l listener) chosenBy(f frame, noun string) map[string]any {
	params := map[string]any{}
	during := l.during(f)
	if during != "" {
		params["during"] = during
	}
	which := f.named()
	if f.act == ending && (!f.all || hasAny(f.s, "both") && during != "") && hasAny(f.s, "and") && !hasAny(f.s, "between") && f.isAct(0) {
		// Several are named, each perhaps with its own time: the skill takes them apart.
		for i := range f.s.words {
			if !f.isAct(i) {
				return map[string]any{"which": f.s.part(i, len(f.s.words))}
			}
		}
	}
	if f.act == ending && f.time != "" && during == "" && l.recurs(f.time) { // the alarm on Saturdays
		which = strings.TrimSpace(which + " " + f.time)
	}
	if f.act == ending && hasAny(f.s, "recurring", "repeating", "repeated") && which == "" {
		which = "recurring"
	}
	if noun != "" && which != "" && daysBack.MatchString(which) {
		which = noun + " " + which
	}
	if p := f.position(); p != "" {
		which = strings.Join(slices.DeleteFunc([]string{p, which, noun}, func(words string) bool { return words == "" }), " ")
	}
	if which != "" {
		params["which"] = which
	} else if noun != "" {
		params["which"] = noun
	}
	if f.all || f.many && (which == "" || f.act == ending) {
		params["all"] = true
	}
	return params
}

// asksWhich asks what "this" or "that" is.
func asksWhich(tool, noun string) (intent, bool) {
	return intent{tool: tool, ask: "Which " + noun + " do you mean? Say words of it, or its time."}, true
}

// onAlarm hears what is to happen to alarms.
func (l listener) onAlarm(f frame) (intent, bool) {
	switch {
	case f.act == ending && f.isPointed():
		return asksWhich(skillReminder, "alarm")
	case f.act == ending:
		params := l.chosenBy(f, "alarm")
		params["action"] = "cancel"
		return intent{tool: skillReminder, params: params}, true
	case f.act == unsaid && !f.many && !f.s.question && hasAny(f.s, "at", "for"):
	case f.act == asking || f.act == unsaid && (f.many || f.time == "" || f.s.question):
		return l.shown(f, "alarms"), true
	}
	return l.set(f, strings.TrimSuffix(f.s.words[f.at].lower, "s")), true // alarm, timer, as it was called
}

// onReminder hears what is to happen to reminders.
func (l listener) onReminder(f frame) (intent, bool) {
	switch {
	case f.act == ending && f.isPointed():
		return asksWhich(skillReminder, "reminder")
	case f.act == ending:
		params := l.chosenBy(f, "")
		params["action"] = "cancel"
		return intent{tool: skillReminder, params: params}, true
	case f.s.is(0, "repeat"):
		return asksWhich(skillReminder, "reminder")
	case f.act == asking || f.act == unsaid && f.many:
		return l.shown(f, "reminders"), true
	}
	return l.set(f, ""), true
}

// onTask hears what is to happen to tasks.
func (l listener) onTask(f frame) (intent, bool) {
	switch f.act {
	case ending:
		params := l.chosenBy(f, "")
		params["action"] = "drop"
		return intent{tool: skillTask, params: params}, true
	case asking:
		return l.shown(f, "tasks"), true
	}
	return intent{}, false
}

// shown is a question about plans of a kind; "" is all of them.
func (l listener) shown(f frame, kind string) intent {
	params := map[string]any{}
	if kind != "" {
		params["kind"] = kind
	}
	if during := l.during(f); during != "" {
		params["during"] = during
	}
	if which := f.named(); which != "" {
		params["which"] = which
	}
	if p := f.position(); p == "next" || p == "last" {
		params[p] = true
	}
	return intent{tool: skillPlans, params: params}
}

// set is a new reminder, of what a sentence says beside its act and its noun.
func (l listener) set(f frame, title string) intent {
	text := f.without(f.at)
	if title == "" {
		return l.reminded(text)
	}
	return l.titled(text, title)
}

// without is a sentence without its act, a noun, and the small words around them.
func (f frame) without(noun int) string {
	var out []string
	for i, w := range f.s.words {
		if w.start == w.end {
			continue
		}
		text := f.s.text[w.start:w.end]
		small := f.s.is(i, "a", "an", "the", "my", "new", "another", "up", "me", "some", "clock", "call", "to", "in") && i < noun+2 && i != noun && !(i > noun && f.s.is(i, "to", "in"))
		if i == noun || i < noun && f.isAct(i) || small && f.s.is(i, "a", "an", "the", "my", "new", "another", "me", "clock", "call", "up") {
			continue
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// isAct reports whether a word belongs to the words that say the act.
func (f frame) isAct(i int) bool {
	for _, a := range acts {
		if n := f.s.standsAt(0, a.words); n > 0 {
			return i < n
		}
	}
	return false
}
