package hearing

import (
	"regexp"
	"slices"
	"strings"
)

// endings are ways to say that something is to go, besides the verbs of acts. What it is stands
// for *which.
var endings = []phrase{
	"get|take|pull|strike|scratch|cross|knock|keep *which off my|the|our? calendar|calender|schedule|diary|agenda|planner", "take|get off my|the|our calendar|calender|schedule|diary|agenda *which", "take *which off", "call *which off",
	"i do not need|want *which any more|longer", "i do not need|want *which anymore", "i do not need|want *which", "i no longer need|want *which", "we no longer have|need|want *which", "i no longer have *which", "we do not need|have *which any more", "we do not need|have *which anymore", "we do not need *which",
	"no more *which", "there is no *which after all", "there is no *which any more", "there is no *which anymore", "there will be|is no *which today|tonight|tomorrow",
	"*which should|can|could|may|must|has|needs to? go away?", "*which can|should|could|may|must|has|needs to? be deleted|removed|cancelled|canceled|dropped|erased|cleared", "*which got|was|is|has|were|are been? called off", "*which got|was|is|has been? cancelled|canceled|rained out|off?",
	"*which is|are off", "alarm|reminder|timer *which off", "*which alarm|reminder|timer off", "i will|won not be? going|go|make|making|able to? make? it? to *which", "i can not make it? to? *which", "i am not going to *which",
	"do not wake me up? at? *which any more|longer", "do not wake me up? at? *which anymore", "do not remind me about|of|to|that *which", "do not remind me about|of|to|that *which any more", "no need to remind me about|of|to|that *which",
	"you can|could|may please? stop telling|reminding|notifying me about|of|when|to|that *which", "stop telling|reminding|notifying me about|of|when|to|that *which", "you do not have|need to remind|tell me about|of|to|that|when *which",
	"forget about *which", "never mind about? *which", "i do not have|need to *which any more", "i do not have|need to *which anymore", "we do not have|need to *which anymore",
	"cancel|delete|remove|erase|drop|scrap|clear whatever|what|anything|everything i have *which", "cancel|delete|remove|erase|drop|scrap|clear the thing *which",
}

// endVerbs are verbs that a clause ends something with.
var endVerbs = wordsIn(`cancel delete remove erase drop scrap scratch ditch kill trash dismiss disable clear cancle delet`)

// pointers are objects that only point back: what is meant stands before.
var pointers = regexp.MustCompile(`(?i)^(?:it|that|this|them|those|that one|this one|her|him)?(?: all)?(?: (?:off|out|away|from|on|in|as well|too|please|also|down|for me|(?:my|the|our) (?:list|calend[ae]r|schedule|diary|agenda|to-dos|todos|to-do list)))*$`)

// spelled is a sentence whose first word, when it is a slip of a verb for plans, is that verb.
func (s said) spelled() said {
	for _, verb := range []string{"cancel", "delete", "remove", "schedule", "reschedule", "remind"} {
		if w := s.words[0]; w.lower != verb && len(w.lower) > 4 && isSlipOf(verb, w.lower) && !w.quoted {
			s.words = append([]word{}, s.words...)
			s.words[0].lower = verb
		}
	}
	return s
}

// opened is a sentence without "open the calendar and" before what is to be done there.
func (s said) opened() said {
	n := 0
	for n < len(s.words) && s.is(n, "open", "up", "my", "the", "calendar", "calender", "diary", "and", "to", "then") {
		n++
	}
	if s.is(0, "open") && n > 1 && n < len(s.words) && fits("schedule|add|make|create|set|put|enter|book|plan|delete|remove|erase|cancel|clear|find|show", s.words[n]) {
		return s.from(n)
	}
	return s
}

