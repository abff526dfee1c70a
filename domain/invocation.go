package domain

import "encoding/json"

// ToolInvoked asks an interface to do something. Its id is the invocation's,
// which goes with the call as its Idempotency-Key.
type ToolInvoked struct {
	InterfaceID        ID              `json:"interface_id"`
	Tool               string          `json:"tool"` // the interface's own name for it
	Params             json.RawMessage `json:"params"`
	Actor              string          `json:"actor"`
	Channel            string          `json:"channel"`
	ParentInvocationID ID              `json:"parent_invocation_id"` // none unless a tool invoked this one
}

// ToolDispatched is recorded just before the call leaves: from here on it may
// have had its effect.
type ToolDispatched struct {
	InvocationID ID `json:"invocation_id"`
}

// ToolCompleted is the interface's answer.
type ToolCompleted struct {
	InvocationID ID              `json:"invocation_id"`
	Text         *string         `json:"text"`
	Data         json.RawMessage `json:"data"` // an object or null
	Blocks       []Block         `json:"blocks"`
	OpenURL      *string         `json:"open_url"`
	DurationMS   int64           `json:"duration_ms"`
}

// ToolFailed says why there is none. The envelope's errors say it, too.
type ToolFailed struct {
	InvocationID ID     `json:"invocation_id"`
	Reason       Code   `json:"reason"` // denied, refused, http_error, bad_json, bad_shape, too_large, tool_error …
	Detail       string `json:"detail"`
	Dispatched   bool   `json:"dispatched"` // the call left, and was answered
	DurationMS   int64  `json:"duration_ms"`
}

// ToolOutcomeUnknown says that the call left and nobody knows what came of it.
type ToolOutcomeUnknown struct {
	InvocationID ID     `json:"invocation_id"`
	Reason       string `json:"reason"`
}

// InvocationKey marks everything after tool.invoked: each step is appended on the
// condition that the one before it was the last.
func InvocationKey(id ID) Key { return "invocation/" + Key(id.String()) }

// Invocations is the fold of those without an end.
type Invocations struct {
	Open map[ID]OpenInvocation `json:"open"`
}

// OpenInvocation is one without an end.
type OpenInvocation struct {
	Invoked    Position `json:"invoked"`
	Last       Position `json:"last"` // of its latest record
	Dispatched bool     `json:"dispatched"`
}

// Evolve folds one record of topic tools; others pass it by. An erased step
// still is a step: what it belongs to stands in its keys. The error is
// CodeUndecodable.
func (s *Invocations) Evolve(rec Record) error {
	if rec.Topic != TopicTools {
		return nil
	}
	if rec.Envelope.Type == "tool.invoked" {
		if s.Open == nil {
			s.Open = map[ID]OpenInvocation{}
		}
		s.Open[rec.Envelope.ID] = OpenInvocation{Invoked: rec.Position, Last: rec.Position}
		return nil
	}
	for id, open := range s.Open {
		for _, key := range rec.Envelope.Keys {
			if key != InvocationKey(id) {
				continue
			}
			open.Last = rec.Position
			open.Dispatched = open.Dispatched || rec.Envelope.Type == "tool.dispatched"
			s.Open[id] = open
			if rec.Envelope.Kind == KindResult {
				delete(s.Open, id)
			}
		}
	}
	return nil
}
