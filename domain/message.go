package domain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Bounds of messages.
const (
	MaxTextBytes        = 64 << 10
	MaxImagesPerMessage = 3
	MaxActionBytes      = 64 << 10
	MaxSkillBytes       = 128
	MaxLabelBytes       = 256
)

// How a person said it.
const (
	SaidInText  = "text"
	SaidByVoice = "voice"
)

// MessageReceived is something said to Chalie, by its person or by an interface:
// it is reasoned about. It opens an episode; its id is the message_id, and the
// episode's trace is the exchange_id.
type MessageReceived struct {
	Text     string          `json:"text"`     // may be empty beside images
	Source   string          `json:"source"`   // text or voice from the person; where it originated, from an interface
	Topic    *string         `json:"topic"`    // a hint, not a topic of the log
	Metadata json.RawMessage `json:"metadata"` // an object or null
	ImageIDs []ID            `json:"image_ids"`
	Marks    *Marks          `json:"marks,omitempty"`
}

// Check returns a validation error that names the field and what it must be.
func (m MessageReceived) Check() error {
	const op = "check message"
	switch {
	case isBlank(m.Text) && len(m.ImageIDs) == 0:
		return Invalid(op, "text", "text is required: say something, or attach an image")
	case len(m.Text) > MaxTextBytes:
		return tooLong(op, "text", len(m.Text), MaxTextBytes)
	case len(m.Source) > MaxNameBytes:
		return tooLong(op, "source", len(m.Source), MaxNameBytes)
	case m.Topic != nil && len(*m.Topic) > MaxTopicHintBytes:
		return tooLong(op, "topic", len(*m.Topic), MaxTopicHintBytes)
	case len(m.Metadata) > MaxMetadataBytes:
		return tooLong(op, "metadata", len(m.Metadata), MaxMetadataBytes)
	case len(m.ImageIDs) > MaxImagesPerMessage:
		return Invalid(op, "image_ids", fmt.Sprintf("image_ids has %d images, the bound is %d: send the rest with another message", len(m.ImageIDs), MaxImagesPerMessage))
	case !utf8.ValidString(m.Text) || !utf8.ValidString(m.Source) || m.Topic != nil && !utf8.ValidString(*m.Topic) || !utf8.Valid(m.Metadata):
		return Invalid(op, "", "the message is not valid UTF-8")
	case !isObjectOrNull(m.Metadata):
		return Invalid(op, "metadata", "metadata is neither a JSON object nor null")
	}
	for i, id := range m.ImageIDs {
		if slices.Contains(m.ImageIDs[:i], id) {
			return Invalid(op, "image_ids", fmt.Sprintf("image_ids names %s twice: name each image once", id.UUID()))
		}
	}
	return CheckNesting(op, "metadata", m.Metadata, 0)
}

// ActionReceived asks for a skill by name, with its parameters: a button that was
// pressed. No model is asked. It opens an episode.
type ActionReceived struct {
	Skill   string          `json:"skill"`
	Payload json.RawMessage `json:"payload"`         // an object, as it came; skill is a member of it
	Label   string          `json:"label,omitempty"` // what stood on the button; "" when its client didn't say
	Marks   *Marks          `json:"marks,omitempty"`
}

// Check returns a validation error that names the field and what it must be.
func (a ActionReceived) Check() error {
	const op = "check action"
	switch {
	case isBlank(a.Skill):
		return Invalid(op, "skill", "the action names no skill: give payload.skill")
	case len(a.Skill) > MaxSkillBytes:
		return tooLong(op, "skill", len(a.Skill), MaxSkillBytes)
	case len(a.Payload) > MaxActionBytes:
		return tooLong(op, "payload", len(a.Payload), MaxActionBytes)
	case len(a.Label) > MaxLabelBytes:
		return tooLong(op, "label", len(a.Label), MaxLabelBytes)
	case !utf8.ValidString(a.Skill) || !utf8.ValidString(a.Label) || !utf8.Valid(a.Payload):
		return Invalid(op, "", "the action is not valid UTF-8")
	case !isObjectOrNull(a.Payload):
		return Invalid(op, "payload", "payload is not a JSON object")
	}
	return CheckNesting(op, "payload", a.Payload, 0)
}

// Name is the button as the person saw it: its label, or else the
// skill that it asks for.
func (a ActionReceived) Name() string { return cmp.Or(a.Label, a.Skill) }

// Params are the skill's parameters: the payload without the members for Chalie.
func (a ActionReceived) Params() (json.RawMessage, error) {
	if len(a.Payload) == 0 || string(a.Payload) == "null" {
		return json.RawMessage(`{}`), nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(a.Payload, &members); err != nil {
		return nil, Invalid("act", "payload", "the payload is not a JSON object: "+err.Error())
	}
	delete(members, "skill")
	delete(members, ButtonOf)
	return json.Marshal(members)
}

// SteerReceived redirects an episode that is under way. It belongs to that
// episode's trace; reasoning takes it up at its next step.
type SteerReceived struct {
	Text  string `json:"text"`
	Marks *Marks `json:"marks,omitempty"`
}

// Check returns a validation error that names the field and what it must be.
func (s SteerReceived) Check() error {
	const op = "check steer"
	switch {
	case isBlank(s.Text):
		return Invalid(op, "text", "text is required: say what to do instead")
	case len(s.Text) > MaxTextBytes:
		return tooLong(op, "text", len(s.Text), MaxTextBytes)
	case !utf8.ValidString(s.Text):
		return Invalid(op, "text", "the text is not valid UTF-8")
	}
	return nil
}

// SteerKey is carried by every steer of an episode, so that reasoning can
// conclude on the condition that none came in meanwhile.
func SteerKey(trace TraceID) Key { return "steer/" + Key(trace.String()) }

// MessageQueued says that a message waits: an earlier one is
// being answered. It is recorded only while that is so.
type MessageQueued struct {
	Behind ID `json:"behind"` // the message being answered
}

// QueuedKey marks that the sender of a message was told that it waits, so that this is
// said once.
func QueuedKey(trace TraceID) Key { return "queued/" + Key(trace.String()) }

// CancelReceived ends an episode of the person's that is under way. It belongs to
// that episode's trace; reasoning ends at its next step.
type CancelReceived struct{}

// CancelKey is carried by a cancel, so that an episode is cancelled once.
func CancelKey(trace TraceID) Key { return "cancel/" + Key(trace.String()) }
