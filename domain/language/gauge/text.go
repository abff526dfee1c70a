package gauge

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is read.
const (
	maxFigures = 3       // of one thing, where it has several values
	maxText    = 4 << 10 // bytes of one text
	maxNamed   = 32      // things of one text
)

// Reading is what a text says of something.
type Reading struct {
	Name    string   // as it was written; of Of the name that was asked for
	Figures []Figure // its own value alone, or else up to three that have labels; none where there are none
	State   string   // in words, where there are no figures
}

// ends says what stands behind a word.
type ends int

const (
	goesOn   ends = iota
	part          // a comma, a bracket
	sentence      // a stop, a semicolon, the end of a line
)

// word is a run of a text without spaces, without what stands around it.
type word struct {
	text, lower string
	from, to    int
	end         ends
	colon       bool // a colon follows
	leads       bool // an arrow follows: what stands before it was so

	number   bool // it is a number
	figure   Figure
	sign     string
	takes    int // how many words behind it belong to its unit
	noLetter bool
}

// wordsOf splits a text.
func wordsOf(text string) []word {
	if len(text) > maxText {
		cut := maxText
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	var out []word
	for from := 0; from < len(text); {
		r, size := utf8.DecodeRuneInString(text[from:])
		if unicode.IsSpace(r) {
			if r == '\n' && len(out) > 0 {
				out[len(out)-1].end = sentence
			}
			from += size
			continue
		}
		to := from
		for to < len(text) {
			r, size := utf8.DecodeRuneInString(text[to:])
			if unicode.IsSpace(r) {
				break
			}
			to += size
		}
		out = split(out, text, from, to)
		from = to
	}
	for i := range out {
		out[i].lower = strings.ToLower(strings.ReplaceAll(out[i].text, "’", "'"))
		out[i].noLetter = !strings.ContainsFunc(out[i].text, unicode.IsLetter)
	}
	for i := range out {
		// A stop behind an abbreviation ends nothing.
		if next := i + 1; out[i].end == sentence && next < len(out) && strings.HasPrefix(text[out[i].to:], ".") && !strings.Contains(text[out[i].to:out[next].from], "\n") {
			if r, _ := utf8.DecodeRuneInString(out[next].text); unicode.IsLower(r) {
				out[i].end = goesOn
			}
		}
	}
	for i := range out {
		out[i].read(out[i+1:], text)
	}
	return out
}

// split adds the words of a run without spaces.
func split(out []word, text string, from, to int) []word {
	for from < to && strings.ContainsRune(`("'“‘[{<*_`, firstRune(text[from:to])) {
		if firstRune(text[from:to]) == '(' && len(out) > 0 && out[len(out)-1].end == goesOn {
			out[len(out)-1].end = part
		}
		from += utf8.RuneLen(firstRune(text[from:to]))
	}
	w := word{}
	for from < to {
		r, size := utf8.DecodeLastRuneInString(text[from:to])
		if !strings.ContainsRune(`)"'”’]}>,;:!?.*_`, r) {
			break
		}
		switch r {
		case '.', ';', '!', '?':
			w.end = sentence
		case ',', ')':
			w.end = max(w.end, part)
		case ':':
			w.colon = true
		}
		to -= size
	}
	if from >= to {
		if len(out) > 0 {
			out[len(out)-1].end, out[len(out)-1].colon = max(out[len(out)-1].end, w.end), out[len(out)-1].colon || w.colon
		}
		return out
	}
	start := from
	for i, r := range text[from:to] {
		at := from + i
		if at <= start || at+utf8.RuneLen(r) >= to || !parts(text[start:at], r, text[at+utf8.RuneLen(r):to]) {
			continue
		}
		out = append(out, word{text: text[start:at], from: start, to: at, colon: r != '/', leads: r == '→'})
		start = at + utf8.RuneLen(r)
	}
	w.text, w.from, w.to = text[start:to], start, to
	return append(out, w)
}

// parts reports whether a sign within a run of text parts it: "price=231", "AAPL:231", "3/share".
func parts(before string, r rune, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	switch r {
	case '=', '|', '@', '→':
		return true
	case ':':
		return !unicode.IsDigit(last)
	case '/':
		return unicode.IsDigit(last) && unicode.IsLetter(firstRune(after)) && units[strings.ToLower(string(last)+"/"+after)] == ""
	}
	return false
}

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

// read reads the word as a number, with the unit in those that follow.
func (w *word) read(next []word, text string) {
	at := w.text
	if w.end == goesOn && !w.colon && len(next) > 0 && currencies[w.lower] != "" { // "USD 231", "$ 231"
		if f, sign, ok := figure(next[0].text); ok && f.Unit == "" && sign == "" {
			f.Unit = currencies[w.lower]
			f.Text = text[w.from:next[0].to]
			w.number, w.figure, w.takes = true, f, 1
			return
		}
	}
	w.figure, w.sign, w.number = figure(at)
	if !w.number {
		return
	}
	last := w
	for i := 0; i < len(next) && i < 2 && last.end == goesOn; i++ {
		unit := next[i].lower
		if !w.figure.behind(unit) {
			break
		}
		last = &next[i]
		w.takes = i + 1
	}
	w.figure.Text = text[w.from:last.to]
}

// Words that don't tell what a figure measures.
var fillers = setOf("is are was were be been being at now to of the a an its it's it currently about around roughly nearly almost only just still today tonight " +
	"has have had shows showing reads reading says reports reported stands standing trades trading traded closing opening closed closes close opened opens open ended ends last latest new current " +
	"price quote value rate and with for on in by this morning afternoon evening up down per cent trade share shares stock stocks hit hits reached reaches level levels " +
	"rose rises fell falls climbed climbs dropped drops gained lost jumped slipped mostly as approx approximately ca our my your")

// Words before a figure that say that it is by how much something changed.
var changing = setOf("up down gained gains lost loses rose rises fell falls climbed climbs dropped drops jumped slipped added adds plus minus increased decreased rising falling change changed delta surged plunged")

// Words between those and the figure.
var soMuch = setOf("by about around roughly another over nearly almost some a")

// Words behind a figure that say so.
var more = setOf("higher lower more less up down above below over under")

// Words before a figure that is no value of now, or no value at all.
var notNow = setOf("from previously before versus vs target forecast than against since expected yesterday until every within last past next after opened above below under over beyond between")

// Words before a whole number that is an id.
var idWords = setOf("id no nr order ticket ref reference invoice case code account room gate flight track line platform version step page year tracking parcel package isbn serial")

// Words before a figure of time that say when instead of how much.
var whenWords = setOf("in within for every after before last past next over")

var months = setOf("january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec")

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// role is what a number in a text is.
type role int

const (
	noValue role = iota
	aValue
	aChange
)

// roleOf says what the number at a word is.
func roleOf(words []word, i int) role {
	w := words[i]
	before := func(n int) string {
		if i-n < 0 || words[i-n].end == sentence {
			return ""
		}
		return words[i-n].lower
	}
	behind := ""
	if next := i + w.takes + 1; next < len(words) && words[next-1].end == goesOn {
		behind = words[next].lower
	}
	whole := w.figure.places == 0
	switch {
	case w.figure.Unit == "" && (months[before(1)] || months[behind] || behind == "am" || behind == "pm" || behind == "a.m" || behind == "p.m" || behind == "o'clock"):
		return noValue
	case w.figure.Unit == "" && whole && isYear(w.text) && (before(1) == "in" || before(1) == "of" || months[before(2)]):
		return noValue
	case spans[w.figure.Unit] && (whenWords[before(1)] || behind == "ago" || behind == "later"):
		return noValue
	case w.leads || behind == "→" || behind == "->", before(1) == "between" || before(1) == "and" && before(3) == "between":
		return noValue
	case before(1) == "#" || strings.HasPrefix(w.text, "0") && len(w.text) > 1 && onlyDigits.MatchString(w.text):
		return noValue
	case w.figure.Unit == "" && whole && idWords[before(1)], notNow[before(1)], notNow[before(2)] && soMuch[before(1)]:
		return noValue
	case changing[before(1)], changing[before(2)] && soMuch[before(1)]:
		return aChange
	case w.figure.Unit == "%" && (w.sign != "" || more[behind]), strings.ContainsAny(w.sign, "+±"):
		return aChange
	}
	return aValue
}

func isYear(text string) bool {
	return len(text) == 4 && (strings.HasPrefix(text, "19") || strings.HasPrefix(text, "20")) && onlyDigits.MatchString(text)
}

// stretch is a part of a text's words.
type stretch struct {
	words    []word
	from, to int
}

// figures are the values in a stretch, each with its label. It ends where another thing begins.
func (s stretch) figures(isName func(int) bool) []Figure {
	var out []Figure
	var label []string
	for i := s.from; i < s.to; i++ {
		w := s.words[i]
		if w.number {
			end := i + w.takes
			if role := roleOf(s.words, i); role == aValue {
				f := w.figure
				f.Label = labelOf(label)
				if !slices.ContainsFunc(out, func(o Figure) bool { return o.Label == f.Label }) {
					out = append(out, f)
				}
			}
			label, i = nil, end
			continue
		}
		if len(out) > 0 && (w.colon && !numberAt(s.words, i+1) || startsUpper(w.text) && !isName(i) && !w.noLetter) {
			break
		}
		if !isName(i) && !w.noLetter && !fillers[w.lower] && !changing[w.lower] && !strings.ContainsFunc(w.text, unicode.IsDigit) {
			label = append(label, w.lower)
		}
		if w.end != goesOn {
			label = nil
		}
	}
	return mainOf(out)
}

func numberAt(words []word, i int) bool { return i < len(words) && words[i].number }

func startsUpper(text string) bool { return unicode.IsUpper(firstRune(text)) }

// labelOf is what a figure measures, by the last two words before it.
func labelOf(words []string) string {
	return strings.Join(words[max(0, len(words)-2):], " ")
}

// mainOf is the thing's own value alone, where there is one.
func mainOf(all []Figure) []Figure {
	if i := slices.IndexFunc(all, func(f Figure) bool { return f.Label == "" }); i >= 0 {
		return all[i : i+1]
	}
	return all[:min(len(all), maxFigures)]
}
