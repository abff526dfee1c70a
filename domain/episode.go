package domain

// Episode is the fold of one trace whose opening is to be reasoned about. The
// zero Episode has not begun.
type Episode struct {
	Through Position // the last record folded
	Opening Record   // the message or action that opened it

	Steps     int // reasoning steps so far
	Started   *ReasoningStarted
	StartedID ID // of reasoning.started
	Calls     []Called
	Steers    []ID // all, oldest first
	Concluded bool
}

// Called is one call to the model, and its reply once there is one.
type Called struct {
	ID      ID
	Steers  []ID // taken up by it
	ReplyID ID   // none while it is under way
	Reply   ModelReplied
	Erased  bool // the reply can't be read any more
}

// Move is what an episode needs next. Each is recorded before its effect.
type Move string

// The moves.
const (
	MoveNone     Move = ""         // it is over, or never began
	MoveStart    Move = "start"    // fix the ground: reasoning.started
	MoveCall     Move = "call"     // note that the model is asked: model.called
	MoveAsk      Move = "ask"      // ask it: model.replied
	MoveConclude Move = "conclude" // end it: reasoning.concluded
)

// MaxModelCalls bounds how often one episode asks the model. A steer that comes
// after the last call is recorded and not taken up.
const MaxModelCalls = 8

// Evolve folds one record of the trace, in log order. The error is
// CodeUndecodable, and then nothing has changed.
//
// An erased step still counts as done: it is not done again.
func (e *Episode) Evolve(rec Record) error {
	err := e.evolve(rec)
	if CodeOf(err) == CodeErased {
		err = nil
	}
	if err == nil {
		e.Through = rec.Position
	}
	return err
}

func (e *Episode) evolve(rec Record) error {
	env := rec.Envelope
	switch env.Type {
	case "message.received", "action.received":
		if e.Opening.Position == 0 {
			e.Opening = rec
		}
		return nil
	case "steer.received":
		e.Steers = append(e.Steers, env.ID)
		return nil
	case "reasoning.started":
		started, err := Decode[ReasoningStarted](env)
		if err != nil && CodeOf(err) != CodeErased {
			return err
		}
		e.Steps, e.Started, e.StartedID = e.Steps+1, &started, env.ID
	case "model.called":
		called, err := Decode[ModelCalled](env)
		if err != nil && CodeOf(err) != CodeErased {
			return err
		}
		e.Steps++
		e.Calls = append(e.Calls, Called{ID: env.ID, Steers: called.Steers})
	case "model.replied":
		reply, err := Decode[ModelReplied](env)
		if err != nil && CodeOf(err) != CodeErased {
			return err
		}
		e.Steps++
		if n := len(e.Calls); n > 0 {
			e.Calls[n-1].ReplyID, e.Calls[n-1].Reply, e.Calls[n-1].Erased = env.ID, reply, err != nil
		}
	case "reasoning.concluded":
		e.Steps, e.Concluded = e.Steps+1, true
	}
	return nil
}

// Next is what the episode needs next.
func (e *Episode) Next() Move {
	last := e.LastCall()
	switch {
	case e.Opening.Position == 0 || e.Concluded:
		return MoveNone
	case e.Opening.Envelope.Type == "action.received":
		return MoveConclude // no model is asked for an action
	case e.Started == nil:
		return MoveStart
	case last == nil:
		return MoveCall
	case last.ReplyID.IsZero():
		return MoveAsk
	case len(e.Steers) > len(last.Steers) && len(e.Calls) < MaxModelCalls:
		return MoveCall // what was said meanwhile changes the question
	}
	return MoveConclude
}

// LastCall is the latest call to the model; nil before the first.
func (e *Episode) LastCall() *Called {
	if len(e.Calls) == 0 {
		return nil
	}
	return &e.Calls[len(e.Calls)-1]
}

// ByOperator reports whether the person asked for the episode, and so waits for
// its end.
func (e *Episode) ByOperator() bool { return e.Opening.Envelope.Principal == PrincipalOperator }
