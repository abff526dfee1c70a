// Package reading reads JSON from outside, over HTTP, sockets and streams, into plain
// structs, mostly those of the contract.
//
// The input is one value in UTF-8 that nests no deeper than the bound. Names are
// case-sensitive; unknown ones are ignored, the last of two equal ones counts, and null
// counts as absent. A value of a wrong type is refused with its name and the type that
// came. What the values must be is checked elsewhere: of a signal and of the person's
// context in domain.
//
// A field of a struct is a string, a bool, a number, a whole number (required when it is an
// int), a struct, a list of texts or structs, an object of texts or of raw JSON, raw JSON,
// or a pointer to one of them; Reads tells whether all of a struct's are. The tags most and
// object are those of package api.
package reading

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"chalie/domain"
)

const op = "read JSON"

// Value is one JSON value as it was received.
type Value struct {
	what string // in errors
	is   gjson.Result
}

// Parse checks that a text is one JSON value and nothing else. what names it in errors;
// wrapping is how many objects and arrays of a known shape enclose the free part of it.
// text is not retained.
func Parse(text []byte, what string, wrapping int) (Value, error) {
	text = domain.WithoutMark(text)
	// First, because everything else recurses into the value.
	if err := domain.CheckNesting(op, "", text, wrapping); err != nil {
		return Value{}, err
	}
	whole := string(text) // its strings share this memory
	switch {
	case strings.TrimLeft(whole, " \t\r\n") == "":
		return Value{}, domain.Invalid(op, "", what+" is empty: send JSON")
	case !utf8.ValidString(whole):
		return Value{}, domain.Invalid(op, "", what+" is not UTF-8: encode it so")
	case !gjson.Valid(whole):
		return Value{}, domain.Invalid(op, "", what+" is not JSON: "+syntaxFault(text))
	}
	return Value{what, gjson.Parse(whole)}, nil
}

// syntaxFault describes why a text is not JSON, and where.
func syntaxFault(text []byte) string {
	var whole json.RawMessage
	if e, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(text, &whole)); ok {
		return fmt.Sprintf("%s at byte %d", e.Error(), e.Offset)
	}
	return "it ends early"
}

// Into reads an object into the struct that shape points to, field by field until one has
// a wrong type. what names the value in an error; "" for the name given to Parse.
func (v Value) Into(what string, shape any) error {
	if what != "" {
		v.what = what
	}
	return v.fill("", shape)
}

// Elements returns the first values of an array, at most that many, and how many it has.
func (v Value) Elements(most int) (kept []Value, count int, err error) {
	if !v.is.IsArray() {
		return nil, 0, v.wrongType("", "an array")
	}
	v.is.ForEach(func(_, e gjson.Result) bool {
		if count++; count <= most {
			kept = append(kept, Value{fmt.Sprintf("%s[%d]", v.what, count-1), e})
		}
		return true
	})
	return kept, count, nil
}

// members calls each with every member of an object.
func (v Value) members(each func(name string, member gjson.Result)) error {
	if !v.is.IsObject() {
		return v.wrongType("", "an object")
	}
	v.is.ForEach(func(name, member gjson.Result) bool {
		each(textOf(name), member)
		return true
	})
	return nil
}

// given reports whether a member is there and isn't null.
func (v Value) given() bool { return v.is.Type != gjson.Null }

// text is a string; "" when absent.
func (v Value) text() (string, error) {
	switch {
	case !v.given():
		return "", nil
	case v.is.Type != gjson.String:
		return "", v.wrongType(v.what, "a string")
	}
	return textOf(v.is), nil
}

// textOrObject is a string, or the text of an object without spaces.
func (v Value) textOrObject() (string, error) {
	if !v.is.IsObject() {
		return v.text()
	}
	var out bytes.Buffer
	// It was found valid, so this can't fail.
	_ = json.Compact(&out, []byte(v.is.Raw))
	return out.String(), nil
}

