package domain

// Episode is the fold of one trace whose opening is to be reasoned about. The
// zero Episode has not begun.
type Episode struct {
	Through Position // the last record folded
	Opening Record   // the message, the action or the signal that opened it

	Steps     int // reasoning steps so far
	Started   *ReasoningStarted
	StartedID ID // of reasoning.started
	Calls     []Called
	Action    CallMade // of an episode that an action opened
	Failures  []ID     // every model.failed
	Steers    []ID     // all, oldest first
	Cancel    ID       // of the cancel; none without
	Yields    int      // how often it made room for the person
	Yielded   ID       // of the reasoning.yielded that it rests at; none while it goes on
	Verified  *Verified
	Concluded bool

	spent   spending
	invoked map[ID]place // of every invocation, what call it is of
}

// Called is one call to the model, and its reply once there is one.
type Called struct {
	ID      ID
	Model   string
	Steers  []ID     // taken up by it
	Offered []string // the tools it may call
	Instead ID       // the model.failed of the model before; none without
	Check   ID       // the answer.verified it was told of; none without
	Final   bool     // no tools were offered
	Marked  bool     // Shown says whose words were shown; false of a call from before they were
	Shown   []Words  // others' words that the model has been shown so far
	ReplyID ID       // none while it is under way
	Reply   ModelReplied
	Erased  bool // the reply can no longer be read
	Failed  ID   // the model.failed that replaces a reply; none otherwise
	Tools   []CallMade
}

// CallMade is the progress of one tool call of a reply.
type CallMade struct {
	Invocation ID // the latest; none before it was made
	State      CallState
	End        ID        // the envelope of its end
	Outcome    EventType // of that
	Format     ID        // the tool.verified of its answer; none without
}

// CallState is the state of a tool call.
type CallState string

// The states.
const (
	CallOpen     CallState = ""          // not made yet
	CallUnderWay CallState = "under_way" // invoked; the log says how far
	CallWaiting  CallState = "waiting"   // for the person's approval
	CallEnded    CallState = "ended"
)

// Verified is a check of the answer that the episode was about to give.
type Verified struct {
	ID      ID
	Reply   ID // what was checked
	Outcome VerificationOutcome
	TakenUp bool // the model was told
}

// place is where a tool call stands: the call to the model, or -1 for an action,
// and the index in its reply.
type place struct{ call, index int }

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
		e.spent.seen(rec.Envelope.Timestamp)
	}
	return err
}

func (e *Episode) evolve(rec Record) error {
	env := rec.Envelope
	switch env.Type {
	case MessageReceivedType, ActionReceivedType, SpineSignalEmittedType:
		if e.Opening.Position == 0 {
			e.Opening = rec
		}
	case SteerReceivedType:
		e.Steers = append(e.Steers, env.ID)
	case CancelReceivedType:
		e.Cancel = env.ID
	case ReasoningYieldedType:
		e.Steps, e.Yields, e.Yielded = e.Steps+1, e.Yields+1, env.ID
	case ReasoningResumedType:
		e.Steps, e.Yielded = e.Steps+1, ID{}
	case ReasoningConcludedType:
		e.Steps, e.Concluded = e.Steps+1, true
	case ReasoningStartedType, ModelCalledType, ModelRepliedType, ModelFailedType, AnswerVerifiedType:
		return e.evolveThought(env)
	default:
		e.evolveCall(env)
	}
	return nil
}

// evolveThought folds what passes between reasoning and a model.
func (e *Episode) evolveThought(env Envelope) error {
	last := e.LastCall()
	switch env.Type {
	case ReasoningStartedType:
		started, err := decodeKept[ReasoningStarted](env)
		if err != nil {
			return err
		}
		if started.Limits == (ReasoningLimits{}) { // erased: there are limits all the same
			started.Limits = DefaultReasoningLimits()
		}
		e.Started, e.StartedID = &started, env.ID
		e.spent.begin(started.AsOf)
	case ModelCalledType:
		called, err := decodeKept[ModelCalled](env)
		if err != nil {
			return err
		}
		e.Calls = append(e.Calls, Called{ID: env.ID, Model: called.Model, Steers: called.Steers, Offered: called.Tools,
			Instead: called.Instead, Check: called.Verification, Final: called.Final, Shown: called.Shown,
			Marked: called.Shown != nil || env.Payload.Encoding == EncodingErased})
		if e.Verified != nil && e.Verified.ID == called.Verification {
			e.Verified.TakenUp = true
		}
	case ModelRepliedType:
		reply, err := Decode[ModelReplied](env)
		if err != nil && CodeOf(err) != CodeErased {
			return err
		}
		if last != nil {
			last.ReplyID, last.Reply, last.Erased = env.ID, reply, err != nil
			last.Tools = make([]CallMade, len(reply.ToolCalls))
			e.spent.cost += reply.Usage.CostMicros
		}
	case ModelFailedType:
		e.Failures = append(e.Failures, env.ID)
		if last != nil {
			last.Failed = env.ID
		}
	case AnswerVerifiedType:
		v, err := decodeKept[AnswerVerified](env)
		if err != nil {
			return err
		}
		e.Verified = &Verified{ID: env.ID, Reply: env.Parent, Outcome: v.Outcome}
	}
	e.Steps++
	return nil
}

// decodeKept is Decode for what still counts when it was erased.
func decodeKept[P any](env Envelope) (P, error) {
	p, err := Decode[P](env)
	if CodeOf(err) == CodeErased {
		return p, nil
	}
	return p, err
}

// LastCall is the latest call to the model; nil before the first.
func (e *Episode) LastCall() *Called {
	if len(e.Calls) == 0 {
		return nil
	}
	return &e.Calls[len(e.Calls)-1]
}

// ByOperator reports whether the person asked for the episode, and so waits for
// its end. Nobody asked for a background cycle, whatever its principal.
func (e *Episode) ByOperator() bool {
	return e.Opening.Envelope.Principal == PrincipalOperator && !e.Background()
}

// Background reports whether the episode is a cycle of Chalie's own accord, which
// makes room for the person.
func (e *Episode) Background() bool { return e.Opening.Envelope.Type == SpineSignalEmittedType }

// IsAction reports whether the episode was opened by a button: no model is asked.
func (e *Episode) IsAction() bool { return e.Opening.Envelope.Type == ActionReceivedType }
