package term

import (
	"fmt"
	"strings"

	"chalie/domain"
	"chalie/replay/narrate"
)

// Blocks writes what Chalie says for a terminal. A table becomes a table, all
// else lines of text, as wide as the terminal.
func (c *Console) Blocks(blocks []domain.Block) error {
	for i, b := range blocks {
		if i > 0 {
			if _, err := fmt.Fprintln(c.Out); err != nil {
				return err
			}
		}
		if err := c.block(b); err != nil {
			return err
		}
	}
	return nil
}

func (c *Console) block(b domain.Block) error {
	if b["type"] == "table" {
		if headers, rows, ok := tableOf(b); ok {
			return c.blockTable(headers, rows)
		}
	}
	s := Plain
	if b["type"] == "header" {
		s = Bold
	}
	for _, line := range c.Lines(b) {
		if _, err := fmt.Fprintln(c.Out, c.Paint(s, line)); err != nil {
			return err
		}
	}
	return nil
}

// Lines are those of a block that is no table, as wide as the terminal.
func (c *Console) Lines(b domain.Block) (out []string) {
	for line := range strings.Lines(domain.PlainText([]domain.Block{b})) {
		out = append(out, Wrap(narrate.OneLine(line), c.Width)...)
	}
	return out
}

// tableOf reads a table block; false when it isn't one of texts.
func tableOf(b domain.Block) (headers []string, rows [][]string, ok bool) {
	headers, ok = textsOf(b["headers"])
	list, isList := b["rows"].([]any)
	if made, ok := b["rows"].([][]string); ok { // it was made here, and didn't come as JSON
		isList = true
		for _, row := range made {
			list = append(list, row)
		}
	}
	for _, r := range list {
		row, good := textsOf(r)
		ok = ok && good && len(row) == len(headers)
		rows = append(rows, row)
	}
	return headers, rows, ok && isList && len(headers) > 0
}

func textsOf(v any) ([]string, bool) {
	if made, ok := v.([]string); ok {
		return made, true
	}
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
func (c *Console) blockTable(headers []string, rows [][]string) error {
	columns := make([]Column, len(headers))
	for i, h := range headers {
		columns[i] = Column{Title: strings.ToUpper(narrate.OneLine(h)), Flex: i == 0, Cut: i > 0}
	}
	cells := make([][]Cell, len(rows))
	for i, row := range rows {
		for j, text := range row {
			s := Plain
			if j == 0 {
				s = Bold
			}
			cells[i] = append(cells[i], s.Of(text))
		}
	}
	return c.Table(columns, cells)
}

// Sentences writes one after the other, each with its further lines indented.
func (c *Console) Sentences(all []string) error {
	for _, sentence := range all {
		for i, line := range Wrap(narrate.OneLine(sentence), c.Width-2) {
			indent := "  "
			if i == 0 {
				indent = ""
			}
			if err := c.Printf("%s%s\n", indent, line); err != nil {
				return err
			}
		}
	}
	return nil
}
