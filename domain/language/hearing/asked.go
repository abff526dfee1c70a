package hearing

import (
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// isName reports whether the first word is written as a name is.
func isName(s sentences.Said) bool {
	first := s.Text[s.Words[0].Start]
	return first >= 'A' && first <= 'Z'
}

// undone hears who wants the last change taken back.
func (l Listener) undone(s sentences.Said) (tools.Intent, bool) {
	if _, ok := l.Offered(tools.SkillUndo); !ok || s.Question {
		return tools.Intent{}, false
	}
	for s.Is(0, "no", "oops", "wait", "sorry", "actually", "oh", "ok", "okay") && len(s.Words) > 1 {
		s = s.From(1)
	}
	_, ok := s.Any(
		"undo", "undo it|that|this|again", "undo the|my last? change|changes|action|thing|step|one", "undo what i|you just? did|said|changed", "undo the last",
		"take it|that|this back", "take back it|that|this", "take back what i just? said|did", "take back the|my last change|thing|one", "revert", "revert it|that|this", "revert the|my last? change|changes|action",
		"reverse it|that", "roll it|that back", "i did not mean it|that|this", "i did not mean to", "i did not mean to do it|that", "i did not want it|that|this", "i did not say that",
		"that|it was a|my mistake", "that|it was not what i meant|wanted", "that|this is not what i meant|wanted|said", "put|change|set it|that|everything back", "put|change|set it|that|everything back the way|as it was", "put it|that back how it was",
		"make it|that as it was", "make it|that the way it was", "go back one step?", "ctrl z",
	)
	params := map[string]any{}
	if last, follows := l.Last(); follows {
		params = l.UndoOf(last)
	}
	return tools.Intent{Tool: tools.SkillUndo, Params: params}, ok
}

// asksMemory hears questions that only a memory can answer, as far as nothing else is meant
// by them: "where is the spare key?", "who is Bob?"; also behind why it is asked: "I'm locked
// out, where's the extra key".
func (l Listener) asksMemory(s sentences.Said) (tools.Intent, bool) {
	for i := len(s.Words) - 1; i > 0; i-- {
		if s.Words[i-1].Stop && s.Is(i, "where", "who") && s.Is(0, "i", "we", "my", "sorry", "help") {
			s = s.From(i)
			break
		}
	}
	if in, ok := l.asksFact(s); ok && !s.Is(0, "where") {
		return in, true
	}
	c, ok := s.Any("where is|are|was|were *about", "who is|are|was *about", "do you know where|who *about is|are", "tell me where|who *about is|are", "where did i|we put|leave|hide|park|keep|store *about", "where do i|we keep|store|have *about",
		"did i tell|say you? where|who *about is|are", "what is|are under|behind|beneath|inside|below|beside|above *about", "what is|are|was *about", "when is|are|was *about")
	if !ok {
		if in, ok := l.asksFact(s); ok {
			return in, true
		}
		return l.asksPerson(s)
	}
	about := c.Sentence("about")
	if s.Is(0, "where") && !s.Is(2, "did", "do") && l.takesPlace(about) {
		return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"which": about.All()}, Subject: "which", Weak: true}, true
	}
	possessive := false
	for i, w := range about.Words {
		possessive = possessive || i < len(about.Words)-1 && (strings.HasSuffix(w.Lower, "'s") || strings.HasSuffix(w.Lower, "s'"))
	}
	switch {
	case len(about.Words) > maxAboutWords, sentences.HasAny(about, "i", "you", "your", "we", "he", "she", "it", "they", "this", "that", "there", "everybody", "everyone", "going", "coming", "from", "now", "today's", "yesterday's", "tomorrow's", "tonight's"):
		return tools.Intent{}, false
	case s.Is(0, "what") && !possessive && sentences.HasAny(about, kept...):
	case s.Is(0, "what", "when") && !possessive && !s.Is(2, "under", "behind", "beneath", "inside", "below", "beside", "above"), s.Is(0, "who") && about.Is(0, "the", "a", "an"):
		return tools.Intent{}, false // that may be asked about anything
	}
	for len(about.Words) > 1 && about.Is(0, "the", "my", "our") {
		about = about.From(1)
	}
	return tools.Intent{Tool: tools.SkillRecall, Params: map[string]any{"about": about.All()}, Subject: "about", Weak: true}, true
}

