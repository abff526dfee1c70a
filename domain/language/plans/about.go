package plans

import (
	"strings"

	"chalie/domain"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// Why hears who asks why Chalie said or did something.
func (l Planner) Why(s sentences.Said) (tools.Intent, bool) {
	ask := tools.Intent{Tool: tools.SkillWhy, Params: map[string]any{}}
	if _, ok := s.Any("why", "why that|this|so", "why is|was that|this", "explain that|this|yourself|it", "explain why", "why do|am i see|seeing|told|hearing|shown|getting|get that|this|it"); ok {
		return ask, true
	}
	if c, ok := s.Any("why *id", "explain *id"); ok {
		if id := c.Get("id"); IsID(id) {
			ask.Params["about"] = id
			return ask, true
		}
	}
	if not, ok := whyNot(s); ok {
		return not, true
	}
	c, ok := s.Any("explain? why did|do|are|were you *rest", "explain? why you *rest", "how come you *rest", "what made|makes you *rest", "for what reason did you *rest")
	if !ok {
		return tools.Intent{}, false
	}
	rest := c.Sentence("rest")
	if !rest.Is(0, "tell", "told", "telling", "say", "said", "saying", "remind", "reminded", "reminding", "show", "showed", "showing",
		"ask", "asked", "asking", "notify", "notified", "warn", "warned", "mention", "mentioned", "think", "suggest", "suggested", "do", "did", "send", "sent", "bring", "interrupt") {
		return tools.Intent{}, false
	}
	if last := len(rest.Words) - 1; last > 0 && IsID(rest.Words[last].Lower) {
		ask.Params["about"] = rest.Part(last, last+1)
	} else if c, ok := rest.From(1).Any("me? of|about|to *about"); ok && !c.Sentence("about").Is(0, "that", "this", "it") {
		ask.Params["about"] = c.Get("about")
	}
	return ask, true
}

// whyNot hears who asks why they weren't told of something.
func whyNot(s sentences.Said) (tools.Intent, bool) {
	ask := tools.Intent{Tool: tools.SkillWhy, Params: map[string]any{"not": true}}
	if _, ok := s.Any("why not"); ok {
		return ask, true
	}
	const told, mentioned = "tell|told|remind|reminded|warn|warned|notify|notified", "say|said|mention|mentioned anything|something?"
	for _, about := range []string{"", " of|about|that|when? *about"} {
		for _, you := range []string{"why did|have not you ", "why did|have you not|never ", "how come you did|have? not|never "} {
			if c, ok := s.Any(sentences.Phrase(you+told+" me"+about), sentences.Phrase(you+mentioned+about)); ok {
				return notAbout(ask, c), true
			}
		}
		for _, was := range []string{"why was|were not i ", "why was|were i not|never ", "how come i was|were not|never "} {
			if c, ok := s.Match(sentences.Phrase(was + told + about)); ok {
				return notAbout(ask, c), true
			}
		}
	}
	return tools.Intent{}, false
}

// notAbout adds what a question was about, unless it only points back.
func notAbout(ask tools.Intent, c sentences.Captured) tools.Intent {
	if about := c.Sentence("about"); len(about.Words) > 1 || len(about.Words) == 1 && !about.Is(0, "that", "this", "it") {
		ask.Params["about"] = c.Get("about")
	}
	return ask
}

// IsID reports whether a text is an id.
func IsID(text string) bool {
	_, err := domain.ParseID(text)
	return err == nil
}

// Status hears who asks how things are.
func (l Planner) Status(s sentences.Said) (tools.Intent, bool) {
	if _, ok := s.Any("what is|are still? waiting|pending|open for? me?", "what waits for? me?", "is|are anything|something still? waiting|pending for? me?", "anything|something waiting|pending for? me?", "what|which approvals|questions are still? waiting|pending|open for? me?", "any|show|list open|pending|waiting approvals|questions",
		"what do you need|want|wait|waiting from|for me?", "what are you waiting for", "do you need|wait|want for? anything|something from me?", "is|are there? any|anything|something waiting|pending for? me?", "what do i have|need to approve|decide|answer", "what needs my approval|answer|decision|yes|attention"); ok {
		return tools.Intent{Tool: tools.SkillStatus, Params: map[string]any{"waiting": true}}, true
	}
	_, ok := s.Any(
		"status", "show|give|tell me? your|the|a? status", "status report", "what is your|the status",
		"what is going on right? now|today|here?", "what is up", "what is happening right? now|today?", "what is new today?",
		"how are you today|doing?", "how are things today|going?", "how is everything", "is|are everything|you ok|okay|working|well|alright", "does everything work",
		"anything new|important|urgent today?", "is there anything new|important|urgent today?", "what should i know", "what do i need to know",
		"what is important now|today?", "give me an? overview|summary|update",
	)
	return tools.Intent{Tool: tools.SkillStatus, Params: map[string]any{}}, ok
}

// Plans hears who asks what is planned.
func (l Planner) Plans(s sentences.Said) (tools.Intent, bool) {
	const kinds = "reminder|reminders|task|tasks|todo|todos|to-do|to-dos|list|lists|plan|plans"
	ask := tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{}}
	if kind, ok := kindOf(s, kinds); ok {
		if kind != "" {
			ask.Params["kind"] = kind
		}
		return ask, true
	}
	if _, ok := s.Any("when will|do|would you remind me *of", "when is|are my|the next? reminder|reminders", "when is|are my|the next? reminder|reminders *of",
		"what will|do|did you|i remind|ask|asked|tell you|me to? remind? me? of|about?", "did i ask|tell you to remind me *of", "have i set a|any reminder|reminders", "have i set a|any reminder|reminders *of"); ok {
		ask.Params["kind"] = "reminders"
		return ask, true
	}
	if _, ok := s.Any("what is|are on|in my|the to-do|todo|task|tasks list", "what is|are on|in my|the to do list", "show|read|tell|give me? my|the to-do|todo|task list", "show|read|tell|give me? my|the to do list"); ok {
		ask.Params["kind"] = "tasks"
		return ask, true
	}
	if _, ok := s.Any("what is|are|was? overdue|late|unfinished", "what have i missed|forgotten to do", "anything|something overdue", "is|are anything|something overdue", "do i have anything|tasks|something overdue", "show|list|tell|give me? my|the? overdue|late tasks|reminders|items|things|plans?", "which|what tasks are overdue|late", "what did i miss|forget to do"); ok {
		ask.Params["overdue"] = true
		return ask, true
	}
	if c, ok := s.Any("what did i do|finish|complete", "what did i do|finish|complete *time", "what have i done|finished|completed", "what have i done|finished|completed *time"); ok && (c.Get("time") == "" || l.IsPeriod(c.Get("time"))) {
		ask.Params["done"] = true
		if t := c.Get("time"); t != "" {
			ask.Params["during"] = t
		}
		return ask, true
	}
	c, ok := s.Any(
		"what have i planned", "what have i planned for|on? *time", "what have i got planned", "what have i got planned for|on? *time", "what do i have planned", "what do i have planned for|on? *time",
		"what is planned", "what is planned for|on? *time", "what did i plan", "what did i plan for|on? *time", "what do i still? have to do", "what do i still? have to do *time",
		"what is due next?", "what is due *time", "what is coming up", "what is coming up *time", "what comes next", "what is next", "what is on my agenda|plate", "what is on my agenda|plate for? *time",
		"what do i have on", "what do i have on *time", "what do i have *time", "do i have anything planned", "do i have anything planned for|on? *time", "do i have plans for? *time",
	)
	if !ok {
		return tools.Intent{}, false
	}
	if t := c.Get("time"); t != "" {
		if !l.IsTimely(t) {
			return tools.Intent{}, false // "what do I have to do to renew my passport"
		}
		if !strings.EqualFold(t, "now") {
			ask.Params["during"] = t
		}
	}
	return ask, true
}

