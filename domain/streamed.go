package domain

import (
	"encoding/json"
	"slices"
)

// ModelStreamed is a part of a reply while it is made. ModelReplied has the whole, and
// counts: once it is there these parts are of no more use, and folds forget them.
//
// Its text has passed what the whole reply's text passes. Its parent is the model.called.
type ModelStreamed struct {
	Step    int `json:"step"`    // the number of the call to the model, from 1
	Attempt int `json:"attempt"` // at that call, from 1
	Part    int `json:"part"`    // of the attempt, from 1, each once and in order; 0 of a withdrawal
	// Events are what came since the part before, in order; those that follow each other and
	// are alike are joined.
	Events []StreamEvent `json:"events"`
	// Withdrawn is why the parts of the attempts before don't count any more; "" while they do.
	// Such an envelope carries RetractsKey.
	Withdrawn string `json:"withdrawn,omitempty"`
}

// StreamEvent is one event of a reply that is being made. Which fields count follows from the
// type. The names are those of ch4p's StreamEvent, but that words are parted by _. What follows
// from the parts before isn't repeated: the text so far, and of done the message, which is the
// model.replied behind it.
type StreamEvent struct {
	Type      StreamEventType `json:"type"`
	Delta     string          `json:"delta,omitempty"`         // text_delta: the text that was added
	ID        string          `json:"id,omitempty"`            // tool_call_*: the model's own name for the call, as in ToolCall
	Name      string          `json:"name,omitempty"`          // tool_call_start: of the tool, as it was offered
	ArgsDelta string          `json:"args_delta,omitempty"`    // tool_call_delta: what was added to the text of its parameters
	Args      json.RawMessage `json:"args,omitempty"`          // tool_call_end: the parameters
	Usage     *Usage          `json:"usage,omitempty"`         // usage, done
	Finish    FinishReason    `json:"finish_reason,omitempty"` // done
}

// StreamEventType names the type of a StreamEvent.
type StreamEventType string

// The types of events.
const (
	StreamText      StreamEventType = "text_delta"
	StreamCallStart StreamEventType = "tool_call_start"
	StreamCallDelta StreamEventType = "tool_call_delta"
	StreamCallEnd   StreamEventType = "tool_call_end"
	StreamUsage     StreamEventType = "usage"
	StreamDone      StreamEventType = "done"
)

// FinishReason is why a model's reply ended.
type FinishReason string

// The reasons.
const (
	FinishStop      FinishReason = "stop"       // it said what it had to say
	FinishToolUse   FinishReason = "tool_use"   // it waits for the results of its calls
	FinishMaxTokens FinishReason = "max_tokens" // it reached its longest
	FinishError     FinishReason = "error"      // there is no reply
)

// FinishOf is why the call to a model ended that an envelope is the end of; "" of any other
// envelope, and of one that was erased.
func FinishOf(e Envelope) FinishReason {
	switch e.Type {
	case ModelFailedType:
		return FinishError
	case ModelRepliedType:
		reply, err := Decode[ModelReplied](e)
		switch {
		case err != nil:
			return ""
		case reply.Finish != "": // not recorded before there was one
			return reply.Finish
		case len(reply.ToolCalls) > 0:
			return FinishToolUse
		}
		return FinishStop
	}
	return ""
}

// RetractsKey marks an envelope that takes back what was streamed of its episode before:
// whoever shows it shows it no more. It is in clear, since the numbering of frames depends
// on it.
const RetractsKey Key = "retracts"

// LastPartKey marks the last part of a reply, which is recorded with the reply: it says what
// was used, and why the reply ended. Its frame isn't forgotten with those before. It is in
// clear, as RetractsKey is.
const LastPartKey Key = "last_part"

// EndsDeltas reports whether after an envelope the frames of its trace that are a FrameDelta
// are of no more use, but for the last one's: the reply that they were of is there, or they
// were taken back.
func EndsDeltas(e Envelope) bool {
	switch e.Type {
	case ModelRepliedType, ModelFailedType, ReasoningConcludedType:
		return true
	case ModelStreamedType, AnswerVerifiedType:
		return slices.Contains(e.Keys, RetractsKey)
	}
	return false
}

// Streamed is how far the reply to a call has come that isn't there yet.
type Streamed struct {
	Attempt int // the latest; 0 when no part was recorded
	Parts   int // of it
	Text    string
}

// IsShown reports whether anything of it was recorded that was not taken back.
func (s Streamed) IsShown() bool { return s.Parts > 0 }

// evolveStreamed folds a part of a reply. One that comes behind its reply is too late.
func (e *Episode) evolveStreamed(env Envelope) error {
	part, err := decodeKept[ModelStreamed](env)
	last := e.LastCall()
	if err != nil || last == nil || last.ID != env.Parent || last.HasEnded() {
		return err
	}
	s := &last.Streamed
	if part.Attempt > s.Attempt {
		*s = Streamed{Attempt: part.Attempt}
	}
	if part.Attempt < s.Attempt && part.Attempt > 0 {
		return nil
	}
	if part.Withdrawn != "" {
		return nil
	}
	s.Parts++
	for _, event := range part.Events {
		if event.Type == StreamText {
			s.Text += event.Delta
		}
	}
	return nil
}

// HasEnded reports whether the call has its reply, or failed.
func (c *Called) HasEnded() bool { return !c.ReplyID.IsZero() || !c.Failed.IsZero() }

// deltas fills in what a part of a reply adds.
func (f *Frame) deltas(e Envelope) error {
	part, err := decodeKept[ModelStreamed](e)
	f.Step, f.Attempt, f.Part, f.Events = part.Step, part.Attempt, part.Part, part.Events
	return err
}

// retract says why what was streamed doesn't count any more.
func (f *Frame) retract(e Envelope) error {
	f.Message = "it is answered anew"
	switch e.Type {
	case ModelStreamedType:
		part, err := decodeKept[ModelStreamed](e)
		if err != nil {
			return err
		}
		if part.Withdrawn != "" {
			f.Message = part.Withdrawn
		}
	case AnswerVerifiedType:
		f.Message = "it was checked, and has to be better"
	default:
		if len(e.Errors) > 0 {
			f.Message = e.Errors[0].Message
		}
	}
	return nil
}
