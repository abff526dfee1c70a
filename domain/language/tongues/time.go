package tongues

import (
	"slices"
	"strings"
)

// Time is what a sentence says about when.
type Time struct {
	English string   // in the words that domain/language/when reads; "" when it says nothing that has English here
	Morning string   // the same, with hours that don't say which half of the day in the first
	As      string   // as it was said
	Rest    string   // the sentence without it
	Unread  []string // what speaks of time and isn't in English
	Said    bool     // it says something about when
	Range   bool     // from one time of day or day to another
	Length  string   // how long it takes, in English: no part of when
}

// When finds the time in a sentence.
func (t *Tongue) When(text string) Time {
	s := &scan{t: t.tables(), words: Words(text)}
	for i := range s.words {
		s.timer = s.timer || s.t.is(s.text(i), timer)
		s.alarm = s.alarm || s.t.is(s.text(i), alarm)
	}
	if len(s.words) > maxWords {
		return Time{Rest: text}
	}
	parts := s.parts()
	covered := make([]bool, len(s.words))
	cover := func(p part) {
		for i := p.from; i < p.to; i++ {
			covered[i] = true
		}
	}
	kept := parts[:0:0]
	for _, p := range parts {
		if cover(p); p.rule.kind != saysHello {
			kept = append(kept, p)
		}
	}
	parts = kept
	out := Time{Said: len(parts) > 0}
	said := make([]string, len(parts))
	for i, p := range parts {
		said[i] = text[s.words[p.from].Start:s.words[p.to-1].End]
	}
	out.As = strings.Join(said, " ")
	for _, p := range parts {
		out.Range = out.Range || p.rule.kind == saysRange
		if p.rule.kind == saysOdd {
			out.Unread = append(out.Unread, text[s.words[p.from].Start:s.words[p.to-1].End])
		}
	}
	for i := range s.words {
		if !covered[i] && (s.isTimely(i) || s.isBeside(i, covered)) {
			out.Said, out.Unread = true, append(out.Unread, text[s.words[i].Start:s.words[i].End])
		}
	}
	again := slices.ContainsFunc(parts, func(p part) bool { return p.rule.kind == saysEvery })
	when := slices.DeleteFunc(slices.Clone(parts), func(p part) bool {
		lasts := p.rule.kind == saysFor && !again
		if lasts {
			out.Length = s.say(p.found)
		}
		return lasts
	})
	english, one := s.english(when, false)
	if !one {
		for _, p := range parts {
			out.Unread = append(out.Unread, text[s.words[p.from].Start:s.words[p.to-1].End])
		}
	} else {
		out.English = english
		out.Morning, _ = s.english(when, true)
	}
	out.Rest = s.rest(text, parts)
	return out
}

// maxWords bounds the words and marks of a sentence.
const maxWords = 200

// part is a found rule, with the run of parts that it stands in.
type part struct {
	found
	run int
}

// parts are the times of a sentence, in order.
func (s *scan) parts() []part {
	var out []part
	for i, run := 0, 0; i < len(s.words); run++ {
		f, ok := s.longest(i, false)
		if !ok {
			i++
			continue
		}
		first := len(out)
		for ok {
			out = append(out, part{f, run})
			i = f.to
			if f, ok = s.longest(i, true); ok {
				continue
			}
			next := i
			if s.t.is(s.text(i), And) {
				next++
				f, ok = s.longest(next, true, saysClock)
				ok = ok && out[len(out)-1].rule.kind == saysClock
				continue
			}
			for next < len(s.words) && (s.text(next) == "," || s.t.is(s.text(next), filler)) {
				next++
			}
			if next > i {
				f, ok = s.longest(next, true)
			}
		}
		if from := out[first].from; from > 0 && s.t.is(s.text(from-1), lead) && (first == 0 || out[first-1].to < from) {
			out[first].from--
		}
		for first++; first < len(out); first++ {
			out[first].from = out[first-1].to // the commas between belong to it
		}
	}
	return out
}

// isTimely reports whether a word speaks of time wherever it stands.
func (s *scan) isTimely(i int) bool {
	text := s.text(i)
	return text != "" && (s.t.is(text, timely) || s.t.classes["dow"][text] != "" ||
		s.t.classes["unit"][text] != "" && i > 0 && (s.words[i-1].isNumber() || s.t.numbers[s.text(i-1)] != "" && !s.t.is(s.text(i-1), Article)))
}

// isBeside reports whether a number or an "or" stands beside a time, with nothing but
// commas, "and" and articles between: every day at 8, 12 and 18.
func (s *scan) isBeside(i int, covered []bool) bool {
	number := s.words[i].isNumber() && !s.words[i].Quoted
	if !number && !s.t.is(s.text(i), or) {
		return false
	}
	between := func(n int) bool {
		return !covered[n] && number && (s.text(n) == "," || s.t.is(s.text(n), And) || s.t.is(s.text(n), Article))
	}
	back, on := i-1, i+1
	for back >= 0 && between(back) {
		back--
	}
	for on < len(s.words) && between(on) {
		on++
	}
	return back >= 0 && covered[back] || on < len(s.words) && covered[on]
}

