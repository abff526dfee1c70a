package domain

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Definition is one payload schema that may be written today: its stored name
// and version, the topic it goes to, its kind, and its fields.
type Definition struct {
	Type    EventType
	Version uint16
	Topic   Topic
	Kind    Kind
	Fields  []Field
}

// Field is one member of a payload, by its stored name.
type Field struct {
	Name     string
	Type     string // string, integer, number, boolean, object, array, id
	Optional bool   // may be absent
}

// Catalogue knows every payload schema: those written today, and how each
// older one still in a log becomes one of them. It is immutable.
type Catalogue struct {
	current map[EventType]Definition
	lifts   map[TypeVersion]Upcaster
	payload map[reflect.Type]EventType
	rows    []PlanKind
	kinds   map[ItemKind]PlanKind
	plans   map[EventType]planCell
}

// Topics of the catalogue. Names are stored.
const (
	TopicSignals     Topic = "signals"
	TopicMessages    Topic = "messages"
	TopicInterfaces  Topic = "interfaces"
	TopicTools       Topic = "tools"
	TopicPolicy      Topic = "policy"
	TopicReasoning   Topic = "reasoning"
	TopicSpine       Topic = "spine"
	TopicAccounts    Topic = "accounts"
	TopicCommitments Topic = "commitments"
	TopicMemory      Topic = "memory"
	TopicRequests    Topic = "requests"
	TopicSystem      Topic = "system"
	TopicVoice       Topic = "voice"
)

