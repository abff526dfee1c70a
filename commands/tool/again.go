package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"chalie/commands"
	"chalie/commands/screen"
	"chalie/domain"
)

// Again takes an invocation that was asked for directly from its beginning: asked is
// its tool.invoked as it was recorded, which the log that is appended to doesn't hold
// yet. What is decided about it, and all that follows, is today's. It is for a
// replay.
//
// Errors: as Invoke's, of the log; and CodeUndecodable.
func (t *Tools) Again(ctx context.Context, asked domain.Record) (Invoked, error) {
	ctx = t.cfg.Act(ctx)
	if err := t.waitForRegime(ctx); err != nil {
		return Invoked{}, err
	}
	inv, err := t.asAsked(asked)
	if err != nil {
		return Invoked{}, err
	}
	if inv.question.Channel == domain.ChannelGateway {
		t.asPassed(inv)
	}
	if domain.CodeOf(inv.missing) == CodeSecretInParams {
		inv.missing = nil // the first caller had the secret; this call isn't made
	}
	if err := t.begin(ctx, inv); err != nil {
		return Invoked{ID: inv.id}, err
	}
	return t.carry(ctx, inv)
}

// asPassed makes an invocation one of an interface's own page: it need not be among
// what the interface offers.
func (t *Tools) asPassed(inv *invoking) {
	inv.question.CantWait, inv.missing = true, nil
	t.cfg.Book.Read(func(r *domain.Registry) {
		if face, ok := r.Interfaces[inv.offer.Interface.ID]; ok {
			inv.offer.Interface = face
		}
	})
	inv.offer.Tool = domain.Tool{Name: inv.offer.Tool.Name}
	inv.question.Manifest = t.cfg.Regime.Manifest(inv.offer)
}

// Resume takes an invocation from where the log says it is, as the next start does:
// what waits for the person or belongs to an episode goes on, and anything else
// that has no end is ended. first is its tool.invoked.
//
// Errors: those of the log, and CodeConditionFailed when another process made the next
// step.
func (t *Tools) Resume(ctx context.Context, first domain.Record) (Invoked, error) {
	out, ended, open, err := t.soFar(ctx, first)
	switch {
	case err != nil || ended:
		return out, err
	case open.GoesOn():
		return t.goOn(ctx, first)
	}
	return t.settle(ctx, out.ID, open)
}

// PeerFailure is the error of Peer that an invocation ended with, from the recorded
// end. For an end that no Peer is the reason of it is one all the same.
func PeerFailure(end domain.Envelope) error {
	out := &domain.Error{Op: "call interface", Category: domain.Dependency, Code: commands.CodePeerUnknown}
	if p, err := domain.Decode[domain.ToolFailed](end); err == nil {
		out.Code, out.Message = p.Reason, p.Detail
	} else if p, err := domain.Decode[domain.ToolOutcomeUnknown](end); err == nil {
		out.Code, out.Message = p.Reason, p.Detail
	}
	out.Message = strings.TrimSuffix(out.Message, domain.PerhapsDone)
	return out
}

// once is an invocation that must not happen a second time: the key that
// tool.invoked carries in the log, and the position from which it is looked for.
type once struct {
	key   domain.Key
	since domain.Position
}

// condition is that nobody has used the key since.
func (o once) condition() domain.Condition {
	return domain.Condition{Key: o.key, After: max(o.since, 1) - 1}
}

// invokeOnce is Invoke for an invocation with a Key. One that came before with the
// key is returned as it ended; nothing is judged or called then.
//
// Twins in this process wait for each other, within the bound. An invocation that
// the first left open, after a crash or when the log failed, is ended here as Recover
// would end it.
func (t *Tools) invokeOnce(ctx context.Context, c commands.Caller, in Invocation) (Invoked, error) {
	if len(in.Key) > commands.MaxRequestKeyBytes {
		return Invoked{}, domain.Invalid("invoke tool", "Idempotency-Key", fmt.Sprintf(
			"Idempotency-Key has %d bytes, the bound is %d: shorten it", len(in.Key), commands.MaxRequestKeyBytes))
	}
	key := commands.RequestKey(c, commands.Request{Route: "invoke " + in.Tool, Key: in.Key})
	done, err := t.enter(ctx, key)
	if err != nil {
		return Invoked{}, err
	}
	defer done()
	since, err := commands.RememberedSince(ctx, t.cfg.Reader, key, t.cfg.Now())
	if err != nil {
		return Invoked{}, err
	}
	use := once{key: key, since: since}
	first, found, err := t.first(ctx, use, in.Params)
	// An earlier build knew the caller otherwise.
	if was, after, known := c.Former(); known && !found && err == nil {
		former := commands.RequestKey(was, commands.Request{Route: "invoke " + in.Tool, Key: in.Key})
		first, found, err = t.first(ctx, once{key: former, since: max(since, after+1)}, in.Params)
	}
	if err != nil {
		return Invoked{}, err
	}
	if found {
		return t.again(ctx, first)
	}
	out, err := t.invoke(ctx, c, in, &use)
	if domain.CodeOf(err) != domain.CodeConditionFailed {
		return out, err
	}
	// Somebody else was quicker, and works on it.
	first, found, findErr := t.first(ctx, use, in.Params)
	switch {
	case findErr != nil:
		return Invoked{}, findErr
	case !found:
		return out, err
	}
	return t.await(ctx, first)
}

