package plans

import (
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// Resizes hears that an appointment takes longer or shorter: "extend the meeting by 30 minutes",
// "make the dentist an hour long", "the party should last until 11".
func (l Planner) Resizes(s sentences.Said) (tools.Intent, bool) {
	if s.Question {
		return tools.Intent{}, false
	}
	if grown, ok := l.resizedAt(s); ok {
		return grown, true
	}
	var until string
	c, ok := s.Any("extend|lengthen|prolong|stretch *which by *length", "make *which longer by *length")
	if ok {
		until = c.Get("length") + " longer"
	} else if c, ok = s.Any("shorten|cut *which by *length", "make *which shorter by *length"); ok {
		until = c.Get("length") + " shorter"
	} else if c, ok = s.Any("extend|lengthen|prolong|stretch *which until|till|to *length", "make *which last until|till *length", "make *which last *length", "*which should|will|must last|take until|till *length", "*which should|will|must last|take *length"); ok {
		until = c.Get("length")
	} else {
		return tools.Intent{}, false
	}
	return l.resizedTo(c.Sentence("which"), c.Get("length"), until)
}

// resizedAt is a plan that is to be so much longer or shorter, or so long, where nothing parts the
// two: make the dentist an hour long.
func (l Planner) resizedAt(s sentences.Said) (tools.Intent, bool) {
	end := len(s.Words) - 1
	if !s.Is(0, "make") || !s.Is(end, "long", "longer", "shorter") {
		return tools.Intent{}, false
	}
	for i := 2; i < end; i++ {
		length := s.Part(i, end)
		if _, ok := when.Later(length, l.P.AsOf, l.Zone()); !ok {
			continue
		}
		until := length
		if !s.Is(end, "long") {
			until += " " + s.Words[end].Lower
		}
		return l.resizedTo(s.UpTo(i).From(1), length, until)
	}
	return tools.Intent{}, false
}

// resizedTo is a change of when an appointment ends.
func (l Planner) resizedTo(which sentences.Said, said, until string) (tools.Intent, bool) {
	_, length := when.Later(said, l.P.AsOf, l.Zone())
	if len(which.Words) == 0 || l.PlanTool(which) != tools.SkillAppointment || !length && !l.IsOnlyTime("at "+said) && !l.IsOnlyTime(said) {
		return tools.Intent{}, false
	}
	for len(which.Words) > 1 && which.Is(0, "the", "my", "our") {
		which = which.From(1)
	}
	return tools.Intent{Tool: tools.SkillAppointment, Params: map[string]any{"action": "move", "which": which.All(), "until": until}, Subject: "which"}, true
}

// Invites hears who takes part, too: "invite Bob to the dinner party".
func (l Planner) Invites(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("invite|add *who to the|my|our *which")
	if !ok || s.Question {
		return tools.Intent{}, false
	}
	who, which := c.Sentence("who"), c.Sentence("which")
	during := ""
	if shorter := l.WithoutPeriod(which); len(shorter.Words) > 0 && len(shorter.Words) < len(which.Words) {
		during, which = which.From(len(shorter.Words)).All(), shorter
	}
	if len(who.Words) > 4 || l.PlanTool(which) != tools.SkillAppointment || !s.Is(0, "invite") && !tools.IsNameLike(s, 1) {
		return tools.Intent{}, false
	}
	names := 0
	for _, w := range which.Words {
		if !sentences.EmptyWords[w.Lower] {
			names++
		}
	}
	if _, fits := l.Tool(s); fits || names < 2 && !l.isKnownWhole(which) {
		return tools.Intent{}, false
	}
	in := tools.Intent{Tool: tools.SkillAppointment, Params: map[string]any{"action": "move", "which": which.All(), "with": "and " + strings.TrimSpace(who.All())}, Subject: "which"}
	if during != "" {
		in.Params["during"] = during
	}
	return in, true
}
