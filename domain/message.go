package domain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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
	Zone     string          `json:"zone,omitempty"` // IANA name of where its sender's device is, by which its times are read; "" when that isn't known
	Marks    *Marks          `json:"marks,omitempty"`

	Conversation ConversationName `json:"conversation,omitzero"` // the default one's is left out
	Model        string           `json:"model,omitempty"`       // the model that is asked first, if there is one of that name; "" for the usual order
}

// Check returns a validation error that names the field and what it must be.
func (m MessageReceived) Check() error {
	const op = "check message"
	switch {
	case isBlank(m.Text) && len(m.ImageIDs) == 0:
		return Invalid(op, "text", "text is required: say something, or attach an image")
	case len(m.Text) > MaxTextBytes:
		return tooLong(op, "text", len(m.Text), MaxTextBytes)
	case len(m.Model) > MaxNameBytes:
		return tooLong(op, "model", len(m.Model), MaxNameBytes)
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
	if err := checkSeen(op, "source", m.Source); err != nil {
		return err
	}
	for i, id := range m.ImageIDs {
		if slices.Contains(m.ImageIDs[:i], id) {
			return Invalid(op, "image_ids", fmt.Sprintf("image_ids names %s twice: name each image once", id.UUID()))
		}
	}
	if err := m.Conversation.Check(); err != nil {
		return err
	}
	return CheckNesting(op, "metadata", m.Metadata, 0)
}

// MessageOfProgram is a message that a program sent to the person; false for any other envelope, for
// what a program asks for itself, and for one without words or whose payload was erased. The error
// is CodeUndecodable.
func MessageOfProgram(e Envelope) (MessageReceived, bool, error) {
	if e.Type != MessageReceivedType || e.Principal == PrincipalOperator {
		return MessageReceived{}, false, nil
	}
	m, err := Decode[MessageReceived](e)
	if err != nil {
		return m, false, unlessErased(err)
	}
	return m, m.Conversation.Project != ProjectBrain && !isBlank(m.Text), nil
}

// Sender names the program that sent the message, by the source of its envelope.
func (m MessageReceived) Sender(via Source) string {
	if (Interface{Name: m.Source}).Source() == via {
		return m.Source // the same name, as it is written
	}
	return cmp.Or(strings.TrimPrefix(string(via), interfacePrefix), m.Source)
}

// DeviceZone is where the device is from which something was said, pressed or asked for, by an
// IANA name; "" when that isn't known, also of anything else.
func DeviceZone(e Envelope) string {
	switch e.Type {
	case MessageReceivedType:
		said, _ := Decode[MessageReceived](e) // what can't be read says nothing
		return said.Zone
	case ActionReceivedType:
		pressed, _ := Decode[ActionReceived](e)
		return pressed.Zone
	case ToolInvokedType:
		asked, _ := Decode[ToolInvoked](e)
		return asked.Zone
	}
	return ""
}

// ActionReceived asks for a skill by name, with its parameters: a button that was
// pressed. No model is asked. It opens an episode.
type ActionReceived struct {
	Skill   string          `json:"skill"`
	Payload json.RawMessage `json:"payload"`         // an object, as it came; skill is a member of it
	Label   string          `json:"label,omitempty"` // what stood on the button; "" when its client didn't say
	Zone    string          `json:"zone,omitempty"`  // as MessageReceived's
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
	if _, _, decides := a.Decides(); decides {
		delete(members, proposalParam) // its label says which one is meant
	}
	delete(members, FromNowOn)
	return json.Marshal(members)
}

// FromNowOn reports whether the press is a yes for the future, too. A button of a tool's
// answer can't ask for that.
func (a ActionReceived) FromNowOn() bool {
	var members struct {
		Yes bool `json:"chalie_from_now_on"`
	}
	_, ofTool := a.AnswerOf()
	return !ofTool && json.Unmarshal(a.Payload, &members) == nil && members.Yes
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

// Bounds of an uploaded image.
const (
	MaxImageBytes  = 10 << 20
	MaxImagePixels = 100_000_000 // a decoder needs four bytes for each
)

// ImageUploaded says that an image was stored beside the log, under the keyed
// hash of its content. Its id is the image_id. The image itself is never in the
// log: without the file it is forgotten, and the hash tells nothing of it to who
// lacks the key.
type ImageUploaded struct {
	Hash      string `json:"hash"`       // HMAC-SHA-256 under the data directory's own key, hex
	MediaType string `json:"media_type"` // as found in the content, whatever the sender said
	Bytes     int64  `json:"bytes"`
	Width     int    `json:"width"` // pixels
	Height    int    `json:"height"`
}

// Check returns a validation error about an image that is out of bounds.
func (i ImageUploaded) Check() error {
	const op = "check image"
	switch {
	case i.Bytes > MaxImageBytes:
		return &Error{Op: op, Category: Validation, Code: CodeTooLarge, Field: "image",
			Message: fmt.Sprintf("the image has %d bytes, the bound is %d: send a smaller one", i.Bytes, MaxImageBytes)}
	case i.Width <= 0 || i.Height <= 0:
		return Invalid(op, "image", "the image has no pixels: send another one")
	case int64(i.Width)*int64(i.Height) > MaxImagePixels:
		return &Error{Op: op, Category: Validation, Code: CodeTooLarge, Field: "image",
			Message: fmt.Sprintf("the image has %d × %d pixels, the bound is %d in all: send a smaller one", i.Width, i.Height, MaxImagePixels)}
	}
	return nil
}

// Said is the content that a conclusion shows.
type Said struct {
	Blocks     []Block
	Spoken     *Spoken  // of Blocks, where they are words of Chalie's own; nil where only the words are known
	Open       []string // addresses that the tools which it rests on want opened
	Topic      string
	Mode       Mode
	Confidence PPM
}

// SaidIn is what a reasoning.concluded shows: the reply it names, those findings of
// it that are shown, what a tool answered, or words of its own, which may also stand behind
// those of a model. find returns the
// envelope that it refers to; an error of it is returned as it is. Errors are
// CodeErased and CodeUndecodable. An envelope that find returns without a type is
// taken for one that wants nothing opened.
func SaidIn(conclusion Envelope, find func(ID) (Envelope, error)) (Said, error) {
	c, err := Decode[ReasoningConcluded](conclusion)
	if err != nil {
		return Said{}, err
	}
	if c.Reply.IsZero() {
		return Said{Blocks: c.Blocks, Spoken: c.Spoken, Topic: c.Topic, Mode: ModeRespond, Confidence: One}, nil
	}
	reply, err := find(c.Reply)
	if err != nil {
		return Said{}, err
	}
	if reply.Type == ToolCompletedType {
		return saidByTool(c, reply)
	}
	r, err := Decode[ModelReplied](reply)
	if err != nil {
		return Said{}, err
	}
	if len(c.Findings) > 0 {
		said := saidByFindings(c, r)
		said.Blocks = append(said.Blocks, c.Blocks...)
		return said, nil
	}
	said := Said{Blocks: slices.Concat(r.Blocks, c.Blocks), Spoken: r.Spoken, Topic: r.Topic, Mode: r.Mode, Confidence: r.Confidence}
	if c.Shown == ShownMessage {
		said.Open = openedAddresses(c, find)
	}
	return said, nil
}

// answering are the roles that what a tool answered has in the evidence of an answer.
var answering = []string{"answered", "tool_result", "used"}

// maxOpened bounds the addresses of one answer.
const maxOpened = 8

// openedAddresses are the addresses that tools want opened, of those that an answer rests on,
// each once. What can't be read wants nothing.
func openedAddresses(c ReasoningConcluded, find func(ID) (Envelope, error)) (out []string) {
	for _, e := range c.Evidence {
		if !slices.Contains(answering, e.Role) || len(out) == maxOpened {
			continue
		}
		end, err := find(e.EnvelopeID)
		if err != nil || end.Type != ToolCompletedType {
			continue
		}
		if done, err := Decode[ToolCompleted](end); err == nil && done.OpenURL != nil && !slices.Contains(out, *done.OpenURL) {
			out = append(out, *done.OpenURL)
		}
	}
	return out
}

func saidByTool(c ReasoningConcluded, reply Envelope) (Said, error) {
	done, err := Decode[ToolCompleted](reply)
	if err != nil {
		return Said{}, err
	}
	said := Said{Blocks: AnswerBlocks(done), Spoken: done.Spoken, Topic: c.Topic, Mode: ModeAct, Confidence: One}
	if len(c.Blocks) > 0 { // in the language of the conversation
		said.Blocks, said.Spoken = c.Blocks, c.Spoken
	}
	if len(said.Blocks) == 0 {
		said.Blocks = []Block{TextBlock("Done.", FormatPlain)}
	}
	if done.OpenURL != nil {
		said.Open = []string{*done.OpenURL}
	}
	return said, nil
}

// saidByFindings shows the findings one after the other, as sure as the least
// sure of them.
func saidByFindings(c ReasoningConcluded, r ModelReplied) Said {
	said := Said{Mode: ModeRespond, Confidence: One}
	for _, i := range c.Findings {
		if i < 0 || i >= len(r.Findings) {
			continue
		}
		f := r.Findings[i]
		said.Blocks = append(said.Blocks, f.Card()...)
		said.Confidence = min(said.Confidence, f.Confidence)
		if said.Topic == "" {
			said.Topic = f.Topic
		}
	}
	return said
}

// WorkingMemory is the number of finished exchanges that a prompt has.
const WorkingMemory = 4

// Exchange is one turn of the conversation, by reference: the person's words and
// Chalie's, or Chalie's unprompted ones.
type Exchange struct {
	ID         ID // of the episode's trace
	Position   Position
	RecordedAt Millis
	Prompt     ID // the person's message.received; none when they pressed a button, or when Chalie spoke unprompted
	Action     ID // the person's action.received; none for anything else
	Conclusion ID // reasoning.concluded; none while it is under way
	Reply      ID // model.replied; none when nothing was said
	Outcome    Outcome

	InWorkingMemory bool // reasoning would look back on it now
}
