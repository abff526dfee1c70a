package builtinmodel

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"chalie/domain"
)

// named gives parameters what follows their names: "city: Valletta", "room
// kitchen".
func (f *filling) named() {
	for _, colons := range []bool{true, false} {
		for _, p := range f.open(false, domain.TypeString, domain.TypeNumber, domain.TypeInteger, domain.TypeBoolean) {
			if from, ok := f.behind(p, colons); ok {
				f.give(p, from, f.endOf(p, from, colons))
			}
		}
	}
}

// behind is where the value behind a parameter's name begins.
func (f *filling) behind(p domain.Parameter, colon bool) (int, bool) {
	name := nameWords(p.Name)
	if len(name) == 0 || !colon && f.c.terms[stem(name[0])] == inName {
		return 0, false // the word means the tool
	}
	for i := range f.s.words {
		at := i
		if f.s.is(i, strings.ToLower(p.Name)) {
			at = i + 1
		} else if f.s.from(i).begins(name...) {
			at = i + len(name)
		}
		if at == i || at >= len(f.s.words) || f.s.words[at-1].colon != colon || f.used[at-1] {
			continue
		}
		if !colon && (isSwitch(name[0]) || isFiller(name[0])) {
			continue // "turn it on" gives no value to "on"
		}
		if !colon {
			for at < len(f.s.words) && f.s.is(at, "is", "to", "of", "as", "called", "named") {
				at++
			}
		}
		if at < len(f.s.words) && !f.used[at] && (colon || f.s.words[at].quoted || isValueOf(p, f.s.words[at].lower) || !f.isTaken(at)) {
			f.take(i, at)
			return at, true
		}
	}
	return 0, false
}

func isValueOf(p domain.Parameter, word string) bool {
	return p.Type == domain.TypeBoolean && isSwitch(word) || p.Type != domain.TypeString && isNumber(word)
}

// endOf is where a value ends that begins at from: at the next parameter, at a
// comma, or where the sentence goes on with something else.
func (f *filling) endOf(p domain.Parameter, from int, colon bool) int {
	if p.Type != domain.TypeString {
		return from + 1
	}
	end := from + 1
	for ; end < len(f.s.words); end++ {
		w := f.s.words[end]
		switch {
		case w.quoted && f.s.words[end-1].quoted:
		case f.used[end] || f.s.words[end-1].stop && !w.quoted || w.colon && f.isParameter(end):
			return end
		case !colon && (f.isTaken(end) || isSwitch(w.lower)):
			return end
		}
	}
	return end
}

func (f *filling) isParameter(i int) bool {
	return slices.ContainsFunc(f.c.offered.Parameters, func(p domain.Parameter) bool { return strings.EqualFold(p.Name, f.s.words[i].lower) })
}

// give sets a parameter to what was said, if it is of its type.
func (f *filling) give(p domain.Parameter, from, to int) {
	text := f.s.part(from, to)
	var value any
	switch p.Type {
	case domain.TypeString:
		value = text
		if text == "" {
			return
		}
	case domain.TypeBoolean:
		on, ok := switchOf(strings.ToLower(text))
		if !ok {
			return
		}
		value = on
	case domain.TypeNumber, domain.TypeInteger:
		number, ok := numberOf(text, p.Type)
		if !ok {
			return
		}
		value = number
	default:
		return
	}
	f.params[p.Name] = value
	f.take(from, to)
}

// numberOf is a number as JSON writes it; false when it isn't one of the type.
func numberOf(text string, t domain.ParameterType) (json.Number, bool) {
	text = strings.TrimPrefix(strings.TrimRight(text, "%°"), "+")
	minus := strings.HasPrefix(text, "-")
	whole, fraction, dotted := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if !isDigits(whole) || dotted && !isDigits(fraction) || len(text) > 15 || dotted && t == domain.TypeInteger {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if minus {
		whole = "-" + whole
	}
	if dotted {
		whole += "." + fraction
	}
	return json.Number(whole), true
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// numbers gives the only number to the only parameter for one.
func (f *filling) numbers() {
	open := f.open(true, domain.TypeNumber, domain.TypeInteger)
	if len(open) != 1 {
		return
	}
	found := -1
	for i, w := range f.s.words {
		if f.used[i] || w.quoted || !isNumber(w.lower) {
			continue
		}
		if found >= 0 {
			return
		}
		found = i
	}
	if found >= 0 {
		f.give(open[0], found, found+1)
	}
}

// times gives the time that was said, in the words it was said in, to the only
// parameter that can be meant. said reports whether there is one at all.
func (f *filling) times() (said bool, at string) {
	t := f.l.timing(f.s.all())
	if !t.said || t.when == "" {
		return false, ""
	}
	from, to := f.find(t.when)
	if from == to || slices.Contains(f.used[from:to], true) {
		return false, "" // it is something else: a number, or several parts
	}
	var takes []domain.Parameter
	for _, p := range f.open(false, domain.TypeString) {
		for _, w := range nameWords(p.Name) {
			if slices.Contains([]string{"when", "time", "date", "day", "at", "until", "till", "deadline", "due", "start", "moment", "datetime", "by"}, w) {
				takes = append(takes, p)
				break
			}
		}
	}
	f.take(from, to)
	if len(takes) == 1 {
		f.params[takes[0].Name], f.moment = t.when, takes[0].Name
	}
	return true, t.when
}

// find is where a part of the sentence stands, in words.
func (f *filling) find(part string) (from, to int) {
	for i := range f.s.words {
		for end := i + 1; end <= len(f.s.words); end++ {
			if text := f.s.text[f.s.words[i].start:f.s.words[end-1].end]; text == part {
				return i, end
			} else if len(text) > len(part) {
				break
			}
		}
	}
	return 0, 0
}

// isCode reports whether a word looks like an id: it has a digit, and letters or
// marks with it, or is a number of at least three digits.
func isCode(word string) bool {
	digits, letters := 0, 0
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r) || r == '-' || r == '_' || r == '/':
			letters++
		default:
			return false
		}
	}
	return digits > 0 && (letters > 0 || digits > 2)
}
