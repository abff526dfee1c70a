package jsonschema_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	other "github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"chalie/adapters/jsonschema"
)

// Whatever a schema says, the verdict is that of another library. That one isn't in the
// program: it can't be stopped, and has work to do before main.
func TestVerdicts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schema, value := written(t, map[string]any{"allOf": []any{schemas(t, 3)}}), written(t, values(t, 3))
		document, err := other.UnmarshalJSON(bytes.NewReader(schema))
		if err != nil {
			t.Fatal(err)
		}
		c := other.NewCompiler()
		c.DefaultDraft(other.Draft2020)
		if err := c.AddResource("x:/s", document); err != nil {
			t.Fatal(err)
		}
		theirs, err := c.Compile("x:/s")
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		instance, err := other.UnmarshalJSON(bytes.NewReader(value))
		if err != nil {
			t.Fatal(err)
		}
		wrong, checked, err := (jsonschema.Formats{}).Check(t.Context(), schema, value)
		if fails := theirs.Validate(instance); !checked || err != nil || (fails == nil) != (len(wrong) == 0) {
			t.Errorf("%s against %s: %q, %t, %v, and by the other library %v", value, schema, wrong, checked, err, fails)
		}
	})
}

func written(t *rapid.T, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func names() *rapid.Generator[string] { return rapid.SampledFrom([]string{"a", "b", "ab", ""}) }

func values(t *rapid.T, deep int) any {
	kind := rapid.IntRange(0, 6).Draw(t, "value")
	switch {
	case kind == 0:
		return json.Number(rapid.SampledFrom([]string{"0", "1", "2", "1.0", "1.5", "-0", "1e2", "1E-2"}).Draw(t, "number"))
	case kind == 1:
		return names().Draw(t, "text")
	case kind == 2:
		return nil
	case kind == 3 || deep == 0:
		return rapid.Bool().Draw(t, "bool")
	case kind == 4:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, values(t, deep-1))
		}
		return list
	}
	object := map[string]any{}
	for range rapid.IntRange(0, 3).Draw(t, "members") {
		object[names().Draw(t, "name")] = values(t, deep-1)
	}
	return object
}

// schemas are of all keywords, at most deep within each other.
func schemas(t *rapid.T, deep int) any {
	if rapid.IntRange(0, 11).Draw(t, "always") == 0 {
		return rapid.Bool().Draw(t, "which")
	}
	part := func() any { return schemas(t, deep-1) }
	plain := map[string]func() any{
		"type": func() any {
			return rapid.SampledFrom([]any{"object", "array", "string", "integer", "number", "null", []string{"object", "array"}}).Draw(t, "type")
		},
		"enum":             func() any { return []any{values(t, 1), "other"} },
		"const":            func() any { return values(t, 2) },
		"minimum":          func() any { return 1 },
		"exclusiveMaximum": func() any { return 2 },
		"multipleOf":       func() any { return json.Number("0.5") },
		"minLength":        func() any { return 1 },
		"maxLength":        func() any { return 1 },
		"pattern":          func() any { return "^a" },
		"format": func() any {
			return rapid.SampledFrom([]string{"date-time", "email", "uuid", "ipv4", "uri", "x"}).Draw(t, "format")
		},
		"minItems":          func() any { return 1 },
		"maxItems":          func() any { return 2 },
		"uniqueItems":       func() any { return true },
		"required":          func() any { return []string{"a"} },
		"minProperties":     func() any { return 1 },
		"maxProperties":     func() any { return 1 },
		"dependentRequired": func() any { return map[string][]string{"a": {"b"}} },
	}
	nested := map[string]func() any{
		"allOf": func() any { return []any{part(), part()} }, "anyOf": func() any { return []any{part(), part()} }, "oneOf": func() any { return []any{part(), part()} },
		"not": part, "if": part, "then": part, "else": part, "items": part, "contains": part, "minContains": func() any { return 2 }, "maxContains": func() any { return 1 },
		"prefixItems": func() any { return []any{part()} }, "properties": func() any { return map[string]any{"a": part(), "b": part()} },
		"patternProperties": func() any { return map[string]any{"^a": part()} }, "additionalProperties": part, "propertyNames": part,
		"dependentSchemas": func() any { return map[string]any{"a": part()} }, "unevaluatedProperties": part, "unevaluatedItems": part,
	}
	out := map[string]any{"type": []string{"object", "array", "string", "number", "boolean", "null"}}
	for range rapid.IntRange(1, 3).Draw(t, "keywords") {
		from := plain
		if deep > 0 && rapid.Bool().Draw(t, "nested") {
			from = nested
		}
		keyword := rapid.SampledFrom(slices.Sorted(maps.Keys(from))).Draw(t, "keyword")
		out[keyword] = from[keyword]()
	}
	return out
}
