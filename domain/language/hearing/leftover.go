package hearing

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"chalie/domain"
	"chalie/domain/language/when"
)

// agreeing are ends of a sentence that say nothing more about the time before them.
var agreeing = []string{"is fine", "is ok", "is okay", "is good", "is great", "is perfect", "works", "would be fine", "would be good", "would be great", "would be perfect", "will be fine", "will do", "that is it", "that is all"}

// unreadable are the words of a sentence in letters of which no language is read here; "" for none.
// What is quoted needn't be read.
func (s said) unreadable() string {
	var out []string
	latin := func(r rune) bool { return unicode.Is(unicode.Latin, r) }
	for _, w := range s.words {
		if !w.quoted && strings.ContainsFunc(w.lower, unicode.IsLetter) && !strings.ContainsFunc(w.lower, latin) {
			out = append(out, s.text[w.start:w.end])
		}
	}
	return strings.Join(out, " ")
}

// tidied is what a reminder is to be about and when, without the words at its edges that say
// nothing: "set for 5 pm …", "again tomorrow about …", "… tomorrow at 5 is fine", "… its on Friday".
func (l listener) tidied(text string) string {
	text = l.withoutCalendar(text)
	if strings.HasPrefix(strings.ToLower(text), "for ") {
		text = l.atTheHour(text)
		if at := "at" + text[len("for"):]; hourTo.MatchString(text) && l.timing(at).said && !l.timing(text).said {
			text = at
		}
	}
	s, ok := read(text)
	if !ok || len(s.words) < 2 {
		return text
	}
	for _, idle := range agreeing {
		if n := len(s.words) - s.ends([]string{idle}); n > 0 && n < len(s.words) && l.timeAtEnd(s.upTo(n)) {
			s = s.upTo(n)
			break
		}
	}
	if s.is(0, "set") && (s.is(1, "for", "at", "on") || l.isOnlyTime(s.part(1, 2))) || s.is(0, "again") {
		s = s.from(1)
	}
	for i := 1; i+1 < len(s.words); i++ {
		n := 1
		if s.is(i, "it", "that") && s.is(i+1, "is") {
			n = 2
		} else if !s.is(i, "its", "thats") {
			continue
		}
		if i+n < len(s.words) && !s.is(i-1, "if", "whether", "that", "when", "because", "since", "until", "before", "after") && l.isOnlyTime(s.part(i+n, len(s.words))) {
			return s.part(0, i) + " " + s.part(i+n, len(s.words))
		}
	}
	return s.all()
}

// hourTo is an hour that a reminder is for, before what it is about: for 5 to leave.
var hourTo = regexp.MustCompile(`(?i)^for \d{1,2} to [a-z]`)

// withoutCalendar is a text without the calendar that it is to be kept in, before it or behind its
// time: "in my calendar to call Sam at 9". What is to be put there keeps it.
func (l listener) withoutCalendar(text string) string {
	at := containing.FindStringIndex(text)
	if len(at) == 0 || l.isOnlyTime(text) {
		return text
	}
	before, ok := read(text[:at[0]])
	switch {
	case at[0] == 0 && strings.TrimSpace(text[at[1]:]) != "":
		return strings.TrimSpace(text[at[1]:])
	case ok && strings.TrimRight(text[at[1]:], " .!") == "" && l.timeAtEnd(before) && !hasAny(before, "put", "add", "enter", "write", "mark", "note", "check"):
		return strings.TrimSpace(text[:at[0]])
	}
	return text
}

// timeAtEnd reports whether a sentence's last words say a time by themselves.
func (l listener) timeAtEnd(s said) bool {
	for n := 1; n <= min(len(s.words), maxTimeWords); n++ {
		if l.isOnlyTime(s.part(len(s.words)-n, len(s.words))) {
			return true
		}
	}
	return false
}

// hangs reports whether words that only make sense with a time stand next to one and weren't
// read with it: "at 8 but only on weekends", "at 6 except on Sundays", "tomorrow at 9 instead".
func (l listener) hangs(text string) bool {
	s, ok := read(text)
	if last := len(s.words) - 3; ok && last > 0 && (s.beginsAt(last, "and", "so", "on") || s.beginsAt(last, "and", "so", "forth")) {
		return true
	}
	at, err := l.parse(text)
	if !ok || err != nil {
		return false
	}
	timed := func(i int) bool {
		return i >= 0 && i < len(s.words) && slices.ContainsFunc(at.Spans, func(span when.Span) bool {
			return span.Start < s.words[i].end && s.words[i].start < span.End
		})
	}
	for i := range s.words {
		if timed(i) || s.words[i].quoted {
			continue
		}
		behind, last := timed(i-1), i+1 == len(s.words)
		switch {
		case s.is(i, "except", "excluding", "unless") && (behind || timed(i+1)),
			s.is(i, "only") && (behind || timed(i+1) && s.is(i-1, "but")),
			s.is(i, "but") && behind && s.is(i+1, "only", "just", "not", "never"),
			s.is(i, "or") && behind && (s.is(i+1, "maybe", "perhaps", "so") || !last && isBareNumber(s.part(i+1, i+2))),
			s.is(i, "every", "each") && (behind || timed(i-2) && s.is(i-1, "for", "on", "at")),
			s.is(i, "instead") && (behind || timed(i+1)) && !s.is(i+1, "of"),
			s.is(i, "and", "or") && behind && last,
			s.is(i, "etc") && last && behind:
			return true
		}
	}
	return false
}

