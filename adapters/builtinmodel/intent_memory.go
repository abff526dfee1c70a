package builtinmodel

import "strings"

// remembering are the words behind which stands what is to be remembered, where no "that" and no
// colon tells where it begins.
var remembering = []phrase{
	"remember:|note: *what", "make|take a? note of *what", "keep|save|store for later: *what", "keep|bear in mind *what", "note to self *what", "fyi *what", "for your information: *what", "you should|must know that *what", "let it be known that *what",
}

// prefaces say, before a stop, that what follows is to be remembered.
var prefaces = []phrase{
	"for your information", "fyi", "for future reference", "for the record", "for reference", "for later", "just so you know", "so? you know", "just fyi", "just? a note", "memorize|memorise|remember|save|store|keep|learn|note this|that|it|something? about|for? me?", "remember", "note", "take|make a? note", "take|make a note of this", "keep in mind", "bear in mind", "do not forget", "one|something thing? to remember|know|note", "know this",
}

// afterwards are the same behind it: "…, remember that".
var afterwards = []phrase{
	"remember|memorize|memorise|note|save|store that|it|this for? me|later?", "remember", "keep|bear that|it|this in mind", "keep|save that|it|this for later", "remember that|it|this for? me?", "make|take a note of that|it|this", "make|take a note", "note that|it|this down", "write|jot that|it|this down", "do not forget that|this|it",
	"for future reference", "for the record", "fyi", "just so you know", "i want you to remember that|it|this", "can|could|would you remember that|it|this for? me?",
}

// remember hears what the person wants Chalie to know.
func (l listener) remember(s said) (intent, bool) {
	if s.question {
		return intent{}, false
	}
	keep := func(what said) (intent, bool) {
		what = what.bare()
		if len(what.words) == 0 || isPointing(what.all()) || len(what.words) == 1 && what.is(0, "something", "me", "about") {
			return intent{tool: skillRemember, ask: "What should I remember? Say: remember that, and what."}, true
		}
		return intent{tool: skillRemember, params: map[string]any{"what": what.all()}, subject: "what"}, true
	}
	if _, bare := s.any("remember|memorize|note|save|store something|this|that|it for? me?", "make|take a note", "remember something else? for me"); bare && (s.is(0, "remember", "memorize") || hasAny(s, "note")) {
		return keep(said{})
	}
	if n := memoryHead(s); n > 0 && !s.is(n, "to") {
		return keep(s.from(n))
	}
	if c, ok := s.any(remembering...); ok && !c.sentence("what").is(0, "to") {
		return keep(c.sentence("what"))
	}
	for i := 1; i < len(s.words); i++ {
		if !s.words[i-1].stop && !s.words[i-1].colon {
			continue
		}
		before, after := s.upTo(i), s.from(i)
		if _, ok := before.bare().any(prefaces...); ok && !after.is(0, "to") && len(after.words) > 1 {
			return keep(after)
		}
		_, ok := after.any(afterwards...)
		if !ok {
			_, ok = after.bare().any(afterwards...)
		}
		if ok && len(before.words) > 1 && !before.is(0, "what", "do", "did", "can", "please", "if") {
			return keep(before)
		}
	}
	if c, ok := s.match("remember *what"); ok && isFact(c.sentence("what")) {
		return keep(c.sentence("what"))
	}
	if l.isOwnFact(s) {
		in, ok := keep(s)
		in.weak = true
		return in, ok
	}
	return intent{}, false
}

// memoryWords may stand in front of what is to be remembered, and coreWords are those of them
// that say so.
var (
	memoryWords = wordsIn("i would like you to please can could make sure remember remembers memory note mind mental keep bear in your this save store add put down write jot take record log commit new a the my of for me later just know fact following something do not forget want need learn be aware so also about as self memorize memorise one thing create start here's")
	coreWords   = wordsIn("remember memory note mind memorize memorise know learn record log jot aware forget save store commit down")
)

// memoryHead is how many words in front, up to "that" or a colon, only say that what follows is
// to be remembered: "add a note that", "new memory:".
func memoryHead(s said) int {
	core := false
	for i := 0; i < len(s.words)-2 && i < 12; i++ {
		if s.is(i, "that") && core && i > 0 && !s.words[i].stop {
			return i + 1
		}
		if !memoryWords[s.words[i].lower] && !(s.is(i, "it") && s.is(i-1, "put", "keep", "commit", "write")) || s.is(i, "i") && !s.is(i+1, "would", "want", "need") || s.is(i, "know") && s.is(i-1, "to") && !s.is(i-2, "you") || s.is(i, "forget") && !s.is(i-1, "not") || s.words[i].quoted {
			return 0
		}
		if core = core || coreWords[s.words[i].lower]; s.words[i].colon && core {
			return i + 1
		}
	}
	return 0
}

