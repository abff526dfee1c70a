package hearing

import "strings"

// memorized hears who wants something to be kept or forgotten, in words that say that it is
// about what Chalie knows: "my blood type is O negative, remember that", "delete what you
// know about Bob".
func (l listener) memorized(s said) (intent, bool) {
	if s.question || strings.Contains(s.text, "[redacted: ") {
		return intent{}, false // a secret isn't kept
	}
	if s.is(0, "save") && hasAny(s, "song", "track", "album", "playlist", "favorites", "favourites", "library", "photo", "file", "screenshot") {
		return intent{}, false // it is kept elsewhere
	}
	for _, hear := range []func(said) (intent, bool){l.toldToKeep, l.keptBehind, l.forgotten} {
		if in, ok := hear(s); ok {
			return in, true
		}
	}
	return intent{}, false
}

// remembering is a memory of what was said.
func remembering(what said) intent {
	return intent{tool: skillRemember, params: map[string]any{"what": what.all()}, subject: "what"}
}

// toldToKeep hears what is to be kept behind the words that say so.
func (l listener) toldToKeep(s said) (intent, bool) {
	if isSlipOf("remember", s.words[0].lower) || s.is(0, "remmember", "rember") {
		s.words = append([]word{s.words[0]}, s.words[1:]...)
		s.words[0].lower = "remember"
		if c, ok := s.match("remember that *what"); ok {
			return remembering(c.sentence("what")), true
		}
	}
	if _, bare := s.any("remember|memorize|memorise something|this|it for? me?", "remember something|this for me please?", "note|save this|something"); bare {
		return intent{tool: skillRemember, params: map[string]any{}, subject: "what", missing: "what", ask: "What should I remember? Say it in a sentence, such as: the spare key is under the pot."}, true
	}
	if c, ok := s.any("note|reminder to|for self|myself that? *what", "note|reminder to|for self|myself: *what"); ok {
		return l.toSelf(c.sentence("what"))
	}
	c, ok := s.any(
		"memorize|memorise|learn|know|record that *what", "jot|write|note it? down that *what", "jot|write|note it? down: *what", "jot|write|note this down *what", "take a? note that|of? *what", "take a? note: *what",
		"put|store|save|keep|add it|this? in|into|to your|the? memory that *what", "put|store|save|keep|add it|this? in|into|to your|the? memory: *what", "for future reference *what", "for the record *what", "just? so you know *what", "fyi *what", "for later *what",
		"save|keep|memorize|memorise|remember|learn|note this|it|something: *what", "save|keep|memorize|memorise|remember|learn|note this|it|something about|for me|later: *what", "save|keep|memorize|memorise|remember|learn|note for later: *what", "memorize|memorise this *what",
	)
	if ok {
		return remembering(c.sentence("what")), len(c.sentence("what").words) > 1
	}
	c, ok = s.any("remember *what")
	what := c.sentence("what")
	const fewest = 4
	switch {
	case !ok || len(what.words) < fewest:
		return intent{}, false
	case what.is(0, "i", "we") && !what.is(1, "have", "need", "must", "should", "want", "will", "am", "are", "do", "can", "said", "told", "asked", "had"):
		return remembering(what), true
	case what.is(0, "this") && !what.is(1, "is") && hasStop(what):
		return remembering(what), true
	}
	return intent{}, false
}

// toSelf is a note to oneself: a reminder where it has a time, otherwise a task or a memory.
func (l listener) toSelf(what said) (intent, bool) {
	if t := l.timing(what.all()); t.said && t.rest != "" {
		return l.reminded(what.all()), true
	}
	if todo, ok := l.toDo(what); ok {
		todo.ask = ""
		return todo, true
	}
	return remembering(what), len(what.words) > 1
}

// attributes are what somebody or something has one of, for a long time.
const attributes = "size|name|number|color|colour|code|plate|combination|nickname|allergy|brand|hint"

// stated hears what is said to be so, of what lasts: "my wife's ring size is 6", "the vet is
// called Dr. Papadopoulos".
func (l listener) stated(s said) (intent, bool) {
	if s.question || !s.is(0, "my", "our", "the") {
		return intent{}, false
	}
	c, ok := s.any("my|our|the *whose "+attributes+" is *value", "my|our "+attributes+" is *value", "my|our|the *whose is called|named *value")
	value := c.sentence("value")
	const most = 8
	if !ok || len(s.words) > most+2 || len(value.words) == 0 || value.is(0, "not", "on", "off", "too", "so", "very", "gone", "lost", "wrong", "what") || l.timing(value.all()).when == value.all() && !isNumber(value.all()) {
		return intent{}, false
	}
	return remembering(s), true
}

// hasStop reports whether a comma or a stop stands within a sentence.
func hasStop(s said) bool {
	for i := range s.words[:max(len(s.words)-1, 0)] {
		if s.words[i].stop {
			return true
		}
	}
	return false
}

// keptBehind hears what is to be kept before the words that say so.
func (l listener) keptBehind(s said) (intent, bool) {
	c, ok := s.any("*what please|and? please? remember|memorize|memorise that|it|this? for? me? please?", "*what please|and? keep that|it|this in mind", "*what please|and? make|take a note of? that|it|this?", "*what please|and? note|save that|it|this")
	what := c.sentence("what")
	const fewest = 3
	if !ok || len(what.words) < fewest || !what.words[len(what.words)-1].stop || what.is(0, "if", "do", "did", "can", "could", "please", "to", "remind") {
		return intent{}, false
	}
	if _, planned := l.one(what); planned || l.timing(what.all()).said && !hasAny(s, "remember", "memorize", "memorise", "mind") {
		return intent{}, false // it is a request of another sort, or an appointment
	}
	return remembering(what), true
}

// forgotten hears what isn't to be known any more.
func (l listener) forgotten(s said) (intent, bool) {
	if _, all := s.any("forget everything|all you know|remember|learned about|of? me?", "forget|delete|erase|clear|wipe all|everything of? my|the|your? memories|memory", "delete|erase|remove|clear|wipe all? of? my|the|your memories|memory", "forget everything about me", "delete|erase everything you know|remember about|of? me?"); all {
		return intent{tool: skillForget, params: map[string]any{"all": true}}, true
	}
	c, ok := s.any("delete|erase|remove|clear|drop|forget what you know|remember|have about|of *what", "delete|erase|remove|clear|drop the|my|that? memory|memories about|of|that *what", "forget where|who|when|what|how *what is|are|was|were", "forget what *what likes|like|wants|want|needs|need|eats|eat|drinks|drink|prefers|hates|loves", "forget everything|all|anything about *what", "forget everything|all|anything you know|remember about *what")
	if !ok {
		if c, ok = s.any("*what is|are not *before any|no more|longer forget it|that|this", "*what is|are not *before anymore forget it|that|this", "*before forget *what"); !ok {
			return intent{}, false
		}
		before := c.sentence("before")
		if behind := c.sentence("what"); !before.words[len(before.words)-1].stop && s.is(len(s.words)-1, behind.words[len(behind.words)-1].lower) {
			return intent{}, false
		}
	}
	what := c.sentence("what")
	if s.begins("forget", "what") && !hasAny(s, "is", "are", "was", "were") {
		what = s.from(2)
	}
	for len(what.words) > 1 && what.is(0, "my", "the", "our") {
		what = what.from(1)
	}
	const most = 8
	if len(what.words) > most || what.is(0, "it", "that", "this", "me", "about", "to", "everything", "all", "i") || hasAny(what, "forget") {
		return intent{}, false
	}
	return intent{tool: skillForget, params: map[string]any{"what": what.all()}, subject: "what", weak: true}, true
}
