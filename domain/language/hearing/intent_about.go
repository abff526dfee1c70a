package hearing

import (
	"strings"

	"chalie/domain"
)

// why hears who asks why Chalie said or did something.
func (l listener) why(s said) (intent, bool) {
	ask := intent{tool: skillWhy, params: map[string]any{}}
	if _, ok := s.any("why", "why that|this|so", "why is|was that|this", "explain that|this|yourself|it", "explain why", "why do|am i see|seeing|told|hearing|shown|getting|get that|this|it"); ok {
		return ask, true
	}
	if c, ok := s.any("why *id", "explain *id"); ok {
		if id := c.get("id"); isID(id) {
			ask.params["about"] = id
			return ask, true
		}
	}
	if not, ok := whyNot(s); ok {
		return not, true
	}
	c, ok := s.any("explain? why did|do|are|were you *rest", "explain? why you *rest", "how come you *rest", "what made|makes you *rest", "for what reason did you *rest")
	if !ok {
		return intent{}, false
	}
	rest := c.sentence("rest")
	if !rest.is(0, "tell", "told", "telling", "say", "said", "saying", "remind", "reminded", "reminding", "show", "showed", "showing",
		"ask", "asked", "asking", "notify", "notified", "warn", "warned", "mention", "mentioned", "think", "suggest", "suggested", "do", "did", "send", "sent", "bring", "interrupt") {
		return intent{}, false
	}
	if last := len(rest.words) - 1; last > 0 && isID(rest.words[last].lower) {
		ask.params["about"] = rest.part(last, last+1)
	} else if c, ok := rest.from(1).any("me? of|about|to *about"); ok && !c.sentence("about").is(0, "that", "this", "it") {
		ask.params["about"] = c.get("about")
	}
	return ask, true
}

// whyNot hears who asks why they weren't told of something.
func whyNot(s said) (intent, bool) {
	ask := intent{tool: skillWhy, params: map[string]any{"not": true}}
	if _, ok := s.any("why not"); ok {
		return ask, true
	}
	const told, mentioned = "tell|told|remind|reminded|warn|warned|notify|notified", "say|said|mention|mentioned anything|something?"
	for _, about := range []string{"", " of|about|that|when? *about"} {
		for _, you := range []string{"why did|have not you ", "why did|have you not|never ", "how come you did|have? not|never "} {
			if c, ok := s.any(phrase(you+told+" me"+about), phrase(you+mentioned+about)); ok {
				return ask.notAbout(c), true
			}
		}
		for _, was := range []string{"why was|were not i ", "why was|were i not|never ", "how come i was|were not|never "} {
			if c, ok := s.match(phrase(was + told + about)); ok {
				return ask.notAbout(c), true
			}
		}
	}
	return intent{}, false
}

// notAbout adds what a question was about, unless it only points back.
func (ask intent) notAbout(c captured) intent {
	if about := c.sentence("about"); len(about.words) > 1 || len(about.words) == 1 && !about.is(0, "that", "this", "it") {
		ask.params["about"] = c.get("about")
	}
	return ask
}

func isID(text string) bool {
	_, err := domain.ParseID(text)
	return err == nil
}

// status hears who asks how things are.
func (l listener) status(s said) (intent, bool) {
	if _, ok := s.any("what is|are still? waiting|pending|open for? me?", "what waits for? me?", "is|are anything|something still? waiting|pending for? me?", "anything|something waiting|pending for? me?", "what|which approvals|questions are still? waiting|pending|open for? me?", "any|show|list open|pending|waiting approvals|questions",
		"what do you need|want|wait|waiting from|for me?", "what are you waiting for", "do you need|wait|want for? anything|something from me?", "is|are there? any|anything|something waiting|pending for? me?", "what do i have|need to approve|decide|answer", "what needs my approval|answer|decision|yes|attention"); ok {
		return intent{tool: skillStatus, params: map[string]any{"waiting": true}}, true
	}
	_, ok := s.any(
		"status", "show|give|tell me? your|the|a? status", "status report", "what is your|the status",
		"what is going on right? now|today|here?", "what is up", "what is happening right? now|today?", "what is new today?",
		"how are you today|doing?", "how are things today|going?", "how is everything", "is|are everything|you ok|okay|working|well|alright", "does everything work",
		"anything new|important|urgent today?", "is there anything new|important|urgent today?", "what should i know", "what do i need to know",
		"what is important now|today?", "give me an? overview|summary|update",
	)
	return intent{tool: skillStatus, params: map[string]any{}}, ok
}

