package domain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// ToolHints are what a tool is said to be by the server that offers it, in the words of the
// Model Context Protocol. They are foreign words: what isn't said is null, and nothing is
// allowed by what is.
type ToolHints struct {
	ReadOnly    *bool `json:"read_only,omitempty"`
	Destructive *bool `json:"destructive,omitempty"`
	Idempotent  *bool `json:"idempotent,omitempty"`
	OpenWorld   *bool `json:"open_world,omitempty"`
}

// InWords is what is said, for people; "" for nothing.
func (h *ToolHints) InWords() string {
	if h == nil {
		return ""
	}
	var said []string
	for _, of := range []struct {
		hint    *bool
		yes, no string
	}{
		{h.ReadOnly, "only looks", "may change something"},
		{h.Destructive, "may destroy something", "destroys nothing"},
		{h.OpenWorld, "reaches beyond this machine", "stays on what is its own"},
	} {
		if of.hint != nil {
			said = append(said, map[bool]string{true: of.yes, false: of.no}[*of.hint])
		}
	}
	return strings.Join(said, ", ")
}

// schemaObject is what of a JSON Schema its first level is read by.
type schemaObject struct {
	Type        json.RawMessage            `json:"type"`
	Title       string                     `json:"title"`
	Description string                     `json:"description"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Required    []string                   `json:"required"`
	Enum        []json.RawMessage          `json:"enum"`
	Const       json.RawMessage            `json:"const"`
	Items       json.RawMessage            `json:"items"`
	Format      json.RawMessage            `json:"format"`
	Nullable    bool                       `json:"nullable"`

	Additional json.RawMessage            `json:"additionalProperties"`
	Patterns   map[string]json.RawMessage `json:"patternProperties"`
}

// ParametersOf is the first level of a JSON Schema of params: required ones first, by name.
// ok is false when the text is no schema of an object. What it says beyond that is only
// in the schema.
func ParametersOf(schema json.RawMessage) (params []Parameter, ok bool) {
	top, isObject := readSchema(schema)
	if !isObject {
		return nil, false
	}
	if of := typeOf(top); of != TypeObject && of != TypeAny {
		return nil, false
	}
	params = []Parameter{}
	for name, raw := range top.Properties {
		property, _ := readSchema(raw) // true, false and what can't be read take anything
		params = append(params, Parameter{
			Name: name, Type: typeOf(property), Required: slices.Contains(top.Required, name),
			Description: cmp.Or(property.Description, property.Title),
		})
	}
	slices.SortFunc(params, func(a, b Parameter) int {
		if a.Required != b.Required {
			return map[bool]int{true: -1, false: 1}[a.Required]
		}
		return cmp.Compare(a.Name, b.Name)
	})
	return params, true
}

func readSchema(text json.RawMessage) (s schemaObject, ok bool) {
	ok = bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) && json.Unmarshal(text, &s) == nil
	return s, ok
}

// typeOf is the one type of a schema beside null; TypeAny without one.
func typeOf(s schemaObject) ParameterType {
	var one string
	var several []string
	if json.Unmarshal(orNull(s.Type), &several) == nil {
		several = slices.DeleteFunc(several, func(t string) bool { return t == "null" })
		if len(several) == 1 {
			one = several[0]
		}
	} else {
		_ = json.Unmarshal(s.Type, &one) // then none is said
	}
	switch t := ParameterType(one); t {
	case TypeString, TypeNumber, TypeInteger, TypeBoolean, TypeObject, TypeArray:
		return t
	}
	values := slices.DeleteFunc(slices.Clone(s.Enum), isNull)
	if one == "" && len(values) > 0 && len(textsOf(values)) == len(values) {
		return TypeString
	}
	return TypeAny
}

// TakesNull reports whether a schema may let a parameter be null. Where the parameter's own
// types don't say, the schema as a whole decides.
func TakesNull(schema json.RawMessage, name string) bool {
	top, ok := readSchema(schema)
	raw, declared := top.Properties[name]
	if !ok || !declared {
		return false
	}
	property, ok := readSchema(raw)
	var several []string
	_ = json.Unmarshal(orNull(property.Type), &several) // one type is no list
	return !ok || property.Nullable || typeOf(property) == TypeAny || slices.Contains(several, "null") || slices.ContainsFunc(property.Enum, isNull)
}

// TakesOthers reports whether a tool takes parameters that it doesn't name: its schema says
// so, or is that of an object of which it says nothing.
func TakesOthers(schema json.RawMessage) bool {
	top, ok := readSchema(schema)
	if !ok {
		return false
	}
	more := string(bytes.TrimSpace(top.Additional))
	return more != "false" && (more != "" || len(top.Properties) == 0 || len(top.Patterns) > 0)
}

// ValuesOf are the texts that a parameter of a schema takes and no others; none when it
// takes any. Of an array they are those of its items.
func ValuesOf(schema json.RawMessage, name string) []string {
	property := propertyOf(schema, name)
	if typeOf(property) == TypeArray {
		property, _ = readSchema(property.Items)
	}
	if len(property.Enum) == 0 && len(property.Const) > 0 {
		property.Enum = []json.RawMessage{property.Const}
	}
	return textsOf(property.Enum)
}

// ItemsOf is the type of what a parameter of a schema holds that is an array.
func ItemsOf(schema json.RawMessage, name string) ParameterType {
	items, _ := readSchema(propertyOf(schema, name).Items)
	return typeOf(items)
}

// FormatOf is the format of a parameter of a schema, such as date-time; "" for none.
func FormatOf(schema json.RawMessage, name string) (format string) {
	if json.Unmarshal(orNull(propertyOf(schema, name).Format), &format) != nil {
		return "" // it is no text, and says nothing
	}
	return format
}

func propertyOf(schema json.RawMessage, name string) schemaObject {
	top, _ := readSchema(schema)
	property, _ := readSchema(top.Properties[name])
	return property
}

// textsOf are the texts among values.
func textsOf(values []json.RawMessage) (texts []string) {
	for _, v := range values {
		var text string
		if !isNull(v) && json.Unmarshal(v, &text) == nil {
			texts = append(texts, text)
		}
	}
	return texts
}

// WithoutNulls are params without the optional ones that are null: to a tool these are
// absent, and a schema would want them to be of their type.
func (t Tool) WithoutNulls(params json.RawMessage) (json.RawMessage, error) {
	given, err := paramsOf(params)
	if err != nil {
		return nil, err
	}
	for _, p := range t.Parameters {
		if !p.Required && bytes.Equal(bytes.TrimSpace(given[p.Name]), []byte("null")) {
			delete(given, p.Name)
		}
	}
	return marshal(given)
}

// MaxSchemaNodes bounds a schema whose references are written out: an object of it counts
// once for each way that leads to it. A few hundred bytes of references to references can
// stand for more than any machine can go through.
const MaxSchemaNodes = 10_000

// CodeSchemaTooLarge says that a schema asks for more work than there is.
const CodeSchemaTooLarge Code = "schema_too_large"

// schemaIsBounded reports whether a schema has at most MaxSchemaNodes. A reference back to
// where it stands counts as one, and what is no JSON has none.
func schemaIsBounded(schema json.RawMessage) bool {
	var root any
	if len(schema) == 0 || json.Unmarshal(schema, &root) != nil {
		return true
	}
	c := schemaCount{root: root, anchors: map[string]any{}, sizes: map[uintptr]int{}}
	c.collect(root)
	return c.of(root) <= MaxSchemaNodes
}

// schemaCount counts the objects of a document along its references.
type schemaCount struct {
	root    any
	anchors map[string]any  // by name, and by address
	sizes   map[uintptr]int // of each object; 0 while it is counted
}

func (c *schemaCount) collect(part any) {
	switch v := part.(type) {
	case []any:
		for _, item := range v {
			c.collect(item)
		}
	case map[string]any:
		for _, keyword := range []string{"$anchor", "$dynamicAnchor", "$id", "id"} {
			if name, ok := v[keyword].(string); ok {
				c.anchors[strings.TrimPrefix(name, "#")] = v
			}
		}
		for _, item := range v {
			c.collect(item)
		}
	}
}

// of stops counting beyond the bound, and counts an object once however many ways lead to it.
func (c *schemaCount) of(part any) (size int) {
	switch v := part.(type) {
	case []any:
		for _, item := range v {
			if size += c.of(item); size > MaxSchemaNodes {
				break
			}
		}
	case map[string]any:
		is := reflect.ValueOf(v).Pointer()
		if known, counted := c.sizes[is]; counted {
			return max(known, 1)
		}
		c.sizes[is], size = 0, 1
		for name, item := range v {
			if name == "$defs" || name == "definitions" {
				continue // counts where something refers to it
			}
			if size += c.of(item); size > MaxSchemaNodes {
				break
			}
		}
		for _, keyword := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if ref, ok := v[keyword].(string); ok {
				size += c.of(c.meant(ref))
			}
		}
		size = min(size, MaxSchemaNodes+1)
		c.sizes[is] = size
	}
	return size
}

// meant is what a reference refers to within the document; nil for anything else.
func (c *schemaCount) meant(ref string) any {
	address, fragment, _ := strings.Cut(ref, "#")
	part := c.root
	if address != "" {
		part = c.anchors[address]
	}
	if !strings.HasPrefix(fragment, "/") {
		if named, ok := c.anchors[fragment]; ok && fragment != "" {
			return named
		}
		return part
	}
	for token := range strings.SplitSeq(plainFragment(fragment)[1:], "/") {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		switch v := part.(type) {
		case map[string]any:
			part = v[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			part = v[i]
		default:
			return nil
		}
	}
	return part
}

// plainFragment is the fragment of an address with its %24 and such written out.
func plainFragment(fragment string) string {
	var out strings.Builder
	for i := 0; i < len(fragment); i++ {
		if fragment[i] == '%' && i+2 < len(fragment) {
			if b, err := strconv.ParseUint(fragment[i+1:i+3], 16, 8); err == nil {
				out.WriteByte(byte(b))
				i += 2
				continue
			}
		}
		out.WriteByte(fragment[i])
	}
	return out.String()
}
