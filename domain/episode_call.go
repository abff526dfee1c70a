package domain

import "slices"

// evolveCall folds what becomes of a tool call. What it needs is in keys, so
// an erased step counts, too.
func (e *Episode) evolveCall(env Envelope) {
	switch env.Type {
	case ToolInvokedType, CallRejectedType:
		reply, index, ok := CallOf(env)
		if !ok {
			return
		}
		at, ok := e.placeOf(reply, index)
		if !ok {
			return
		}
		made := e.at(at)
		if env.Type == CallRejectedType {
			e.Steps++
			*made = CallMade{State: CallEnded, End: env.ID, Outcome: env.Type}
			return
		}
		*made = CallMade{Invocation: env.ID, State: CallUnderWay}
		if e.invoked == nil {
			e.invoked = map[ID]place{}
		}
		e.invoked[env.ID] = at
		e.spent.tools++
		return
	}
	id, ok := InvocationOf(env)
	if !ok {
		return
	}
	at, ok := e.invoked[id]
	if !ok {
		return // a call inside a call
	}
	e.at(at).evolve(env, &e.spent)
}

func (c *CallMade) evolve(env Envelope, spent *spending) {
	switch env.Type {
	case ApprovalProposedType:
		c.State = CallWaiting
		spent.pause(env.Timestamp)
	case ApprovalGrantedType, ApprovalRefusedType, ApprovalExpiredType:
		c.State = CallUnderWay
		spent.resume(env.Timestamp)
	case ToolVerifiedType:
		c.Format = env.ID
	case ToolCompletedType, ToolFailedType, ToolOutcomeUnknownType:
		c.State, c.End, c.Outcome = CallEnded, env.ID, env.Type
	}
}

func (e *Episode) placeOf(reply ID, index int) (place, bool) {
	if e.IsAction() && reply == e.Opening.Envelope.ID && index == 0 {
		return place{call: -1}, true
	}
	n := slices.IndexFunc(e.Calls, func(c Called) bool { return c.ReplyID == reply })
	if n < 0 || index < 0 {
		return place{}, false
	}
	// Of an erased reply it isn't known how many calls it asked for.
	for len(e.Calls[n].Tools) <= index && e.Calls[n].Erased {
		e.Calls[n].Tools = append(e.Calls[n].Tools, CallMade{})
	}
	return place{n, index}, index < len(e.Calls[n].Tools)
}

func (e *Episode) at(p place) *CallMade {
	if p.call < 0 {
		return &e.Action
	}
	return &e.Calls[p.call].Tools[p.index]
}

// OpenCall is the first tool call of the last reply that has not ended, and its
// index; false when there is none. Of an erased reply only what was invoked can
// still come to an end.
func (e *Episode) OpenCall() (index int, made CallMade, ok bool) {
	last := e.LastCall()
	if last == nil || last.Final { // it was offered none
		return 0, CallMade{}, false
	}
	for i, m := range last.Tools {
		if m.State != CallEnded && !(last.Erased && m.State == CallOpen) {
			return i, m, true
		}
	}
	return 0, CallMade{}, false
}

// Waiting is the tool call that waits for the person's approval; false when none
// does.
func (e *Episode) Waiting() (CallMade, bool) {
	made := e.Action
	if !e.IsAction() {
		_, made, _ = e.OpenCall()
	}
	return made, made.State == CallWaiting
}

// underWay reports whether a tool call has begun and not ended. Nothing else is
// done before it has: its outcome has to be known.
func (e *Episode) underWay() (waiting, running bool) {
	made := e.Action
	if !e.IsAction() {
		_, made, _ = e.OpenCall()
	}
	return made.State == CallWaiting, made.State == CallUnderWay
}

// UsedAny reports whether a call by a name was made in the episode.
func (e *Episode) UsedAny(name string) bool {
	return slices.ContainsFunc(e.Calls, func(c Called) bool {
		return slices.ContainsFunc(c.Reply.ToolCalls, func(call ToolCall) bool { return call.Tool == name && slices.Contains(c.Offered, name) })
	})
}