// Types of the catalogue, each called as its payload is. Names are stored.
const (
	SignalReceivedType       EventType = "signal.received"
	MessageReceivedType      EventType = "message.received"
	ActionReceivedType       EventType = "action.received"
	MessageQueuedType        EventType = "message.queued"
	CancelReceivedType       EventType = "cancel.received"
	ToldSeenType             EventType = "told.seen"
	SteerReceivedType        EventType = "steer.received"
	ImageUploadedType        EventType = "image.uploaded"
	ContextUpdatedType       EventType = "context.updated"
	PairingKeyIssuedType     EventType = "pairing.key_issued"
	PairingKeyUsedType       EventType = "pairing.key_used"
	PairingRefusedType       EventType = "pairing.refused"
	InterfacePairedType      EventType = "interface.paired"
	InterfaceRegisteredType  EventType = "interface.registered"
	ScopesApprovedType       EventType = "interface.scopes_approved"
	CapabilitiesChangedType  EventType = "interface.capabilities_changed"
	InterfaceWentOfflineType EventType = "interface.went_offline"
	InterfaceCameOnlineType  EventType = "interface.came_online"
	InterfaceRemovedType     EventType = "interface.removed"
	InterfaceExpiredType     EventType = "interface.expired"
	MCPServerAddedType       EventType = "mcp.server_added"
	MCPToolsAcceptedType     EventType = "mcp.tools_accepted"
	StreamAddedType          EventType = "stream.added"
	StreamRemovedType        EventType = "stream.removed"
	ToolInvokedType          EventType = "tool.invoked"
	PolicyDecidedType        EventType = "policy.decided"
	PolicyChangedType        EventType = "policy.changed"
	CapabilityChangedType    EventType = "capability.changed"
	SettingsChangedType      EventType = "settings.changed"
	DifferencesAcceptedType  EventType = "differences.accepted"
	ApprovalProposedType     EventType = "approval.proposed"
	ApprovalGrantedType      EventType = "approval.granted"
	ApprovalRefusedType      EventType = "approval.refused"
	ApprovalExpiredType      EventType = "approval.expired"
	AttemptRefusedType       EventType = "approval.attempt_refused"
	StateTakenType           EventType = "tool.state_taken"
	ToolVerifiedType         EventType = "tool.verified"
	ToolDispatchedType       EventType = "tool.dispatched"
	ToolCompletedType        EventType = "tool.completed"
	ToolFailedType           EventType = "tool.failed"
	ToolOutcomeUnknownType   EventType = "tool.outcome_unknown"
	ReasoningStartedType     EventType = "reasoning.started"
	RelationsFoundType       EventType = "relations.found"
	ModelCalledType          EventType = "model.called"
	ModelStreamedType        EventType = "model.streamed"
	ModelRepliedType         EventType = "model.replied"
	ModelFailedType          EventType = "model.failed"
	CallRejectedType         EventType = "call.rejected"
	AnswerVerifiedType       EventType = "answer.verified"
	ReasoningYieldedType     EventType = "reasoning.yielded"
	ReasoningResumedType     EventType = "reasoning.resumed"
	AttemptFailedType        EventType = "attempt.failed"
	ReasoningGivenUpType     EventType = "reasoning.given_up"
	ReasoningConcludedType   EventType = "reasoning.concluded"
	SpineSignalEmittedType   EventType = "spine.signal_emitted"
	SpineSignalDroppedType   EventType = "spine.signal_dropped"
	TimerDueType             EventType = "timer.due"
	ReminderSetType          EventType = "reminder.set"
	ReminderChangedType      EventType = "reminder.changed"
	ReminderDoneType         EventType = "reminder.done"
	ReminderCancelledType    EventType = "reminder.cancelled"
	AppointmentSetType       EventType = "appointment.set"
	AppointmentChangedType   EventType = "appointment.changed"
	AppointmentPassedType    EventType = "appointment.passed"
	AppointmentCancelledType EventType = "appointment.cancelled"
	TaskCreatedType          EventType = "task.created"
	TaskChangedType          EventType = "task.changed"
	TaskProgressedType       EventType = "task.progressed"
	TaskCompletedType        EventType = "task.completed"
	TaskDroppedType          EventType = "task.dropped"
	ListCreatedType          EventType = "list.created"
	ListItemAddedType        EventType = "list.item_added"
	ListItemRemovedType      EventType = "list.item_removed"
	ListRemovedType          EventType = "list.removed"
	ChangeUndoneType         EventType = "change.undone"
	MemoryRememberedType     EventType = "memory.remembered"
	MemoryForgottenType      EventType = "memory.forgotten"
	NoteWrittenType          EventType = "note.written"
	NoteRemovedType          EventType = "note.removed"
	NoticeDismissedType      EventType = "notice.dismissed"
	NoticeSilencedType       EventType = "notice.silenced"
	NoticeRestoredType       EventType = "notice.restored"
	STTStartedType           EventType = "voice.stt_started"
	STTCompletedType         EventType = "voice.stt_completed"
	STTFailedType            EventType = "voice.stt_failed"
	TTSStartedType           EventType = "voice.tts_started"
	TTSCompletedType         EventType = "voice.tts_completed"
	TTSFailedType            EventType = "voice.tts_failed"
	AudioForgottenType       EventType = "voice.audio_forgotten"
	CommandReceivedType      EventType = "command.received"
	RequestAnsweredType      EventType = "request.answered"
	OperatorRegisteredType   EventType = "operator.registered"
	PasswordChangedType      EventType = "operator.password_changed"
	OperatorLoggedInType     EventType = "operator.logged_in"
	SessionExtendedType      EventType = "session.extended"
	SessionUsedElsewhereType EventType = "session.used_elsewhere"
	SessionElsewhereSeenType EventType = "session.elsewhere_seen"
	OperatorLoginRefusedType EventType = "operator.login_refused"
	OperatorLoggedOutType    EventType = "operator.logged_out"
	TokenIssuedType          EventType = "token.issued"
	TokenRevokedType         EventType = "token.revoked"
	SystemStartedType        EventType = "system.started"
	SystemStoppedType        EventType = "system.stopped"
	ServiceDiedType          EventType = "service.died"
	ServiceRecoveredType     EventType = "service.recovered"
	ProjectionRebuiltType    EventType = "projection.rebuilt"
	ProjectionDivergedType   EventType = "projection.diverged"
	RecordLostType           EventType = "record.lost"
	LogTakenOverType         EventType = "log.taken_over"
	EpochBegunType           EventType = "epoch.begun"
	BackupFailedType         EventType = "backup.failed"
	BackupRecoveredType      EventType = "backup.recovered"
	SpanRetiredType          EventType = "span.retired"
	ForeignMessageType       EventType = "watermill.message"
)

