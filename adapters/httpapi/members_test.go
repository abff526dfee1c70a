package httpapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/api"
	"chalie/adapters/api/reading"
	"chalie/adapters/httpapi"
	"chalie/adapters/httpapi/openapi"
)

// contract is the document that /openapi.json is, as far as it tells of bodies.
type contract struct {
	Paths map[string]map[string]struct {
		RequestBody struct {
			Content map[string]struct{ Schema schema }
		}
	}
	Components struct{ Schemas map[string]schema }
}

type schema struct {
	Ref        string `json:"$ref"`
	Type       any
	Enum       []any
	Pattern    string
	Format     string
	AnyOf      []schema
	Items      *schema
	Properties map[string]schema
	Additional *schema `json:"additionalProperties"`
}

// member is one member of a body, by its path.
type member struct {
	path []string
	is   schema
}

// kind is the JSON type of a schema that has one: what else than null it takes.
func (s schema) kind() string {
	if several, ok := s.Type.([]any); ok {
		for _, one := range several {
			if one != "null" {
				return fmt.Sprint(one)
			}
		}
	}
	if s.Type == nil {
		return ""
	}
	return fmt.Sprint(s.Type)
}

// resolved is a schema without a reference or alternatives.
func (c contract) resolved(s schema) schema {
	switch {
	case s.Ref != "":
		return c.resolved(c.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")])
	case len(s.AnyOf) > 0:
		return c.resolved(s.AnyOf[0])
	}
	return s
}

// filled is a value with every member that the schema names.
func (c contract) filled(s schema, deep int) any {
	s = c.resolved(s)
	switch kind := s.kind(); {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case kind == "string" && s.Pattern != "":
		return "01ARZ3NDEKTSV4RRFFQ69G5FAV"
	case kind == "string" && s.Format == "date-time":
		return "2026-11-24T08:00:00Z"
	case kind == "string":
		return "rain"
	case kind == "integer":
		return 3
	case kind == "number":
		return 0.5
	case kind == "boolean":
		return true
	case kind == "array":
		if deep == 0 {
			return []any{}
		}
		return []any{c.filled(*s.Items, deep-1)}
	case kind == "object" && s.Properties == nil && s.Additional != nil:
		return map[string]any{"rain": c.filled(*s.Additional, deep)}
	case kind == "object" && deep > 0:
		out := map[string]any{}
		for name, p := range s.Properties {
			out[name] = c.filled(p, deep-1)
		}
		return out
	}
	return map[string]any{}
}

// members are all members of a schema, those of their own members, too.
func (c contract) members(s schema, at []string, deep int) (out []member) {
	s = c.resolved(s)
	if s.Items != nil && deep > 0 {
		return c.members(*s.Items, append(slices.Clone(at), "0"), deep-1)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		path := append(slices.Clone(at), name)
		out = append(out, member{path, c.resolved(s.Properties[name])})
		if deep > 0 {
			out = append(out, c.members(s.Properties[name], path, deep-1)...)
		}
	}
	return out
}

// withMember is a copy of a value in which the one at a path is another.
func withMember(value any, path []string, other any) any {
	if len(path) == 0 {
		return other
	}
	switch v := value.(type) {
	case map[string]any:
		v = maps.Clone(v)
		v[path[0]] = withMember(v[path[0]], path[1:], other)
		return v
	case []any:
		return []any{withMember(v[0], path[1:], other)}
	}
	return value
}

func document(t *testing.T) (c contract) {
	t.Helper()
	text, err := openapi.Document(api.Routes(), "1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// deepest is how many objects within each other are filled.
const deepest = 4

// Every member of every body is read: with all of them filled nothing fails inside Chalie,
// and one whose value has another type than the contract says is refused by its name.
func TestEveryMemberOfEveryBody(t *testing.T) {
	elsewhere := []string{
		"POST /api/policy/check", "POST /api/signals/batch", // tell what is wrong in an answer of their own
		"POST /health", // answers in any case
	}
	c := document(t)
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.Rebuilds = &rebuilds{} }})
	id := b.registered(`{"context":{},"signals":{"weather_forecast":true},"messages":{"health":true}}`)
	fill := strings.NewReplacer("{id}", id, "{name}", "weather")
	for pattern, methods := range c.Paths {
		for method, operation := range methods {
			of, ok := operation.RequestBody.Content["application/json"]
			if !ok {
				continue
			}
			method = strings.ToUpper(method)
			send := func(body any) told {
				text, err := json.Marshal(body)
				b.must(err)
				return b.socket(method, fill.Replace(pattern), string(text), header("Content-Type", "application/json"))
			}
			whole := c.filled(of.Schema, deepest)
			if a := send(whole); a.status == http.StatusInternalServerError {
				t.Errorf("%s %s with every member: %d %s", method, pattern, a.status, a.body)
			}
			if slices.Contains(elsewhere, method+" "+pattern) {
				continue
			}
			for _, m := range c.members(of.Schema, nil, deepest) {
				var other any = 7
				switch m.is.kind() {
				case "":
					continue // it takes anything
				case "integer", "number":
					other = "seven"
				}
				a := send(withMember(whole, m.path, other))
				if a.status != http.StatusBadRequest || !strings.Contains(a.body, m.path[len(m.path)-1]) {
					t.Errorf("%s %s with a wrong %s: %d %.300s", method, pattern, strings.Join(m.path, "."), a.status, a.body)
				}
			}
		}
	}
}

