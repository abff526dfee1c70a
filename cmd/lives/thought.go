package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/replay/explain"
)

// thought is one cycle of Chalie's own accord with all its numbers. Things go by where they come
// from (see name), as ids and positions differ between builds that record otherwise.
type thought struct {
	Cycle     string           `json:"cycle"` // when it began
	Of        domain.SpineType `json:"of"`
	AsOf      domain.Millis    `json:"as_of"`
	Outcome   domain.Outcome   `json:"outcome"`
	Shown     domain.Showing   `json:"shown,omitempty"`
	Zone      string           `json:"zone"`
	Recent    []string         `json:"recent"`
	Over      domain.OverRule  `json:"over"`
	Items     []seen           `json:"items"`
	LeftOut   []seen           `json:"left_out"`
	Unlisted  int              `json:"unlisted"`
	Relations []related        `json:"relations"`
	Rejected  []rejected       `json:"rejected"`
	Evidence  []string         `json:"evidence"`
}

// seen is an item of the world as the cycle saw it.
type seen struct {
	Of       string          `json:"of"`
	Text     string          `json:"text,omitempty"`
	Kind     domain.ItemKind `json:"kind"`
	Phase    domain.Phase    `json:"phase,omitempty"`
	Moment   domain.Millis   `json:"moment,omitempty"`
	Salience domain.PPM      `json:"salience"`
	Bonus    domain.PPM      `json:"bonus,omitempty"`
	Gate     domain.Gate     `json:"gate,omitempty"`
}

type related struct {
	Signal     string     `json:"signal"`
	Commitment string     `json:"commitment"`
	Score      domain.PPM `json:"score"`
}

type rejected struct {
	Of      string      `json:"of"`
	Because string      `json:"because,omitempty"`
	Score   domain.PPM  `json:"score"`
	Gate    domain.Gate `json:"gate"`
	Detail  string      `json:"detail"`
}

// untold is why the person wasn't told of something.
type untold struct {
	WhyNot     string     `json:"why_not"`
	Sentences  []string   `json:"sentences"`
	Considered []decision `json:"considered"`
	Surfaced   string     `json:"surfaced,omitempty"`
	Cut        bool       `json:"cut"`
	Never      string     `json:"never,omitempty"`
}

type decision struct {
	In      string          `json:"in"` // the episode
	At      domain.Millis   `json:"at"`
	Kind    explain.Decider `json:"kind"`
	Gate    domain.Gate     `json:"gate"`
	Numbers explain.Numbers `json:"numbers"`
	Words   string          `json:"words"`
}

