package main

import (
	"chalie/adapters/apiclient"
	"chalie/domain"
	"chalie/replay/narrate"
)

// recordPrinter writes records as they come: a table, or JSON lines.
type recordPrinter struct {
	console *console
	json    bool
	table   table
	headed  bool
}

func (c *console) recordPrinter(o *options) *recordPrinter {
	recorded := c.zoned(c.fitting("RECORDED", "WHEN"))
	return &recordPrinter{console: c, json: o.json, table: table{c, []column{
		{title: c.fitting("POSITION", "POS"), width: len(c.fitting("POSITION", "99,999")), right: true},
		{title: recorded, width: max(len(recorded), len(c.timeLayout()))},
		{title: "TYPE", width: 22}, {title: "WHO", width: 12, cut: true, spare: 1}, {title: "WHAT", flex: true},
	}}.sized(nil)}
}

// header writes the titles, once.
func (p *recordPrinter) header() error {
	if p.json || p.headed {
		return nil
	}
	p.headed = true
	return p.table.header(p.console.out)
}

func (p *recordPrinter) print(rec apiclient.Object[domain.Record]) error {
	c := p.console
	if p.json {
		return c.json(rec)
	}
	if err := p.header(); err != nil {
		return err
	}
	value, err := rec.Value()
	if err != nil {
		return err
	}
	e := value.Envelope
	return p.table.row(c.out,
		cell{grouped(uint64(value.Position)), faint}, cell{c.moment(value.RecordedAt), faint},
		cell{oneLine(string(e.Type)), plain}, cell{oneLine(string(e.Principal)), plain}, cell{narrate.Line(e), bold})
}
