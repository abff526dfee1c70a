package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"chalie/domain"
)

// value is one JSON value as it came: what it is, and its text.
type value struct {
	kind kind
	raw  []byte
}

// kind is what a JSON value is. Absent is a member that did not come.
type kind string

const (
	absent    kind = ""
	isNull    kind = "null"
	isBoolean kind = "a boolean"
	isNumber  kind = "a number"
	isString  kind = "a string"
	isArray   kind = "an array"
	isObject  kind = "an object"
)

// parseJSON checks that the body is one JSON value and nothing else.
func parseJSON(body []byte) (value, error) {
	const op = "read body"
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return value{}, domain.Invalid(op, "", "the body is empty: send JSON")
	case !utf8.Valid(body):
		return value{}, domain.Invalid(op, "", "the body is not UTF-8: encode it so")
	}
	if err := domain.CheckNesting(op, "", body, wrapping); err != nil {
		return value{}, err
	}
	if !json.Valid(body) {
		return value{}, domain.Invalid(op, "", "the body is not JSON: "+syntaxFault(body))
	}
	v, _ := next(body)
	return v, nil
}

// wrapping is how many objects and arrays stand around the free values of a body at
// most: what an approval grants, {"approved_scopes":{"context":{"…": …}}}.
const wrapping = 3

// syntaxFault is what is wrong with text that is not JSON, and where.
func syntaxFault(body []byte) string {
	var whole json.RawMessage
	err := json.Unmarshal(body, &whole)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Sprintf("%s at byte %d", e.Error(), e.Offset)
	}
	return "it ends early"
}

// next splits valid JSON text after its first value.
func next(text []byte) (value, []byte) {
	text = skipSpace(text)
	end := 0
	switch text[0] {
	case '"':
		end = stringEnd(text)
		return value{isString, text[:end]}, text[end:]
	case '{', '[':
		end = nestedEnd(text)
		if text[0] == '{' {
			return value{isObject, text[:end]}, text[end:]
		}
		return value{isArray, text[:end]}, text[end:]
	}
	for end < len(text) && strings.IndexByte(" \t\r\n,]}", text[end]) < 0 {
		end++
	}
	switch text[0] {
	case 'n':
		return value{isNull, text[:end]}, text[end:]
	case 't', 'f':
		return value{isBoolean, text[:end]}, text[end:]
	}
	return value{isNumber, text[:end]}, text[end:]
}

func skipSpace(text []byte) []byte {
	i := 0
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n') {
		i++
	}
	return text[i:]
}

