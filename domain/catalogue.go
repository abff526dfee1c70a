package domain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
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
)

// Events is the catalogue of this build. To add an event type: declare its
// payload struct beside its noun, add one line here, and let the golden tests
// write down its schema and a sample. To change one: raise the version here and
// add an upcaster from the one before; the golden file keeps the old line.
var Events = sync.OnceValue(func() *Catalogue {
	c := &Catalogue{current: map[EventType]Definition{}, lifts: map[TypeVersion]Upcaster{}, payload: map[reflect.Type]EventType{}}
	define[SignalReceived](c, "signal.received", 1, TopicSignals, KindEvent)
	define[MessageReceived](c, "message.received", 1, TopicMessages, KindEvent)
	define[ActionReceived](c, "action.received", 2, TopicMessages, KindEvent)
	define[MessageQueued](c, "message.queued", 1, TopicMessages, KindEvent)
	define[CancelReceived](c, "cancel.received", 1, TopicMessages, KindEvent)
	define[SteerReceived](c, "steer.received", 1, TopicMessages, KindEvent)
	define[ImageUploaded](c, "image.uploaded", 1, TopicMessages, KindEvent)
	define[ContextUpdated](c, "context.updated", 1, TopicMessages, KindEvent)
	define[PairingKeyIssued](c, "pairing.key_issued", 1, TopicInterfaces, KindEvent)
	define[PairingKeyUsed](c, "pairing.key_used", 1, TopicInterfaces, KindEvent)
	define[PairingRefused](c, "pairing.refused", 1, TopicInterfaces, KindEvent)
	define[InterfacePaired](c, "interface.paired", 1, TopicInterfaces, KindEvent)
	define[InterfaceRegistered](c, "interface.registered", 1, TopicInterfaces, KindEvent)
	define[ScopesApproved](c, "interface.scopes_approved", 1, TopicInterfaces, KindEvent)
	define[CapabilitiesChanged](c, "interface.capabilities_changed", 1, TopicInterfaces, KindEvent)
	define[InterfaceWentOffline](c, "interface.went_offline", 1, TopicInterfaces, KindEvent)
	define[InterfaceCameOnline](c, "interface.came_online", 1, TopicInterfaces, KindEvent)
	define[InterfaceRemoved](c, "interface.removed", 1, TopicInterfaces, KindEvent)
	define[InterfaceExpired](c, "interface.expired", 1, TopicInterfaces, KindEvent)
	define[StreamAdded](c, "stream.added", 1, TopicInterfaces, KindEvent)
	define[StreamRemoved](c, "stream.removed", 1, TopicInterfaces, KindEvent)
	define[ToolInvoked](c, "tool.invoked", 1, TopicTools, KindCommand)
	define[PolicyDecided](c, "policy.decided", 2, TopicTools, KindEvent)
	define[PolicyChanged](c, "policy.changed", 1, TopicPolicy, KindEvent)
	define[CapabilityChanged](c, "capability.changed", 2, TopicPolicy, KindEvent)
	define[ApprovalProposed](c, "approval.proposed", 1, TopicTools, KindEvent)
	define[ApprovalGranted](c, "approval.granted", 1, TopicTools, KindEvent)
	define[ApprovalRefused](c, "approval.refused", 1, TopicTools, KindEvent)
	define[ApprovalExpired](c, "approval.expired", 1, TopicTools, KindEvent)
	define[AttemptRefused](c, "approval.attempt_refused", 1, TopicTools, KindEvent)
	define[StateTaken](c, "tool.state_taken", 1, TopicTools, KindEvent)
	define[ToolVerified](c, "tool.verified", 1, TopicTools, KindEvent)
	define[ToolDispatched](c, "tool.dispatched", 1, TopicTools, KindEvent)
	define[ToolCompleted](c, "tool.completed", 2, TopicTools, KindResult)
	define[ToolFailed](c, "tool.failed", 1, TopicTools, KindResult)
	define[ToolOutcomeUnknown](c, "tool.outcome_unknown", 1, TopicTools, KindResult)
	define[ReasoningStarted](c, "reasoning.started", 1, TopicReasoning, KindEvent)
	define[ModelCalled](c, "model.called", 2, TopicReasoning, KindCommand)
	define[ModelReplied](c, "model.replied", 1, TopicReasoning, KindResult)
	define[ModelFailed](c, "model.failed", 1, TopicReasoning, KindResult)
	define[CallRejected](c, "call.rejected", 1, TopicReasoning, KindEvent)
	define[AnswerVerified](c, "answer.verified", 1, TopicReasoning, KindEvent)
	define[ReasoningYielded](c, "reasoning.yielded", 1, TopicReasoning, KindEvent)
	define[ReasoningResumed](c, "reasoning.resumed", 1, TopicReasoning, KindEvent)
	define[ReasoningConcluded](c, "reasoning.concluded", 1, TopicReasoning, KindEvent)
	define[SpineSignalEmitted](c, "spine.signal_emitted", 2, TopicSpine, KindEvent)
	define[SpineSignalDropped](c, "spine.signal_dropped", 1, TopicSpine, KindEvent)
	define[TimerDue](c, "timer.due", 1, TopicReasoning, KindEvent)
	define[ReminderSet](c, "reminder.set", 1, TopicCommitments, KindEvent)
	define[ReminderChanged](c, "reminder.changed", 1, TopicCommitments, KindEvent)
	define[ReminderDone](c, "reminder.done", 1, TopicCommitments, KindEvent)
	define[ReminderCancelled](c, "reminder.cancelled", 1, TopicCommitments, KindEvent)
	define[TaskCreated](c, "task.created", 1, TopicCommitments, KindEvent)
	define[TaskChanged](c, "task.changed", 1, TopicCommitments, KindEvent)
	define[TaskProgressed](c, "task.progressed", 1, TopicCommitments, KindEvent)
	define[TaskCompleted](c, "task.completed", 1, TopicCommitments, KindEvent)
	define[TaskDropped](c, "task.dropped", 1, TopicCommitments, KindEvent)
	define[ListCreated](c, "list.created", 1, TopicCommitments, KindEvent)
	define[ListItemAdded](c, "list.item_added", 1, TopicCommitments, KindEvent)
	define[ListItemRemoved](c, "list.item_removed", 1, TopicCommitments, KindEvent)
	define[ListRemoved](c, "list.removed", 1, TopicCommitments, KindEvent)
	define[MemoryRemembered](c, "memory.remembered", 1, TopicMemory, KindEvent)
	define[MemoryForgotten](c, "memory.forgotten", 1, TopicMemory, KindEvent)
	define[RequestAnswered](c, "request.answered", 1, TopicRequests, KindResult)
	define[OperatorRegistered](c, "operator.registered", 1, TopicAccounts, KindEvent)
	define[PasswordChanged](c, "operator.password_changed", 1, TopicAccounts, KindEvent)
	define[OperatorLoggedIn](c, "operator.logged_in", 4, TopicAccounts, KindEvent)
	define[SessionExtended](c, "session.extended", 1, TopicAccounts, KindEvent)
	define[SessionUsedElsewhere](c, "session.used_elsewhere", 1, TopicAccounts, KindEvent)
	define[SessionElsewhereSeen](c, "session.elsewhere_seen", 1, TopicAccounts, KindEvent)
	define[OperatorLoginRefused](c, "operator.login_refused", 1, TopicAccounts, KindEvent)
	define[OperatorLoggedOut](c, "operator.logged_out", 1, TopicAccounts, KindEvent)
	define[TokenIssued](c, "token.issued", 1, TopicAccounts, KindEvent)
	define[TokenRevoked](c, "token.revoked", 1, TopicAccounts, KindEvent)
	define[SystemStarted](c, "system.started", 1, TopicSystem, KindEvent)
	define[SystemStopped](c, "system.stopped", 1, TopicSystem, KindEvent)
	define[ServiceDied](c, "service.died", 1, TopicSystem, KindEvent)
	define[ServiceRecovered](c, "service.recovered", 1, TopicSystem, KindEvent)
	define[ProjectionRebuilt](c, "projection.rebuilt", 1, TopicSystem, KindEvent)
	define[ProjectionDiverged](c, "projection.diverged", 1, TopicSystem, KindEvent)
	define[RecordLost](c, LostType, 1, TopicSystem, KindEvent)
	define[ForeignMessage](c, ForeignType, 1, TopicSystem, KindStream)
	c.raise(upcasters())
	return c
})

func define[P any](c *Catalogue, t EventType, version uint16, topic Topic, kind Kind) {
	shape := reflect.TypeFor[P]()
	c.current[t] = Definition{Type: t, Version: version, Topic: topic, Kind: kind, Fields: fieldsOf(shape)}
	c.payload[shape] = t
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
	c := Events()
	t, ok := c.payload[reflect.TypeFor[P]()]
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
	text, err := e.Payload.JSON()
	if err != nil {
		return p, err
	}
	c := Events()
	t, ok := c.payload[reflect.TypeFor[P]()]
	if !ok || t != e.Type {
		return p, undecodable(e, fmt.Sprintf("it is not a %T", p), nil)
	}
	text, err = c.lift(e, text)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, undecodable(e, "its payload does not fit the schema", err)
	}
	return p, nil
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
