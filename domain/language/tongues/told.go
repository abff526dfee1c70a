package tongues

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
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
func (t *Tongue) Told(own string) string { return t.each(own, Sentence, false) }

// Class is what a line is.
type Class string

// The classes of lines.
const (
	Sentence Class = "say"
	Label    Class = "label" // on a button
)

func (t *Tongue) each(text string, class Class, english bool) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len(line) > maxToldBytes {
			continue
		}
		tell := teller{all: t.tables().sayings, english: english, known: map[spot][]reading{}}
		for _, r := range tell.class(string(class), line) {
			if r.rest == "" {
				lines[i] = r.told
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

// Bounds of a line that is told.
const (
	maxToldBytes = 2 << 10
	maxReadings  = 20_000
)

// teller fits rows to a line, from English or to it.
type teller struct {
	all     sayings
	english bool // the line is English
	known   map[spot][]reading
	made    int // readings so far
}

// spot is a class at a place in the line.
type spot struct {
	class string
	left  int // bytes behind it
}

// reading is what the beginning of a text is in the other language, and the rest of it.
type reading struct{ told, rest string }

// class are the readings of a class at the beginning of a text, in the order of its rows.
func (t *teller) class(name, text string) []reading {
	at := spot{name, len(text)}
	if known, ok := t.known[at]; ok {
		return known
	}
	var out []reading
	for _, s := range t.all[name] {
		from, to := s.english, s.own
		if !t.english {
			from, to = to, from
		}
		t.row(from, text, nil, func(values []string, rest string) {
			out = append(out, reading{render(from, to, values), rest})
		})
	}
	t.known[at] = out
	return out
}

// render puts values in the place of the names that they were read for.
func render(from, to []piece, values []string) string {
	var out strings.Builder
	for _, p := range to {
		out.WriteString(p.words)
		n := 0
		for _, f := range from {
			if f.name != "" && f.name == p.name {
				out.WriteString(values[n])
			}
			if f.name != "" {
				n++
			}
		}
	}
	return out.String()
}

// row fits the pieces of a row to the beginning of a text, in every way that it can.
func (t *teller) row(pieces []piece, text string, values []string, found func(values []string, rest string)) {
	for len(pieces) > 0 && pieces[0].name == "" {
		rest, ok := strings.CutPrefix(text, pieces[0].words)
		if !ok {
			return
		}
		pieces, text = pieces[1:], rest
	}
	if len(pieces) == 0 {
		found(values, text)
		return
	}
	for _, r := range t.named(pieces, text) {
		if t.made++; t.made > maxReadings {
			return
		}
		t.row(pieces[1:], r.rest, append(slices.Clip(values), r.told), found)
	}
}

// named are the readings of the first piece, which is a name.
func (t *teller) named(pieces []piece, text string) []reading {
	switch p := pieces[0]; p.class {
	case "text":
		return anyWords(pieces[1:], text)
	case "quoted":
		return quotation(text)
	case "n":
		return asIs(text, len(number.FindString(text)))
	case "clock":
		return asIs(text, len(clockFace.FindString(text)))
	default:
		return t.class(p.class, text)
	}
}

var (
	number    = regexp.MustCompile(`^\d+`)
	clockFace = regexp.MustCompile(`^\d\d:\d\d(?::\d\d)?`)
)

// asIs is the only reading of so many bytes, none for none.
func asIs(text string, n int) []reading {
	if n <= 0 {
		return nil
	}
	return []reading{{text[:n], text[n:]}}
}

// quotation reads what stands between quotation marks, with them.
func quotation(text string) []reading {
	if quoted, err := strconv.QuotedPrefix(text); err == nil && text[0] == '"' {
		return asIs(text, len(quoted))
	}
	if end := strings.Index(text, "”"); strings.HasPrefix(text, "“") && end > 0 {
		return asIs(text, end+len("”"))
	}
	return nil
}

// anyWords are as few of the next words as can be, one at least, and then ever more.
func anyWords(behind []piece, text string) []reading {
	var out []reading
	for end := 1; end <= len(text); end++ {
		switch {
		case len(behind) > 0 && behind[0].name == "":
			n := strings.Index(text[end:], behind[0].words)
			if n < 0 {
				return out
			}
			end += n
		case end < len(text) && !strings.ContainsRune(" .,;:?)", rune(text[end])):
			continue
		}
		out = append(out, reading{text[:end], text[end:]})
	}
	return out
}