// Events is the catalogue of this build. To add an event type: declare its
// payload struct beside its noun, name it above, add one line here, and let the golden tests
// write down its schema and a sample. To change one: raise the version here and
// add an upcaster from the one before; the golden file keeps the old line.
//
// The events of plans come from their table, see PlanKinds.
var Events = sync.OnceValue(func() *Catalogue { return CatalogueOf(PlanKinds()...) })

// CatalogueOf is the catalogue with such kinds of plans. But for a test there is one, Events.
func CatalogueOf(kinds ...PlanKind) *Catalogue {
	c := &Catalogue{
		current: map[EventType]Definition{}, lifts: map[TypeVersion]Upcaster{}, payload: map[reflect.Type]EventType{},
		rows: kinds, kinds: map[ItemKind]PlanKind{}, plans: map[EventType]planCell{},
	}
	for _, kind := range kinds {
		c.kinds[kind.Kind] = kind
		for verb, event := range kind.Verbs {
			c.plans[event.Type] = planCell{event, kind, verb}
			c.define(event.shape, event.Type, event.Version, TopicCommitments, KindEvent)
		}
	}
	c.defineTalk()
	c.defineHouse()
	c.raise(upcasters())
	return c
}

// defineTalk is what is said, heard, thought and done.
func (c *Catalogue) defineTalk() {
	define[SignalReceived](c, SignalReceivedType, 1, TopicSignals, KindEvent)
	define[MessageReceived](c, MessageReceivedType, 4, TopicMessages, KindEvent)
	define[ActionReceived](c, ActionReceivedType, 3, TopicMessages, KindEvent)
	define[MessageQueued](c, MessageQueuedType, 1, TopicMessages, KindEvent)
	define[CancelReceived](c, CancelReceivedType, 1, TopicMessages, KindEvent)
	define[ToldSeen](c, ToldSeenType, 1, TopicMessages, KindEvent)
	define[SteerReceived](c, SteerReceivedType, 1, TopicMessages, KindEvent)
	define[ImageUploaded](c, ImageUploadedType, 1, TopicMessages, KindEvent)
	define[ContextUpdated](c, ContextUpdatedType, 1, TopicMessages, KindEvent)
	define[PairingKeyIssued](c, PairingKeyIssuedType, 1, TopicInterfaces, KindEvent)
	define[PairingKeyUsed](c, PairingKeyUsedType, 1, TopicInterfaces, KindEvent)
	define[PairingRefused](c, PairingRefusedType, 1, TopicInterfaces, KindEvent)
	define[InterfacePaired](c, InterfacePairedType, 2, TopicInterfaces, KindEvent)
	define[InterfaceRegistered](c, InterfaceRegisteredType, 1, TopicInterfaces, KindEvent)
	define[ScopesApproved](c, ScopesApprovedType, 1, TopicInterfaces, KindEvent)
	define[CapabilitiesChanged](c, CapabilitiesChangedType, 2, TopicInterfaces, KindEvent)
	define[InterfaceWentOffline](c, InterfaceWentOfflineType, 1, TopicInterfaces, KindEvent)
	define[InterfaceCameOnline](c, InterfaceCameOnlineType, 1, TopicInterfaces, KindEvent)
	define[InterfaceRemoved](c, InterfaceRemovedType, 1, TopicInterfaces, KindEvent)
	define[InterfaceExpired](c, InterfaceExpiredType, 1, TopicInterfaces, KindEvent)
	define[MCPServerAdded](c, MCPServerAddedType, 1, TopicInterfaces, KindEvent)
	define[MCPToolsAccepted](c, MCPToolsAcceptedType, 1, TopicInterfaces, KindEvent)
	define[StreamAdded](c, StreamAddedType, 1, TopicInterfaces, KindEvent)
	define[StreamRemoved](c, StreamRemovedType, 1, TopicInterfaces, KindEvent)
	define[ToolInvoked](c, ToolInvokedType, 3, TopicTools, KindCommand)
	define[PolicyDecided](c, PolicyDecidedType, 3, TopicTools, KindEvent)
	define[PolicyChanged](c, PolicyChangedType, 1, TopicPolicy, KindEvent)
	define[CapabilityChanged](c, CapabilityChangedType, 3, TopicPolicy, KindEvent)
	define[SettingsChanged](c, SettingsChangedType, 1, TopicSystem, KindEvent)
	define[DifferencesAccepted](c, DifferencesAcceptedType, 1, TopicSystem, KindEvent)
	define[ApprovalProposed](c, ApprovalProposedType, 1, TopicTools, KindEvent)
	define[ApprovalGranted](c, ApprovalGrantedType, 1, TopicTools, KindEvent)
	define[ApprovalRefused](c, ApprovalRefusedType, 1, TopicTools, KindEvent)
	define[ApprovalExpired](c, ApprovalExpiredType, 1, TopicTools, KindEvent)
	define[AttemptRefused](c, AttemptRefusedType, 1, TopicTools, KindEvent)
	define[StateTaken](c, StateTakenType, 1, TopicTools, KindEvent)
	define[ToolVerified](c, ToolVerifiedType, 2, TopicTools, KindEvent)
	define[ToolDispatched](c, ToolDispatchedType, 2, TopicTools, KindEvent)
	define[ToolCompleted](c, ToolCompletedType, 4, TopicTools, KindResult)
	define[ToolFailed](c, ToolFailedType, 2, TopicTools, KindResult)
	define[ToolOutcomeUnknown](c, ToolOutcomeUnknownType, 2, TopicTools, KindResult)
	define[ReasoningStarted](c, ReasoningStartedType, 4, TopicReasoning, KindEvent)
	define[RelationsFound](c, RelationsFoundType, 1, TopicReasoning, KindEvent)
	define[ModelCalled](c, ModelCalledType, 3, TopicReasoning, KindCommand)
	define[ModelStreamed](c, ModelStreamedType, 1, TopicReasoning, KindStream)
	define[ModelReplied](c, ModelRepliedType, 7, TopicReasoning, KindResult)
	define[ModelFailed](c, ModelFailedType, 2, TopicReasoning, KindResult)
	define[CallRejected](c, CallRejectedType, 3, TopicReasoning, KindEvent)
	define[AnswerVerified](c, AnswerVerifiedType, 2, TopicReasoning, KindEvent)
	define[ReasoningYielded](c, ReasoningYieldedType, 1, TopicReasoning, KindEvent)
	define[ReasoningResumed](c, ReasoningResumedType, 2, TopicReasoning, KindEvent)
	define[AttemptFailed](c, AttemptFailedType, 1, TopicReasoning, KindEvent)
	define[ReasoningGivenUp](c, ReasoningGivenUpType, 1, TopicReasoning, KindEvent)
	define[ReasoningConcluded](c, ReasoningConcludedType, 3, TopicReasoning, KindEvent)
	define[SpineSignalEmitted](c, SpineSignalEmittedType, 3, TopicSpine, KindEvent)
	define[SpineSignalDropped](c, SpineSignalDroppedType, 1, TopicSpine, KindEvent)
	define[TimerDue](c, TimerDueType, 1, TopicReasoning, KindEvent)
}

