package main

import (
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/narrate"
)

// recordPrinter writes records as they come: a table, or JSON lines. header has the
// titles of the table written before there is a record.
func (c *cli) recordPrinter() (emit func(apiclient.Object[domain.Record]) error, header func() error) {
	if c.json {
		return func(rec apiclient.Object[domain.Record]) error { return c.JSON(rec) }, func() error { return nil }
	}
	recorded := c.Zoned(c.Fitting("RECORDED", "WHEN"))
	rows := c.Rows([]term.Column{
		{Title: c.Fitting("POSITION", "POS"), Width: len(c.Fitting("POSITION", "99,999")), Right: true},
		{Title: recorded, Width: max(len(recorded), len(c.TimeLayout()))},
		{Title: "TYPE", Width: 22}, {Title: "WHO", Width: 12, Cut: true, Spare: 1}, {Title: "WHAT", Flex: true},
	})
	return func(object apiclient.Object[domain.Record]) error {
		rec, err := object.Value()
		if err != nil {
			return err
		}
		e := rec.Envelope
		return rows.Row(term.Faint.Of(grouped(uint64(rec.Position))), term.Faint.Of(c.Moment(rec.RecordedAt)),
			term.Plain.Of(string(e.Type)), term.Plain.Of(string(e.Principal)), term.Bold.Of(narrate.Line(e)))
	}, rows.Header
}
