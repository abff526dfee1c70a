package turns

import (
	"slices"

	"chalie/domain/language"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// follows is what a message asks for that only means something directly behind the
// last reply: which of several it takes, or how it changes what was just made.
func (l Talk) follows(text string) []tools.Intent {
	last, follows := l.Last()
	c, ok := correctionIn(text)
	if !follows || !ok || c.s.Question || len(c.s.Words) == 0 {
		return nil
	}
	before := l.Hears(last.Prompt)
	if len(before) == 1 && len(before[0].Among) > 0 && last.Tells(before[0].Ask) {
		if taken := tools.Picked(before[0].Among, c.s); taken != nil {
			return taken
		}
	}
	m, told := l.Made()
	if both := l.allTimes(m, c.s); told && both != nil {
		return both
	}
	if one, ok := l.amended(c); ok {
		return []tools.Intent{one}
	}
	if one, ok := l.corrects(m, text, c); told && ok {
		return []tools.Intent{one}
	}
	if one, ok := l.regretted(last, c.s); ok {
		return []tools.Intent{one}
	}
	return nil
}

// stops hears who takes back what was just made.
func stops(s sentences.Said) bool {
	_, ok := s.Any("never mind", "nevermind", "forget it|that", "cancel", "cancel it|that", "undo", "undo it|that", "scrap it|that", "take it|that back")
	return ok
}

// makes reports whether a call made a plan.
func makes(d language.Done) bool {
	action := ReadParams(d.Call.Params)["action"]
	return d.Own && d.Error == "" && (d.Call.Tool == tools.SkillRemind || d.Call.Tool == tools.SkillAppointment && action == nil || action == "add" || action == "create")
}

// amended ends what was just set, the only plan that was spoken of last: "never mind".
func (l Talk) amended(c correction) (tools.Intent, bool) {
	told := l.Spoken()
	if len(told) != 1 || told[0].Ended || told[0].ID == "" {
		return tools.Intent{}, false
	}
	m := told[0]
	last, _ := l.Last()
	if stops(c.s) {
		_, cancels := c.s.Any("cancel it|that")
		_, takesBack := l.Offered(tools.SkillUndo)
		changed := slices.ContainsFunc(last.Done, l.HasChanged)
		made := slices.ContainsFunc(last.Done, makes)
		if changed && !made && !cancels && takesBack {
			return tools.Intent{Tool: tools.SkillUndo, Params: l.UndoOf(last)}, true
		}
		return m.To("cancel", ""), changed || cancels
	}
	return tools.Intent{}, false
}