// stringEnd is the length of the string that text begins with.
func stringEnd(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// nestedEnd is the length of the object or array that text begins with. It
// counts instead of recursing, so that depth costs nothing.
func nestedEnd(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += stringEnd(text[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// members walks an object.
type members struct{ rest []byte }

// members fails when the value is no object. what names it in the error.
func (v value) members(what string) (members, error) {
	if v.kind != isObject {
		return members{}, wrongType("", what, isObject, v.kind)
	}
	return members{v.raw[1:]}, nil
}

// next returns the next member; false after the last.
func (m *members) next() (name string, v value, ok bool) {
	m.rest = skipSpace(m.rest)
	if m.rest[0] == ',' {
		m.rest = skipSpace(m.rest[1:])
	}
	if m.rest[0] == '}' {
		return "", value{}, false
	}
	key, rest := next(m.rest)
	v, m.rest = next(skipSpace(rest)[1:])
	return key.unquote(), v, true
}

// fields fills in the members that are asked for by name, the last of equal ones,
// and fails when the value is no object. what names it in the error.
func (v value) fields(what string, into map[string]*value) error {
	m, err := v.members(what)
	if err != nil {
		return err
	}
	for name, v, ok := m.next(); ok; name, v, ok = m.next() {
		if field := into[name]; field != nil {
			*field = v
		}
	}
	return nil
}

// elements returns the values of an array, at most so many of them, and how many
// there are; it fails when the value is no array.
func (v value) elements(what string, most int) (kept []value, count int, err error) {
	if v.kind != isArray {
		return nil, 0, wrongType("", what, isArray, v.kind)
	}
	rest := skipSpace(v.raw[1:])
	for rest[0] != ']' {
		var e value
		e, rest = next(rest)
		if count++; count <= most {
			kept = append(kept, e)
		}
		if rest = skipSpace(rest); rest[0] == ',' {
			rest = skipSpace(rest[1:])
		}
	}
	return kept, count, nil
}

// unquote is the text of a string.
func (v value) unquote() string {
	if bytes.IndexByte(v.raw, '\\') < 0 {
		return string(v.raw[1 : len(v.raw)-1])
	}
	var s string
	// It was found valid, so this can't fail.
	_ = json.Unmarshal(v.raw, &s)
	return s
}

// given reports whether the member came with a value.
func (v value) given() bool { return v.kind != absent && v.kind != isNull }

// text is a string member, "" when it didn't come.
func (v value) text(field string) (string, error) {
	if !v.given() {
		return "", nil
	}
	if v.kind != isString {
		return "", wrongType(field, field, isString, v.kind)
	}
	return v.unquote(), nil
}

// yes is a boolean member, false when it didn't come.
func (v value) yes(field string) (bool, error) {
	if v.given() && v.kind != isBoolean {
		return false, wrongType(field, field, isBoolean, v.kind)
	}
	return string(v.raw) == "true", nil
}

// number is a number member, or the default when it didn't come.
func (v value) number(field string, otherwise float64) (float64, error) {
	if !v.given() {
		return otherwise, nil
	}
	if v.kind != isNumber {
		return 0, wrongType(field, field, isNumber, v.kind)
	}
	f, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil {
		return 0, domain.Invalid("read body", field, fmt.Sprintf("%s is the number %.40s, which is too large", field, v.raw))
	}
	return f, nil
}

// textOrObject is a string member, or the compact text of an object.
func (v value) textOrObject(field string) (string, error) {
	if v.kind != isObject {
		return v.text(field)
	}
	var out bytes.Buffer
	// It was found valid, so this can't fail.
	_ = json.Compact(&out, v.raw)
	return out.String(), nil
}

// whole is a number member without a fraction; it must come.
func (v value) whole(field string) (int, error) {
	if !v.given() {
		return 0, domain.Invalid("read body", field, field+" is required: give a whole number")
	}
	f, err := v.number(field, 0)
	if err != nil {
		return 0, err
	}
	if f != math.Trunc(f) || math.Abs(f) > 1<<31 {
		return 0, domain.Invalid("read body", field, fmt.Sprintf("%s is %.40s: give a whole number", field, v.raw))
	}
	return int(f), nil
}

// textMap is a member that is an object of strings, at most so many, nil when it
// didn't come.
func (v value) textMap(field string, most int) (map[string]string, error) {
	if !v.given() {
		return nil, nil
	}
	m, err := v.members(field)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for name, v, ok := m.next(); ok; name, v, ok = m.next() {
		if out[name], err = v.text(field + "." + clip(name)); err != nil {
			return nil, err
		}
		if len(out) > most {
			return nil, domain.Invalid("read body", field, fmt.Sprintf("%s has more than %d keys, which is the bound", field, most))
		}
	}
	return out, nil
}

// texts is a member that is an array of at most so many strings, nil when it
// didn't come.
func (v value) texts(field string, most int) ([]string, error) {
	if !v.given() {
		return nil, nil
	}
	if v.kind != isArray {
		return nil, wrongType(field, field, isArray, v.kind)
	}
	elements, count, err := v.elements(field, most)
	if err != nil {
		return nil, err
	}
	if count > most {
		return nil, domain.Invalid("read body", field, fmt.Sprintf("%s has %d elements, the bound is %d", field, count, most))
	}
	out := make([]string, 0, len(elements))
	for i, e := range elements {
		if e.kind != isString {
			return nil, wrongType(field, fmt.Sprintf("%s[%d]", field, i), isString, e.kind)
		}
		out = append(out, e.unquote())
	}
	return out, nil
}

// object is a member that is an object, as it came; nil when it didn't.
func (v value) object(field string) (json.RawMessage, error) {
	if !v.given() {
		return nil, nil
	}
	if v.kind != isObject {
		return nil, wrongType(field, field, isObject, v.kind)
	}
	if err := domain.CheckNesting("read body", field, v.raw, 0); err != nil {
		return nil, err
	}
	return json.RawMessage(v.raw), nil
}

func wrongType(field, what string, want, got kind) error {
	return domain.Invalid("read body", field, fmt.Sprintf("%s must be %s; what came is %s", what, want, got))
}