// endsBefore hears what is to go by words that would be taken for something else: those that only
// point back, and those that want no reminder any more.
func (l listener) endsBefore(s said) (intent, bool) {
	if before, clause, ok := s.endClause(); ok {
		if object := clause.from(1); pointers.MatchString(object.all()) || l.isUnnamed(object) {
			return l.endedBy(s, before, object)
		}
	}
	for _, hear := range []func(said) (intent, bool){l.skipsKnown, l.pauses, l.snoozes} {
		if in, ok := hear(s); ok {
			return in, true
		}
	}
	_, something := s.any("cancel|delete|remove|drop|scrap something|anything for? me?", "i want|need|have to cancel|delete|remove something")
	if _, that := s.any("cancel|delete|remove|scrap|scratch it|that|this"); something || that && len(l.p.Recent) == 0 {
		return intent{tool: skillPlans, ask: "What should I cancel? Say words of it, or its time."}, true
	}
	if c, ok := s.any("cancel|clear|delete|remove|drop|erase|wipe everything|all i? have? for|on? *when", "clear|wipe|free|empty up|out? my|the? day|days? for|on? *when"); ok && l.isPeriod(c.get("when")) {
		return l.allOf(s, c.get("when")), true
	}
	if c, ok := s.any("i|we will|won not be at *which", "i|we am|are not going to be at *which"); ok && l.planTool(c.sentence("which")) == skillAppointment && !s.question {
		which := c.get("which")
		return intent{tool: skillAppointment, ask: "Should I cancel it, or skip it this once: " + mention(which) + "? Say: cancel or skip, with words of it."}, true
	}
	if s.begins("never", "mind") && len(s.words) > 2 && l.planTool(s.from(2)) != "" {
		return l.ends(s)
	}
	if s.begins("no", "need") || s.begins("you", "can", "stop") || s.begins("do", "not", "wake") || s.begins("forget", "about") && l.isKnown(s.from(2)) {
		return l.ends(s)
	}
	if c, ok := s.any("no *which", "there is|will be? no *which"); ok && !s.question { // no staff meeting this week
		which := c.sentence("which")
		if name := l.withoutPeriod(which); len(name.words) < len(which.words) && len(name.words) <= 3 && l.planTool(name) != "" && !isPlural(name.words[len(name.words)-1].lower) && !hasAny(name, "more", "need") {
			return l.endedBy(s, said{}, which)
		}
	}
	if _, reset := s.any("reset *which"); reset && !l.timing(s.all()).said && l.planTool(s) != "" {
		return intent{tool: skillPlans, ask: "To when should I move it, or should it go? Say: move it to 8, or cancel it, with words of it."}, true
	}
	return intent{}, false
}

// allOf is the end of all appointments of a period, about which the skill asks.
func (l listener) allOf(s said, during string) intent {
	if isPartOfDay(during) {
		during = "this " + during // of a day that isn't named it is today's
	}
	which := during
	for _, all := range []string{"days", "day", "everything"} {
		if hasAny(s, all) {
			which = all
		}
	}
	return intent{tool: skillAppointment, params: map[string]any{"action": "cancel", "which": which, "during": during, "all": true}, subject: "which"}
}

// isPartOfDay reports whether a text is a part of a day and says no day.
func isPartOfDay(text string) bool {
	return slices.Contains([]string{"morning", "afternoon", "evening"}, strings.ToLower(text))
}

// isPeriod reports whether a text is a period by itself.
func (l listener) isPeriod(text string) bool {
	_, rest, err := l.narrow(text)
	return err == nil && rest == ""
}

// isUnnamed reports whether words say a kind of plan and nothing that names one.
func (l listener) isUnnamed(object said) bool {
	kind := false
	for _, w := range object.words {
		kind = kind || nouns[w.lower] != noNoun
		if !emptyWords[w.lower] && nouns[w.lower] == noNoun && w.start != w.end {
			return false
		}
	}
	return kind
}

