package hearing

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chalie/domain/language"
)

// follows is what a message asks for that only means something directly behind the
// last reply: which of several it takes, or how it changes what was just made.
func (l listener) follows(text string) []intent {
	last, follows := l.last()
	c, ok := correctionIn(text)
	if !follows || !ok || c.s.question || len(c.s.words) == 0 {
		return nil
	}
	before := l.hears(last.Prompt)
	if len(before) == 1 && len(before[0].among) > 0 && strings.Contains(last.Reply, before[0].ask) {
		if taken := picked(before[0].among, c.s); taken != nil {
			return taken
		}
	}
	if len(last.Done) == 0 && len(before) == 1 && before[0].ask == "" {
		if one, ok := chosen(before[0], choices(last.Reply), c.s); ok {
			return []intent{one}
		}
	}
	m, told := l.made()
	if both := l.allTimes(m, c.s); told && both != nil {
		return both
	}
	if one, ok := l.amended(c); ok {
		return []intent{one}
	}
	if one, ok := l.corrects(m, text, c); told && ok {
		return []intent{one}
	}
	if len(last.Done) == 0 {
		if one, ok := l.unmade(last.Reply, c); ok {
			return []intent{one}
		}
	}
	if one, ok := l.regretted(last, c.s); ok {
		return []intent{one}
	}
	return nil
}

// choice is one of the things that a question names.
type choice struct{ text, due string }

// choices are what a question of Chalie's names: Which task is meant: "a", "b"?
func choices(reply string) []choice {
	_, question, asked := strings.Cut(reply, " is meant")
	if !asked || !strings.HasPrefix(reply, "Which ") {
		return nil
	}
	var out []choice
	for {
		at := strings.IndexByte(question, '"')
		if at < 0 {
			return out
		}
		quotedText, err := strconv.QuotedPrefix(question[at:])
		if err != nil {
			return out
		}
		one := choice{}
		if one.text, err = strconv.Unquote(quotedText); err != nil {
			return out
		}
		question = question[at+len(quotedText):]
		if due, ok := strings.CutPrefix(question, " ("); ok {
			if due, rest, ok := strings.Cut(due, ")"); ok {
				one.due, question = due, rest
			}
		}
		out = append(out, one)
	}
}

// chosen is an intent for the one of several that is taken.
func chosen(in intent, all []choice, answer said) (intent, bool) {
	param := map[string]string{skillReminder: "which", skillAppointment: "which", skillTask: "which", skillForget: "what", skillList: "list", skillRemove: "which"}[in.tool]
	if len(all) < 2 || param == "" || len(answer.words) == 0 || len(answer.words) > maxAnswerWords {
		return intent{}, false
	}
	at := -1
	if c, ok := answer.any("the? first|second|third|fourth|last|1|2|3|4 one?"); ok {
		for i := range c.said.words {
			for n, words := range [][]string{{"first", "1"}, {"second", "2"}, {"third", "3"}, {"fourth", "4"}} {
				if c.said.is(i, words...) {
					at = n
				}
			}
			if c.said.is(i, "last") {
				at = len(all) - 1
			}
		}
	} else {
		if at, ok = named(all, answer); !ok {
			return intent{}, false
		}
	}
	if at < 0 || at >= len(all) {
		return intent{}, false
	}
	return in.with(param, strings.TrimSpace(all[at].text+" "+all[at].due)), true
}

// named is the only one that has all words of an answer, or nothing but them.
func named(all []choice, answer said) (at int, ok bool) {
	at, found := -1, 0
	for i, one := range all {
		words, readable := read(one.text + " " + one.due)
		if !readable {
			continue
		}
		if strings.EqualFold(one.text, answer.all()) && one.due == "" {
			return i, true
		}
		has := true
		for _, w := range answer.words {
			has = has && (hasAny(words, w.lower) || w.lower == "the" || w.lower == "one")
		}
		if has {
			at, found = i, found+1
		}
	}
	return at, found == 1
}

// appointmentTold finds what an appointment is in the reply that says that it was made.
var appointmentTold = regexp.MustCompile(`^(?:Appointment|Moved|Changed|Moved this once): ([^\n]+?), (?:every |today|tomorrow|on )`)

// stops hears who takes back what was just made.
func stops(s said) bool {
	_, ok := s.any("never mind", "nevermind", "forget it|that", "cancel", "cancel it|that", "undo", "undo it|that", "scrap it|that", "take it|that back")
	return ok
}

// makes reports whether a call made a plan.
func makes(d language.Done) bool {
	action := readParams(d.Call.Params)["action"]
	return d.Own && d.Error == "" && (d.Call.Tool == skillRemind || d.Call.Tool == skillAppointment && action == nil || action == "add" || action == "create")
}

// amended ends what was just set, the only plan that was spoken of last: "never mind".
func (l listener) amended(c correction) (intent, bool) {
	told := l.spoken()
	if len(told) != 1 || told[0].ended || told[0].id == "" {
		return intent{}, false
	}
	m := told[0]
	last, _ := l.last()
	if stops(c.s) {
		_, cancels := c.s.any("cancel it|that")
		_, takesBack := l.offered(skillUndo)
		changed := slices.ContainsFunc(last.Done, l.hasChanged)
		made := slices.ContainsFunc(last.Done, makes)
		if changed && !made && !cancels && takesBack {
			return intent{tool: skillUndo, params: l.undoOf(last)}, true
		}
		return m.to("cancel", ""), changed || cancels
	}
	return intent{}, false
}

// unmade takes back the plan that the last reply, whose results aren't known, says was made: "never
// mind".
func (l listener) unmade(reply string, c correction) (intent, bool) {
	m, ok := madeIn(reply)
	if !ok || !stops(c.s) || m.tool == skillAppointment || m.asked || m.gone {
		return intent{}, false
	}
	if m.tool == skillTask {
		return taskEnded(m.text, "drop"), true
	}
	return m.to("cancel"), true
}