// defineHouse is what is kept, and what happens to Chalie itself.
func (c *Catalogue) defineHouse() {
	define[ListCreated](c, ListCreatedType, 1, TopicCommitments, KindEvent)
	define[ListItemAdded](c, ListItemAddedType, 1, TopicCommitments, KindEvent)
	define[ListItemRemoved](c, ListItemRemovedType, 1, TopicCommitments, KindEvent)
	define[ListRemoved](c, ListRemovedType, 1, TopicCommitments, KindEvent)
	define[ChangeUndone](c, ChangeUndoneType, 1, TopicCommitments, KindEvent)
	define[MemoryRemembered](c, MemoryRememberedType, 1, TopicMemory, KindEvent)
	define[MemoryForgotten](c, MemoryForgottenType, 1, TopicMemory, KindEvent)
	define[NoteWritten](c, NoteWrittenType, 1, TopicMemory, KindEvent)
	define[NoteRemoved](c, NoteRemovedType, 1, TopicMemory, KindEvent)
	define[NoticeDismissed](c, NoticeDismissedType, 1, TopicMemory, KindEvent)
	define[NoticeSilenced](c, NoticeSilencedType, 1, TopicMemory, KindEvent)
	define[NoticeRestored](c, NoticeRestoredType, 1, TopicMemory, KindEvent)
	define[STTStarted](c, STTStartedType, 1, TopicVoice, KindCommand)
	define[STTCompleted](c, STTCompletedType, 1, TopicVoice, KindResult)
	define[STTFailed](c, STTFailedType, 1, TopicVoice, KindResult)
	define[TTSStarted](c, TTSStartedType, 1, TopicVoice, KindCommand)
	define[TTSCompleted](c, TTSCompletedType, 1, TopicVoice, KindResult)
	define[TTSFailed](c, TTSFailedType, 1, TopicVoice, KindResult)
	define[AudioForgotten](c, AudioForgottenType, 1, TopicVoice, KindEvent)
	define[CommandReceived](c, CommandReceivedType, 1, TopicRequests, KindCommand)
	define[RequestAnswered](c, RequestAnsweredType, 1, TopicRequests, KindResult)
	define[OperatorRegistered](c, OperatorRegisteredType, 1, TopicAccounts, KindEvent)
	define[PasswordChanged](c, PasswordChangedType, 1, TopicAccounts, KindEvent)
	define[OperatorLoggedIn](c, OperatorLoggedInType, 4, TopicAccounts, KindEvent)
	define[SessionExtended](c, SessionExtendedType, 1, TopicAccounts, KindEvent)
	define[SessionUsedElsewhere](c, SessionUsedElsewhereType, 1, TopicAccounts, KindEvent)
	define[SessionElsewhereSeen](c, SessionElsewhereSeenType, 1, TopicAccounts, KindEvent)
	define[OperatorLoginRefused](c, OperatorLoginRefusedType, 1, TopicAccounts, KindEvent)
	define[OperatorLoggedOut](c, OperatorLoggedOutType, 1, TopicAccounts, KindEvent)
	define[TokenIssued](c, TokenIssuedType, 1, TopicAccounts, KindEvent)
	define[TokenRevoked](c, TokenRevokedType, 1, TopicAccounts, KindEvent)
	define[SystemStarted](c, SystemStartedType, 3, TopicSystem, KindEvent)
	define[SystemStopped](c, SystemStoppedType, 1, TopicSystem, KindEvent)
	define[ServiceDied](c, ServiceDiedType, 1, TopicSystem, KindEvent)
	define[ServiceRecovered](c, ServiceRecoveredType, 1, TopicSystem, KindEvent)
	define[ProjectionRebuilt](c, ProjectionRebuiltType, 1, TopicSystem, KindEvent)
	define[ProjectionDiverged](c, ProjectionDivergedType, 1, TopicSystem, KindEvent)
	define[RecordLost](c, RecordLostType, 1, TopicSystem, KindEvent)
	define[LogTakenOver](c, LogTakenOverType, 1, TopicSystem, KindEvent)
	define[EpochBegun](c, EpochBegunType, 1, TopicSystem, KindEvent)
	define[BackupFailed](c, BackupFailedType, 1, TopicSystem, KindEvent)
	define[BackupRecovered](c, BackupRecoveredType, 1, TopicSystem, KindEvent)
	define[SpanRetired](c, SpanRetiredType, 1, TopicSystem, KindEvent)
	define[ForeignMessage](c, ForeignMessageType, 1, TopicSystem, KindStream)
}

