package domain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"chalie/domain"

	"pgregory.net/rapid"
)

func TestBlocksOnTheWire(t *testing.T) {
	for want, b := range map[string]domain.Block{
		`{"content":"hi","format":"plain","type":"text"}`:                   domain.TextBlock("hi", domain.FormatPlain),
		`{"content":"*hi*","format":"markdown","type":"text"}`:              domain.TextBlock("*hi*", domain.FormatMarkdown),
		`{"content":"Now","level":2,"type":"header"}`:                       domain.HeaderBlock("Now", 2),
		`{"items":["a","b"],"style":"unordered","type":"list"}`:             domain.ListBlock("a", "b"),
		`{"headers":["A","B"],"rows":[["1","2"],["3","4"]],"type":"table"}`: domain.TableBlock([]string{"A", "B"}, [][]string{{"1", "2"}, {"3", "4"}}),
		`{"message":"no","type":"alert","variant":"warning"}`:               domain.AlertBlock("no", domain.VariantWarning),
	} {
		if got, err := json.Marshal(b); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}

func TestPlainText(t *testing.T) {
	for _, c := range []struct{ name, blocks, want string }{
		{"nothing", `[]`, ""},
		{"text", `[{"type":"text","content":"one"},{"type":"text","content":"two"}]`, "one\ntwo"},
		{"header and code", `[{"type":"header","content":"H","level":1},{"type":"code","content":"x = 1"}]`, "H\nx = 1"},
		{"list", `[{"type":"list","items":["a",2,null,true]}]`, "- a\n- 2\n- \n- true"},
		{"table", `[{"type":"table","headers":["A","B"],"rows":[["1",2],["3"]]}]`, "A | B\n1 | 2\n3"},
		{"keyvalue", `[{"type":"keyvalue","pairs":[{"key":"a","value":1},"odd",{"key":"b","value":"2"}]}]`, "a: 1\nb: 2"},
		{"alert, badge, link, image", `[{"type":"alert","message":"m"},{"type":"badge","text":"b"},{"type":"link","text":"l","url":"/"},{"type":"image","alt":"i","url":"/"}]`, "m\nb\nl\ni"},
		{"no words", `[{"type":"divider"},{"type":"loading"},{"type":"text"}]`, ""},
		{"section, container, form", `[{"type":"section","title":"S","blocks":[{"type":"text","content":"a"}]},{"type":"container","blocks":[{"type":"text","content":"b"}]},{"type":"form","blocks":[{"type":"text","content":"c"}]}]`, "S\na\nb\nc"},
		{"columns, carousel, tabs", `[{"type":"columns","columns":[{"blocks":[{"type":"text","content":"a"}]},{"blocks":[{"type":"text","content":"b"}]}]},{"type":"carousel","slides":[{"blocks":[{"type":"text","content":"c"}]}]},{"type":"tabs","tabs":[{"label":"T","blocks":[{"type":"text","content":"d"}]}]}]`, "a\nb\nc\nT\nd"},
		{"an unknown type", `[{"type":"hologram","fallback":"a picture"},{"type":"hologram"},{"type":7}]`, "a picture"},
		{"fields of other shapes", `[{"type":"list","items":"a"},{"type":"table","rows":[1,{}]},{"type":"columns","columns":["a"]},{"type":"section","blocks":{}}]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var blocks []domain.Block
			if err := json.Unmarshal([]byte(c.blocks), &blocks); err != nil {
				t.Fatal(err)
			}
			if got := domain.PlainText(blocks); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// What a block says doesn't depend on whether it has been stored.
func TestPlainTextAfterStoring(t *testing.T) {
	first, second := domain.TextBlock("x", domain.FormatPlain), domain.TextBlock("y", domain.FormatPlain)
	blocks := []domain.Block{
		domain.TextBlock("t", domain.FormatPlain), domain.HeaderBlock("h", 1), domain.ListBlock("a", "b"),
		domain.TableBlock([]string{"A"}, [][]string{{"1"}}), domain.AlertBlock("w", domain.VariantInfo),
		{"type": "section", "title": "S", "blocks": []domain.Block{first}},
		{"type": "columns", "columns": []map[string]any{{"blocks": []domain.Block{second}}}},
		{"type": "keyvalue", "pairs": []map[string]any{{"key": "k", "value": "v"}}},
	}
	text, err := json.Marshal(blocks)
	if err != nil {
		t.Fatal(err)
	}
	var stored []domain.Block
	if err := json.Unmarshal(text, &stored); err != nil {
		t.Fatal(err)
	}
	const want = "t\nh\n- a\n- b\nA\n1\nw\nS\nx\ny\nk: v"
	if fresh, again := domain.PlainText(blocks), domain.PlainText(stored); fresh != want || again != want {
		t.Errorf("fresh\n%s\nstored\n%s\nwant\n%s", fresh, again, want)
	}
}

func TestPlainTextStopsInTheDeep(t *testing.T) {
	const deep = 1000
	text := strings.Repeat(`[{"type":"section","title":"x","blocks":`, deep) + "[]" + strings.Repeat("}]", deep)
	var blocks []domain.Block
	if err := json.Unmarshal([]byte(text), &blocks); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(domain.PlainText(blocks), "x"); got < 2 || got > 50 {
		t.Errorf("%d levels are followed", got)
	}
}

// Whatever an interface sends, reading it neither fails nor takes for ever.
func TestPlainTextOfAnything(t *testing.T) {
	names := []string{"type", "content", "items", "headers", "rows", "pairs", "key", "value", "blocks", "columns", "slides", "tabs", "label", "title", "fallback", "text"}
	types := []string{"text", "list", "table", "keyvalue", "section", "columns", "tabs", "carousel", "hologram"}
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		return rapid.Custom(func(t *rapid.T) any {
			kind := rapid.IntRange(0, 5).Draw(t, "kind")
			if depth == 0 {
				kind %= 4
			}
			switch kind {
			case 0:
				return rapid.String().Draw(t, "text")
			case 1:
				return rapid.SampledFrom(types).Draw(t, "type")
			case 2:
				return rapid.Float64().Draw(t, "number")
			case 3:
				return nil
			case 4:
				return rapid.SliceOfN(value(depth-1), 0, 4).Draw(t, "list")
			}
			return rapid.MapOfN(rapid.SampledFrom(names), value(depth-1), 0, 4).Draw(t, "object")
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		var blocks []domain.Block
		for _, fields := range rapid.SliceOfN(rapid.MapOfN(rapid.SampledFrom(names), value(4), 0, 6), 0, 4).Draw(t, "blocks") {
			b := domain.Block(fields)
			b["type"] = rapid.SampledFrom(types).Draw(t, "type of the block")
			blocks = append(blocks, b)
		}
		if got := domain.PlainText(blocks); strings.HasPrefix(got, "\n") {
			t.Fatalf("it begins with an empty line: %q", got)
		}
	})
}
