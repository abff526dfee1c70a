// Package jsonschema checks what tools take and answer against what they declare, as far as
// that is a JSON Schema, of draft 4 to 2020-12.
//
// What an interface declares is data from outside: nothing is loaded for it, not
// from the network and not from files, and what doesn't compile is no schema and
// checks nothing. A schema of a thousand bytes can ask for more work than there is time, so
// each check counts its steps and ends at a bound, or when its context does. It runs in the
// goroutine of its caller and keeps nothing.
package jsonschema

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
)

// maxErrors bounds how many errors of one answer are told.
const maxErrors = 8

// within bounds the time of one check, should the machine be so slow that its steps take
// longer.
const within = 5 * time.Second

// errTooMuch ends a check at its bound.
var errTooMuch = &domain.Error{
	Op: "check by a schema", Category: domain.Validation, Code: domain.CodeSchemaTooLarge,
	Message: "it takes more than a million steps, which is the bound: the schema has to be simpler, or the value smaller",
}

// Formats is safe for concurrent use.
type Formats struct{}

var _ tool.Formats = Formats{}

// Check returns where a value isn't what a schema says; checked is false when the
// text is no schema. The error says that it takes too much work, or is the context's.
func (Formats) Check(ctx context.Context, schema, value json.RawMessage) (wrong []tool.Misfit, checked bool, err error) {
	if !isSchema(schema) {
		return nil, false, nil
	}
	root, tracks, err := compile(schema)
	switch {
	case errors.Is(err, errNoSchema):
		return nil, false, nil
	case err != nil:
		return nil, true, err
	}
	v, err := parse(value)
	if err != nil {
		return []tool.Misfit{{Words: "it is no JSON", Plain: "it can't be read: it is no JSON"}}, true, nil
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	c := &checking{ctx: ctx, tracks: tracks, active: map[visit]bool{}}
	defer func() {
		switch end := recover().(type) {
		case nil:
		case stopped:
			wrong, checked, err = nil, true, end.err
		default:
			panic(end)
		}
	}()
	return inWords(c.apply(root, v, &place{}, false).wrong), true, nil
}

// isSchema reports whether an object means to be a schema: anything that is an
// object compiles, and would be checked in vain.
func isSchema(text json.RawMessage) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return false
	}
	return slices.ContainsFunc([]string{"$schema", "type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "enum", "const"}, func(keyword string) bool {
		_, ok := members[keyword]
		return ok
	})
}

// parse reads a text with its numbers as they are written.
func parse(text json.RawMessage) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one value")
	}
	return value, nil
}
