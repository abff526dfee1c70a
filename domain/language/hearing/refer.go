package hearing

import (
	"fmt"
	"slices"
	"strings"
)

// pointsOne are words that point at what was spoken of.
const pointsOne = "it|that|this|those|them|these"

// refers hears what is to happen to what was last spoken of: "cancel it", "move the first one to
// Friday", "done with both", "skip the one about Anna".
func (l listener) refers(text string) []intent {
	text, paused, during := l.withoutOnce(text)
	action, which, moment := l.actionIn(text)
	if action == "" {
		return nil
	}
	chosen, question := l.pointedAt(which, action)
	if question != "" && len(l.spoken()) == 0 && slices.ContainsFunc(l.hears(text), func(in intent) bool { return !isSkill(in.tool) }) {
		return nil // a tool is asked for
	}
	if question != "" {
		return []intent{{tool: skillPlans, ask: question}}
	}
	if len(chosen) == 0 {
		return nil
	}
	out := l.eachOf(chosen, action, moment)
	for i := range out {
		if paused && out[i].params["action"] == "skip" {
			out[i] = out[i].with("action", "pause")
		}
		if during != "" {
			out[i] = out[i].with("during", during)
		}
	}
	return out
}

// actionIn is what a text says is to happen to what it points at, and to when; "" for nothing.
func (l listener) actionIn(text string) (action string, which said, moment string) {
	s, ok := read(text)
	if !ok {
		return "", which, ""
	}
	s, _ = s.request()
	for len(s.words) > 2 && s.is(0, "actually", "no", "wait", "ok", "okay", "and", "then", "so", "well", "oh", "now", "please") {
		s = s.from(1)
	}
	const end = "cancel|delete|remove|drop|erase|clear|forget|scrap|stop"
	switch {
	case has(s, &which, &moment, "move|reschedule|postpone|push|shift|change|delay *which to|until|till|back|by *when", "make *which *when", "move|reschedule|postpone|push|shift|delay|bring it|that|this *when", "snooze *which for|until|till|to? *when"):
		action = "move"
	case has(s, &which, &moment, end+" *which please?", "get rid of *which", "turn off *which", "turn *which off", "i do not need *which any more|longer?", "i do not need *which anymore?"):
		action = "cancel"
	case has(s, &which, &moment, "skip *which", "leave out *which", "leave *which out"):
		action = "skip"
	case has(s, &which, &moment, "mark|tick *which as? done|off|complete", "*which is|are done|finished", "i am done with *which", "done with *which", "complete|finish *which", "i did *which", "i have done *which"):
		action = "done"
	default:
		return "", which, ""
	}
	if action == "move" {
		if len(which.words) == 0 {
			which, _ = read("it")
		}
		if moment = l.asTime(moment); l.isLength(moment) && s.is(0, "snooze") {
			moment += " later"
		}
		if !l.isMove(moment) {
			return "", which, ""
		}
	}
	return action, which, moment
}

// chosenNow is what the model asked for of several, chosen: the first, the one with Joe, Friday.
func (l listener) chosenNow(text string) []intent {
	last, follows := l.last()
	s, ok := read(text)
	if !follows || !ok || s.question || len(last.Done) > 0 || !strings.HasPrefix(last.Reply, whichOne) {
		return nil
	}
	action, _, moment := l.actionIn(last.Prompt)
	open := slices.DeleteFunc(l.spoken(), func(m mentioned) bool { return m.ended })
	at, one := l.pointsAt(open, s)
	if action == "" || !one {
		return nil
	}
	return l.eachOf(open[at:at+1], action, moment)
}