// isFact reports whether words behind "remember" say that something is so.
func isFact(s said) bool {
	if s.is(0, "when", "how", "what", "where", "who", "why", "if", "to", "me", "us", "it", "that", "?") || len(s.words) < 2 {
		return false
	}
	says := hasAny(s.from(1), "is", "are", "was", "has", "have", "likes", "like", "loves", "love", "hates", "hate", "lives", "live", "prefers", "prefer", "wants", "works", "work", "drinks", "eats", "owns", "drives", "goes", "needs", "takes", "keeps", "called", "does", "can", "cannot", "will", "costs", "uses", "wears", "plays", "speaks")
	switch {
	case s.is(0, "i", "we"):
		return len(s.words) > 2 && !s.is(1, "have", "need", "must", "should", "ought", "want", "am", "will", "would", "can", "could") || says && !s.is(2, "to")
	case s.is(0, "this", "these"):
		return len(s.words) > 4
	case s.is(0, "the") && !says:
		return false
	}
	return says || s.is(0, "my", "our") && hasDigit(s)
}

// attributes are what people tell about themselves to have it remembered.
var attributes = wordsIn("name names size number code pin combination password address color colour type plate allergy allergies nickname username extension shoe ring blood doctor's id passport")

// isOwnFact reports whether a sentence tells something of the person or theirs that is worth
// remembering though it doesn't say so: "my ring size is 6", "the vet is called Dr Lee".
func (l listener) isOwnFact(s said) bool {
	c, ok := s.any("*who is|are called|named *value", "*who is|are *value")
	who, value := c.sentence("who"), c.sentence("value")
	if !ok || len(who.words) > 6 || len(value.words) > 8 || value.is(0, "a", "an") && !isCapital(value, 0) || value.is(0, "not", "wrong", "what", "the", "too", "very", "so", "on", "in", "at", "by", "due", "done", "ready", "over", "late") || isNobody(who) {
		return false
	}
	first := who.words[0].lower
	owned := who.is(0, "my", "our") || strings.HasSuffix(first, "'s") || len(who.words) > 1 && who.is(0, "the") && strings.HasSuffix(who.words[len(who.words)-2].lower, "'s")
	if _, called := s.any("*who is|are called|named *value"); called {
		return (owned || who.is(0, "the")) && len(who.words) > 1
	}
	return owned && (attributes[who.words[len(who.words)-1].lower] || hasAny(who, "favorite", "favourite")) && !l.timing(s.all()).wrong && nouns[who.words[len(who.words)-1].lower] == noNoun
}

// relations are what people are to each other, or have.
const relations = "brother|sister|husband|wife|son|daughter|mother|father|mom|dad|mum|partner|boyfriend|girlfriend|cousin|aunt|uncle|child|children|kid|kids|dog|cat|pet|allergy|allergies|nickname|siblings|sibling|roommate|boss|brothers|sisters"

// isRelation reports whether words are what people are to each other.
func isRelation(s said) bool {
	_, ok := s.any(relations)
	return ok
}

// recall hears who asks for what Chalie was told to remember.
func (l listener) recall(s said) (intent, bool) {
	if bare := s.bare(); len(bare.words) > 0 && !s.is(0, "do") {
		s = bare
	}
	if _, ok := s.any("what do you remember|know", "what do you remember|know about me", "what have i told you", "what did i tell you", "what did i tell you to remember",
		"list|show|tell|give|read me? everything|all|what that? i have? asked|told you to? remember?", "list|show|tell|read me? all? my|your|the? memories", "list|show|tell|read me? everything|all|what you remember|know", "what have i asked you to remember", "what did i ask you to remember", "what is in your memory", "show|tell me? everything you remember|know about me"); ok {
		return intent{tool: skillRecall, params: map[string]any{}}, true
	}
	recalls := func(about string) (intent, bool) {
		return intent{tool: skillRecall, params: map[string]any{"about": about}, subject: "about"}, true
	}
	if c, ok := s.any("is|are *a related|married|engaged to *b", "how is|are *a related to *b", "how do|does *a know *b", "how do *a and *b know each other", "does|do *a have|has a|an|any *b", "who is|are *a to *b"); ok {
		a, b := c.sentence("a"), c.sentence("b")
		kin := isRelation(b)
		if len(a.words) <= 3 && len(b.words) <= 3 && !a.is(0, "i", "you", "we", "your", "the", "a", "an") && !b.is(0, "me", "you") && (kin || !s.is(0, "does", "do")) {
			out := a.all()
			if rest := strings.TrimSuffix(b.all(), " know each other"); rest != "" {
				out += " " + rest
			}
			return recalls(out)
		}
	}
	if c, ok := s.any("who is|are|was the? *kin of *about"); ok && isRelation(c.sentence("kin")) && len(c.sentence("about").words) <= 3 {
		return recalls(c.get("kin") + " " + c.get("about"))
	}
	if c, ok := s.any("do you know *about"); ok && len(c.sentence("about").words) <= 2 && isCapital(c.sentence("about"), 0) {
		return recalls(c.get("about"))
	}
	if c, ok := s.any("is|are *about"); ok { // is Bob Anna's brother
		about := c.sentence("about")
		n := len(about.words)
		if n >= 3 && n <= 5 && isRelation(about.from(n-1)) && strings.HasSuffix(about.words[n-2].lower, "'s") {
			return recalls(about.all())
		}
	}
	if c, ok := s.any("what|who is|are under|behind|beneath|inside *about"); ok && len(c.sentence("about").words) <= 4 && !isPointing(c.get("about")) {
		return recalls(c.get("about"))
	}
	c, ok := s.any("what do you remember|know about|of *about", "what did i tell|say you? about *about", "what have i told you about *about", "do you remember|know who|what|where|when my *about is|are", "do you remember *about", "do you know who|what|is|are my *about",
		"do you know my|our *about", "do you know anything|something about my|our *about", "recall *about", "tell me who|what|where my|our *about is|are", "tell me what you remember|know about *about",
		"who|what|where is|are|was|were my|our *about", "what is|was the name of my *about", "where can|do i find *about", "where would i put|leave *about", "tell me my *about", "when is|are|was my|our *about", "did i tell|say you? where|who|what|when|which *about is|are", "have i told you where|who|what|when *about is|are", "did i tell you about *about", "what|who|where did i say|tell you? *about is|was", "tell me everything|all you know|remember about *about", "do you know anything|something about *about", "have i told you my|our *about", "did i tell you my|our *about", "where|who did i say *about is|are|was")
	if !ok {
		for i := 1; i < len(s.words); i++ { // "I'm locked out, where's the key?"
			if s.words[i-1].stop && s.is(0, "i", "we", "sorry", "quick") && s.is(i, "where", "who", "what") {
				if in, ok := l.recall(s.from(i)); ok {
					return in, true
				}
				return l.asksMemory(s.from(i))
			}
		}
		return intent{}, false
	}
	about := c.sentence("about")
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
	return recalls(about.all())
}

