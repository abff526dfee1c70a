package builtinmodel

import (
	"strings"
)

// onMove hears what is to take place at another time: "move the dentist to Wednesday at 2",
// "postpone lunch by an hour", "the dinner party is at 8 now".
func (l listener) onMove(s said) (intent, bool) {
	const move = "move|postpone|reschedule|reshedule|push|shift|change|delay|bring|switch|adjust|update|swap|bump|extend|shove"
	s = s.lastClause(move)
	for len(s.words) > 3 && s.is(len(s.words)-1, "instead", "please", "time") && !(s.is(len(s.words)-1, "time") && !s.is(len(s.words)-2, "same")) {
		s = s.upTo(len(s.words) - 1)
	}
	if len(s.words) > 2 && s.is(len(s.words)-1, "same") {
		s = s.upTo(len(s.words) - 1) // the same time is kept anyway
	}
	for _, way := range []struct {
		phrase phrase
		by     string // "later", "earlier": the time is how much by
	}{
		{move + " the? time|date|day of? *which from *old to *when", ""}, {move + " *which from *old to *when", ""},
		{move + " *which forward|up|earlier by *when", "earlier"}, {move + " *which back|out|off|later? by *when", "later"},
		{move + " forward|up *which by *when", "earlier"}, {move + " back|off|out *which by *when", "later"},
		{move + " the? start|due|end? time|date|day of|for *which to|until|till|for *when", ""},
		{move + " *which back|forward|out|up|off? to|until|till|for|on *when", ""}, {move + " back|forward|out|up|off *which to|until|till|for *when", ""},
		{move + " *which back|out|off *when", "later"}, {move + " *which forward|up *when", "earlier"},
		{"make|let|set|can|could *which be|ring|start|go? off? *when later", "later"}, {"make|let|set|can|could *which be|ring|start|go? off? *when earlier", "earlier"},
		{"*which *when later", "later"}, {"*which *when earlier", "earlier"},
		{"set|make *which be|ring|start? to|at *when rather|instead than|of *old", ""},
		{"from now on *which is|starts|begins at|on? *when", ""}, {"*which is|starts|begins now at|on? *when", ""}, {"*which now starts|begins at|on? *when", ""}, {"*which is|starts|begins at|on? *when now", ""},
		{"*which is|was|has been? actually|really at|on? *when", ""}, {"*which was|is|got|has been? moved|pushed|rescheduled|postponed|delayed to|until *when", ""}, {"*which should be|ring at *when", ""},
		{"*which on *when instead of *old", ""}, {"*which at *when instead of *old", ""},
	} {
		c, ok := s.match(way.phrase)
		if !ok {
			continue
		}
		if in, ok := l.planMoved(c, way.by); ok {
			return in, true
		}
	}
	if c, ok := s.any(move+" *which back|forward|out|off|to another day|time", move+" *which back|forward|off", move+" *which"); ok && !s.question && !s.is(0, "put", "bring", "update", "switch", "adjust", "extend", "swap", "push") || ok && s.is(0, "push") && hasAny(s, "back") {
		which := c.sentence("which")
		if tool := l.planTool(which); tool != "" && !l.timing(which.all()).said {
			return intent{tool: tool, params: map[string]any{"action": "move", "which": which.all()}, missing: momentOf(tool), moment: momentOf(tool), subject: "which",
				ask: "To when should I move it: " + mention(which.all()) + "? Say a time, such as: tomorrow at 8, an hour later."}, true
		}
	}
	return intent{}, false
}

// lastClause is the part of a sentence from its last clause on that begins with one of some
// words: "I can't do 11, move the dentist to 3".
func (s said) lastClause(words string) said {
	for i := len(s.words) - 1; i > 0; i-- {
		if s.words[i-1].stop && fits(words, s.words[i]) && i+2 < len(s.words) {
			return s.from(i)
		}
	}
	return s
}

func momentOf(tool string) string {
	if tool == skillTask {
		return "deadline"
	}
	return "when"
}

// planTool is the skill that keeps what words name; "" when they name no plan.
func (l listener) planTool(which said) string {
	tool := ""
	for i, w := range which.words {
		switch n := nouns[w.lower]; {
		case n == anAlarm || n == aReminder || which.is(i, "wake"):
			return skillReminder
		case n == aTask || which.is(i, "deadline"):
			return skillTask
		case n != noNoun && n != aCalendar && n != aSchedule:
			tool = skillAppointment
		}
	}
	if tool == "" && l.isKnown(which) {
		tool = skillAppointment
	}
	return tool
}

// isKnown reports whether words name something in mind.
func (l listener) isKnown(which said) bool {
	for _, item := range l.p.World {
		label, ok := read(item.Label)
		if !ok {
			continue
		}
		for _, w := range which.words {
			if len(w.lower) > 3 && !emptyWords[w.lower] && hasAny(label, w.lower) {
				return true
			}
		}
	}
	return false
}

// planMoved is a plan at another time, when that is a time, or how much later or earlier.
func (l listener) planMoved(c captured, by string) (intent, bool) {
	which, moment := c.sentence("which"), c.get("when")
	for len(which.words) > 1 && which.is(0, "the", "my", "our") {
		which = which.from(1)
	}
	if len(which.words) == 0 || which.is(0, "it", "that", "this", "i", "you", "he", "she", "they", "we", "what", "when", "which", "how", "where", "there", "in", "at", "remind", "is") && len(which.words) == 1 || len(which.words) > 8 {
		return intent{}, false
	}
	tool := l.planTool(which)
	if tool == "" {
		return intent{}, false
	}
	moment = strings.TrimSuffix(moment, " o'clock today")
	switch {
	case by != "" && (l.isOnlyTime("in "+moment) || l.isOnlyTime(moment) && strings.Contains(moment, " ")):
		moment += " " + by
	case by != "":
		return intent{}, false
	default:
		t := l.timing(moment)
		if !t.said || withoutLink(t.rest) != "" {
			return intent{}, false
		}
	}
	at := momentOf(tool)
	return intent{tool: tool, params: map[string]any{"action": "move", "which": which.all(), at: moment}, subject: "which", moment: at}, true
}
