package domain_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chalie/domain"
)

func TestCheckTools(t *testing.T) {
	long := strings.Repeat("x", domain.MaxToolTextBytes+1)
	with := func(p ...domain.Parameter) []domain.Tool { return []domain.Tool{{Name: "t", Parameters: p}} }
	many := make([]domain.Tool, domain.MaxTools+1)
	wide := make([]domain.Parameter, domain.MaxParameters+1)
	for i := range many {
		many[i].Name = fmt.Sprint(i)
	}
	for i := range wide {
		wide[i] = domain.Parameter{Name: fmt.Sprint(i), Type: domain.TypeString}
	}
	for _, c := range []struct {
		name  string
		tools []domain.Tool
		says  string // "" when they are in order
	}{
		{"none", nil, ""},
		{"every type", with(
			domain.Parameter{Name: "a", Type: domain.TypeString}, domain.Parameter{Name: "b", Type: domain.TypeNumber},
			domain.Parameter{Name: "c", Type: domain.TypeInteger}, domain.Parameter{Name: "d", Type: domain.TypeBoolean},
			domain.Parameter{Name: "e", Type: domain.TypeObject}), ""},
		{"as many as there may be", many[1:], ""},
		{"too many", many, "257 tools, the bound is 256"},
		{"as many parameters as there may be", with(wide[1:]...), ""},
		{"too many parameters", with(wide...), "t has 65 parameters, the bound is 64"},
		{"no name", []domain.Tool{{}}, "no name"},
		{"a name that is too long", []domain.Tool{{Name: strings.Repeat("n", domain.MaxToolNameBytes+1)}}, "no name"},
		{"a name that can't be printed", []domain.Tool{{Name: "a\x1b"}}, "no name"},
		{"a name in no UTF-8", []domain.Tool{{Name: "a\xff"}}, "no name"},
		{"one name twice", []domain.Tool{{Name: "t"}, {Name: "t"}}, "two tools are named t"},
		{"a long description", []domain.Tool{{Name: "t", Description: long}}, "tool t has a text over"},
		{"a long documentation", []domain.Tool{{Name: "t", Documentation: long}}, "tool t has a text over"},
		{"long returns", []domain.Tool{{Name: "t", Returns: json.RawMessage(long)}}, "tool t has a text over"},
		{"a parameter without a name", with(domain.Parameter{Type: domain.TypeString}), "parameter 1 of tool t has no name"},
		{"one parameter twice", with(wide[0], wide[0]), "tool t has two parameters named 0"},
		{"a parameter's long description", with(domain.Parameter{Name: "p", Type: domain.TypeString, Description: long}), "parameter p of tool t"},
		{"a type that nobody knows", with(domain.Parameter{Name: "p", Type: "colour"}), `parameter p of tool t has the type "colour"`},
		{"no type", with(domain.Parameter{Name: "p"}), `has the type ""`},
	} {
		err := domain.CheckTools(c.tools)
		if c.says == "" && err != nil || c.says != "" && (domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
}

// Which values fit which type.
func TestParameterTypes(t *testing.T) {
	types := []domain.ParameterType{domain.TypeString, domain.TypeNumber, domain.TypeInteger, domain.TypeBoolean, domain.TypeObject}
	for value, fits := range map[string]string{
		`"a"`: "string", `""`: "string", `"1"`: "string", `"true"`: "string", `"\u00e9"`: "string",
		`1`: "number integer", `-1`: "number integer", `0`: "number integer", `1.0`: "number", `4.0`: "number", `1e3`: "number", `1E3`: "number", `-0`: "number integer",
		`9007199254740992`: "number integer", `-9007199254740992`: "number integer",
		`9007199254740993`: "number", `-9007199254740993`: "number", `12345678901234567890`: "number", `99999999999999999999`: "number",
		`1.5`: "number", `1e-3`: "number", `1e400`: "",
		`true`: "boolean", `false`: "boolean",
		`{}`: "object", `{"a":[1]}`: "object",
		`[]`: "", `["a"]`: "",
	} {
		for _, typ := range types {
			tool := domain.Tool{Name: "t", Parameters: []domain.Parameter{{Name: "p", Type: typ, Required: true}}}
			err := tool.CheckParams(json.RawMessage(`{"p": ` + value + ` }`))
			want := false
			for word := range strings.FieldsSeq(fits) {
				want = want || word == string(typ)
			}
			if (err == nil) != want {
				t.Errorf("%s as %s: %v", value, typ, err)
			}
			if err != nil && !strings.Contains(err.Error(), "p must be of type "+string(typ)) {
				t.Errorf("%s as %s: %v", value, typ, err)
			}
		}
	}
}

func TestCheckParams(t *testing.T) {
	tool := domain.Tool{Name: "book", Parameters: []domain.Parameter{
		{Name: "where", Type: domain.TypeString, Required: true}, {Name: "seats", Type: domain.TypeInteger, Required: true}, {Name: "note", Type: domain.TypeString},
	}}
	many := map[string]int{}
	for i := range 500 {
		many[strings.Repeat("é", 200)+fmt.Sprint(i)] = i
	}
	strangers, err := json.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		params string
		says   []string // nil when they are in order
	}{
		{`{"where":"Luigi's","seats":2}`, nil},
		{`{"where":"Luigi's","seats":2,"note":null}`, nil},
		{`{"where":"Luigi's","seats":2,"note":"window"}`, nil},
		{``, []string{"where is required (string); seats is required (integer)"}},
		{`null`, []string{"where is required (string); seats is required (integer)"}},
		{`{"where":null,"seats":2.5,"when":"now"}`, []string{"where is required (string); seats must be of type integer (written without fraction or exponent, from -9007199254740992 to 9007199254740992); when is not a parameter of book"}},
		{`{"where":1,"where":"Luigi's","seats":2}`, nil}, // the last one counts, and is what is sent
		{`{"where":"Luigi's","where":1,"seats":2}`, []string{"where must be of type string"}},
		{`[]`, []string{"not a JSON object"}},
		{`"where"`, []string{"not a JSON object"}},
		{`{"where":"Luigi's","seats":2} {}`, []string{"not a JSON object"}},
		{`{"where"`, []string{"not a JSON object"}},
		{"{\"where\":\"\xff\",\"seats\":2}", []string{"not a JSON object in UTF-8"}},
		{string(strangers), []string{"where is required", "is not a parameter of book", "438 more are wrong"}},
		{`{"where":"` + strings.Repeat("x", domain.MaxParamsBytes) + `"}`, []string{"params has"}},
	} {
		err := tool.CheckParams(json.RawMessage(c.params))
		if c.says == nil {
			if err != nil {
				t.Errorf("%.100s: %v", c.params, err)
			}
			continue
		}
		if domain.CategoryOf(err) != domain.Validation || len(err.Error()) > 32<<10 {
			t.Errorf("%.100s: %v", c.params, err)
			continue
		}
		for _, part := range c.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%.100s: %.300s doesn't say %q", c.params, err, part)
			}
		}
	}
}

func TestNormalParams(t *testing.T) {
	for in, want := range map[string]string{
		``: `{}`, `null`: `{}`, ` { } `: `{}`,
		`{"b": [1, 2],"a":"<&>"}`:       `{"a":"<&>","b":[1,2]}`,
		`{"a":1,"a":2}`:                 `{"a":2}`,
		`{"n":12345678901234567890.10}`: `{"n":12345678901234567890.10}`,
	} {
		if got, err := domain.NormalParams(json.RawMessage(in)); err != nil || string(got) != want {
			t.Errorf("%s becomes %s, %v; want %s", in, got, err, want)
		}
	}
	for _, in := range []string{`[]`, `7`, `{`} {
		if _, err := domain.NormalParams(json.RawMessage(in)); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: %v", in, err)
		}
	}
}