// asksFact hears what somebody likes or needs, or where one has left something: "what does Anna
// like?", "where did I park?".
func (l Listener) asksFact(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("what does|do|did *who like|love|hate|prefer|want|need|eat|drink|collect|wear|drive|own|play|study|teach", "what kind|size|type|color|colour|sort|brand of? *what does|do *who like|love|hate|prefer|want|need|eat|drink|collect|wear|drive|own|have")
	condition := ""
	if !ok {
		for _, way := range []struct {
			condition string
			phrases   []sentences.Phrase
		}{
			{"is allergic to", []sentences.Phrase{"what is|are *who allergic to", "is|are *who allergic to anything|something", "does|do *who have any|an? allergies|allergy|intolerances|intolerance", "what allergies does|do *who have"}},
			{"can't eat", []sentences.Phrase{"what can not *who eat|have", "what should not *who eat|have", "what must not *who eat|have", "what may not *who eat|have", "is|are there anything|something *who can not eat|have", "what is|are *who not allowed to eat|have"}},
			{"is afraid of", []sentences.Phrase{"what is|are *who afraid|scared of"}},
			{"is good at", []sentences.Phrase{"what is|are *who good|bad at"}},
			{"is interested in", []sentences.Phrase{"what is|are *who interested in", "what is|are *who into"}},
		} {
			if c, ok = s.Any(way.phrases...); ok {
				condition = way.condition
				break
			}
		}
	}
	if ok {
		who := c.Sentence("who")
		if len(who.Words) > maxAboutWords || sentences.HasAny(who, "i", "you", "we", "it", "they", "he", "she", "people", "this", "that") || !who.Is(0, "my", "our") && !isName(who) {
			return tools.Intent{}, false
		}
		for len(who.Words) > 1 && who.Is(0, "my", "our") {
			who = who.From(1)
		}
		about := who.All()
		if condition != "" {
			about = "what " + about + " " + condition
		}
		return tools.Intent{Tool: tools.SkillRecall, Params: map[string]any{"about": about}, Subject: "about", Weak: true}, true
	}
	if c, ok = s.Any("where did|have i|we *about", "where am i *about"); ok && c.Sentence("about").Is(0, "park", "parked", "put", "leave", "left", "hide", "hidden") {
		return tools.Intent{Tool: tools.SkillRecall, Params: map[string]any{"about": c.Get("about")}, Subject: "about", Weak: true}, true
	}
	return tools.Intent{}, false
}

// asksPerson hears questions about somebody by name that is answered with yes or no, or how:
// "does Anna have a brother", "how do Anna and Bob know each other".
func (l Listener) asksPerson(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("is|are|does|do|has|have|was *about", "how is|are|do|does *about", "where does|do|did *about live|work|stay")
	about := c.Sentence("about")
	if !ok || len(about.Words) > maxAboutWords || len(about.Words) < 2 && !s.Is(0, "where") || sentences.HasAny(about, "i", "you", "your", "we", "it", "they", "this", "that", "there") {
		return tools.Intent{}, false
	}
	if !isName(about) || l.Timing(about.All()).Said {
		return tools.Intent{}, false
	}
	return tools.Intent{Tool: tools.SkillRecall, Params: map[string]any{"about": about.All()}, Subject: "about", Weak: true}, true
}

// kept are what one has told to know it later.
var kept = strings.Split(attributes+"|password|passcode|pin|login|wifi|birthday|address|key|keys", "|")

// maxAboutWords bounds what a question about a memory names.
const maxAboutWords = 6
