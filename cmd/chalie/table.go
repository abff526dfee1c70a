package main

import (
	"io"
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
// flexible ones sharing what is left.
func (t table) sized(rows [][]cell) table {
	columns := append([]column(nil), t.columns...)
	left, flexible := t.console.width, 0
	for i := range columns {
		col := &columns[i]
		if !col.flex && col.width == 0 {
			col.width = max(columnsOf(col.title), widestIn(rows, i))
		}
		if i > 0 {
			left -= len(gap)
		}
		if col.flex {
			flexible++
		} else {
			left -= col.width
		}
	}
	for i := range columns {
		col := &columns[i]
		if !col.flex {
			continue
		}
		col.width = max(minFlex, left/flexible)
		if widest := widestIn(rows, i); widest > 0 {
			col.width = min(col.width, max(widest, columnsOf(col.title)))
		}
	}
	return table{t.console, columns}
}

func widestIn(rows [][]cell, column int) int {
	widest := 0
	for _, row := range rows {
		widest = max(widest, columnsOf(row[column].text))
	}
	return widest
}

// minFlex columns are left to a flexible column even on a narrow terminal.
const minFlex = 16

// header writes the titles.
func (t table) header(out io.Writer) error {
	row := make([]cell, len(t.columns))
	for i, col := range t.columns {
		row[i] = cell{col.title, faint}
	}
	return t.row(out, row...)
}

// row writes one line. Cells wider than their column push the rest along, unless
// they may be cut.
func (t table) row(out io.Writer, cells ...cell) error {
	var line strings.Builder
	for i, col := range t.columns {
		text := cells[i].text
		if col.flex || col.cut {
			text = cut(text, col.width)
		}
		padding := strings.Repeat(" ", max(0, col.width-columnsOf(text)))
		painted := t.console.paint(cells[i].style, text)
		last := i == len(t.columns)-1
		switch {
		case col.right:
			line.WriteString(padding + painted)
		case last:
			line.WriteString(painted)
		default:
			line.WriteString(painted + padding)
		}
		if !last {
			line.WriteString(gap)
		}
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
