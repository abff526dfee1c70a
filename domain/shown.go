package domain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Shown is JSON as its reader is to see it before they decide on it: its texts as they read, however
// their sender wrote them. It stays JSON of the same value. What shows nothing or turns writing
// around is escaped, as in ShownText. What is no JSON is shown as a text.
func Shown(raw json.RawMessage) string {
	if !json.Valid(raw) {
		return ShownText(string(raw))
	}
	var out strings.Builder
	for len(raw) > 0 {
		at := bytes.IndexByte(raw, '"')
		if at < 0 {
			break
		}
		out.Write(raw[:at])
		end := at + endOfText(raw[at:])
		var text string
		if json.Unmarshal(raw[at:end], &text) != nil {
			return ShownText(string(raw)) // it was valid, so this can't be
		}
		out.WriteByte('"')
		out.WriteString(ShownText(quoteMarks.Replace(text)))
		out.WriteByte('"')
		raw = raw[end:]
	}
	out.Write(raw)
	return out.String()
}

// quoteMarks escapes what would end a text of JSON.
var quoteMarks = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// endOfText is the length of the text that JSON begins with, quotation marks included.
func endOfText(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// ShownText is a text as its reader is to see it before they decide on it: with its control
// characters, those that turn writing around, and those that show nothing, written out as JSON
// escapes them. Those of no width that words and emoji need stay.
func ShownText(text string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if !strings.ContainsFunc(text, isUnseen) {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		switch high, low := utf16.EncodeRune(r); {
		case !isUnseen(r):
			out.WriteRune(r)
		case r == '\n':
			out.WriteString(`\n`)
		case r == '\t':
			out.WriteString(`\t`)
		case high != unicode.ReplacementChar:
			fmt.Fprintf(&out, `\u%04X\u%04X`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04X`, r)
		}
	}
	return out.String()
}

func isUnseen(r rune) bool {
	const nonJoiner, joiner = '\u200C', '\u200D'
	switch {
	case r == nonJoiner, r == joiner, unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point)
}
