package reasoning

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/carry"
	"chalie/domain/language"
	"chalie/domain/language/tools"
)

// footing is what the open call rests on, by all that the model was shown before it, or
// by whose button it was. nil of a button of Chalie's own, and of a call from before words
// were marked.
func (r *Reasoner) footing(ctx context.Context, ep *domain.Episode, said openingEvent, call domain.ToolCall) (*domain.Footing, error) {
	if ep.IsAction() {
		return r.footingOfButton(ctx, said.action, call.Tool)
	}
	last := ep.LastCall()
	if last == nil || !last.Marked {
		return nil, nil
	}
	prompt, err := r.prompt(ctx, ep, said)
	if err != nil {
		return nil, err
	}
	out := &domain.Footing{OwnReading: r.isOwnReading(ep, prompt, call), Deed: call.Deed}
	if out.Said, err = r.saidFor(ctx, call.Deed); err != nil {
		return nil, err
	}
	offer, found := r.offerOf(call.Tool)
	source := ""
	if found && !offer.IsOwn() {
		source = domain.InterfaceWords(offer.Interface.ID)
		if out.Carried, err = r.carried(ctx, ep, prompt, call, offer); err != nil {
			return nil, err
		}
	}
	out.Words = domain.ForeignTo(last.Shown, source, len(out.Carried) > 0)
	return out, nil
}

// footingOfButton is what a button of a tool's answer rests on: that answer. Tools of the
// same source aren't foreign to it.
func (r *Reasoner) footingOfButton(ctx context.Context, pressed domain.ActionReceived, tool string) (*domain.Footing, error) {
	invocation, ok := pressed.AnswerOf()
	if !ok {
		return nil, nil
	}
	words := domain.Words{EnvelopeID: invocation, Kind: domain.WordsOfAnswer}
	rec, err := r.cfg.Reader.Find(ctx, invocation)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return nil, err
	}
	if asked, err := domain.Decode[domain.ToolInvoked](rec.Envelope); err == nil {
		words.Of = domain.InterfaceWords(asked.InterfaceID)
		if offer, found := r.offerOf(tool); found && !offer.IsOwn() && offer.Interface.ID == asked.InterfaceID {
			return nil, nil
		}
	}
	return &domain.Footing{Words: []domain.Words{words}}, nil
}

func (r *Reasoner) offerOf(name string) (domain.Offer, bool) {
	offers := r.cfg.Tools.Offers()
	for _, is := range []func(domain.Offer) bool{
		func(o domain.Offer) bool { return o.Name == name },
		func(o domain.Offer) bool { return o.GoesBy(name) },
	} {
		if i := slices.IndexFunc(offers, is); i >= 0 {
			return offers[i], true
		}
	}
	return domain.Offer{}, false
}

// isOwnReading reports whether the person's own words, read without a model, ask for
// this call. Answers that may quote others are no part of what is read.
func (r *Reasoner) isOwnReading(ep *domain.Episode, p language.Prompt, call domain.ToolCall) bool {
	if r.cfg.Sentences == nil || !ep.ByOperator() || len(call.Withheld) > 0 {
		return false
	}
	p.Recent = slices.Clone(p.Recent)
	for i := range p.Recent {
		if p.Recent[i].Foreign {
			p.Recent[i].Reply, p.Recent[i].Said, p.Recent[i].Done = "", nil, nil
		}
	}
	p.World = slices.DeleteFunc(slices.Clone(p.World), func(in language.ContextItem) bool { return in.Kind.IsHeard() })
	p.Related, p.Issues, p.Instead = nil, nil, ""
	return slices.ContainsFunc(r.cfg.Sentences.Hears(p), func(own domain.ToolCall) bool {
		return own.Tool == call.Tool && (own.FromNowOn || !call.FromNowOn) && tools.SameParams(own.Params, call.Params, p)
	})
}

// private is a text that isn't to leave unasked, with the envelope that has it.
type private struct {
	id   domain.ID
	text string
}

