package plans

import (
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// madeAt hears that something that there is takes place at another time by the words that one makes
// something with: "make the staff meeting start at 10:30 from now on", "have my 8 am alarm go off
// at 8:15", "make the flight alarm 4:30". What is called "the" or "my" is never made anew.
func (l Planner) madeAt(s sentences.Said) (tools.Intent, bool) {
	if s.Question || !s.Is(0, "make", "have", "let", "get", "set", "start", "begin", "let's") && !sentences.HasAny(s, "should", "must", "needs") {
		return tools.Intent{}, false
	}
	m := movingIn(s)
	at := l.atHour(m.s)
	c, acts := at.Any("make|have|let|get|set the|my|our|this *which to? start|begin|be|ring|sound|happen|go|buzz off? at|for|to *when", "make sure that? the|my|our *which starts|begins|is|rings|sounds|goes off? at|for *when", "start|begin the|my|our *which at|for *when", "the|my|our *which should|must start|begin|be|ring|sound|go|buzz off? at|for *when", "the|my|our *which needs to start|begin|be|ring|go|sound off? at|for *when")
	if !acts {
		c, acts = at.Any("make|have|let *which start|begin at *when", "make|have|let *which go|ring off? at *when")
		acts = acts && !c.Sentence("which").Is(0, "a", "an", "another", "one", "me", "us", "it", "sure", "new")
	}
	if !acts {
		var plain bool
		if c, plain = at.Any("make the|my|our *which to|at *when", "make the|my|our *which for *when", "set the|my|our *which to *when"); !plain && m.instead {
			c, plain = at.Any("have|put the|my|our *which at|for|to *when")
		}
		if !plain {
			if c, plain = at.Any("make *which at|to *when"); !plain || !l.isKnownWhole(c.Sentence("which")) || !l.Clocks(c.Get("when")) {
				return tools.Intent{}, false
			}
		}
	}
	which := c.Sentence("which")
	if len(which.Words) == 0 || sentences.AnyOf(which, Devices) || sentences.HasAny(which, "instead", "not", "rather", "than") || sentences.IsPointing(which.All()) || l.PlanTool(which) == "" {
		return tools.Intent{}, false
	}
	kind := which.Words[len(which.Words)-1].Lower
	named := l.NamesIn(which) != "" || l.Timing(which.All()).Said
	switch {
	case acts && at.Is(0, "start", "begin") && l.PlanTool(which) != tools.SkillAppointment:
		return tools.Intent{}, false // one starts a timer
	case acts && (named || sentences.Nouns[kind] != sentences.AnAlarm):
	case acts && (l.Clocks(c.Get("when")) || l.Clocks("at "+c.Get("when"))):
		return l.titled(c.Get("when"), kind), true // of no name, it is a new one
	case at.Is(0, "set") && sentences.HasAny(which, "for", "at", "clock"), !named && sentences.Nouns[kind] != sentences.AnOccasion, sentences.Nouns[kind] == sentences.AnOccasion && len(which.Words) == 1:
		return tools.Intent{}, false // it may be a new one: make the alarm ring at 7, make the dinner
	}
	in, ok := l.planMoved(c, "", true)
	if !ok {
		return tools.Intent{}, false
	}
	if m.always && in.Tool != tools.SkillTask {
		in = in.With("always", true)
	}
	if m.week != "" && in.Tool != tools.SkillTask {
		in = in.With("during", m.week)
	}
	return in, true
}

// isKnownWhole reports whether all words that name something name one thing in mind.
func (l Planner) isKnownWhole(which sentences.Said) bool {
	f := Frame{S: which, Used: make([]bool, len(which.Words)), At: -1}
	names := strings.Fields(strings.ToLower(f.Named()))
	if len(names) == 0 {
		return false
	}
	for _, item := range l.P.World {
		label, ok := sentences.Read(item.Label)
		all := ok
		for _, w := range names {
			all = all && (sentences.HasAny(label, w) || sentences.HasAny(label, w+"'s"))
		}
		if all {
			return true
		}
	}
	return false
}
