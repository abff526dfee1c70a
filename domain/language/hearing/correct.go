package hearing

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain/language"
	"chalie/domain/language/when"
)

// made is the one plan that the last reply tells of: it was set, moved or changed, or asked about.
type made struct {
	mentioned
	at    string // when it is, as it was told
	again bool   // it comes back
	asked bool   // the reply asks when it should be instead
	gone  bool   // it was taken back: at another time it is set anew
	alone bool   // it is one time of what otherwise stays as it is
}

// standing is what follows a reminder that was moved once.
var standing = regexp.MustCompile(`\. (?:Otherwise it|It) stays `)

// insteadAsked are the questions for another time, of the plans of each skill.
var insteadAsked = map[string]string{skillReminder: "When should I remind you instead: ", skillAppointment: "When should it be instead: ", skillTask: "By when should it be done instead: "}

// askedAbout is what such a question names.
var askedAbout = regexp.MustCompile(`^“([^”\n]+)”(?: \(([^)\n]+)\))?\?$`)

// takenBack is a plan that an undo left as it was before, or removed: then its time follows a comma.
var takenBack = regexp.MustCompile(`^Taken back: the (reminder|appointment|task) "([^"\n]+)"(,| is (?:back|set again),?| is) ?([^"\n;]*)\.$`)

// clocked is when an appointment is, from when to when, as it is told.
var clocked = regexp.MustCompile(`^(.+?), (\d\d:\d\d) to \d`)

// madeIn finds the one plan that a reply tells of.
func madeIn(reply string) (made, bool) {
	for tool, question := range insteadAsked {
		about, ok := strings.CutPrefix(reply, question)
		if of := askedAbout.FindStringSubmatch(about); ok && of != nil {
			m := made{mentioned: mentioned{tool: tool, text: of[1], due: dayOf(of[2])}, at: of[2], asked: true, again: strings.HasPrefix(of[2], "every ")}
			return m, true
		}
	}
	if back := takenBack.FindStringSubmatch(reply); back != nil {
		tool := map[string]string{"reminder": skillReminder, "appointment": skillAppointment, "task": skillTask}[back[1]]
		m := made{mentioned: mentioned{tool: tool, text: back[2]}, at: strings.TrimSuffix(strings.TrimSuffix(back[4], " again"), ", is removed"), gone: back[3] == ","}
		m.again = strings.HasPrefix(m.at, "every ")
		return m, !m.gone || tool == skillReminder
	}
	var m made
	if said, ok := strings.CutPrefix(reply, "I'll remind you "); ok {
		m.tool = skillReminder
		said, m.alone = strings.CutPrefix(said, "this once ")
		said = strings.TrimPrefix(said, "once more ")
		m.at, m.text, _ = strings.Cut(said, ": ")
		if end := standing.FindStringIndex(m.text); end != nil {
			m.text = m.text[:end[0]]
		}
	} else if told := appointmentTold.FindStringSubmatch(reply); told != nil {
		m.tool, m.text, m.alone = skillAppointment, told[1], strings.HasPrefix(reply, "Moved this once: ")
		m.at = strings.TrimPrefix(reply[strings.Index(reply, told[1])+len(told[1]):], ", ")
	} else if said, ok := strings.CutPrefix(reply, "Task: "); ok {
		m.tool, m.text = skillTask, said
		if i := strings.LastIndex(said, ", due "); i >= 0 {
			m.text, m.at = said[:i], said[i+len(", due "):]
		}
	}
	if m.text == "" || strings.ContainsRune(reply, '\n') || strings.HasSuffix(m.text, "…") {
		return made{}, false
	}
	m.at, _, m.again = strings.Cut(m.at, ", first ")
	m.at, _, _ = strings.Cut(m.at, ", all day")
	m.again = m.again || strings.HasPrefix(m.at, "every ")
	m.at, _, _ = strings.Cut(m.at, " (")
	m.due = dayOf(dated(m.at))
	if span := clocked.FindStringSubmatch(m.at); span != nil { // of an appointment
		m.at = span[1] + " at " + span[2]
		m.due = dayOf(dated(span[1])) + " at " + span[2]
	}
	if m.again {
		m.due = "" // how it comes back tells nothing
	}
	return m, true
}

// made is the plan that was told of last, when it was one: by its id, where that is known.
func (l listener) made() (made, bool) {
	last, ok := l.last()
	m, told := madeIn(last.Reply)
	if !ok || told && m.gone {
		return m, ok
	}
	spoken := l.spoken()
	if told && m.asked {
		for _, turn := range slices.Backward(l.turns()) {
			if of := l.mentionedIn(turn.Done); len(of) == 1 && of[0].text == m.text && !of[0].ended {
				m.mentioned = of[0]
				break
			}
		}
		return m, true
	}
	if len(spoken) != 1 || spoken[0].ended || spoken[0].id == "" {
		return m, told && len(last.Done) == 0
	}
	plan := spoken[0]
	m = made{at: plan.due, again: plan.recurs && !plan.once}
	for _, turn := range slices.Backward(l.turns()) {
		if as, ok := madeIn(turn.Reply); ok && as.text == plan.text && as.again == m.again {
			m = as
			break
		}
	}
	m.mentioned = plan
	return m, true
}

