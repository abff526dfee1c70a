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
