package hearing

import (
	"cmp"
	"regexp"
	"strings"

	"chalie/domain/language/abroad"
	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// Offers hears what isn't asked for, only told, and nothing else: what has a day is offered to be
// put into the calendar, what lasts to be remembered, what one does oneself to be told of. Nothing is done before a yes.
func (l Listener) Offers(text string) []tools.Intent {
	s, ok := sentences.Read(text)
	if !ok || l.isWorkedOut(text) {
		return nil
	}
	s = s.WithoutIdle()
	for _, hear := range []func(sentences.Said) (tools.Intent, bool){l.lasts, l.toDo, l.told} {
		if in, ok := hear(s); ok {
			return []tools.Intent{in}
		}
	}
	return nil
}

// elsewhereDone are verbs of what other programs do, and words that only tell how one feels.
var elsewhereDone = sentences.WordsIn(`play turn send order email mail text post tweet open close start stop pause resume switch increase decrease lower raise brew make cook find search look show tell give read say sing check what's how's
	record translate define calculate convert navigate drive recommend suggest describe explain book reserve rent hail dim brighten mute unmute volume call dial message reply answer share rate like follow change update
	think hope guess wish feel felt feeling believe wonder love hate know knew mean sorry glad happy sad tired sick bored hungry thirsty no not never don't didn't won't can't isn't if maybe unless whether because was were had did yesterday ago last`)

// aheadOfUs finds a beginning that says that something is to come.
var aheadOfUs = regexp.MustCompile(`(?i)^(?:(?:my|the|our|his|her|their|a|an)\b.{1,60}?\b(?:is|are|'s)\b|(?:i'm|i am|we're|we are|i'll|i will|we'll|we will|there's|there is|there are|it's|it is)\b|\w+(?: and \w+)? (?:is|are) (?:coming|visiting|arriving|leaving|having|getting|flying|playing|here|in town)\b|\w+'s\b)`)

// aims are verbs of what one is going to do, which needs no other word for an appointment.
var aims = regexp.MustCompile(`(?i)\b(?:coming|visiting|arriving|leaving|flying|going to|having|hosting|attending|seeing|meeting|travell?ing|playing|performing|graduating|presenting|in town|get(?:ting)? married|due|be (?:in|at|on|out|away|off|here)|off (?:work|school)|on (?:vacation|holiday|leave)|(?:is|are) (?:on|at|this|next|tomorrow)|from|starts?|begins?|open(?:s|ing)|moving)\b`)

// told hears what is only said to be at a day that lies ahead: "the plumber is coming on Monday
// at 8", "flight to Rome on 3 December at 7:15 am".
func (l Listener) told(s sentences.Said) (tools.Intent, bool) {
	const most = 20
	if s.Question || plans.IsEnding(s) || len(s.Words) > most || sentences.AnyOf(s, inTheWorldApart) || sentences.HasAny(s, "one", "ones", "it", "them", "that") || sentences.AnyOf(s, plans.Devices) || sentences.AnyOf(s, plans.Others) || elsewhereDone[s.Words[0].Lower] || s.Is(0, "what", "when", "where", "who", "which", "how", "why", "is", "are", "do", "does", "can", "could", "would", "should", "will", "and", "or", "but", "for", "to", "please", "let's", "any") {
		return tools.Intent{}, false
	}
	t := l.Occasion(s.All())
	day, clock := l.Parts(cmp.Or(t.When, s.All()))
	rest, named := sentences.Read(t.Rest)
	if !t.Said || t.Left || t.Wrong || !day || !named || l.IsOnlyTime(s.All()) {
		return tools.Intent{}, false
	}
	states := aheadOfUs.MatchString(s.All())
	switch {
	case states && !(aims.MatchString(s.All()) && !sentences.AnyOf(s, elsewhereDone)):
		return tools.Intent{}, false
	case !states && (sentences.AnyOf(rest, plans.Saying) || sentences.AnyOf(rest, elsewhereDone) || sentences.AnyOf(rest, plans.Secondly)):
		return tools.Intent{}, false
	case !clock && sentences.HasAny(s, "today", "now", "tonight") && !states:
		return tools.Intent{}, false
	}
	in, ok := l.Entered(s.All(), false, false)
	if what, _ := in.Params["what"].(string); !ok || !in.Ask.IsZero() || in.Tool != tools.SkillAppointment || len(what) < 3 {
		return tools.Intent{}, false
	}
	return l.OfferedAs(in, s.All()), true
}

// inTheWorldApart are the words of inTheWorld that no appointment has in its name.
var inTheWorldApart = sentences.WordsIn(`weather rain snow sunny temperature forecast news traffic stock stocks price score nearby near umbrella song email emails mail inbox`)

// places are words before where something is.
const places = "in|under|at|behind|inside|with|beneath|below|above|beside|near|next"

// lasts hears what is only said to be so, and lasts: "my dentist is Dr Brown", "the spare key is in the shed now".
func (l Listener) lasts(s sentences.Said) (tools.Intent, bool) {
	const most = 14
	if s.Question || len(s.Words) > most || len(s.Words) < 4 || sentences.AnyOf(s, plans.InTheWorld) || sentences.HasAny(s, "list", "one", "it", "that") || l.Timing(s.All()).Said {
		return tools.Intent{}, false
	}
	c, whose := s.Any("my|our *who is|are called|named? *value")
	if owner := s.Words[0].Lower; !whose && isName(s) && (strings.HasSuffix(owner, "'s") || strings.HasSuffix(owner, "s'")) {
		c, whose = s.Any("*who is|are called|named? *value") // Anna's number
	}
	_, is := s.Any("*who is|are allergic|intolerant to *value", "*who has|have an allergy to *value")
	_, where := s.Any("the|my|our *what is|are now? " + places + " *value")
	value := c.Sentence("value")
	switch {
	case is && (isName(s) || s.Is(0, "my", "our", "i")):
	case where && !sentences.HasAny(s, "fire", "mood", "way", "trouble", "hurry", "charge", "fault", "mess"):
	case !whose || value.Is(0, "not", "no", "so", "too", "very", "really", "on", "off", "gone", "lost", "wrong", "broken", "late", "tired", "sick", "bored", "sad", "happy", "cold", "hot", "full", "empty", "dead", "low", "a", "an", "the", "going", "coming", "getting", "being", "good", "bad", "nice", "great", "done", "over", "fine", "what", "never", "always", "all", "killing", "hurting", "feeling"):
		return tools.Intent{}, false
	case !isName(value) && !tools.IsNumber(value.Words[0].Lower):
		return tools.Intent{}, false
	}
	in := remembering(s)
	in.Offer, in.Ask = true, tools.Says("ask.keep", "as", speech.Kind("memory"), "what", s.All())
	return in, true
}

// chores are verbs of what one does oneself.
var chores = sentences.WordsIn(`buy get pay pick drop return bring collect fetch water feed walk wash clean vacuum mop sweep iron mow cook bake fix repair check renew submit finish hand visit meet ask congratulate practice practise study prepare pack print sign
	sell paint charge refill replace change take give invite apply register vote exercise train jog run book reserve order cancel call phone ring email text mail write send message`)

// handed are those of them that a person may expect Chalie to do: what is offered is a reminder.
var handed = sentences.WordsIn(`book reserve order cancel call phone ring email text mail write send message run train change take give get check`)

// toDo hears what one has to do oneself, said without more: with a time a reminder is offered.
func (l Listener) toDo(s sentences.Said) (tools.Intent, bool) {
	const most = 12
	if s.Question || len(s.Words) > most || len(s.Words) < 2 || !chores[s.Words[0].Lower] || s.Words[0].Quoted || sentences.HasAny(s, "list", "lists", "alarm", "reminder", "me", "you", "us", "it", "that", "them", "one", "volume", "light", "lights") {
		return tools.Intent{}, false
	}
	t := l.Timing(s.All())
	switch what, ok := sentences.Read(t.Rest); {
	case t.Said && ok && t.When != "" && !t.Left && !t.Wrong && len(what.Words) > 1:
		in := l.SaidOf(what.All(), t.When, s.All())
		in.Offer, in.Ask = true, tools.Says("ask.keep", "as", speech.Kind("reminder"), "what", s.All())
		return in, true
	case t.Said || t.Wrong || t.Left || handed[s.Words[0].Lower]:
		return tools.Intent{}, false
	}
	return tools.Intent{Tool: tools.SkillTask, Params: map[string]any{"action": "create", "what": s.All()}, Subject: "what", Moment: "deadline",
		Offer: true, Ask: tools.Says("ask.keep", "as", speech.Kind("task"), "what", s.All())}, true
}

// isWorkedOut reports whether a text is a question whose answer is worked out, whatever else could be made of its
// words. Where something is missing for the answer a tool may have it.
func (l Listener) isWorkedOut(text string) bool {
	is, known := l.Times.Worked[text]
	if !known {
		worked, ok := abroad.WorkedOut(l.P, text)
		is = ok && !worked.Open
		l.Times.Worked[text] = is
	}
	return is
}
