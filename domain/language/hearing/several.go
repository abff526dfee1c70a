package hearing

import (
	"strings"
)

// maxSeveral bounds how many times one sentence may say.
const maxSeveral = 4

// each is an intent, or one for each of the times that it says: "at 7, 7:40 and 8:30 tonight".
func (l listener) each(in intent) []intent {
	text, handed := in.params["text"].(string)
	if in.tool != skillRemind || in.ask != "" || !handed {
		return []intent{in}
	}
	what, times := l.several(text)
	if len(times) < 2 || what == "" {
		return []intent{in}
	}
	out := make([]intent, len(times))
	for i, at := range times {
		out[i] = l.saidOf(what, at, text)
		both := what + " " + clockOf(at)
		if t := l.timing(both); t.said && t.when != at && !t.left {
			out[i] = l.handed(both) // what it is for tells which half of the day is meant
		}
	}
	return out
}

// inTurn hears a reminder for each of two times: "remind me at 7 to feed the fish and at 9 to lock
// the door".
func (l listener) inTurn(s said) []intent {
	if !s.begins("remind", "me") {
		return nil
	}
	for i := 3; i+3 < len(s.words); i++ {
		if !s.is(i, "and") && !s.words[i-1].stop {
			continue
		}
		rest := s.from(i)
		for rest.is(0, "and", "then", "also") {
			rest = rest.from(1)
		}
		for n := 1; n < min(len(rest.words)-1, maxTimeWords); n++ {
			if !rest.is(n, "to", "that", "about") || !l.isOnlyTime(rest.part(0, n)) {
				continue
			}
			first, second := l.reminded(s.upTo(i).from(2).all()), l.reminded(rest.all())
			if first.ask == "" && second.ask == "" && first.params["what"] != nil && second.params["what"] != nil {
				return []intent{first, second}
			}
		}
	}
	return nil
}

// several are the times of a text that stand in a row, each with what it shares with the others,
// and what else the text says. It is none when one of them can't be read, or comes again.
func (l listener) several(text string) (what string, times []string) {
	s, ok := read(text)
	if !ok {
		return "", nil
	}
	for from := range s.words {
		end := s.partEnd(from, len(s.words))
		if end == len(s.words) || end-from > maxTimeWords || !l.isOnlyTime(s.part(from, end)) {
			continue
		}
		for to := min(len(s.words), from+maxSeveral*maxTimeWords); to > end; to-- {
			if times = l.row(s, from, to); len(times) < 2 {
				continue
			}
			rest := strings.TrimSpace(s.part(0, from) + " " + s.part(to, len(s.words)))
			if behind, ok := read(rest); l.timing(rest).said || l.timing(rest).wrong || ok && hasAny(behind, "every", "each", "daily", "day", "week", "twice", "times", "until", "except", "before", "after", "earlier") {
				return "", nil
			}
			return plainTitle(rest), times
		}
	}
	return "", nil
}

// partEnd is where a part of a row that begins at a word ends: before a comma or an "and".
func (s said) partEnd(from, to int) int {
	for i := from; i+1 < to; i++ {
		if s.words[i].stop || s.is(i+1, "and") && !s.beginsAt(i+1, "and", "a", "half") && !s.beginsAt(i+1, "and", "a", "quarter") {
			return i + 1
		}
	}
	return to
}

// plainTitle is what times are for, without the words that lead to it.
func plainTitle(text string) string {
	s, ok := read(withoutLink(text))
	if !ok {
		return ""
	}
	for len(s.words) > 1 && s.is(0, "two", "three", "2", "3", "both", "one", "for", "to", "of", "a", "at") {
		s = s.from(1)
	}
	for len(s.words) > 1 && s.is(len(s.words)-1, "for", "at", "on", "both", "please") {
		s = s.upTo(len(s.words) - 1)
	}
	return s.all()
}

// row are the times that some words say one after the other.
func (l listener) row(s said, from, to int) []string {
	var parts []string
	for from < to {
		end := s.partEnd(from, to)
		part := s.part(from, end)
		for from = end; from < to && s.is(from, "and", "again", "one", "then", "another", "also"); {
			from++
		}
		if rest, ok := strings.CutPrefix(part, "for "); ok && !l.isOnlyTime(part) {
			part = rest
		}
		if !l.isOnlyTime(part) || l.recurs(part) {
			return nil
		}
		parts = append(parts, part)
	}
	if len(parts) < 2 || len(parts) > maxSeveral {
		return nil
	}
	last, dated := parts[len(parts)-1], false
	for _, part := range parts {
		day, _ := l.parts(part)
		dated = dated || day
	}
	for i, part := range parts {
		day, clock := l.parts(part)
		if day && clock || !dated && clock || l.isMoment(part) && !clock {
			continue
		}
		if parts[i] = l.shared(part, last); parts[i] == "" {
			if parts[i] = l.shared(part, parts[0]); parts[i] == "" {
				return nil
			}
		}
	}
	return parts
}
