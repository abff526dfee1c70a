package plans

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// agreeing are ends of a sentence that say nothing more about the time before them.
var agreeing = []string{"is fine", "is ok", "is okay", "is good", "is great", "is perfect", "works", "would be fine", "would be good", "would be great", "would be perfect", "will be fine", "will do", "that is it", "that is all"}

// Unreadable are the words of a sentence in letters of which no language is read here; "" for none.
// What is quoted needn't be read.
func Unreadable(s sentences.Said) string {
	var out []string
	latin := func(r rune) bool { return unicode.Is(unicode.Latin, r) }
	for _, w := range s.Words {
		if !w.Quoted && strings.ContainsFunc(w.Lower, unicode.IsLetter) && !strings.ContainsFunc(w.Lower, latin) {
			out = append(out, s.Text[w.Start:w.End])
		}
	}
	return strings.Join(out, " ")
}

// tidied is what a reminder is to be about and when, without the words at its edges that say
// nothing: "set for 5 pm …", "again tomorrow about …", "… tomorrow at 5 is fine", "… its on Friday".
func (l Planner) tidied(text string) string {
	text = l.withoutCalendar(text)
	if strings.HasPrefix(strings.ToLower(text), "for ") {
		text = l.atTheHour(text)
		if at := "at" + text[len("for"):]; hourTo.MatchString(text) && l.Timing(at).Said && !l.Timing(text).Said {
			text = at
		}
	}
	s, ok := sentences.Read(text)
	if !ok || len(s.Words) < 2 {
		return text
	}
	for _, idle := range agreeing {
		if n := len(s.Words) - s.Ends([]string{idle}); n > 0 && n < len(s.Words) && l.timeAtEnd(s.UpTo(n)) {
			s = s.UpTo(n)
			break
		}
	}
	if s.Is(0, "set") && (s.Is(1, "for", "at", "on") || l.IsOnlyTime(s.Part(1, 2))) || s.Is(0, "again") {
		s = s.From(1)
	}
	for i := 1; i+1 < len(s.Words); i++ {
		n := 1
		if s.Is(i, "it", "that") && s.Is(i+1, "is") {
			n = 2
		} else if !s.Is(i, "its", "thats") {
			continue
		}
		if i+n < len(s.Words) && !s.Is(i-1, "if", "whether", "that", "when", "because", "since", "until", "before", "after") && l.IsOnlyTime(s.Part(i+n, len(s.Words))) {
			return s.Part(0, i) + " " + s.Part(i+n, len(s.Words))
		}
	}
	return s.All()
}

// hourTo is an hour that a reminder is for, before what it is about: for 5 to leave.
var hourTo = regexp.MustCompile(`(?i)^for \d{1,2} to [a-z]`)

// withoutCalendar is a text without the calendar that it is to be kept in, before it or behind its
// time: "in my calendar to call Sam at 9". What is to be put there keeps it.
func (l Planner) withoutCalendar(text string) string {
	at := containing.FindStringIndex(text)
	if len(at) == 0 || l.IsOnlyTime(text) {
		return text
	}
	before, ok := sentences.Read(text[:at[0]])
	switch {
	case at[0] == 0 && strings.TrimSpace(text[at[1]:]) != "":
		return strings.TrimSpace(text[at[1]:])
	case ok && strings.TrimRight(text[at[1]:], " .!") == "" && l.timeAtEnd(before) && !sentences.HasAny(before, "put", "add", "enter", "write", "mark", "note", "check"):
		return strings.TrimSpace(text[:at[0]])
	}
	return text
}

// timeAtEnd reports whether a sentence's last words say a time by themselves.
func (l Planner) timeAtEnd(s sentences.Said) bool {
	for n := 1; n <= min(len(s.Words), MaxTimeWords); n++ {
		if l.IsOnlyTime(s.Part(len(s.Words)-n, len(s.Words))) {
			return true
		}
	}
	return false
}

