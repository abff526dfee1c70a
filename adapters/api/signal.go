package api

import stdjson "encoding/json"

// Signal is an observation that a program sends.
type Signal struct {
	SignalType       string             `json:"signal_type" doc:"The category, free text of at most 128 bytes."`
	Content          string             `json:"content" doc:"What happened, in words a person can read; at most 64 KiB."`
	Source           string             `json:"source,omitempty" doc:"Where it originated, at most 128 bytes; the caller's name unless said."`
	Topic            *string            `json:"topic,omitempty" doc:"A hint for salience, at most 256 bytes."`
	ActivationEnergy *float64           `json:"activation_energy,omitempty" doc:"How much it weighs, 0 to 1; 0.5 unless said."`
	Metadata         stdjson.RawMessage `json:"metadata,omitempty" object:"true" doc:"With anything in it, at most 256 KiB."`
}

// SignalTaken says that a signal is in the log.
type SignalTaken struct {
	OK       bool `json:"ok"`
	SignalID UUID `json:"signal_id"`
}

// BatchTaken is the result of a batch: the ids of accepted signals, and the rejected
// ones.
type BatchTaken struct {
	Accepted int          `json:"accepted"`
	Rejected int          `json:"rejected"`
	Errors   []BatchFault `json:"errors" doc:"One for each that was rejected."`
}

// BatchFault is the reason why one signal of a batch was rejected.
type BatchFault struct {
	Index int    `json:"index" doc:"Its place in the batch, from 0."`
	Error string `json:"error"`
}

// Message is a message to Chalie.
type Message struct {
	Text         string             `json:"text,omitempty" doc:"What is said, at most 64 KiB; required unless images come with it."`
	Source       string             `json:"source,omitempty" doc:"Where it originated, at most 128 bytes; the caller's name unless said."`
	Topic        *string            `json:"topic,omitempty" doc:"A hint, at most 256 bytes."`
	Metadata     stdjson.RawMessage `json:"metadata,omitempty" object:"true" doc:"With anything in it, at most 256 KiB. severity critical or emergency makes what a program says an escalation."`
	ImageIDs     []string           `json:"image_ids,omitempty" nullable:"true" most:"3" doc:"Images that were uploaded, each once. Only the operator can upload."`
	Conversation *ConversationName  `json:"conversation,omitempty" doc:"Which conversation it is said in: the default one unless said. Only the operator's messages can be in another one."`
	Timezone     string             `json:"timezone,omitempty" doc:"Where the device is, by an IANA name such as Europe/Malta: times are read and told there. Unsaid, it is where the person was last."`
	Spoken
}

// Press is a button that the person presses.
type Press struct {
	Payload    stdjson.RawMessage `json:"payload" object:"true" doc:"The button's payload as it came, with what was filled in around it as members, at most 64 KiB. Its member skill names what is asked for."`
	Label      string             `json:"label,omitempty" doc:"What stands on it, at most 256 bytes."`
	ExchangeID string             `json:"exchange_id,omitempty" doc:"The exchange that it stands in: what comes of it is said in the same conversation. Unsaid, in the default one."`
	Timezone   string             `json:"timezone,omitempty" doc:"Where the device is, by an IANA name."`
}

// MessageTaken says that a message is in the log: it will be answered, after a restart if
// need be.
type MessageTaken struct {
	OK        bool `json:"ok"`
	MessageID UUID `json:"message_id" doc:"It is the exchange_id of every frame that comes of it, the id of the exchange in the conversation, and the trace in the log."`
}

// Cancelled confirms a cancellation: the exchange ends at its next step.
type Cancelled struct {
	OK         bool `json:"ok"`
	ExchangeID UUID `json:"exchange_id"`
}

func signalRoutes() []Route {
	return []Route{
		{Name: "submitSignal", Method: post, Path: "/api/signals", Who: Callers, Summary: "Tell what was heard",
			Detail:  "A field that isn't listed is ignored, so that senders may be newer than Chalie. A context_update also tells of the person's surroundings, if its sender was permitted that type by name.",
			Headers: once(), Body: json(1024*kib, Signal{}), Answers: withStatus(202, SignalTaken{}), Refuses: []int{409, 429}},
		{Name: "submitBatch", Method: post, Path: "/api/signals/batch", Who: Callers, Summary: "Tell up to 50 things that were heard",
			Detail:  "Each is judged by itself. All that are accepted are appended together.",
			Headers: once(), Body: json(1024*kib, []Signal{}), Answers: ok(BatchTaken{}), Refuses: []int{409, 429}},
		{Name: "submitMessage", Method: post, Path: "/api/messages", Who: Callers, Summary: "Say something to Chalie",
			Detail:  "What comes of it goes to the person, over /ws.",
			Headers: append(once(), device()), Body: json(1024*kib, Message{}), Answers: withStatus(202, MessageTaken{}), Refuses: []int{404, 409, 410, 429}},
		{Name: "submitAction", Method: post, Path: "/api/actions", Who: Operator, Summary: "Press a button", Headers: []Param{device()},
			Detail: "One of those in the blocks of the conversation. What comes of it goes to the person, over /ws.",
			Body:   json(128*kib, Press{}), Answers: withStatus(202, MessageTaken{})},
		{Name: "cancelMessage", Method: post, Path: "/api/messages/{id}/cancel", Who: Operator, Summary: "End the answer to a message at its next step",
			Detail: "409 when nothing is under way.", ID: "The message's, or latest for the latest whose answer is under way.",
			Answers: withStatus(202, Cancelled{}), Refuses: []int{409}},
	}
}
