package tongues

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// kind is what a rule says of a time.
type kind string

const (
	saysDay    kind = "day"    // tomorrow, on Friday
	saysClock  kind = "clock"  // at half past eight
	saysLoose  kind = "loose"  // a time of day, behind a day or a preposition, or of an alarm: 18 h may be long as well
	saysPart   kind = "part"   // in the evening
	saysBehind kind = "behind" // a part of the day, behind a day or a time of day only
	saysHabit  kind = "habit"  // a part of the day, and of every day where nothing else is said
	saysSpan   kind = "span"   // in two hours
	saysEvery  kind = "every"  // every Monday
	saysUntil  kind = "until"
	saysFrom   kind = "from"
	saysFor    kind = "for" // three weeks long
	saysExcept kind = "except"
	saysRange  kind = "range"  // from nine to eleven
	saysLength kind = "length" // ten minutes, of a timer only
	saysHello  kind = "hello"  // a greeting: nothing of when
	saysOdd    kind = "odd"    // of time, but nothing that has English here
)

// rule is a row of words that says something of a time, such as
//
//	day: am? kommenden <dow> = the $1 after today
//
// A word has alternatives, and may be missing where a question mark is. $1 is the first
// class in English, #1 as an ordinal number. What a clock says is counted: $2-30-$1.
type rule struct {
	kind     kind
	elements []element
	english  string
}

type element struct {
	words    []string
	class    string // of a word that is looked up instead
	optional bool
}

// rulesOf reads a table of rules, one a line.
func rulesOf(table string) []rule {
	var out []rule
	for line := range strings.Lines(table) {
		front, english, ok := strings.Cut(strings.TrimSpace(line), " = ")
		if !ok {
			continue
		}
		k, pattern, _ := strings.Cut(front, ": ")
		r := rule{kind: kind(k), english: english}
		for f := range strings.FieldsSeq(pattern) {
			e := element{}
			f, e.optional = strings.CutSuffix(f, "?")
			if name, ok := strings.CutPrefix(f, "<"); ok {
				e.class = strings.TrimSuffix(name, ">")
			} else {
				e.words = strings.Split(f, "|")
			}
			r.elements = append(r.elements, e)
		}
		out = append(out, r)
	}
	return out
}

// scan reads the times in a row of words.
type scan struct {
	t     *tables
	words []Word
	timer bool // it is about a timer
	alarm bool // it is about an alarm
}

func (s *scan) text(i int) string {
	if i < 0 || i >= len(s.words) || s.words[i].Quoted {
		return ""
	}
	return s.words[i].Text
}

// found is a rule that fits, with what its classes are in English.
type found struct {
	rule     rule
	from, to int
	values   []string
}

// longest is the rule that reads the most words from a place on.
func (s *scan) longest(i int, behind bool, only ...kind) (found, bool) {
	best := found{to: i}
	for _, n := range s.t.mayBegin(s.text(i)) {
		r := s.t.rules[n]
		whole := false // it has to be all there is
		switch r.kind {
		case saysLoose:
			r.kind, whole = saysClock, !behind && !s.alarm && !s.t.is(s.text(i-1), lead)
			if whole && i > 0 || s.t.numbers[s.text(i)] != "" && s.t.is(s.text(i), Article) {
				continue // une heure
			}
		case saysBehind:
			if !behind {
				continue
			}
		case saysLength:
			if !s.timer {
				continue
			}
		}
		if len(only) > 0 && !slices.Contains(only, r.kind) {
			continue
		}
		s.fit(r, r.elements, i, nil, func(end int, values []string) {
			if end > best.to && s.mayEnd(r, end) && (!whole || end == len(s.words)) {
				best = found{rule: r, from: i, to: end, values: append([]string(nil), values...)}
			}
		})
	}
	return best, best.to > i
}

// index finds the rules by the words that they may begin with; digits have one entry.
func (t *tables) index() {
	t.begins = map[string][]int{}
	for n, r := range t.rules {
		words := map[string]bool{}
		for _, e := range r.elements {
			for _, w := range t.firsts(e) {
				words[w] = true
			}
			if !e.optional {
				break
			}
		}
		for w := range words {
			t.begins[w] = append(t.begins[w], n)
		}
	}
}

const digits = "0"

// firsts are the words that an element may begin with.
func (t *tables) firsts(e element) []string {
	if e.class == "" {
		return e.words
	}
	out := []string{}
	add := func(of map[string]string) {
		for phrase := range of {
			first, _, _ := strings.Cut(phrase, " ")
			out = append(out, first)
		}
	}
	if _, number := numberBounds[e.class]; number {
		out = append(out, digits)
		add(t.numbers)
		add(t.ordinals)
		return out
	}
	name := e.class
	if name == "dows" {
		name = "dow"
	}
	add(t.classes[name])
	for phrase := range t.classes[name] {
		if phrase[0] >= '0' && phrase[0] <= '9' {
			out = append(out, digits)
		}
	}
	return out
}

// mayBegin are the rules that may begin with a word, in their order.
func (t *tables) mayBegin(word string) []int {
	if word != "" && word[0] >= '0' && word[0] <= '9' {
		word = digits
	}
	return t.begins[word]
}