// ends hears what is to go, where the words for it aren't one verb at the beginning: "kickball got
// rained out, ditch the alarm", "I can't make it to the meeting with Rajesh, cancel it".
func (l listener) ends(s said) (intent, bool) {
	if s.question && !s.is(0, "find") || len(s.words) < 2 || s.is(0, "what", "when", "which", "who", "where", "how", "remember", "remind") {
		return intent{}, false
	}
	before, clause, found := s.endClause()
	if found {
		object := clause.from(1)
		if clause.is(0, "take", "get") && !object.is(len(object.words)-1, "off") && !hasAny(object, "off") {
			return intent{}, false
		}
		return l.endedBy(s, before, object)
	}
	for i := len(s.words) - 1; i > 0; i-- { // in the last clause, behind what explains it
		if s.words[i-1].stop || s.is(i-1, "so", "because", "since") {
			if c, ok := s.from(i).any(endings...); ok && l.isPlanned(c.sentence("which"), s.from(i)) {
				return l.endedBy(s, s.upTo(i), c.sentence("which"))
			}
		}
	}
	for i := 1; i < len(s.words); i++ { // in the first, before what explains it
		if s.words[i-1].stop || s.is(i, "because", "since") {
			first := s.upTo(i)
			if c, ok := first.any(endings...); ok && !l.isOnlyTime(s.from(i).all()) {
				return l.endedBy(first, said{}, c.sentence("which"))
			}
			break
		}
	}
	if c, ok := s.any(endings...); ok && !hasStop(c.sentence("which")) && l.isPlanned(c.sentence("which"), s) {
		return l.endedBy(s, said{}, c.sentence("which"))
	}
	if c, ok := s.any("cancel|scrap|scratch my|the|our? *which"); ok && (len(l.withoutPeriod(c.sentence("which")).words) <= 3 || l.isPeriod(c.get("which"))) && !isPointing(c.get("which")) && !anyOf(s, contracts) && !hasAny(s, "all", "everything", "something", "anything", "me", "that", "please") {
		return l.endedBy(s, said{}, c.sentence("which"))
	}
	return intent{}, false
}

// contracts are things that one cancels with somebody else.
var contracts = wordsIn(`subscription order membership flight trip booking payment account service download music song uber taxi cab ride card ticket tickets hotel insurance policy call search playback`)

// isPlanned reports whether what is said to go may be a plan: a sentence says so of many things.
func (l listener) isPlanned(which, s said) bool {
	f := l.frameOf(s.all())
	return l.planTool(which) != "" || f.time != "" || hasAny(s, "remind", "reminding", "telling", "notifying", "wake", "alarm", "alarms", "reminder", "timer", "calendar", "schedule", "diary", "agenda", "whatever") || s.is(3, "have", "need") && s.is(4, "to")
}

// endClause is the last clause of a sentence when it says that something is to go, and what stands
// before it.
func (s said) endClause() (before, clause said, ok bool) {
	for i := len(s.words) - 1; i > 0; i-- {
		if !s.words[i-1].stop && !s.is(i-1, "and", "so", "please", "can", "then", "just") {
			continue
		}
		rest := s.from(i)
		if rest.is(0, "so", "and", "please", "then") {
			continue
		}
		for n := rest.courtesy(); n > 0 && n < len(rest.words); n = rest.courtesy() {
			rest = rest.from(n)
		}
		if !endVerbs[rest.words[0].lower] && !rest.is(0, "take", "get") || len(rest.words) < 2 || rest.is(0, "drop") && rest.is(1, "off", "by", "in") {
			continue
		}
		before = s.upTo(i)
		for len(before.words) > 0 && before.is(len(before.words)-1, "and", "so", "please", "can", "could", "you", "then", "just", "also") {
			before = before.upTo(len(before.words) - 1)
		}
		return before, rest, len(before.words) > 0
	}
	return said{}, said{}, false
}

// isFromList reports whether an object is to go from something that holds no plans: off the
// Christmas gifts.
func (l listener) isFromList(object said) bool {
	for i := 1; i+1 < len(object.words); i++ {
		if !object.is(i, "from", "off", "out") {
			continue
		}
		holder := object.from(i + 1)
		held := l.isOnlyTime(holder.all()) || l.planTool(holder) != ""
		for _, w := range holder.words {
			held = held || nouns[w.lower] != noNoun || isDay[w.lower] || w.lower == "now"
		}
		if !held {
			return true
		}
	}
	return false
}

