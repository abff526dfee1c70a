package hearing

import (
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// memorized hears who wants something to be kept or forgotten, in words that say that it is
// about what Chalie knows: "my blood type is O negative, remember that", "delete what you
// know about Bob".
func (l Listener) memorized(s sentences.Said) (tools.Intent, bool) {
	if s.Question || strings.Contains(s.Text, "[redacted: ") {
		return tools.Intent{}, false // a secret isn't kept
	}
	if s.Is(0, "save") && sentences.HasAny(s, "song", "track", "album", "playlist", "favorites", "favourites", "library", "photo", "file", "screenshot") {
		return tools.Intent{}, false // it is kept elsewhere
	}
	for _, hear := range []func(sentences.Said) (tools.Intent, bool){l.toldToKeep, l.keptBehind, l.forgotten} {
		if in, ok := hear(s); ok {
			return in, true
		}
	}
	return tools.Intent{}, false
}

// remembering is a memory of what was said.
func remembering(what sentences.Said) tools.Intent {
	return tools.Intent{Tool: tools.SkillRemember, Params: map[string]any{"what": what.All()}, Subject: "what"}
}

// toldToKeep hears what is to be kept behind the words that say so.
func (l Listener) toldToKeep(s sentences.Said) (tools.Intent, bool) {
	if sentences.IsSlipOf("remember", s.Words[0].Lower) || s.Is(0, "remmember", "rember") {
		s.Words = append([]sentences.Word{s.Words[0]}, s.Words[1:]...)
		s.Words[0].Lower = "remember"
		if c, ok := s.Match("remember that *what"); ok {
			return remembering(c.Sentence("what")), true
		}
	}
	if _, bare := s.Any("remember|memorize|memorise something|this|it for? me?", "remember something|this for me please?", "note|save this|something"); bare {
		return tools.Intent{Tool: tools.SkillRemember, Params: map[string]any{}, Subject: "what", Missing: "what", Ask: tools.Says("ask.remember_what")}, true
	}
	if c, ok := s.Any("note|reminder to|for self|myself that? *what", "note|reminder to|for self|myself: *what"); ok {
		return l.toSelf(c.Sentence("what"))
	}
	c, ok := s.Any(
		"memorize|memorise|learn|know|record that *what", "jot|write|note it? down that *what", "jot|write|note it? down: *what", "jot|write|note this down *what", "take a? note that|of? *what", "take a? note: *what",
		"put|store|save|keep|add it|this? in|into|to your|the? memory that *what", "put|store|save|keep|add it|this? in|into|to your|the? memory: *what", "for future reference *what", "for the record *what", "just? so you know *what", "fyi *what", "for later *what",
		"save|keep|memorize|memorise|remember|learn|note this|it|something: *what", "save|keep|memorize|memorise|remember|learn|note this|it|something about|for me|later: *what", "save|keep|memorize|memorise|remember|learn|note for later: *what", "memorize|memorise this *what",
	)
	if ok {
		return remembering(c.Sentence("what")), len(c.Sentence("what").Words) > 1
	}
	c, ok = s.Any("remember *what")
	what := c.Sentence("what")
	const fewest = 4
	switch {
	case !ok || len(what.Words) < fewest:
		return tools.Intent{}, false
	case what.Is(0, "i", "we") && !what.Is(1, "have", "need", "must", "should", "want", "will", "am", "are", "do", "can", "said", "told", "asked", "had"):
		return remembering(what), true
	case what.Is(0, "this") && !what.Is(1, "is") && sentences.HasStop(what):
		return remembering(what), true
	}
	return tools.Intent{}, false
}

// toSelf is a note to oneself: a reminder where it has a time, otherwise a task or a memory.
func (l Listener) toSelf(what sentences.Said) (tools.Intent, bool) {
	if t := l.Timing(what.All()); t.Said && t.Rest != "" {
		return l.Reminded(what.All()), true
	}
	if todo, ok := l.toDo(what); ok {
		todo.Ask = speech.Message{}
		return todo, true
	}
	return remembering(what), len(what.Words) > 1
}

// attributes are what somebody or something has one of, for a long time.
const attributes = "size|name|number|color|colour|code|plate|combination|nickname|allergy|brand|hint"

// stated hears what is said to be so, of what lasts: "my wife's ring size is 6", "the vet is
// called Dr. Papadopoulos".
func (l Listener) stated(s sentences.Said) (tools.Intent, bool) {
	if s.Question || !s.Is(0, "my", "our", "the") {
		return tools.Intent{}, false
	}
	c, ok := s.Any("my|our|the *whose "+attributes+" is *value", "my|our "+attributes+" is *value", "my|our|the *whose is called|named *value")
	value := c.Sentence("value")
	const most = 8
	if !ok || len(s.Words) > most+2 || len(value.Words) == 0 || value.Is(0, "not", "on", "off", "too", "so", "very", "gone", "lost", "wrong", "what") || l.Timing(value.All()).When == value.All() && !tools.IsNumber(value.All()) {
		return tools.Intent{}, false
	}
	return remembering(s), true
}

// keptBehind hears what is to be kept before the words that say so.
func (l Listener) keptBehind(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("*what please|and? please? remember|memorize|memorise that|it|this? for? me? please?", "*what please|and? keep that|it|this in mind", "*what please|and? make|take a note of? that|it|this?", "*what please|and? note|save that|it|this")
	what := c.Sentence("what")
	const fewest = 3
	if !ok || len(what.Words) < fewest || !what.Words[len(what.Words)-1].Stop || what.Is(0, "if", "do", "did", "can", "could", "please", "to", "remind") {
		return tools.Intent{}, false
	}
	if _, planned := l.one(what); planned || l.Timing(what.All()).Said && !sentences.HasAny(s, "remember", "memorize", "memorise", "mind") {
		return tools.Intent{}, false // it is a request of another sort, or an appointment
	}
	return remembering(what), true
}

// forgotten hears what isn't to be known any more.
func (l Listener) forgotten(s sentences.Said) (tools.Intent, bool) {
	if _, all := s.Any("forget everything|all you know|remember|learned about|of? me?", "forget|delete|erase|clear|wipe all|everything of? my|the|your? memories|memory", "delete|erase|remove|clear|wipe all? of? my|the|your memories|memory", "forget everything about me", "delete|erase everything you know|remember about|of? me?"); all {
		return tools.Intent{Tool: tools.SkillForget, Params: map[string]any{"all": true}}, true
	}
	c, ok := s.Any("delete|erase|remove|clear|drop|forget what you know|remember|have about|of *what", "delete|erase|remove|clear|drop the|my|that? memory|memories about|of|that *what", "forget where|who|when|what|how *what is|are|was|were", "forget what *what likes|like|wants|want|needs|need|eats|eat|drinks|drink|prefers|hates|loves", "forget everything|all|anything about *what", "forget everything|all|anything you know|remember about *what")
	if !ok {
		if c, ok = s.Any("*what is|are not *before any|no more|longer forget it|that|this", "*what is|are not *before anymore forget it|that|this", "*before forget *what"); !ok {
			return tools.Intent{}, false
		}
		before := c.Sentence("before")
		if behind := c.Sentence("what"); !before.Words[len(before.Words)-1].Stop && s.Is(len(s.Words)-1, behind.Words[len(behind.Words)-1].Lower) {
			return tools.Intent{}, false
		}
	}
	what := c.Sentence("what")
	if s.Begins("forget", "what") && !sentences.HasAny(s, "is", "are", "was", "were") {
		what = s.From(2)
	}
	for len(what.Words) > 1 && what.Is(0, "my", "the", "our") {
		what = what.From(1)
	}
	const most = 8
	if len(what.Words) > most || what.Is(0, "it", "that", "this", "me", "about", "to", "everything", "all", "i") || sentences.HasAny(what, "forget") {
		return tools.Intent{}, false
	}
	return tools.Intent{Tool: tools.SkillForget, Params: map[string]any{"what": what.All()}, Subject: "what", Weak: true}, true
}