// plans hears who asks what is planned.
func (l listener) plans(s said) (intent, bool) {
	const kinds = "reminder|reminders|task|tasks|todo|todos|to-do|to-dos|list|lists|plan|plans"
	ask := intent{tool: skillPlans, params: map[string]any{}}
	if kind, ok := kindOf(s, kinds); ok {
		if kind != "" {
			ask.params["kind"] = kind
		}
		return ask, true
	}
	if _, ok := s.any("when will|do|would you remind me *of", "when is|are my|the next? reminder|reminders", "when is|are my|the next? reminder|reminders *of",
		"what will|do|did you|i remind|ask|asked|tell you|me to? remind? me? of|about?", "did i ask|tell you to remind me *of", "have i set a|any reminder|reminders", "have i set a|any reminder|reminders *of"); ok {
		ask.params["kind"] = "reminders"
		return ask, true
	}
	if _, ok := s.any("what is|are on|in my|the to-do|todo|task|tasks list", "what is|are on|in my|the to do list", "show|read|tell|give me? my|the to-do|todo|task list", "show|read|tell|give me? my|the to do list"); ok {
		ask.params["kind"] = "tasks"
		return ask, true
	}
	if _, ok := s.any("what is|are|was? overdue|late|unfinished", "what have i missed|forgotten to do", "anything|something overdue", "is|are anything|something overdue", "do i have anything|tasks|something overdue", "show|list|tell|give me? my|the? overdue|late tasks|reminders|items|things|plans?", "which|what tasks are overdue|late", "what did i miss|forget to do"); ok {
		ask.params["overdue"] = true
		return ask, true
	}
	if c, ok := s.any("what did i do|finish|complete", "what did i do|finish|complete *time", "what have i done|finished|completed", "what have i done|finished|completed *time"); ok && (c.get("time") == "" || l.isPeriod(c.get("time"))) {
		ask.params["done"] = true
		if t := c.get("time"); t != "" {
			ask.params["during"] = t
		}
		return ask, true
	}
	c, ok := s.any(
		"what have i planned", "what have i planned for|on? *time", "what have i got planned", "what have i got planned for|on? *time", "what do i have planned", "what do i have planned for|on? *time",
		"what is planned", "what is planned for|on? *time", "what did i plan", "what did i plan for|on? *time", "what do i still? have to do", "what do i still? have to do *time",
		"what is due next?", "what is due *time", "what is coming up", "what is coming up *time", "what comes next", "what is next", "what is on my agenda|plate", "what is on my agenda|plate for? *time",
		"what do i have on", "what do i have on *time", "what do i have *time", "do i have anything planned", "do i have anything planned for|on? *time", "do i have plans for? *time",
	)
	if !ok {
		return intent{}, false
	}
	if t := c.get("time"); t != "" {
		if !l.isTimely(t) {
			return intent{}, false // "what do I have to do to renew my passport"
		}
		if !strings.EqualFold(t, "now") {
			ask.params["during"] = t
		}
	}
	return ask, true
}

// isTimely reports whether a text is about when, even if no moment can be made
// of it.
func (l listener) isTimely(text string) bool {
	s, ok := read(text)
	if !ok {
		return false
	}
	_, timely := s.any("today", "now", "tonight", "this|next|the? week|month|year|weekend|morning|afternoon|evening")
	return timely || l.isOnlyTime(text)
}

// kindOf hears a question about one kind of plans; "" is all of them.
func kindOf(s said, kinds string) (string, bool) {
	k := phrase(kinds)
	_, ok := s.any(
		"show|list|tell|give|read me? all? of? my|the|our? "+k, "show|list|tell|give|read me? all? of? my|the|our? open|current|pending "+k,
		"which|what open? "+k+" are there", "which|what "+k+" are open|set|due|left|pending|planned", "which|what open? "+k+" do i|we have set|planned|left?", "which|what "+k+" have i got|set|planned",
		"what are my|the|our open|next? "+k, "what is my|the|our next "+k, "do i have any|open? "+k, "do i have any "+k+" left|today|set|planned|open", "have i any|got "+k, "have i got any "+k,
		"are there any|open? "+k, "are there any open "+k, "how many open? "+k+" do i have", "how many open? "+k+" are there", "all|my|our my|the|our? "+k, "reminders|tasks|todos|to-dos|lists|plans",
	)
	if !ok {
		return "", false
	}
	for i := range s.words {
		switch {
		case s.is(i, "reminder", "reminders"):
			return "reminders", true
		case s.is(i, "task", "tasks", "todo", "todos", "to-do", "to-dos"):
			return "tasks", true
		case i > 0 && s.is(i, "list", "lists"), len(s.words) == 1 && s.is(i, "lists"):
			return "lists", true
		}
	}
	return "", true
}
