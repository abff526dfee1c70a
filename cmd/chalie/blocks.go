package main

import (
	"fmt"
	"strings"

	"chalie/domain"
)

// blocks writes what Chalie says for a terminal. A table becomes a table, all
// else lines of text, as wide as the terminal.
func (c *console) blocks(blocks []domain.Block) error {
	for i, b := range blocks {
		if i > 0 {
			if _, err := fmt.Fprintln(c.out); err != nil {
				return err
			}
		}
		if err := c.block(b); err != nil {
			return err
		}
	}
	return nil
}

func (c *console) block(b domain.Block) error {
	if b["type"] == "table" {
		if headers, rows, ok := tableOf(b); ok {
			return c.blockTable(headers, rows)
		}
	}
	s := plain
	if b["type"] == "header" {
		s = bold
	}
	for line := range strings.Lines(domain.PlainText([]domain.Block{b})) {
		for _, part := range wrapped(oneLine(line), c.width) {
			if _, err := fmt.Fprintln(c.out, c.paint(s, part)); err != nil {
				return err
			}
		}
	}
	return nil
}

// tableOf reads a table block; false when it isn't one of texts.
func tableOf(b domain.Block) (headers []string, rows [][]string, ok bool) {
	headers, ok = textsOf(b["headers"])
	list, isList := b["rows"].([]any)
	for _, r := range list {
		row, good := textsOf(r)
		ok = ok && good && len(row) == len(headers)
		rows = append(rows, row)
	}
	return headers, rows, ok && isList && len(headers) > 0
}

func textsOf(v any) ([]string, bool) {
	list, ok := v.([]any)
	out := make([]string, len(list))
	for i, e := range list {
		text, good := e.(string)
		ok = ok && good
		out[i] = text
	}
	return out, ok
}

// blockTable gives the room to the first column, where the words mostly are.
func (c *console) blockTable(headers []string, rows [][]string) error {
	t := table{console: c}
	for i, h := range headers {
		t.columns = append(t.columns, column{title: strings.ToUpper(oneLine(h)), flex: i == 0, cut: i > 0})
	}
	cells := make([][]cell, len(rows))
	for i, row := range rows {
		for j, text := range row {
			s := plain
			if j == 0 {
				s = bold
			}
			cells[i] = append(cells[i], cell{oneLine(text), s})
		}
	}
	return t.write(c.out, cells)
}

// wrapped breaks a line between words; a word that is too long stays whole.
func wrapped(line string, columns int) []string {
	var out []string
	var current strings.Builder
	used := 0
	for word := range strings.FieldsSeq(line) {
		if used > 0 && used+1+columnsOf(word) > columns {
			out = append(out, current.String())
			current.Reset()
			used = 0
		}
		if used > 0 {
			current.WriteByte(' ')
			used++
		}
		current.WriteString(word)
		used += columnsOf(word)
	}
	return append(out, current.String())
}
