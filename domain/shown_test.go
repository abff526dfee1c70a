package domain_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"chalie/domain"
)

// What the person approves reads as what is sent, however its sender wrote it.
func TestShown(t *testing.T) {
	for _, c := range [][2]string{
		{`{"to":"Luigi\u0027s \u0026 S\u00F6hne"}`, `{"to":"Luigi's & Söhne"}`},
		{`{"deed":"\u0070\u0061\u0079","\u0074o":["\u0065vil",1.50,1e400,9007199254740993]}`, `{"deed":"pay","to":["evil",1.50,1e400,9007199254740993]}`},
		{`{"a":"x\",\"b\":\"y\\"}`, `{"a":"x\",\"b\":\"y\\"}`},
		{`{"a":"\u0022,\u0022b\u0022:\u0022y\u005c"}`, `{"a":"\",\"b\":\"y\\"}`},
		{`{"a":"evil\u202Etxt.exe"}`, `{"a":"evil\u202Etxt.exe"}`},
		{"{\"a\":\"evil\u202Etxt\"}", `{"a":"evil\u202Etxt"}`},
		{`{"a":"one\ntwo\u0007\u2028\u200B\ufeff"}`, `{"a":"one\ntwo\u0007\u2028\u200B\uFEFF"}`},
		{`{"a":"\udb40\udc41b"}`, `{"a":"\uDB40\uDC41b"}`},
		{`{"a":"👩\u200d🚀 می\u200cخواهم \ud83d\ude00"}`, "{\"a\":\"👩\u200d🚀 می\u200cخواهم 😀\"}"},
		{`{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{`{}`, `{}`},
		{`not "json`, `not "json`},
	} {
		got := domain.Shown(json.RawMessage(c[0]))
		if got != c[1] {
			t.Errorf("%s is shown as %s, want %s", c[0], got, c[1])
		}
		var was, is any
		if json.Unmarshal([]byte(c[0]), &was) == nil && (json.Unmarshal([]byte(got), &is) != nil || !reflect.DeepEqual(was, is)) {
			t.Errorf("%s isn't the same value as %s", got, c[0])
		}
	}
}

// Parameters are shown in words, all of them, so that no text can be taken for two.
func TestShownParams(t *testing.T) {
	for _, c := range [][2]string{
		{`{"action":"add","item":"milk"}`, `action: "add", item: "milk"`},
		{`{"to":"Luigi\u0027s \u0026 S\u00F6hne", "sum":1.50,"at_once":true,"note":null}`, `to: "Luigi's & Söhne", sum: 1.50, at_once: yes, note: nothing`},
		{`{"table":{"people":2,"at":{"day":"Friday","hours":[9,17]}},"tags":["a","b"]}`, `table: (people: 2, at: (day: "Friday", hours: 9 and 17)), tags: "a" and "b"`},
		{`{"rows":[[1,2],[{"a":false},[]]],"none":{},"no":[]}`, `rows: (1 and 2) and ((a: no) and (nothing)), none: nothing, no: nothing`},
		{`{"a":"x\", to: \"y"}`, `a: "x\", to: \"y"`},
		{`{"a: 1, b":2,"":3,"evil\u202E":4}`, `"a: 1, b": 2, "": 3, "evil\u202E": 4`},
		{`{"a":"evil\u202Etxt.exe\n"}`, `a: "evil\u202Etxt.exe\n"`},
		{"{\"a\":\"evil\u202Etxt\"}", `a: "evil\u202Etxt"`},
		{`{"deed":"\u0070\u0061\u0079","\u0074o":["\u0065vil",1e400]}`, `deed: "pay", to: "evil" and 1e400`},
		{`{"a":"\u0022, to: \u0022y\u005c"}`, `a: "\", to: \"y\\"`},
		{`{"a":"one\ntwo\u0007\u2028\u200B\ufeff"}`, `a: "one\ntwo\u0007\u2028\u200B\uFEFF"`},
		{`{"a":"\udb40\udc41b"}`, `a: "\uDB40\uDC41b"`},
		{`{"a":"👩\u200d🚀 می\u200cخواهم \ud83d\ude00"}`, "a: \"👩\u200d🚀 می\u200cخواهم 😀\""},
		{`{"a":1,"a":2,"big":12345678901234567890}`, `a: 1, a: 2, big: 12345678901234567890`},
		{` {} `, ``},
		{`["a"]`, `"a"`},
		{`not "json`, `not "json`},
	} {
		if got := domain.ShownParams(json.RawMessage(c[0])); got != c[1] {
			t.Errorf("%s is shown as %s, want %s", c[0], got, c[1])
		}
	}
}

func FuzzShown(f *testing.F) {
	f.Add(`{"a":"\u202e\\","b":["\ud83d"]}`)
	f.Add("{\"a\":\"\\\x7f\"}")
	f.Fuzz(func(t *testing.T, text string) {
		got := domain.Shown(json.RawMessage(text))
		for _, r := range got {
			if strings.ContainsRune("\x1b\x7f\u202e\u200b", r) {
				t.Errorf("%q is shown as %q", text, got)
			}
		}
		for _, r := range domain.ShownParams(json.RawMessage(text)) + domain.ShownParam(json.RawMessage(text)) {
			if strings.ContainsRune("\x1b\x7f\u202e\u200b", r) {
				t.Errorf("%q is shown in words with %q", text, r)
			}
		}
		if !json.Valid([]byte(text)) {
			return // it may become JSON, and be read as such, where a control character is escaped
		}
		if !json.Valid([]byte(got)) {
			t.Errorf("%q is shown as %q", text, got)
		}
		if again := domain.Shown(json.RawMessage(got)); again != got {
			t.Errorf("%q is shown as %q, and that as %q", text, got, again)
		}
	})
}
