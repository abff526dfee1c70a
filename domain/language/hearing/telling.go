package hearing

import (
	"cmp"
	"regexp"
	"strings"
)

// offers hears what isn't asked for, only told, and nothing else: what has a day is offered to be
// put into the calendar, what lasts to be remembered, what one does oneself to be told of. Nothing is done before a yes.
func (l listener) offers(text string) []intent {
	s, ok := read(text)
	if !ok || l.isWorkedOut(text) {
		return nil
	}
	s = s.withoutIdle()
	for _, hear := range []func(said) (intent, bool){l.lasts, l.toDo, l.told} {
		if in, ok := hear(s); ok {
			return []intent{in}
		}
	}
	return nil
}

// elsewhereDone are verbs of what other programs do, and words that only tell how one feels.
var elsewhereDone = wordsIn(`play turn send order email mail text post tweet open close start stop pause resume switch increase decrease lower raise brew make cook find search look show tell give read say sing check what's how's
	record translate define calculate convert navigate drive recommend suggest describe explain book reserve rent hail dim brighten mute unmute volume call dial message reply answer share rate like follow change update
	think hope guess wish feel felt feeling believe wonder love hate know knew mean sorry glad happy sad tired sick bored hungry thirsty no not never don't didn't won't can't isn't if maybe unless whether because was were had did yesterday ago last`)

// aheadOfUs finds a beginning that says that something is to come.
var aheadOfUs = regexp.MustCompile(`(?i)^(?:(?:my|the|our|his|her|their|a|an)\b.{1,60}?\b(?:is|are|'s)\b|(?:i'm|i am|we're|we are|i'll|i will|we'll|we will|there's|there is|there are|it's|it is)\b|\w+(?: and \w+)? (?:is|are) (?:coming|visiting|arriving|leaving|having|getting|flying|playing|here|in town)\b|\w+'s\b)`)

// aims are verbs of what one is going to do, which needs no other word for an appointment.
var aims = regexp.MustCompile(`(?i)\b(?:coming|visiting|arriving|leaving|flying|going to|having|hosting|attending|seeing|meeting|travell?ing|playing|performing|graduating|presenting|in town|get(?:ting)? married|due|be (?:in|at|on|out|away|off|here)|off (?:work|school)|on (?:vacation|holiday|leave)|(?:is|are) (?:on|at|this|next|tomorrow)|from|starts?|begins?|open(?:s|ing)|moving)\b`)

// told hears what is only said to be at a day that lies ahead: "the plumber is coming on Monday
// at 8", "flight to Rome on 3 December at 7:15 am".
func (l listener) told(s said) (intent, bool) {
	const most = 20
	if s.question || s.isEnding() || len(s.words) > most || anyOf(s, inTheWorldApart) || hasAny(s, "one", "ones", "it", "them", "that") || anyOf(s, devices) || anyOf(s, others) || elsewhereDone[s.words[0].lower] || s.is(0, "what", "when", "where", "who", "which", "how", "why", "is", "are", "do", "does", "can", "could", "would", "should", "will", "and", "or", "but", "for", "to", "please", "let's", "any") {
		return intent{}, false
	}
	t := l.occasion(s.all())
	day, clock := l.parts(cmp.Or(t.when, s.all()))
	rest, named := read(t.rest)
	if !t.said || t.left || t.wrong || !day || !named || l.isOnlyTime(s.all()) {
		return intent{}, false
	}
	states := aheadOfUs.MatchString(s.all())
	switch {
	case states && !(aims.MatchString(s.all()) && !anyOf(s, elsewhereDone)):
		return intent{}, false
	case !states && (anyOf(rest, saying) || anyOf(rest, elsewhereDone) || anyOf(rest, secondly)):
		return intent{}, false
	case !clock && hasAny(s, "today", "now", "tonight") && !states:
		return intent{}, false
	}
	in, ok := l.entered(s.all(), false, false)
	if what, _ := in.params["what"].(string); !ok || in.ask != "" || in.tool != skillAppointment || len(what) < 3 {
		return intent{}, false
	}
	return l.offeredAs(in, s.all()), true
}

// inTheWorldApart are the words of inTheWorld that no appointment has in its name.
var inTheWorldApart = wordsIn(`weather rain snow sunny temperature forecast news traffic stock stocks price score nearby near umbrella song email emails mail inbox`)

