package hearing

import (
	"slices"

	"chalie/domain"
	"chalie/domain/language"
)

// remember hears what the person wants Chalie to know.
func (l listener) remember(s said) (intent, bool) {
	if s.question {
		return intent{}, false
	}
	c, ok := s.any("remember that *what", "remember: *what", "keep in mind that *what", "keep in mind: *what", "note that *what", "note: *what", "make|take a note that|of *what", "make|take a note: *what",
		"do not forget that *what", "bear in mind that *what", "for your information: *what")
	if !ok {
		// Without "that" only what says that something is so.
		c, ok = s.match("remember *what")
		what := c.sentence("what")
		if !ok || what.is(0, "when", "how", "what", "where", "who", "why", "if", "to", "me", "us", "it", "this", "that", "the", "?") && !what.is(0, "the") || !hasAny(what.from(min(1, len(what.words))),
			"is", "are", "was", "has", "have", "likes", "like", "loves", "love", "hates", "hate", "lives", "live", "prefers", "prefer", "wants", "works", "work", "drinks", "eats", "owns", "drives") {
			return intent{}, false
		}
	}
	return intent{tool: skillRemember, params: map[string]any{"what": c.get("what")}, subject: "what"}, true
}

// recall hears who asks for what Chalie was told to remember.
func (l listener) recall(s said) (intent, bool) {
	if _, ok := s.any("what do you remember|know", "what do you remember|know about me", "what have i told you", "what did i tell you", "what did i tell you to remember",
		"list|show|tell|give|read me? all|everything that? i have? asked|told|had you to? remember?", "what have i asked|told you to remember", "show|list|read|tell me? all? of? my|your|the memories", "what is|are in your memory", "what are my memories", "what do you have in memory"); ok {
		return intent{tool: skillRecall, params: map[string]any{}}, true
	}
	c, ok := s.any("what do you remember|know about|of *about", "what did i tell|say you? about *about", "what have i told you about *about", "do you remember|know who|what|where|when my *about is|are", "do you remember *about", "do you know who|what is|are my *about",
		"do you know my|our *about", "do you know anything|something about my|our *about", "recall *about", "tell me who|what|where my|our *about is|are", "tell me what you remember|know about *about",
		"who|what|where is|are|was|were my|our *about", "what is the name of my *about", "tell me my *about", "when is|are|was my|our *about")
	if !ok {
		return intent{}, false
	}
	about := c.sentence("about")
	if s.is(0, "where") && l.takesPlace(about) {
		return intent{tool: skillPlans, params: map[string]any{"which": about.all()}, subject: "which"}, true
	}
	for i, w := range about.words {
		if s.is(0, "when") {
			break // it may be remembered, or planned
		}
		if n := nouns[w.lower]; n != noNoun && n != anOccasion && (i == len(about.words)-1 || i == 0 || about.is(i+1, "today", "tomorrow", "for", "on", "this", "next", "olly", "so", "in")) || about.is(i, "lists", "list") {
			return intent{}, false // that is planned, or a list
		}
	}
	if len(about.words) > 8 || about.is(0, "me", "i", "it", "this", "that", "when", "how", "opinion", "point", "fault", "problem") {
		return intent{}, false
	}
	return intent{tool: skillRecall, params: map[string]any{"about": about.all()}, subject: "about"}, true
}

// takesPlace reports whether something is planned, and so is at a place: lunch with somebody, or what an
// appointment in mind is called. The spare key is only somewhere.
func (l listener) takesPlace(about said) bool {
	for i := range about.words {
		if n := nouns[about.words[i].lower]; (n == anEvent || n == anOccasion) && about.is(i+1, "with") {
			return true
		}
	}
	return slices.ContainsFunc(l.p.World, func(item language.ContextItem) bool {
		label, ok := read(item.Label)
		return ok && item.Kind == domain.ItemAppointment && !slices.ContainsFunc(about.words, func(w word) bool {
			return !emptyWords[w.lower] && !hasAny(label, w.lower)
		})
	})
}

// forget hears what Chalie isn't to remember any more.
func (l listener) forget(s said) (intent, bool) {
	if s.question {
		return intent{}, false
	}
	c, ok := s.any("forget what i said|told you? about *what", "forget that|about? *what", "delete|remove the|my? memory|memories about|of|that *what", "do not remember *what any more|longer", "do not remember *what anymore")
	if !ok {
		return intent{}, false
	}
	what := c.sentence("what")
	if _, idle := what.any("it|that|this|me|everything|all|about", "about it|that|this|me", "it all", "all about|of it|that", "it then|please|now"); idle || what.is(0, "to", "about", "it", "whether", "how", "why", "what", "everything", "all", "you", "i") || len(what.words) > 12 {
		return intent{}, false
	}
	for len(what.words) > 1 && what.is(0, "my", "the", "our") {
		what = what.from(1)
	}
	return intent{tool: skillForget, params: map[string]any{"what": what.all()}, subject: "what", weak: true}, true
}
