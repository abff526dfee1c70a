package openapi

import (
	"encoding"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"strconv"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
)

// schemas are the shapes that were met, by name.
type schemas map[string]object

// of is the schema of a zero value.
func (s schemas) of(shape any) (object, error) {
	if several, ok := shape.(api.AnyOf); ok {
		return s.anyOf(several)
	}
	if shape == nil {
		return object{}, nil
	}
	return s.typ(reflect.TypeOf(shape))
}

func (s schemas) anyOf(shapes api.AnyOf) (object, error) {
	var all []object
	for _, shape := range shapes {
		schema, err := s.of(shape)
		if err != nil {
			return nil, err
		}
		if parts, nested := schema["anyOf"].([]object); nested && len(schema) == 1 {
			all = append(all, parts...)
			continue
		}
		all = append(all, schema)
	}
	if len(all) == 1 {
		return all[0], nil
	}
	return object{"anyOf": all}, nil
}

// shaped is what writes its own JSON, and tells what it is made of.
type shaped interface{ JSONShapes() []any }

// known are types that aren't written as reflection would guess.
func known(t reflect.Type) object {
	switch reflect.Zero(t).Interface().(type) {
	case json.RawMessage:
		return object{}
	case []byte:
		return object{"type": "string", "contentEncoding": "base64"}
	case api.UUID:
		return object{"type": "string", "format": "uuid"}
	case domain.ID, domain.TraceID:
		return object{"type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"}
	case api.Timestamp:
		return object{"type": "string", "format": "date-time"}
	}
	return nil
}

// typ is the schema of a type: a reference where the type has a name and fields.
func (s schemas) typ(t reflect.Type) (object, error) {
	if schema := known(t); schema != nil {
		return schema, nil
	}
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string"}, nil
	case reflect.Bool:
		return object{"type": "boolean"}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return object{"type": "integer"}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer", "minimum": 0}, nil
	case reflect.Float64:
		return object{"type": "number"}, nil
	case reflect.Interface:
		return object{}, nil
	case reflect.Slice:
		of, err := s.typ(t.Elem())
		return object{"type": "array", "items": of}, err
	case reflect.Map:
		of, err := s.typ(t.Elem())
		return object{"type": "object", "additionalProperties": of}, err
	case reflect.Pointer:
		of, err := s.typ(t.Elem())
		return nullable(of), err
	case reflect.Struct:
		return s.named(t)
	}
	return nil, fmt.Errorf("%s can't be drawn", t)
}

// named is a reference to a struct, which is drawn once.
func (s schemas) named(t reflect.Type) (object, error) {
	name := t.Name()
	if in := path.Base(t.PkgPath()); in != "api" {
		name = in + "." + name
	}
	ref := object{"$ref": "#/components/schemas/" + name}
	if t.Name() == "" {
		return nil, fmt.Errorf("a struct in a shape has no name: %s", t)
	}
	if s[name] != nil {
		return ref, nil
	}
	if _, writes := reflect.TypeAssert[encoding.TextMarshaler](reflect.Zero(t)); writes {
		return nil, fmt.Errorf("%s writes itself as text: say in known what that is", t)
	}
	out := object{"type": "object"}
	s[name] = out // before its fields, one of which may be like it
	fields := fields{s: s, properties: object{}}
	if err := fields.add(t, false); err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	out["properties"] = fields.properties
	if len(fields.required) > 0 {
		out["required"] = fields.required
	}
	return ref, nil
}

// fields are those of one object.
type fields struct {
	s          schemas
	properties object
	required   []string
}

// add takes in the fields of a type; optional when they may all be missing.
func (f *fields) add(t reflect.Type, optional bool) error {
	if made, ok := reflect.TypeAssert[shaped](reflect.Zero(t)); ok {
		for _, part := range made.JSONShapes() {
			if err := f.add(reflect.TypeOf(part), optional); err != nil {
				return err
			}
		}
		return nil
	}
	if _, writes := reflect.TypeAssert[json.Marshaler](reflect.Zero(t)); writes {
		return fmt.Errorf("%s writes its own JSON: give it JSONShapes", t)
	}
	for field := range t.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-", !field.IsExported() && !field.Anonymous:
			continue
		case field.Anonymous && field.Type.Kind() == reflect.Pointer:
			if err := f.add(field.Type.Elem(), true); err != nil {
				return err
			}
			continue
		case field.Anonymous:
			if err := f.add(field.Type, optional); err != nil {
				return err
			}
			continue
		case name == "":
			return fmt.Errorf("%s has no name in JSON", field.Name)
		}
		missing := strings.Contains(options, "omit")
		schema, err := f.s.field(field, missing)
		if err != nil {
			return err
		}
		f.properties[name] = schema
		if !missing && !optional {
			f.required = append(f.required, name)
		}
	}
	return nil
}

// field is the schema of a field. A pointer that is left out when there is nothing is
// never null in an answer, and may be in a request.
func (s schemas) field(field reflect.StructField, missing bool) (object, error) {
	t := field.Type
	if missing && t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		t = t.Elem()
	}
	schema, err := s.typ(t)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", field.Name, err)
	}
	if values, ok := field.Tag.Lookup("enum"); ok {
		schema["enum"] = enum(strings.Split(values, "|"), t)
	}
	if field.Tag.Get("object") != "" {
		schema = object{"type": []string{"object", "null"}}
	}
	if pattern, ok := schema["pattern"].(string); ok && field.Tag.Get("empty") != "" {
		schema["pattern"] = "^$|" + pattern
	}
	if field.Tag.Get("nullable") != "" {
		schema = nullable(schema)
	}
	if text := field.Tag.Get("doc"); text != "" {
		schema["description"] = text
	}
	if format := field.Tag.Get("format"); format != "" {
		schema["format"] = format
	}
	if most, err := strconv.Atoi(field.Tag.Get("most")); err == nil {
		bound := map[reflect.Kind]string{reflect.Slice: "maxItems", reflect.Map: "maxProperties"}[t.Kind()]
		schema[bound] = most
	}
	return schema, nil
}

func enum(values []string, t reflect.Type) (out []any) {
	for _, v := range values {
		if t.Kind() == reflect.Bool {
			out = append(out, v == "true")
			continue
		}
		out = append(out, v)
	}
	if t.Kind() == reflect.Pointer {
		out = append(out, nil)
	}
	return out
}

// nullable is a schema that null passes, too.
func nullable(schema object) object {
	switch of := schema["type"].(type) {
	case string:
		schema["type"] = []string{of, "null"}
		return schema
	case nil:
		if len(schema) == 0 {
			return schema
		}
		return object{"anyOf": []object{schema, {"type": "null"}}}
	}
	return schema
}
