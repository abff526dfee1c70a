package tongue

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A sentence that Chalie tells is a row of words with names between, in English and in the
// language, such as
//
//	start: I'll remind you {times}: {text} = Ich erinnere dich {times}: {text}
//
// A name is a class of such rows, told in turn, or one of those that stay as they are: {text}
// is any words, {quoted} words between quotation marks, {n} a number, {clock} a time of day.
// A digit behind it tells it from another of its class. Words with | between are as many
// rows. The first row that fits is taken, and what none fits isn't told.
type saying struct{ english, own []piece }

// piece is some words, or a name.
type piece struct{ words, name, class string }

// sayings are the rows of a language by their classes.
type sayings map[string][]saying

// sayingsOf reads a table of sentences, one a line.
func sayingsOf(table string) sayings {
	out := sayings{}
	for line := range strings.Lines(table) {
		class, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		english, own, both := strings.Cut(rest, " = ")
		if !ok || !both {
			continue
		}
		first, second := strings.Split(english, "|"), strings.Split(own, "|")
		for i := range min(len(first), len(second)) {
			out[class] = append(out[class], saying{piecesOf(first[i]), piecesOf(second[i])})
		}
	}
	return out
}

func piecesOf(pattern string) []piece {
	var out []piece
	for pattern != "" {
		words, rest, named := strings.Cut(pattern, "{")
		if words != "" {
			out = append(out, piece{words: words})
		}
		if !named {
			break
		}
		name, behind, _ := strings.Cut(rest, "}")
		out = append(out, piece{name: name, class: strings.TrimRight(name, "0123456789")})
		pattern = behind
	}
	return out
}

// Tell is what Chalie says in English in this language, line by line. A line that isn't known
// stays as it is. class is what the lines are: a [Sentence], and so on.
func (t *Tongue) Tell(english string, class Class) string {
	return t.each(english, class, true)
}

// Told is what was told in this language in English again: the other way round.
func (t *Tongue) Told(own string) string {
	var out []string
	for line := range strings.SplitSeq(own, "\n") {
		if item, ok := strings.CutPrefix(line, "- "); ok {
			out = append(out, "- "+t.each(item, Entry, false))
			continue
		}
		english := t.each(line, Sentence, false)
		if english == line {
			english = t.each(line, Heading, false)
		}
		out = append(out, english)
	}
	return strings.Join(out, "\n")
}

// Class is what a line is.
type Class string

// The classes of lines.
const (
	Sentence Class = "say"
	Entry    Class = "entry" // of a list
	Heading  Class = "heading"
	Label    Class = "label" // on a button
)

func (t *Tongue) each(text string, class Class, english bool) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		tell := teller{all: t.tables().sayings, places: t.tables().places, english: english, left: maxTries}
		if len(line) > maxToldBytes {
			continue
		}
		tell.class(string(class), line, func(told, rest string) bool {
			if rest == "" {
				lines[i] = told
			}
			return rest == ""
		})
	}
	return strings.Join(lines, "\n")
}

// Bounds of a line that is told.
const (
	maxToldBytes = 4 << 10
	maxTries     = 50_000
)

// teller fits rows to a line, from English or to it.
type teller struct {
	all     sayings
	places  map[string]string
	english bool // the line is English
	left    int  // tries
}

// class fits the rows of a class to the beginning of a text, until then takes one.
func (t *teller) class(name, text string, then func(told, rest string) bool) bool {
	for _, s := range t.all[name] {
		from, to := s.english, s.own
		if !t.english {
			from, to = to, from
		}
		if t.row(from, text, nil, func(values map[string]string, rest string) bool {
			var out strings.Builder
			for _, p := range to {
				out.WriteString(p.words + values[p.name])
			}
			return then(out.String(), rest)
		}) {
			return true
		}
	}
	return false
}

// row fits the pieces of a row to the beginning of a text.
func (t *teller) row(pieces []piece, text string, values map[string]string, then func(values map[string]string, rest string) bool) bool {
	if t.left--; t.left < 0 {
		return false
	}
	if len(pieces) == 0 {
		return then(values, text)
	}
	p := pieces[0]
	if p.name == "" {
		rest, ok := strings.CutPrefix(text, p.words)
		return ok && t.row(pieces[1:], rest, values, then)
	}
	with := func(told, rest string) bool {
		more := map[string]string{p.name: told}
		maps.Copy(more, values)
		return t.row(pieces[1:], rest, more, then)
	}
	switch p.class {
	case "text":
		return t.anyWords(pieces[1:], text, with)
	case "quoted":
		if quoted, err := strconv.QuotedPrefix(text); err == nil && text[0] == '"' {
			return with(quoted, text[len(quoted):])
		}
		if n := strings.Index(text, "”"); strings.HasPrefix(text, "“") && n > 0 {
			return with(text[:n+len("”")], text[n+len("”"):])
		}
		return false
	case "n", "clock":
		if found := map[string]*regexp.Regexp{"n": number, "clock": clockFace}[p.class].FindString(text); found != "" {
			return with(found, text[len(found):])
		}
		return false
	case "place":
		return t.anyWords(pieces[1:], text, func(name, rest string) bool { return with(t.place(name), rest) })
	}
	return t.class(p.class, text, with)
}

var (
	number    = regexp.MustCompile(`^\d+`)
	clockFace = regexp.MustCompile(`^\d\d:\d\d(?::\d\d)?`)
)

// anyWords tries as few of the next characters as can be, one at least.
func (t *teller) anyWords(behind []piece, text string, with func(told, rest string) bool) bool {
	for end := 0; end < len(text); {
		if len(behind) > 0 && behind[0].name == "" {
			n := strings.Index(text[min(end+1, len(text)):], behind[0].words)
			if n < 0 {
				return false
			}
			end += n + 1
		} else {
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		if with(text[:end], text[end:]) {
			return true
		}
	}
	return false
}

// place is a city in the other language.
func (t *teller) place(name string) string {
	var own []string
	for word, english := range t.places {
		switch {
		case t.english && english == name:
			own = append(own, word)
		case !t.english && word == name:
			return english
		}
	}
	if len(own) == 0 {
		return name
	}
	return slices.Min(own)
}