// dated is a time as it was told without today and tomorrow before its date: the reply may be of
// another day.
func dated(told string) string {
	if day, date, ok := strings.Cut(told, ", "); ok && (day == "today" || day == "tomorrow") {
		return "on " + date
	}
	return told
}

// to is a change of the plan.
func (m made) to(action string) intent {
	in := m.mentioned.to(action, "")
	delete(in.params, in.moment)
	return in
}

// allTimes is that what was moved once is to be so always: "from now on", "every Wednesday". The one time
// goes, and all times move.
func (l listener) allTimes(m made, s said) []intent {
	if !m.alone || m.due == "" {
		return nil
	}
	all := m.mentioned
	all.id, all.due = "", ""
	series := made{mentioned: all}.to("move")
	moment := l.linked(s.all())
	switch _, lasting := s.any("from now|here on", "always", "for good", "permanently", "going forward", "every time", "all of them", "all times"); {
	case lasting:
		series = series.with("when", m.due).with("always", true)
	case l.isOnlyTime(moment) && l.recurs(moment):
		series = series.with("when", moment)
	default:
		return nil
	}
	return []intent{m.to("cancel"), series}
}

// refusal is what a correction says that it isn't to be: "not on Friday", "but not at weekends",
// "except Sundays", "no Mondays".
func refusal(text string) (said, bool) {
	s, _, ok := refusing(text)
	return s, ok
}

// refusing is that, and whether it is of one time: don't wake me on Friday.
func refusing(text string) (s said, once, ok bool) {
	s, ok = read(text)
	if !ok || s.question {
		return s, false, false
	}
	for len(s.words) > 1 && s.is(0, "no", "nope", "actually", "sorry", "oh", "wait", "but", "just", "please", "and", "well", "only", "ok", "okay") {
		if s.is(0, "no") && !s.words[0].stop && when.Weekdays(s.from(1).all()) != nil && strings.HasSuffix(s.words[len(s.words)-1].lower, "s") {
			return s.from(1), false, true // no Fridays
		}
		s = s.from(1)
	}
	n := s.starts([]string{"not", "never", "except for", "except", "without", "excluding", "leave out", "apart from", "do not remind me", "do not wake me up", "do not wake me", "do not do it", "do not", "stop it", "cancel it", "leave it out", "skip it"})
	if n == 0 || n >= len(s.words) {
		return s, false, false
	}
	if once = s.is(0, "do"); s.is(0, "stop", "cancel", "leave", "skip") && !s.is(1, "out") && (when.Weekdays(s.from(n).all()) == nil || !strings.HasSuffix(s.words[len(s.words)-1].lower, "s")) {
		return s, false, false // one time of it
	}
	for s = s.from(n); len(s.words) > 1 && s.is(len(s.words)-1, "anymore", "please", "though", "thanks", "after", "then"); {
		s = s.upTo(len(s.words) - 1)
	}
	if end := len(s.words) - 2; end > 0 && s.is(end, "any") && s.is(end+1, "more") {
		s = s.upTo(end)
	}
	return s, once && !strings.HasSuffix(s.words[len(s.words)-1].lower, "s"), true
}

// contrasted is the time that a correction names beside the one that it isn't to be: "not on Friday
// but on Saturday", "not at 3, at 4", "Saturday, not Friday".
func (l listener) contrasted(s said) (string, bool) {
	for i := 1; i < len(s.words); i++ {
		first, rest := s.part(0, i), s.from(i)
		linked := s.words[i-1].stop
		for len(rest.words) > 1 && rest.is(0, "but", "rather", "make", "it", "move", "to", "instead") {
			linked, rest = true, rest.from(1)
		}
		if linked && l.isOnlyTime(l.linked(first)) && l.isOnlyTime(l.linked(rest.all())) {
			return l.linked(rest.all()), true
		}
	}
	return "", false
}

