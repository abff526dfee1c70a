package domain

import (
	"bytes"
	"fmt"
)

// MaxNesting is how many objects and arrays deep a JSON value from outside may nest. Far
// more than anybody writes, and far less than what JSON readers give up at: what is
// recorded is answered inside of other values, and has to be readable there, too.
const MaxNesting = 100

// CodeTooNested says that a JSON value nests deeper than MaxNesting.
const CodeTooNested Code = "too_nested"

// Nesting is how many objects and arrays deep a JSON text nests: 0 for a number, 1 for
// {} and [1], 2 for {"a":[]}. Of a text that is not JSON it is a guess, and it never
// takes more than one look at each byte.
func Nesting(text []byte) (deepest int) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// Parts is about how many values and names of members a JSON text is made of, and never
// fewer. Decoded they take far more memory than the text does.
func Parts(text []byte) (parts int) {
	parts = 1
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[', ',', ':':
			parts++
		}
	}
	return parts
}

// WithoutMark is a text without the byte order mark that editors and spreadsheets put in front of
// it. No JSON begins with one, and whoever sends it doesn't see it.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// CheckNesting refuses a JSON value that nests deeper than MaxNesting. field names it, ""
// for all that came; wrapped is how many objects and arrays of a shape of ours stand
// around what is free in it, and don't count.
func CheckNesting(op, field string, text []byte, wrapped int) error {
	if Nesting(text) <= MaxNesting+wrapped {
		return nil
	}
	what := field
	if what == "" {
		what = "what came"
	}
	return &Error{Op: op, Category: Validation, Code: CodeTooNested, Field: field,
		Message: fmt.Sprintf("%s nests more than %d objects and arrays deep, which is the bound: send it flatter, or as a text", what, MaxNesting)}
}
