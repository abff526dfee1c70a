package dialogue

import (
	"encoding/json"
	"strings"
	"testing"

	"chalie/domain"
)

// A provider is told a tool's own schema, without what it takes nowhere: a choice of schemas
// at the first level, and names with other letters.
func TestToolSchema(t *testing.T) {
	const declared = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"p":{"enum":["a"]}},"anyOf":[{"required":["x y"]}],
		"properties":{"x y":{"type":"array","items":{"$ref":"#/$defs/p"}},"b":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["x y"],"additionalProperties":true}`
	params, ok := domain.ParametersOf(json.RawMessage(declared))
	if !ok {
		t.Fatal("the schema isn't read")
	}
	rename := func(name string) string { return strings.ReplaceAll(name, " ", "_") }
	for _, c := range []struct {
		declared string
		want     string
	}{
		{declared, `{"$defs":{"p":{"enum":["a"]}},"additionalProperties":true,"properties":{"b":{"anyOf":[{"type":"string"},{"type":"null"}]},"x_y":{"items":{"$ref":"#/$defs/p"},"type":"array"}},"required":["x_y"],"type":"object"}`},
		{"", `{"additionalProperties":false,"properties":{"b":{},"x_y":{"type":"array"}},"required":["x_y"],"type":"object"}`},
	} {
		got, err := json.Marshal(ToolSchema(params, json.RawMessage(c.declared), rename))
		if err != nil || string(got) != c.want {
			t.Errorf("the schema is\n%s, %v, want\n%s", got, err, c.want)
		}
	}
}