// hangs reports whether words that only make sense with a time stand next to one and weren't
// read with it: "at 8 but only on weekends", "at 6 except on Sundays", "tomorrow at 9 instead".
func (l Planner) hangs(text string) bool {
	s, ok := sentences.Read(text)
	if last := len(s.Words) - 3; ok && last > 0 && (s.BeginsAt(last, "and", "so", "on") || s.BeginsAt(last, "and", "so", "forth")) {
		return true
	}
	at, err := l.Parse(text)
	if !ok || err != nil {
		return false
	}
	timed := func(i int) bool {
		return i >= 0 && i < len(s.Words) && slices.ContainsFunc(at.Spans, func(span when.Span) bool {
			return span.Start < s.Words[i].End && s.Words[i].Start < span.End
		})
	}
	for i := range s.Words {
		if timed(i) || s.Words[i].Quoted {
			continue
		}
		behind, last := timed(i-1), i+1 == len(s.Words)
		switch {
		case s.Is(i, "except", "excluding", "unless") && (behind || timed(i+1)),
			s.Is(i, "only") && (behind || timed(i+1) && s.Is(i-1, "but")),
			s.Is(i, "but") && behind && s.Is(i+1, "only", "just", "not", "never"),
			s.Is(i, "or") && behind && (s.Is(i+1, "maybe", "perhaps", "so") || !last && isBareNumber(s.Part(i+1, i+2))),
			s.Is(i, "every", "each") && (behind || timed(i-2) && s.Is(i-1, "for", "on", "at")),
			s.Is(i, "instead") && (behind || timed(i+1)) && !s.Is(i+1, "of"),
			s.Is(i, "and", "or") && behind && last,
			s.Is(i, "etc") && last && behind:
			return true
		}
	}
	return false
}

// named hears what an alarm is called, behind its time or before it: "7:30 pm called book club",
// "named gym for 6 pm".
func (l Planner) named(s sentences.Said) (name, at string, ok bool) {
	for i := range s.Words {
		if !s.Is(i, "called", "named", "titled", "labeled", "labelled") || s.Words[i].Quoted {
			continue
		}
		if head := ClockOf(WithoutLink(s.Part(0, i))); i > 0 && i+1 < len(s.Words) {
			return s.Part(i+1, len(s.Words)), head, l.IsOnlyTime(head)
		}
		for j := 2; i == 0 && j < len(s.Words); j++ {
			tail := s.Part(j, len(s.Words))
			if rest := ClockOf(WithoutLink(tail)); l.IsOnlyTime(rest) && !l.Timing(s.Part(1, j)).Said {
				return s.Part(1, j), rest, true
			}
		}
		return "", "", false
	}
	return "", "", false
}

// AlarmsInTurn hears an alarm for each of some times, which share what only one of them says: "set
// alarms for 6, 6:15 and 6:30 tomorrow morning", "timers for 5 and 10 minutes".
func (l Planner) AlarmsInTurn(s sentences.Said) []tools.Intent {
	c, ok := s.Any("set|start|create|add|make|put|give|get up? me? a|an|my|some|two|three|four|2|3|4? alarms|alarm|timers|timer for|at *when", "two|three|four|2|3|4? alarms|timers for|at *when")
	if !ok || s.Question {
		return nil
	}
	parts := l.alarmTimes(c.Sentence("when"))
	if len(parts) > 2 && strings.HasSuffix(parts[1], parts[0]) {
		parts = parts[1:] // it is the day of the others: for tonight, 9 and 11
	}
	if len(parts) < 2 || len(parts) > maxSeveral {
		return nil
	}
	title := "alarm"
	if sentences.HasAny(s, "timer", "timers") {
		title = "timer"
	}
	halves := 0
	for _, w := range c.Sentence("when").Words {
		if halfOf(w.Lower) != "" {
			halves++
		}
	}
	const halfDay = 12 * 60 * 60 * 1000
	out := make([]tools.Intent, len(parts))
	var before domain.Millis
	for i, part := range parts {
		at, err := l.Parse(title + " " + part)
		if err != nil {
			at, err = l.Parse(part)
		}
		if !l.IsOnlyTime(part) || err != nil {
			return nil
		}
		lent := halfOf(part) != "" && len(parts) > halves && l.dayOf(part) == ""
		if at.At <= before || lent && before > 0 && at.At-before > halfDay {
			return []tools.Intent{{Tool: tools.SkillRemind, Ask: tools.Says("ask.not_all_of", "what", s.All(), "lacks", speech.Kind("half_of_day"))}}
		}
		if before = at.At; at.Recurrence != nil {
			before = 0 // of which the first may come later
		}
		if out[i] = l.titled(part, title); !out[i].Ask.IsZero() {
			return nil
		}
	}
	return out
}

