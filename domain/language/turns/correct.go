package turns

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain/language"
	"chalie/domain/language/hearing"
	"chalie/domain/language/lists"
	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// allTimes is that what was moved once is to be so always: "from now on", "every Wednesday". The one time
// goes, and all times move.
func (l Talk) allTimes(m hearing.Made, s sentences.Said) []tools.Intent {
	if !m.Alone || m.Due == "" {
		return nil
	}
	all := m.Mentioned
	all.ID, all.Due = "", ""
	series := hearing.Made{Mentioned: all}.To("move")
	moment := l.Linked(s.All())
	switch _, lasting := s.Any("from now|here on", "always", "for good", "permanently", "going forward", "every time", "all of them", "all times"); {
	case lasting:
		series = series.With("when", m.Due).With("always", true)
	case l.IsOnlyTime(moment) && l.Recurs(moment):
		series = series.With("when", moment)
	default:
		return nil
	}
	return []tools.Intent{m.To("cancel"), series}
}

// refusal is what a correction says that it isn't to be: "not on Friday", "but not at weekends",
// "except Sundays", "no Mondays".
func refusal(text string) (sentences.Said, bool) {
	s, _, ok := refusing(text)
	return s, ok
}

// refusing is that, and whether it is of one time: don't wake me on Friday.
func refusing(text string) (s sentences.Said, once, ok bool) {
	s, ok = sentences.Read(text)
	if !ok || s.Question {
		return s, false, false
	}
	for len(s.Words) > 1 && s.Is(0, "no", "nope", "actually", "sorry", "oh", "wait", "but", "just", "please", "and", "well", "only", "ok", "okay") {
		if s.Is(0, "no") && !s.Words[0].Stop && when.Weekdays(s.From(1).All()) != nil && strings.HasSuffix(s.Words[len(s.Words)-1].Lower, "s") {
			return s.From(1), false, true // no Fridays
		}
		s = s.From(1)
	}
	n := lists.Starts(s, []string{"not", "never", "except for", "except", "without", "excluding", "leave out", "apart from", "do not remind me", "do not wake me up", "do not wake me", "do not do it", "do not", "stop it", "cancel it", "leave it out", "skip it"})
	if n == 0 || n >= len(s.Words) {
		return s, false, false
	}
	if once = s.Is(0, "do"); s.Is(0, "stop", "cancel", "leave", "skip") && !s.Is(1, "out") && (when.Weekdays(s.From(n).All()) == nil || !strings.HasSuffix(s.Words[len(s.Words)-1].Lower, "s")) {
		return s, false, false // one time of it
	}
	for s = s.From(n); len(s.Words) > 1 && s.Is(len(s.Words)-1, "anymore", "please", "though", "thanks", "after", "then"); {
		s = s.UpTo(len(s.Words) - 1)
	}
	if end := len(s.Words) - 2; end > 0 && s.Is(end, "any") && s.Is(end+1, "more") {
		s = s.UpTo(end)
	}
	return s, once && !strings.HasSuffix(s.Words[len(s.Words)-1].Lower, "s"), true
}

// contrasted is the time that a correction names beside the one that it isn't to be: "not on Friday
// but on Saturday", "not at 3, at 4", "Saturday, not Friday".
func (l Talk) contrasted(s sentences.Said) (string, bool) {
	for i := 1; i < len(s.Words); i++ {
		first, rest := s.Part(0, i), s.From(i)
		linked := s.Words[i-1].Stop
		for len(rest.Words) > 1 && rest.Is(0, "but", "rather", "make", "it", "move", "to", "instead") {
			linked, rest = true, rest.From(1)
		}
		if linked && l.IsOnlyTime(l.Linked(first)) && l.IsOnlyTime(l.Linked(rest.All())) {
			return l.Linked(rest.All()), true
		}
	}
	return "", false
}