// forget hears what Chalie isn't to remember any more.
func (l listener) forget(s said) (intent, bool) {
	if s.question {
		return intent{}, false
	}
	s = s.bare()
	if _, all := s.any("forget everything|all", "forget|delete|erase|clear|wipe|remove all|everything of? my|your|the? memories|memory", "forget|delete|erase|clear|wipe|remove my|your memories|memory", "forget|delete|erase|clear|wipe|remove all|everything|anything what|that? you know|remember|have about|of|on? me?", "forget|delete|erase|remove all|everything|anything that? i have? told you", "forget all|everything about me"); all {
		return intent{tool: skillForget, params: map[string]any{"all": true}}, true
	}
	c, ok := s.any("forget|delete|erase|remove|clear what|everything|anything|all you know|remember|have about|of|on *what", "forget|erase|delete|remove what i have? said|told|say|tell you? about *what", "forget who|where|what|when|which *what is|are|was", "forget|erase|delete|remove everything|all|anything about *what", "forget i told|said you? about *what", "forget where|how i|we put|keep|left|parked *what", "forget that|about? *what", "delete|remove|erase|clear|scrap|drop|wipe|forget the|my|your|all|any|that|this? memory|memories|note|notes about|of|that *what", "do not remember *what any more|longer", "do not remember *what anymore", "stop remembering that? *what", "remove|delete|erase *what from your? memory", "unlearn that? *what")
	if !ok {
		for i := 1; i < len(s.words); i++ {
			last := s.from(i).bare()
			if !s.words[i-1].stop || !last.is(0, "forget", "erase") {
				continue
			}
			if _, it := last.any("forget|erase it|that|this", "forget about it|that|this"); it && hasAny(s.upTo(i), "not", "longer", "more", "anymore", "changed", "moved", "wrong", "old") {
				if thing := thingIn(s.upTo(i), false); len(thing.words) > 0 {
					return intent{tool: skillForget, params: map[string]any{"what": thing.all()}, subject: "what", weak: true}, true
				}
			} else if !it && s.is(0, "i", "we", "my", "our", "that", "the") && len(s.upTo(i).words) > 1 {
				return l.forget(last)
			}
		}
		return intent{}, false
	}
	what := c.sentence("what")
	if _, idle := what.any("it|that|this|me|everything|all|about", "about it|that|this|me", "it all", "all about|of it|that", "it then|please|now"); idle || what.is(0, "to", "about", "it", "whether", "how", "why", "what", "everything", "all", "you", "i") || len(what.words) > 12 {
		return intent{}, false
	}
	if c, ok := what.any("the? thing|things|stuff|fact|part about|of|that *what"); ok {
		what = c.sentence("what")
	}
	for len(what.words) > 1 && what.is(0, "my", "the", "our") {
		what = what.from(1)
	}
	return intent{tool: skillForget, params: map[string]any{"what": what.all()}, subject: "what", weak: true}, true
}