// alarmTimes are the times that stand in a row, each with what it shares with the others; none
// when they say anything else.
func (l Planner) alarmTimes(s sentences.Said) []string {
	var parts []string
	for from := 0; from < len(s.Words); {
		end := s.PartEnd(from, len(s.Words))
		part := s.Part(from, end)
		for from = end; s.Is(from, "and", "again", "one", "then", "another", "also", "for", "at"); {
			from++
		}
		if part = ClockOf(part); !l.Timing(part).Said && !l.IsOnlyTime(part) {
			return nil
		}
		parts = append(parts, part)
	}
	if len(parts) < 2 {
		return nil
	}
	last := parts[len(parts)-1]
	number, unit, _ := strings.Cut(last, " ")
	_, lengths := when.Later(last, l.P.AsOf, l.Zone())
	day, half := l.dayOf(last), halfOf(last)
	for i, part := range parts {
		if _, length := when.Later(part, l.P.AsOf, l.Zone()); lengths && !length && isBareNumber(number) {
			parts[i] = strings.TrimPrefix(part, "at ") + " " + unit
			continue
		}
		if own := halfOf(part); own != "" {
			half = own
		} else if half != "" {
			part = withHalf(part, half)
		}
		if own := l.dayOf(part); own != "" {
			day = own
		} else if day != "" {
			part += " " + day
		}
		parts[i] = part
	}
	return parts
}

// dayOf is what a time says about its day, and the part of it: of "6:30 tomorrow morning" it is
// "tomorrow morning".
func (l Planner) dayOf(text string) string {
	if day, _ := l.Parts(text); !day {
		return ""
	}
	words := strings.Fields(text)
	for from := range words {
		for to := len(words); to > from; to-- {
			part := strings.Join(words[from:to], " ")
			if !isClockWord(words[from]) && !isClockWord(words[to-1]) && l.IsOnlyTime(part) {
				return part
			}
		}
	}
	return ""
}

// isClockWord reports whether a word may belong to a time of day: "6:30", "six", "pm", "at".
func isClockWord(word string) bool {
	return word[0] >= '0' && word[0] <= '9' && halfOf(word) != "" || strings.Contains(word, ":") || isBareNumber(word) || halfOf(word) != "" || slices.Contains([]string{"at", "o'clock", "oclock", "half", "past", "quarter"}, strings.ToLower(word))
}

// halfOf is the half of the day that a time names: "am" or "pm".
func halfOf(text string) string {
	for w := range strings.FieldsSeq(strings.ToLower(strings.ReplaceAll(text, ".", ""))) {
		switch w = strings.TrimLeft(w, "0123456789:"); w {
		case "am", "pm":
			return w
		}
	}
	return ""
}

// withHalf is a time of day with the half of the day, behind its number.
func withHalf(text, half string) string {
	words := strings.Fields(text)
	for i, w := range words {
		if w[0] >= '0' && w[0] <= '9' || isBareNumber(w) {
			words[i] += " " + half
			return strings.Join(words, " ")
		}
	}
	return text
}
