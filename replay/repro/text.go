package repro

import (
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
)

// eachWord calls fn with every run of letters of a text.
func eachWord(text string, fn func(word string)) {
	for at := 0; at < len(text); {
		end := wordEnd(text, at)
		if end > at {
			fn(text[at:end])
			at = end
			continue
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
}

// wordEnd is where the word that begins at from ends; from itself when none does.
func wordEnd(text string, from int) int {
	at := from
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size <= 1 || !unicode.IsLetter(r) && !(unicode.IsMark(r) && at > from) {
			return at
		}
		at += size
	}
	return at
}

// ids finds what may be an id or a hash within a text: ULIDs, UUIDs, and sixteen
// hexadecimal digits or more.
var ids = regexp.MustCompile(`\b(?:[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[0-9a-f]{16,})\b`)

// text puts pseudonyms in the place of a text's words. What stands between words,
// numbers, ids and hashes stay.
func (p *Pseudonyms) text(text string) string {
	if text == "" || isZone(text) {
		return text
	}
	var out strings.Builder
	at := 0
	for _, found := range ids.FindAllStringIndex(text, -1) {
		if !isID(text[found[0]:found[1]]) {
			continue
		}
		p.words(&out, text[at:found[0]])
		out.WriteString(text[found[0]:found[1]])
		at = found[1]
	}
	p.words(&out, text[at:])
	return out.String()
}

// isID tells an id or a hash from a long word.
func isID(text string) bool {
	if _, err := domain.ParseID(text); err == nil {
		return true
	}
	return strings.ContainsAny(text, "0123456789")
}

// isZone knows the names of time zones: without them no time is what it was.
func isZone(text string) bool {
	if !strings.Contains(text, "/") || strings.ContainsAny(text, " .:") {
		return false
	}
	_, err := time.LoadLocation(text)
	return err == nil
}

func (p *Pseudonyms) words(out *strings.Builder, text string) {
	from := 0
	for at := 0; at < len(text); {
		end := wordEnd(text, at)
		if end == at {
			_, size := utf8.DecodeRuneInString(text[at:])
			at += size
			continue
		}
		out.WriteString(text[from:at])
		out.WriteString(p.word(text[at:end]))
		at, from = end, end
	}
	out.WriteString(text[from:])
}