// corrects hears a correction of the plan that the last reply told of: "make it 9 tomorrow", "not on
// Fridays", "weekdays only", "no, not Friday".
func (l listener) corrects(m made, text string, c correction) (intent, bool) {
	if not, once, ok := refusing(text); ok {
		if m.gone {
			return intent{}, false
		}
		if to, ok := l.contrasted(not); ok && (!m.again || when.Weekdays(not.all()) == nil) {
			return l.retimed(m, to), true
		}
		return l.refused(m, not, once)
	}
	at, only := c.s, false
	for len(at.words) > 1 && at.is(0, "only", "just") {
		at, c.replaces, only = at.from(1), true, true
	}
	for len(at.words) > 1 && at.is(len(at.words)-1, "only", "alone") {
		at, c.replaces, only = at.upTo(len(at.words)-1), true, true
	}
	if only && m.again && when.Weekdays(at.all()) != nil && !l.recurs(at.all()) { // only Sunday
		for at.is(0, "on") {
			at = at.from(1)
		}
		return m.to("move").with(momentOf(m.tool), "every "+at.all()), true
	}
	for i := 1; i+1 < len(at.words); i++ { // Saturday, not Friday
		if not := at.from(i + 1); at.is(i, "not") && l.isOnlyTime(l.linked(at.part(0, i))) && l.isOnlyTime(l.linked(not.all())) {
			at, c.replaces = at.upTo(i), true
		}
	}
	if only && m.again && l.isOnlyTime(l.linked(at.all())) && !l.recurs(l.linked(at.all())) && !l.clocks(l.linked(at.all())) {
		return intent{tool: m.tool, ask: "It comes back: to have it only once, cancel it, and set it for that day: " + mention(m.text) + "."}, true
	}
	if minutes, ok := l.inMinutes(m.at, at.all()); ok && c.replaces && !m.again && m.tool == skillReminder {
		return m.to("move").with("when", minutes), true
	}
	if moved, ok := l.shifted(m.at, at); ok && m.tool == skillTask {
		return l.retimed(m, moved), true
	}
	if by := l.shiftIn(at); by != "" && m.tool != skillTask {
		in := m.to("move").with("when", by)
		if m.again {
			in = in.with("always", true)
		}
		return in, true
	}
	always := false
	if text := at.all(); m.again && lastingly.MatchString(text) {
		if plain, ok := read(strings.TrimSpace(lastingly.ReplaceAllString(text, " "))); ok {
			at, always, c.replaces = plain, true, true
		}
	}
	moment := l.linked(at.all())
	if !c.replaces && !m.asked && !l.recurs(moment) || !l.isOnlyTime(moment) || fits("day|week|month|year|hour|minute", at.words[0]) {
		return intent{}, false
	}
	in := l.retimed(m, moment)
	// What was just said of all times is corrected for all: no, Thursday. To move it is once.
	if isSame := ofSeries.MatchString(moment) || m.isDay(moment); m.again && (always || isSame && !moves.MatchString(text)) && m.tool != skillTask {
		in = in.with("always", true)
	}
	return in, true
}

// ofSeries is a day by which something comes back: a day of the week or of the month.
var ofSeries = regexp.MustCompile(`(?i)^(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|the \d{1,2}(?:st|nd|rd|th))(?: (?:at )?[\d:]+ ?(?:am|pm)?)?$`)

// dateAlone is a date without a year.
var dateAlone = regexp.MustCompile(`(?i)^(?:on )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? [a-z]+|[a-z]+ \d{1,2}(?:st|nd|rd|th)?)$`)

// moves is a correction by a word for moving.
var moves = regexp.MustCompile(`(?i)\b(?:move|push|shift|postpone|reschedule|bring)\b`)

// shiftIn is by how much later or earlier a correction says something is to be; "" for none.
func (l listener) shiftIn(s said) string {
	c, ok := s.any("*much later", "push|move|delay|postpone it|that back? by? *much")
	by := " later"
	if !ok {
		c, ok = s.any("*much earlier|sooner", "bring|move it|that forward|up by? *much")
		by = " earlier"
	}
	if !ok || !l.isLength(c.get("much")) {
		return ""
	}
	return c.get("much") + by
}

// ofIts is a correction of the time or the day of what was just told: change the time to 8.
var ofIts = regexp.MustCompile(`(?i)^(?:no,? |please |actually,? )*(?:change|move|set|make|switch) the (?:time|day|date|hour) (?:to|for) ([^?]+?)[.!]*$`)