// corrects hears a correction of the plan that the last reply told of: "make it 9 tomorrow", "not on
// Fridays", "weekdays only", "no, not Friday".
func (l Talk) corrects(m hearing.Made, text string, c correction) (tools.Intent, bool) {
	if not, once, ok := refusing(text); ok {
		if m.Gone {
			return tools.Intent{}, false
		}
		if to, ok := l.contrasted(not); ok && (!m.Again || when.Weekdays(not.All()) == nil) {
			return l.retimed(m, to), true
		}
		return l.refused(m, not, once)
	}
	at, only := c.s, false
	for len(at.Words) > 1 && at.Is(0, "only", "just") {
		at, c.replaces, only = at.From(1), true, true
	}
	for len(at.Words) > 1 && at.Is(len(at.Words)-1, "only", "alone") {
		at, c.replaces, only = at.UpTo(len(at.Words)-1), true, true
	}
	if only && m.Again && when.Weekdays(at.All()) != nil && !l.Recurs(at.All()) { // only Sunday
		for at.Is(0, "on") {
			at = at.From(1)
		}
		return m.To("move").With(plans.MomentOf(m.Tool), "every "+at.All()), true
	}
	for i := 1; i+1 < len(at.Words); i++ { // Saturday, not Friday
		if not := at.From(i + 1); at.Is(i, "not") && l.IsOnlyTime(l.Linked(at.Part(0, i))) && l.IsOnlyTime(l.Linked(not.All())) {
			at, c.replaces = at.UpTo(i), true
		}
	}
	if only && m.Again && l.IsOnlyTime(l.Linked(at.All())) && !l.Recurs(l.Linked(at.All())) && !l.Clocks(l.Linked(at.All())) {
		return tools.Intent{Tool: m.Tool, Ask: tools.Says("spoken.comes_back", "what", m.Text)}, true
	}
	if minutes, ok := l.inMinutes(m.At, at.All()); ok && c.replaces && !m.Again && m.Tool == tools.SkillReminder {
		return m.To("move").With("when", minutes), true
	}
	if moved, ok := l.shifted(m.At, at); ok && m.Tool == tools.SkillTask {
		return l.retimed(m, moved), true
	}
	if by := l.shiftIn(at); by != "" && m.Tool != tools.SkillTask {
		in := m.To("move").With("when", by)
		if m.Again {
			in = in.With("always", true)
		}
		return in, true
	}
	always := false
	if text := at.All(); m.Again && plans.Lastingly.MatchString(text) {
		if plain, ok := sentences.Read(strings.TrimSpace(plans.Lastingly.ReplaceAllString(text, " "))); ok {
			at, always, c.replaces = plain, true, true
		}
	}
	moment := l.Linked(at.All())
	if !c.replaces && !m.Asked && !l.Recurs(moment) || !l.IsOnlyTime(moment) || sentences.Fits("day|week|month|year|hour|minute", at.Words[0]) {
		return tools.Intent{}, false
	}
	in := l.retimed(m, moment)
	// What was just said of all times is corrected for all: no, Thursday. To move it is once.
	if isSame := hearing.OfSeries.MatchString(moment) || m.IsDay(moment); m.Again && (always || isSame && !moves.MatchString(text)) && m.Tool != tools.SkillTask {
		in = in.With("always", true)
	}
	return in, true
}

// moves is a correction by a word for moving.
var moves = regexp.MustCompile(`(?i)\b(?:move|push|shift|postpone|reschedule|bring)\b`)

// shiftIn is by how much later or earlier a correction says something is to be; "" for none.
func (l Talk) shiftIn(s sentences.Said) string {
	c, ok := s.Any("*much later", "push|move|delay|postpone it|that back? by? *much")
	by := " later"
	if !ok {
		c, ok = s.Any("*much earlier|sooner", "bring|move it|that forward|up by? *much")
		by = " earlier"
	}
	if !ok || !l.IsLength(c.Get("much")) {
		return ""
	}
	return c.Get("much") + by
}

// ofIts is a correction of the time or the day of what was just told: change the time to 8.
var ofIts = regexp.MustCompile(`(?i)^(?:no,? |please |actually,? )*(?:change|move|set|make|switch) the (?:time|day|date|hour) (?:to|for) ([^?]+?)[.!]*$`)

