package hearing

import (
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
)

// skillUndo is the skill that takes back the last change.
const skillUndo = "undo"

// undone hears who wants the last change taken back.
func (l listener) undone(s said) (intent, bool) {
	if _, ok := l.offered(skillUndo); !ok || s.question {
		return intent{}, false
	}
	for s.is(0, "no", "oops", "wait", "sorry", "actually", "oh", "ok", "okay") && len(s.words) > 1 {
		s = s.from(1)
	}
	_, ok := s.any(
		"undo", "undo it|that|this|again", "undo the|my last? change|changes|action|thing|step|one", "undo what i|you just? did|said|changed", "undo the last",
		"take it|that|this back", "take back it|that|this", "take back what i just? said|did", "take back the|my last change|thing|one", "revert", "revert it|that|this", "revert the|my last? change|changes|action",
		"reverse it|that", "roll it|that back", "i did not mean it|that|this", "i did not mean to", "i did not mean to do it|that", "i did not want it|that|this", "i did not say that",
		"that|it was a|my mistake", "that|it was not what i meant|wanted", "that|this is not what i meant|wanted|said", "put|change|set it|that|everything back", "put|change|set it|that|everything back the way|as it was", "put it|that back how it was",
		"make it|that as it was", "make it|that the way it was", "go back one step?", "ctrl z",
	)
	params := map[string]any{}
	if last, follows := l.last(); follows {
		params = l.undoOf(last)
	}
	return intent{tool: skillUndo, params: params}, ok
}

// changesTold are how replies begin that say that something was changed, besides those by
// which a reminder or a task is found again.
var changesTold = []string{"On the list ", "Off the list ", "The list ", "I'll remember: ", "Forgotten: ", "Done: ", "Dropped: ", "I won't remind you any more: ", "No deadline any more: ",
	"Appointment: ", "Cancelled: ", "Moved: ", "Moved this once: ", "Changed: ", "Skipped: ", "I'll remind you this once "}

// regretted hears who takes back what the last reply says was changed: "never mind".
func (l listener) regretted(last language.Turn, s said) (intent, bool) {
	reply := last.Reply
	if _, offered := l.offered(skillUndo); !offered {
		return intent{}, false
	}
	_, ok := s.any("never mind", "nevermind", "forget it|that", "cancel it|that", "scrap it|that", "scratch it|that")
	if ok && slices.ContainsFunc(last.Done, l.hasChanged) {
		return intent{tool: skillUndo, params: l.undoOf(last)}, true
	}
	for _, begins := range changesTold {
		if ok && len(last.Done) == 0 && !strings.ContainsRune(reply, '\n') && strings.HasPrefix(reply, begins) {
			return intent{tool: skillUndo, params: map[string]any{}}, true
		}
	}
	return intent{}, false
}

// undoOf are the parameters by which what the last turn changed is taken back, and nothing that was
// changed elsewhere since.
func (l listener) undoOf(last language.Turn) map[string]any {
	for _, d := range slices.Backward(last.Done) {
		if l.hasChanged(d) && !d.End.IsZero() {
			return map[string]any{"of": d.End.String()}
		}
	}
	return map[string]any{}
}

// hasChanged reports whether a call of a skill changed something.
func (l listener) hasChanged(d language.Done) bool {
	o, known := l.offered(d.Call.Tool)
	return known && d.Own && d.Error == "" && d.Outcome == completed && o.SideEffects && d.Call.Tool != skillUndo
}

// decided is what an answer to what was asked or offered asks for; false when it answers neither.
// What is declined is stopped.
func (l listener) decided(text string) (wish, bool) {
	if out, ok := l.saysSo(text); ok {
		return out, true
	}
	if l.isDropped() {
		return wish{stopped: true}, true
	}
	if in, ok := l.takesOffer(); ok {
		return wish{wanted: []intent{in}}, true
	}
	if in, ok := l.takesLabel(); ok {
		return wish{wanted: []intent{in}}, true
	}
	return wish{}, false
}