// textOf is the text of a string. One that may contain half a surrogate pair is read by
// the standard library, which keeps the text after it.
func textOf(v gjson.Result) string {
	if len(v.Str)+2 == len(v.Raw) || !strings.Contains(v.Raw, `\u`) {
		return v.Str
	}
	var text string
	// It was found valid, so this can't fail.
	_ = json.Unmarshal([]byte(v.Raw), &text)
	return text
}

// boolean is a boolean, false when absent.
func (v Value) boolean() (bool, error) {
	if v.given() && !v.is.IsBool() {
		return false, v.wrongType(v.what, "a boolean")
	}
	return v.is.Type == gjson.True, nil
}

// number is a number, which is required.
func (v Value) number() (float64, error) {
	switch {
	case v.is.Type != gjson.Number:
		return 0, v.wrongType(v.what, "a number")
	case math.IsInf(v.is.Num, 0):
		return 0, domain.Invalid(op, v.what, fmt.Sprintf("%s is the number %.40s, which is too large", v.what, v.is.Raw))
	}
	return v.is.Num, nil
}

// maxInteger is the largest whole number that every program reads alike, by RFC 8259.
const maxInteger = 1<<53 - 1

// integer is an integer, which is required.
func (v Value) integer() (int64, error) {
	if !v.given() {
		return 0, domain.Invalid(op, v.what, v.what+" is required: give a whole number")
	}
	f, err := v.number()
	if err != nil {
		return 0, err
	}
	if f != math.Trunc(f) || math.Abs(f) > maxInteger {
		return 0, domain.Invalid(op, v.what, fmt.Sprintf("%s is %.40s: give a whole number", v.what, v.is.Raw))
	}
	return int64(f), nil
}

// textMap is an object of at most that many strings.
func (v Value) textMap(most int) (map[string]string, error) {
	out := map[string]string{}
	var wrong error
	err := v.members(func(name string, member gjson.Result) {
		text, err := Value{v.what + "." + clip(name), member}.text()
		out[name] = text
		switch {
		case wrong != nil:
		case err != nil:
			wrong = err
		case len(out) > most:
			wrong = domain.Invalid(op, v.what, fmt.Sprintf("%s has more than %d keys, which is the bound: send fewer", v.what, most))
		}
	})
	if err == nil {
		err = wrong
	}
	return out, err
}

// list is the elements of an array of at most that many.
func (v Value) list(most int) ([]Value, error) {
	elements, count, err := v.Elements(most)
	if err == nil && count > most {
		err = domain.Invalid(op, v.what, fmt.Sprintf("%s has %d elements, the bound is %d: send fewer", v.what, count, most))
	}
	return elements, err
}

// texts is an array of at most that many strings.
func (v Value) texts(most int) ([]string, error) {
	elements, err := v.list(most)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(elements))
	for i, e := range elements {
		if e.is.Type != gjson.String {
			return nil, e.wrongType(v.what, "a string")
		}
		out[i] = textOf(e.is)
	}
	return out, nil
}

// object is an object's raw JSON.
func (v Value) object() (json.RawMessage, error) {
	if !v.is.IsObject() {
		return nil, v.wrongType(v.what, "an object")
	}
	text := json.RawMessage(v.is.Raw)
	return text, domain.CheckNesting(op, v.what, text, 0)
}

func (v Value) wrongType(field, want string) error {
	return domain.Invalid(op, field, fmt.Sprintf("%s must be %s; what came is %s", v.what, want, v.kind()))
}

// kind names the value's type for an error.
func (v Value) kind() string {
	switch {
	case v.is.IsObject():
		return "an object"
	case v.is.IsArray():
		return "an array"
	case v.is.IsBool():
		return "a boolean"
	case v.is.Type == gjson.Number:
		return "a number"
	case v.is.Type == gjson.String:
		return "a string"
	}
	return "null"
}

// clip shortens a name to what an error can hold.
func clip(name string) string {
	const most = 64
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}
