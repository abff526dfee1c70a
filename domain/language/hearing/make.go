package hearing

import "strings"

// madeAt hears that something that there is takes place at another time by the words that one makes
// something with: "make the staff meeting start at 10:30 from now on", "have my 8 am alarm go off
// at 8:15", "make the flight alarm 4:30". What is called "the" or "my" is never made anew.
func (l listener) madeAt(s said) (intent, bool) {
	if s.question || !s.is(0, "make", "have", "let", "get", "set", "start", "begin", "let's") && !hasAny(s, "should", "must", "needs") {
		return intent{}, false
	}
	m := movingIn(s)
	at := l.atHour(m.s)
	c, acts := at.any("make|have|let|get|set the|my|our|this *which to? start|begin|be|ring|sound|happen|go|buzz off? at|for|to *when", "make sure that? the|my|our *which starts|begins|is|rings|sounds|goes off? at|for *when", "start|begin the|my|our *which at|for *when", "the|my|our *which should|must start|begin|be|ring|sound|go|buzz off? at|for *when", "the|my|our *which needs to start|begin|be|ring|go|sound off? at|for *when")
	if !acts {
		c, acts = at.any("make|have|let *which start|begin at *when", "make|have|let *which go|ring off? at *when")
		acts = acts && !c.sentence("which").is(0, "a", "an", "another", "one", "me", "us", "it", "sure", "new")
	}
	if !acts {
		var plain bool
		if c, plain = at.any("make the|my|our *which to|at *when", "make the|my|our *which for *when", "set the|my|our *which to *when"); !plain && m.instead {
			c, plain = at.any("have|put the|my|our *which at|for|to *when")
		}
		if !plain {
			if c, plain = at.any("make *which at|to *when"); !plain || !l.isKnownWhole(c.sentence("which")) || !l.clocks(c.get("when")) {
				return intent{}, false
			}
		}
	}
	which := c.sentence("which")
	if len(which.words) == 0 || anyOf(which, devices) || hasAny(which, "instead", "not", "rather", "than") || isPointing(which.all()) || l.planTool(which) == "" {
		return intent{}, false
	}
	kind := which.words[len(which.words)-1].lower
	named := l.namesIn(which) != "" || l.timing(which.all()).said
	switch {
	case acts && at.is(0, "start", "begin") && l.planTool(which) != skillAppointment:
		return intent{}, false // one starts a timer
	case acts && (named || nouns[kind] != anAlarm):
	case acts && (l.clocks(c.get("when")) || l.clocks("at "+c.get("when"))):
		return l.titled(c.get("when"), kind), true // of no name, it is a new one
	case at.is(0, "set") && hasAny(which, "for", "at", "clock"), !named && nouns[kind] != anOccasion, nouns[kind] == anOccasion && len(which.words) == 1:
		return intent{}, false // it may be a new one: make the alarm ring at 7, make the dinner
	}
	in, ok := l.planMoved(c, "", true)
	if !ok {
		return intent{}, false
	}
	if m.always && in.tool != skillTask {
		in = in.with("always", true)
	}
	if m.week != "" && in.tool != skillTask {
		in = in.with("during", m.week)
	}
	return in, true
}

// isKnownWhole reports whether all words that name something name one thing in mind.
func (l listener) isKnownWhole(which said) bool {
	f := frame{s: which, used: make([]bool, len(which.words)), at: -1}
	names := strings.Fields(strings.ToLower(f.named()))
	if len(names) == 0 {
		return false
	}
	for _, item := range l.p.World {
		label, ok := read(item.Label)
		all := ok
		for _, w := range names {
			all = all && (hasAny(label, w) || hasAny(label, w+"'s"))
		}
		if all {
			return true
		}
	}
	return false
}
