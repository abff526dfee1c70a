package reasoning

import (
	"testing"

	"chalie/domain"
)

// What a form holds comes as the tool takes it.
func TestFilledIn(t *testing.T) {
	tool := domain.Tool{Name: "order", Schema: []byte(`{"properties":{"with":{"items":{"type":"string"}},"days":{"items":{"type":"integer"}}}}`), Parameters: []domain.Parameter{
		{Name: "with", Type: domain.TypeArray}, {Name: "days", Type: domain.TypeArray},
		{Name: "size", Type: domain.TypeString}, {Name: "count", Type: domain.TypeInteger}, {Name: "tip", Type: domain.TypeNumber},
		{Name: "gift", Type: domain.TypeBoolean}, {Name: "to", Type: domain.TypeObject},
	}}
	for given, want := range map[string]string{
		`{"size":"l","count":"2","tip":"1.50","gift":"true","to":"{\"name\":\"Ada\"}"}`: `{"count":2,"gift":true,"size":"l","tip":1.50,"to":{"name":"Ada"}}`,
		`{"count":3,"gift":false}`:                               `{"count":3,"gift":false}`,
		`{"size":12,"count":"","gift":" ","tip":null}`:           `{"size":"12","tip":null}`,
		`{"size":"","note":"for the tool's own page","count":1}`: `{"count":1,"size":""}`,
		`{"size":true,"count":"two"}`:                            `{"count":"two","size":"true"}`,
		`{"size":{"a":1}}`:                                       `{"size":{"a":1}}`,
		`{}`:                                                     `{}`,
		`{"with":"ham, 4 cheeses","days":"1, 2"}`:                `{"days":[1,2],"with":["ham","4 cheeses"]}`,
		`{"with":"salt, pepper\n3","days":"7"}`:                  `{"days":[7],"with":["salt, pepper","3"]}`,
		`{"with":"true","days":["x"]}`:                           `{"days":["x"],"with":["true"]}`,
		`{"with":"[\"a\"]","days":" "}`:                          `{"with":["a"]}`,
	} {
		if got := string(filledIn(tool, []byte(given))); got != want {
			t.Errorf("%s becomes %s, want %s", given, got, want)
		}
	}
}
