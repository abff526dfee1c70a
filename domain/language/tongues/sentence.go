package tongues

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations end in a stop that ends no sentence.
const abbreviations = " mr mrs ms dr prof st no vs etc e.g i.e z.b d.h bzw ca usw str напр ім вул м р ст "

// Sentences splits a text where a voice would rest: behind . ! ? … and their like in other
// scripts, and at a line's end. What is left of an abbreviation, a number or an initial is no
// end. A part without a letter or a number belongs to the one before. Joined with spaces they
// are the text.
func Sentences(text string) []string {
	var out sentences
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		from := 0
		for at, r := range line {
			end := at + utf8.RuneLen(r)
			if !strings.ContainsRune(".!?…。！？", r) || !endsSentence(line[from:at], r, line[end:]) {
				continue
			}
			out.add(line[from:end])
			from = end
		}
		out.add(line[from:])
	}
	out.join()
	return out.all
}

// endsSentence reports whether a mark ends what stands before it.
func endsSentence(before string, mark rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case strings.ContainsRune("。！？", mark):
		return true
	case after != "" && !unicode.IsSpace(next):
		return false // 3.5, e.g., "Stop!" and so on
	case mark != '.':
		return true
	}
	before = strings.TrimRightFunc(before, unicode.IsSpace)
	if before == "" {
		return false
	}
	at := strings.LastIndexFunc(before, unicode.IsSpace)
	last := strings.ToLower(strings.TrimLeft(strings.TrimSpace(before[max(at, 0):]), "(\"'„“«"))
	rest := strings.TrimLeftFunc(after, unicode.IsSpace)
	if rest == "" {
		return true
	}
	first, _ := utf8.DecodeRuneInString(rest)
	initial := utf8.RuneCountInString(last) == 1 && unicode.IsLetter(first) && last != "i"
	return !strings.Contains(abbreviations, " "+last+" ") && !initial && !unicode.IsLower(first)
}

// sentences are collected with what belongs to the last one, which is joined to it at once: a
// text may be nothing but marks.
type sentences struct {
	all   []string
	marks []string
}

func (s *sentences) add(text string) {
	text = strings.Join(strings.Fields(text), " ")
	spoken := strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
	switch {
	case text == "":
	case !spoken && len(s.all) > 0:
		s.marks = append(s.marks, text)
	default:
		s.join()
		s.all = append(s.all, text)
	}
}

func (s *sentences) join() {
	if len(s.marks) > 0 {
		s.all[len(s.all)-1] += " " + strings.Join(s.marks, " ")
		s.marks = nil
	}
}
