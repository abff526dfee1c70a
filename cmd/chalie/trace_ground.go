package main

import (
	"context"
	"fmt"
	"time"

	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/narrate"
)

// ground shows what the thinking in a trace rested on: the items it saw, as they
// were scored then, and which of them the answer names. A trace without any shows
// nothing.
func (c *cli) ground(ctx context.Context, api *apiclient.Client, t apiclient.Trace) error {
	records, err := values(t.Records)
	if err != nil {
		return err
	}
	var started *domain.ReasoningStarted
	named := map[domain.ID]string{}
	for _, rec := range records {
		switch rec.Envelope.Type {
		case domain.ReasoningStartedType:
			if p, err := domain.Decode[domain.ReasoningStarted](rec.Envelope); err == nil {
				started = &p
			}
		case domain.ReasoningConcludedType:
			if p, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope); err == nil {
				for _, e := range p.Evidence {
					named[e.EnvelopeID] = e.Role
				}
			}
		}
	}
	if started == nil || len(started.World.Items) == 0 {
		return nil
	}
	_, err = fmt.Fprintf(c.Out, "\nWhat it had in mind at %s, and %s left out (`%s` says why):\n\n",
		c.ZonedMoment(started.AsOf), counted(len(started.World.LeftOut), "item", "items"), "--json")
	if err != nil {
		return err
	}
	return c.seenItems(ctx, api, *started, named)
}

func (c *cli) seenItems(ctx context.Context, api *apiclient.Client, started domain.ReasoningStarted, named map[domain.ID]string) error {
	rows := make([][]term.Cell, 0, len(started.World.Items))
	for _, item := range started.World.Items {
		what, from, position, age := item.EnvelopeID.String(), "", "", ""
		if rec, ok := itemRecord(ctx, api, item); ok {
			what, from, position = narrate.Line(rec.Envelope), who(rec.Envelope), grouped(uint64(rec.Position))
			age = span(max(0, time.Duration(started.AsOf-rec.Clock())*time.Millisecond))
		}
		role := named[item.EnvelopeID]
		if role == "" {
			role = "–"
		}
		rows = append(rows, []term.Cell{
			term.Faint.Of(position), term.Plain.Of(item.Salience.String()), term.Bold.Of(what), term.Plain.Of(from), term.Plain.Of(age), term.Plain.Of(role),
		})
	}
	return c.Table([]term.Column{
		{Title: c.Fitting("POSITION", "POS"), Right: true}, {Title: "SALIENCE"}, {Title: "WHAT", Flex: true},
		{Title: "WHO", Cut: true, Spare: 2}, {Title: "AGE", Spare: 1}, {Title: "IN THE ANSWER"},
	}, rows)
}

// itemRecord is the record with an item's words: a signal opens a trace; what is
// planned was made or changed on the way.
func itemRecord(ctx context.Context, api *apiclient.Client, item domain.SeenItem) (domain.Record, bool) {
	if item.Kind == domain.ItemSignal {
		return opened(ctx, api, item.EnvelopeID)
	}
	return found(ctx, api, item.Text())
}

// found is the record of an envelope; false when there is none, or none that can be
// read.
func found(ctx context.Context, api *apiclient.Client, id domain.ID) (domain.Record, bool) {
	answer, err := api.Why(ctx, id.String(), time.UTC)
	if err != nil {
		return domain.Record{}, false
	}
	why, err := answer.Value()
	if err != nil || len(why.Nodes) == 0 {
		return domain.Record{}, false
	}
	node := why.Nodes[0]
	if node.ID != id {
		return domain.Record{}, false
	}
	page, err := api.Log(ctx, apiclient.LogQuery{From: node.Position, Limit: 1})
	if err != nil || len(page.Records) == 0 {
		return domain.Record{}, false
	}
	rec, err := page.Records[0].Value()
	return rec, err == nil && rec.Envelope.ID == id
}

// opened is the record that opened the trace of this id; false when there is none,
// or none that can be read.
func opened(ctx context.Context, api *apiclient.Client, id domain.ID) (domain.Record, bool) {
	page, err := api.Log(ctx, apiclient.LogQuery{Trace: id.String(), Limit: 1})
	if err != nil || len(page.Records) == 0 {
		return domain.Record{}, false
	}
	rec, err := page.Records[0].Value()
	return rec, err == nil
}
