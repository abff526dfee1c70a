package mcpserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"chalie/commands"
	"chalie/domain"
)

// declaring are tools by what they declare to return, as authors of programs write it, too.
var declaring = map[string]string{
	"object":    `{"type":"object","required":["at"],"properties":{"at":{"type":"string","format":"date-time","pattern":"^(?=2)"},"n":{"type":["integer","null"]},"more":true}}`,
	"list":      `{"type":"array","items":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"}}}}`,
	"text":      `{"type":"string"}`,
	"either":    `{"oneOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"number"}}},{"type":"null"}]}`,
	"refers":    `{"type":"object","properties":{"at":{"$ref":"#/$defs/At"}},"$defs":{"At":{"type":"string"}},"patternProperties":{"^x":{}},"additionalProperties":false}`,
	"misspelt":  `{"type":"objekt","properties":{"a":{"type":"strng"}},"required":"a"}`,
	"described": `"an object with at"`,
	"titled":    `{"title":"An answer"}`,
}

// answersOf are what they answer, by a name of the answer.
var answersOf = map[string]commands.Result{
	"fits":       {Data: json.RawMessage(`{"at":"2027-01-01T00:00:00Z","n":null,"x1":1}`)},
	"fits as at": {Data: json.RawMessage(`{"at":"2027-01-01T00:00:00Z"}`)},
	"a list":     {Data: json.RawMessage(`[{"id":1}]`)},
	"a number":   {Data: json.RawMessage(`{"a":1.5}`)},
	"in a text":  {Text: new(`{"at":"2027-01-01T00:00:00Z"}`)},
	"words":      {Text: new("It is done.")},
	"something":  {Data: json.RawMessage(`{"wrong":true}`)},
	"an error":   {Error: new("no such thing"), Data: json.RawMessage(`{"wrong":true}`)},
	"nothing":    {},
}

// Every answer of a tool with a schema of its answers is what that says, as a client would judge it:
// what the tool declares, or else words; and an error has none that isn't.
func TestAnswersFitTheirSchema(t *testing.T) {
	s := openShop(t, time.Hour)
	tools := []domain.Tool{}
	for name, returns := range declaring {
		tools = append(tools, domain.Tool{Name: name, Parameters: []domain.Parameter{}, Returns: json.RawMessage(returns)})
	}
	s.Pair("library", 9006, tools...)
	session := s.connect(accepts)
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*jsonschema.Schema{}
	for _, one := range listed.Tools {
		if one.OutputSchema != nil {
			schemas[one.Name] = resolved(t, one)
		}
	}
	for _, name := range []string{"described", "titled", "greet", "outcome_of"} {
		if schemas[name] != nil {
			t.Errorf("%s has a schema of its answers, which nothing says", name)
		}
	}
	if schemas["tell_person"] == nil {
		t.Error("what a program tells its person is answered by no schema")
	}
	structured := map[string]string{}
	for name := range declaring {
		for what, answer := range answersOf {
			s.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) { return answer, nil }
			out, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: map[string]any{}})
			if err != nil || len(out.Content) == 0 {
				t.Fatalf("%s, %s: %v, %v", name, what, out, err)
			}
			if out.IsError != (what == "an error") {
				t.Errorf("%s, %s: it is told as an error: %t", name, what, out.IsError)
			}
			if schema := schemas[name]; schema != nil {
				switch {
				case out.StructuredContent == nil && out.IsError:
				case out.StructuredContent == nil:
					t.Errorf("%s, %s: it has no structured content", name, what)
				case schema.Validate(out.StructuredContent) != nil:
					t.Errorf("%s, %s: %v is none of its schema: %v", name, what, out.StructuredContent, schema.Validate(out.StructuredContent))
				}
			}
			text, err := json.Marshal(out.StructuredContent)
			if err != nil {
				t.Fatal(err)
			}
			structured[name+", "+what] = string(text)
		}
	}
	for what, want := range map[string]string{
		"object, fits as at": `{"at":"2027-01-01T00:00:00Z"}`,
		"object, in a text":  `{"at":"2027-01-01T00:00:00Z"}`,
		"refers, fits as at": `{"at":"2027-01-01T00:00:00Z"}`,
		"list, a list":       `{"answer":[{"id":1}]}`,
		"text, words":        `{"answer":"It is done."}`,
		"either, a number":   `{"answer":{"a":1.5}}`,
		"object, an error":   `null`,
		"misspelt, a list":   `{"id":"`,
		"misspelt, a number": `{"a":1.5}`,
		"titled, something":  `{"wrong":true}`,
	} {
		if !strings.HasPrefix(structured[what], want) {
			t.Errorf("%s: the structured content is %s, want %s", what, structured[what], want)
		}
	}
}

// resolved is the schema of a tool's answers, as a client compiles it.
func resolved(t *testing.T, of *mcp.Tool) *jsonschema.Schema {
	t.Helper()
	root, isObject := of.OutputSchema.(map[string]any)
	compiler := jsonschema.NewCompiler()
	err := compiler.AddResource("of.json", of.OutputSchema)
	out, wrong := compiler.Compile("of.json")
	if err = errors.Join(err, wrong); err != nil || !isObject || root["type"] != "object" {
		t.Fatalf("%s: %v can't be compiled: %v", of.Name, of.OutputSchema, err)
	}
	return out
}

// A call that waits is what the schema says, too, and so is what it comes to.
func TestWaitingFitsItsSchema(t *testing.T) {
	s := openShop(t, 200*time.Millisecond) // in which the question comes
	s.set(domain.FormsOfNone)
	s.Pair("library", 9006, domain.Tool{Name: "lend", Parameters: []domain.Parameter{}, Returns: json.RawMessage(declaring["object"])})
	session := s.connect(accepts)
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range listed.Tools {
		if one.Name != "lend" {
			continue
		}
		out, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "lend", Arguments: map[string]any{}})
		if err != nil {
			t.Fatal(err)
		}
		waits, _ := out.StructuredContent.(map[string]any)
		if err := resolved(t, one).Validate(out.StructuredContent); err != nil || waits["status"] != "waiting_for_approval" || waits["text"] == "" {
			t.Errorf("%v: %v", out.StructuredContent, err)
		}
		return
	}
	t.Error("the tool isn't listed")
}
