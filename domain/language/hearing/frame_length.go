package hearing

import (
	"strings"

	"chalie/domain/language/when"
)

// resizes hears that an appointment takes longer or shorter: "extend the meeting by 30 minutes",
// "make the dentist an hour long", "the party should last until 11".
func (l listener) resizes(s said) (intent, bool) {
	if s.question {
		return intent{}, false
	}
	if grown, ok := l.resizedAt(s); ok {
		return grown, true
	}
	var until string
	c, ok := s.any("extend|lengthen|prolong|stretch *which by *length", "make *which longer by *length")
	if ok {
		until = c.get("length") + " longer"
	} else if c, ok = s.any("shorten|cut *which by *length", "make *which shorter by *length"); ok {
		until = c.get("length") + " shorter"
	} else if c, ok = s.any("extend|lengthen|prolong|stretch *which until|till|to *length", "make *which last until|till *length", "make *which last *length", "*which should|will|must last|take until|till *length", "*which should|will|must last|take *length"); ok {
		until = c.get("length")
	} else {
		return intent{}, false
	}
	return l.resizedTo(c.sentence("which"), c.get("length"), until)
}

// resizedAt is a plan that is to be so much longer or shorter, or so long, where nothing parts the
// two: make the dentist an hour long.
func (l listener) resizedAt(s said) (intent, bool) {
	end := len(s.words) - 1
	if !s.is(0, "make") || !s.is(end, "long", "longer", "shorter") {
		return intent{}, false
	}
	for i := 2; i < end; i++ {
		length := s.part(i, end)
		if _, ok := when.Later(length, l.p.AsOf, l.zone()); !ok {
			continue
		}
		until := length
		if !s.is(end, "long") {
			until += " " + s.words[end].lower
		}
		return l.resizedTo(s.upTo(i).from(1), length, until)
	}
	return intent{}, false
}

// resizedTo is a change of when an appointment ends.
func (l listener) resizedTo(which said, said, until string) (intent, bool) {
	_, length := when.Later(said, l.p.AsOf, l.zone())
	if len(which.words) == 0 || l.planTool(which) != skillAppointment || !length && !l.isOnlyTime("at "+said) && !l.isOnlyTime(said) {
		return intent{}, false
	}
	for len(which.words) > 1 && which.is(0, "the", "my", "our") {
		which = which.from(1)
	}
	return intent{tool: skillAppointment, params: map[string]any{"action": "move", "which": which.all(), "until": until}, subject: "which"}, true
}

// invites hears who takes part, too: "invite Bob to the dinner party".
func (l listener) invites(s said) (intent, bool) {
	c, ok := s.any("invite|add *who to the|my|our *which")
	if !ok || s.question {
		return intent{}, false
	}
	who, which := c.sentence("who"), c.sentence("which")
	during := ""
	if shorter := l.withoutPeriod(which); len(shorter.words) > 0 && len(shorter.words) < len(which.words) {
		during, which = which.from(len(shorter.words)).all(), shorter
	}
	if len(who.words) > 4 || l.planTool(which) != skillAppointment || !s.is(0, "invite") && !isNameLike(s, 1) {
		return intent{}, false
	}
	names := 0
	for _, w := range which.words {
		if !emptyWords[w.lower] {
			names++
		}
	}
	if _, fits := l.tool(s); fits || names < 2 && !l.isKnownWhole(which) {
		return intent{}, false
	}
	in := intent{tool: skillAppointment, params: map[string]any{"action": "move", "which": which.all(), "with": "and " + strings.TrimSpace(who.all())}, subject: "which"}
	if during != "" {
		in.params["during"] = during
	}
	return in, true
}
