package reasoning

import (
	"context"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/deed"
)

// deedsLookBack bounds the exchanges in which a message may answer questions, one after the other.
const deedsLookBack = 3

// withDeeds are the calls of a reply, each that may change something with what of the person's words
// names its deed. What a model that isn't moved hands on is kept; no other can say it.
func (r *Reasoner) withDeeds(ctx context.Context, ep *domain.Episode, model Model, p language.Prompt, calls []domain.ToolCall) ([]domain.ToolCall, error) {
	out := slices.Clone(calls)
	for i, call := range out {
		if call.Deed != nil && unmoved(model) {
			continue
		}
		out[i].Deed = nil
		offer, found := r.offerOf(call.Tool)
		if !found || !ep.ByOperator() || ep.Background() || !r.cfg.Tools.Manifest(offer).SideEffects {
			continue
		}
		does := deed.Of(offer.Tool.Name, offer.Tool.Description, offer.Tool.Parameters, call.Params)
		named, err := r.deedOf(ctx, ep, p, call, offer, does)
		if err != nil {
			return nil, err
		}
		if len(named.Words)+len(named.Against) == 0 && does.Looks() {
			continue
		}
		if len(named.Words) == 0 && offer.IsOwn() && (unmoved(model) || r.isOwnReading(ep, p, call)) {
			// Chalie's own sentences are read by a grammar, which took all of it.
			named = domain.Deed{Words: []domain.DeedWords{{EnvelopeID: p.Asked.ID, To: len(strings.Fields(p.Asked.Text))}}}
		}
		out[i].Deed = &named
	}
	return out, nil
}

// deedOf is what of the person's words names what a call does: of what they say now, or else of what
// they answer with it.
func (r *Reasoner) deedOf(ctx context.Context, ep *domain.Episode, p language.Prompt, call domain.ToolCall, offer domain.Offer, does deed.Deed) (domain.Deed, error) {
	named := wordsOf(does, p.Asked.ID, p.Asked.Text)
	for i, text := range p.Steers {
		if steers := ep.LastCall().Steers; i < len(steers) {
			more := wordsOf(does, steers[i], text)
			named.Words, named.Against = append(named.Words, more.Words...), append(named.Against, more.Against...)
		}
	}
	if len(named.Words) > 0 {
		named.Against = nil
		return named, nil
	}
	if len(named.Against) > 0 {
		return named, nil
	}
	return r.answeredDeed(ctx, ep, p, call, offer, does)
}

// answeredDeed is what names a call's deed in what the person answers, or goes on with. What they said
// the contrary of before, without anything having been done, is still against it.
func (r *Reasoner) answeredDeed(ctx context.Context, ep *domain.Episode, p language.Prompt, call domain.ToolCall, offer domain.Offer, does deed.Deed) (domain.Deed, error) {
	none := domain.Deed{Words: []domain.DeedWords{}}
	answer := domain.DeedWords{EnvelopeID: p.Asked.ID, To: len(strings.Fields(p.Asked.Text))}
	for n, id := range slices.Backward(ep.Started.Recent) {
		if len(ep.Started.Recent)-n > deedsLookBack {
			break
		}
		turn, err := r.turn(ctx, id)
		if err != nil || turn.prompt != nil {
			return none, err
		}
		before := wordsOf(does, id, turn.Prompt)
		acted := slices.ContainsFunc(turn.Done, func(d language.Done) bool { return d.Outcome == domain.ToolCompletedType })
		goesOn := acted && deed.GoesOn(p.Asked.Text) && slices.ContainsFunc(turn.Done, func(d language.Done) bool { return offer.GoesBy(d.Call.Tool) || d.Call.Tool == offer.Name })
		asked := !acted && turn.Asks()
		answers := asked && deed.Answers(p.Asked.Text, call.Params)
		switch {
		case !acted && len(before.Words) == 0 && len(before.Against) > 0:
			return domain.Deed{Words: []domain.DeedWords{}, Against: before.Against}, nil
		case !goesOn && !answers && !(asked && deed.MayAnswer(p.Asked.Text)):
			return none, nil
		case len(before.Words) > 0:
			return domain.Deed{Words: append(before.Words, answer)}, nil
		case answers && does.IsNamedIn(turn.Reply):
			return domain.Deed{Words: []domain.DeedWords{answer, {EnvelopeID: id}}}, nil
		case goesOn:
			return none, nil
		}
	}
	return none, nil
}

// wordsOf are the words of a text that name a deed, by the envelope that has it.
func wordsOf(does deed.Deed, id domain.ID, text string) domain.Deed {
	at := func(all []deed.Span) []domain.DeedWords {
		out := []domain.DeedWords{}
		for _, s := range all[:min(len(all), language.MaxReadings)] {
			out = append(out, domain.DeedWords{EnvelopeID: id, From: s.From, To: s.To})
		}
		return out
	}
	words := does.In(text)
	return domain.Deed{Words: at(words.Named), Against: at(words.Against)}
}

// saidFor are the words by which a deed is named, or else those against it, as they were said.
func (r *Reasoner) saidFor(ctx context.Context, named *domain.Deed) (string, error) {
	if named == nil {
		return "", nil
	}
	all := named.Words
	if len(all) == 0 {
		all = named.Against
	}
	var out []string
	for _, w := range all {
		rec, err := r.cfg.Reader.Find(ctx, w.EnvelopeID)
		if domain.CategoryOf(err) == domain.NotFound {
			continue
		}
		if err != nil {
			return "", err
		}
		if said := w.In(rec.Envelope); said != "" && !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return domain.Cut(strings.Join(out, " … "), maxSaidFor), nil
}

// maxSaidFor bounds what is shown of the words that name a deed, in bytes.
const maxSaidFor = 120
