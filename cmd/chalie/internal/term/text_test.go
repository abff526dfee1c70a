package term

import (
	"testing"

	"pgregory.net/rapid"

	"chalie/replay/narrate"
)

func TestCutFits(t *testing.T) {
	for _, c := range []struct {
		in      string
		columns int
		want    string
	}{
		{"short", 10, "short"},
		{"exactly ten", 11, "exactly ten"},
		{"a little too long", 10, "a little…"},
		{"世界世界", 5, "世界…"},
		{"世界世界", 4, "世…"},
	} {
		if got := Cut(c.in, c.columns); got != c.want {
			t.Errorf("Cut(%q, %d): %q, want %q", c.in, c.columns, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text, columns := narrate.OneLine(rapid.String().Draw(t, "text")), rapid.IntRange(1, 40).Draw(t, "columns")
		if got := Columns(Cut(text, columns)); got > columns {
			t.Fatalf("%q takes %d columns of %d", Cut(text, columns), got, columns)
		}
	})
}
