package domain

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// The events of a console that follow from records. Each record has one at most.
const (
	ConsoleMessage   FrameType = "chat.message"
	ConsoleReply     FrameType = "chat.reply"
	ConsoleApproval  FrameType = "chat.approval" // a tool that an answer needs waits for the person's approval
	ConsoleDelta     FrameType = "chat.delta"
	ConsoleRetracted FrameType = "chat.retracted"
	ConsoleSTT       FrameType = "voice.stt"
	ConsoleTTS       FrameType = "voice.tts"
	ConsoleCalled    FrameType = "tool.called"
	ConsoleResult    FrameType = "tool.result"
	ConsoleError     FrameType = "error"
)

// DefaultConversation is what a console calls the default conversation.
const DefaultConversation = "default"

// ConsoleUser is what a console calls the person where it names no user.
const ConsoleUser = "operator"

// ToConsole is a conversation's name as consoles are told it: what was left out has its name by
// default.
func (n ConversationName) ToConsole() ConversationName {
	return ConversationName{Project: cmp.Or(n.Project, DefaultConversation), Session: cmp.Or(n.Session, DefaultConversation), User: cmp.Or(n.User, ConsoleUser)}
}

// FromConsole is the conversation that a console means by a name: one that it was told is the one that
// it left that out of.
func (n ConversationName) FromConsole() ConversationName {
	if n.Project == DefaultConversation {
		n.Project = ""
	}
	if n.User == ConsoleUser {
		n.User = ""
	}
	if n.Project == "" && (n.Session == "" || n.Session == DefaultConversation) {
		return ConversationName{}
	}
	return n
}

// Phases of what is heard and spoken.
const (
	VoiceStart = "start"
	VoiceDone  = "done"
	VoiceError = "error"
)

// Where an error of a console arose.
const (
	AtCore   = "bff"    // in Chalie itself
	AtModel  = "router" // at the model that was to answer
	AtOllama = "ollama" // likewise, by ollama
	AtMemory = "memory" // in what Chalie keeps
)

// ConsoleModel is a model as a console names it, and its provider: AtOllama, or AtModel for all
// others. What no model said, Chalie did.
func ConsoleModel(name string) (provider, model string) {
	switch {
	case name == "":
		return AtModel, "chalie"
	case strings.HasPrefix(name, providerOllama):
		return AtOllama, strings.Replace(name, "/", ":", 1)
	}
	return AtModel, strings.Replace(name, "/", ":", 1)
}

// ModelMeant is the model that a console means by a name and a provider, each of which may be
// "", of those that answer; "" when none of them is meant. A name may leave out the provider,
// and one without a provider is of the one that is named beside it.
func ModelMeant(model, provider string, answering []string) string {
	named := strings.Replace(model, ":", "/", 1)
	for _, name := range answering {
		of, short, _ := strings.Cut(name, "/")
		if named != "" && (strings.EqualFold(named, name) || strings.EqualFold(model, short) && (provider == "" || strings.EqualFold(provider, of) || strings.EqualFold(provider, AtModel)) ||
			strings.EqualFold(model, of)) {
			return name
		}
	}
	if model != "" {
		return ""
	}
	for _, name := range answering {
		if of, _, _ := strings.Cut(name, "/"); strings.EqualFold(provider, of) {
			return name
		}
	}
	return ""
}

// providerOllama begins the names of ollama's models.
const providerOllama = "ollama/"

// ConsoleEvent is what happened, for a program that shows it or speaks it. Which fields count
// follows from the type.
type ConsoleEvent struct {
	Seq  Seq
	Type FrameType
	At   Millis // when it was recorded
	// Of is the conversation, zero for the default one; of what is heard and spoken what its
	// caller named.
	Of ConversationName

	ExchangeID ID            // chat.*, error, tool.*
	Text       string        // chat.message, chat.reply, chat.approval; chat.retracted: why; error: what happened
	Model      string        // chat.message: asked for, "" for none; chat.reply: which answered; "" of Chalie's own words
	Tokens     int           // chat.reply: that the model wrote; 0 when nobody counted
	LatencyMS  int64         // chat.reply; voice.*, tool.result: since the start
	Unasked    bool          // chat.reply: nobody asked
	Events     []StreamEvent // chat.delta
	Phase      string        // voice.*
	Voice      string        // voice.tts
	ID         ID            // voice.*: of the start; tool.*: of the call; chat.approval: of the proposal
	Tool       string        // tool.called
	OK         bool          // tool.result
	Where      string        // error
	Code       Code          // error, voice.* of an error, tool.result that failed
}