// refines hears what is added to how the plan that the last reply told of comes back: "until 20
// December", "and on Thursdays".
func (l Talk) refines(text string) (tools.Intent, bool) {
	if len(l.P.Recent) == 0 {
		return tools.Intent{}, false
	}
	m, ok := l.Made()
	if _, directly := l.ToldBy(l.P.Recent[len(l.P.Recent)-1]); !directly {
		return tools.Intent{}, false
	}
	c, readable := correctionIn(text)
	if to := ofIts.FindStringSubmatch(text); ok && to != nil && !m.Gone {
		if again, readable := sentences.Read(to[1]); readable {
			return l.corrects(m, to[1], correction{s: again, replaces: true})
		}
	}
	if _, refuses := refusal(text); refuses || !ok || !m.Again || m.At == "" || !readable || c.s.Question || m.Tool == tools.SkillTask || m.Gone {
		return tools.Intent{}, false
	}
	added := c.s.All()
	if c.adds && when.Weekdays(added) != nil {
		days, clock, timed := strings.Cut(m.At, " at ")
		all := make([]string, 0, 7)
		for _, d := range append(when.Weekdays(strings.Replace(days, "every weekday", "weekdays", 1)), when.Weekdays(added)...) {
			all = append(all, d.String())
		}
		if len(all) == len(when.Weekdays(added)) {
			return tools.Intent{}, false // it doesn't come on days of the week
		}
		if added = "every " + strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]; timed {
			added += " at " + clock
		}
	} else if c.s.Is(0, "until", "till", "for", "starting", "beginning") {
		added = m.At + " " + added
	} else {
		return tools.Intent{}, false
	}
	if !l.IsOnlyTime(added) || !l.Recurs(added) {
		return tools.Intent{}, false
	}
	return m.To("move").With("when", added), true
}

// retimed is the plan at another time.
func (l Talk) retimed(m hearing.Made, moment string) tools.Intent {
	if m.Gone {
		return tools.Intent{Tool: tools.SkillRemind, Params: map[string]any{"what": m.Text, "when": l.combined(m.At, moment, true)}, Subject: "what", Moment: "when"}
	}
	in := m.To("move")
	if m.Tool == tools.SkillTask {
		if m.Due != "" && m.ID == "" {
			in = in.With("which", m.Text+" "+m.Due)
		}
		if m.At != "" {
			moment = l.combined(m.At, moment, true)
		}
		return in.With(in.Moment, moment)
	}
	if minutes, ok := l.inMinutes(m.At, moment); ok && !m.Again && m.Tool == tools.SkillReminder {
		moment = minutes
	}
	if day, clock := l.Parts(moment); m.Again && clock && !day {
		in = in.With("always", true)
	}
	return in.With(in.Moment, moment)
}

// inMinutes is a number alone for what is due within the hour, where minutes were spoken of: so many.
func (l Talk) inMinutes(told, said string) (string, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(said, "at "))
	counted := slices.ContainsFunc(l.P.Recent, func(t language.Turn) bool { return strings.Contains(t.Prompt, "min") })
	if err != nil || n <= 0 || !counted {
		return "", false
	}
	due, err := l.Parse(told)
	return fmt.Sprintf("in %d minutes", n), err == nil && due.At.Sub(l.P.AsOf) < time.Hour
}

// refused is the plan without what it isn't to be: of one that comes back a day of the week is left
// out from now on, or one of its times; for any other it is asked when it should be instead.
func (l Talk) refused(m hearing.Made, not sentences.Said, once bool) (tools.Intent, bool) {
	text := not.All()
	days := when.Weekdays(text) != nil
	if !days && !l.IsOnlyTime(l.Linked(text)) || m.Asked {
		return tools.Intent{}, false
	}
	day, clock := l.Parts(l.Linked(text))
	open := not.Is(0, "after", "before", "past", "from", "since") // it has no end, or no beginning
	switch {
	case m.Again && days && !once:
		return m.To("move").With("except", text), true
	case m.Again && day && !clock && !open && !l.Recurs(text) && (days || !m.IsDay(text)):
		return m.To("skip").With("during", text), true
	}
	return tools.Intent{Tool: m.Tool, Ask: l.instead(m)}, true
}
