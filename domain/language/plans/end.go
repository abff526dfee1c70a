package plans

import (
	"regexp"
	"slices"
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// endings are ways to say that something is to go, besides the verbs of acts. What it is stands
// for *which.
var endings = []sentences.Phrase{
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
var endVerbs = sentences.WordsIn(`cancel delete remove erase drop scrap scratch ditch kill trash dismiss disable clear cancle delet`)

// Pointers are objects that only point back: what is meant stands before.
var Pointers = regexp.MustCompile(`(?i)^(?:it|that|this|them|those|that one|this one|her|him)?(?: all)?(?: (?:off|out|away|from|on|in|as well|too|please|also|down|for me|(?:my|the|our) (?:list|calend[ae]r|schedule|diary|agenda|to-dos|todos|to-do list)))*$`)

// Spelled is a sentence whose first word, when it is a slip of a verb for plans, is that verb.
func Spelled(s sentences.Said) sentences.Said {
	for _, verb := range []string{"cancel", "delete", "remove", "schedule", "reschedule", "remind"} {
		if w := s.Words[0]; w.Lower != verb && len(w.Lower) > 4 && sentences.IsSlipOf(verb, w.Lower) && !w.Quoted {
			s.Words = append([]sentences.Word{}, s.Words...)
			s.Words[0].Lower = verb
		}
	}
	return s
}

// Opened is a sentence without "open the calendar and" before what is to be done there.
func Opened(s sentences.Said) sentences.Said {
	n := 0
	for n < len(s.Words) && s.Is(n, "open", "up", "my", "the", "calendar", "calender", "diary", "and", "to", "then") {
		n++
	}
	if s.Is(0, "open") && n > 1 && n < len(s.Words) && sentences.Fits("schedule|add|make|create|set|put|enter|book|plan|delete|remove|erase|cancel|clear|find|show", s.Words[n]) {
		return s.From(n)
	}
	return s
}

// EndsBefore hears what is to go by words that would be taken for something else: those that only
// point back, and those that want no reminder any more.
func (l Planner) EndsBefore(s sentences.Said) (tools.Intent, bool) {
	if before, clause, ok := endClause(s); ok {
		if object := clause.From(1); Pointers.MatchString(object.All()) || l.isUnnamed(object) {
			return l.endedBy(s, before, object)
		}
	}
	for _, hear := range []func(sentences.Said) (tools.Intent, bool){l.skipsKnown, l.pauses, l.snoozes} {
		if in, ok := hear(s); ok {
			return in, true
		}
	}
	_, something := s.Any("cancel|delete|remove|drop|scrap something|anything for? me?", "i want|need|have to cancel|delete|remove something")
	if _, that := s.Any("cancel|delete|remove|scrap|scratch it|that|this"); something || that && len(l.P.Recent) == 0 {
		return tools.Intent{Tool: tools.SkillPlans, Ask: tools.Says("ask.what_to", "do", speech.Kind("cancel"))}, true
	}
	if c, ok := s.Any("cancel|clear|delete|remove|drop|erase|wipe everything|all i? have? for|on? *when", "clear|wipe|free|empty up|out? my|the? day|days? for|on? *when"); ok && l.IsPeriod(c.Get("when")) {
		return l.allOf(s, c.Get("when")), true
	}
	if c, ok := s.Any("i|we will|won not be at *which", "i|we am|are not going to be at *which"); ok && l.PlanTool(c.Sentence("which")) == tools.SkillAppointment && !s.Question {
		which := c.Get("which")
		return tools.Intent{Tool: tools.SkillAppointment, Ask: tools.Says("ask.change", "lacks", speech.Kind("whether"), "said", which)}, true
	}
	if s.Begins("never", "mind") && len(s.Words) > 2 && l.PlanTool(s.From(2)) != "" {
		return l.Ends(s)
	}
	if s.Begins("no", "need") || s.Begins("you", "can", "stop") || s.Begins("do", "not", "wake") || s.Begins("forget", "about") && l.IsKnown(s.From(2)) {
		return l.Ends(s)
	}
	if c, ok := s.Any("no *which", "there is|will be? no *which"); ok && !s.Question { // no staff meeting this week
		which := c.Sentence("which")
		if name := l.WithoutPeriod(which); len(name.Words) < len(which.Words) && len(name.Words) <= 3 && l.PlanTool(name) != "" && !sentences.IsPlural(name.Words[len(name.Words)-1].Lower) && !sentences.HasAny(name, "more", "need") {
			return l.endedBy(s, sentences.Said{}, which)
		}
	}
	if _, reset := s.Any("reset *which"); reset && !l.Timing(s.All()).Said && l.PlanTool(s) != "" {
		return tools.Intent{Tool: tools.SkillPlans, Ask: tools.Says("ask.change", "lacks", speech.Kind("what"))}, true
	}
	return tools.Intent{}, false
}

// allOf is the end of all appointments of a period, about which the skill asks.
func (l Planner) allOf(s sentences.Said, during string) tools.Intent {
	if isPartOfDay(during) {
		during = "this " + during // of a day that isn't named it is today's
	}
	which := during
	for _, all := range []string{"days", "day", "everything"} {
		if sentences.HasAny(s, all) {
			which = all
		}
	}
	return tools.Intent{Tool: tools.SkillAppointment, Params: map[string]any{"action": "cancel", "which": which, "during": during, "all": true}, Subject: "which"}
}

// isPartOfDay reports whether a text is a part of a day and says no day.
func isPartOfDay(text string) bool {
	return slices.Contains([]string{"morning", "afternoon", "evening"}, strings.ToLower(text))
}

// IsPeriod reports whether a text is a period by itself.
func (l Planner) IsPeriod(text string) bool {
	_, rest, err := l.Narrow(text)
	return err == nil && rest == ""
}

// isUnnamed reports whether words say a kind of plan and nothing that names one.
func (l Planner) isUnnamed(object sentences.Said) bool {
	kind := false
	for _, w := range object.Words {
		kind = kind || sentences.Nouns[w.Lower] != sentences.NoNoun
		if !sentences.EmptyWords[w.Lower] && sentences.Nouns[w.Lower] == sentences.NoNoun && w.Start != w.End {
			return false
		}
	}
	return kind
}

// Ends hears what is to go, where the words for it aren't one verb at the beginning: "kickball got
// rained out, ditch the alarm", "I can't make it to the meeting with Rajesh, cancel it".
func (l Planner) Ends(s sentences.Said) (tools.Intent, bool) {
	if s.Question && !s.Is(0, "find") || len(s.Words) < 2 || s.Is(0, "what", "when", "which", "who", "where", "how", "remember", "remind") {
		return tools.Intent{}, false
	}
	before, clause, found := endClause(s)
	if found {
		object := clause.From(1)
		if clause.Is(0, "take", "get") && !object.Is(len(object.Words)-1, "off") && !sentences.HasAny(object, "off") {
			return tools.Intent{}, false
		}
		return l.endedBy(s, before, object)
	}
	for i := len(s.Words) - 1; i > 0; i-- { // in the last clause, behind what explains it
		if s.Words[i-1].Stop || s.Is(i-1, "so", "because", "since") {
			if c, ok := s.From(i).Any(endings...); ok && l.isPlanned(c.Sentence("which"), s.From(i)) {
				return l.endedBy(s, s.UpTo(i), c.Sentence("which"))
			}
		}
	}
	for i := 1; i < len(s.Words); i++ { // in the first, before what explains it
		if s.Words[i-1].Stop || s.Is(i, "because", "since") {
			first := s.UpTo(i)
			if c, ok := first.Any(endings...); ok && !l.IsOnlyTime(s.From(i).All()) {
				return l.endedBy(first, sentences.Said{}, c.Sentence("which"))
			}
			break
		}
	}
	if c, ok := s.Any(endings...); ok && !sentences.HasStop(c.Sentence("which")) && l.isPlanned(c.Sentence("which"), s) {
		return l.endedBy(s, sentences.Said{}, c.Sentence("which"))
	}
	if c, ok := s.Any("cancel|scrap|scratch my|the|our? *which"); ok && (len(l.WithoutPeriod(c.Sentence("which")).Words) <= 3 || l.IsPeriod(c.Get("which"))) && !sentences.IsPointing(c.Get("which")) && !sentences.AnyOf(s, contracts) && !sentences.HasAny(s, "all", "everything", "something", "anything", "me", "that", "please") {
		return l.endedBy(s, sentences.Said{}, c.Sentence("which"))
	}
	return tools.Intent{}, false
}

// contracts are things that one cancels with somebody else.
var contracts = sentences.WordsIn(`subscription order membership flight trip booking payment account service download music song uber taxi cab ride card ticket tickets hotel insurance policy call search playback`)

// isPlanned reports whether what is said to go may be a plan: a sentence says so of many things.
func (l Planner) isPlanned(which, s sentences.Said) bool {
	f := l.FrameOf(s.All())
	return l.PlanTool(which) != "" || f.Time != "" || sentences.HasAny(s, "remind", "reminding", "telling", "notifying", "wake", "alarm", "alarms", "reminder", "timer", "calendar", "schedule", "diary", "agenda", "whatever") || s.Is(3, "have", "need") && s.Is(4, "to")
}

// endClause is the last clause of a sentence when it says that something is to go, and what stands
// before it.
func endClause(s sentences.Said) (before, clause sentences.Said, ok bool) {
	for i := len(s.Words) - 1; i > 0; i-- {
		if !s.Words[i-1].Stop && !s.Is(i-1, "and", "so", "please", "can", "then", "just") {
			continue
		}
		rest := s.From(i)
		if rest.Is(0, "so", "and", "please", "then") {
			continue
		}
		for n := rest.Courtesy(); n > 0 && n < len(rest.Words); n = rest.Courtesy() {
			rest = rest.From(n)
		}
		if !endVerbs[rest.Words[0].Lower] && !rest.Is(0, "take", "get") || len(rest.Words) < 2 || rest.Is(0, "drop") && rest.Is(1, "off", "by", "in") {
			continue
		}
		before = s.UpTo(i)
		for len(before.Words) > 0 && before.Is(len(before.Words)-1, "and", "so", "please", "can", "could", "you", "then", "just", "also") {
			before = before.UpTo(len(before.Words) - 1)
		}
		return before, rest, len(before.Words) > 0
	}
	return sentences.Said{}, sentences.Said{}, false
}

// isFromList reports whether an object is to go from something that holds no plans: off the
// Christmas gifts.
func (l Planner) isFromList(object sentences.Said) bool {
	for i := 1; i+1 < len(object.Words); i++ {
		if !object.Is(i, "from", "off", "out") {
			continue
		}
		holder := object.From(i + 1)
		held := l.IsOnlyTime(holder.All()) || l.PlanTool(holder) != ""
		for _, w := range holder.Words {
			held = held || sentences.Nouns[w.Lower] != sentences.NoNoun || isDay[w.Lower] || w.Lower == "now"
		}
		if !held {
			return true
		}
	}
	return false
}

// endedBy is the end of a plan by an object and what was said before it. The time may stand in
// either.
func (l Planner) endedBy(s, before, object sentences.Said) (tools.Intent, bool) {
	if len(object.Words) == 0 || len(before.Words) > 0 && before.Is(0, "add", "set", "create", "remind", "reminder", "alarm", "schedule", "put", "show", "tell", "cancel", "delete", "remove") && !before.Is(0, "show") {
		return tools.Intent{}, false
	}
	if object.Is(0, "you") || object.Is(0, "that", "this") && sentences.HasAny(s, "remind") && l.PlanTool(object) == "" {
		return tools.Intent{}, false
	}
	if sentences.HasAny(object, "one", "ones", "him") && !Pointers.MatchString(object.All()) || l.isFromList(object) {
		return tools.Intent{}, false
	}
	if sentences.HasAny(s, "list", "lists") && !sentences.HasAny(s, "to-do", "todo", "task") || sentences.HasAny(s, "song", "music", "light", "lights", "email", "emails", "contact") {
		return tools.Intent{}, false
	}
	f, which, about, tool := l.EndNames(s, before, object)
	params := map[string]any{"action": "cancel"}
	if during := l.During(f); during != "" {
		params["during"] = during
	}
	if p := f.Position(); p != "" {
		which = append([]string{p}, which...)
	}
	if len(which) > 0 {
		params["which"] = strings.Join(which, " ")
	}
	if len(about) > 0 {
		params["about"] = strings.Join(about, " ")
	}
	if during, _ := params["during"].(string); len(which) == 0 && during != "" && (sentences.HasAny(object, "everything") || sentences.HasAny(object, "plans") && f.All) {
		return l.allOf(s, during), true
	}
	if f.All || f.many {
		params["all"] = true
	}
	if last := object.Words[len(object.Words)-1]; len(which) > 0 && params["during"] != nil && sentences.HasAny(object, "and") && !sentences.HasAny(s, "skip", "leave") && strings.EqualFold(which[len(which)-1], last.Lower) && isDay[last.Lower] {
		params["which"] = object.All() // on Wednesday and Thursday: the skill takes them apart
		delete(params, "during")
		delete(params, "all")
	}
	if tool == tools.SkillTask {
		params["action"] = "drop"
	}
	if len(which) == 0 && len(about) == 0 && params["during"] == nil && !f.All {
		return tools.Intent{}, false
	}
	if tool == tools.SkillAppointment && !sentences.HasAny(object, "all", "every", "everything", "both") && sentences.Kindless(s) {
		tool = tools.SkillRemove
		delete(params, "action")
		delete(params, "all")
	}
	return tools.Intent{Tool: tool, Params: params, Subject: "which"}, true
}

// EndNames are the words that name what is to go, and those before it that only help to tell which
// it is, with the skill that keeps plans of its kind.
func (l Planner) EndNames(s, before, object sentences.Said) (f Frame, which, about []string, tool string) {
	f = Frame{S: s, Used: make([]bool, len(s.Words)), At: -1, Act: sentences.Ending}
	l.TakeTime(&f)
	f.takeHour()
	tool = tools.SkillAppointment
	pointing := Pointers.MatchString(object.All())
	for i, w := range s.Words {
		if w.Start == w.End {
			continue
		}
		inObject := w.Start >= object.Words[0].Start && w.End <= object.Words[len(object.Words)-1].End
		inBefore := len(before.Words) > 0 && w.End <= before.Words[len(before.Words)-1].End
		n := sentences.Nouns[w.Lower]
		if inObject || pointing && inBefore {
			switch {
			case n == sentences.AnAlarm || n == sentences.AReminder || w.Lower == "wake":
				tool = tools.SkillReminder
			case n == sentences.ATask && tool != tools.SkillReminder:
				tool = tools.SkillTask
			}
			f.many = f.many || sentences.IsPlural(w.Lower)
			f.All = f.All || s.Is(i, "all", "every", "everything", "both")
		}
		if f.Used[i] || sentences.EmptyWords[w.Lower] && !(n == sentences.AnAlarm && inObject) || before.Is(0, "find") && s.Is(i, "find") {
			continue
		}
		text := strings.TrimSuffix(strings.Trim(s.Text[w.Start:w.End], sentences.Closing+`"“”`), "'s")
		switch {
		case inObject && !pointing:
			which = append(which, text)
		case inBefore:
			about = append(about, text)
		}
	}
	if wakes := sentences.HasAny(s, "wake"); wakes || sentences.HasAny(s, "remind", "reminding", "telling", "notifying") {
		if tool = tools.SkillReminder; wakes && len(which) == 0 {
			which = []string{"wake"}
		}
	}
	return f, which, about, tool
}

// doing are past forms of what one does, for saying that it is done: "I paid the rent".
const doing = "paid|filed|watered|called|phoned|rang|cleaned|sent|bought|fixed|washed|mailed|emailed|submitted|returned|fed|walked|cooked|renewed|ordered|packed|wrote|signed|swept|mowed|painted|vacuumed|tidied|emptied|checked|updated|printed|finished|repaired|replaced|delivered|collected|handed|ironed|booked|dropped|answered|texted|visited|cleared|wiped|reviewed|prepared|planted|changed|charged"

// DoneWith hears that something is done: "I've watered the plants", "rent is paid", "garage: done".
func (l Planner) DoneWith(s sentences.Said) (tools.Intent, bool) {
	if s.Question || len(s.Words) > 14 {
		return tools.Intent{}, false
	}
	for len(s.Words) > 2 && s.Is(len(s.Words)-1, "already", "now", "today", "yesterday", "finally", "just") {
		s = s.UpTo(len(s.Words) - 1)
	}
	if _, ok := s.Any("i am done|finished|through with it|that|this"); ok {
		return tools.Intent{Tool: tools.SkillTask, Weak: true, Ask: tools.Says("ask.change", "lacks", speech.Kind("which"))}, true
	}
	if c, ok := s.Any("*which is|are done *rest"); ok && len(c.Sentence("which").Words) <= 3 && c.Sentence("rest").Is(0, "they", "it", "i", "we", "because", "since") && !sentences.IsNobody(c.Sentence("which")) {
		return Completes(c.Sentence("which")), true
	}
	if c, ok := s.Any("*which tick|check|cross|mark it|that|this|them off", "*which mark|set it|that|this|them as? done|complete|completed|finished", "*which tick|check|cross it|that|them off please?"); ok && s.Words[len(c.Sentence("which").Words)-1].Stop {
		return Completes(c.Sentence("which")), true
	}
	if c, ok := s.Any("i just|already|finally? "+doing+" *which", "i have just|already|finally? "+doing+" *which", "we have? just|already|finally? "+doing+" *which", "just|already|finally? "+doing+" *which"); ok && !s.Is(0, "called", "finished", "booked", "changed", "checked") {
		which := c.Sentence("which")
		if sentences.IsNobody(which) || sentences.HasAny(which, "you", "up", "if", "when", "why", "not") || len(which.Words) > 8 {
			return tools.Intent{}, false
		}
		verb := s
		verb.Words = s.Words[:len(s.Words)-len(which.Words)]
		for len(verb.Words) > 1 {
			verb = verb.From(1)
		}
		verb.Words = append(append([]sentences.Word{}, verb.Words...), which.Words...)
		return Completes(verb), true
	}
	if c, ok := s.Any("*which is|are|has|have|got been? "+doing, "set|mark|put *which to|as|at done|complete|completed|finished"); ok && !s.Is(0, "i", "we", "you", "he", "she", "they", "it", "that", "this", "there", "who", "what") {
		which := c.Sentence("which")
		if len(which.Words) <= 4 && !sentences.IsNobody(which) {
			if verb := s.Words[len(s.Words)-1].Lower; sentences.InWords("bought packed purchased", verb) { // it may stand on a list
				return BehindOf(Completes(which), verb), true
			}
			return Completes(which), true
		}
	}
	return tools.Intent{}, false
}

// BehindOf is a task that is done with the verb that says so before its words.
func BehindOf(in tools.Intent, verb string) tools.Intent {
	which, _ := in.Params["which"].(string)
	return in.With("which", verb+" "+which)
}

// Completes is a task or a reminder that is done.
func Completes(which sentences.Said) tools.Intent {
	for len(which.Words) > 1 && which.Is(0, "the", "my", "our", "a") {
		which = which.From(1)
	}
	for len(which.Words) > 1 && which.Is(len(which.Words)-1, "is", "are", "clean", "been", "has", "have", "they", "already") {
		which = which.UpTo(len(which.Words) - 1)
	}
	return tools.Intent{Tool: tools.SkillTask, Weak: true, Params: map[string]any{"action": "complete", "which": which.All()}, Subject: "which"}
}
