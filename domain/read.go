package domain

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

// readField is the field of a step's payload with the position through which the log was
// read when the step was decided.
const readField = "read"

// ReadOf is the position through which the log, and every fold of it that was asked, had
// been read when a step was decided: nothing behind it can have had a part in the
// decision. It is 0 when that isn't recorded: of an older step, of one that was decided
// while what it had read changed, and of any other event.
func ReadOf(e Envelope) Position {
	if e.Payload.Encoding != EncodingJSON || !TakesRead(e.Type) {
		return 0
	}
	return Position(gjson.GetBytes(e.Payload.Bytes, readField).Uint())
}

// TakesRead reports whether the payloads of a type have the position of ReadOf. In a
// batch of several such events the last one has it.
func TakesRead(t EventType) bool { return slices.Contains(steps, t) }

// steps are the types that begin or end a step of deciding code; what else is in a step's
// batch comes with one of them.
var steps = []EventType{
	ReasoningStartedType, ModelCalledType, ModelRepliedType, ModelFailedType, CallRejectedType, AnswerVerifiedType,
	ReasoningResumedType, ReasoningConcludedType, PolicyDecidedType, ToolDispatchedType, ToolCompletedType,
	ToolFailedType, ToolOutcomeUnknownType, SpineSignalEmittedType,
}

// WithRead is an envelope with the position of ReadOf in its payload, which is copied.
func WithRead(e Envelope, through Position) Envelope {
	text := e.Payload.Bytes
	if through == 0 || e.Payload.Encoding != EncodingJSON || !TakesRead(e.Type) || len(text) < len("{}") || gjson.GetBytes(text, readField).Exists() {
		return e
	}
	member := `"` + readField + `":` + strconv.FormatUint(uint64(through), 10) + "}"
	if string(text) != "{}" {
		member = "," + member
	}
	e.Payload.Bytes = append(slices.Clip(slices.Clone(text[:len(text)-1])), member...)
	return e
}