// saysSo is what an answer to a question for yes or no asks for; false when it answers none.
func (l listener) saysSo(text string) (wish, bool) {
	last, follows := l.last()
	s, ok := read(text)
	if !follows || !ok || s.question {
		return wish{}, false
	}
	if bare, _ := s.request(); len(bare.words) > 0 {
		s = bare
	}
	if out, no, ok := l.answered(s); ok {
		return wish{wanted: out, stopped: no}, true
	}
	if len(last.Done) > 0 {
		return wish{}, false
	}
	for _, q := range []struct {
		begins, ends string // of the line that asks
		yes          func(last, asked string, s said) (intent, bool)
	}{
		{"There is already a", "it anyway.", l.anyway},
		{"I had remembered ", "Say yes, or keep both.", l.replaced},
		{"The last ", "? Say yes.", l.confirmed},
		{"", "? Say yes.", l.sureOf},
		{"", " Say skip, or for good.", l.spared},
		{insteadAsked[skillReminder], "?", noYes}, {insteadAsked[skillAppointment], "?", noYes}, {insteadAsked[skillTask], "?", noYes},
	} {
		asked, ok := lineOf(last.Reply, q.begins, q.ends)
		if !ok {
			continue
		}
		if in, ok := q.yes(last.Prompt, asked, s); ok {
			return wish{wanted: []intent{in}}, true
		}
		if isNo(s) {
			return wish{stopped: true}, true
		}
	}
	return wish{}, false
}

// noYes is for questions that only no is an answer to, besides what they ask for.
func noYes(string, string, said) (intent, bool) { return intent{}, false }

// sureOf is what the last message asked for, when it was asked whether it should be done: what was
// offered is taken, and what a skill asked about is confirmed.
func (l listener) sureOf(before, asked string, s said) (intent, bool) {
	if !saysDo(s) {
		return intent{}, false
	}
	heard := l.hears(before)
	if len(heard) == 0 {
		heard = l.offers(before)
	}
	var out []intent
	for _, in := range heard {
		switch o, _ := l.offered(in.tool); {
		case in.offer:
			in.offer, in.ask = false, ""
			if sure := in.with("confirmed", true); in.params["all"] == true && takes(o, sure.params) {
				in = sure
			}
			out = append(out, in)
		case in.ask == "" && o.Asks == domain.AskNever && asked == mayAsk(o):
			in.fromNowOn = true // the yes was recorded, with this call
			out = append(out, in)
		case in.ask == "" && takes(o, in.with("confirmed", true).params):
			out = append(out, in.with("confirmed", true))
		}
	}
	if len(out) != 1 {
		return intent{}, false
	}
	return out[0], true
}

// spared is what the last message asked to end, and comes back: one time of it is left out, or it
// ends for good.
func (l listener) spared(before, _ string, s said) (intent, bool) {
	heard := l.hears(before)
	if len(heard) != 1 || heard[0].params["action"] != "cancel" && (heard[0].tool != skillRemove || heard[0].params["action"] != nil) {
		return intent{}, false
	}
	if saysOnce(s) {
		return heard[0].with("action", "skip"), true
	}
	if saysForGood(s) {
		return heard[0].with("confirmed", true), true
	}
	return intent{}, false
}

// saysDo hears who says yes to what was asked about, or says it again.
func saysDo(s said) bool {
	_, does := s.any("yes|yeah|yep|ok|okay|sure? please? add|put|schedule|book|save|set|make|do|cancel|delete|remove|clear|empty|drop it|that|them|all|everything? please?", "yes|yeah|ok? please? put it in|on the|my? calendar?", "yes|yeah? all of them", "yes|yeah? both of? them?", "yes|yeah? please? take it|that back", "yes|yeah? please? undo it|that?")
	return does || isYes(s)
}