// named hears what an alarm is called, behind its time or before it: "7:30 pm called book club",
// "named gym for 6 pm".
func (l listener) named(s said) (name, at string, ok bool) {
	for i := range s.words {
		if !s.is(i, "called", "named", "titled", "labeled", "labelled") || s.words[i].quoted {
			continue
		}
		if head := clockOf(withoutLink(s.part(0, i))); i > 0 && i+1 < len(s.words) {
			return s.part(i+1, len(s.words)), head, l.isOnlyTime(head)
		}
		for j := 2; i == 0 && j < len(s.words); j++ {
			tail := s.part(j, len(s.words))
			if rest := clockOf(withoutLink(tail)); l.isOnlyTime(rest) && !l.timing(s.part(1, j)).said {
				return s.part(1, j), rest, true
			}
		}
		return "", "", false
	}
	return "", "", false
}

// withReason takes what follows an alarm's time to say what it is for: "2:30 today so I don't miss
// the bus".
func (l listener) withReason(s said) (at, reason string, ok bool) {
	for i := 1; i+1 < len(s.words); i++ {
		if !s.is(i, "so") || !s.is(i+1, "i", "we", "that", "he", "she", "they", "the", "my") {
			continue
		}
		at = clockOf(withoutLink(s.part(0, i)))
		return at, s.part(i, len(s.words)), l.isOnlyTime(at)
	}
	return "", "", false
}

// alarmsInTurn hears an alarm for each of some times, which share what only one of them says: "set
// alarms for 6, 6:15 and 6:30 tomorrow morning", "timers for 5 and 10 minutes".
func (l listener) alarmsInTurn(s said) []intent {
	c, ok := s.any("set|start|create|add|make|put|give|get up? me? a|an|my|some|two|three|four|2|3|4? alarms|alarm|timers|timer for|at *when", "two|three|four|2|3|4? alarms|timers for|at *when")
	if !ok || s.question {
		return nil
	}
	parts := l.alarmTimes(c.sentence("when"))
	if len(parts) > 2 && strings.HasSuffix(parts[1], parts[0]) {
		parts = parts[1:] // it is the day of the others: for tonight, 9 and 11
	}
	if len(parts) < 2 || len(parts) > maxSeveral {
		return nil
	}
	title := "alarm"
	if hasAny(s, "timer", "timers") {
		title = "timer"
	}
	halves := 0
	for _, w := range c.sentence("when").words {
		if halfOf(w.lower) != "" {
			halves++
		}
	}
	const halfDay = 12 * 60 * 60 * 1000
	out := make([]intent, len(parts))
	var before domain.Millis
	for i, part := range parts {
		at, err := l.parse(title + " " + part)
		if err != nil {
			at, err = l.parse(part)
		}
		if !l.isOnlyTime(part) || err != nil {
			return nil
		}
		lent := halfOf(part) != "" && len(parts) > halves && l.dayOf(part) == ""
		if at.At <= before || lent && before > 0 && at.At-before > halfDay {
			return []intent{{tool: skillRemind, ask: "I don't understand all of " + mention(s.all()) + ", so I have set nothing. Say each time with its half of the day, such as: at 11 am and at 1 pm."}}
		}
		if before = at.At; at.Recurrence != nil {
			before = 0 // of which the first may come later
		}
		if out[i] = l.titled(part, title); out[i].ask != "" {
			return nil
		}
	}
	return out
}

// alarmTimes are the times that stand in a row, each with what it shares with the others; none
// when they say anything else.
func (l listener) alarmTimes(s said) []string {
	var parts []string
	for from := 0; from < len(s.words); {
		end := s.partEnd(from, len(s.words))
		part := s.part(from, end)
		for from = end; s.is(from, "and", "again", "one", "then", "another", "also", "for", "at"); {
			from++
		}
		if part = clockOf(part); !l.timing(part).said && !l.isOnlyTime(part) {
			return nil
		}
		parts = append(parts, part)
	}
	if len(parts) < 2 {
		return nil
	}
	last := parts[len(parts)-1]
	number, unit, _ := strings.Cut(last, " ")
	_, lengths := when.Later(last, l.p.AsOf, l.zone())
	day, half := l.dayOf(last), halfOf(last)
	for i, part := range parts {
		if _, length := when.Later(part, l.p.AsOf, l.zone()); lengths && !length && isBareNumber(number) {
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
func (l listener) dayOf(text string) string {
	if day, _ := l.parts(text); !day {
		return ""
	}
	words := strings.Fields(text)
	for from := range words {
		for to := len(words); to > from; to-- {
			part := strings.Join(words[from:to], " ")
			if !isClockWord(words[from]) && !isClockWord(words[to-1]) && l.isOnlyTime(part) {
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
