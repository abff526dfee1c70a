package domain_test

import (
	"encoding/json"
	"fmt"
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
