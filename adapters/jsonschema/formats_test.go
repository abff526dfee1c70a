package jsonschema_test

import (
	"strings"
	"testing"

	"chalie/adapters/jsonschema"
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
		wrong, checked := jsonschema.Formats{}.Check([]byte(c.schema), []byte(c.value))
		said := strings.Join(wrong, "; ")
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
