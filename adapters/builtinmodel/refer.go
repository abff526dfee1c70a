package builtinmodel

import (
	"slices"
	"strings"
)

// mentioned is a plan that the last reply spoke of, by its words and its time as they were told.
type mentioned struct {
	tool string // the skill that keeps it
	text string
	due  string // "" for none
}

// pointsOne are words that point at what was spoken of.
const pointsOne = "it|that|this|those|them|these"

// refers hears what is to happen to what was last spoken of: "cancel it", "move the first one to
// Friday", "done with both", "skip the one about Anna".
func (l listener) refers(text string) []intent {
	if len(l.p.Recent) == 0 {
		return nil
	}
	s, ok := read(text)
	if !ok {
		return nil
	}
	s, _ = s.request()
	const end = "cancel|delete|remove|drop|erase|clear|forget|scrap|stop"
	var action, moment string
	var which said
	switch {
	case has(s, &which, &moment, "move|reschedule|postpone|push|shift|change|delay *which to|until|till|back|by *when", "make *which *when", "snooze *which for|until|till|to? *when"):
		action = "move"
	case has(s, &which, &moment, end+" *which please?", "get rid of *which", "turn off *which", "turn *which off", "i do not need *which any more|longer?", "i do not need *which anymore?"):
		action = "cancel"
	case has(s, &which, &moment, "skip *which", "leave out *which"):
		action = "skip"
	case has(s, &which, &moment, "mark|tick *which as? done|off|complete", "*which is|are done|finished", "i am done with *which", "done with *which", "complete|finish *which", "i did *which", "i have done *which"):
		action = "done"
	default:
		return nil
	}
	spoken := mentions(l.p.Recent[len(l.p.Recent)-1].Reply)
	chosen, ok := pointed(spoken, which)
	if _, one := which.any(pointsOne); one && !ok && len(spoken) > 1 && (action != "move" || l.isMove(moment)) {
		names := make([]string, 0, maxCalls)
		for _, m := range spoken[:min(len(spoken), maxCalls)] {
			names = append(names, strings.TrimSpace(mention(m.text)+" "+m.due))
		}
		return []intent{{tool: spoken[0].tool, ask: "Which one do you mean: " + strings.Join(names, ", ") + "?"}}
	}
	if !ok || len(chosen) == 0 || len(chosen) > maxCalls || action == "move" && (len(chosen) > 1 || !l.isMove(moment)) {
		return nil
	}
	out := make([]intent, 0, len(chosen))
	for _, one := range chosen {
		out = append(out, one.to(action, moment))
	}
	return out
}

// has fits a sentence to the first of some phrases that it fits, and takes what is named.
func has(s said, which *said, moment *string, phrases ...phrase) bool {
	c, ok := s.any(phrases...)
	*which, *moment = c.sentence("which"), c.get("when")
	return ok
}

// isMove reports whether words say to when, or how much later or earlier.
func (l listener) isMove(text string) bool {
	for _, behind := range []string{" later", " earlier", " back"} {
		if rest, ok := strings.CutSuffix(text, behind); ok && l.isOnlyTime("in "+rest) {
			return true
		}
	}
	return l.isOnlyTime(text)
}

// to is what is to happen to a plan that was spoken of.
func (m mentioned) to(action, moment string) intent {
	in := intent{tool: m.tool, params: map[string]any{"action": action, "which": m.text}, subject: "which"}
	if m.due != "" && m.tool != skillTask {
		in.params["during"] = m.due
	}
	switch {
	case action == "move":
		in.moment = momentOf(m.tool)
		in.params[in.moment] = moment
	case m.tool == skillTask && action == "cancel":
		in.params["action"] = "drop"
	case m.tool == skillTask && action == "done":
		in.params["action"] = "complete"
	case m.tool == skillAppointment && action == "done":
		in.params["action"] = "cancel"
	}
	return in
}

// pointed are those that words point at: all of them, one by its place among them, or the only
// one with the words.
func pointed(spoken []mentioned, which said) ([]mentioned, bool) {
	which = which.withoutOf()
	if _, many := which.any("both", "all", "everything", "all|both of them|those|these", "them all", "the two", "all three|four"); many {
		return spoken, len(spoken) > 1
	}
	if _, one := which.any(pointsOne, "that|this|the one|reminder|alarm|appointment|meeting|event|task|plan|thing", "the|that last? one"); one && len(which.words) > 0 {
		if which.is(0, "them", "those", "these") {
			return spoken, len(spoken) > 0
		}
		return spoken, len(spoken) == 1
	}
	places := []string{"first|1st|1", "second|2nd|2", "third|3rd|3", "fourth|4th|4", "fifth|5th|5", "sixth|6th|6"}
	for i, words := range places {
		if _, ok := which.any(phrase("the? "+words+" one|reminder|alarm|appointment|meeting|event|task?"), phrase("number|no "+words)); ok && i < len(spoken) {
			return spoken[i : i+1], true
		}
	}
	if _, ok := which.any("the? last one|reminder|alarm|appointment|meeting|event|task?"); ok && len(spoken) > 0 {
		return spoken[len(spoken)-1:], true
	}
	c, ok := which.any("the|that one about|for|with|of|at|on|in *words", "the *words one")
	if !ok {
		return nil, false
	}
	var found []mentioned
	words := c.sentence("words")
	for _, one := range spoken {
		in, readable := read(one.text + " " + one.due)
		if readable && !slices.ContainsFunc(words.words, func(w word) bool { return !emptyWords[w.lower] && !hasStart(in, w.lower) }) {
			found = append(found, one)
		}
	}
	return found, len(found) == 1
}

