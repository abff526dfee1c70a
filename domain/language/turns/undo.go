package turns

import (
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/hearing"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// regretted hears who takes back what the last turn changed: "never mind".
func (l Talk) regretted(last language.Turn, s sentences.Said) (tools.Intent, bool) {
	if _, offered := l.Offered(tools.SkillUndo); !offered {
		return tools.Intent{}, false
	}
	_, ok := s.Any("never mind", "nevermind", "forget it|that", "cancel it|that", "scrap it|that", "scratch it|that")
	if ok && slices.ContainsFunc(last.Done, l.HasChanged) {
		return tools.Intent{Tool: tools.SkillUndo, Params: l.UndoOf(last)}, true
	}
	return tools.Intent{}, false
}

// decided is what an answer to what was asked or offered asks for; false when it answers neither.
// What is declined is stopped.
func (l Talk) decided(text string) (Wish, bool) {
	if out, ok := l.saysSo(text); ok {
		return out, true
	}
	if l.isDropped() {
		return Wish{Stopped: true}, true
	}
	if in, ok := l.takesOffer(); ok {
		return Wish{Wanted: []tools.Intent{in}}, true
	}
	if in, ok := l.changesOffer(text); ok {
		return Wish{Wanted: []tools.Intent{in}}, true
	}
	if in, ok := l.takesLabel(); ok {
		return Wish{Wanted: []tools.Intent{in}}, true
	}
	return Wish{}, false
}

// saysSo is what an answer to a question for yes or no asks for; false when it answers none.
func (l Talk) saysSo(text string) (Wish, bool) {
	last, follows := l.Last()
	s, ok := sentences.Read(text)
	if !follows || !ok || s.Question {
		return Wish{}, false
	}
	if bare, _ := s.Request(); len(bare.Words) > 0 {
		s = bare
	}
	if out, no, ok := l.answered(s); ok {
		return Wish{Wanted: out, Stopped: no}, true
	}
	if len(last.Done) > 0 {
		return Wish{}, false
	}
	for _, q := range []struct {
		begins, ends string // of the line that asks
		yes          func(last, asked string, s sentences.Said) (tools.Intent, bool)
	}{
		{"There is already a", "it anyway.", l.anyway},
		{"", "? Say yes.", l.sureOf},
		{"", " Say skip, or for good.", l.spared},
		{hearing.InsteadAsked[tools.SkillReminder], "?", noYes}, {hearing.InsteadAsked[tools.SkillAppointment], "?", noYes}, {hearing.InsteadAsked[tools.SkillTask], "?", noYes},
	} {
		asked, ok := lineOf(last.Reply, q.begins, q.ends)
		if offers := q.ends == "? Say yes." && last.Says("ask.keep"); !ok && !offers {
			continue
		}
		if in, ok := q.yes(last.Prompt, asked, s); ok {
			return Wish{Wanted: []tools.Intent{in}}, true
		}
		if isNo(s) {
			return Wish{Stopped: true}, true
		}
	}
	return Wish{}, false
}

// noYes is for questions that only no is an answer to, besides what they ask for.
func noYes(string, string, sentences.Said) (tools.Intent, bool) { return tools.Intent{}, false }

// sureOf is what the last message asked for, when it was asked whether it should be done: what was
// offered is taken, and what a skill asked about is confirmed.
func (l Talk) sureOf(before, asked string, s sentences.Said) (tools.Intent, bool) {
	if !saysDo(s) {
		return tools.Intent{}, false
	}
	heard := l.Hears(before)
	if len(heard) == 0 {
		heard = l.Offers(before)
	}
	var out []tools.Intent
	for _, in := range heard {
		switch o, _ := l.Offered(in.Tool); {
		case in.Offer:
			in.Offer, in.Ask = false, speech.Message{}
			if sure := in.With("confirmed", true); in.Params["all"] == true && tools.Takes(o, sure.Params) {
				in = sure
			}
			out = append(out, in)
		case in.Ask.IsZero() && o.Asks == domain.AskNever && asked == tools.MayAsk(o):
			in.FromNowOn = true // the yes was recorded, with this call
			out = append(out, in)
		case in.Ask.IsZero() && tools.Takes(o, in.With("confirmed", true).Params):
			out = append(out, in.With("confirmed", true))
		}
	}
	if len(out) != 1 {
		return tools.Intent{}, false
	}
	return out[0], true
}

// spared is what the last message asked to end, and comes back: one time of it is left out, or it
// ends for good.
func (l Talk) spared(before, _ string, s sentences.Said) (tools.Intent, bool) {
	heard := l.Hears(before)
	if len(heard) != 1 || heard[0].Params["action"] != "cancel" && (heard[0].Tool != tools.SkillRemove || heard[0].Params["action"] != nil) {
		return tools.Intent{}, false
	}
	if saysOnce(s) {
		return heard[0].With("action", "skip"), true
	}
	if saysForGood(s) {
		return heard[0].With("confirmed", true), true
	}
	return tools.Intent{}, false
}

// saysDo hears who says yes to what was asked about, or says it again.
func saysDo(s sentences.Said) bool {
	_, does := s.Any("yes|yeah|yep|ok|okay|sure? please? add|put|schedule|book|save|set|make|do|cancel|delete|remove|clear|empty|drop it|that|them|all|everything? please?", "yes|yeah|ok? please? put it in|on the|my? calendar?", "yes|yeah? all of them", "yes|yeah? both of? them?", "yes|yeah? please? take it|that back", "yes|yeah? please? undo it|that?")
	return does || isYes(s)
}

// saysOnce hears that only one time is meant of what comes back.
func saysOnce(s sentences.Said) bool {
	_, once := s.Any("this|that once", "for? this|that time", "yes? just|only? skip it|that|this|them? please?", "just|only that|this|the|one one? time|day|date|once?", "just|only this|that once?", "just|only once", "just|only that|this|the one? please?", "only that|this one? time", "skip", "leave it|them out", "only then", "just|only on? *day", "this|that one? time only?", "once")
	return once
}

// saysForGood hears that all times are meant of what comes back.
func saysForGood(s sentences.Said) bool {
	_, good := s.Any("yes? for good", "yes? end|cancel|delete|remove|stop it|them|that? for good|ever|always", "yes? forever", "yes? for ever", "yes? permanently", "all of them|it", "yes? end it|them", "the whole series", "yes? always", "yes? cancel|delete|remove it|them all? completely|altogether|entirely?", "every time", "all? future|other ones|times? too?")
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

func isYes(s sentences.Said) bool {
	_, ok := s.Any("yes|yep|yeah|yup|sure|ok|okay|right|correct|exactly|absolutely|definitely please?", "yes|yeah|sure|ok|okay? please? do it|that|so? please?", "yes|ok? go ahead", "yes|yeah? that is right|correct|so|it", "please do", "of course")
	return ok
}

func isNo(s sentences.Said) bool {
	_, ok := s.Any("no|nope|nah thanks|thank? you?", "no please? do not", "no? do not do? it|that?", "no? leave it|that|everything as|alone? it? is?", "no? never mind", "no? nevermind", "no? cancel", "no? forget it|that", "no? stop", "no? it is not", "no? not now", "no? it is fine")
	return ok
}

// saysAgain hears that what is there already is wanted once more.
func saysAgain(s sentences.Said) bool {
	_, again := s.Any("yes? please? set|add|make|create|do|keep|save it|that|this|one anyway|again|regardless", "yes? anyway", "yes? again", "yes? set|add|make|create another one?", "yes? i want|need both|two|another", "yes? keep? both", "yes? another one?", "yes? twice")
	return again || isYes(s)
}

// anyway is a plan that is there already, to be made once more.
func (l Talk) anyway(before, asked string, s sentences.Said) (tools.Intent, bool) {
	if !saysAgain(s) {
		return tools.Intent{}, false
	}
	words := strings.Fields(asked) // There is already a reminder …
	const noun = 4
	tool := map[string]string{"reminder": tools.SkillRemind, "task": tools.SkillTask, "appointment": tools.SkillAppointment}[words[min(noun, len(words)-1)]]
	if tool == "" {
		return tools.Intent{}, false
	}
	if in, ok := l.only(before, tool); ok {
		return in.With("again", true), true
	}
	if tool == tools.SkillAppointment {
		return tools.Intent{}, false // how long it takes stands in the question in other words
	}
	return thereAlready(tool, asked)
}

// only is the one thing that a text asks of a tool.
func (l Talk) only(text, tool string) (out tools.Intent, ok bool) {
	found := 0
	for _, in := range l.Hears(text) {
		if in.Tool == tool && in.Ask.IsZero() {
			out, found = in, found+1
		}
	}
	return out, found == 1
}

// thereAlready is a plan out of the question that names it: There is already a reminder
// "call Anna" tomorrow at 09:00. Say: set it anyway.
func thereAlready(tool, asked string) (tools.Intent, bool) {
	from := strings.IndexByte(asked, '"')
	if from < 0 {
		return tools.Intent{}, false
	}
	quotedText, err := strconv.QuotedPrefix(asked[from:])
	if err != nil {
		return tools.Intent{}, false
	}
	what, err := strconv.Unquote(quotedText)
	if err != nil {
		return tools.Intent{}, false
	}
	at, _, _ := strings.Cut(asked[from+len(quotedText):], ". Say: ")
	at = strings.TrimPrefix(strings.TrimPrefix(at, ", due"), " ")
	in := tools.Intent{Tool: tool, Params: map[string]any{"what": what, "again": true}, Subject: "what", Moment: "when"}
	if tool == tools.SkillTask {
		in.Params["action"], in.Moment = "create", "deadline"
	}
	if at != "" {
		in.Params[in.Moment] = at
	}
	return in, true
}

// saysKeep hears that both of two things are so.
func saysKeep(s sentences.Said) bool {
	_, both := s.Any("yes|no? please? keep|remember both|them of? them? please?", "yes|no? both", "yes|no? both of them", "yes|no? both are|is right|true|so|correct|fine", "yes|no? keep the other one? too", "yes|no? keep both of them", "yes|no? i have both|two")
	return both
}

// saysReplace hears that a new thing is so in place of an old one.
func saysReplace(s sentences.Said) bool {
	_, now := s.Any("yes|yeah? please? replace|change|update it|that|the? old? one?", "yes|yeah? it|that is now?", "yes|yeah? now it|that is", "yes|yeah? please? replace|change|update", "yes|yeah? it|that has|is changed", "yes|yeah? forget the old one?", "yes|yeah? i have a new one")
	return now || isYes(s)
}
