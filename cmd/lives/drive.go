package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chalie/cmd/internal/inmemory"
	"chalie/domain"
	"chalie/domain/silence"
)

// driver lives a life.
type driver struct {
	*inmemory.Chalie
	life   *life
	names  map[domain.ID]string
	steps  map[string]int // of each trace and type, for names
	silent *silence.Reader
}

// live lives a life to its end.
func live(ctx context.Context, of *life, inSteps bool) (*driver, error) {
	chalie, err := inmemory.New(ctx, inmemory.Config{At: of.from, Zone: of.Zone, Build: "lives", InSteps: inSteps})
	if err != nil {
		return nil, err
	}
	d := &driver{Chalie: chalie, life: of, names: map[domain.ID]string{}, steps: map[string]int{}, silent: silence.NewReader(chalie.Log)}
	for i := range of.happenings {
		h := &of.happenings[i]
		if err := d.Until(ctx, h.at); err != nil {
			return nil, err
		}
		if err := d.happen(ctx, h); err != nil {
			return nil, fmt.Errorf("line %d: %w", h.line, err)
		}
	}
	return d, d.Until(ctx, of.to)
}

// happen has a line of the life happen.
func (d *driver) happen(ctx context.Context, h *happening) (err error) {
	from := d.Log.Tail() + 1
	defer func() {
		if rec, err := d.Log.Select(ctx, domain.Selector{}, from, 1); err == nil && len(rec) > 0 {
			d.names[rec[0].Envelope.ID] = fmt.Sprint("line ", h.line)
			h.signal = &rec[0]
		}
	}()
	switch {
	case h.Signal != nil:
		s := h.Signal
		_, err = d.Hear(ctx, inmemory.Program(s.Source), domain.SignalReceived{
			SignalType: s.Type, Source: s.Source, Content: s.Content, Topic: s.Topic, ActivationEnergy: s.Energy, Metadata: s.Metadata,
		})
	case h.Attention != "":
		err = d.Update(ctx, domain.ContextUpdated{Attention: &h.Attention})
	case h.Message != nil:
		_, err = d.Say(ctx, inmemory.Program(h.Message.Source), domain.MessageReceived{
			Text: h.Message.Text, Source: h.Message.Source, Topic: h.Message.Topic, Metadata: h.Message.Metadata, ImageIDs: []domain.ID{},
		})
	case h.Say != "":
		_, err = d.Say(ctx, inmemory.Person(), domain.MessageReceived{Text: h.Say, Source: domain.SaidInText, ImageIDs: []domain.ID{}})
	case h.Press != "":
		err = d.press(ctx, h)
	}
	return err
}

// press presses a button of the latest notice that has it. Where none has, as when something
// else was told than the life expects, nothing is pressed.
func (d *driver) press(ctx context.Context, h *happening) error {
	ends, err := d.ends(ctx)
	if err != nil {
		return err
	}
	for _, end := range slices.Backward(ends) {
		said, err := domain.SaidIn(end.Envelope, func(id domain.ID) (domain.Envelope, error) { return d.Find(ctx, id) })
		if err != nil {
			return err
		}
		if !strings.Contains(domain.PlainText(said.Blocks), h.On) {
			continue
		}
		for _, button := range domain.PressablesIn(said.Blocks) {
			if !strings.EqualFold(button.Label, h.Press) {
				continue
			}
			payload, err := json.Marshal(button.Payload)
			if err != nil {
				return err
			}
			skill, _ := button.Payload["skill"].(string)
			_, err = d.Press(ctx, domain.ActionReceived{Skill: skill, Payload: payload, Label: button.Label}, domain.ID{})
			return err
		}
	}
	return nil
}

// ends are the conclusions by which the person was told something unasked, oldest first.
func (d *driver) ends(ctx context.Context) (out []domain.Record, err error) {
	err = d.each(ctx, func(rec domain.Record) error {
		if rec.Envelope.Type != domain.ReasoningConcludedType {
			return nil
		}
		end, err := domain.ConclusionOf(rec.Envelope)
		if err == nil && (end.Shown == domain.ShownNotification || end.Shown == domain.ShownEscalation) {
			out = append(out, rec)
		}
		return err
	})
	return out, err
}

// each reads the log from its beginning.
func (d *driver) each(ctx context.Context, do func(domain.Record) error) error {
	return d.Each(ctx, 1, do)
}
