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

// offering is a registry of interfaces named a, b, c … by their places, each with
// the tools of its list.
func offering(lists ...[]string) (*domain.Registry, []*domain.Interface) {
	r := &domain.Registry{Interfaces: map[domain.ID]*domain.Interface{}}
	var all []*domain.Interface
	for n, names := range lists {
		i := &domain.Interface{ID: domain.ID{14: 7, 15: byte(n + 1)}, Origin: domain.OriginPaired, Name: string(rune('a' + n)), Since: domain.Millis(n)}
		for _, name := range names {
			i.Tools = append(i.Tools, domain.Tool{Name: name})
		}
		r.Interfaces[i.ID] = i
		all = append(all, i)
	}
	return r, all
}

func TestResolveOffer(t *testing.T) {
	r, all := offering([]string{"get", "put"}, []string{"get", "del"}, []string{"gone"}, []string{"new"}, []string{"get"})
	all[2].Offline = true
	all[3].Origin = domain.OriginRegistered
	all[4].Offline = true
	for _, c := range []struct {
		name string
		from string // the interface it is resolved to
		code domain.Code
		says string
	}{
		{"put", "a", "", ""}, {"a.put", "a", "", ""}, {"del", "b", "", ""}, {"a.get", "a", "", ""}, {"b.get", "b", "", ""},
		{all[1].ID.UUID() + ".get", "b", "", ""}, {all[1].ID.String() + ".get", "b", "", ""}, {all[0].ID.UUID() + ".put", "a", "", ""},
		{"get", "", domain.CodeAmbiguousTool, "get is offered by 2 interfaces: name one of a.get, b.get"},
		{"gone", "", domain.CodeToolOffline, "c, which is offline"},
		{"c.gone", "", domain.CodeToolOffline, "c, which is offline"},
		{"e.get", "", domain.CodeToolOffline, "e, which is offline"},
		{"new", "", domain.CodeToolPending, "d, which waits for your approval"},
		{"a.del", "", domain.CodeNoTool, `no tool "a.del"`},
		{"GET", "", domain.CodeNoTool, `no tool "GET"`},
		{"", "", domain.CodeNoTool, `no tool ""`},
		{".get", "", domain.CodeNoTool, `no tool ".get"`},
		{strings.Repeat("x", 1000), "", domain.CodeNoTool, strings.Repeat("x", domain.MaxToolNameBytes) + `"`},
	} {
		o, err := r.ResolveOffer(c.name)
		switch {
		case c.code == "" && (err != nil || o.Interface.Name != c.from || !strings.HasSuffix(c.name, o.Tool.Name)):
			t.Errorf("%q is %+v, %v", c.name, o, err)
		case c.code != "" && (domain.CodeOf(err) != c.code || domain.CategoryOf(err) != domain.NotFound || !strings.Contains(err.Error(), c.says)):
			t.Errorf("%q: %v (%s), want %s: %q", c.name, err, domain.CodeOf(err), c.code, c.says)
		}
	}
	if o, err := r.ResolveOffer("put"); err != nil || o.CapabilityID() != all[0].ID.UUID()+"/put" {
		t.Errorf("the capability is %s, %v", o.CapabilityID(), err)
	}
}

// Interfaces of one name are told apart by their ids, and not all of many are
// listed.
func TestAmbiguousAmongNamesakes(t *testing.T) {
	lists := make([][]string, 12)
	for i := range lists {
		lists[i] = []string{"get"}
	}
	r, all := offering(lists...)
	for _, i := range all {
		i.Name = "twin"
	}
	for _, name := range []string{"get", "twin.get"} {
		_, err := r.ResolveOffer(name)
		want := fmt.Sprintf("%s is offered by 12 interfaces: name one of %s.get, ", name, all[0].ID.UUID())
		if domain.CodeOf(err) != domain.CodeAmbiguousTool || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "and 4 more") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What is offered can be invoked by the name it is offered under.
	for _, o := range r.Offers() {
		if got, err := r.ResolveOffer(o.Name); err != nil || got.Interface.ID != o.Interface.ID {
			t.Errorf("%s: %v, %v", o.Name, got, err)
		}
	}
}
