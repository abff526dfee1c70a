package dialogue

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// thoughtsTable is what a model says and what of it is its answer.
var thoughtsTable = []struct{ said, want string }{
	{"Hello.", "Hello."},
	{"<think>\nhm, 5?\n</think>\n\nFive.", "Five."},
	{"  <think>hm</think>Five.", "Five."},
	{"<think></think>Five.", "Five."},
	{"<think/>Five.", "Five."},
	{"<think>and so on", ""},
	// Names and forms.
	{"<thinking>hm</thinking>Hello", "Hello"},
	{"<THINK>hm</Think>Hello", "Hello"},
	{"<thought>hm</thought>Hello", "Hello"},
	{"<thoughts>hm</thoughts>Hello", "Hello"},
	{"<reasoning>hm</reasoning>Hello", "Hello"},
	{"<reflection>hm</reflection>Hello", "Hello"},
	{"<analysis>hm</analysis>Hello", "Hello"},
	{"<scratchpad>hm</scratchpad>Hello", "Hello"},
	{"<inner_monologue>hm</inner_monologue>Hello", "Hello"},
	{"<seed:think>hm</seed:think>Hello", "Hello"},
	{"<antThinking>hm</antThinking>Hello", "Hello"},
	{`<think type="slow">hm</think >Hello`, "Hello"},
	{"< think >hm< / think >Hello", "Hello"},
	{"[THINK]hm[/THINK]Hello", "Hello"},
	{"◁think▷hm◁/think▷Hello", "Hello"},
	{"<|begin_of_thought|>hm<|end_of_thought|><|begin_of_solution|>Hello<|end_of_solution|>", "Hello"},
	{"<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Hello<|END_RESPONSE|>", "Hello"},
	{"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hello<|return|>", "Hello"},
	{"<|channel>thought\nhm<channel|>Hello", "Hello"},
	{"<think>hm</thinking>Hello", "Hello"},
	// Only an end.
	{"I should greet.</think> Hello there.", "Hello there."},
	{"I should greet.\n</thinking>\n\nHello there.", "Hello there."},
	{"a</think>b</think>Hello", "Hello"},
	{"I should greet.</think>", ""},
	{"```\ncode\n```</think>Hello", "Hello"},
	// Nested, doubled, one too many.
	{"<think>a<think>b</think>c</think>Hello", "Hello"},
	{"<think>I may write <think> here</think>Hello", "Hello"},
	{"<think>a</think><think>b</think>Hello", "Hello"},
	{"<think>a</think>\n\n</think>\n\nHello", "Hello"},
	{"<think>a</think>Hello</think>", "Hello"},
	{"<think>a</think></think>Hello", "Hello"},
	// Further on.
	{"Hello.\n<think>\nmore?\n</think>\nBye.", "Hello.\n\nBye."},
	{"Hello. <think>more?</think>Bye.", "Hello. Bye."},
	{"Hello.\n<think>\nmore?", "Hello.\n"},
	{"Hello. <think>\nmore?", "Hello. "},
	// What only names them.
	{"Five <think> four", "Five <think> four"},
	{"Write `<think>` and `</think>` around it.", "Write `<think>` and `</think>` around it."},
	{"Write `<think>hm</think>` there.", "Write `<think>hm</think>` there."},
	{"So:\n```xml\n<think>\nhm\n</think>\n```\nThat's it.", "So:\n```xml\n<think>\nhm\n</think>\n```\nThat's it."},
	{"a < b, <b>bold</b>, [x], [#1], <thinker>, </thinker>, 3 < 4", "a < b, <b>bold</b>, [x], [#1], <thinker>, </thinker>, 3 < 4"},
	{"a <", "a <"}, {"a <thi", "a <thi"}, {"a [th", "a [th"}, {"a ◁", "a ◁"}, {"<", "<"},
	{"", ""},
}

func TestThoughts(t *testing.T) {
	for _, c := range thoughtsTable {
		for _, size := range []int{1, 3, len(c.said) + 1} {
			if got := hear(c.said, func() int { return size }); got != c.want {
				t.Errorf("of %q in pieces of %d comes %q, want %q", c.said, size, got, c.want)
			}
		}
	}
}

// hear is what is told of a text that comes in pieces. It panics when that isn't the text.
func hear(said string, size func() int) string {
	var thoughts Thoughts
	told := ""
	tell := func(more string, back bool) {
		if back {
			told = ""
		}
		told += more
	}
	for said != "" {
		n := min(len(said), size())
		for n < len(said) && !utf8.RuneStart(said[n]) {
			n++
		}
		tell(thoughts.Add(said[:n]))
		said = said[n:]
	}
	tell(thoughts.Rest())
	if told != thoughts.Text() {
		panic("told is " + told + ", and it is " + thoughts.Text())
	}
	return told
}

// However a text is cut into pieces, the same of it is the answer.
func TestThoughtsInPieces(t *testing.T) {
	said := []string{" ", "\n", "word", "<think>", "</think>", "<thinking>", "`", "```", "\n```\n", "<", "</", "think", ">", "[THINK]", "[/", "◁think▷", "<|end|>", "<|channel|>analysis"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(said), 0, 20).Draw(t, "said"), "")
		whole := hear(text, func() int { return len(text) })
		got := hear(text, func() int { return rapid.IntRange(1, 7).Draw(t, "piece") })
		if got != whole {
			t.Fatalf("of %q comes %q in pieces, and %q of the whole", text, got, whole)
		}
	})
}
