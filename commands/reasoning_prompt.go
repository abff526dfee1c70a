package commands

import (
	"context"

	"chalie/domain"
)

// erasedText stands for what can't be read any more.
const erasedText = "(erased)"

// prompt is what the model is asked by the last call, put together from the log
// by the references of reasoning.started and model.called: asking again after a
// crash, or in a replay, asks the same.
func (r *Reasoner) prompt(ctx context.Context, ep *domain.Episode, msg domain.MessageReceived) (Prompt, error) {
	opening := ep.Opening.Envelope
	out := Prompt{
		AsOf: ep.Started.AsOf, Out: ep.Started.World.LeftOut,
		Asked: Asked{ID: opening.ID, Text: msg.Text, Source: msg.Source, Images: len(msg.ImageIDs), From: opening.Principal, Via: opening.Source},
	}
	if msg.Topic != nil {
		out.Asked.Topic = *msg.Topic
	}
	if string(msg.Metadata) != "null" {
		out.Asked.Metadata = msg.Metadata
	}
	for _, item := range ep.Started.World.Items {
		in, err := r.inMind(ctx, item)
		if err != nil {
			return Prompt{}, err
		}
		out.World = append(out.World, in)
	}
	for _, id := range ep.Started.Recent {
		rec, m, err := recall[domain.MessageReceived](ctx, r.cfg.Reader, id)
		if err != nil {
			return Prompt{}, err
		}
		out.Recent = append(out.Recent, Turn{Prompt: textOr(m, func(m domain.MessageReceived) string { return m.Text }), RecordedAt: rec.RecordedAt})
	}
	for _, id := range ep.LastCall().Steers {
		_, s, err := recall[domain.SteerReceived](ctx, r.cfg.Reader, id)
		if err != nil {
			return Prompt{}, err
		}
		out.Steers = append(out.Steers, textOr(s, func(s domain.SteerReceived) string { return s.Text }))
	}
	return out, nil
}

// inMind is an item of the world state with its text.
func (r *Reasoner) inMind(ctx context.Context, item domain.SeenItem) (InMind, error) {
	out := InMind{SeenItem: item, Label: erasedText}
	rec, sig, err := recall[domain.SignalReceived](ctx, r.cfg.Reader, item.EnvelopeID)
	if err != nil {
		return InMind{}, err
	}
	out.RecordedAt = rec.RecordedAt
	if sig == nil {
		return out, nil
	}
	out.Label, out.Source, out.SignalType = sig.Content, sig.Source, sig.SignalType
	if sig.Topic != nil {
		out.Topic = *sig.Topic
	}
	return out, nil
}

// recall reads an envelope by reference; nil when its text was erased, or the
// envelope itself is no longer kept.
func recall[P any](ctx context.Context, log domain.Reader, id domain.ID) (domain.Record, *P, error) {
	rec, err := log.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.Record{}, nil, nil
	}
	if err != nil {
		return domain.Record{}, nil, err
	}
	p, err := domain.Decode[P](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return rec, nil, nil
	}
	return rec, &p, err
}

func textOr[P any](p *P, text func(P) string) string {
	if p == nil {
		return erasedText
	}
	return text(*p)
}
