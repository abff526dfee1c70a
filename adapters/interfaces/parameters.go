package interfaces

import (
	"bytes"
	"encoding/json"
	"slices"

	"chalie/domain"
)

// readParameters reads what a tool takes: the list of its parameters, and the JSON Schema
// of all of them where that says more. The schema is the tool's own, or is made of the
// keywords of JSON Schema that its parameters carry beside their type.
func (f fields) readParameters(t *domain.Tool) error {
	listed, err := f.array("parameters")
	if err != nil {
		return err
	}
	whole := schemaOf{Type: domain.TypeObject, Properties: map[string]json.RawMessage{}, Required: []string{}}
	says := false
	for n, e := range listed {
		p, schema, more, err := readParameter(element(f.path+"parameters", n), e)
		if err != nil {
			return err
		}
		t.Parameters = append(t.Parameters, p)
		says = says || more
		if whole.Properties[p.Name] = schema; p.Required {
			whole.Required = append(whole.Required, p.Name)
		}
	}
	if f.has("schema") {
		return f.readSchema(t)
	}
	if says {
		if t.Schema, err = json.Marshal(whole); err != nil {
			return err
		}
	}
	return nil
}

// schemaOf is a JSON Schema of params.
type schemaOf struct {
	Type       domain.ParameterType       `json:"type"`
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
	Additional bool                       `json:"additionalProperties"`
}

// readSchema reads the tool's own schema. Its first level is the list of parameters,
// whatever was listed.
func (f fields) readSchema(t *domain.Tool) error {
	params, ok := domain.ParametersOf(f.members["schema"])
	if !ok {
		wrong := &shapeError{field: f.path + "schema", want: "a JSON Schema of an object"}
		if got := kindOf(f.members["schema"]); got != "an object" {
			wrong.got = got
		}
		return wrong
	}
	t.Parameters, t.Schema = params, compact(f.members["schema"])
	return nil
}

// readParameter reads one parameter, and what of it is a JSON Schema. more is true when
// that says something beside a type and a description.
func readParameter(path string, text json.RawMessage) (p domain.Parameter, schema json.RawMessage, more bool, err error) {
	f, err := object(path, text)
	if err != nil {
		return p, nil, false, err
	}
	var of string
	if f.has("type") && json.Unmarshal(f.members["type"], &of) != nil {
		return p, nil, false, &shapeError{field: f.path + "type", want: "one of " + domain.ParameterTypes(), got: kindOf(f.members["type"])}
	}
	if err := f.texts(map[string]*string{"name": &p.Name, "description": &p.Description}); err != nil {
		return domain.Parameter{}, nil, false, err
	}
	p.Type = domain.ParameterType(of)
	if f.has("required") && json.Unmarshal(f.members["required"], &p.Required) != nil {
		return domain.Parameter{}, nil, false, &shapeError{field: f.path + "required", want: "true or false", got: kindOf(f.members["required"])}
	}
	schema, more, err = f.propertySchema(p)
	return p, schema, more, err
}

// propertySchema is a parameter as a property of a JSON Schema. Names of its own that an
// interface gave it beside the contract's are left out.
func (f fields) propertySchema(p domain.Parameter) (schema json.RawMessage, more bool, err error) {
	members := map[string]json.RawMessage{}
	for _, name := range keywords() {
		if value, ok := f.members[name]; ok {
			members[name] = value
		}
	}
	// An array without a word on its items is in need of no more than its type.
	more = len(members) > 0
	if p.Type != domain.TypeAny && p.Type != "" {
		if members["type"], err = json.Marshal(p.Type); err != nil {
			return nil, false, err
		}
	}
	if p.Description != "" {
		if members["description"], err = json.Marshal(p.Description); err != nil {
			return nil, false, err
		}
	}
	if schema, err = json.Marshal(members); err != nil {
		return nil, false, err
	}
	var out bytes.Buffer
	err = json.Compact(&out, schema)
	return slices.Clip(out.Bytes()), more, err
}

// keywords are those of JSON Schema that a parameter may carry. required isn't one of
// them, since the contract has a boolean of that name: what a nested object requires is in
// a tool's own schema.
func keywords() []string {
	return []string{
		"enum", "const", "default", "examples", "format", "pattern", "minLength", "maxLength",
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
		"items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems",
		"properties", "patternProperties", "additionalProperties", "propertyNames", "minProperties", "maxProperties",
		"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "title",
	}
}
