package main

import (
	"fmt"
	"strings"

	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

// faults writes what went wrong in a trace, in full: in the tree it is cut to its
// line.
func (c *cli) faults(records []domain.Record) error {
	title := "\nWhat went wrong:\n\n"
	for _, rec := range records {
		for _, f := range rec.Envelope.Errors {
			where := fmt.Sprintf("%s %s", grouped(uint64(rec.Position)), oneLine(string(rec.Envelope.Type)))
			text := fmt.Sprintf("%s (%s)", strings.TrimSuffix(oneLine(f.Message), "."), oneLine(string(f.Code)))
			lines := strings.Join(term.Wrap(text, c.Width-4), "\n    ")
			if _, err := fmt.Fprintf(c.Out, "%s  %s\n    %s\n", title, c.Paint(term.Faint, where), lines); err != nil {
				return err
			}
			title = ""
		}
	}
	return nil
}
