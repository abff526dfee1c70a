package domain_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
)

// doubling is a schema of one object for each level, in which each refers to the next twice.
func doubling(levels int, ref string) string {
	var defs strings.Builder
	for i := range levels {
		fmt.Fprintf(&defs, `"a%d":{"allOf":[{%[2]s"#/$defs/a%[3]d"},{%[2]s"#/$defs/a%[3]d"}]},`, i, ref, i+1)
	}
	return fmt.Sprintf(`{"$defs":{%s"a%d":{"type":"string"}},"type":"object","properties":{"q":{"$ref":"#/$defs/a0"}}}`, defs.String(), levels)
}

// A tool is refused whose schema stands for more than there is time for, however few bytes
// it has, and by its name. What goes in a circle is a list or a tree, and common.
func TestSchemasThatStandForTooMuch(t *testing.T) {
	long := func(keyword string, n int) string {
		return `{"type":"object","` + keyword + `":[` + strings.TrimSuffix(strings.Repeat("{},", n), ",") + `]}`
	}
	anchored := strings.NewReplacer(`"a1":{`, `"a1":{"$anchor":"one",`, `#/$defs/a1"`, `#one"`).Replace(doubling(20, `"$ref":`))
	addressed := strings.NewReplacer(`"a1":{`, `"a1":{"$id":"http://x.example/one",`, `#/$defs/a1"`, `http://x.example/one"`).Replace(doubling(20, `"$ref":`))
	for _, c := range []struct {
		schema  string
		bounded bool
	}{
		{``, true},
		{`null`, true},
		{`{`, true},
		{`{"type":"object"}`, true},
		{doubling(10, `"$ref":`), true},
		{doubling(20, `"$ref":`), false},
		{doubling(900, `"$ref":`), false},
		{doubling(20, `"$dynamicRef":`), false},
		{doubling(20, `"\u0024ref":`), false},
		{strings.ReplaceAll(doubling(20, `"$ref":`), "#/$defs/", "#/%24defs/"), false},
		{anchored, false},
		{addressed, false},
		{strings.ReplaceAll(doubling(20, `"$ref":`), "allOf", "anyOf"), false},
		{long("allOf", domain.MaxSchemaNodes-1), true},
		{long("allOf", domain.MaxSchemaNodes), false},
		{`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"items":{"$ref":"#"}}}}`, true},
		{`{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`, true},
		{`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`, true},
		{`{"$ref":"#/$defs/nowhere/0"}`, true},
		{`{"$ref":"https://x.example/s.json#/a"}`, true},
		{`{"properties":{"$ref":{"type":"string"}}}`, true},
	} {
		for what, tool := range map[string]domain.Tool{
			"parameters": {Name: "sketch", Schema: json.RawMessage(c.schema)},
			"answers":    {Name: "sketch", Returns: json.RawMessage(c.schema)},
		} {
			if len(c.schema) > domain.MaxToolTextBytes && what == "answers" {
				continue
			}
			err := domain.CheckTools([]domain.Tool{tool})
			if (err == nil) != c.bounded {
				t.Errorf("%.200s as %s: %v", c.schema, what, err)
			}
			if err != nil && (domain.CodeOf(err) != domain.CodeSchemaTooLarge || !strings.Contains(err.Error(), "sketch") || !strings.Contains(err.Error(), what)) {
				t.Errorf("the error is %v", err)
			}
		}
	}
}

// schemaTool is a tool as a server describes it.
func schemaTool(t *testing.T, schema string) domain.Tool {
	t.Helper()
	params, ok := domain.ParametersOf(json.RawMessage(schema))
	if !ok {
		t.Fatalf("%s is no schema of an object", schema)
	}
	return domain.Tool{Name: "do", Parameters: params, Schema: json.RawMessage(schema)}
}

// What a schema lets a parameter be isn't refused before the schema is asked.
func TestCheckParamsOfSchemas(t *testing.T) {
	for _, row := range []struct {
		property, value string
		fits            bool
	}{
		{`{"type":["integer","null"]}`, `null`, true},
		{`{"type":["integer","null"]}`, `7`, true},
		{`{"type":["integer","null"]}`, `"seven"`, false},
		{`{"type":"integer","nullable":true}`, `null`, true},
		{`{"type":"null"}`, `null`, true},
		{`{"enum":["a",null]}`, `null`, true},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `null`, true},
		{`{"oneOf":[{"type":"string"},{"type":"null"}]}`, `null`, true},
		{`{"$ref":"#/$defs/maybe"}`, `null`, true},
		{`true`, `null`, true},
		{`{}`, `null`, true},
		{`{"type":"integer"}`, `null`, false},
		{`{"type":["integer"]}`, `null`, false},
		{`{"type":"integer"}`, `9007199254740993`, true},
		{`{"type":"integer"}`, `-123456789012345678901234567890`, true},
		{`{"type":"integer"}`, `1.5`, false},
		{`{"type":"integer"}`, `"9007199254740993"`, false},
	} {
		tool := schemaTool(t, `{"type":"object","properties":{"p":`+row.property+`},"required":["p"]}`)
		if err := tool.CheckParams(json.RawMessage(`{"p":` + row.value + `}`)); (err == nil) != row.fits {
			t.Errorf("%s of %s: %v", row.value, row.property, err)
		}
		if err := tool.CheckParams(json.RawMessage(`{}`)); err == nil {
			t.Errorf("%s needn't be there", row.property)
		}
	}
	// An interface that declares no schema may read numbers as floating point.
	plain := domain.Tool{Name: "do", Parameters: []domain.Parameter{{Name: "p", Type: domain.TypeInteger, Required: true}}}
	if plain.CheckParams(json.RawMessage(`{"p":9007199254740993}`)) == nil || plain.CheckParams(json.RawMessage(`{"p":null}`)) == nil {
		t.Error("without a schema an integer is of any size, or null")
	}
}

func TestTakesOthers(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"object"}`:                                                        true,
		`{"type":"object","properties":{}}`:                                        true,
		`{"type":"object","additionalProperties":true}`:                            true,
		`{"type":"object","properties":{"a":{}},"additionalProperties":true}`:      true,
		`{"type":"object","properties":{"a":{}},"additionalProperties":{}}`:        true,
		`{"type":"object","properties":{"a":{}},"patternProperties":{"^x-":{}}}`:   true,
		`{"type":"object","properties":{"a":{}}}`:                                  false, // a slip is more likely
		`{"type":"object","additionalProperties":false}`:                           false,
		`{"type":"object","properties":{"a":{}},"additionalProperties":false}`:     false,
		`{"type":"object","patternProperties":{},"additionalProperties":  false }`: false,
		``: false,
	} {
		if domain.TakesOthers(json.RawMessage(schema)) != want {
			t.Errorf("%s takes others: %v", schema, !want)
		}
	}
}

// Null is none of the values that are said.
func TestValuesOfNullableEnum(t *testing.T) {
	schema := json.RawMessage(`{"properties":{"size":{"enum":["Small","Large",null]}}}`)
	if got := domain.ValuesOf(schema, "size"); !slices.Equal(got, []string{"Small", "Large"}) {
		t.Errorf("the values are %q", got)
	}
	if tool := schemaTool(t, string(schema)); tool.Parameters[0].Type != domain.TypeString {
		t.Errorf("the type is %s", tool.Parameters[0].Type)
	}
}