// mayEnd reports whether a rule may end there: a number before a unit, a percentage or
// another number is no time of day.
func (s *scan) mayEnd(r rule, end int) bool {
	if !s.words[end-1].isNumber() && s.t.numbers[s.text(end-1)] == "" {
		return true
	}
	next := s.text(end)
	joined := end+1 < len(s.words) && s.words[end+1].isNumber() // 8:60, but not 8: to call
	switch {
	case s.t.classes["unit"][next] != "" || isHour(next) || next == ":" && joined:
		return false
	case r.kind != saysClock || next == "":
		return true
	case next == "/" && joined || s.words[end].isNumber():
		return false
	}
	switch next {
	case "%", "€", "$", "euro", "euros":
		return false
	}
	return true
}

// isHour reports whether a word makes a number before it a time of day.
func isHour(word string) bool {
	switch word {
	case "h", "uhr", "heures", "heure", "hora", "horas":
		return true
	}
	return false
}

// fit tries a row of elements, and reports every place where it can end.
func (s *scan) fit(r rule, rest []element, i int, values []string, end func(int, []string)) {
	if len(rest) == 0 {
		end(i, values)
		return
	}
	e := rest[0]
	if e.optional {
		skipped := values
		if e.class != "" {
			skipped = append(slices.Clip(values), "")
		}
		s.fit(r, rest[1:], i, skipped, end)
	}
	if e.class == "" {
		for _, w := range e.words {
			if w == s.text(i) {
				s.fit(r, rest[1:], i+1, values, end)
				return
			}
		}
		return
	}
	s.class(e.class, i, func(value string, next int) {
		s.fit(r, rest[1:], next, append(slices.Clip(values), value), end)
	})
}

// class reads a word or words of a class.
func (s *scan) class(name string, i int, read func(value string, next int)) {
	switch name {
	case "n", "h", "m", "d", "mm", "y":
		s.number(name, i, read)
	case "dows":
		s.weekdays(i, read)
	case "DAY":
		if f, ok := s.longest(i, false, saysDay); ok {
			read(strings.TrimPrefix(s.say(f), "on "), f.to)
		}
	case "CLOCK":
		if f, ok := s.longest(i, false, saysClock); ok {
			read(s.say(f), f.to)
		}
	default:
		const longest = 4
		text := ""
		for n := 1; n <= longest && s.text(i+n-1) != ""; n++ {
			text = strings.TrimSpace(text + " " + s.text(i+n-1))
			if value := s.t.classes[name][text]; value != "" {
				read(value, i+n)
			}
		}
	}
}

// numberBounds are the least and the greatest number of a class, and its most digits.
var numberBounds = map[string][3]int{"n": {0, 999, 3}, "h": {0, 24, 2}, "m": {0, 59, 2}, "d": {1, 31, 2}, "mm": {1, 12, 2}, "y": {2000, 2199, 4}}

// number reads a number in digits or words, within the bounds of its class.
func (s *scan) number(name string, i int, read func(string, int)) {
	bounds := numberBounds[name]
	if text := s.text(i); text != "" && s.words[i].isNumber() {
		n, err := strconv.Atoi(text)
		if err == nil && len(text) <= bounds[2] && n >= bounds[0] && n <= bounds[1] {
			switch name {
			case "mm":
				text = time.Month(n).String()
			case "d", "n":
				text = strconv.Itoa(n)
			}
			read(text, i+1)
		}
		return
	}
	const longest = 4
	text := ""
	for n := 1; n <= longest && s.text(i+n-1) != ""; n++ {
		text = strings.TrimSpace(text + " " + s.text(i+n-1))
		value := s.t.numbers[text]
		if ordinal := s.t.ordinals[text]; value == "" && name == "d" {
			value = ordinal
		}
		if value == "" || name == "m" && s.t.is(text, Article) {
			continue // 15 Uhr einen Termin
		}
		if name == "h" && s.t.is(text, Article) && i > 0 && !s.t.is(s.text(i-1), Article) && !isHour(s.text(i+n)) {
			continue // on a un repas, but à une heure and a la una
		}
		if number, err := strconv.ParseFloat(value, 64); err == nil && (name == "n" || number == float64(int(number)) && int(number) >= bounds[0] && int(number) <= bounds[1]) {
			read(value, i+n)
		}
	}
}

// weekdays reads one weekday, or several with commas and "and" between.
func (s *scan) weekdays(i int, read func(string, int)) {
	var days []string
	for {
		day := s.t.classes["dow"][s.text(i)]
		if day == "" {
			return
		}
		days = append(days, day)
		i++
		if n := len(days); n == 1 {
			read(day, i)
		} else {
			read(strings.Join(days[:n-1], ", ")+" and "+day, i)
		}
		for s.text(i) == "," || s.t.is(s.text(i), And) {
			i++
		}
		for s.t.is(s.text(i), Article) {
			i++
		}
	}
}

// say is what a rule says in English.
func (s *scan) say(f found) string {
	if f.rule.kind == saysClock {
		sum, _, _ := strings.Cut(f.rule.english, " /")
		return clockOf(sum, f.values).String()
	}
	out := f.rule.english
	for i, v := range f.values {
		n := strconv.Itoa(i + 1)
		out = strings.ReplaceAll(out, "$"+n, v)
		if strings.Contains(out, "#"+n) {
			out = strings.ReplaceAll(out, "#"+n, ordinal(v))
		}
	}
	return strings.Join(strings.Fields(out), " ")
}

func ordinal(number string) string {
	n, err := strconv.Atoi(number)
	switch {
	case err != nil:
		return number
	case n%100 >= 11 && n%100 <= 13:
		return number + "th"
	}
	switch n % 10 {
	case 1:
		return number + "st"
	case 2:
		return number + "nd"
	case 3:
		return number + "rd"
	}
	return number + "th"
}
