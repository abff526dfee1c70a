package builtinmodel

import (
	"slices"
	"strings"

	"chalie/domain/when"
)

// agreeing are ends of a sentence that say nothing more about the time before them.
var agreeing = []string{"is fine", "is ok", "is okay", "is good", "is great", "is perfect", "works", "would be fine", "would be good", "would be great", "would be perfect", "will be fine", "will do"}

// tidied is what a reminder is to be about and when, without the words at its edges that say
// nothing: "set for 5 pm …", "again tomorrow about …", "… tomorrow at 5 is fine", "… its on Friday".
func (l listener) tidied(text string) string {
	s, ok := read(text)
	if !ok || len(s.words) < 2 {
		return text
	}
	for _, idle := range agreeing {
		words := strings.Fields(idle)
		if n := len(s.words) - len(words); n > 0 && s.beginsAt(n, words...) && l.timeAtEnd(s.upTo(n)) {
			s = s.upTo(n)
			break
		}
	}
	if s.is(0, "set") && s.is(1, "for", "at", "on") || s.is(0, "again") && len(s.words) > 1 {
		s = s.from(1)
	}
	for i := 1; i+1 < len(s.words); i++ {
		n := 1
		if s.is(i, "it", "that") && s.is(i+1, "is") {
			n = 2
		} else if !s.is(i, "its", "thats") {
			continue
		}
		if i+n < len(s.words) && l.isOnlyTime(s.part(i+n, len(s.words))) {
			return s.part(0, i) + " " + s.part(i+n, len(s.words))
		}
	}
	return s.all()
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
	at, err := when.Parse(text, l.p.AsOf, l.zone())
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
			s.is(i, "but") && behind && s.is(i+1, "only", "not", "never"),
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

// alarmsInTurn hears an alarm for each of some times that share what is said with the last: "set
// alarms for 6, 6:15 and 6:30 tomorrow morning".
func (l listener) alarmsInTurn(s said) []intent {
	c, ok := s.any("set|start|create|add|make|put|give|get up? me? an|my|some|two|three|four|2|3|4? alarms|alarm for|at *when", "two|three|four|2|3|4? alarms for|at *when")
	if !ok || s.question {
		return nil
	}
	times := c.sentence("when")
	var parts []string
	for from := 0; from < len(times.words); {
		end := times.partEnd(from, len(times.words))
		part := times.part(from, end)
		for from = end; times.is(from, "and", "again", "one", "then", "another", "also", "for", "at"); {
			from++
		}
		if part = clockOf(part); !l.timing(part).said || len(parts) == maxSeveral {
			return nil
		}
		parts = append(parts, part)
	}
	if len(parts) < 2 {
		return nil
	}
	out := make([]intent, len(parts))
	last := parts[len(parts)-1]
	dated, _ := when.Parts(last, l.p.AsOf, l.zone())
	for i, part := range parts {
		if day, _ := when.Parts(part, l.p.AsOf, l.zone()); dated && !day {
			if part = l.shared(part, last); part == "" {
				return nil
			}
		}
		if !l.isOnlyTime(part) {
			return nil
		}
		if out[i] = l.titled(part, "alarm"); out[i].ask != "" {
			return nil
		}
	}
	return out
}
