package term

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

// unseen reports the first character of a text that a terminal wouldn't show as
// itself, by a definition of its own.
func unseen(text string) (rune, bool) {
	for _, r := range text {
		switch {
		case r == '\n' || r == ' ':
		case r < ' ', r >= 0x7F && r <= 0x9F, unicode.IsSpace(r), unicode.In(r, unicode.Cf, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Co),
			r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF, r == 0x3164, r == 0x115F, r == 0x034F:
			return r, true
		}
	}
	return 0, false
}

func TestJSONIsSeen(t *testing.T) {
	for in, want := range map[string]string{
		"Grüße, 世界 👋":      "Grüße, 世界 👋",
		"<b>&amp;":         "<b>&amp;",
		"\u009b31mred":     `\u009b31mred`,
		"del\x7fete":       `del\u007fete`,
		"\u202etxt\u2066x": `\u202etxt\u2066x`,
		"a\u2028b\u2029":   `a\u2028b\u2029`,
		"pay\u200bpal":     `pay\u200bpal`,
		"\ufeffa\u00adb":   `\ufeffa\u00adb`,
		"tag \U000e0041":   `tag \udb40\udc41`,
		"filler \u3164":    `filler \u3164`,
		"\x1b[31m":         `\u001b[31m`,
		"broken \x9b":      `broken \ufffd`,
	} {
		c, out, _ := testConsole()
		if err := c.JSON(map[string]string{"text": in}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != `{"text":"`+want+"\"}\n" {
			t.Errorf("%q: %s", in, got)
		}
	}
}

// TestRawJSONIsSeen is about what came as text and is printed as it came: an
// answer of the API with a payload in it.
func TestRawJSONIsSeen(t *testing.T) {
	const raw = "{\"a\":\"\x7f\u009b2J\u202e\xe2\x80\xa8\",\"b\":[1e400,\"\x9b\"]}"
	var rec apiclient.Object[domain.Record]
	if err := json.Unmarshal([]byte(raw), &rec); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]any{"object": rec, "raw": json.RawMessage(raw), "inside": struct{ Detail any }{json.RawMessage(raw)}} {
		c, out, _ := testConsole()
		if err := c.JSON(value); err != nil {
			t.Fatal(err)
		}
		if r, is := unseen(out.String()); is || !json.Valid(out.Bytes()) || !strings.Contains(out.String(), "1e400") {
			t.Errorf("%s: %q has %U", name, out, r)
		}
	}
}

// TestEscapingKeepsTheValue draws texts, and cuts them anywhere between two writes.
func TestEscapingKeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		in, err := json.Marshal([]string{text})
		if err != nil {
			t.Fatal(err)
		}
		in = bytes.ReplaceAll(in, []byte(`\u2028`), []byte("\u2028"))
		var out bytes.Buffer
		e := Escaping(&out)
		cut := rapid.IntRange(0, len(in)).Draw(t, "cut")
		for _, part := range [][]byte{in[:cut], in[cut:]} {
			if n, err := e.Write(part); err != nil || n != len(part) {
				t.Fatalf("%d of %d, %v", n, len(part), err)
			}
		}
		var back []string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || !utf8.Valid(out.Bytes()) {
			t.Fatalf("%q: %v", &out, err)
		}
		if back[0] != strings.ToValidUTF8(text, "\ufffd") && utf8.ValidString(text) {
			t.Fatalf("%q became %q", text, back[0])
		}
		if r, is := unseen(out.String()); is {
			t.Fatalf("%q has %U", &out, r)
		}
	})
}
