package hearing

import (
	"slices"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// remember hears what the person wants Chalie to know.
func (l Listener) remember(s sentences.Said) (tools.Intent, bool) {
	if s.Question {
		return tools.Intent{}, false
	}
	c, ok := s.Any("remember that *what", "remember: *what", "keep in mind that *what", "keep in mind: *what", "note that *what", "note: *what", "make|take a note that|of *what", "make|take a note: *what",
		"do not forget that *what", "bear in mind that *what", "for your information: *what")
	if !ok {
		// Without "that" only what says that something is so.
		c, ok = s.Match("remember *what")
		what := c.Sentence("what")
		if !ok || what.Is(0, "when", "how", "what", "where", "who", "why", "if", "to", "me", "us", "it", "this", "that", "the", "?") && !what.Is(0, "the") || !sentences.HasAny(what.From(min(1, len(what.Words))),
			"is", "are", "was", "has", "have", "likes", "like", "loves", "love", "hates", "hate", "lives", "live", "prefers", "prefer", "wants", "works", "work", "drinks", "eats", "owns", "drives") {
			return tools.Intent{}, false
		}
	}
	return tools.Intent{Tool: tools.SkillRemember, Params: map[string]any{"what": c.Get("what")}, Subject: "what"}, true
}

// recall hears who asks for what Chalie was told to remember.
func (l Listener) recall(s sentences.Said) (tools.Intent, bool) {
	if _, ok := s.Any("what do you remember|know", "what do you remember|know about me", "what have i told you", "what did i tell you", "what did i tell you to remember",
		"list|show|tell|give|read me? all|everything that? i have? asked|told|had you to? remember?", "what have i asked|told you to remember", "show|list|read|tell me? all? of? my|your|the memories", "what is|are in your memory", "what are my memories", "what do you have in memory"); ok {
		return tools.Intent{Tool: tools.SkillRecall, Params: map[string]any{}}, true
	}
	c, ok := s.Any("what do you remember|know about|of *about", "what did i tell|say you? about *about", "what have i told you about *about", "do you remember|know who|what|where|when my *about is|are", "do you remember *about", "do you know who|what is|are my *about",
		"do you know my|our *about", "do you know anything|something about my|our *about", "recall *about", "tell me who|what|where my|our *about is|are", "tell me what you remember|know about *about",
		"who|what|where is|are|was|were my|our *about", "what is the name of my *about", "tell me my *about", "when is|are|was my|our *about")
	if !ok {
		return tools.Intent{}, false
	}
	about := c.Sentence("about")
	if s.Is(0, "where") && l.takesPlace(about) {
		return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"which": about.All()}, Subject: "which"}, true
	}
	for i, w := range about.Words {
		if s.Is(0, "when") {
			break // it may be remembered, or planned
		}
		if n := sentences.Nouns[w.Lower]; n != sentences.NoNoun && n != sentences.AnOccasion && (i == len(about.Words)-1 || i == 0 || about.Is(i+1, "today", "tomorrow", "for", "on", "this", "next", "olly", "so", "in")) || about.Is(i, "lists", "list") {
			return tools.Intent{}, false // that is planned, or a list
		}
	}
	if len(about.Words) > 8 || about.Is(0, "me", "i", "it", "this", "that", "when", "how", "opinion", "point", "fault", "problem") {
		return tools.Intent{}, false
	}
	return tools.Intent{Tool: tools.SkillRecall, Params: map[string]any{"about": about.All()}, Subject: "about"}, true
}

// takesPlace reports whether something is planned, and so is at a place: lunch with somebody, or what an
// appointment in mind is called. The spare key is only somewhere.
func (l Listener) takesPlace(about sentences.Said) bool {
	for i := range about.Words {
		if n := sentences.Nouns[about.Words[i].Lower]; (n == sentences.AnEvent || n == sentences.AnOccasion) && about.Is(i+1, "with") {
			return true
		}
	}
	return slices.ContainsFunc(l.P.World, func(item language.ContextItem) bool {
		label, ok := sentences.Read(item.Label)
		return ok && item.Kind == domain.ItemAppointment && !slices.ContainsFunc(about.Words, func(w sentences.Word) bool {
			return !sentences.EmptyWords[w.Lower] && !sentences.HasAny(label, w.Lower)
		})
	})
}

// forget hears what Chalie isn't to remember any more.
func (l Listener) forget(s sentences.Said) (tools.Intent, bool) {
	if s.Question {
		return tools.Intent{}, false
	}
	c, ok := s.Any("forget what i said|told you? about *what", "forget that|about? *what", "delete|remove the|my? memory|memories about|of|that *what", "do not remember *what any more|longer", "do not remember *what anymore")
	if !ok {
		return tools.Intent{}, false
	}
	what := c.Sentence("what")
	if _, idle := what.Any("it|that|this|me|everything|all|about", "about it|that|this|me", "it all", "all about|of it|that", "it then|please|now"); idle || what.Is(0, "to", "about", "it", "whether", "how", "why", "what", "everything", "all", "you", "i") || len(what.Words) > 12 {
		return tools.Intent{}, false
	}
	for len(what.Words) > 1 && what.Is(0, "my", "the", "our") {
		what = what.From(1)
	}
	return tools.Intent{Tool: tools.SkillForget, Params: map[string]any{"what": what.All()}, Subject: "what", Weak: true}, true
}