// places are words before where something is.
const places = "in|under|at|behind|inside|with|beneath|below|above|beside|near|next"

// lasts hears what is only said to be so, and lasts: "my dentist is Dr Brown", "the spare key is in the shed now".
func (l listener) lasts(s said) (intent, bool) {
	const most = 14
	if s.question || len(s.words) > most || len(s.words) < 4 || anyOf(s, inTheWorld) || hasAny(s, "list", "one", "it", "that") || l.timing(s.all()).said {
		return intent{}, false
	}
	c, whose := s.any("my|our *who is|are called|named? *value")
	if owner := s.words[0].lower; !whose && s.isName() && (strings.HasSuffix(owner, "'s") || strings.HasSuffix(owner, "s'")) {
		c, whose = s.any("*who is|are called|named? *value") // Anna's number
	}
	_, is := s.any("*who is|are allergic|intolerant to *value", "*who has|have an allergy to *value")
	_, where := s.any("the|my|our *what is|are now? " + places + " *value")
	value := c.sentence("value")
	switch {
	case is && (s.isName() || s.is(0, "my", "our", "i")):
	case where && !hasAny(s, "fire", "mood", "way", "trouble", "hurry", "charge", "fault", "mess"):
	case !whose || value.is(0, "not", "no", "so", "too", "very", "really", "on", "off", "gone", "lost", "wrong", "broken", "late", "tired", "sick", "bored", "sad", "happy", "cold", "hot", "full", "empty", "dead", "low", "a", "an", "the", "going", "coming", "getting", "being", "good", "bad", "nice", "great", "done", "over", "fine", "what", "never", "always", "all", "killing", "hurting", "feeling"):
		return intent{}, false
	case !value.isName() && !isNumber(value.words[0].lower):
		return intent{}, false
	}
	in := remembering(s)
	in.offer, in.ask = true, "Should I remember that: "+mention(s.all())+"? Say yes."
	return in, true
}

// chores are verbs of what one does oneself.
var chores = wordsIn(`buy get pay pick drop return bring collect fetch water feed walk wash clean vacuum mop sweep iron mow cook bake fix repair check renew submit finish hand visit meet ask congratulate practice practise study prepare pack print sign
	sell paint charge refill replace change take give invite apply register vote exercise train jog run book reserve order cancel call phone ring email text mail write send message`)

// handed are those of them that a person may expect Chalie to do: what is offered is a reminder.
var handed = wordsIn(`book reserve order cancel call phone ring email text mail write send message run train change take give get check`)

// toDo hears what one has to do oneself, said without more: with a time a reminder is offered.
func (l listener) toDo(s said) (intent, bool) {
	const most = 12
	if s.question || len(s.words) > most || len(s.words) < 2 || !chores[s.words[0].lower] || s.words[0].quoted || hasAny(s, "list", "lists", "alarm", "reminder", "me", "you", "us", "it", "that", "them", "one", "volume", "light", "lights") {
		return intent{}, false
	}
	t := l.timing(s.all())
	switch what, ok := read(t.rest); {
	case t.said && ok && t.when != "" && !t.left && !t.wrong && len(what.words) > 1:
		in := l.saidOf(what.all(), t.when, s.all())
		in.offer, in.ask = true, "Should I remind you of it: "+mention(s.all())+"? Say yes."
		return in, true
	case t.said || t.wrong || t.left || handed[s.words[0].lower]:
		return intent{}, false
	}
	return intent{tool: skillTask, params: map[string]any{"action": "create", "what": s.all()}, subject: "what", moment: "deadline",
		offer: true, ask: "Should I keep it as a task: " + mention(s.all()) + "? Say yes."}, true
}

// beAt finds that one has to be somewhere, which is what an appointment of it is called.
var beAt = regexp.MustCompile(`(?i)^(?:(?:i|we) (?:have|need|got|ought|am supposed|must|should) )?(?:to )?(be (?:at|in|on) .+)$`)

// beingAt is what one has to be somewhere for.
func beingAt(text string) string {
	if parts := beAt.FindStringSubmatch(text); parts != nil {
		return strings.TrimRight(parts[1], " ,.;")
	}
	return ""
}