// saysOnce hears that only one time is meant of what comes back.
func saysOnce(s said) bool {
	_, once := s.any("this|that once", "for? this|that time", "yes? just|only? skip it|that|this|them? please?", "just|only that|this|the|one one? time|day|date|once?", "just|only this|that once?", "just|only once", "just|only that|this|the one? please?", "only that|this one? time", "skip", "leave it|them out", "only then", "just|only on? *day", "this|that one? time only?", "once")
	return once
}

// saysForGood hears that all times are meant of what comes back.
func saysForGood(s said) bool {
	_, good := s.any("yes? for good", "yes? end|cancel|delete|remove|stop it|them|that? for good|ever|always", "yes? forever", "yes? for ever", "yes? permanently", "all of them|it", "yes? end it|them", "the whole series", "yes? always", "yes? cancel|delete|remove it|them all? completely|altogether|entirely?", "every time", "all? future|other ones|times? too?")
	return good
}

// lineOf is the line of a reply that begins and ends so. What an interface answers asks for
// nothing: its words are marked at the beginning of every line, or stand below a line that
// says whose they are.
func lineOf(reply, begins, ends string) (string, bool) {
	for line := range strings.Lines(reply) {
		switch line = strings.TrimSpace(line); {
		case strings.HasSuffix(line, " answers:"):
			return "", false
		case strings.HasPrefix(line, begins) && strings.HasSuffix(line, ends) && !strings.HasPrefix(line, ">"):
			return line, true
		}
	}
	return "", false
}

func isYes(s said) bool {
	_, ok := s.any("yes|yep|yeah|yup|sure|ok|okay|right|correct|exactly|absolutely|definitely please?", "yes|yeah|sure|ok|okay? please? do it|that|so? please?", "yes|ok? go ahead", "yes|yeah? that is right|correct|so|it", "please do", "of course")
	return ok
}

func isNo(s said) bool {
	_, ok := s.any("no|nope|nah thanks|thank? you?", "no please? do not", "no? do not do? it|that?", "no? leave it|that|everything as|alone? it? is?", "no? never mind", "no? nevermind", "no? cancel", "no? forget it|that", "no? stop", "no? it is not", "no? not now", "no? it is fine")
	return ok
}

// saysAgain hears that what is there already is wanted once more.
func saysAgain(s said) bool {
	_, again := s.any("yes? please? set|add|make|create|do|keep|save it|that|this|one anyway|again|regardless", "yes? anyway", "yes? again", "yes? set|add|make|create another one?", "yes? i want|need both|two|another", "yes? keep? both", "yes? another one?", "yes? twice")
	return again || isYes(s)
}

// anyway is a plan that is there already, to be made once more.
func (l listener) anyway(before, asked string, s said) (intent, bool) {
	if !saysAgain(s) {
		return intent{}, false
	}
	words := strings.Fields(asked) // There is already a reminder …
	const noun = 4
	tool := map[string]string{"reminder": skillRemind, "task": skillTask, "appointment": skillAppointment}[words[min(noun, len(words)-1)]]
	if tool == "" {
		return intent{}, false
	}
	if in, ok := l.only(before, tool); ok {
		return in.with("again", true), true
	}
	if tool == skillAppointment {
		return intent{}, false // how long it takes stands in the question in other words
	}
	return thereAlready(tool, asked)
}

// only is the one thing that a text asks of a tool.
func (l listener) only(text, tool string) (out intent, ok bool) {
	found := 0
	for _, in := range l.hears(text) {
		if in.tool == tool && in.ask == "" {
			out, found = in, found+1
		}
	}
	return out, found == 1
}

// thereAlready is a plan out of the question that names it: There is already a reminder
// "call Anna" tomorrow at 09:00. Say: set it anyway.
func thereAlready(tool, asked string) (intent, bool) {
	from := strings.IndexByte(asked, '"')
	if from < 0 {
		return intent{}, false
	}
	quotedText, err := strconv.QuotedPrefix(asked[from:])
	if err != nil {
		return intent{}, false
	}
	what, err := strconv.Unquote(quotedText)
	if err != nil {
		return intent{}, false
	}
	at, _, _ := strings.Cut(asked[from+len(quotedText):], ". Say: ")
	at = strings.TrimPrefix(strings.TrimPrefix(at, ", due"), " ")
	in := intent{tool: tool, params: map[string]any{"what": what, "again": true}, subject: "what", moment: "when"}
	if tool == skillTask {
		in.params["action"], in.moment = "create", "deadline"
	}
	if at != "" {
		in.params[in.moment] = at
	}
	return in, true
}

