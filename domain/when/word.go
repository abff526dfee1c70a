package when

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is one word of a sentence, without the punctuation around it.
type word struct {
	text       string // in lower case
	start, end int    // of the original, in bytes
	minus      bool   // a number with a minus sign before it
}

// wordsOf splits a sentence. Punctuation inside a word stays: 17:30, 2026-12-01.
func wordsOf(text string) []word {
	var out []word
	for start := 0; start < len(text); {
		r, size := utf8.DecodeRuneInString(text[start:])
		if unicode.IsSpace(r) {
			start += size
			continue
		}
		end := start
		for end < len(text) {
			r, size = utf8.DecodeRuneInString(text[end:])
			if unicode.IsSpace(r) {
				break
			}
			end += size
		}
		from := end - len(strings.TrimLeftFunc(text[start:end], isMark))
		to := start + len(strings.TrimRightFunc(text[start:end], isMark))
		if from < to {
			out = append(out, word{text: strings.ToLower(text[from:to]), start: from, end: to, minus: isMinus(text[start:from], text[from])})
		}
		start = end
	}
	return out
}

// isMinus reports whether what stands before a word makes it a negative number.
func isMinus(marks string, first byte) bool {
	return first >= '0' && first <= '9' && (strings.HasSuffix(marks, "-") || strings.HasSuffix(marks, "−"))
}

func isMark(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

var numberWords = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
	"sixty": 60, "ninety": 90,
}

var ordinalWords = map[string]int{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
}

// number reads digits, at most four of them.
func number(text string) (int, bool) {
	if text == "" || len(text) > 4 || strings.TrimLeft(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// ordinal reads 1st, 2nd, 3rd, 21st, or first to tenth.
func ordinal(text string) (int, bool) {
	if n, ok := ordinalWords[text]; ok {
		return n, true
	}
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		if digits, ok := strings.CutSuffix(text, ending); ok {
			return number(digits)
		}
	}
	return 0, false
}