// endedBy is the end of a plan by an object and what was said before it. The time may stand in
// either.
func (l listener) endedBy(s, before, object said) (intent, bool) {
	if len(object.words) == 0 || len(before.words) > 0 && before.is(0, "add", "set", "create", "remind", "reminder", "alarm", "schedule", "put", "show", "tell", "cancel", "delete", "remove") && !before.is(0, "show") {
		return intent{}, false
	}
	if object.is(0, "you") || object.is(0, "that", "this") && hasAny(s, "remind") && l.planTool(object) == "" {
		return intent{}, false
	}
	if hasAny(object, "one", "ones", "him") && !pointers.MatchString(object.all()) || l.isFromList(object) {
		return intent{}, false
	}
	if hasAny(s, "list", "lists") && !hasAny(s, "to-do", "todo", "task") || hasAny(s, "song", "music", "light", "lights", "email", "emails", "contact") {
		return intent{}, false
	}
	f, which, about, tool := l.endNames(s, before, object)
	params := map[string]any{"action": "cancel"}
	if during := l.during(f); during != "" {
		params["during"] = during
	}
	if p := f.position(); p != "" {
		which = append([]string{p}, which...)
	}
	if len(which) > 0 {
		params["which"] = strings.Join(which, " ")
	}
	if len(about) > 0 {
		params["about"] = strings.Join(about, " ")
	}
	if during, _ := params["during"].(string); len(which) == 0 && during != "" && (hasAny(object, "everything") || hasAny(object, "plans") && f.all) {
		return l.allOf(s, during), true
	}
	if f.all || f.many {
		params["all"] = true
	}
	if last := object.words[len(object.words)-1]; len(which) > 0 && params["during"] != nil && hasAny(object, "and") && !hasAny(s, "skip", "leave") && strings.EqualFold(which[len(which)-1], last.lower) && isDay[last.lower] {
		params["which"] = object.all() // on Wednesday and Thursday: the skill takes them apart
		delete(params, "during")
		delete(params, "all")
	}
	if tool == skillTask {
		params["action"] = "drop"
	}
	if len(which) == 0 && len(about) == 0 && params["during"] == nil && !f.all {
		return intent{}, false
	}
	if tool == skillAppointment && !hasAny(object, "all", "every", "everything", "both") && kindless(s) {
		tool = skillRemove
		delete(params, "action")
		delete(params, "all")
	}
	return intent{tool: tool, params: params, subject: "which"}, true
}

// endNames are the words that name what is to go, and those before it that only help to tell which
// it is, with the skill that keeps plans of its kind.
func (l listener) endNames(s, before, object said) (f frame, which, about []string, tool string) {
	f = frame{s: s, used: make([]bool, len(s.words)), at: -1, act: ending}
	l.takeTime(&f)
	f.takeHour()
	tool = skillAppointment
	pointing := pointers.MatchString(object.all())
	for i, w := range s.words {
		if w.start == w.end {
			continue
		}
		inObject := w.start >= object.words[0].start && w.end <= object.words[len(object.words)-1].end
		inBefore := len(before.words) > 0 && w.end <= before.words[len(before.words)-1].end
		n := nouns[w.lower]
		if inObject || pointing && inBefore {
			switch {
			case n == anAlarm || n == aReminder || w.lower == "wake":
				tool = skillReminder
			case n == aTask && tool != skillReminder:
				tool = skillTask
			}
			f.many = f.many || isPlural(w.lower)
			f.all = f.all || s.is(i, "all", "every", "everything", "both")
		}
		if f.used[i] || emptyWords[w.lower] && !(n == anAlarm && inObject) || before.is(0, "find") && s.is(i, "find") {
			continue
		}
		text := strings.TrimSuffix(strings.Trim(s.text[w.start:w.end], closing+`"“”`), "'s")
		switch {
		case inObject && !pointing:
			which = append(which, text)
		case inBefore:
			about = append(about, text)
		}
	}
	if wakes := hasAny(s, "wake"); wakes || hasAny(s, "remind", "reminding", "telling", "notifying") {
		if tool = skillReminder; wakes && len(which) == 0 {
			which = []string{"wake"}
		}
	}
	return f, which, about, tool
}

