package commands

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"chalie/domain"
)

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
// key is told as it ended; nothing is judged or called then.
//
// Twins in this process wait for each other, within the bound. What the first has
// recorded and nobody works on any more, after a crash or when the log failed, is
// ended here as Recover would end it.
func (t *Tools) invokeOnce(ctx context.Context, c Caller, in Invocation) (Invoked, error) {
	if len(in.Key) > MaxRequestKeyBytes {
		return Invoked{}, domain.Invalid("invoke tool", "Idempotency-Key", fmt.Sprintf(
			"Idempotency-Key has %d bytes, the bound is %d: shorten it", len(in.Key), MaxRequestKeyBytes))
	}
	key := requestKey(c, Request{Route: "invoke " + in.Tool, Key: in.Key})
	done, err := t.enter(ctx, key)
	if err != nil {
		return Invoked{}, err
	}
	defer done()
	since, err := remembered(ctx, t.cfg.Reader, key, t.cfg.Now())
	if err != nil {
		return Invoked{}, err
	}
	use := once{key: key, since: since}
	first, found, err := t.first(ctx, use, in.Params)
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
	bounded, cancel := context.WithTimeout(ctx, t.cfg.Within)
	defer cancel()
	done, err = t.requests.enter(bounded, key)
	if err != nil && ctx.Err() == nil {
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
	given, _ = screenParams(given) // what was stored is without secrets, too
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

// again tells the end of an invocation that nobody in this process works on, and
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

// await waits for the end of an invocation that somebody else works on.
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
		if !sleep(bounded, pauseBetween) {
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
			out, err = told(out.ID, rec.Envelope)
			return out, true, open, err
		}
		fold.Evolve(rec)
	}
	return out, false, fold.Open[out.ID], nil
}

func underWay(cause error) error {
	return &domain.Error{Op: "invoke tool", Category: domain.Conflict, Code: "under_way", Retriable: true, Field: "Idempotency-Key", Err: cause,
		Message: "an invocation with this Idempotency-Key is still under way: ask again with the same key to learn what came of it; it isn't called a second time"}
}
