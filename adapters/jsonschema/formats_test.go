package jsonschema_test

import (
	"strings"
	"testing"

	"chalie/adapters/jsonschema"
	"chalie/commands/tool"
)

func TestCheck(t *testing.T) {
	const appointment = `{"type":"object","required":["at"],"properties":{"at":{"type":"string"},"room":{"type":"integer"}}}`
	for _, c := range []struct {
		schema, value string
		checked       bool
		wrong         []string
	}{
		{appointment, `{"at":"15:00","room":3}`, true, nil},
		{appointment, `{"room":3}`, true, []string{"at /: ", "'at'"}},
		{appointment, `{"at":15,"room":"three"}`, true, []string{"at /at: ", "at /room: "}},
		{appointment, `null`, true, []string{"at /: "}},
		{appointment, `{`, true, []string{"no JSON"}},
		{`{"$ref":"http://127.0.0.1:1/x.json","type":"object"}`, `{}`, false, nil},
		{`{"$ref":"file:///etc/passwd","type":"object"}`, `{}`, false, nil},
		{`{"type":"appointment"}`, `{}`, false, nil},
		{`{"text":"what was cancelled"}`, `{}`, false, nil},
		{`"a text"`, `{}`, false, nil},
		{`null`, `{}`, false, nil},
		{``, `{}`, false, nil},
	} {
		wrong, checked, _ := jsonschema.Formats{}.Check(t.Context(), []byte(c.schema), []byte(c.value))
		said := tool.Misfits(wrong).Words()
		if checked != c.checked || (len(wrong) == 0) != (len(c.wrong) == 0) {
			t.Errorf("%s against %s: %q, checked %t", c.value, c.schema, said, checked)
		}
		for _, part := range c.wrong {
			if !strings.Contains(said, part) {
				t.Errorf("%s against %s: %q doesn't say %q", c.value, c.schema, said, part)
			}
		}
	}
}

// A format refuses nothing, in any draft and of whatever is checked: tools take and answer much
// that isn't quite of it, such as a time without its zone. The pattern beside it does, in its words.
func TestFormatIsANote(t *testing.T) {
	check := func(schema, value string) []tool.Misfit {
		t.Helper()
		wrong, checked, err := jsonschema.Formats{}.Check(t.Context(), []byte(schema), []byte(value))
		if err != nil || !checked {
			t.Errorf("%s against %s: checked %t, %v", value, schema, checked, err)
		}
		return wrong
	}
	for _, draft := range []string{"", `"$schema":"http://json-schema.org/draft-04/schema#",`, `"$schema":"http://json-schema.org/draft-06/schema#",`,
		`"$schema":"http://json-schema.org/draft-07/schema#",`, `"$schema":"https://json-schema.org/draft/2019-09/schema",`, `"$schema":"https://json-schema.org/draft/2020-12/schema",`} {
		for _, format := range []string{"date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri", "uri-reference",
			"iri", "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer", "regex", "of our own", ""} {
			schema := `{` + draft + `"type":"object","properties":{"of":{"type":"string","format":"` + format + `"}},"required":["of"]}`
			for _, value := range []string{`{"of":"2026-03-01T08:30:00"}`, `{"of":"ida (at) example.org"}`, `{"of":""}`, `{"of":"\\ [%"}`} {
				if wrong := check(schema, value); len(wrong) > 0 {
					t.Errorf("%s against %s: %q", value, schema, wrong)
				}
			}
			if wrong := check(schema, `{"of":5}`); len(wrong) != 1 {
				t.Errorf("a number against %s: %q", schema, wrong)
			}
		}
	}
	wrong := check(`{"type":"object","properties":{"to":{"type":"string","format":"email","pattern":"^[^@ ]+@[^@ ]+$"}}}`, `{"to":"ida"}`)
	if len(wrong) != 1 || !strings.Contains(wrong[0].Plain, "an e-mail address") {
		t.Errorf("a pattern beside a format: %q", wrong)
	}
}

// The words are recorded, and a replay checks again: those of old records have to come out
// as they were, and any in the same order each time.
func TestWordsOfErrors(t *testing.T) {
	const order = `{"type":"object","required":["at","for"],"additionalProperties":false,
		"properties":{"at":{"type":"string","pattern":"^[0-9]"},"for":{"type":["null","integer"],"minimum":1},"of":{"enum":["tea","coffee"]},
		"kind":{"const":"drink"},"sizes":{"type":"array","maxItems":1,"uniqueItems":true,"items":{"$ref":"#/$defs/size"}},"note":{"type":"string","minLength":3}},
		"$defs":{"size":{"oneOf":[{"type":"integer"},{"type":"number","minimum":7}]}}}`
	for value, want := range map[string][]string{
		`[]`:                                {"at /: got array, want object"},
		`{"for":2}`:                         {"at /: missing property 'at'"},
		`{}`:                                {"at /: missing properties 'at', 'for'"},
		`{"at":"1","for":2.5}`:              {"at /for: got number, want null or integer"},
		`{"at":"x","for":0}`:                {`at /at: 'x' does not match pattern '^[0-9]'`, "at /for: minimum: got 0, want 1"},
		`{"at":"1","for":1,"z":1,"it's":2}`: {`at /: additional properties 'it\'s', 'z' not allowed`},
		`{"at":"1","for":1,"of":"milk"}`:    {"at /of: value must be one of 'tea', 'coffee'"},
		`{"at":"1","for":1,"kind":"food"}`:  {"at /kind: value must be 'drink'"},
		`{"at":"1","for":1,"note":"né"}`:    {"at /note: minLength: got 2, want 3"},
		`{"at":"1","for":1,"sizes":[8,8]}`:  {"at /sizes: items at 0 and 1 are equal", "at /sizes: maxItems: got 2, want 1", "at /sizes/0: 'oneOf' failed, subschemas 0, 1 matched", "at /sizes/1: 'oneOf' failed, subschemas 0, 1 matched"},
		`{"at":"1","for":1,"sizes":["s"]}`:  {"at /sizes/0: got string, want integer", "at /sizes/0: got string, want number"},
	} {
		for range 20 {
			if wrong, _, _ := (jsonschema.Formats{}).Check(t.Context(), []byte(order), []byte(value)); tool.Misfits(wrong).Words() != strings.Join(want, "; ") {
				t.Errorf("%s: %q, want %q", value, wrong, want)
				break
			}
		}
	}
}

// What declares itself in circles, or is written to take for ever, ends.
func TestSchemasInCircles(t *testing.T) {
	for _, schema := range []string{
		`{"$ref":"#","type":"object"}`,
		`{"allOf":[{"$ref":"#"}],"type":"object"}`,
		`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a","type":"object"}`,
		`{"type":"object","properties":{"a":{"$ref":"#"}}}`,
	} {
		if wrong, checked, _ := (jsonschema.Formats{}).Check(t.Context(), []byte(schema), []byte(`{"a":{"a":{}}}`)); len(wrong) > 0 || !checked {
			t.Errorf("%s: %q, checked %t", schema, wrong, checked)
		}
	}
}
