package draw

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// wide is how many columns a character takes.
func wide(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

func columnsOf(text string) int {
	n := 0
	for _, r := range text {
		n += wide(r)
	}
	return n
}

// cut shortens a text to a number of columns, and marks the cut. Of zero-width characters
// at most four times as many are kept.
func cut(text string, most int) string {
	used, count := 0, 0
	for i, r := range text {
		used += wide(r)
		if count++; used > most || count > 4*most {
			return strings.TrimRight(dropLast(text[:i]), " ") + "…"
		}
	}
	return text
}

func dropLast(text string) string {
	_, size := utf8.DecodeLastRuneInString(text)
	return text[:len(text)-size]
}

// wrap breaks a text into lines between words, and cuts what is more than mostLines.
func wrap(text string) []string {
	var lines []string
	line := ""
	words := strings.Fields(text)
	for i, word := range words {
		joined := strings.TrimSpace(line + " " + word)
		if columnsOf(joined) <= columns && len(joined) <= 8*columns {
			line = joined
			continue
		}
		if len(lines) == mostLines-1 {
			return append(lines, cut(strings.Join(append([]string{line}, words[i:]...), " "), columns))
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = word
		if columnsOf(line) > columns || len(line) > 8*columns {
			line = cut(line, columns)
		}
	}
	return append(lines, line)
}
