package domain

import (
	"encoding/json"
	"strings"
)

// ToolInvoked asks an interface to do something. Its id is the invocation's,
// which goes with the call as its Idempotency-Key.
type ToolInvoked struct {
	InterfaceID        ID              `json:"interface_id"`
	Tool               string          `json:"tool"`   // the interface's own name for it
	Params             json.RawMessage `json:"params"` // a mark in place of each secret
	Actor              string          `json:"actor"`
	Channel            string          `json:"channel"`
	ParentInvocationID ID              `json:"parent_invocation_id"`  // none unless a tool invoked this one
	Depth              int             `json:"depth"`                 // of invocations around this one
	Marks              *Marks          `json:"marks,omitempty"`       // what was taken out of Params
	Unconfirmed        bool            `json:"unconfirmed,omitempty"` // its caller said that the person hadn't confirmed it
	Zone               string          `json:"zone,omitempty"`        // as MessageReceived's; "" also where what caused it has one
}

// ToolDispatched is recorded just before the call leaves: from here on it may
// have had its effect.
type ToolDispatched struct {
	InvocationID ID       `json:"invocation_id"`
	Read         Position `json:"read,omitempty"` // see [ReadOf]
}

// ToolCompleted is the interface's answer, whole. An answer whose error isn't
// null is one, too: the tool ran, and what it said beside its error may matter.
// The envelope's errors then repeat it, with CodeToolError.
type ToolCompleted struct {
	InvocationID ID              `json:"invocation_id"`
	Text         *string         `json:"text"`
	Data         json.RawMessage `json:"data"`  // an object or null by contract; any JSON, as it was answered
	Error        *string         `json:"error"` // the tool's own failure
	Blocks       []Block         `json:"blocks"`
	OpenURL      *string         `json:"open_url"`
	Card         *Card           `json:"card,omitempty"` // cleaned
	DurationMS   int64           `json:"duration_ms"`
	Marks        *Marks          `json:"marks,omitempty"`
	Words        []Words         `json:"words,omitempty"`  // of others, that an answer of Chalie's own quotes
	Spoken       *Spoken         `json:"spoken,omitempty"` // what an answer of Chalie's own says, of which Text, Error and Blocks are the words
	Read         Position        `json:"read,omitempty"`   // see [ReadOf]
}

// ToolFailed says why there is no answer. The envelope's errors say it, too.
type ToolFailed struct {
	InvocationID ID       `json:"invocation_id"`
	Reason       Code     `json:"reason"`     // one of the codes below, or what the call failed of
	Detail       string   `json:"detail"`     // for people
	Dispatched   bool     `json:"dispatched"` // the call left, and was answered
	DurationMS   int64    `json:"duration_ms"`
	Read         Position `json:"read,omitempty"` // see [ReadOf]
}

// ToolOutcomeUnknown says that the call left and nobody knows the result.
type ToolOutcomeUnknown struct {
	InvocationID ID       `json:"invocation_id"`
	Reason       Code     `json:"reason"` // CodeInterrupted, or what the call failed of
	Detail       string   `json:"detail"` // for people
	DurationMS   int64    `json:"duration_ms"`
	Read         Position `json:"read,omitempty"` // see [ReadOf]
}

// Codes of how an invocation ends without a good answer. What the call itself
// failed of has codes of its own.
const (
	CodeDenied        Code = "denied"         // by the policy
	CodeNotDispatched Code = "not_dispatched" // it never left
	CodeToolError     Code = "tool_error"     // the tool ran and says that it failed
	CodeInterrupted   Code = "interrupted"    // Chalie ended while the call was under way
)

const invocationPrefix = "invocation/"

// InvocationKey marks everything after tool.invoked: each step is appended on the
// condition that the one before it was the last.
func InvocationKey(id ID) Key { return invocationPrefix + Key(id.String()) }

// InvocationOf is the invocation that an envelope belongs to: its own id when it
// is tool.invoked, otherwise what its keys say. It needs no payload. False when it
// belongs to none.
func InvocationOf(e Envelope) (ID, bool) {
	if e.Type == ToolInvokedType {
		return e.ID, true
	}
	for _, key := range e.Keys {
		if text, ok := strings.CutPrefix(string(key), invocationPrefix); ok {
			if id, err := ParseID(text); err == nil {
				return id, true
			}
		}
	}
	return ID{}, false
}

// Invocations is the fold of those without an end.
type Invocations struct {
	Open map[ID]OpenInvocation `json:"open"`
}

// OpenInvocation is one without an end.
type OpenInvocation struct {
	Invoked    Position `json:"invoked"`
	Last       Position `json:"last"` // of its latest record
	Dispatched bool     `json:"dispatched"`
	Called     bool     `json:"called"`   // it is a tool call of an episode, which goes on with it
	Proposed   bool     `json:"proposed"` // the person was asked for approval, which it goes on by
	Pending    Position `json:"pending"`  // of the proposal that waits for them; 0 when none does
}

