package main

import (
	"io"
	"slices"
	"strings"
)

// style is how a cell stands out on a terminal that has colours.
type style string

const (
	plain  style = ""
	bold   style = "1"
	faint  style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
)

// paint writes a text in a style, if the terminal has any.
func (c *console) paint(s style, text string) string {
	if !c.colour || s == plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// cell is one field of a table.
type cell struct {
	text  string
	style style
}

// column is one column of a table. A width of 0 is as wide as the widest cell.
type column struct {
	title string
	width int
	right bool // numbers
	flex  bool // takes what the line has left, and is cut to it
	cut   bool // is cut to its width rather than push the rest along
	spare int  // is left out where room is scarce, the greater the sooner; 0 is never

	hidden bool // is left out
}

const gap = "  "

// table writes rows of cells under each other. With fixed widths in every
// column it can be written as rows come; otherwise rows are handed over
// together.
type table struct {
	console *console
	columns []column
}

// sized is the table with every column as wide as its cells want, and the
// flexible one taking what is left. Where that is too little, spare columns go
// and others are cut.
func (t table) sized(rows [][]cell) table {
	t.columns = slices.Clone(t.columns)
	for i := range t.columns {
		if col := &t.columns[i]; !col.flex && col.width == 0 {
			col.width = max(columnsOf(col.title), widestIn(rows, i))
		}
	}
	if t.console.uncut {
		return t.uncut(rows)
	}
	for t.left() < t.wanted() && t.hideOne() {
	}
	for i := range t.columns {
		if col := &t.columns[i]; col.cut && !col.hidden && t.left() < t.wanted() {
			col.width = min(col.width, max(minCut, col.width-(t.wanted()-t.left())))
		}
	}
	for i := range t.columns {
		col := &t.columns[i]
		if !col.flex {
			continue
		}
		col.width = max(1, t.left())
		if widest := widestIn(rows, i); widest > 0 {
			col.width = min(col.width, max(widest, columnsOf(col.title)))
		}
	}
	return t
}

// uncut is the table with the flexible column as wide as its cells, too. Only
// where others stand after it, it is bounded: they would be pushed out of sight.
func (t table) uncut(rows [][]cell) table {
	for i := range t.columns {
		if col := &t.columns[i]; col.flex {
			col.width = max(columnsOf(col.title), min(widestIn(rows, i), maxWidth))
		}
	}
	return t
}

// cuts reports whether a cell of a column is cut to its width.
func (t table) cuts(i int) bool {
	col := t.columns[i]
	if t.console.uncut {
		return col.flex && i < len(t.columns)-1
	}
	return col.flex || col.cut
}

// wanted is the room there should be for the flexible column.
func (t table) wanted() int {
	for _, col := range t.columns {
		if col.flex && !col.hidden {
			return minFlex
		}
	}
	return 0
}

// left is the room for the flexible column.
func (t table) left() int {
	left := t.console.width + len(gap)
	for _, col := range t.columns {
		if col.hidden {
			continue
		}
		left -= len(gap)
		if !col.flex {
			left -= col.width
		}
	}
	return left
}

// hideOne leaves out the column that can best be spared, if there is one.
func (t table) hideOne() bool {
	best := -1
	for i, col := range t.columns {
		if col.spare > 0 && !col.hidden && (best < 0 || col.spare > t.columns[best].spare) {
			best = i
		}
	}
	if best >= 0 {
		t.columns[best].hidden = true
	}
	return best >= 0
}

func widestIn(rows [][]cell, column int) int {
	widest := 0
	for _, row := range rows {
		widest = max(widest, columnsOf(row[column].text))
	}
	return widest
}

// What is left to a flexible column, and to one that is cut, as long as there is
// another column to take it from.
const (
	minFlex = 16
	minCut  = 10
)

// header writes the titles.
func (t table) header(out io.Writer) error {
	row := make([]cell, len(t.columns))
	for i, col := range t.columns {
		row[i] = cell{col.title, faint}
	}
	return t.row(out, row...)
}

// row writes one line. Cells wider than their column push the rest along, unless
// they may be cut; the flexible one gives up room for them, so that the line
// still fits.
func (t table) row(out io.Writer, cells ...cell) error {
	beyond := 0
	for i, col := range t.columns {
		if !col.hidden && !col.flex && !col.cut {
			beyond += max(0, columnsOf(cells[i].text)-col.width)
		}
	}
	var line strings.Builder
	between := ""
	for i, col := range t.columns {
		if col.hidden {
			continue
		}
		text, wide := cells[i].text, col.width
		if col.flex && !t.console.uncut {
			wide = max(1, wide-max(0, beyond-(t.left()-col.width)))
		}
		if t.cuts(i) {
			text = cut(text, wide)
		}
		padding := strings.Repeat(" ", max(0, wide-columnsOf(text)))
		painted := t.console.paint(cells[i].style, text)
		line.WriteString(between)
		if col.right {
			line.WriteString(padding + painted)
		} else {
			line.WriteString(painted + padding)
		}
		between = gap
	}
	_, err := io.WriteString(out, strings.TrimRight(line.String(), " ")+"\n")
	return err
}

// write writes titles and rows.
func (t table) write(out io.Writer, rows [][]cell) error {
	t = t.sized(rows)
	if err := t.header(out); err != nil {
		return err
	}
	for _, row := range rows {
		if err := t.row(out, row...); err != nil {
			return err
		}
	}
	return nil
}
