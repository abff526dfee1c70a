package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	rows := [][]cell{
		{{"1", plain}, {"short", plain}, {"ada", plain}},
		{{"1,000", plain}, {strings.Repeat("abcde", 10), plain}, {"a longer name", plain}},
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
		console.width = c.width
		table := table{console, []column{{title: "POSITION", right: true}, {title: "WHAT", flex: true}, {title: "FROM"}}}
		if err := table.write(out, rows); err != nil {
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
	c.width, c.uncut = 40, true
	long := strings.Repeat("x", 300)
	last := table{c, []column{{title: "NAME", cut: true}, {title: "ID", spare: 1}, {title: "WHAT", flex: true}}}
	if err := last.write(out, [][]cell{{{long, plain}, {"7", plain}, {long, plain}}}); err != nil {
		t.Fatal(err)
	}
	if want := "\n" + long + "  7   " + long + "\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("the last is bounded:\n%s", out)
	}
	before := table{c, []column{{title: "WHAT", flex: true}, {title: "WHO"}}}
	if err := before.write(out, [][]cell{{{long, plain}, {"ada", plain}}}); err != nil {
		t.Fatal(err)
	}
	if want := "\n" + long[:maxWidth-1] + "…  ada\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("what stands before others is not bounded:\n%s", out)
	}
	streamed := table{c, []column{{title: "TYPE", width: 5}, {title: "WHO", width: 3, cut: true}, {title: "WHAT", flex: true}}}.sized(nil)
	out2 := &safeBuffer{}
	if err := streamed.row(out2, cell{"longer", plain}, cell{"somebody", plain}, cell{long, plain}); err != nil || out2.String() != "longer  somebody  "+long+"\n" {
		t.Errorf("%v: %s", err, out2)
	}
}

// Names give way before an id does, and a flexible column may go.
func TestTableWithoutItsFlexibleColumn(t *testing.T) {
	c, out, _ := testConsole()
	c.width = 60
	table := table{c, []column{{title: "NAME", cut: true}, {title: "ID"}, {title: "MAY", flex: true, spare: 1}}}
	id := strings.Repeat("1", 36)
	if err := table.write(out, [][]cell{{{strings.Repeat("n", 50), plain}, {id, plain}, {"everything", plain}}}); err != nil {
		t.Fatal(err)
	}
	if want := "NAME" + strings.Repeat(" ", 20) + "ID\n" + strings.Repeat("n", 21) + "…  " + id + "\n"; out.String() != want {
		t.Errorf("\n%s\nwant:\n%s", out, want)
	}
}

func TestNarrowTableFits(t *testing.T) {
	c, out, _ := testConsole()
	c.width = 40
	table := table{c, []column{
		{title: "N", width: 3, right: true}, {title: "FROM", width: 12, spare: 1}, {title: "KIND", width: 4, spare: 2},
		{title: "TYPE", width: 22, cut: true}, {title: "WHAT", flex: true},
	}}.sized(nil)
	long := strings.Repeat("x", 50)
	for _, row := range [][]cell{
		{{"7", plain}, {"somebody", plain}, {"odd", plain}, {"type", plain}, {"what", plain}},
		{{"1,234,567", plain}, {"somebody", plain}, {"odd", plain}, {long, plain}, {long, plain}},
	} {
		if err := table.row(out, row...); err != nil {
			t.Fatal(err)
		}
	}
	want := "  7  type               what\n1,234,567  xxxxxxxxxxxxxxxx…  xxxxxxxxx…\n"
	if out.String() != want {
		t.Fatalf("\n%s\nwant:\n%s", out, want)
	}
}

func TestStreamedTableKeepsItsColumns(t *testing.T) {
	c, out, _ := testConsole()
	c.width = 40
	table := table{c, []column{{title: "N", width: 3, right: true}, {title: "WHO", width: 5, cut: true}, {title: "WHAT", flex: true}}}.sized(nil)
	if err := table.header(out); err != nil {
		t.Fatal(err)
	}
	if err := table.row(out, cell{"7", plain}, cell{"somebody", plain}, cell{strings.Repeat("x", 50), plain}); err != nil {
		t.Fatal(err)
	}
	want := "  N  WHO    WHAT\n  7  some…  " + strings.Repeat("x", 27) + "…\n"
	if out.String() != want {
		t.Fatalf("\n%s\nwant:\n%s", out, want)
	}
}
