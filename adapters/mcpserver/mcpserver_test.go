package mcpserver

import (
	"strings"
	"testing"

	"chalie/domain"
)

func TestNameOf(t *testing.T) {
	long := strings.Repeat("a", 70)
	for offer, want := range map[string]string{
		"remind":            "remind",
		"Luigi.book":        "Luigi_book",
		"Luigi's Bar.book":  "Luigi_s_Bar_book_3c9ad7c0",
		long:                strings.Repeat("a", 55) + "_6a2e1d8b",
		"outcome_of":        "outcome_of_",
		"чалли":             "_____",
		"a/b c":             "a_b_c_",
		"with-dash_and_dot": "with-dash_and_dot",
	} {
		taken := func(name string) bool { return name == "outcome_of" }
		got := nameOf(offer, taken)
		if len(got) > MaxToolName || got != nameOf(offer, taken) {
			t.Errorf("%s is called %s, and then %s", offer, got, nameOf(offer, taken))
		}
		if i := strings.LastIndex(want, "_"); len(want) > 9 && i == len(want)-9 { // with a part of a hash
			want = want[:i+1]
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s is called %s, want %s", offer, got, want)
		}
		if strings.Trim(got, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			t.Errorf("%s is called %s, which clients refuse", offer, got)
		}
	}
	if nameOf("a.b", func(string) bool { return false }) == nameOf("a.b", func(name string) bool { return name == "a_b" }) {
		t.Error("a name that is taken is given again")
	}
}

func TestSchemaOf(t *testing.T) {
	got := schemaOf(domain.Tool{Parameters: []domain.Parameter{{Name: "id", Type: domain.TypeInteger, Required: true, Description: "which"}, {Name: "all", Type: domain.TypeBoolean}}})
	properties, _ := got["properties"].(map[string]any)
	id, _ := properties["id"].(map[string]any)
	required, _ := got["required"].([]string)
	if got["type"] != "object" || got["additionalProperties"] != false || len(properties) != 2 || id["type"] != "integer" || id["description"] != "which" || len(required) != 1 || required[0] != "id" {
		t.Errorf("the schema is %v", got)
	}
	got = schemaOf(domain.Tool{Parameters: []domain.Parameter{{Name: "at", Type: domain.TypeAny}}, Schema: []byte(`{"properties":{"at":{"enum":["home","work"]}},"required":["at"]}`)})
	at, _ := got["properties"].(map[string]any)["at"].(map[string]any)
	if got["type"] != "object" || len(at["enum"].([]any)) != 2 {
		t.Errorf("a schema of its own is told as %v", got)
	}
}