func define[P any](c *Catalogue, t EventType, version uint16, topic Topic, kind Kind) {
	c.define(reflect.TypeFor[P](), t, version, topic, kind)
}

func (c *Catalogue) define(shape reflect.Type, t EventType, version uint16, topic Topic, kind Kind) {
	c.current[t] = Definition{Type: t, Version: version, Topic: topic, Kind: kind, Fields: fieldsOf(shape)}
	c.payload[shape] = t
}

// Kinds are the kinds of plans, in the order in which they are told.
func (c *Catalogue) Kinds() []PlanKind { return c.rows }

// Hash tells two builds with different payload schemas apart.
func (c *Catalogue) Hash() string {
	sum := sha256.New()
	for _, d := range c.Definitions() {
		// A hash takes every write.
		_, _ = fmt.Fprintf(sum, "%s %d %s %s %v\n", d.Type, d.Version, d.Topic, d.Kind, d.Fields)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Definitions lists the schemas written today, by topic and type.
func (c *Catalogue) Definitions() []Definition {
	out := make([]Definition, 0, len(c.current))
	for _, d := range c.current {
		out = append(out, d)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Topic != out[j].Topic {
			return out[i].Topic < out[j].Topic
		}
		return out[i].Type < out[j].Type
	})
	return out
}

// Lookup is the schema written today under a stored name.
func (c *Catalogue) Lookup(t EventType) (Definition, bool) {
	d, ok := c.current[t]
	return d, ok
}

// New makes the envelope of a payload: type, version and kind come from the
// catalogue, lineage from its cause. It returns the entry with its topic.
func New[P any](lin Lineage, id ID, at Millis, source Source, payload P) (Entry, error) {
	return entryOf(lin, id, at, source, payload)
}

// entryOf is New. It stands by itself, as every type of payload has a New of its own in the
// program.
func entryOf(lin Lineage, id ID, at Millis, source Source, payload any) (Entry, error) {
	c := Events()
	t, ok := c.payload[reflect.TypeOf(payload)]
	if !ok {
		return Entry{}, Invalid("make envelope", "type", fmt.Sprintf("%T is not in the catalogue", payload))
	}
	text, err := marshal(payload)
	if err != nil {
		return Entry{}, &Error{Op: "make envelope", Category: Validation, Code: "invalid", Message: "the payload can't be written as JSON", Err: err}
	}
	d := c.current[t]
	return Entry{Topic: d.Topic, Envelope: Envelope{
		ID: id, Trace: lin.Trace, Parent: lin.Parent, Timestamp: at, Kind: d.Kind, Source: source,
		Principal: lin.Principal, Type: t, Version: d.Version, Payload: JSONPayload(text),
	}}, nil
}

// marshal writes JSON as people write it: <, > and & stay themselves, since a
// payload is never put into a page unescaped anyway.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// Decode reads an envelope's payload as P, lifting older versions. It returns
// an Error with CodeErased when the payload is gone, with CodeUndecodable when
// the stored schema is not P's or can't be lifted.
func Decode[P any](e Envelope) (P, error) {
	var p P
	err := decodeInto(e, &p, reflect.TypeFor[P]())
	return p, err
}

// decodeInto is Decode, into a pointer to a shape. It stands by itself, as New's does.
func decodeInto(e Envelope, into any, shape reflect.Type) error {
	text, err := e.Payload.JSON()
	if err != nil {
		return err
	}
	c := Events()
	t, ok := c.payload[shape]
	if !ok || t != e.Type {
		return undecodable(e, fmt.Sprintf("it is not a %s", shape), nil)
	}
	text, err = c.lift(e, text)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return undecodable(e, "its payload does not fit the schema", err)
	}
	return nil
}

