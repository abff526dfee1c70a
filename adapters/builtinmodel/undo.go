package builtinmodel

import (
	"strconv"
	"strings"
)

// skillUndo is the skill that takes back the last change.
const skillUndo = "undo"

// undone hears who wants the last change taken back.
func (l listener) undone(s said) (intent, bool) {
	if _, ok := l.offered(skillUndo); !ok || s.question {
		return intent{}, false
	}
	if s.is(0, "no", "oops", "wait", "sorry", "actually") && len(s.words) > 1 {
		s = s.from(1)
	}
	_, ok := s.any(
		"undo", "undo it|that|this|again", "undo the|my last? change|changes|action|thing|step|one", "undo what i|you just? did|said|changed", "undo the last",
		"take it|that|this back", "take back it|that|this", "take back what i just? said|did", "take back the|my last change|thing|one", "revert", "revert it|that|this", "revert the|my last? change|changes|action",
		"reverse it|that", "roll it|that back", "i did not mean it|that|this", "i did not mean to", "i did not mean to do it|that", "i did not want it|that|this", "i did not say that",
		"that|it was a|my mistake", "that|it was not what i meant|wanted", "that|this is not what i meant|wanted|said", "put|change|set it|that|everything back", "put|change|set it|that|everything back the way|as it was", "put it|that back how it was",
		"make it|that as it was", "make it|that the way it was", "go back one step?", "ctrl z",
	)
	return intent{tool: skillUndo, params: map[string]any{}}, ok
}

// changesTold are how replies begin that say that something was changed, besides those by
// which a reminder or a task is found again.
var changesTold = []string{"On the list ", "Off the list ", "The list ", "I'll remember: ", "Forgotten: ", "Done: ", "Dropped: ", "I won't remind you any more: ", "No deadline any more: "}

// regretted hears who takes back what the last reply says was changed: "never mind".
func (l listener) regretted(reply string, s said) (intent, bool) {
	if _, offered := l.offered(skillUndo); !offered || strings.ContainsRune(reply, '\n') {
		return intent{}, false
	}
	_, ok := s.any("never mind", "nevermind", "forget it|that", "cancel it|that", "scrap it|that", "scratch it|that")
	for _, begins := range changesTold {
		if ok && strings.HasPrefix(reply, begins) {
			return intent{tool: skillUndo, params: map[string]any{}}, true
		}
	}
	return intent{}, false
}

// decided is what an answer to a question for yes or no asks for; false when it answers
// none. What is declined is stopped.
func (l listener) decided(text string) (wish, bool) {
	if len(l.p.Recent) == 0 {
		return wish{}, false
	}
	s, ok := read(text)
	if !ok || s.question {
		return wish{}, false
	}
	if bare, _ := s.request(); len(bare.words) > 0 {
		s = bare
	}
	last := l.p.Recent[len(l.p.Recent)-1]
	for _, q := range []struct {
		begins, ends string // of the line that asks
		yes          func(last, asked string, s said) (intent, bool)
	}{
		{"There is already a ", "it anyway.", l.anyway},
		{"I had remembered ", "Say yes, or keep both.", l.replaced},
		{"The last ", "? Say yes.", l.confirmed},
		{"", "? Say yes.", l.agreed},
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

// lineOf is the line of a reply that begins and ends so. The words of others are marked at
// the beginning of every line, so this is none of theirs.
func lineOf(reply, begins, ends string) (string, bool) {
	for line := range strings.Lines(reply) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, ">") && strings.HasPrefix(line, begins) && strings.HasSuffix(line, ends) {
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

// anyway is a plan that is there already, to be made once more.
func (l listener) anyway(before, asked string, s said) (intent, bool) {
	_, again := s.any("yes? please? set|add|make|create|do|keep|save it|that|this|one anyway|again|regardless", "yes? anyway", "yes? again", "yes? set|add|make|create another one?", "yes? i want|need both|two|another", "yes? keep? both", "yes? another one?", "yes? twice")
	if !again && !isYes(s) {
		return intent{}, false
	}
	tool, _, _ := strings.Cut(strings.TrimPrefix(asked, "There is already a "), " ")
	if tool == "reminder" {
		tool = skillRemind
	}
	if tool != skillRemind && tool != skillTask {
		return intent{}, false
	}
	if in, ok := l.only(before, tool); ok {
		return in.with("again", true), true
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
	if _, both := s.any("yes|no? please? keep|remember both|them of? them? please?", "yes|no? both", "yes|no? both of them", "yes|no? both are|is right|true|so|correct|fine", "yes|no? keep the other one? too", "yes|no? keep both of them", "yes|no? i have both|two"); both {
		return in.with("keep", true), true
	}
	if _, now := s.any("yes|yeah? please? replace|change|update it|that|the? old? one?", "yes|yeah? it|that is now?", "yes|yeah? now it|that is", "yes|yeah? please? replace|change|update", "yes|yeah? it|that has|is changed", "yes|yeah? forget the old one?", "yes|yeah? i have a new one"); now || isYes(s) {
		return in.with("replace", true), true
	}
	return intent{}, false
}

// agreed is what was asked for before, when the question was only whether it should be done.
func (l listener) agreed(before, asked string, s said) (intent, bool) {
	heard := l.hears(before)
	if len(heard) != 1 || !isYes(s) || strings.Contains(asked, "Should I take ") {
		return intent{}, false
	}
	in := heard[0]
	if in.offer && in.ask == asked {
		in.offer, in.ask = false, ""
		return in, true
	}
	return in.with("confirmed", true), in.ask == ""
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
// by them: "where is the spare key?", "who is Bob?".
func (l listener) asksMemory(s said) (intent, bool) {
	c, ok := s.any("where is|are|was|were *about", "who is|are|was *about", "do you know where|who *about is|are", "any idea where|who *about is|are", "do you have any idea where|who *about is|are", "tell me where|who *about is|are", "where did i|we put|leave|hide|park|keep|store *about", "where do i|we keep|store|have *about",
		"what is|are|was *about", "when is|are|was *about")
	if !ok {
		return intent{}, false
	}
	about := c.sentence("about")
	possessive := false
	for i, w := range about.words {
		possessive = possessive || i < len(about.words)-1 && (strings.HasSuffix(w.lower, "'s") || strings.HasSuffix(w.lower, "s'"))
	}
	switch {
	case len(about.words) > maxAboutWords, hasAny(about, "i", "you", "your", "we", "he", "she", "it", "they", "this", "there", "everybody", "everyone", "going", "coming", "from", "now"):
		return intent{}, false
	case s.is(0, "what", "when") && !possessive, s.is(0, "who") && about.is(0, "the", "a", "an"):
		return intent{}, false // that may be asked about anything
	}
	for len(about.words) > 1 && about.is(0, "the", "my", "our", "that") {
		about = about.from(1)
	}
	return intent{tool: skillRecall, params: map[string]any{"about": about.all()}, subject: "about", weak: true}, true
}
