// Package jsonschema checks what tools answer against what they declare to
// return, as far as that is a JSON Schema.
//
// What an interface declares is data from outside: nothing is loaded for it, not
// from the network and not from files, and what doesn't compile is no schema and
// checks nothing.
package jsonschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"chalie/commands/tool"
)

// maxErrors bounds how many errors of one answer are told.
const maxErrors = 8

// Formats is safe for concurrent use.
type Formats struct{}

var _ tool.Formats = Formats{}

// Check returns where a value isn't what a schema says; checked is false when the
// text is no schema.
func (Formats) Check(schema, value json.RawMessage) (wrong []string, checked bool) {
	if !isSchema(schema) {
		return nil, false
	}
	compiled, err := compile(schema)
	if err != nil {
		return nil, false
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return []string{"it is no JSON"}, true
	}
	err = compiled.Validate(v)
	if failed, ok := errors.AsType[*jsonschema.ValidationError](err); ok {
		return inWords(failed), true
	}
	return nil, true
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

// nowhere is where nothing is loaded from.
type nowhere struct{}

func (nowhere) Load(url string) (any, error) { return nil, fmt.Errorf("%s isn't loaded", url) }

func compile(text json.RawMessage) (schema *jsonschema.Schema, err error) {
	const name = "mem:///returns"
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nowhere{})
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
}

// inWords lists the innermost errors, each with the place in the answer.
func inWords(failed *jsonschema.ValidationError) []string {
	printer := message.NewPrinter(language.English)
	var out []string
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			walk(cause)
		}
		if len(e.Causes) == 0 && len(out) < maxErrors {
			out = append(out, "at /"+strings.Join(e.InstanceLocation, "/")+": "+e.ErrorKind.LocalizedString(printer))
		}
	}
	walk(failed)
	return out
}