func undecodable(e Envelope, why string, cause error) error {
	return &Error{Op: "decode payload", Category: Validation, Code: CodeUndecodable, Err: cause,
		Message: fmt.Sprintf("envelope %s (%s v%d): %s", e.ID, e.Type, e.Version, why)}
}

func fieldsOf(shape reflect.Type) []Field {
	fields := make([]Field, 0, shape.NumField())
	for field := range shape.Fields() {
		name, opts, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields = append(fields, Field{Name: name, Type: jsonType(field.Type), Optional: strings.Contains(opts, "omit")})
	}
	return fields
}

func jsonType(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[ID]():
		return "id"
	case t == reflect.TypeFor[json.RawMessage](), t == reflect.TypeFor[map[string]any](), t == reflect.TypeFor[Block]():
		return "object"
	case t == reflect.TypeFor[[]byte]():
		return "string"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array of " + jsonType(t.Elem())
	case reflect.Pointer:
		return jsonType(t.Elem()) + " or null"
	case reflect.Map:
		return "map of " + jsonType(t.Elem())
	case reflect.Struct:
		parts := make([]string, 0, t.NumField())
		for _, f := range fieldsOf(t) {
			parts = append(parts, f.String())
		}
		return "object{" + strings.Join(parts, " ") + "}"
	default:
		return "integer"
	}
}