// consoleTypes are those that follow from a record's type alone.
var consoleTypes = map[EventType][]FrameType{
	STTStartedType: {ConsoleSTT}, STTCompletedType: {ConsoleSTT}, STTFailedType: {ConsoleSTT},
	TTSStartedType: {ConsoleTTS}, TTSCompletedType: {ConsoleTTS}, TTSFailedType: {ConsoleTTS},
	ToolInvokedType:   {ConsoleCalled},
	ToolCompletedType: {ConsoleResult}, ToolFailedType: {ConsoleResult}, ToolOutcomeUnknownType: {ConsoleResult},
	ApprovalProposedType: {ConsoleApproval},
}

// ConsoleTypes are the events that an envelope gives a console, for reading only. Like
// FrameTypes they follow from the envelope alone and stay the same when it is erased. The error
// is CodeUndecodable.
func ConsoleTypes(e Envelope) ([]FrameType, error) {
	switch e.Type {
	case MessageReceivedType:
		if e.Principal == PrincipalOperator && !isUnasked(e) {
			return []FrameType{ConsoleMessage}, nil
		}
	case ModelStreamedType, ModelFailedType, AnswerVerifiedType:
		types := streamTypes(e)
		switch {
		case len(types) == 0:
			return nil, nil
		case types[0] == FrameDelta:
			return []FrameType{ConsoleDelta}, nil
		}
		return []FrameType{ConsoleRetracted}, nil
	case ReasoningConcludedType:
		c, err := ConclusionOf(e)
		if err != nil {
			return nil, err
		}
		types := endTypes(e, c)
		switch {
		case slices.Contains(types, FrameError):
			return []FrameType{ConsoleError}, nil
		case c.Shown != ShownNot:
			return []FrameType{ConsoleReply}, nil
		}
	}
	if slices.Contains(e.Keys, SpokenAgain) {
		return nil, nil
	}
	return consoleTypes[e.Type], nil
}

// ConsoleEvents are the events of a record with their content, by what a log has of its
// episode. What was erased is shown as that. Errors are those of the log, and CodeUndecodable.
func ConsoleEvents(ctx context.Context, rec Record, log Reader) ([]ConsoleEvent, error) {
	types, err := ConsoleTypes(rec.Envelope)
	if err != nil || len(types) == 0 {
		return nil, err
	}
	out := ConsoleEvent{Seq: SeqOf(rec.Position, 0), Type: types[0], At: rec.Clock()}
	if !strings.HasPrefix(string(out.Type), "voice.") {
		out.ExchangeID = rec.Envelope.Trace.ID
		if out.Of, err = conversationNamed(ctx, rec.Envelope, log); err != nil {
			return nil, err
		}
	}
	if err := out.fill(ctx, rec.Envelope, log); err != nil {
		return nil, err
	}
	return []ConsoleEvent{out}, nil
}

// conversationNamed is the name of the conversation that an envelope is part of; zero of the
// default one, and of one whose name was erased.
func conversationNamed(ctx context.Context, e Envelope, log Reader) (ConversationName, error) {
	keys := ConversationOf(e).Keys()
	if len(keys) == 0 && e.ID != e.Trace.ID {
		// What a tool did carries no mark of it: what it was called for does.
		opening, err := log.Find(ctx, e.Trace.ID)
		if err != nil && CategoryOf(err) != NotFound {
			return ConversationName{}, err
		}
		keys = ConversationOf(opening.Envelope).Keys()
	}
	if len(keys) == 0 {
		return ConversationName{}, nil
	}
	first, err := log.Select(ctx, Selector{Key: keys[0]}, 1, 1)
	if err != nil || len(first) == 0 || first[0].Envelope.Type != MessageReceivedType {
		return ConversationName{}, err
	}
	said, err := decodeKept[MessageReceived](first[0].Envelope)
	return said.Conversation, err
}

func (c *ConsoleEvent) fill(ctx context.Context, e Envelope, log Reader) error {
	find := func(id ID) (Envelope, error) {
		rec, err := log.Find(ctx, id)
		return rec.Envelope, err
	}
	erased := e.Payload.Encoding == EncodingErased
	if erased {
		c.Text = erasedText
	}
	switch c.Type {
	case ConsoleMessage:
		said, err := decodeKept[MessageReceived](e)
		if !erased {
			c.Text, c.Model = said.Text, said.Model
		}
		return err
	case ConsoleReply:
		return c.reply(e, find)
	case ConsoleApproval:
		c.ID = e.ID
		if notice, err := ApprovalNotice(e); err == nil {
			c.Text = notice.Summary
		} else if !erased {
			return err
		}
	case ConsoleDelta:
		c.Text = ""
		part, err := decodeKept[ModelStreamed](e)
		c.Events = part.Events
		return err
	case ConsoleRetracted:
		var f Frame
		err := f.retract(e)
		c.Text = f.Message
		return err
	case ConsoleError:
		return c.fail(e, find)
	case ConsoleSTT, ConsoleTTS:
		c.Text = ""
		return c.hear(e)
	case ConsoleCalled:
		c.Text, c.ID = "", e.ID
		invoked, err := decodeKept[ToolInvoked](e)
		c.Tool = oneLine(invoked.Tool)
		return err
	case ConsoleResult:
		c.Text = ""
		return c.result(e)
	}
	return nil
}

