package builtinmodel

import (
	"regexp"
	"strconv"
	"strings"
)

// follows is what a message asks for that only means something directly behind the
// last reply: which of several it takes, or how it changes what was just made.
func (l listener) follows(text string) []intent {
	if len(l.p.Recent) == 0 {
		return nil
	}
	last := l.p.Recent[len(l.p.Recent)-1]
	c, ok := correctionIn(text)
	if !ok || c.s.question {
		return nil
	}
	before := l.hears(last.Prompt)
	if len(before) == 1 && len(before[0].among) > 0 && strings.Contains(last.Reply, before[0].ask) {
		if one, ok := picked(before[0].among, c.s); ok {
			return []intent{one}
		}
	}
	if len(before) == 1 && before[0].ask == "" {
		if one, ok := chosen(before[0], choices(last.Reply), c.s); ok {
			return []intent{one}
		}
	}
	if one, ok := l.unmade(last.Reply, c); ok {
		return []intent{one}
	}
	if one, ok := l.regretted(last.Reply, c.s); ok {
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
	param := map[string]string{skillReminder: "which", skillAppointment: "which", skillTask: "which", skillForget: "what", skillList: "list"}[in.tool]
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
var appointmentTold = regexp.MustCompile(`^(?:Appointment|Moved|Changed): ([^\n]+?), (?:every |today|tomorrow|on )`)

// unmade changes or takes back the reminder or task that the last reply says was
// made: "no, on Friday", "never mind".
func (l listener) unmade(reply string, c correction) (intent, bool) {
	if made := appointmentTold.FindStringSubmatch(reply); made != nil && c.replaces && l.isOnlyTime(c.s.all()) {
		return intent{tool: skillAppointment, params: map[string]any{"action": "move", "which": made[1], "when": c.s.all()}, subject: "which", moment: "when"}, true
	}
	tool, what, at := skillRemind, "", ""
	if said, ok := strings.CutPrefix(reply, "I'll remind you "); ok {
		at, what, _ = strings.Cut(said, ": ")
		at, _, _ = strings.Cut(at, ", first ")
		at, _, _ = strings.Cut(at, " (")
	} else if said, ok := strings.CutPrefix(reply, "Task: "); ok {
		tool, what = skillTask, said
		if i := strings.LastIndex(said, ", due "); i >= 0 {
			what, at = said[:i], said[i+len(", due "):]
		}
	}
	if what == "" || strings.ContainsRune(what, '\n') || strings.HasSuffix(what, "…") {
		return intent{}, false
	}
	text := c.s.all()
	if _, stop := c.s.any("never mind", "nevermind", "forget it|that", "cancel", "cancel it|that", "undo", "undo it|that", "scrap it|that", "take it|that back"); stop {
		if tool == skillTask {
			return taskEnded(what, "drop"), true
		}
		one, _ := ended(what, "cancel")
		return one, true
	}
	if moved, ok := l.shifted(at, c.s); ok {
		text = moved
	} else if !c.replaces || !l.isOnlyTime(text) {
		return intent{}, false
	} else if at != "" {
		text = l.combined(at, text, true)
	}
	if tool == skillTask {
		return intent{tool: skillTask, params: map[string]any{"action": "move", "which": what, "deadline": text}, subject: "which", moment: "deadline"}, true
	}
	return intent{tool: skillReminder, params: map[string]any{"action": "move", "which": what, "when": text}, subject: "which", moment: "when"}, true
}
