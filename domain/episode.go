package domain

import (
	"fmt"
	"slices"
	"time"
)

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
	Attempts  []ID         // every attempt.failed
	Bound     AttemptBound // of the last of them
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
	// Streamed is how far the reply had come when it was last heard of. Its text is there only
	// until the reply is.
	Streamed Streamed
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
			e.Opening, e.Concluded = rec, IsSilent(env)
		}
	case SteerReceivedType:
		e.Steers = append(e.Steers, env.ID)
	case CancelReceivedType:
		e.Cancel = env.ID
	case ReasoningYieldedType:
		e.Steps, e.Yields, e.Yielded = e.Steps+1, e.Yields+1, env.ID
	case ReasoningResumedType:
		e.Steps, e.Yielded = e.Steps+1, ID{}
	case AttemptFailedType:
		failed, err := decodeKept[AttemptFailed](env)
		if err != nil {
			return err
		}
		e.Steps, e.Attempts, e.Bound = e.Steps+1, append(e.Attempts, env.ID), failed.Bound
	case ReasoningConcludedType:
		e.Steps, e.Concluded = e.Steps+1, true
	case ModelStreamedType:
		return e.evolveStreamed(env) // it is no step: nothing waits for it, and nothing follows from it
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
			last.ReplyID, last.Reply, last.Erased, last.Streamed.Text = env.ID, reply, err != nil, ""
			last.Tools = make([]CallMade, len(reply.ToolCalls))
			e.spent.cost += reply.Usage.CostMicros
		}
	case ModelFailedType:
		e.Failures = append(e.Failures, env.ID)
		if last != nil {
			last.Failed, last.Streamed.Text = env.ID, ""
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
	MoveGiveUp   Move = "give_up"  // end what can't be read: reasoning.given_up and reasoning.concluded
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
	case e.GivenUp():
		return MoveGiveUp
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

// GivenUp reports whether the episode's reading ran into its bound so often that nothing more is
// read or done for it.
func (e *Episode) GivenUp() bool { return len(e.Attempts) >= MaxAttempts }

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

// OpenCall is the tool call of the last reply to go on with, and its index; false when all have
// ended. What has begun comes first, then what waits for the person: several may be asked about at
// once, and what they approve of isn't held up by the rest. Of an erased reply only what was invoked
// can still come to an end.
func (e *Episode) OpenCall() (index int, made CallMade, ok bool) {
	last := e.LastCall()
	if last == nil || last.Final { // it was offered none
		return 0, CallMade{}, false
	}
	for _, state := range []CallState{CallUnderWay, CallWaiting, CallOpen} {
		i := slices.IndexFunc(last.Tools, func(m CallMade) bool { return m.State == state })
		if i >= 0 && !(last.Erased && state == CallOpen) {
			return i, last.Tools[i], true
		}
	}
	return 0, CallMade{}, false
}

// AskedAlong are the calls that may be asked about while another of the same reply waits for the
// person: those behind the last one that was begun.
func (e *Episode) AskedAlong() []int {
	last := e.LastCall()
	if _, waits := e.Waiting(); !waits || e.IsAction() || last.Erased || !e.ByOperator() {
		return nil
	}
	var out []int
	for i, m := range slices.Backward(last.Tools) {
		if m.State != CallOpen {
			break
		}
		out = append(out, i)
	}
	slices.Reverse(out)
	return out[:min(len(out), e.ToolsLeft())]
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

// MaxYields is how often a background cycle makes room before it is given up: the
// world it looked at is then an old one.
const MaxYields = 3

// ReasoningLimits bound one episode. They are recorded with its start.
type ReasoningLimits struct {
	ModelCalls int   `json:"model_calls"` // the last of them is offered no tools
	ToolCalls  int   `json:"tool_calls"`
	TimeMS     int64 `json:"time_ms"`     // from the start, the person's approvals not counted
	CostMicros int64 `json:"cost_micros"` // millionths of a US dollar
}

// Time is the bound on how long an episode takes.
func (l ReasoningLimits) Time() time.Duration { return time.Duration(l.TimeMS) * time.Millisecond }

// DefaultReasoningLimits are those of an episode unless somebody asks for others.
func DefaultReasoningLimits() ReasoningLimits {
	return ReasoningLimits{ModelCalls: 8, ToolCalls: 16, TimeMS: (5 * time.Minute).Milliseconds(), CostMicros: 500_000}
}

// spending is the part of its limits that an episode has used.
type spending struct {
	tools  int
	cost   int64
	began  Millis
	latest Millis
	paused Millis // since when it waits
	waits  int    // for so many answers of the person
	waited time.Duration
}

func (s *spending) begin(at Millis) { s.began = at }

func (s *spending) seen(at Millis) { s.latest = max(s.latest, at) }

func (s *spending) pause(at Millis) {
	if s.waits == 0 {
		s.paused = at
	}
	s.waits++
}

func (s *spending) resume(at Millis) {
	if s.waits == 0 {
		return
	}
	if s.waits--; s.waits == 0 {
		s.waited += max(0, at.Sub(s.paused))
	}
}

// Exhausted reports whether a limit is reached, and says which.
func (e *Episode) Exhausted() (why string, exhausted bool) {
	if e.Started == nil {
		return "", false
	}
	limit := e.Started.Limits
	took := e.spent.latest.Sub(e.spent.began) - e.spent.waited
	switch {
	case len(e.Calls) >= limit.ModelCalls:
		return fmt.Sprintf("after %d calls to the model", limit.ModelCalls), true
	case took >= limit.Time():
		return fmt.Sprintf("after %s", limit.Time()), true
	case e.spent.cost >= limit.CostMicros && limit.CostMicros > 0:
		return fmt.Sprintf("after calls to the model for $%d.%02d", e.spent.cost/1_000_000, e.spent.cost%1_000_000/10_000), true
	}
	return "", false
}

// ToolsLeft is the number of tool calls left. Those beyond are rejected.
func (e *Episode) ToolsLeft() int {
	if e.Started == nil {
		return 1 // an action is one call
	}
	return max(0, e.Started.Limits.ToolCalls-e.spent.tools)
}

// FinalCall reports whether the next call to the model is the last there may be:
// it is offered no tools, so that it answers with what it has.
func (e *Episode) FinalCall() bool {
	return e.Started != nil && (len(e.Calls) >= e.Started.Limits.ModelCalls-1 || e.ToolsLeft() == 0)
}