// Evolve folds one record of topic tools; others pass it by. An erased step
// still is a step: what it belongs to is in its keys.
func (s *Invocations) Evolve(rec Record) {
	id, ok := InvocationOf(rec.Envelope)
	if rec.Topic != TopicTools || !ok {
		return
	}
	open, known := s.Open[id]
	switch {
	case rec.Envelope.Type == ToolInvokedType:
		if s.Open == nil {
			s.Open = map[ID]OpenInvocation{}
		}
		open = OpenInvocation{Invoked: rec.Position}
		_, _, open.Called = CallOf(rec.Envelope)
	case !known:
		return // it has ended
	case rec.Envelope.Kind == KindResult:
		delete(s.Open, id)
		return
	}
	open.Last = rec.Position
	switch rec.Envelope.Type {
	case ApprovalProposedType:
		open.Proposed, open.Pending = true, rec.Position
	case ApprovalGrantedType, ApprovalRefusedType, ApprovalExpiredType:
		open.Pending = 0
	}
	open.Dispatched = open.Dispatched || rec.Envelope.Type == ToolDispatchedType
	s.Open[id] = open
}

// GoesOn reports whether it goes on by itself after a restart: a tool call when its
// episode does, and what the person was asked about when they decide.
func (o OpenInvocation) GoesOn() bool { return o.Called || o.Proposed && !o.Dispatched }

// StateTaken is what a tool says of the state it acts on, as it was just before
// or just after a call: the difference is what the call did.
type StateTaken struct {
	InvocationID ID              `json:"invocation_id"`
	When         Moment          `json:"when"`
	State        json.RawMessage `json:"state"`       // an object; null when it could not be had
	Description  string          `json:"description"` // the tool's own words
	Problem      string          `json:"problem"`     // why it could not be had; "" when it was
}

// Moment says whether a state was taken before or after the call.
type Moment string

// The moments.
const (
	BeforeCall Moment = "before"
	AfterCall  Moment = "after"
)

// MaxStateBytes bounds a state that is kept.
const MaxStateBytes = 64 << 10

// ToolVerified is what checking a tool's answer against what it declares to
// return found. It comes with the tool.completed that it checks.
type ToolVerified struct {
	InvocationID ID       `json:"invocation_id"`
	Passed       bool     `json:"passed"`
	Errors       []string `json:"errors"`          // told to the caller; none when it passed
	Plain        []string `json:"plain,omitempty"` // the errors for people; none of what was recorded before there were any
}

// InWords are the errors for people.
func (v ToolVerified) InWords() []string {
	if len(v.Plain) == 0 {
		return v.Errors
	}
	return v.Plain
}

// InvocationState is the fold of one invocation: how far it has come. The zero InvocationState has
// not begun.
type InvocationState struct {
	Invoked  Record
	Decided  PolicyDecided
	Proposal ApprovalProposed
	Proposed ID // the envelope of the proposal; none when the policy wanted none
	Last     ID // of the latest step
	Through  Position
	End      *Record // the result that ended it
	Issues   []string

	decided, dispatched bool
	answered            EventType // how the proposal was decided
}

// InvocationStage is the next need of an invocation.
type InvocationStage string

// The stages.
const (
	InvocationUnknown    InvocationStage = ""           // it hasn't begun
	InvocationDenied     InvocationStage = "denied"     // to be ended: the policy says no
	InvocationWaiting    InvocationStage = "waiting"    // for the person
	InvocationAllowed    InvocationStage = "allowed"    // to be dispatched
	InvocationDispatched InvocationStage = "dispatched" // under way, or interrupted
	InvocationEnded      InvocationStage = "ended"
)

// Evolve folds a record of the invocation, in log order. The error is
// CodeUndecodable. An erased step still is one; of an erased decision nobody knows
// what it was, so it counts as a denial.
func (c *InvocationState) Evolve(rec Record) error {
	env := rec.Envelope
	var err error
	switch env.Type {
	case ToolInvokedType:
		c.Invoked = rec
	case PolicyDecidedType:
		c.decided = true
		c.Decided, err = decodeKept[PolicyDecided](env)
	case ApprovalProposedType:
		c.Proposed = env.ID
		c.Proposal, err = decodeKept[ApprovalProposed](env)
	case ApprovalGrantedType, ApprovalRefusedType, ApprovalExpiredType:
		c.answered = env.Type
	case ToolDispatchedType:
		c.dispatched = true
	case ToolCompletedType, ToolFailedType, ToolOutcomeUnknownType:
		c.End = &rec
	case ToolVerifiedType:
		var v ToolVerified
		v, err = decodeKept[ToolVerified](env)
		c.Issues = v.Errors
	}
	if err != nil {
		return err
	}
	c.Last, c.Through = env.ID, rec.Position
	return nil
}

// Stage is the next need of the invocation.
func (c *InvocationState) Stage() InvocationStage {
	switch {
	case c.Invoked.Position == 0:
		return InvocationUnknown
	case c.End != nil:
		return InvocationEnded
	case c.dispatched:
		return InvocationDispatched
	case c.answered == ApprovalGrantedType, c.decided && c.Decided.Allowed:
		return InvocationAllowed
	case !c.Proposed.IsZero() && c.answered == "":
		return InvocationWaiting
	}
	return InvocationDenied
}

// Answered is the decision on the proposal: approval.granted, approval.refused,
// approval.expired, or "" when it wasn't.
func (c *InvocationState) Answered() EventType { return c.answered }

// PerhapsDone is said of every call that left and got no good answer: what was
// answered instead says nothing about the tool.
const PerhapsDone = "; it may have been done: " + lookFirst

// LookFirst is what to do about a call when nobody knows what came of it.
const LookFirst = "; " + lookFirst

const lookFirst = "look before you ask for it again"
