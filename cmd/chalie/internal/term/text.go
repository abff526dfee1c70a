package term

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// Columns is how many columns a terminal gives a text.
func Columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Cut shortens a text to a number of columns, and says that it did.
func Cut(s string, columns int) string {
	if Columns(s) <= columns {
		return s
	}
	used := 0
	for i, r := range s {
		if used+columnsOf(r) > columns-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		used += columnsOf(r)
	}
	return s
}

// Wrap breaks a line between words; a word that is too long stays whole.
func Wrap(line string, columns int) []string {
	var out []string
	var current strings.Builder
	used := 0
	for word := range strings.FieldsSeq(line) {
		if used > 0 && used+1+Columns(word) > columns {
			out = append(out, current.String())
			current.Reset()
			used = 0
		}
		if used > 0 {
			current.WriteByte(' ')
			used++
		}
		current.WriteString(word)
		used += Columns(word)
	}
	return append(out, current.String())
}
