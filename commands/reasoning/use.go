package reasoning

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/commands/screen"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language"
)

// MaxOffered bounds how many tools a model is offered: more than it could choose
// from with sense, and what the models there are take.
const MaxOffered = 128

// offers are the tools that the next call to a model may ask for. Where the person
// didn't ask, these are what they marked for that; a program's message may ask for
// what changes something, too, and a cycle of Chalie's own accord may not. Where they
// did, they are Chalie's own and those of the interfaces that the words name; of all
// when they name none. What one interface says of its tools would else be read before
// every call to another's.
func (r *Reasoner) offers(ctx context.Context, ep *domain.Episode, said openingEvent) ([]domain.Offer, error) {
	all := r.cfg.Tools.Offers()
	if !ep.ByOperator() {
		return fairShare(slices.DeleteFunc(all, func(o domain.Offer) bool {
			m := r.cfg.Tools.Manifest(o)
			if m.SideEffects {
				return ep.Background()
			}
			return !m.Unasked || o.IsOwn() && apart(ep, said)
		})), nil
	}
	if !r.chooses(ep) {
		return fairShare(all), nil
	}
	wants, err := r.wants(ctx, ep, said)
	if err != nil {
		return nil, err
	}
	named := map[domain.ID]bool{}
	for _, o := range all {
		if !o.IsOwn() && (isAbout(wants, o) || ep.UsedAny(o.Name)) { // what was used goes on being there
			named[o.Interface.ID] = true
		}
	}
	if len(named) == 0 && !r.hearsOnlyOwn(ep, said, all) {
		return fairShare(all), nil
	}
	return fairShare(slices.DeleteFunc(all, func(o domain.Offer) bool { return !o.IsOwn() && !named[o.Interface.ID] })), nil
}

// hearsOnlyOwn reports whether the person's words ask for nothing but what Chalie
// itself can do, as far as they can be read without a model.
func (r *Reasoner) hearsOnlyOwn(ep *domain.Episode, said openingEvent, all []domain.Offer) bool {
	if r.cfg.Sentences == nil {
		return false
	}
	names := make([]string, len(all))
	for i, o := range all {
		names[i] = o.Name
	}
	heard := r.cfg.Sentences.Hears(language.Prompt{Kind: language.AskedMessage, AsOf: ep.Started.AsOf, Zone: said.zone(ep), Asked: asked(ep, said), Tools: r.offered(names)})
	return len(heard) > 0 && !slices.ContainsFunc(heard, func(call domain.ToolCall) bool {
		offer, found := r.offerOf(call.Tool)
		return !found || !offer.IsOwn()
	})
}

// fairShare are at most MaxOffered of the tools that there are, in their order. When
// there are more, Chalie's own come first and every interface has as many as the
// others, as far as it goes: one that offers very many must not hide the rest.
func fairShare(all []domain.Offer) []domain.Offer {
	if len(all) <= MaxOffered {
		return all
	}
	type place struct{ round, at int }
	seen := map[domain.ID]int{}
	places := make([]place, len(all))
	for i, o := range all {
		places[i].at = i
		if !o.IsOwn() {
			seen[o.Interface.ID]++
			places[i].round = seen[o.Interface.ID]
		}
	}
	domain.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.round, b.round) })
	places = places[:MaxOffered]
	domain.SortFunc(places, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	out := make([]domain.Offer, len(places))
	for i, p := range places {
		out[i] = all[p.at]
	}
	return out
}

// caller is on whose behalf an episode does what it does.
func (r *Reasoner) caller(ep *domain.Episode) commands.Caller {
	opening := ep.Opening.Envelope
	actor, _ := domain.ActingFor(opening)
	return commands.Caller{Name: actor, Source: reasoningSource, Principal: opening.Principal, Operator: ep.ByOperator()}
}

// useTool makes the next tool call, or continues it.
func (r *Reasoner) useTool(ctx context.Context, ep *domain.Episode, said openingEvent) error {
	call, parent, key, err := r.nextCall(ep, said)
	if err != nil {
		return r.refuseCall(ctx, ep, call, parent, key, err)
	}
	if ep.IsAction() && stateOf(ep) == domain.CallOpen {
		if _, _, decides := said.action.Decides(); decides && r.cfg.Approvals != nil {
			spoken, err := r.cfg.Approvals.Press(ctx, r.caller(ep), ep.Opening)
			if err != nil {
				return err
			}
			return r.sayPlainly(ctx, ep, spoken)
		}
		if call, err = r.ofSameSource(ctx, said.action, call); err != nil {
			return err
		}
	}
	if ep.ToolsLeft() == 0 && stateOf(ep) == domain.CallOpen {
		return r.refuseCall(ctx, ep, call, parent, key, tooManyCalls(ep))
	}
	var footing *domain.Footing
	if stateOf(ep) == domain.CallOpen {
		if err := r.notOffered(ep, call); err != nil {
			return r.refuseCall(ctx, ep, call, parent, key, err)
		}
		if footing, err = r.footing(ctx, ep, said, call); err != nil {
			return err
		}
	}
	in := invocationOf(ep, call, footing)
	in.Parent, in.CallKey, in.Cancelled, in.GivenUp = parent, key, !ep.Cancel.IsZero(), ep.GivenUp()
	done, err := r.cfg.Tools.Call(ctx, r.caller(ep), in)
	if err != nil && done.ID.IsZero() && isTheCallers(err) {
		return r.refuseCall(ctx, ep, call, parent, key, err)
	}
	return err
}

