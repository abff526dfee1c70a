package narrate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"chalie/domain"
)

// Bounds of values: their number, and characters of each.
const (
	mostValues = 6
	mostText   = 60
)

// Values are the fields of an object as "name value, name value", in its own order, for
// parameters and answers of tools. Nested values are counted. "" for an object without
// fields, for null, and for invalid JSON.
func Values(raw json.RawMessage) string {
	fields, ok := fieldsOf(raw)
	if !ok {
		return ""
	}
	var out []string
	for _, f := range fields[:min(len(fields), mostValues)] {
		out = append(out, domain.ShownText(Spelt(bounded(f.name)))+" "+Value(f.value))
	}
	if more := len(fields) - mostValues; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(out, ", ")
}

// Value is one value: a text, in quotes unless it is one word; yes or no; or the size of
// a nested value.
func Value(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '"':
		var text string
		if json.Unmarshal(raw, &text) == nil {
			return plain(text)
		}
	case '{':
		if fields, ok := fieldsOf(raw); ok {
			return counted(len(fields), "field", "fields")
		}
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil {
			return counted(len(list), "entry", "entries")
		}
	}
	switch text := string(raw); text {
	case "true":
		return "yes"
	case "false":
		return "no"
	case "null":
		return "nothing"
	default:
		return bounded(text)
	}
}

// Answer is a whole value, such as a tool's answer: the fields of an object, or else the
// value. "" for nothing.
func Answer(raw json.RawMessage) string {
	switch text := string(bytes.TrimSpace(raw)); text {
	case "", "null", "{}", "[]", `""`:
		return ""
	}
	if values := Values(raw); values != "" {
		return values
	}
	return Value(raw)
}

// Summary is the text of a proposal. One of an older build has its parameters as JSON after it,
// which may be cut off.
func Summary(text string) string {
	const with = " with {"
	at := strings.Index(text, with)
	if at < 0 {
		return text
	}
	what, params := text[:at], text[at+len(with)-1:]
	if values := Values(json.RawMessage(params)); values != "" {
		return what + " with " + values
	}
	return what + " with more values than fit here"
}

type field struct {
	name  string
	value json.RawMessage
}

// fieldsOf are an object's fields in their order.
func fieldsOf(raw json.RawMessage) ([]field, bool) {
	if !json.Valid(raw) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	var out []field
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, false
		}
		out = append(out, field{fmt.Sprint(name), value})
	}
	return out, true
}

// plain is a text within a list.
func plain(text string) string {
	short := bounded(domain.ShownText(strings.Join(strings.Fields(text), " ")))
	if short == "" || strings.ContainsAny(short, ` ,;"“”`) {
		return `"` + short + `"`
	}
	return short
}

func bounded(text string) string {
	if utf8.RuneCountInString(text) <= mostText {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:mostText-1]), " ") + "…"
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
