package turns

import (
	"slices"

	"chalie/domain"
	"chalie/domain/language"
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
	if in, ok := l.sureOf(last); ok && saysDo(s) {
		return Wish{Wanted: []tools.Intent{in}}, true
	}
	return Wish{Stopped: true}, isNo(s) && last.Asks()
}

// sureOf is what the last message asked for, when it was asked whether it should be done.
func (l Talk) sureOf(last language.Turn) (tools.Intent, bool) {
	heard := l.Hears(last.Prompt)
	if len(heard) == 0 {
		heard = l.Offers(last.Prompt)
	}
	var out []tools.Intent
	for _, in := range heard {
		switch o, _ := l.Offered(in.Tool); {
		case in.Offer && last.Tells(in.Ask):
			in.Offer, in.Ask = false, speech.Message{}
			if sure := in.With("confirmed", true); in.Params["all"] == true && tools.Takes(o, sure.Params) {
				in = sure
			}
			out = append(out, in)
		case in.Ask.IsZero() && o.Asks == domain.AskNever && last.Tells(tools.MayAsk(o)):
			in.FromNowOn = true // the yes was recorded, with this call
			out = append(out, in)
		}
	}
	if len(out) != 1 {
		return tools.Intent{}, false
	}
	return out[0], true
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