// eachOf is what is to happen to plans that were spoken of: in one call where the skill takes them so.
func (l listener) eachOf(chosen []mentioned, action, moment string) []intent {
	if len(chosen) == 1 {
		return []intent{chosen[0].to(action, moment)}
	}
	var out []intent
	var ids []string
	once, during := slices.ContainsFunc(chosen, func(m mentioned) bool { return m.once }), l.periodTold()
	for _, m := range chosen {
		if m.id == "" || m.tool != chosen[0].tool && (action != "cancel" || once) || once && during == "" || action == "skip" {
			ids = nil
			break
		}
		ids = append(ids, m.id)
	}
	if len(ids) > 0 {
		in := chosen[0].to(action, moment).with("which", strings.Join(ids, " and "))
		switch {
		case once:
			in = in.with("during", during)
		case len(ids) == 2: // more are named and asked about first
			in = in.with("confirmed", true)
			delete(in.params, "during")
		}
		return []intent{in}
	}
	if len(chosen) > 2 {
		return []intent{{tool: chosen[0].tool, ask: severalKinds + inLine(chosen) + ". Say it of one kind, such as: " + "all my reminders" + forPeriod(during) + "."}}
	}
	for _, m := range chosen {
		out = append(out, m.to(action, moment))
	}
	return out
}

// periodTold is the period of which plans were told last; "" where none was said.
func (l listener) periodTold() string {
	last, _ := l.last()
	for _, d := range last.Done {
		if during, _ := readParams(d.Call.Params)["during"].(string); d.Call.Tool == skillPlans && d.Own {
			return during
		}
	}
	return ""
}

// withoutOnce is a text that skips, pauses or cancels what was spoken of without when: skip it next
// time, cancel it on Wednesday, pause it for a week. "Next time" is what is skipped anyway.
func (l listener) withoutOnce(text string) (out string, paused bool, during string) {
	s, ok := read(text)
	if !ok || s.question {
		return text, false, ""
	}
	s, _ = s.request()
	if n := s.starts([]string{"i will", "i am going to", "let me", "let us", "let's"}); n > 0 && n < len(s.words) {
		s = s.from(n)
	}
	n := len(s.words)
	if n < 2 {
		return text, false, ""
	}
	owned := s.is(0, "cancel") && strings.HasSuffix(s.words[n-1].lower, "'s") // cancel tomorrow's
	switch last := s.ends(nextTime); {
	case s.is(0, "pause", "suspend"):
		which := l.withoutPeriod(s.from(1))
		return "skip " + which.all(), true, s.part(1+len(which.words), n)
	case !s.is(0, "skip", "cancel", "leave"):
		return text, false, ""
	case last == n-1 && s.is(0, "skip"): // skip the next time
		return "skip it", false, ""
	case last > 0 && last < n && s.is(0, "skip", "leave"):
		return s.part(0, n-last), false, ""
	case (s.is(0, "skip") || owned) && l.isPeriod(s.part(1, n)): // skip tomorrow
		return s.words[0].lower + " it", false, s.part(1, n)
	case s.begins("leave", "out") && n > 2 && l.isPeriod(s.part(2, n)):
		return "skip it", false, s.part(2, n)
	}
	for i := 2; i < n; i++ {
		if period := s.part(i, n); s.is(i-1, "it", "that", "this", "them", "one", "out") && (l.isPeriod(period) || s.is(i, "for") && l.isLength(s.part(i+1, n))) {
			return s.part(0, i), false, period
		}
	}
	return s.all(), false, ""
}

// has fits a sentence to the first of some phrases that it fits, and takes what is named.
func has(s said, which *said, moment *string, phrases ...phrase) bool {
	c, ok := s.any(phrases...)
	*which, *moment = c.sentence("which"), c.get("when")
	return ok
}

// asTime is a time as it is read elsewhere: "10 on Monday" is on Monday at 10, and "weekdays only"
// is weekdays.
func (l listener) asTime(text string) string {
	if rest, only := strings.CutSuffix(text, " only"); only && l.isOnlyTime(rest) {
		text = rest
	}
	if !l.isLength(text) && l.isOnlyTime("every "+strings.TrimSuffix(text, "s")) && strings.HasSuffix(text, "s") {
		return "every " + strings.TrimSuffix(text, "s")
	}
	clock, day, two := strings.Cut(text, " ")
	if two && !l.isOnlyTime(text) && startsWithDigit(clock) && l.isOnlyTime(day+" at "+clock) {
		return day + " at " + clock
	}
	return text
}

func startsWithDigit(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }

// isMove reports whether words say to when, or how much later or earlier.
func (l listener) isMove(text string) bool {
	for _, behind := range []string{" later", " earlier", " back"} {
		if rest, ok := strings.CutSuffix(text, behind); ok && l.isOnlyTime("in "+rest) {
			return true
		}
	}
	return l.isOnlyTime(l.linked(text))
}

// to is what is to happen to a plan that was spoken of.
func (m mentioned) to(action, moment string) intent {
	in := intent{tool: m.tool, params: map[string]any{"action": action, "which": m.which()}, subject: "which"}
	switch {
	case m.tool == skillTask, m.due == "":
	case m.id == "":
		in.params["during"] = m.due
	case m.once && (action == "cancel" || action == "skip" || action == "move"):
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

// kindsOf are words for plans of a kind, and the skill that keeps them.
var kindsOf = []struct {
	words phrase
	tool  string
}{
	{"reminders|alarms|timers", skillReminder}, {"appointments|meetings|events", skillAppointment}, {"tasks|todos|to-dos", skillTask},
}

// pointedAt are the plans that words point at, of those that were spoken of: it, both, all of them, one
// by its place, or the only one with the words; or what to ask.
func (l listener) pointedAt(which said, action string) (chosen []mentioned, question string) {
	told := l.spoken()
	open := slices.DeleteFunc(slices.Clone(told), func(m mentioned) bool { return m.ended })
	if len(told) > 0 && len(open) == 0 && action == "move" {
		if _, one := which.any(pointsOne); one {
			return nil, fmt.Sprintf("%s is no more. To have it back first, say undo.", mention(told[0].text))
		}
	}
	bare := which.withoutOf()
	for _, kind := range kindsOf {
		if _, both := which.any("both of? the|my|those|these? "+kind.words, "the|those|these|my? last? two "+kind.words); both {
			return l.bothOf(open, kind.tool)
		}
	}
	if _, both := bare.any("both", "the|those|these? last? two", "the two", "both of? them|these|those", "them both"); both {
		return l.bothOf(open, "")
	}
	_, all := bare.any("all", "everything", "all of? them|those|these", "them all", "all three|four|five")
	if _, them := bare.any("them", "those", "these"); all || them {
		switch recent := l.lately(""); {
		case len(open) > 1, len(open) == 1 && len(recent) < 2 && !all:
			return open, ""
		case len(recent) > 1 && (len(which.words) > 1 || them):
			return recent, ""
		case all && action == "cancel" && len(which.words) == 1:
			return nil, allOfWhat + " Say it such as: cancel all my reminders, or cancel everything tomorrow."
		}
		return nil, ""
	}
	if _, one := which.any(pointsOne, "that|this|the one|reminder|alarm|appointment|meeting|event|task|plan|thing", "the|that last? one"); one && len(which.words) > 0 {
		if len(open) > 1 {
			if at, found := l.onlyKind(open, which); found {
				return open[at : at+1], ""
			}
			if _, plain := which.any(pointsOne); plain {
				return nil, whichOne + inLine(open) + "?"
			}
			return nil, ""
		}
		return open, ""
	}
	if found := l.namesOf(which); len(found) > 1 {
		return found, ""
	}
	if _, other := which.any("the other", "the other one|reminder|alarm|appointment|meeting|task"); other {
		left := slices.DeleteFunc(slices.Clone(l.listed()), func(m mentioned) bool {
			return l.hasEnded(m) || slices.ContainsFunc(told, func(o mentioned) bool { return o.id == m.id })
		})
		if len(left) == 1 {
			return left, ""
		}
		return nil, ""
	}
	named := false // a name alone says nothing of what was spoken of
	for i := range which.words {
		named = named || which.is(i, "one", "last", "number") || i == len(which.words)-1 && which.is(i, "first", "second", "third", "fourth", "fifth", "sixth", "1st", "2nd", "3rd")
	}
	if at, one := l.pointsAt(open, which); named && one {
		return open[at : at+1], ""
	}
	if listed := l.listed(); named && len(open) < 2 && len(listed) > 1 { // another of those that were told before
		if at, one := l.pointsAt(listed, which); one && !l.hasEnded(listed[at]) {
			return listed[at : at+1], ""
		}
	}
	if _, ok := which.any("the? first|second|third|fourth|last reminder|alarm|appointment|meeting|event|task"); ok {
		if at, one := l.pointsAt(open, which); one && len(open) > 1 {
			return open[at : at+1], ""
		}
	}
	return nil, ""
}

// listed are the plans that the latest turn told of that told of several.
func (l listener) listed() []mentioned {
	for _, turn := range slices.Backward(l.turns()) {
		if told := l.mentionedIn(turn.Done); len(told) > 1 {
			return told
		}
	}
	return nil
}

// hasEnded reports whether a plan ended in the turns in mind.
func (l listener) hasEnded(m mentioned) bool {
	ended := false
	for _, turn := range l.turns() {
		told := l.mentionedIn(turn.Done)
		for _, o := range told {
			if o.id == m.id {
				ended = o.ended
			}
		}
	}
	return ended
}

// namesOf are the plans that the last turns told of, by the name of each: Hans and Otto; none where
// one of the names isn't of exactly one of them.
func (l listener) namesOf(which said) (out []mentioned) {
	var all []mentioned
	for _, turn := range l.turns() {
		told := l.mentionedIn(turn.Done)
		for _, m := range told {
			all = slices.DeleteFunc(all, func(o mentioned) bool { return o.id == m.id })
			if !m.ended {
				all = append(all, m)
			}
		}
	}
	from := 0
	for i := 0; i <= len(which.words); i++ {
		if i < len(which.words) && !which.is(i, "and") || i == from {
			continue
		}
		name := which.from(from).upTo(i - from)
		for name.is(0, "the", "my", "both") && len(name.words) > 1 {
			name = name.from(1)
		}
		at, found := l.worded(all, name)
		if found != 1 || slices.ContainsFunc(out, func(o mentioned) bool { return o.id == all[at].id }) {
			return nil
		}
		out, from = append(out, all[at]), i+1
	}
	return out
}

// onlyKind is the only one of several of the kind that "that reminder" says.
func (l listener) onlyKind(open []mentioned, which said) (at int, found bool) {
	n := 0
	for i, m := range open {
		kind := map[string][]string{skillReminder: {"reminder", "alarm"}, skillAppointment: {"appointment", "meeting", "event"}, skillTask: {"task"}}[m.tool]
		if which.is(len(which.words)-1, kind...) {
			at, n = i, n+1
		}
	}
	return at, n == 1
}

// bothOf are the last two plans that were spoken of, of a kind or of any (""): those that the last
// turn told of, or those that the last turns told of one by one; never more, and nothing that
// wasn't spoken of. Of a kind that nothing was spoken of, the skill asks.
func (l listener) bothOf(open []mentioned, tool string) ([]mentioned, string) {
	if tool != "" {
		open = slices.DeleteFunc(open, func(m mentioned) bool { return m.tool != tool })
	}
	recent := l.lately(tool)
	switch {
	case len(open) == 2:
		return open, ""
	case len(open) < 2 && len(recent) > 1:
		return recent[len(recent)-2:], ""
	case tool != "" && len(open) == 0:
		return nil, ""
	case len(open) == 0 && len(recent) == 0:
		return nil, whichTwo + "Say it with words of both."
	}
	if len(open) == 0 {
		open = recent
	}
	return nil, whichTwo + "We spoke of " + inLine(open) + ". Say it with words of both."
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

// mentions are the plans that a reply spoke of whose results aren't known, in their order. What others say is marked at
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
				due, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimPrefix(due, "this once "), "once more "), ", first ")
				if end := standing.FindStringIndex(text); end != nil {
					text = text[:end[0]]
				}
				out = append(out, mentioned{tool: c.tool, text: text, due: dayOf(due)})
			}
		}
		if m, ok := madeIn(line); ok && m.asked {
			out = append(out, m.mentioned)
		}
		if tool == "" {
			for _, one := range choices(line) {
				out = append(out, mentioned{tool: nounOf(line), text: one.text, due: one.due})
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
			return mentioned{tool: tool, text: item[:at], due: dayOf(item[at+2:])}
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