// replaced is a memory in place of the one that it contradicts, or beside it.
func (l listener) replaced(before, _ string, s said) (intent, bool) {
	in, ok := l.only(before, skillRemember)
	if !ok {
		return intent{}, false
	}
	if saysKeep(s) {
		return in.with("keep", true), true
	}
	if saysReplace(s) {
		return in.with("replace", true), true
	}
	return intent{}, false
}

// saysKeep hears that both of two things are so.
func saysKeep(s said) bool {
	_, both := s.any("yes|no? please? keep|remember both|them of? them? please?", "yes|no? both", "yes|no? both of them", "yes|no? both are|is right|true|so|correct|fine", "yes|no? keep the other one? too", "yes|no? keep both of them", "yes|no? i have both|two")
	return both
}

// saysReplace hears that a new thing is so in place of an old one.
func saysReplace(s said) bool {
	_, now := s.any("yes|yeah? please? replace|change|update it|that|the? old? one?", "yes|yeah? it|that is now?", "yes|yeah? now it|that is", "yes|yeah? please? replace|change|update", "yes|yeah? it|that has|is changed", "yes|yeah? forget the old one?", "yes|yeah? i have a new one")
	return now || isYes(s)
}

// confirmed takes back what was asked about.
func (l listener) confirmed(_, asked string, s said) (intent, bool) {
	_, ok := s.any("yes|yeah? please? take it|that back", "yes|yeah? please? undo it|that?")
	if !strings.Contains(asked, "Should I take ") || !ok && !isYes(s) {
		return intent{}, false
	}
	return intent{tool: skillUndo, params: map[string]any{"confirmed": true}}, true
}

// maxAboutWords bounds what a question about a memory names.
const maxAboutWords = 6

// asksMemory hears questions that only a memory can answer, as far as nothing else is meant
// by them: "where is the spare key?", "who is Bob?"; also behind why it is asked: "I'm locked
// out, where's the extra key".
func (l listener) asksMemory(s said) (intent, bool) {
	for i := len(s.words) - 1; i > 0; i-- {
		if s.words[i-1].stop && s.is(i, "where", "who") && s.is(0, "i", "we", "my", "sorry", "help") {
			s = s.from(i)
			break
		}
	}
	if in, ok := l.asksFact(s); ok && !s.is(0, "where") {
		return in, true
	}
	c, ok := s.any("where is|are|was|were *about", "who is|are|was *about", "do you know where|who *about is|are", "tell me where|who *about is|are", "where did i|we put|leave|hide|park|keep|store *about", "where do i|we keep|store|have *about",
		"did i tell|say you? where|who *about is|are", "what is|are under|behind|beneath|inside|below|beside|above *about", "what is|are|was *about", "when is|are|was *about")
	if !ok {
		if in, ok := l.asksFact(s); ok {
			return in, true
		}
		return l.asksPerson(s)
	}
	about := c.sentence("about")
	if s.is(0, "where") && !s.is(2, "did", "do") && l.takesPlace(about) {
		return intent{tool: skillPlans, params: map[string]any{"which": about.all()}, subject: "which", weak: true}, true
	}
	possessive := false
	for i, w := range about.words {
		possessive = possessive || i < len(about.words)-1 && (strings.HasSuffix(w.lower, "'s") || strings.HasSuffix(w.lower, "s'"))
	}
	switch {
	case len(about.words) > maxAboutWords, hasAny(about, "i", "you", "your", "we", "he", "she", "it", "they", "this", "that", "there", "everybody", "everyone", "going", "coming", "from", "now", "today's", "yesterday's", "tomorrow's", "tonight's"):
		return intent{}, false
	case s.is(0, "what") && !possessive && hasAny(about, kept...):
	case s.is(0, "what", "when") && !possessive && !s.is(2, "under", "behind", "beneath", "inside", "below", "beside", "above"), s.is(0, "who") && about.is(0, "the", "a", "an"):
		return intent{}, false // that may be asked about anything
	}
	for len(about.words) > 1 && about.is(0, "the", "my", "our") {
		about = about.from(1)
	}
	return intent{tool: skillRecall, params: map[string]any{"about": about.all()}, subject: "about", weak: true}, true
}