// enter waits until no twin is under way, for as long as a call may take.
func (t *Tools) enter(ctx context.Context, key domain.Key) (done func(), err error) {
	done, err = t.requests.EnterWithin(ctx, key, t.cfg.Within)
	if domain.CodeOf(err) == commands.CodeUnderWay {
		return nil, underWay(err)
	}
	return done, err
}

// first finds the invocation that used the key. Other parameters are a conflict;
// so are erased ones, which can't be told from others. Two secrets in the same place
// can't be told from each other: neither is kept.
func (t *Tools) first(ctx context.Context, use once, params json.RawMessage) (domain.Record, bool, error) {
	records, err := t.cfg.Reader.Select(ctx, domain.Selector{Key: use.key}, use.since, 1)
	if err != nil || len(records) == 0 {
		return domain.Record{}, false, err
	}
	given, err := domain.NormalParams(params)
	if err != nil {
		return domain.Record{}, true, err
	}
	given, _ = screen.Params(given) // what was stored is without secrets, too
	invoked, err := domain.Decode[domain.ToolInvoked](records[0].Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return domain.Record{}, true, err
	}
	if err != nil || !bytes.Equal(invoked.Params, given) {
		return domain.Record{}, true, &domain.Error{Op: "invoke tool", Category: domain.Conflict, Code: "key_reused", Field: "Idempotency-Key",
			Message: "this Idempotency-Key came with other params within the last 24 hours: use a new key for a new invocation"}
	}
	return records[0], true, nil
}

// again returns the end of an invocation that isn't under way in this process, and
// ends it first if it has none.
func (t *Tools) again(ctx context.Context, first domain.Record) (Invoked, error) {
	out, ended, open, err := t.soFar(ctx, first)
	switch {
	case err != nil || ended:
	case open.GoesOn():
		out, err = t.goOn(ctx, first)
	default:
		out, err = t.settle(context.WithoutCancel(ctx), out.ID, open)
	}
	out.Replayed = err == nil
	return out, err
}

// await waits for the end of an invocation that another goroutine makes.
func (t *Tools) await(ctx context.Context, first domain.Record) (Invoked, error) {
	bounded, cancel := context.WithTimeout(ctx, t.cfg.Within)
	defer cancel()
	for {
		out, ended, open, err := t.soFar(ctx, first)
		if err == nil && !ended && open.GoesOn() {
			out, err = t.goOn(ctx, first)
			ended = true
		}
		if err != nil || ended {
			out.Replayed = err == nil
			return out, err
		}
		if !commands.Sleep(bounded, pauseBetween) {
			return out, underWay(bounded.Err())
		}
	}
}

// soFar reads how far an invocation has come, and its end if it has one.
func (t *Tools) soFar(ctx context.Context, first domain.Record) (out Invoked, ended bool, open domain.OpenInvocation, err error) {
	out.ID = first.Envelope.ID
	const most = 16 // an invocation has four steps
	records, err := t.cfg.Reader.Select(ctx, domain.Selector{Key: domain.InvocationKey(out.ID)}, first.Position, most)
	if err != nil {
		return out, false, open, err
	}
	fold := domain.Invocations{}
	fold.Evolve(first)
	for _, rec := range records {
		if rec.Envelope.Kind == domain.KindResult {
			out, err = invokedOf(out.ID, rec.Envelope)
			return out, true, open, err
		}
		fold.Evolve(rec)
	}
	return out, false, fold.Open[out.ID], nil
}

