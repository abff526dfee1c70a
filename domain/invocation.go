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
	ParentInvocationID ID              `json:"parent_invocation_id"` // none unless a tool invoked this one
	Depth              int             `json:"depth"`                // of invocations around this one
	Marks              *Marks          `json:"marks,omitempty"`      // what was taken out of Params
}

// ToolDispatched is recorded just before the call leaves: from here on it may
// have had its effect.
type ToolDispatched struct {
	InvocationID ID `json:"invocation_id"`
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
	Words        []Words         `json:"words,omitempty"` // of others, that an answer of Chalie's own quotes
}

// ToolFailed says why there is no answer. The envelope's errors say it, too.
type ToolFailed struct {
	InvocationID ID     `json:"invocation_id"`
	Reason       Code   `json:"reason"`     // one of the codes below, or what the call failed of
	Detail       string `json:"detail"`     // for people
	Dispatched   bool   `json:"dispatched"` // the call left, and was answered
	DurationMS   int64  `json:"duration_ms"`
}

// ToolOutcomeUnknown says that the call left and nobody knows the result.
type ToolOutcomeUnknown struct {
	InvocationID ID     `json:"invocation_id"`
	Reason       Code   `json:"reason"` // CodeInterrupted, or what the call failed of
	Detail       string `json:"detail"` // for people
	DurationMS   int64  `json:"duration_ms"`
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