// carried are the envelopes of the private words that a call would take to an
// interface. What the person just said may go, and what went there before.
func (r *Reasoner) carried(ctx context.Context, ep *domain.Episode, p language.Prompt, call domain.ToolCall, to domain.Offer) ([]domain.ID, error) {
	p, err := r.withoutWordsOf(ctx, p, to)
	if err != nil {
		return nil, err
	}
	known := privateIn(ep, p)
	what := carry.Private{Texts: make([]string, len(known))}
	for i, k := range known {
		what.Texts[i] = k.text
	}
	if ep.ByOperator() {
		what.Said = append([]string{p.Asked.Text, p.Asked.Topic}, p.Steers...)
	}
	var before []json.RawMessage
	for _, d := range p.Done {
		if offer, found := r.offerOf(d.Call.Tool); found && offer.Interface.ID == to.Interface.ID {
			before = append(before, d.Call.Params)
		}
	}
	found := what.In(call.Params, before...)
	if !found.Any() {
		return nil, nil
	}
	sent, err := r.sentBefore(ctx, ep, to)
	if err != nil {
		return nil, err
	}
	what.Said = append(what.Said, sent...)
	found = what.In(call.Params, before...)
	var out []domain.ID
	for _, i := range found.Texts {
		if !slices.Contains(out, known[i].id) {
			out = append(out, known[i].id)
		}
	}
	if len(out) == 0 && found.Opaque {
		// It can't be known of which: all of them may be in it.
		for _, k := range known[:min(len(known), maxCarried)] {
			if !slices.Contains(out, k.id) {
				out = append(out, k.id)
			}
		}
	}
	return out, nil
}

// withoutWordsOf is a prompt without the messages in mind that an interface itself sent: they tell it
// nothing.
func (r *Reasoner) withoutWordsOf(ctx context.Context, p language.Prompt, to domain.Offer) (language.Prompt, error) {
	world := make([]language.ContextItem, 0, len(p.World))
	for _, in := range p.World {
		if in.Kind == domain.ItemMessage {
			words, theirs, err := r.whose(ctx, in.SeenItem)
			if err != nil {
				return p, err
			}
			if theirs && words.Of == domain.InterfaceWords(to.Interface.ID) {
				continue
			}
		}
		world = append(world, in)
	}
	p.World = world
	return p, nil
}

// maxCarried bounds what is named for something that can't be read.
const maxCarried = 8

// privateIn is what a prompt tells of memories, plans, messages and the conversation.
func privateIn(ep *domain.Episode, p language.Prompt) []private {
	var out []private
	add := func(id domain.ID, texts ...string) {
		if text := strings.TrimSpace(strings.Join(texts, "\n")); text != "" {
			out = append(out, private{id, text})
		}
	}
	known := func(in language.ContextItem) {
		if in.Kind != domain.ItemSignal {
			add(in.Text(), in.Label, in.Topic)
		}
	}
	for _, in := range p.World {
		known(in)
	}
	for _, rel := range p.Related {
		known(rel.Commitment)
	}
	for i, turn := range p.Recent {
		id := ep.Opening.Envelope.ID
		if i < len(ep.Started.Recent) && len(p.Recent) == len(ep.Started.Recent) {
			id = ep.Started.Recent[i]
		}
		add(id, turn.Prompt, turn.Reply)
	}
	for _, d := range p.Done {
		if d.Own {
			add(d.End, d.Text, string(d.Data), domain.PlainText(d.Blocks))
		}
	}
	return out
}

// sentBefore is what went to an interface in the exchanges that are looked back on:
// sending it once more tells it nothing.
func (r *Reasoner) sentBefore(ctx context.Context, ep *domain.Episode, to domain.Offer) ([]string, error) {
	const most = 64
	var out []string
	for _, id := range ep.Started.Recent {
		msg, err := r.cfg.Reader.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		records, err := r.cfg.Reader.Select(ctx, domain.Selector{Trace: msg.Envelope.Trace}, msg.Position, most)
		if err != nil {
			return nil, err
		}
		asked := map[domain.ID]string{}
		for _, rec := range records {
			switch rec.Envelope.Type {
			case domain.ToolInvokedType:
				p, err := domain.Decode[domain.ToolInvoked](rec.Envelope)
				if err == nil && p.InterfaceID == to.Interface.ID {
					asked[rec.Envelope.ID] = string(p.Params)
				}
			case domain.ToolDispatchedType:
				if id, ok := domain.InvocationOf(rec.Envelope); ok && asked[id] != "" {
					out = append(out, asked[id])
				}
			}
		}
	}
	return out, nil
}

// notOffered is why a call is refused that the model wasn't offered; nil when it was,
// or when there is no such tool at all, which is told otherwise.
func (r *Reasoner) notOffered(ep *domain.Episode, call domain.ToolCall) error {
	last := ep.LastCall()
	if ep.IsAction() || last == nil || !last.Marked || slices.Contains(last.Offered, call.Tool) {
		return nil
	}
	if offer, found := r.offerOf(call.Tool); !found || slices.Contains(last.Offered, offer.Name) {
		return nil
	}
	return &domain.Error{Op: "use tool", Category: domain.Policy, Code: "not_offered",
		Message: fmt.Sprintf("%s was not offered for this, so it was not called: use what was offered, or answer without", domain.Cut(call.Tool, domain.MaxToolNameBytes))}
}
