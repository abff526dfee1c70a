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

// ShownParams are parameters in words, for whoever decides on a call with them: all of them, by name, so
// that no text is taken for more than one. Texts stand in quotation marks and read as they are, however
// their sender wrote them, but for what shows nothing or turns writing around, which is escaped as in
// ShownText. What is nested stands in parentheses. "" for an object without members.
func ShownParams(raw json.RawMessage) string {
	if raw = bytes.TrimSpace(raw); !json.Valid(raw) || raw[0] != '{' {
		return ShownParam(raw)
	}
	w := paramsWriter{from: json.NewDecoder(bytes.NewReader(raw))}
	w.from.UseNumber()
	if w.next(); w.from.More() {
		w.members()
	}
	return w.out.String()
}

// ShownParam is the value of a parameter, as in ShownParams. What is no JSON is shown as a text.
func ShownParam(raw json.RawMessage) string {
	if !json.Valid(raw) {
		return ShownText(string(raw))
	}
	w := paramsWriter{from: json.NewDecoder(bytes.NewReader(raw))}
	w.from.UseNumber()
	w.value(w.next())
	return w.out.String()
}

// paramsWriter writes what is valid JSON in words.
type paramsWriter struct {
	from *json.Decoder
	out  strings.Builder
}

// next is the next token; nil at the end, which isn't reached.
func (w *paramsWriter) next() json.Token {
	token, err := w.from.Token()
	if err != nil {
		return nil
	}
	return token
}

// members are those of an object that has begun, and its end.
func (w *paramsWriter) members() {
	for first := true; w.from.More(); first = false {
		if !first {
			w.out.WriteString(", ")
		}
		name, _ := w.next().(string)
		if name != "" && !strings.ContainsFunc(name, isNoNameSign) {
			w.out.WriteString(name)
		} else {
			w.text(name)
		}
		w.out.WriteString(": ")
		w.value(w.next())
	}
	w.next()
}

// elements are those of a list that has begun, and its end.
func (w *paramsWriter) elements() {
	for first := true; w.from.More(); first = false {
		if !first {
			w.out.WriteString(" and ")
		}
		token := w.next()
		if token != json.Delim('[') {
			w.value(token)
			continue
		}
		w.out.WriteByte('(')
		w.value(token)
		w.out.WriteByte(')')
	}
	w.next()
}

func (w *paramsWriter) value(token json.Token) {
	switch token := token.(type) {
	case json.Delim:
		switch {
		case !w.from.More():
			w.next()
			w.out.WriteString("nothing")
		case token == '[':
			w.elements()
		default:
			w.out.WriteByte('(')
			w.members()
			w.out.WriteByte(')')
		}
	case string:
		w.text(token)
	case json.Number:
		w.out.WriteString(token.String())
	case bool:
		w.out.WriteString(map[bool]string{true: "yes", false: "no"}[token])
	default:
		w.out.WriteString("nothing")
	}
}

func (w *paramsWriter) text(text string) {
	w.out.WriteByte('"')
	w.out.WriteString(ShownText(quoteMarks.Replace(text)))
	w.out.WriteByte('"')
}

// isNoNameSign reports whether a sign isn't one of those that plain names have.
func isNoNameSign(r rune) bool {
	return r != '_' && r != '-' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
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