// thoughts gives every cycle, in order, with why not of it, and then why not of the signals:
// of those that somebody wrote, and of every so many of the others.
func (d *driver) thoughts(ctx context.Context, every int, take func(any) error) error {
	var cycles []domain.Record
	err := d.each(ctx, func(rec domain.Record) error {
		d.name(rec)
		if rec.Envelope.Type == domain.SpineSignalEmittedType {
			cycles = append(cycles, rec)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, opening := range cycles {
		one, err := d.thought(ctx, opening)
		if err == nil {
			err = take(one)
		}
		if err == nil && one.Shown == domain.ShownNot {
			err = d.whyNot(ctx, opening, take)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", d.names[opening.Envelope.ID], err)
		}
	}
	noise := 0
	for _, h := range d.life.happenings {
		if h.Signal == nil {
			continue
		}
		if h.Noise {
			if noise++; noise%every != 0 {
				continue
			}
		}
		if err := d.whyNot(ctx, *h.signal, take); err != nil {
			return fmt.Errorf("line %d: %w", h.line, err)
		}
	}
	return nil
}

// name names a record: by the line of the life that it is of; of a cycle by its moment; and
// what followed by its type, and the how-manieth of it in its trace.
func (d *driver) name(rec domain.Record) {
	e := rec.Envelope
	if d.names[e.ID] != "" {
		return
	}
	if e.Type == domain.SpineSignalEmittedType {
		d.names[e.ID] = d.numbered("cycle " + rec.Clock().Time().In(d.life.zone).Format(localTime))
		return
	}
	d.names[e.ID] = d.numbered(cmp.Or(d.names[e.Trace.ID], "other") + " " + string(e.Type))
}

func (d *driver) numbered(name string) string {
	d.steps[name]++
	if n := d.steps[name]; n > 1 {
		return fmt.Sprint(name, " ", n)
	}
	return name
}

func (d *driver) nameOf(id domain.ID) string {
	if id.IsZero() {
		return ""
	}
	return cmp.Or(d.names[id], "unknown")
}

func (d *driver) namesOf(ids []domain.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = d.nameOf(id)
	}
	return out
}

// thought reads a cycle back from the log.
func (d *driver) thought(ctx context.Context, opening domain.Record) (thought, error) {
	e := opening.Envelope
	kind, _ := domain.SpineTypeOf(e)
	out := thought{Cycle: d.names[e.ID], Of: kind}
	if domain.IsSilent(e) {
		cycle, err := d.silent.Cycle(ctx, opening)
		if err == nil && !d.silent.Agrees(opening, &cycle) {
			err = errors.New("a silent cycle comes to something else than when it was recorded")
		}
		if err == nil {
			d.begun(&out, cycle.Started)
			d.ended(&out, cycle.Ended)
		}
		return out, err
	}
	records, err := d.Log.Select(ctx, domain.Selector{Trace: e.Trace}, opening.Position, 100)
	if err != nil {
		return out, err
	}
	for _, rec := range records {
		switch rec.Envelope.Type {
		case domain.ReasoningStartedType:
			started, err := domain.Decode[domain.ReasoningStarted](rec.Envelope)
			if err != nil {
				return out, err
			}
			d.begun(&out, started)
		case domain.ReasoningConcludedType:
			end, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope)
			if err != nil {
				return out, err
			}
			d.ended(&out, end)
		}
	}
	return out, nil
}

func (d *driver) begun(t *thought, s domain.ReasoningStarted) {
	t.AsOf, t.Zone, t.Recent, t.Over, t.Unlisted = s.AsOf, s.Zone, d.namesOf(s.Recent), s.World.Over, s.World.Unlisted
	t.Items, t.LeftOut = d.seen(s.World.Items), d.seen(s.World.LeftOut)
	for _, r := range s.Relations {
		t.Relations = append(t.Relations, related{d.nameOf(r.Signal), d.nameOf(r.Commitment), r.Score})
	}
}

func (d *driver) seen(items []domain.SeenItem) []seen {
	out := make([]seen, len(items))
	for i, it := range items {
		out[i] = seen{Of: d.nameOf(it.EnvelopeID), Text: d.nameOf(it.TextID), Kind: it.Kind, Phase: it.Phase, Moment: it.Moment,
			Salience: it.Salience, Bonus: it.Bonus, Gate: it.Gate}
	}
	return out
}

func (d *driver) ended(t *thought, end domain.ReasoningConcluded) {
	t.Outcome, t.Shown = end.Outcome, end.Shown
	for _, r := range end.Rejected {
		t.Rejected = append(t.Rejected, rejected{d.nameOf(r.EnvelopeID), d.nameOf(r.Because), r.Score, r.Gate, r.Detail})
	}
	for _, ev := range end.Evidence {
		t.Evidence = append(t.Evidence, fmt.Sprintf("%s %s %d", ev.Role, d.nameOf(ev.EnvelopeID), ev.Weight))
	}
}

// whyNot asks why the person wasn't told of a record.
func (d *driver) whyNot(ctx context.Context, about domain.Record, take func(any) error) error {
	asked, err := explain.ParseQuestion(about.Envelope.ID.String())
	if err != nil {
		return err
	}
	told, err := explain.WhyNot(ctx, d.Log, asked, explain.Asking{Zone: d.life.zone})
	if err != nil {
		return err
	}
	out := untold{WhyNot: d.nameOf(about.Envelope.ID), Sentences: told.Sentences, Surfaced: d.nameOf(told.Surfaced), Cut: told.Cut, Never: string(told.Never)}
	for _, c := range told.Considered {
		out.Considered = append(out.Considered, decision{d.nameOf(c.Trace.ID), c.At, c.Kind, c.Gate, c.Numbers, c.Words})
	}
	return take(out)
}

// sum is how much was thought and recorded, in lines.
func (d *driver) sum(ctx context.Context) (string, error) {
	type count struct{ records, bytes int }
	counts, all := map[domain.EventType]count{}, count{}
	cycles, silent := 0, 0
	thinks := map[domain.TraceID]bool{}
	err := d.each(ctx, func(rec domain.Record) error {
		e, size := rec.Envelope, len(rec.Envelope.Payload.Bytes)
		c := counts[e.Type]
		counts[e.Type] = count{c.records + 1, c.bytes + size}
		all = count{all.records + 1, all.bytes + size}
		switch e.Type {
		case domain.SpineSignalEmittedType:
			cycles, thinks[e.Trace] = cycles+1, true
			if domain.IsSilent(e) {
				silent++
			}
		case domain.ReasoningConcludedType:
			end, err := domain.ConclusionOf(e)
			if err != nil {
				return err
			}
			if thinks[e.Trace] && end.Shown == domain.ShownNot {
				silent++
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	ends, err := d.ends(ctx)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "  %d records, %d bytes of payload; %d cycles, of which %d told nothing; %d things told unasked\n", all.records, all.bytes, cycles, silent, len(ends))
	for _, t := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&out, "  %7d %10d %s\n", counts[t].records, counts[t].bytes, t)
	}
	return out.String(), nil
}
