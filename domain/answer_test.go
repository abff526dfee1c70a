package domain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"chalie/domain"
)

// Text that is JSON is shown as what it says; what can't be, or would lose something, stays
// as it is.
func TestTextBlocks(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 6) + `1` + strings.Repeat(`}`, 6)
	for name, c := range map[string]struct{ text, types, says string }{
		"words":                {"It is grey.", "text", "It is grey."},
		"a list of objects":    {` [{"day":"Mon","open":true},{"day":"Tue"}] `, "table", "day | open\nMon | yes\nTue | "},
		"a list":               {`["milk", 3, null, {"a":[1,2]}]`, "list", "- milk\n- 3\n- nothing\n- a: 1, 2"},
		"an object":            {`{"open_days":["Mon","Tue"],"at":{"lat":35.90}}`, "keyvalue", "open days: Mon, Tue\nat: lat: 35.90"},
		"an object with lists": {`{"total":2,"rows":[{"a":1},{"a":2}]}`, "keyvalue header table", "total: 2\nrows\na\n1\n2"},
		"a number":             {`42`, "text", "42"},
		"a text in quotes":     {`"grey"`, "text", `"grey"`},
		"nothing":              {`[]`, "text", "[]"},
		"an empty object":      {`{}`, "text", "{}"},
		"lists of nothing":     {`[[],{}]`, "list", "- nothing\n- nothing"},
		"just deep enough":     {deep, "keyvalue", strings.Repeat("a: ", 6) + "1"},
		"too deep":             {`[` + deep + `]`, "text", `[` + deep + `]`},
		"broken":               {`{"a":1`, "text", `{"a":1`},
		"two of them":          {"{\"a\":1}\n{\"a\":2}", "text", "{\"a\":1}\n{\"a\":2}"},
		"words around it":      {`Result: {"a":1}`, "text", `Result: {"a":1}`},
		"a name twice":         {`{"a":1,"b":{"a":2,"a":3}}`, "text", `{"a":1,"b":{"a":2,"a":3}}`},
		"a name in two":        {`[{"a":"x"},{"a":"b"}]`, "table", "a\nx\nb"},
		"no UTF-8":             {"[\"\xff\"]", "text", "[\"\xff\"]"},
		"very much":            {`["` + strings.Repeat("a", 256<<10) + `"]`, "text", `["` + strings.Repeat("a", 256<<10) + `"]`},
		"many rows":            {`[` + strings.Repeat(`{"a":1},`, 21) + `{"a":1}]`, "table text", "a\n" + strings.Repeat("1\n", 20) + "There is more than is shown: 2 rows."},
		"many entries":         {`[` + strings.Repeat(`1,`, 21) + `1]`, "list", strings.Repeat("- 1\n", 20) + "- and 2 more"},
		"characters that turn": {`["a\u202eb\u0007\nc"]`, "list", "- ab c"},
	} {
		blocks := domain.TextBlocks(c.text)
		var types []string
		for _, b := range blocks {
			types = append(types, b["type"].(string))
		}
		if got := strings.Join(types, " "); got != c.types || domain.PlainText(blocks) != c.says {
			t.Errorf("%s is shown as %s: %.300q", name, got, domain.PlainText(blocks))
		}
		if domain.IsShownAsData(c.text) != (c.types[:4] != "text") {
			t.Errorf("%s: it is said otherwise whether it is data", name)
		}
	}
}

// What a tool says beside its failure is told, too, and its failure once.
// What is answered in a text and as data is told once.
func TestSaysAll(t *testing.T) {
	for _, c := range []struct {
		text, data string
		want       bool
	}{
		{"14", `14`, true}, {"14\n", `14`, true}, {"14", `"14"`, true}, {"true", `true`, true},
		{"Rain", `"Rain"`, true}, {`"Rain"`, `"Rain"`, true}, {"14", `{"result":14}`, true}, {"Rain", `{"result":"Rain"}`, true},
		{`{"a": [1, 2]}`, `{"a":[1,2]}`, true},
		{"14.0", `14`, false}, {"It is 14", `14`, false}, {"14 15", `14`, false}, {"14", `{"result":14,"unit":"°"}`, false}, {"14", `{"temperature":14}`, false},
		{"", `null`, false}, {"", ``, false}, {"", `""`, true}, {"x", `[`, false},
	} {
		if got := domain.SaysAll(c.text, json.RawMessage(c.data)); got != c.want {
			t.Errorf("%q says all of %s: %t", c.text, c.data, got)
		}
	}
}

func TestAnswerBlocks(t *testing.T) {
	text, failure := "Oil is at 2 bar.", "The engine is off"
	table := domain.TableBlock([]string{"a"}, [][]string{{"b"}})
	for name, c := range map[string]struct {
		done domain.ToolCompleted
		says string
	}{
		"text":                    {domain.ToolCompleted{Text: &text}, text},
		"data":                    {domain.ToolCompleted{Data: json.RawMessage(`{"oil":2}`)}, "oil: 2"},
		"blocks before text":      {domain.ToolCompleted{Text: &text, Blocks: []domain.Block{table}}, "a\nb"},
		"nothing":                 {domain.ToolCompleted{Data: json.RawMessage(`null`)}, ""},
		"a failure":               {domain.ToolCompleted{Error: &failure}, failure},
		"a failure and text":      {domain.ToolCompleted{Error: &failure, Text: &text}, failure + "\n" + text},
		"a failure and blocks":    {domain.ToolCompleted{Error: &failure, Blocks: []domain.Block{table}}, failure + "\na\nb"},
		"a failure in the blocks": {domain.ToolCompleted{Error: &failure, Blocks: []domain.Block{domain.AlertBlock(failure, domain.VariantWarning)}}, failure},
	} {
		if got := domain.PlainText(domain.AnswerBlocks(c.done)); got != c.says {
			t.Errorf("%s: it says %q", name, got)
		}
	}
}

// What a tool says of a failure in two places is said once.
func TestSaidOnce(t *testing.T) {
	for _, c := range []struct{ text, wrong, why, beside string }{
		{"no such  branch\n", "no such branch", "no such branch", ""},
		{"Error: no such branch", "no such branch", "Error: no such branch", ""},
		{"no such branch", "git: no such branch, exit 1", "git: no such branch, exit 1", ""},
		{"two of three were closed", "no such branch", "no such branch", "two of three were closed"},
		{"", "no such branch", "no such branch", ""},
		{"it broke", "", "", "it broke"},
	} {
		if why, beside := domain.SaidOnce(c.text, c.wrong); why != c.why || beside != c.beside {
			t.Errorf("%q and %q: %q, and beside it %q", c.text, c.wrong, why, beside)
		}
	}
}
