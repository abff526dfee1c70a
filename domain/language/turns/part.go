package turns

import (
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language/hearing"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// Questions for a part of a plan: where it is, who takes part, when it begins and ends, how long it is. What is
// asked about is pointed at, or named where a phrase has *which.
var (
	partsOfIt = []sentences.Phrase{
		"where is|was|are it|that|this|they", "where is it|that held|on|happening", "where does|do|will it|that|they|we|everyone start|begin|meet|happen|go", "where does|do|will it|that take place",
		"where do|should|must i|we have|need to go|be", "where do|should|must i|we go|be|meet", "where am|are i|we meeting|seeing him|her|them?", "where",
		"what is|was the address|place|location|room", "which|what room|place|address is|was it|that|this in|at?",
		"who is|are in|on|at|with it|that|this", "who is|are else? coming|going|invited|joining|in", "who is|are coming|going|invited to it|that", "who am|are i|we meeting|seeing there?", "who am|are i|we going|meeting with", "who with", "with whom",
		"who will be there", "who is it|that with", "who takes|is taking? part",
		"when is|was|are it|that|this|those|they due|over|done|finished?", "when does|do|did|will it|that|this|they start|begin|end|finish|stop|leave|open|close|go|happen|arrive|depart|run", "when does|will it|that|this take off|place",
		"when will it|that|this be over|done|finished", "what time does|do|did|will it|that|this|they start|begin|end|finish|stop|leave|open|close|go|happen|arrive|depart|run", "what time does|will it|that|this take off|place",
		"what time is|was that|this", "what day|date is|was it|that|this", "on what|which day|date is|was it|that|this", "which day|date is|was it|that|this on", "at what time is it|that", "at what time", "what time", "when",
		"how long is|was it|that|this", "how long does|do|will|did it|that|this|they take|last|run|be", "how long does|will it|that|this go on", "how long", "until when is|does|will it|that|this be|go|last|run|take? on?", "until when",
		"what time do|should i|we be there", "what time do i|we have|need to be there",
	}
	partsOfNamed = []sentences.Phrase{
		"where is|was|are *which", "where does|do|will *which start|begin|meet|happen", "where does *which take place", "who is|are in|on|at|with *which", "who is|are coming|going|invited to *which", "who am|are i|we meeting|seeing at|for *which", "who is *which with",
		"when does|do|will *which start|begin|end|finish|stop|leave|depart", "what time does|do|will *which start|begin|end|finish|stop|leave|depart", "when does *which take off|place", "when is *which over|done|finished", "when will *which be over|done|finished",
		"how long is|was *which", "how long does|do|will *which take|last|run|be", "how long does|will *which go on", "until when is|does|will *which be|go|last|run|take on?",
	}
	// timesOfNamed may as well ask for what is planned by these words, so that only what points is taken.
	timesOfNamed = []sentences.Phrase{"when is|was|are *which", "what time is|was *which", "what about *which"}
	doings       = []sentences.Phrase{"when|where am|are|do|will|should|must|shall i|we *doing", "what time am|are|do|will|should|must|shall i|we *doing", "when do|will|are you *doing"}
)

// besidePart are words that a question for a part may begin or end with.
var besidePart = []string{"and", "so", "ok", "okay", "but", "oh", "wait", "hm", "well", "again", "exactly", "actually", "then", "now", "please", "though", "anyway", "once", "more", "chalie", "remind", "me", "tell"}

// asksPart hears a question for a part of a plan that was last spoken of, or that is named: the plan is told, with
// all that is known of it.
func (l Talk) asksPart(text string) []tools.Intent {
	const most = 12
	s, ok := sentences.Read(text)
	if !ok || len(s.Words) > most {
		return nil
	}
	for len(s.Words) > 1 && s.Is(0, besidePart...) {
		s = s.From(1)
	}
	for len(s.Words) > 1 && s.Is(len(s.Words)-1, besidePart...) {
		s = s.UpTo(len(s.Words) - 1)
	}
	if !s.Is(0, "where", "who", "when", "what", "how", "which", "with", "at", "on", "until") {
		return nil
	}
	open := openOf(l.Spoken())
	if _, of := s.Any(partsOfIt...); of {
		if len(open) == 1 && open[0].Tool == tools.SkillReminder && (s.Is(0, "where", "who", "how", "with") || sentences.HasAny(s, "end", "finish", "over")) {
			open = l.remindedOf(open[0])
		}
		return l.toldOf(open)
	}
	if c, of := s.Any(doings...); of && len(open) == 1 && doesIt(c.Sentence("doing"), open[0]) {
		return l.toldOf(open)
	}
	if c, of := s.Any(partsOfNamed...); of {
		return l.toldOf(l.partOf(c.Sentence("which"), true))
	}
	if c, of := s.Any(timesOfNamed...); of && points(c.Sentence("which")) {
		return l.toldOf(l.partOf(c.Sentence("which"), false))
	}
	return nil
}

// toldOf tells plans: one with all that is known of it, of several which one is meant.
func (l Talk) toldOf(all []hearing.Mentioned) []tools.Intent {
	if _, ok := l.Offered(tools.SkillPlans); !ok || len(all) == 0 {
		return nil
	}
	if len(all) > 1 {
		return []tools.Intent{{Tool: tools.SkillPlans, Ask: l.which(all)}}
	}
	if all[0].ID == "" {
		return []tools.Intent{{Tool: tools.SkillPlans, Params: map[string]any{"which": all[0].Text}, Subject: "which"}}
	}
	return []tools.Intent{{Tool: tools.SkillPlans, Params: map[string]any{"which": all[0].ID}, Subject: "which"}}
}

// remindedOf is the appointment that a reminder is of, where that was spoken of, too: only it has a place, people
// and an end.
func (l Talk) remindedOf(reminder hearing.Mentioned) []hearing.Mentioned {
	for _, turn := range slices.Backward(l.Turns()) {
		for _, m := range appointmentsOf(openOf(l.MentionedIn(turn.Done))) {
			if strings.EqualFold(m.Text, reminder.Text) && !l.hasEnded(m) {
				return []hearing.Mentioned{m}
			}
		}
	}
	return []hearing.Mentioned{reminder}
}

// points reports whether words point at one of those that were spoken of: the first one, the other.
func points(which sentences.Said) bool {
	return sentences.HasAny(which, "one", "other", "first", "second", "third", "last") && !which.Is(0, "my", "our")
}

// partOf are the plans that a question names: of those that were spoken of, or, where nothing else in mind has
// these words, of those in mind.
func (l Talk) partOf(which sentences.Said, inMind bool) []hearing.Mentioned {
	if points(which) {
		for i := 2; i < len(which.Words); i++ { // the first one on Monday
			if l.IsPeriod(which.Part(i, len(which.Words))) {
				which = which.UpTo(i)
			}
		}
		if listed := l.listed(); len(l.Spoken()) < 2 && len(listed) > 1 {
			if at, one := l.pointsAt(listed, which); one && !l.hasEnded(listed[at]) {
				return listed[at : at+1] // of those that were told together
			}
		}
		chosen, _ := l.pointedAt(which, "tell")
		return chosen
	}
	for len(which.Words) > 1 && which.Is(0, "the", "my", "our", "that", "this") {
		which = which.From(1)
	}
	var all []hearing.Mentioned
	for _, turn := range l.Turns() {
		for _, m := range openOf(l.MentionedIn(turn.Done)) {
			all = append(without(all, m), m)
		}
	}
	if at, found := l.worded(all, which); found == 1 && !l.hasEnded(all[at]) {
		return all[at : at+1]
	}
	const most = 4
	if !inMind || len(which.Words) == 0 || len(which.Words) > most {
		return nil
	}
	found := 0
	for _, item := range l.P.World {
		label, ok := sentences.Read(item.Label)
		if !ok || slices.ContainsFunc(which.Words, func(w sentences.Word) bool { return !sentences.EmptyWords[w.Lower] && !hasStart(label, w.Lower) }) ||
			!slices.ContainsFunc(which.Words, func(w sentences.Word) bool { return !sentences.EmptyWords[w.Lower] }) {
			continue
		}
		if item.Kind != domain.ItemAppointment {
			return nil // it may be about that
		}
		found++
	}
	if found == 0 {
		return nil
	}
	return []hearing.Mentioned{{Text: which.All()}}
}

// doesIt reports whether words with a pronoun say what a plan is about: when am I ringing her?
func doesIt(doing sentences.Said, m hearing.Mentioned) bool {
	if !sentences.HasAny(doing, "him", "her", "it", "them", "there", "that") {
		return false
	}
	in, ok := sentences.Read(m.Text)
	return ok && slices.ContainsFunc(doing.Words, func(w sentences.Word) bool {
		stem := strings.TrimSuffix(w.Lower, "ing")
		return len(stem) > 2 && !sentences.EmptyWords[w.Lower] && hasStart(in, stem)
	}) || ok && m.Tool == tools.SkillAppointment && doing.Is(0, "see", "seeing", "meet", "meeting")
}
