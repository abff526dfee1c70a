package interfaces_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"chalie/adapters/interfaces"
)

// A tool may say more of what it takes than the types of its parameters: by keywords of JSON
// Schema beside them, or by a schema of all of them.
func TestSchemasOfParameters(t *testing.T) {
	const order = `{"$defs":{"size":{"enum":["s","l"]}},"type":"object","properties":{
		"to":{"type":"object","properties":{"street":{"type":"string"}},"required":["street"]},
		"sizes":{"type":"array","items":{"$ref":"#/$defs/size"},"description":"Of each"},"note":{"type":["string","null"]},"any":true},"required":["to"]}`
	for answer, want := range map[string]string{
		`[{"name":"plain","parameters":[{"name":"p","type":"string","required":true,"hint":"shown grey"}]}]`: `[{"name":"plain","description":"","parameters":[` +
			`{"name":"p","type":"string","required":true,"description":""}]}]`,
		`[{"name":"light","parameters":[{"name":"mode","type":"string","required":true,"enum":["dim","bright"],"description":"How"},
			{"name":"rooms","type":"array","items":{"type":"string"},"maxItems":3},{"name":"at","type":"any","minimum":1}]}]`: `[{"name":"light","description":"","parameters":[` +
			`{"name":"mode","type":"string","required":true,"description":"How"},{"name":"rooms","type":"array","required":false,"description":""},{"name":"at","type":"any","required":false,"description":""}],` +
			`"schema":{"type":"object","properties":{"at":{"minimum":1},"mode":{"description":"How","enum":["dim","bright"],"type":"string"},` +
			`"rooms":{"items":{"type":"string"},"maxItems":3,"type":"array"}},"required":["mode"],"additionalProperties":false}}]`,
		`[{"name":"order","schema":` + order + `}]`: `[{"name":"order","description":"","parameters":[{"name":"to","type":"object","required":true,"description":""},` +
			`{"name":"any","type":"any","required":false,"description":""},{"name":"note","type":"string","required":false,"description":""},` +
			`{"name":"sizes","type":"array","required":false,"description":"Of each"}],"schema":` + compact(order) + `}]`,
	} {
		at := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) })
		tools, err := newClient(t, interfaces.Config{}).Capabilities(t.Context(), at)
		text, _ := json.Marshal(tools)
		if err != nil || string(text) != want {
			t.Errorf("capabilities are\n%s, %v, want\n%s", text, err, want)
		}
	}
}

func compact(text string) string {
	out, err := json.Marshal(json.RawMessage(text))
	if err != nil {
		panic(err)
	}
	return string(out)
}