func invocationOf(ep *domain.Episode, call domain.ToolCall, footing *domain.Footing) tool.Invocation {
	_, channel := domain.ActingFor(ep.Opening.Envelope)
	return tool.Invocation{Tool: call.Tool, Params: call.Params, Channel: channel, Withheld: call.Withheld, Footing: footing,
		FromNowOn: call.FromNowOn && (ep.IsAction() || footing != nil && footing.OwnReading)}
}

// askAlong asks about the calls behind one that waits for the person, so that one answer can be for
// all of them. The first that needs no approval, or can't be made, waits for its turn, and all behind
// it do: what the person said in a row is done in that order.
func (r *Reasoner) askAlong(ctx context.Context, ep *domain.Episode) error {
	along := ep.AskedAlong()
	if len(along) == 0 {
		return nil
	}
	said, err := openingOf(ep)
	if err != nil || said.erased {
		return err
	}
	if err := commands.CatchUp(ctx, r.cfg.Applied, ep.Opening.Position); err != nil {
		return err
	}
	last := ep.LastCall()
	for _, i := range along {
		call := last.Reply.ToolCalls[i]
		if err := r.notOffered(ep, call); err != nil {
			return nil //nolint:nilerr // as below
		}
		footing, err := r.footing(ctx, ep, said, call)
		if err != nil {
			return err
		}
		in := invocationOf(ep, call, footing)
		in.Parent, in.CallKey, in.Along = last.ReplyID, domain.CallKey(last.ReplyID, i), true
		done, err := r.cfg.Tools.Call(ctx, r.caller(ep), in)
		if err != nil && !(done.ID.IsZero() && isTheCallers(err)) {
			return err
		}
		if err != nil || done.ID.IsZero() {
			return nil //nolint:nilerr // what is wrong with it is told when its turn comes
		}
	}
	return nil
}

// nextCall is the open call: the request, its parent and its key.
func (r *Reasoner) nextCall(ep *domain.Episode, said openingEvent) (domain.ToolCall, domain.ID, domain.Key, error) {
	if ep.IsAction() {
		id := ep.Opening.Envelope.ID
		params, err := said.action.Params()
		call := domain.ToolCall{Tool: said.action.Skill, Params: params, FromNowOn: said.action.FromNowOn()}
		if said.action.Marks != nil {
			call.Withheld = said.action.Marks.Redacted
		}
		return call, id, domain.CallKey(id, 0), err
	}
	last := ep.LastCall()
	index, _, _ := ep.OpenCall()
	key := domain.CallKey(last.ReplyID, index)
	if index >= len(last.Reply.ToolCalls) {
		return domain.ToolCall{}, last.ReplyID, key, nil // erased: it is under way, and only its end is needed
	}
	return last.Reply.ToolCalls[index], last.ReplyID, key, nil
}

// stateOf is the state of the open call.
func stateOf(ep *domain.Episode) domain.CallState {
	if ep.IsAction() {
		return ep.Action.State
	}
	_, made, _ := ep.OpenCall()
	return made.State
}

func tooManyCalls(ep *domain.Episode) error {
	return &domain.Error{Op: "use tool", Category: domain.Policy, Code: "too_many_calls",
		Message: fmt.Sprintf("%d tool calls have been made, the bound for one answer: answer with what there is", ep.Started.Limits.ToolCalls)}
}

// isTheCallers reports whether an error is about what was asked for, so that
// the caller can correct it.
func isTheCallers(err error) bool {
	category := domain.CategoryOf(err)
	return category == domain.Validation || category == domain.NotFound || category == domain.Policy
}

// refuseCall records that a call was not made, and why.
func (r *Reasoner) refuseCall(ctx context.Context, ep *domain.Episode, call domain.ToolCall, parent domain.ID, key domain.Key, why error) error {
	reason, plain := why.Error(), ""
	if e, ok := errors.AsType[*domain.Error](why); ok && e.Message != "" {
		reason = e.Message
	}
	if wrong, ok := errors.AsType[tool.Misfits](why); ok {
		reason, plain = wrong.Words(), kept(reason)
	}
	reason = kept(reason)
	entry, err := domain.New(lineage(ep, parent), r.cfg.IDs.NewID(), r.cfg.Now(), reasoningSource,
		domain.CallRejected{Tool: domain.Cut(screen.Text(call.Tool), domain.MaxNameBytes), Reason: reason, Plain: plain})
	if err != nil {
		return err
	}
	entry.Envelope.Keys = []domain.Key{key}
	entry.Envelope.Errors = []domain.Fault{{Code: domain.CodeOf(why), Category: domain.CategoryOf(why), Message: reason}}
	return r.step(ctx, ep, entry, domain.Condition{Key: key})
}

// kept is the reason for a refusal as it is recorded.
func kept(reason string) string {
	return domain.Cut(screen.Text(strings.ToValidUTF8(reason, "\uFFFD")), commands.MaxFaultBytes)
}