// doing are past forms of what one does, for saying that it is done: "I paid the rent".
const doing = "paid|filed|watered|called|phoned|rang|cleaned|sent|bought|fixed|washed|mailed|emailed|submitted|returned|fed|walked|cooked|renewed|ordered|packed|wrote|signed|swept|mowed|painted|vacuumed|tidied|emptied|checked|updated|printed|finished|repaired|replaced|delivered|collected|handed|ironed|booked|dropped|answered|texted|visited|cleared|wiped|reviewed|prepared|planted|changed|charged"

// doneWith hears that something is done: "I've watered the plants", "rent is paid", "garage: done".
func (l listener) doneWith(s said) (intent, bool) {
	if s.question || len(s.words) > 14 {
		return intent{}, false
	}
	for len(s.words) > 2 && s.is(len(s.words)-1, "already", "now", "today", "yesterday", "finally", "just") {
		s = s.upTo(len(s.words) - 1)
	}
	if _, ok := s.any("i am done|finished|through with it|that|this"); ok {
		return intent{tool: skillTask, weak: true, ask: "Done with what? Say: done with, and words of the task or of the reminder."}, true
	}
	if c, ok := s.any("*which is|are done *rest"); ok && len(c.sentence("which").words) <= 3 && c.sentence("rest").is(0, "they", "it", "i", "we", "because", "since") && !isNobody(c.sentence("which")) {
		return completes(c.sentence("which")), true
	}
	if c, ok := s.any("*which tick|check|cross|mark it|that|this|them off", "*which mark|set it|that|this|them as? done|complete|completed|finished", "*which tick|check|cross it|that|them off please?"); ok && s.words[len(c.sentence("which").words)-1].stop {
		return completes(c.sentence("which")), true
	}
	if c, ok := s.any("i just|already|finally? "+doing+" *which", "i have just|already|finally? "+doing+" *which", "we have? just|already|finally? "+doing+" *which", "just|already|finally? "+doing+" *which"); ok && !s.is(0, "called", "finished", "booked", "changed", "checked") {
		which := c.sentence("which")
		if isNobody(which) || hasAny(which, "you", "up", "if", "when", "why", "not") || len(which.words) > 8 {
			return intent{}, false
		}
		verb := s
		verb.words = s.words[:len(s.words)-len(which.words)]
		for len(verb.words) > 1 {
			verb = verb.from(1)
		}
		verb.words = append(append([]word{}, verb.words...), which.words...)
		return completes(verb), true
	}
	if c, ok := s.any("*which is|are|has|have|got been? "+doing, "set|mark|put *which to|as|at done|complete|completed|finished"); ok && !s.is(0, "i", "we", "you", "he", "she", "they", "it", "that", "this", "there", "who", "what") {
		which := c.sentence("which")
		if len(which.words) <= 4 && !isNobody(which) {
			if verb := s.words[len(s.words)-1].lower; inWords("bought packed purchased", verb) { // it may stand on a list
				return completes(which).behind(verb), true
			}
			return completes(which), true
		}
	}
	return intent{}, false
}

// behind is a task that is done with the verb that says so before its words.
func (in intent) behind(verb string) intent {
	which, _ := in.params["which"].(string)
	return in.with("which", verb+" "+which)
}

// completes is a task or a reminder that is done.
func completes(which said) intent {
	for len(which.words) > 1 && which.is(0, "the", "my", "our", "a") {
		which = which.from(1)
	}
	for len(which.words) > 1 && which.is(len(which.words)-1, "is", "are", "clean", "been", "has", "have", "they", "already") {
		which = which.upTo(len(which.words) - 1)
	}
	return intent{tool: skillTask, weak: true, params: map[string]any{"action": "complete", "which": which.all()}, subject: "which"}
}