// What names something has no signs that nobody can see or type, wherever it is taken.
func TestNamesHaveNoControlCharacters(t *testing.T) {
	names := []string{"project_id", "session_id", "user_id", "name", "username", "source", "signal_type", "topic", "host", "version", "voice", "capability", "tool", "skill"}
	c := document(t)
	b := newBench(t, settings{})
	id := b.registered(`{"context":{},"signals":{"weather_forecast":true},"messages":{"health":true}}`)
	fill := strings.NewReplacer("{id}", id, "{name}", "weather")
	for pattern, methods := range c.Paths {
		for method, operation := range methods {
			of := operation.RequestBody.Content["application/json"]
			if pattern == "/health" || pattern == "/api/policy/check" {
				continue // what can't be read of the first is passed over, and the second tells it in its answer
			}
			whole := c.filled(of.Schema, deepest)
			for _, m := range c.members(of.Schema, nil, deepest) {
				if m.is.kind() != "string" || !slices.Contains(names, m.path[len(m.path)-1]) {
					continue
				}
				body, err := json.Marshal(withMember(whole, m.path, "rain\x00bow"))
				b.must(err)
				if a := b.socket(strings.ToUpper(method), fill.Replace(pattern), string(body), header("Content-Type", "application/json")); a.status < 400 && !strings.Contains(a.body, `"accepted":0`) {
					t.Errorf("%s %s takes a NUL in %s: %d %.200s", method, pattern, strings.Join(m.path, "."), a.status, a.body)
				}
			}
		}
	}
	b.socket("POST", "/api/voice/tts", `{"text":"hello","project_id":"a\u0000b"}`).wants(400, "project_id", "control characters")
	b.socket("POST", "/api/voice/stt?session_id=a%00b", "RIFF", header("Content-Type", "audio/wav")).wants(400, "session_id", "control characters")
}

// Every shape of a body has a way to be read.
func TestEveryBodyCanBeRead(t *testing.T) {
	for _, r := range api.Routes() {
		shapes, several := r.Body.Shape.(api.AnyOf)
		if !several {
			shapes = api.AnyOf{r.Body.Shape}
		}
		for _, shape := range shapes {
			if shape == nil || fmt.Sprintf("%T", shape)[0] == '[' { // a list's elements are read one by one
				continue
			}
			if err := reading.Reads(shape); err != nil {
				t.Errorf("%s %s: %v", r.Method, r.Path, err)
			}
		}
	}
}
