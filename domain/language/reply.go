package language

import "chalie/domain"

// Reply is a model's reply.
type Reply struct {
	Blocks     []domain.Block // at least one, unless there are tool calls or it is a cycle's
	Topic      string         // of the conversation, never ""
	Mode       domain.Mode
	Confidence domain.PPM
	Urgent     bool              // it can't wait: what an interface reports is shown as an escalation
	Used       []domain.Evidence // what it rests on, with weights
	Usage      domain.Usage
	ToolCalls  []domain.ToolCall
	Findings   []domain.Finding
	Readings   []domain.Reading // of a model that goes by rules: why it took what was asked as it did
	Spoken     *domain.Spoken   // of Blocks, where they are words of Chalie's own
	// Finish is why it ended; "" stands for tool_use with tool calls, and for stop without.
	Finish domain.FinishReason
}

// Bounds of what a model may say, beside those of an envelope.
const (
	MaxEvidence  = 64 // of one reply, or of one finding
	MaxToolCalls = 16 // of one reply
	MaxFindings  = 16
	MaxReadings  = 16 // of one reply, each of as many words
)
