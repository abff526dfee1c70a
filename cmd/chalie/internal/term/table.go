package term

import (
	"io"
	"slices"
	"strings"

	"chalie/replay/narrate"
)

// Cell is one field of a table.
type Cell struct {
	lead  string // drawn before the text
	text  string
	style Style
}

// Of is a cell with a text, which may come from anywhere.
func (s Style) Of(text string) Cell { return Cell{text: narrate.OneLine(text), style: s} }

// Behind is the cell with something drawn before its text, such as a branch of a tree.
func (c Cell) Behind(drawn string) Cell {
	c.lead = drawn
	return c
}

// In is the cell in another style.
func (c Cell) In(s Style) Cell {
	c.style = s
	return c
}

func (c Cell) shown() string { return c.lead + c.text }

// Column is one column of a table.
type Column struct {
	Title string
	Width int  // at least so wide; of a table whose rows come one by one it has to be given
	Right bool // numbers
	Flex  bool // takes what the line has left, and is cut to it; one of a table may
	Cut   bool // is cut to its width rather than push the rest along
	Spare int  // is left out where room is scarce, the greater the sooner; 0 is never
}

const gap = "  "

// What is left to a flexible column, and to one that is cut, as long as there is
// another column to take it from.
const (
	minFlex = 16
	minCut  = 10
)

// Table writes titles and rows. Each row has a cell for each column.
func (c *Console) Table(columns []Column, rows [][]Cell) error {
	r := c.rows(columns, rows)
	if err := r.Header(); err != nil {
		return err
	}
	for _, row := range rows {
		if err := r.Row(row...); err != nil {
			return err
		}
	}
	return nil
}

// Rows writes a table as its rows come.
type Rows struct {
	console *Console
	columns []column
	headed  bool
}

// column is one that is shown.
type column struct {
	Column
	cell int // which of a row's is in it
}

// Rows begins a table whose rows come one by one, so that its columns need widths.
func (c *Console) Rows(columns []Column) *Rows { return c.rows(columns, nil) }

// rows makes every column as wide as its cells want, and the flexible one takes what is
// left. Where that is too little, spare columns go and others are cut.
func (c *Console) rows(columns []Column, rows [][]Cell) *Rows {
	r := &Rows{console: c}
	for i, col := range columns {
		widest := 0
		for _, row := range rows {
			widest = max(widest, Columns(row[i].shown()))
		}
		switch {
		case !col.Flex && col.Width == 0:
			col.Width = max(Columns(col.Title), widest)
		case col.Flex && widest > 0:
			col.Width = max(Columns(col.Title), widest)
		case col.Flex:
			col.Width = maxWidth // nobody knows yet
		}
		r.columns = append(r.columns, column{col, i})
	}
	if c.Uncut {
		return r
	}
	for r.left() < r.wanted() && r.leaveOneOut() {
	}
	for i := range r.columns {
		if col := &r.columns[i]; col.Cut && r.left() < r.wanted() {
			col.Width = min(col.Width, max(minCut, col.Width-(r.wanted()-r.left())))
		}
	}
	for i := range r.columns {
		if col := &r.columns[i]; col.Flex {
			col.Width = min(col.Width, max(1, r.left()))
		}
	}
	return r
}

// left is the room for the flexible column.
func (r *Rows) left() int {
	left := r.console.Width + len(gap)
	for _, col := range r.columns {
		left -= len(gap)
		if !col.Flex {
			left -= col.Width
		}
	}
	return left
}

// wanted is the room there should be for the flexible column.
func (r *Rows) wanted() int {
	if slices.ContainsFunc(r.columns, func(col column) bool { return col.Flex }) {
		return minFlex
	}
	return 0
}

// leaveOneOut leaves out the column that can best be spared, if there is one.
func (r *Rows) leaveOneOut() bool {
	best := slices.MaxFunc(r.columns, func(a, b column) int { return a.Spare - b.Spare })
	r.columns = slices.DeleteFunc(r.columns, func(col column) bool { return col.Spare > 0 && col.cell == best.cell })
	return best.Spare > 0
}

// cuts reports whether a cell of a column is cut to its width. Where nothing has to be,
// only the flexible one is that has others after it: they would be pushed out of sight.
func (r *Rows) cuts(i int) bool {
	if r.console.Uncut {
		return r.columns[i].Flex && i < len(r.columns)-1
	}
	return r.columns[i].Flex || r.columns[i].Cut
}

// Header writes the titles, once.
func (r *Rows) Header() error {
	if r.headed {
		return nil
	}
	r.headed = true
	var titles []Cell
	for _, col := range r.columns {
		for len(titles) <= col.cell {
			titles = append(titles, Cell{})
		}
		titles[col.cell] = Cell{text: col.Title, style: Faint}
	}
	return r.Row(titles...)
}

// Row writes one line, after the titles. Cells wider than their column push the rest
// along, unless they may be cut; the flexible one gives up room for them, so that the
// line still fits.
func (r *Rows) Row(cells ...Cell) error {
	if err := r.Header(); err != nil {
		return err
	}
	beyond := 0
	for _, col := range r.columns {
		if !col.Flex && !col.Cut {
			beyond += max(0, Columns(cells[col.cell].shown())-col.Width)
		}
	}
	var line strings.Builder
	for i, col := range r.columns {
		cell, wide := cells[col.cell], col.Width
		if col.Flex && !r.console.Uncut {
			wide = max(1, wide-max(0, beyond-(r.left()-wide)))
		}
		if col.Flex && r.console.Uncut {
			wide = min(wide, maxWidth)
		}
		text := cell.shown()
		if r.cuts(i) {
			text = Cut(text, wide)
		}
		padding := strings.Repeat(" ", max(0, wide-Columns(text)))
		painted := r.console.Paint(cell.style, text)
		if i > 0 {
			line.WriteString(gap)
		}
		if col.Right {
			line.WriteString(padding + painted)
		} else {
			line.WriteString(painted + padding)
		}
	}
	_, err := io.WriteString(r.console.Out, strings.TrimRight(line.String(), " ")+"\n")
	return err
}
