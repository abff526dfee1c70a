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
	"io"
	"slices"
	"strings"

	"github.com/kaptinlin/jsonschema"

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
	compiled, ok := compile(schema)
	if !ok {
		return nil, false
	}
	// Only what the schema's own reader takes is JSON here: of a name that stands twice
	// it isn't sure which is meant.
	v, err := parse(value)
	if err != nil {
		return []string{"it is no JSON"}, true
	}
	return inWords(compiled.Validate(v), v), true
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

// compile is false for what is no schema.
func compile(text json.RawMessage) (*jsonschema.Schema, bool) {
	c := jsonschema.NewCompiler()
	clear(c.Loaders)
	if !isValid(c, text) {
		return nil, false
	}
	schema, err := c.Compile(text)
	if err != nil || len(schema.UnresolvedReferenceURIs()) > 0 {
		return nil, false
	}
	constAsEnum(schema)
	return schema, true
}

// constAsEnum makes of each constant an enumeration of one, which is the same and has
// errors that name the value.
func constAsEnum(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.Const != nil && s.Const.IsSet && len(s.Enum) == 0 {
		s.Enum, s.Const = []any{s.Const.Value}, nil
	}
	for _, one := range []*jsonschema.Schema{s.Not, s.If, s.Then, s.Else, s.Items, s.Contains, s.AdditionalProperties,
		s.PropertyNames, s.UnevaluatedItems, s.UnevaluatedProperties} {
		constAsEnum(one)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		for _, one := range list {
			constAsEnum(one)
		}
	}
	for _, named := range []map[string]*jsonschema.Schema{s.Defs, s.DependentSchemas, of(s.Properties), of(s.PatternProperties)} {
		for _, one := range named {
			constAsEnum(one)
		}
	}
}

func of(named *jsonschema.SchemaMap) map[string]*jsonschema.Schema {
	if named == nil {
		return nil
	}
	return *named
}

// isValid reports whether a schema's own keywords have the values that they may have. The
// library knows that of the drafts through 7, which the later ones agree with in all that
// can be wrong here.
func isValid(c *jsonschema.Compiler, text json.RawMessage) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return false
	}
	var draft string
	if named := members["$schema"]; named != nil && json.Unmarshal(named, &draft) != nil {
		return false
	}
	switch strings.TrimSuffix(draft, "#") {
	case "", string(jsonschema.Draft201909), string(jsonschema.Draft202012):
		delete(members, "$schema")
		text, _ = json.Marshal(members) // they were read a moment ago
		c.SetDefaultDialect(jsonschema.Draft7)
		defer c.SetDefaultDialect(jsonschema.Draft202012)
	}
	valid, err := c.ValidateSchema(text)
	return err == nil && valid.Valid
}