// IsTimely reports whether a text is about when, even if no moment can be made
// of it.
func (l Planner) IsTimely(text string) bool {
	s, ok := sentences.Read(text)
	if !ok {
		return false
	}
	_, timely := s.Any("today", "now", "tonight", "this|next|the? week|month|year|weekend|morning|afternoon|evening")
	return timely || l.IsOnlyTime(text)
}

// kindOf hears a question about one kind of plans; "" is all of them.
func kindOf(s sentences.Said, kinds string) (string, bool) {
	k := sentences.Phrase(kinds)
	_, ok := s.Any(
		"show|list|tell|give|read me? all? of? my|the|our? "+k, "show|list|tell|give|read me? all? of? my|the|our? open|current|pending "+k,
		"which|what open? "+k+" are there", "which|what "+k+" are open|set|due|left|pending|planned", "which|what open? "+k+" do i|we have set|planned|left?", "which|what "+k+" have i got|set|planned",
		"what are my|the|our open|next? "+k, "what is my|the|our next "+k, "do i have any|open? "+k, "do i have any "+k+" left|today|set|planned|open", "have i any|got "+k, "have i got any "+k,
		"are there any|open? "+k, "are there any open "+k, "how many open? "+k+" do i have", "how many open? "+k+" are there", "all|my|our my|the|our? "+k, "reminders|tasks|todos|to-dos|lists|plans",
	)
	if !ok {
		return "", false
	}
	for i := range s.Words {
		switch {
		case s.Is(i, "reminder", "reminders"):
			return "reminders", true
		case s.Is(i, "task", "tasks", "todo", "todos", "to-do", "to-dos"):
			return "tasks", true
		case i > 0 && s.Is(i, "list", "lists"), len(s.Words) == 1 && s.Is(i, "lists"):
			return "lists", true
		}
	}
	return "", true
}