// reply fills in what Chalie said.
func (c *ConsoleEvent) reply(e Envelope, find func(ID) (Envelope, error)) error {
	concluded, err := ConclusionOf(e)
	if err != nil {
		return err
	}
	c.LatencyMS = concluded.DurationMS
	c.Unasked = concluded.Shown != ShownMessage || isUnasked(e) || e.Principal != PrincipalOperator
	said, err := SaidIn(e, find)
	switch {
	case CodeOf(err) == CodeErased:
		c.Text = erasedText
		return nil
	case err != nil:
		return err
	}
	c.Text = PlainText(said.Blocks)
	if concluded.Reply.IsZero() {
		return nil
	}
	made, err := find(concluded.Reply)
	if err != nil || made.Type != ModelRepliedType {
		return err
	}
	replied, err := decodeKept[ModelReplied](made)
	c.Model, c.Tokens = replied.Model, replied.Usage.OutputTokens
	return err
}

// fail fills in why there is no answer.
func (c *ConsoleEvent) fail(e Envelope, find func(ID) (Envelope, error)) error {
	c.Text, c.Where = "it did not work out", AtCore
	if len(e.Errors) > 0 {
		c.Text, c.Code = e.Errors[0].Message, e.Errors[0].Code
	}
	if e.Parent.IsZero() {
		return nil
	}
	cause, err := find(e.Parent)
	switch {
	case CategoryOf(err) == NotFound || err == nil && cause.Type != ModelFailedType:
		return nil
	case err != nil:
		return err
	}
	failed, err := decodeKept[ModelFailed](cause)
	c.Where = AtModel
	if strings.HasPrefix(failed.Model, providerOllama) {
		c.Where = AtOllama
	}
	return err
}

// hear fills in how far hearing or speaking is.
func (c *ConsoleEvent) hear(e Envelope) (err error) {
	c.ID, c.Phase = e.Trace.ID, VoiceStart
	switch e.Type {
	case STTStartedType:
		p, failed := decodeKept[STTStarted](e)
		c.Of, err = ConversationName{Project: p.ProjectID, Session: p.SessionID}, failed
	case STTCompletedType:
		p, failed := decodeKept[STTCompleted](e)
		c.Of, c.Phase, c.LatencyMS, err = ConversationName{Project: p.ProjectID, Session: p.SessionID}, VoiceDone, p.ElapsedMS, failed
	case STTFailedType:
		p, failed := decodeKept[STTFailed](e)
		c.Of, c.Phase, c.LatencyMS, c.Code, err = ConversationName{Project: p.ProjectID, Session: p.SessionID}, VoiceError, p.ElapsedMS, p.Code, failed
	case TTSStartedType:
		p, failed := decodeKept[TTSStarted](e)
		c.Of, c.Voice, err = ConversationName{Project: p.ProjectID, Session: p.SessionID}, p.Voice, failed
	case TTSCompletedType:
		p, failed := decodeKept[TTSCompleted](e)
		c.Of, c.Phase, c.Voice, c.LatencyMS, err = ConversationName{Project: p.ProjectID, Session: p.SessionID}, VoiceDone, p.Voice, p.ElapsedMS, failed
	case TTSFailedType:
		p, failed := decodeKept[TTSFailed](e)
		c.Of, c.Phase, c.Voice, c.LatencyMS, c.Code, err = ConversationName{Project: p.ProjectID, Session: p.SessionID}, VoiceError, p.Voice, p.ElapsedMS, p.Code, failed
	}
	return err
}

// result fills in what became of a call.
func (c *ConsoleEvent) result(e Envelope) error {
	switch e.Type {
	case ToolCompletedType:
		p, err := decodeKept[ToolCompleted](e)
		c.ID, c.LatencyMS, c.OK = p.InvocationID, p.DurationMS, len(e.Errors) == 0
		if len(e.Errors) > 0 {
			c.Code = e.Errors[0].Code
		}
		return err
	case ToolFailedType:
		p, err := decodeKept[ToolFailed](e)
		c.ID, c.LatencyMS, c.Code = p.InvocationID, p.DurationMS, p.Reason
		return err
	}
	p, err := decodeKept[ToolOutcomeUnknown](e)
	c.ID, c.LatencyMS, c.Code = p.InvocationID, p.DurationMS, p.Reason
	return err
}
