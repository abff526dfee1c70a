package term

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	rows := [][]Cell{
		{Plain.Of("1"), Plain.Of("short"), Plain.Of("ada")},
		{Plain.Of("1,000"), Plain.Of(strings.Repeat("abcde", 10)), Plain.Of("a longer name")},
	}
	for _, c := range []struct {
		name  string
		width int
		want  string
	}{
		{"cut", 60, `
POSITION  WHAT                                 FROM
       1  short                                ada
   1,000  abcdeabcdeabcdeabcdeabcdeabcdeabcd…  a longer name
`},
		{"as wide as it wants", 200, `
POSITION  WHAT                                                FROM
       1  short                                               ada
   1,000  abcdeabcdeabcdeabcdeabcdeabcdeabcdeabcdeabcdeabcde  a longer name
`},
	} {
		console, out, _ := testConsole()
		console.Width = c.width
		if err := console.Table([]Column{{Title: "POSITION", Right: true}, {Title: "WHAT", Flex: true}, {Title: "FROM"}}, rows); err != nil {
			t.Fatal(err)
		}
		if got := "\n" + out.String(); got != c.want {
			t.Errorf("%s:%s\nwant:%s", c.name, got, c.want)
		}
	}
}

// What no terminal reads is whole; only where others stand after it the flexible
// column is bounded.
func TestUncutTable(t *testing.T) {
	c, out, _ := testConsole()
	c.Width, c.Uncut = 40, true
	long := strings.Repeat("x", 300)
	last := []Column{{Title: "NAME", Cut: true}, {Title: "ID", Spare: 1}, {Title: "WHAT", Flex: true}}
	if err := c.Table(last, [][]Cell{{Plain.Of(long), Plain.Of("7"), Plain.Of(long)}}); err != nil {
		t.Fatal(err)
	}
	if want := "\n" + long + "  7   " + long + "\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("the last is bounded:\n%s", out)
	}
	before := []Column{{Title: "WHAT", Flex: true}, {Title: "WHO"}}
	if err := c.Table(before, [][]Cell{{Plain.Of(long), Plain.Of("ada")}}); err != nil {
		t.Fatal(err)
	}
	if want := "\n" + long[:maxWidth-1] + "…  ada\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("what stands before others is not bounded:\n%s", out)
	}
	streamed := c.Rows([]Column{{Title: "TYPE", Width: 5}, {Title: "WHO", Width: 3, Cut: true}, {Title: "WHAT", Flex: true}})
	out.Reset()
	if err := streamed.Row(Plain.Of("longer"), Plain.Of("somebody"), Plain.Of(long)); err != nil || out.String() != "TYPE   WHO  WHAT\nlonger  somebody  "+long+"\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// Names give way before an id does, and a flexible column may go.
func TestTableWithoutItsFlexibleColumn(t *testing.T) {
	c, out, _ := testConsole()
	c.Width = 60
	columns := []Column{{Title: "NAME", Cut: true}, {Title: "ID"}, {Title: "MAY", Flex: true, Spare: 1}}
	id := strings.Repeat("1", 36)
	if err := c.Table(columns, [][]Cell{{Plain.Of(strings.Repeat("n", 50)), Plain.Of(id), Plain.Of("everything")}}); err != nil {
		t.Fatal(err)
	}
	if want := "NAME" + strings.Repeat(" ", 20) + "ID\n" + strings.Repeat("n", 21) + "…  " + id + "\n"; out.String() != want {
		t.Errorf("\n%s\nwant:\n%s", out, want)
	}
}

func TestNarrowTableFits(t *testing.T) {
	c, out, _ := testConsole()
	c.Width = 40
	table := c.Rows([]Column{
		{Title: "N", Width: 3, Right: true}, {Title: "FROM", Width: 12, Spare: 1}, {Title: "KIND", Width: 4, Spare: 2},
		{Title: "TYPE", Width: 22, Cut: true}, {Title: "WHAT", Flex: true},
	})
	long := strings.Repeat("x", 50)
	for _, row := range [][]Cell{
		{Plain.Of("7"), Plain.Of("somebody"), Plain.Of("odd"), Plain.Of("type"), Plain.Of("what")},
		{Plain.Of("1,234,567"), Plain.Of("somebody"), Plain.Of("odd"), Plain.Of(long), Plain.Of(long)},
	} {
		if err := table.Row(row...); err != nil {
			t.Fatal(err)
		}
	}
	want := "  N  TYPE               WHAT\n  7  type               what\n1,234,567  xxxxxxxxxxxxxxxx…  xxxxxxxxx…\n"
	if out.String() != want {
		t.Fatalf("\n%s\nwant:\n%s", out, want)
	}
}

func TestStreamedTableKeepsItsColumns(t *testing.T) {
	c, out, _ := testConsole()
	c.Width = 40
	table := c.Rows([]Column{{Title: "N", Width: 3, Right: true}, {Title: "WHO", Width: 5, Cut: true}, {Title: "WHAT", Flex: true}})
	if err := table.Row(Plain.Of("7"), Plain.Of("somebody"), Plain.Of(strings.Repeat("x", 50))); err != nil {
		t.Fatal(err)
	}
	want := "  N  WHO    WHAT\n  7  some…  " + strings.Repeat("x", 27) + "…\n"
	if out.String() != want {
		t.Fatalf("\n%s\nwant:\n%s", out, want)
	}
}

// What strangers sent is made fit for a line before it is drawn.
func TestCellsAreSafe(t *testing.T) {
	c, out, _ := testConsole()
	if err := c.Table([]Column{{Title: "WHAT"}}, [][]Cell{{Bold.Of("a\x1b[2Jb\nc").Behind("└─ ").In(Plain)}}); err != nil {
		t.Fatal(err)
	}
	if want := "WHAT\n└─ a[2Jb c\n"; out.String() != want {
		t.Errorf("%q, want %q", out, want)
	}
}