// String writes the field as the golden file does.
func (f Field) String() string {
	mark := ""
	if f.Optional {
		mark = "?"
	}
	return f.Name + mark + ":" + f.Type
}

// CheckPayload judges whether an envelope's payload is one that could be written
// today under its type: every field is known and of its type, and whatever the
// payload's own Check asks for holds. Errors: CodeErased; CodeUndecodable, of a type
// or version that isn't written today, and of a field that doesn't fit; validation,
// from the payload's Check.
func (c *Catalogue) CheckPayload(e Envelope) error {
	text, err := e.Payload.JSON()
	if err != nil {
		return err
	}
	for shape, t := range c.payload {
		if t != e.Type {
			continue
		}
		if e.Version != c.current[t].Version {
			return undecodable(e, "it is not in the version that is written today", nil)
		}
		into := reflect.New(shape)
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(into.Interface()); err != nil {
			return undecodable(e, "its payload does not fit the schema", err)
		}
		if checked, ok := reflect.TypeAssert[interface{ Check() error }](into); ok {
			return checked.Check()
		}
		return nil
	}
	return undecodable(e, "it is not in the catalogue", nil)
}

// Decodes reports whether this build can read a stored schema: it writes it, or
// has an upcaster for each version from there on.
func (c *Catalogue) Decodes(tv TypeVersion) bool { return c.cannot(tv) == "" }

// cannot says why a stored schema can't be read; "" when it can.
func (c *Catalogue) cannot(tv TypeVersion) string {
	d, ok := c.current[tv.Type]
	switch {
	case !ok:
		return "a type it doesn't know"
	case tv.Version > d.Version:
		return fmt.Sprintf("it knows versions up to %d", d.Version)
	}
	for v := tv.Version; v < d.Version; v++ {
		if _, ok := c.lifts[TypeVersion{tv.Type, v}]; !ok {
			return fmt.Sprintf("it has no upcaster from version %d", v)
		}
	}
	return ""
}

// Gate is the decode gate: it refuses a log that holds records this build can't
// read, naming each schema, how many there are and what is wrong with it. The
// error is a Conflict with CodeUndecodable.
func (c *Catalogue) Gate(counts map[TypeVersion]uint64) error {
	var found []string
	for tv, n := range counts {
		if why := c.cannot(tv); n > 0 && why != "" {
			found = append(found, fmt.Sprintf("%s v%d (%s; %s)", tv.Type, tv.Version, recordsOf(n), why))
		}
	}
	if len(found) == 0 {
		return nil
	}
	slices.Sort(found)
	return &Error{Op: "open log", Category: Conflict, Code: CodeUndecodable, Message: "this build can't read all of the log: " +
		strings.Join(found, ", ") + ". Run the version that wrote them, or a newer one; nothing was changed"}
}

func recordsOf(n uint64) string {
	if n == 1 {
		return "1 record"
	}
	return fmt.Sprintf("%d records", n)
}
