package term

import (
	"testing"

	"chalie/domain"
)

func TestBlocks(t *testing.T) {
	c, out, _ := testConsole()
	c.Width = 60
	table := domain.Block{"type": "table", "headers": []any{"Appointment", "When"}, "rows": []any{[]any{"Dr. Okafor", "14:00"}, []any{"a\x1b[2J", "15:00"}}}
	err := c.Blocks([]domain.Block{
		domain.HeaderBlock("Tomorrow", 1),
		domain.TextBlock("Two things are planned, and there is an hour between them to walk over.", domain.FormatPlain),
		table,
		{"type": "table", "headers": []any{"A"}, "rows": []any{[]any{1}}}, // not of texts: shown as lines, if at all
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `Tomorrow

Two things are planned, and there is an hour between them to
walk over.

APPOINTMENT  WHEN
Dr. Okafor   14:00
a[2J         15:00

`
	if got := out.String(); got[:min(len(want), len(got))] != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestSentences(t *testing.T) {
	c, out, _ := testConsole()
	c.Width = 24
	if err := c.Sentences([]string{"It rests on this: the oven broke tonight.", "Short\nand one line."}); err != nil {
		t.Fatal(err)
	}
	if want := "It rests on this: the\n  oven broke tonight.\nShort and one line.\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		line    string
		columns int
		want    []string
	}{
		{"", 5, []string{""}},
		{"one two", 7, []string{"one two"}},
		{"one two", 6, []string{"one", "two"}},
		{"unbreakable word", 4, []string{"unbreakable", "word"}},
		{"漢字 漢字", 5, []string{"漢字", "漢字"}}, // two columns each
	} {
		got := Wrap(c.line, c.columns)
		if len(got) != len(c.want) {
			t.Errorf("%q in %d: %q", c.line, c.columns, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q in %d: %q, want %q", c.line, c.columns, got, c.want)
			}
		}
	}
}