// withoutOf is "both of the meetings" as "both".
func (s said) withoutOf() said {
	for i := range s.words {
		if i > 0 && s.is(i, "of") && s.is(0, "both", "all", "everything", "each") {
			return s.upTo(i)
		}
	}
	return s
}

// hasStart reports whether a word of a sentence begins so: 6:30 is meant by 6, meetings by
// meeting.
func hasStart(s said, begins string) bool {
	return slices.ContainsFunc(s.words, func(w word) bool {
		return w.lower == begins || len(begins) > 2 && strings.HasPrefix(w.lower, begins) || strings.HasPrefix(strings.TrimPrefix(w.lower, "0"), begins+":")
	})
}

// headings are over the plans of a kind in an answer.
var headings = map[string]string{"Reminders": skillReminder, "Alarms": skillReminder, "Appointments": skillAppointment, "Tasks": skillTask}

// confirmations are how answers begin that tell of one plan: the skill that keeps it, and
// whether the time stands first.
var confirmations = []struct {
	begins, tool string
	timeFirst    bool
}{
	{"I'll remind you ", skillReminder, true}, {"Appointment: ", skillAppointment, false}, {"Moved: ", skillAppointment, false}, {"Changed: ", skillAppointment, false},
	{"Moved this once: ", skillAppointment, false}, {"Task: ", skillTask, false},
}

// mentions are the plans that a reply spoke of, in their order. What others say is marked at
// the beginning of every line, and is none of them.
func mentions(reply string) []mentioned {
	var out []mentioned
	tool := ""
	for line := range strings.Lines(reply) {
		line = strings.TrimSpace(line)
		if t, heading := headings[line]; heading {
			tool = t
			continue
		}
		item, listed := strings.CutPrefix(line, "- ")
		switch {
		case listed && tool != "":
			out = append(out, mentionedIn(tool, item))
			continue
		case strings.HasPrefix(line, "Next: "), strings.HasPrefix(line, "No: "):
			_, items, _ := strings.Cut(line, ": ")
			for item := range strings.SplitSeq(strings.TrimSuffix(items, "."), "; ") {
				out = append(out, mentionedIn(kindIn(item), item))
			}
			continue
		}
		for _, c := range confirmations {
			rest, ok := strings.CutPrefix(line, c.begins)
			if !ok {
				continue
			}
			if !c.timeFirst {
				out = append(out, mentionedIn(c.tool, rest))
			} else if due, text, ok := strings.Cut(rest, ": "); ok {
				due, _, _ = strings.Cut(due, ", first ")
				out = append(out, mentioned{c.tool, text, dayOf(due)})
			}
		}
		if tool == "" {
			for _, one := range choices(line) {
				out = append(out, mentioned{nounOf(line), one.text, one.due})
			}
		}
	}
	return out
}

// nounOf is the skill of the plans that a question names: Which reminder is meant: …?
func nounOf(question string) string {
	switch {
	case strings.HasPrefix(question, "Which appointment"):
		return skillAppointment
	case strings.HasPrefix(question, "Which task"):
		return skillTask
	}
	return skillReminder
}

// kindIn is the skill of a plan that is told with its times: an appointment has two.
func kindIn(item string) string {
	if strings.Contains(item, " to ") || strings.Contains(item, "all day") {
		return skillAppointment
	}
	return skillReminder
}

// mentionedIn takes a line about a plan apart: its words, a comma, and when it is.
func mentionedIn(tool, item string) mentioned {
	for _, sign := range []string{", today", ", tomorrow", ", on ", ", every ", ", due ", ", was due ", ", in "} {
		if at := strings.Index(item, sign); at > 0 {
			return mentioned{tool, item[:at], dayOf(item[at+2:])}
		}
	}
	text, _, _ := strings.Cut(item, " (")
	return mentioned{tool: tool, text: strings.TrimSuffix(text, ".")}
}

// dayOf is when a plan is, as it was told, so that the skill finds it by that: its day, and the
// time at which it begins. How one comes back tells nothing.
func dayOf(told string) string {
	told = strings.TrimPrefix(told, "due ")
	day, date, _ := strings.Cut(told, ",")
	if _, clock, ok := strings.Cut(date, " at "); ok && (day == "today" || day == "tomorrow") {
		day += " at " + clock // the date says the same again
	}
	day, _, _ = strings.Cut(day, " (")
	words := strings.Fields(strings.TrimSuffix(day, "."))
	if len(words) == 0 || words[0] == "every" || words[0] == "was" {
		return ""
	}
	for i, w := range words {
		if strings.ContainsRune(w, ':') && i > 0 {
			if words[i-1] != "at" {
				return strings.Join(words[:i], " ") + " at " + w
			}
			return strings.Join(words[:i+1], " ")
		}
	}
	return strings.Join(words, " ")
}