// said are the parts of a time, each once.
type said struct {
	days, clocks                       []string
	every, part, span, length, from    string
	until, except, hours, habit, clash string
}

// english joins the parts of a time; false when they contradict.
func (s *scan) english(parts []part, morning bool) (string, bool) {
	w := said{}
	var clocks []clock
	dayRun := -1
	for _, p := range parts {
		text, ofDay, _ := strings.Cut(s.say(p.found), " /")
		if ofDay != "" { // Friday /evening
			w.set(&w.part, ofDay)
		}
		switch p.rule.kind {
		case saysDay:
			if len(w.days) > 0 && dayRun != p.run {
				w.clash = text
			}
			dayRun, w.days = p.run, append(w.days, text)
		case saysClock:
			sum, ofDay, _ := strings.Cut(p.rule.english, " /")
			if ofDay != "" {
				w.set(&w.part, ofDay)
			}
			clocks = append(clocks, clockOf(sum, p.values))
		case saysHabit:
			if w.habit = text; len(clocks) > 0 {
				w.habit = ""
			}
			w.set(&w.part, text)
		case saysPart, saysBehind:
			w.set(&w.part, text)
		case saysLength:
			w.set(&w.span, text)
		default:
			w.set(w.place(p.rule.kind), text)
		}
	}
	if w.every == "" && w.habit != "" && len(w.days) == 0 && w.span == "" {
		w.every = "every day"
	}
	for _, c := range clocks {
		if w.part == "night" && c.hour < 6 && len(w.days) == 1 && w.days[0] == "today" {
			w.days[0] = "tomorrow" // tonight at three
		}
		if w.part != "" {
			c = c.in(w.part)
		}
		c.loose = c.loose && !morning
		w.clocks = append(w.clocks, c.String())
	}
	return w.english()
}

func (w *said) set(place *string, text string) {
	if *place != "" && *place != text {
		w.clash = text
	}
	*place = text
}

func (w *said) place(k kind) *string {
	switch k {
	case saysSpan:
		return &w.span
	case saysEvery:
		return &w.every
	case saysUntil:
		return &w.until
	case saysFrom:
		return &w.from
	case saysFor:
		return &w.length
	case saysExcept:
		return &w.except
	case saysRange:
		return &w.hours
	}
	return new(string)
}

// english is the whole time, in the order in which domain/language/when reads it.
func (w *said) english() (string, bool) {
	if w.every == "" {
		// Until and from bound what comes back; of one time they are the day.
		if w.until != "" {
			w.days, w.until = append([]string{"by " + strings.TrimPrefix(w.until, "at ")}, w.days...), ""
		}
		if w.from != "" {
			w.days, w.from = append([]string{"on " + w.from}, w.days...), ""
		}
	}
	times := len(w.clocks) + len(w.hours)
	switch {
	case w.clash != "", w.every == "" && (len(w.clocks) > 1 || w.length != "" || w.except != ""),
		w.hours != "" && len(w.clocks) > 0, w.span != "" && (w.every != "" || w.part != "" || len(w.days) > 0):
		return "", false
	}
	for i := 1; i < len(w.days); i++ {
		w.days[i] = strings.TrimPrefix(w.days[i], "on ")
	}
	out := []string{w.every, strings.Join(w.days, " "), w.span}
	if w.except != "" {
		out[0] += " except " + w.except
	}
	switch {
	case times > 0 && w.hours == "":
		out = append(out, "at "+strings.Join(w.clocks, " and "))
	case times == 0 && w.part != "":
		out = w.inPart(out)
	}
	out = append(out, w.hours)
	for _, bound := range []struct{ word, text string }{{"starting", w.from}, {"until", w.until}, {"for", w.length}} {
		if bound.text != "" {
			out = append(out, bound.word+" "+bound.text)
		}
	}
	return strings.Join(strings.Fields(strings.Join(out, " ")), " "), true
}

// inPart adds a part of the day without a time of day.
func (w *said) inPart(out []string) []string {
	day := out[1]
	switch {
	case w.part == "noon":
		return append(out, "at 12:00")
	case w.every == "every day":
		out[0] = "every " + w.part
	case w.every != "" && day == "":
		out[0] += " " + w.part
	case day == "today" && w.part == "night":
		out[1] = "tonight"
	case day == "today":
		out[1] = "this " + w.part
	case w.part == "night" && day == "":
		return append(out, "tonight")
	case w.part == "night":
		return append(out, "night")
	default:
		return append(out, "in the "+w.part)
	}
	return out
}

// rest is the text without the parts that say when.
func (s *scan) rest(text string, parts []part) string {
	var left strings.Builder
	at := 0
	for _, p := range parts {
		left.WriteString(text[at:s.words[p.from].Start] + " ")
		at = s.words[p.to-1].End
	}
	left.WriteString(text[at:])
	var out strings.Builder
	for i, word := range strings.Fields(left.String()) {
		if i > 0 && strings.Trim(word, ",.;:!?") != "" {
			out.WriteByte(' ') // a mark by itself belongs to the word before
		}
		out.WriteString(word)
	}
	return strings.Trim(out.String(), " ,;")
}
