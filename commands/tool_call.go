package commands

import (
	"context"

	"chalie/domain"
)

// callAttempts bounds how often a call is looked at again because somebody else
// made a step of it at the same moment.
const callAttempts = 8

// Call makes a tool call of an episode, or goes on with it from where the log says
// it is. It is for callers who ask until it has ended, also after a crash:
//
//	what the log holds           what Call does
//	nothing                      judges, and records what is asked for and decided
//	decided, not dispatched      dispatches and calls: nothing has left so far; when
//	                             it is Cancelled, ends it as tool.failed
//	waits for the person         returns Invoked with Outcome approval.proposed
//	dispatched, without an end   asks again what changes nothing, with the same
//	                             Idempotency-Key; does what Chalie itself can do, for
//	                             had it been done, it had an end; and ends anything
//	                             else as tool.outcome_unknown
//	ended                        tells the end
//
// Two at once for the same CallKey wait for each other. When ctx ends before the
// call has left, it doesn't, and the error is retriable; a call that left is waited for.
//
// Errors: as Invoke's. Unlike there, an invocation whose next step can't be
// recorded stays as it is, for the next Call.
func (t *Tools) Call(ctx context.Context, c Caller, in Invocation) (Invoked, error) {
	if in.CallKey == "" || in.Key != "" {
		return Invoked{}, domain.Invalid("call tool", "call_key", "a tool call of an episode has a CallKey, and no Key of its caller's")
	}
	if err := ctx.Err(); err != nil {
		return Invoked{}, notBegun(err)
	}
	done, err := t.requests.enter(ctx, in.CallKey)
	if err != nil {
		return Invoked{}, err
	}
	defer done()
	var out Invoked
	for range callAttempts {
		if out, err = t.call(ctx, c, in); domain.CodeOf(err) != domain.CodeConditionFailed {
			return out, err
		}
	}
	return out, err
}

func (t *Tools) call(ctx context.Context, c Caller, in Invocation) (Invoked, error) {
	records, err := t.cfg.Reader.Select(ctx, domain.Selector{Key: in.CallKey}, 1, 1)
	if err != nil {
		return Invoked{}, err
	}
	if len(records) == 0 {
		return t.invoke(ctx, c, in, nil)
	}
	return t.goOnUnless(ctx, records[0], in.Cancelled)
}

// goOn takes an invocation from where the log says it is. Two at once wait for
// each other.
func (t *Tools) goOn(ctx context.Context, first domain.Record) (Invoked, error) {
	return t.goOnUnless(ctx, first, false)
}

// goOnUnless is goOn, and ends what is cancelled if nothing has left.
func (t *Tools) goOnUnless(ctx context.Context, first domain.Record, cancelled bool) (Invoked, error) {
	done, err := t.requests.enter(ctx, domain.InvocationKey(first.Envelope.ID))
	if err != nil {
		return Invoked{ID: first.Envelope.ID}, err
	}
	defer done()
	defer t.hold(first.Envelope.ID)()
	inv, err := t.resumed(ctx, first)
	if err != nil {
		return Invoked{ID: first.Envelope.ID}, err
	}
	if cancelled && inv.stage == domain.CourseAllowed {
		return t.end(context.WithoutCancel(ctx), inv, notDispatched(inv, "it was cancelled before the call was made"))
	}
	return t.carry(ctx, inv)
}

// carry takes an invocation that is decided to its end, or to where it waits for
// the person.
func (t *Tools) carry(ctx context.Context, inv *invoking) (Invoked, error) {
	// From here on it must come to an end, whoever goes away.
	work := context.WithoutCancel(ctx)
	switch inv.stage {
	case domain.CourseEnded:
		return toldAgain(inv)
	case domain.CourseDenied:
		return t.end(work, inv, denied(inv))
	case domain.CourseWaiting:
		return t.wait(work, inv)
	case domain.CourseDispatched:
		return t.interrupted(work, inv)
	}
	if inv.missing != nil {
		return t.end(work, inv, notDispatched(inv, inWords(inv.missing)))
	}
	if err := ctx.Err(); err != nil {
		if inv.goesOn() {
			return Invoked{ID: inv.id}, notBegun(err)
		}
		return t.end(work, inv, notDispatched(inv, "whoever asked for it went away before the call was made"))
	}
	if err := t.dispatch(work, inv); err != nil {
		if inv.goesOn() && domain.CodeOf(err) != domain.CodeOutcomeUnknown {
			return Invoked{ID: inv.id}, err
		}
		return t.abandon(work, inv, err)
	}
	if inv.offer.IsOwn() {
		return t.perform(work, inv)
	}
	e := t.execute(work, inv)
	e.state = t.state(work, inv, domain.AfterCall)
	return t.end(work, inv, e)
}

// interrupted settles an invocation that was dispatched and has no end.
func (t *Tools) interrupted(ctx context.Context, inv *invoking) (Invoked, error) {
	switch {
	case inv.missing != nil:
	case inv.offer.IsOwn():
		return t.perform(ctx, inv)
	case !inv.decision.SideEffects && inv.decision.Allowed && !inv.question.Manifest.SideEffects:
		inv.began = t.cfg.Now()
		return t.end(ctx, inv, t.execute(ctx, inv))
	}
	return t.end(ctx, inv, unknown(inv, domain.CodeInterrupted, "Chalie ended while the call was under way"+perhapsDone, 0))
}

// goesOn reports whether somebody will ask for it again, so that it may be left
// where it is.
func (inv *invoking) goesOn() bool { return inv.callKey != "" || !inv.course.Proposed.IsZero() }