// kept are what one has told to know it later.
var kept = strings.Split(attributes+"|password|passcode|pin|login|wifi|birthday|address|key|keys", "|")

// asksFact hears what somebody likes or needs, or where one has left something: "what does Anna
// like?", "where did I park?".
func (l listener) asksFact(s said) (intent, bool) {
	c, ok := s.any("what does|do|did *who like|love|hate|prefer|want|need|eat|drink|collect|wear|drive|own|play|study|teach", "what kind|size|type|color|colour|sort|brand of? *what does|do *who like|love|hate|prefer|want|need|eat|drink|collect|wear|drive|own|have")
	condition := ""
	if !ok {
		for _, way := range []struct {
			condition string
			phrases   []phrase
		}{
			{"is allergic to", []phrase{"what is|are *who allergic to", "is|are *who allergic to anything|something", "does|do *who have any|an? allergies|allergy|intolerances|intolerance", "what allergies does|do *who have"}},
			{"can't eat", []phrase{"what can not *who eat|have", "what should not *who eat|have", "what must not *who eat|have", "what may not *who eat|have", "is|are there anything|something *who can not eat|have", "what is|are *who not allowed to eat|have"}},
			{"is afraid of", []phrase{"what is|are *who afraid|scared of"}},
			{"is good at", []phrase{"what is|are *who good|bad at"}},
			{"is interested in", []phrase{"what is|are *who interested in", "what is|are *who into"}},
		} {
			if c, ok = s.any(way.phrases...); ok {
				condition = way.condition
				break
			}
		}
	}
	if ok {
		who := c.sentence("who")
		if len(who.words) > maxAboutWords || hasAny(who, "i", "you", "we", "it", "they", "he", "she", "people", "this", "that") || !who.is(0, "my", "our") && !who.isName() {
			return intent{}, false
		}
		for len(who.words) > 1 && who.is(0, "my", "our") {
			who = who.from(1)
		}
		about := who.all()
		if condition != "" {
			about = "what " + about + " " + condition
		}
		return intent{tool: skillRecall, params: map[string]any{"about": about}, subject: "about", weak: true}, true
	}
	if c, ok = s.any("where did|have i|we *about", "where am i *about"); ok && c.sentence("about").is(0, "park", "parked", "put", "leave", "left", "hide", "hidden") {
		return intent{tool: skillRecall, params: map[string]any{"about": c.get("about")}, subject: "about", weak: true}, true
	}
	return intent{}, false
}

// isName reports whether the first word is written as a name is.
func (s said) isName() bool {
	first := s.text[s.words[0].start]
	return first >= 'A' && first <= 'Z'
}

// asksPerson hears questions about somebody by name that is answered with yes or no, or how:
// "does Anna have a brother", "how do Anna and Bob know each other".
func (l listener) asksPerson(s said) (intent, bool) {
	c, ok := s.any("is|are|does|do|has|have|was *about", "how is|are|do|does *about", "where does|do|did *about live|work|stay")
	about := c.sentence("about")
	if !ok || len(about.words) > maxAboutWords || len(about.words) < 2 && !s.is(0, "where") || hasAny(about, "i", "you", "your", "we", "it", "they", "this", "that", "there") {
		return intent{}, false
	}
	if !about.isName() || l.timing(about.all()).said {
		return intent{}, false
	}
	return intent{tool: skillRecall, params: map[string]any{"about": about.all()}, subject: "about", weak: true}, true
}