func underWay(cause error) error {
	return &domain.Error{Op: "invoke tool", Category: domain.Conflict, Code: commands.CodeUnderWay, Retriable: true, Field: "Idempotency-Key", Err: cause,
		Message: "an invocation with this Idempotency-Key is still under way: ask again with the same key to learn what came of it; it isn't called a second time"}
}

// resumed is an invocation as the log knows it.
func (t *Tools) resumed(ctx context.Context, first domain.Record) (*invoking, error) {
	course, err := t.course(ctx, first)
	if err != nil {
		return nil, err
	}
	inv, err := t.asAsked(first)
	if err != nil {
		return nil, err
	}
	inv.decision, inv.last, inv.through, inv.stage, inv.course = course.Decided, course.Last, course.Through, course.Stage(), course
	return inv, nil
}

// asAsked is an invocation as tool.invoked tells it.
func (t *Tools) asAsked(first domain.Record) (*invoking, error) {
	e := first.Envelope
	inv := &invoking{id: e.ID, lineage: domain.Lineage{Trace: e.Trace, Parent: e.Parent, Principal: e.Principal}, source: e.Source}
	if reply, index, ok := domain.CallOf(e); ok {
		inv.callKey = domain.CallKey(reply, index)
	}
	asked, err := domain.Decode[domain.ToolInvoked](e)
	switch {
	case domain.CodeOf(err) == domain.CodeErased:
		inv.missing = &domain.Error{Op: "invoke tool", Category: domain.NotFound, Code: domain.CodeErased, Err: err,
			Message: "what it was to do was erased meanwhile"}
		return inv, nil
	case err != nil:
		return nil, err
	}
	inv.params, inv.kept, inv.marks, inv.zone = asked.Params, asked.Params, asked.Marks, asked.Zone
	inv.question = domain.Invoking{InvocationID: e.ID, ParentInvocationID: asked.ParentInvocationID, Depth: asked.Depth, Actor: asked.Actor, Channel: asked.Channel, Unconfirmed: asked.Unconfirmed}
	inv.offer, inv.missing = t.offered(asked.InterfaceID, asked.Tool)
	inv.question.Manifest = t.cfg.Regime.Manifest(inv.offer)
	if inv.missing == nil {
		inv.missing = t.recallSecret(inv)
	}
	return inv, nil
}

// course folds what the log has of an invocation.
func (t *Tools) course(ctx context.Context, first domain.Record) (domain.InvocationState, error) {
	const page = 64
	var course domain.InvocationState
	if err := course.Evolve(first); err != nil {
		return course, err
	}
	for from, n := first.Position+1, page; n == page; {
		records, err := t.cfg.Reader.Select(ctx, domain.Selector{Key: domain.InvocationKey(first.Envelope.ID)}, from, page)
		if err != nil {
			return course, err
		}
		for _, rec := range records {
			if err := course.Evolve(rec); err != nil {
				return course, err
			}
			from = rec.Position + 1
		}
		n = len(records)
	}
	return course, nil
}

// offered is a tool by whose it is and its own name there. The error says why it
// can't be called now; the offer then names it all the same.
func (t *Tools) offered(whose domain.ID, name string) (offer domain.Offer, err error) {
	offer = domain.Offer{Name: name, Tool: domain.Tool{Name: name}, Interface: &domain.Interface{ID: whose}}
	gone := fmt.Sprintf("%s isn't offered any more", name)
	t.cfg.Book.Read(func(r *domain.Registry) {
		for _, o := range r.OffersBeside(t.own.face) {
			if o.Interface.ID == whose && o.Tool.Name == name {
				offer, gone = o, ""
				return
			}
		}
		if i, ok := r.Interfaces[whose]; ok {
			gone = fmt.Sprintf("%s, which offers %s, is %s now", i.Name, name, i.Status())
		}
	})
	if gone != "" {
		return offer, &domain.Error{Op: "invoke tool", Category: domain.NotFound, Code: domain.CodeNoTool, Message: gone}
	}
	return offer, nil
}

// caller is the caller that asked for it, as far as the log knows.
func (inv *invoking) caller() commands.Caller {
	return commands.Caller{Name: inv.question.Actor, Source: inv.source, Principal: inv.lineage.Principal,
		Operator: inv.lineage.Principal == domain.PrincipalOperator}
}

// toldAgain tells an end that was recorded before.
func toldAgain(inv *invoking) (Invoked, error) {
	out, err := invokedOf(inv.id, inv.course.End.Envelope)
	out.Issues = inv.course.Issues
	return out, err
}
