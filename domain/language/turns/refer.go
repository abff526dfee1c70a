package turns

import (
	"slices"
	"strings"

	"chalie/domain/language/hearing"
	"chalie/domain/language/lists"
	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// pointsOne are words that point at what was spoken of.
const pointsOne = "it|that|this|those|them|these"

// refers hears what is to happen to what was last spoken of: "cancel it", "move the first one to
// Friday", "done with both", "skip the one about Anna".
func (l Talk) refers(text string) []tools.Intent {
	text, paused, during := l.withoutOnce(text)
	action, which, moment := l.actionIn(text)
	if action == "" {
		return nil
	}
	chosen, question := l.pointedAt(which, action)
	if !question.IsZero() && len(l.Spoken()) == 0 && slices.ContainsFunc(l.Hears(text), func(in tools.Intent) bool { return !tools.IsSkill(in.Tool) }) {
		return nil // a tool is asked for
	}
	if !question.IsZero() {
		return []tools.Intent{{Tool: tools.SkillPlans, Ask: question}}
	}
	if len(chosen) == 0 {
		return nil
	}
	out := l.eachOf(chosen, action, moment)
	for i := range out {
		if paused && out[i].Params["action"] == "skip" {
			out[i] = out[i].With("action", "pause")
		}
		if during != "" {
			out[i] = out[i].With("during", during)
		}
	}
	return out
}

// actionIn is what a text says is to happen to what it points at, and to when; "" for nothing.
func (l Talk) actionIn(text string) (action string, which sentences.Said, moment string) {
	s, ok := sentences.Read(text)
	if !ok {
		return "", which, ""
	}
	s, _ = s.Request()
	for len(s.Words) > 2 && s.Is(0, "actually", "no", "wait", "ok", "okay", "and", "then", "so", "well", "oh", "now", "please") {
		s = s.From(1)
	}
	const end = "cancel|delete|remove|drop|erase|clear|forget|scrap|stop"
	switch {
	case sentences.Has(s, &which, &moment, "move|reschedule|postpone|push|shift|change|delay *which to|until|till|back|by *when", "make *which *when", "move|reschedule|postpone|push|shift|delay|bring it|that|this *when", "do it|that *when", "snooze *which for|until|till|to? *when"):
		action = "move"
	case sentences.Has(s, &which, &moment, end+" *which please?", "get rid of *which", "turn off *which", "turn *which off", "i do not need *which any more|longer?", "i do not need *which anymore?"):
		action = "cancel"
	case sentences.Has(s, &which, &moment, "skip *which", "leave out *which", "leave *which out"):
		action = "skip"
	case sentences.Has(s, &which, &moment, "mark|tick *which as? done|off|complete", "*which is|are done|finished", "i am done with *which", "done with *which", "complete|finish *which", "i did *which", "i have done *which"):
		action = "done"
	default:
		return "", which, ""
	}
	if action == "move" {
		if len(which.Words) == 0 {
			which, _ = sentences.Read("it")
		}
		if moment = l.asTime(moment); l.IsLength(moment) && s.Is(0, "snooze") {
			moment += " later"
		}
		if !l.isMove(moment) {
			return "", which, ""
		}
	}
	return action, which, moment
}

// chosenNow is what the model asked for of several, chosen: the first, the one with Joe, Friday.
func (l Talk) chosenNow(text string) []tools.Intent {
	last, follows := l.Last()
	s, ok := sentences.Read(text)
	if !follows || !ok || s.Question || len(last.Done) > 0 || !asksWhich(last, "one") {
		return nil
	}
	action, _, moment := l.actionIn(last.Prompt)
	open := slices.DeleteFunc(l.Spoken(), func(m hearing.Mentioned) bool { return m.Ended })
	at, one := l.pointsAt(open, s)
	if action == "" || !one {
		return nil
	}
	return l.eachOf(open[at:at+1], action, moment)
}

// eachOf is what is to happen to plans that were spoken of: in one call where the skill takes them so.
func (l Talk) eachOf(chosen []hearing.Mentioned, action, moment string) []tools.Intent {
	if len(chosen) == 1 {
		return []tools.Intent{chosen[0].To(action, moment)}
	}
	var out []tools.Intent
	var ids []string
	once, during := slices.ContainsFunc(chosen, func(m hearing.Mentioned) bool { return m.Once }), l.periodTold()
	for _, m := range chosen {
		if m.ID == "" || m.Tool != chosen[0].Tool && (action != "cancel" || once) || once && during == "" || action == "skip" {
			ids = nil
			break
		}
		ids = append(ids, m.ID)
	}
	if len(ids) > 0 {
		in := chosen[0].To(action, moment).With("which", strings.Join(ids, " and "))
		switch {
		case once:
			in = in.With("during", during)
		case len(ids) == 2: // more are named and asked about first
			in = in.With("confirmed", true)
			delete(in.Params, "during")
		}
		return []tools.Intent{in}
	}
	if len(chosen) > 2 {
		return []tools.Intent{{Tool: chosen[0].Tool, Ask: say("spoken.which", args{"how": speech.Kind("kinds"), "spoken": l.named(chosen)})}}
	}
	for _, m := range chosen {
		out = append(out, m.To(action, moment))
	}
	return out
}

// periodTold is the period of which plans were told last; "" where none was said.
func (l Talk) periodTold() string {
	last, _ := l.Last()
	for _, d := range last.Done {
		if during, _ := ReadParams(d.Call.Params)["during"].(string); d.Call.Tool == tools.SkillPlans && d.Own {
			return during
		}
	}
	return ""
}

// withoutOnce is a text that skips, pauses or cancels what was spoken of without when: skip it next
// time, cancel it on Wednesday, pause it for a week. "Next time" is what is skipped anyway.
func (l Talk) withoutOnce(text string) (out string, paused bool, during string) {
	s, ok := sentences.Read(text)
	if !ok || s.Question {
		return text, false, ""
	}
	s, _ = s.Request()
	if n := lists.Starts(s, []string{"i will", "i am going to", "let me", "let us", "let's"}); n > 0 && n < len(s.Words) {
		s = s.From(n)
	}
	n := len(s.Words)
	if n < 2 {
		return text, false, ""
	}
	owned := s.Is(0, "cancel") && strings.HasSuffix(s.Words[n-1].Lower, "'s") // cancel tomorrow's
	switch last := s.Ends(plans.NextTime); {
	case s.Is(0, "pause", "suspend"):
		which := l.WithoutPeriod(s.From(1))
		return "skip " + which.All(), true, s.Part(1+len(which.Words), n)
	case !s.Is(0, "skip", "cancel", "leave"):
		return text, false, ""
	case last == n-1 && s.Is(0, "skip"): // skip the next time
		return "skip it", false, ""
	case last > 0 && last < n && s.Is(0, "skip", "leave"):
		return s.Part(0, n-last), false, ""
	case (s.Is(0, "skip") || owned) && l.IsPeriod(s.Part(1, n)): // skip tomorrow
		return s.Words[0].Lower + " it", false, s.Part(1, n)
	case s.Begins("leave", "out") && n > 2 && l.IsPeriod(s.Part(2, n)):
		return "skip it", false, s.Part(2, n)
	}
	for i := 2; i < n; i++ {
		if period := s.Part(i, n); s.Is(i-1, "it", "that", "this", "them", "one", "out") && (l.IsPeriod(period) || s.Is(i, "for") && l.IsLength(s.Part(i+1, n))) {
			return s.Part(0, i), false, period
		}
	}
	return s.All(), false, ""
}

// asTime is a time as it is read elsewhere: "10 on Monday" is on Monday at 10, and "weekdays only"
// is weekdays.
func (l Talk) asTime(text string) string {
	if rest, only := strings.CutSuffix(text, " only"); only && l.IsOnlyTime(rest) {
		text = rest
	}
	if !l.IsLength(text) && l.IsOnlyTime("every "+strings.TrimSuffix(text, "s")) && strings.HasSuffix(text, "s") {
		return "every " + strings.TrimSuffix(text, "s")
	}
	clock, day, two := strings.Cut(text, " ")
	if two && !l.IsOnlyTime(text) && startsWithDigit(clock) && l.IsOnlyTime(day+" at "+clock) {
		return day + " at " + clock
	}
	return text
}

func startsWithDigit(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }

// isMove reports whether words say to when, or how much later or earlier.
func (l Talk) isMove(text string) bool {
	for _, behind := range []string{" later", " earlier", " back"} {
		if rest, ok := strings.CutSuffix(text, behind); ok && l.IsOnlyTime("in "+rest) {
			return true
		}
	}
	return l.IsOnlyTime(l.Linked(text))
}

// kindsOf are words for plans of a kind, and the skill that keeps them.
var kindsOf = []struct {
	words sentences.Phrase
	tool  string
}{
	{"reminders|alarms|timers", tools.SkillReminder}, {"appointments|meetings|events", tools.SkillAppointment}, {"tasks|todos|to-dos", tools.SkillTask},
}

// pointedAt are the plans that words point at, of those that were spoken of: it, both, all of them, one
// by its place, or the only one with the words; or what to ask.
func (l Talk) pointedAt(which sentences.Said, action string) (chosen []hearing.Mentioned, question speech.Message) {
	told := l.Spoken()
	open := slices.DeleteFunc(slices.Clone(told), func(m hearing.Mentioned) bool { return m.Ended })
	if len(told) > 0 && len(open) == 0 && action == "move" {
		if _, one := which.Any(pointsOne); one {
			return nil, tools.Says("spoken.is_no_more", "what", told[0].Text)
		}
	}
	bare := withoutOf(which)
	for _, kind := range kindsOf {
		if _, both := which.Any("both of? the|my|those|these? "+kind.words, "the|those|these|my? last? two "+kind.words); both {
			return l.bothOf(open, kind.tool)
		}
	}
	if _, both := bare.Any("both", "the|those|these? last? two", "the two", "both of? them|these|those", "them both"); both {
		return l.bothOf(open, "")
	}
	_, all := bare.Any("all", "everything", "all of? them|those|these", "them all", "all three|four|five")
	if _, them := bare.Any("them", "those", "these"); all || them {
		switch recent := l.lately(""); {
		case len(open) > 1, len(open) == 1 && len(recent) < 2 && !all:
			return open, question
		case len(recent) > 1 && (len(which.Words) > 1 || them):
			return recent, question
		case all && action == "cancel" && len(which.Words) == 1:
			return nil, say("spoken.which", args{"how": speech.Kind("all")})
		}
		return nil, question
	}
	if _, one := which.Any(pointsOne, "that|this|the one|reminder|alarm|appointment|meeting|event|task|plan|thing", "the|that last? one"); one && len(which.Words) > 0 {
		if len(open) > 1 {
			if at, found := l.onlyKind(open, which); found {
				return open[at : at+1], question
			}
			if _, plain := which.Any(pointsOne); plain {
				return nil, l.which(open)
			}
			return nil, question
		}
		return open, question
	}
	if found := l.namesOf(which); len(found) > 1 {
		return found, question
	}
	if _, other := which.Any("the other", "the other one|reminder|alarm|appointment|meeting|task"); other {
		left := slices.DeleteFunc(slices.Clone(l.listed()), func(m hearing.Mentioned) bool {
			return l.hasEnded(m) || slices.ContainsFunc(told, func(o hearing.Mentioned) bool { return o.ID == m.ID })
		})
		if len(left) == 1 {
			return left, question
		}
		return nil, question
	}
	named := false // a name alone says nothing of what was spoken of
	for i := range which.Words {
		named = named || which.Is(i, "one", "last", "number") || i == len(which.Words)-1 && which.Is(i, "first", "second", "third", "fourth", "fifth", "sixth", "1st", "2nd", "3rd")
	}
	if at, one := l.pointsAt(open, which); named && one {
		return open[at : at+1], question
	}
	if listed := l.listed(); named && len(open) < 2 && len(listed) > 1 { // another of those that were told before
		if at, one := l.pointsAt(listed, which); one && !l.hasEnded(listed[at]) {
			return listed[at : at+1], question
		}
	}
	if _, ok := which.Any("the? first|second|third|fourth|last reminder|alarm|appointment|meeting|event|task"); ok {
		if at, one := l.pointsAt(open, which); one && len(open) > 1 {
			return open[at : at+1], question
		}
	}
	return nil, question
}

// listed are the plans that the latest turn told of that told of several.
func (l Talk) listed() []hearing.Mentioned {
	for _, turn := range slices.Backward(l.Turns()) {
		if told := l.MentionedIn(turn.Done); len(told) > 1 {
			return told
		}
	}
	return nil
}

// hasEnded reports whether a plan ended in the turns in mind.
func (l Talk) hasEnded(m hearing.Mentioned) bool {
	ended := false
	for _, turn := range l.Turns() {
		told := l.MentionedIn(turn.Done)
		for _, o := range told {
			if o.ID == m.ID {
				ended = o.Ended
			}
		}
	}
	return ended
}

// namesOf are the plans that the last turns told of, by the name of each: Hans and Otto; none where
// one of the names isn't of exactly one of them.
func (l Talk) namesOf(which sentences.Said) (out []hearing.Mentioned) {
	var all []hearing.Mentioned
	for _, turn := range l.Turns() {
		told := l.MentionedIn(turn.Done)
		for _, m := range told {
			all = slices.DeleteFunc(all, func(o hearing.Mentioned) bool { return o.ID == m.ID })
			if !m.Ended {
				all = append(all, m)
			}
		}
	}
	from := 0
	for i := 0; i <= len(which.Words); i++ {
		if i < len(which.Words) && !which.Is(i, "and") || i == from {
			continue
		}
		name := which.From(from).UpTo(i - from)
		for name.Is(0, "the", "my", "both") && len(name.Words) > 1 {
			name = name.From(1)
		}
		at, found := l.worded(all, name)
		if found != 1 || slices.ContainsFunc(out, func(o hearing.Mentioned) bool { return o.ID == all[at].ID }) {
			return nil
		}
		out, from = append(out, all[at]), i+1
	}
	return out
}

// onlyKind is the only one of several of the kind that "that reminder" says.
func (l Talk) onlyKind(open []hearing.Mentioned, which sentences.Said) (at int, found bool) {
	n := 0
	for i, m := range open {
		kind := map[string][]string{tools.SkillReminder: {"reminder", "alarm"}, tools.SkillAppointment: {"appointment", "meeting", "event"}, tools.SkillTask: {"task"}}[m.Tool]
		if which.Is(len(which.Words)-1, kind...) {
			at, n = i, n+1
		}
	}
	return at, n == 1
}

// bothOf are the last two plans that were spoken of, of a kind or of any (""): those that the last
// turn told of, or those that the last turns told of one by one; never more, and nothing that
// wasn't spoken of. Of a kind that nothing was spoken of, the skill asks.
func (l Talk) bothOf(open []hearing.Mentioned, tool string) (both []hearing.Mentioned, question speech.Message) {
	if tool != "" {
		open = slices.DeleteFunc(open, func(m hearing.Mentioned) bool { return m.Tool != tool })
	}
	recent := l.lately(tool)
	switch {
	case len(open) == 2:
		return open, question
	case len(open) < 2 && len(recent) > 1:
		return recent[len(recent)-2:], question
	case tool != "" && len(open) == 0:
		return nil, question
	case len(open) == 0 && len(recent) == 0:
		return nil, say("spoken.which", args{"how": speech.Kind("two")})
	}
	if len(open) == 0 {
		open = recent
	}
	return nil, say("spoken.which", args{"how": speech.Kind("two"), "spoken": l.named(open)})
}

// withoutOf is "both of the meetings" as "both".
func withoutOf(s sentences.Said) sentences.Said {
	for i := range s.Words {
		if i > 0 && s.Is(i, "of") && s.Is(0, "both", "all", "everything", "each") {
			return s.UpTo(i)
		}
	}
	return s
}

// hasStart reports whether a word of a sentence begins so: 6:30 is meant by 6, meetings by
// meeting.
func hasStart(s sentences.Said, begins string) bool {
	return slices.ContainsFunc(s.Words, func(w sentences.Word) bool {
		return w.Lower == begins || len(begins) > 2 && strings.HasPrefix(w.Lower, begins) || strings.HasPrefix(strings.TrimPrefix(w.Lower, "0"), begins+":")
	})
}