// refines hears what is added to how the plan that the last reply told of comes back: "until 20
// December", "and on Thursdays".
func (l listener) refines(text string) (intent, bool) {
	if len(l.p.Recent) == 0 {
		return intent{}, false
	}
	m, ok := l.made()
	if _, directly := madeIn(l.p.Recent[len(l.p.Recent)-1].Reply); !directly {
		return intent{}, false
	}
	c, readable := correctionIn(text)
	if to := ofIts.FindStringSubmatch(text); ok && to != nil && !m.gone {
		if again, readable := read(to[1]); readable {
			return l.corrects(m, to[1], correction{s: again, replaces: true})
		}
	}
	if _, refuses := refusal(text); refuses || !ok || !m.again || m.at == "" || !readable || c.s.question || m.tool == skillTask || m.gone {
		return intent{}, false
	}
	added := c.s.all()
	if c.adds && when.Weekdays(added) != nil {
		days, clock, timed := strings.Cut(m.at, " at ")
		all := make([]string, 0, 7)
		for _, d := range append(when.Weekdays(strings.Replace(days, "every weekday", "weekdays", 1)), when.Weekdays(added)...) {
			all = append(all, d.String())
		}
		if len(all) == len(when.Weekdays(added)) {
			return intent{}, false // it doesn't come on days of the week
		}
		if added = "every " + strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]; timed {
			added += " at " + clock
		}
	} else if c.s.is(0, "until", "till", "for", "starting", "beginning") {
		added = m.at + " " + added
	} else {
		return intent{}, false
	}
	if !l.isOnlyTime(added) || !l.recurs(added) {
		return intent{}, false
	}
	return m.to("move").with("when", added), true
}

// retimed is the plan at another time.
func (l listener) retimed(m made, moment string) intent {
	if m.gone {
		return intent{tool: skillRemind, params: map[string]any{"what": m.text, "when": l.combined(m.at, moment, true)}, subject: "what", moment: "when"}
	}
	in := m.to("move")
	if m.tool == skillTask {
		if m.due != "" && m.id == "" {
			in = in.with("which", m.text+" "+m.due)
		}
		if m.at != "" {
			moment = l.combined(m.at, moment, true)
		}
		return in.with(in.moment, moment)
	}
	if minutes, ok := l.inMinutes(m.at, moment); ok && !m.again && m.tool == skillReminder {
		moment = minutes
	}
	if day, clock := l.parts(moment); m.again && clock && !day {
		in = in.with("always", true)
	}
	return in.with(in.moment, moment)
}

// inMinutes is a number alone for what is due within the hour, where minutes were spoken of: so many.
func (l listener) inMinutes(told, said string) (string, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(said, "at "))
	counted := slices.ContainsFunc(l.p.Recent, func(t language.Turn) bool { return strings.Contains(t.Prompt, "min") })
	if err != nil || n <= 0 || !counted {
		return "", false
	}
	due, err := l.parse(told)
	return fmt.Sprintf("in %d minutes", n), err == nil && due.At.Sub(l.p.AsOf) < time.Hour
}

// evenDays is a sentence that ends what comes back on some days of the week as a change of it: no
// yoga on Fridays any more ends no more than that.
func (l listener) evenDays(in intent, s said) intent {
	which, _ := in.params["which"].(string)
	if in.params["action"] != "cancel" || in.params["all"] == true || which == "" || in.tool != skillReminder && in.tool != skillAppointment {
		return in
	}
	for i := 1; i < len(s.words); i++ {
		days := s.from(i)
		if !s.is(i, "on", "at", "every") || when.Weekdays(days.all()) == nil || !s.is(i, "every") && !strings.HasSuffix(days.words[len(days.words)-1].lower, "s") {
			continue
		}
		name, found := strings.CutSuffix(which, " "+days.all())
		if !found {
			name = which
		}
		return intent{tool: in.tool, params: map[string]any{"action": "move", "which": name, "except": days.all()}, subject: "which"}
	}
	return in
}

// isDay reports whether words are the day by which a plan comes back: the 3rd of every month, a date
// of every year.
func (m made) isDay(text string) bool {
	return strings.HasPrefix(m.at, "every year") && dateAlone.MatchString(text) || strings.HasPrefix(m.at, "every month") && ofSeries.MatchString(text)
}

// refused is the plan without what it isn't to be: of one that comes back a day of the week is left
// out from now on, or one of its times; for any other it is asked when it should be instead.
func (l listener) refused(m made, not said, once bool) (intent, bool) {
	text := not.all()
	days := when.Weekdays(text) != nil
	if !days && !l.isOnlyTime(l.linked(text)) || m.asked {
		return intent{}, false
	}
	day, clock := l.parts(l.linked(text))
	open := not.is(0, "after", "before", "past", "from", "since") // it has no end, or no beginning
	switch {
	case m.again && days && !once:
		return m.to("move").with("except", text), true
	case m.again && day && !clock && !open && !l.recurs(text) && (days || !m.isDay(text)):
		return m.to("skip").with("during", text), true
	}
	ask := insteadAsked[m.tool] + mention(m.text)
	at := cmp.Or(m.due, m.at)
	if m.again || m.at != "" && !strings.Contains(m.at, ":") { // it lasts all day
		at = m.at
	}
	if at != "" {
		ask += " (" + at + ")"
	}
	return intent{tool: m.tool, ask: ask + "?"}, true
}
