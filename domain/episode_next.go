package domain

// Move is the next need of an episode. Each is recorded before its effect.
type Move string

// The moves.
const (
	MoveNone     Move = ""         // it is over, or never began
	MoveStart    Move = "start"    // fix the ground: reasoning.started
	MoveCall     Move = "call"     // note that the model is asked: model.called
	MoveAsk      Move = "ask"      // ask it: model.replied or model.failed
	MoveTool     Move = "tool"     // make, or go on with, the next tool call of the reply
	MoveWait     Move = "wait"     // for the person's approval; nothing is done meanwhile
	MoveVerify   Move = "verify"   // check the answer: answer.verified
	MoveResume   Move = "resume"   // continue a cycle that made room: reasoning.resumed
	MoveConclude Move = "conclude" // end it: reasoning.concluded
)

// Next is the episode's next move. It follows from the records alone.
func (e *Episode) Next() Move {
	waiting, running := e.underWay()
	switch {
	case e.Opening.Position == 0 || e.Concluded:
		return MoveNone
	case running:
		return MoveTool // also of a cancelled one: what left has to be settled
	case !e.Cancel.IsZero():
		return MoveConclude
	case waiting:
		return MoveWait
	case e.IsAction():
		if e.Action.State == CallEnded {
			return MoveConclude
		}
		return MoveTool
	case !e.Yielded.IsZero() && e.Yields >= MaxYields:
		return MoveConclude
	case !e.Yielded.IsZero():
		return MoveResume
	case e.Started == nil:
		return MoveStart
	}
	return e.nextThought()
}

// nextThought is the next move of an episode with a ground.
func (e *Episode) nextThought() Move {
	last := e.LastCall()
	switch {
	case last == nil:
		return MoveCall
	case !last.Failed.IsZero():
		return e.callIf(len(e.Failures) < max(1, len(e.Started.Models)))
	case last.ReplyID.IsZero():
		return MoveAsk
	}
	if _, _, open := e.OpenCall(); open {
		if _, exhausted := e.Exhausted(); exhausted {
			return MoveConclude
		}
		return MoveTool
	}
	if len(last.Tools) > 0 && !last.Final {
		return e.callIf(true)
	}
	if len(e.Steers) > len(last.Steers) {
		return e.callIf(true) // a steer changes the question
	}
	switch v := e.Verified; {
	case e.verifies() && (v == nil || v.Reply != last.ReplyID && !v.TakenUp):
		return MoveVerify
	case v != nil && v.Reply == last.ReplyID && v.Outcome == VerifiedFailure && !v.TakenUp:
		return e.callIf(true)
	}
	return MoveConclude
}

// callIf asks the model once more, when there is one and no limit is reached.
func (e *Episode) callIf(can bool) Move {
	if _, exhausted := e.Exhausted(); exhausted || !can {
		return MoveConclude
	}
	return MoveCall
}

// Model is the model for the next call: the first of those that were there at
// the start which has not failed in this episode. "" when all have, or when
// that can no longer be known.
func (e *Episode) Model() string {
	if e.Started == nil || len(e.Failures) >= len(e.Started.Models) {
		return ""
	}
	return e.Started.Models[len(e.Failures)]
}

// verifies reports whether the answer is to be checked before it is given: only
// one that the person asked for, and for which something was done.
func (e *Episode) verifies() bool {
	last := e.LastCall()
	return e.Started.Verifier != "" && e.ByOperator() && e.spent.tools > 0 && !last.Erased && len(last.Reply.Blocks) > 0
}
