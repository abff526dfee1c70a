package domain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Kind is the kind of an envelope: a request to act, something that happened, the
// answer to another envelope, or one element of a stream.
type Kind string

// The four kinds.
const (
	KindCommand Kind = "command"
	KindEvent   Kind = "event"
	KindResult  Kind = "result"
	KindStream  Kind = "stream"
)

// Source is the immediate emitter of an envelope: a component, or the name of
// the program whose token it came with.
type Source string

// Principal is the identity accountable for an envelope. It is propagated
// unchanged to everything the envelope causes.
type Principal string

// The two principals that are neither a service's name nor made of an id: an interface's is
// its id, a stream's and a program's are their id behind a prefix.
const (
	PrincipalOperator Principal = "operator" // what the person asked for or planned
	PrincipalCore     Principal = "core"     // the system itself
)

// ProgramPrincipal is that of the program whose token an envelope issued. No name and no id
// of anything else is written so, and a token that is issued again under a name has another.
// Earlier builds had the token's name in its place.
func ProgramPrincipal(issued ID) Principal { return actorProgram + Principal(issued.UUID()) }

// Program is the envelope that issued the token of a program; false of any other principal.
func (p Principal) Program() (issued ID, ok bool) {
	text, ok := strings.CutPrefix(string(p), actorProgram)
	if !ok {
		return ID{}, false
	}
	issued, err := ParseID(text)
	return issued, err == nil
}

// EventType is the stored name of an event: past tense, dotted, for ever.
type EventType string

// Topic groups event types for ordered reading.
type Topic string

// Key marks an envelope so that a later append can be made conditional on it,
// and so that it can be found by it. Keys are stored in clear: no personal text.
type Key string

// Subject is a pseudonym of whom a payload is about. Losing the subject's
// encryption key erases the payload.
type Subject string

// Encoding says how the bytes of a payload are to be read.
type Encoding uint8

// The encodings. Their numbers are stored: never change or reuse one.
const (
	EncodingJSON   Encoding = 0 // JSON text in clear
	EncodingOpaque Encoding = 1 // bytes of a foreign shape, in clear
	EncodingSealed Encoding = 2 // encrypted with the key KeyID names
	EncodingErased Encoding = 3 // the key is gone; nothing is left to read
)

// Payload is the content of an envelope, in clear, encrypted or erased.
type Payload struct {
	Encoding Encoding
	KeyID    string // which key seals it; "" in clear
	Nonce    []byte
	Bytes    []byte
}

// JSONPayload is a payload in clear.
func JSONPayload(text []byte) Payload { return Payload{Encoding: EncodingJSON, Bytes: text} }

// JSON is the payload's text. It returns an Error with CodeErased when the
// payload can no longer be read; a fold must say what it then does.
func (p Payload) JSON() ([]byte, error) {
	switch p.Encoding {
	case EncodingJSON:
		return p.Bytes, nil
	case EncodingOpaque:
		return nil, &Error{Op: "read payload", Category: Validation, Code: CodeUndecodable, Message: "the payload is opaque bytes, not JSON"}
	default:
		return nil, &Error{Op: "read payload", Category: NotFound, Code: CodeErased, Message: "the payload was erased"}
	}
}

// Envelope is the one stored shape: who caused what, when, in which episode,
// because of which other envelope, with what content.
//
// An envelope is immutable once appended. Slices are shared, not copied.
type Envelope struct {
	ID        ID
	Trace     TraceID
	Parent    ID     // none for the first of a trace that nothing earlier caused
	Timestamp Millis // the emitter's clock
	Kind      Kind
	Source    Source
	Principal Principal
	Type      EventType
	Version   uint16
	Keys      []Key
	Subjects  []Subject
	Payload   Payload
	Errors    []Fault
}

// Fault is an error as an envelope and the Brain SDK carry it.
type Fault struct {
	Code      Code           `json:"code"`
	Message   string         `json:"message"`
	Category  Category       `json:"category,omitempty"`
	Retryable bool           `json:"retryable"`
	Metadata  map[string]any `json:"metadata,omitempty"`
}

// The bounds of one envelope. They keep an append of one envelope far below
// MaxBatchBytes and index keys short.
const (
	MaxNameBytes    = 128       // type, topic, source, principal
	MaxKeyBytes     = 256       // one key or subject
	MaxKeys         = 16        // keys, and likewise subjects
	MaxPayloadBytes = 512 << 10 // payload and errors each
)

// Check returns a validation error that names the first field that is wrong.
// It judges shape and bounds, not lineage and not the payload's fields.
func (e Envelope) Check() error {
	switch {
	case e.ID.IsZero():
		return Invalid("check envelope", "envelope_id", "envelope_id is required")
	case e.Trace.IsZero():
		return Invalid("check envelope", "trace_id", "trace_id is required")
	case e.Parent == e.ID:
		return Invalid("check envelope", "parent_id", "an envelope can't be its own parent")
	case e.Kind != KindCommand && e.Kind != KindEvent && e.Kind != KindResult && e.Kind != KindStream:
		return Invalid("check envelope", "kind", fmt.Sprintf("kind %q is none of command, event, result, stream", e.Kind))
	case e.Version == 0:
		return Invalid("check envelope", "version", "versions start at 1")
	case len(e.Payload.Bytes) > MaxPayloadBytes:
		return Invalid("check envelope", "payload", fmt.Sprintf("the payload has %d bytes, the bound is %d", len(e.Payload.Bytes), MaxPayloadBytes))
	case e.Payload.Encoding > EncodingErased:
		return Invalid("check envelope", "payload", fmt.Sprintf("encoding %d is unknown", e.Payload.Encoding))
	case e.Payload.Encoding == EncodingJSON && !(gjson.ValidBytes(e.Payload.Bytes) && utf8.Valid(e.Payload.Bytes)):
		return Invalid("check envelope", "payload", "the payload is not JSON in UTF-8")
	case len(e.Payload.KeyID) > MaxKeyBytes || len(e.Payload.Nonce) > MaxKeyBytes || !utf8.ValidString(e.Payload.KeyID):
		return Invalid("check envelope", "payload", fmt.Sprintf("key id and nonce have at most %d bytes, and the key id is UTF-8", MaxKeyBytes))
	}
	for _, f := range []struct{ field, value string }{
		{"source", string(e.Source)}, {"principal", string(e.Principal)}, {"type", string(e.Type)},
	} {
		if f.value == "" || len(f.value) > MaxNameBytes || !utf8.ValidString(f.value) {
			return Invalid("check envelope", f.field, fmt.Sprintf("%s has %d bytes: give 1 to %d of UTF-8", f.field, len(f.value), MaxNameBytes))
		}
	}
	if err := e.checkErrors(); err != nil {
		return err
	}
	return e.checkKeys()
}

func (e Envelope) checkErrors() error {
	if len(e.Errors) == 0 {
		return nil
	}
	text, err := json.Marshal(e.Errors)
	if err != nil {
		return Invalid("check envelope", "errors", "the errors can't be written as JSON: "+err.Error())
	}
	if len(text) > MaxPayloadBytes {
		return Invalid("check envelope", "errors", fmt.Sprintf("the errors have %d bytes, the bound is %d", len(text), MaxPayloadBytes))
	}
	return nil
}

func (e Envelope) checkKeys() error {
	if len(e.Keys) > MaxKeys || len(e.Subjects) > MaxKeys {
		return Invalid("check envelope", "keys", fmt.Sprintf("an envelope carries at most %d keys and %d subjects", MaxKeys, MaxKeys))
	}
	for _, k := range e.Keys {
		if k == "" || len(k) > MaxKeyBytes || !utf8.ValidString(string(k)) {
			return Invalid("check envelope", "keys", fmt.Sprintf("a key has %d bytes: give 1 to %d of UTF-8", len(k), MaxKeyBytes))
		}
	}
	for _, s := range e.Subjects {
		if s == "" || len(s) > MaxKeyBytes || !utf8.ValidString(string(s)) {
			return Invalid("check envelope", "subjects", fmt.Sprintf("a subject has %d bytes: give 1 to %d of UTF-8", len(s), MaxKeyBytes))
		}
	}
	return nil
}

// Clone is the envelope with memory of its own.
func (e Envelope) Clone() Envelope {
	e.Keys, e.Subjects, e.Errors = slices.Clone(e.Keys), slices.Clone(e.Subjects), slices.Clone(e.Errors)
	e.Payload.Nonce, e.Payload.Bytes = slices.Clone(e.Payload.Nonce), slices.Clone(e.Payload.Bytes)
	return e
}

// Equal reports whether two envelopes would be stored as the same bytes.
func (e Envelope) Equal(o Envelope) bool {
	same := e.ID == o.ID && e.Trace == o.Trace && e.Parent == o.Parent &&
		e.Timestamp == o.Timestamp && e.Kind == o.Kind && e.Source == o.Source &&
		e.Principal == o.Principal && e.Type == o.Type && e.Version == o.Version &&
		slices.Equal(e.Keys, o.Keys) && slices.Equal(e.Subjects, o.Subjects) &&
		e.Payload.Encoding == o.Payload.Encoding && e.Payload.KeyID == o.Payload.KeyID &&
		bytes.Equal(e.Payload.Nonce, o.Payload.Nonce) && bytes.Equal(e.Payload.Bytes, o.Payload.Bytes) &&
		len(e.Errors) == len(o.Errors)
	if !same || len(e.Errors) == 0 {
		return same
	}
	a, errA := json.Marshal(e.Errors)
	b, errB := json.Marshal(o.Errors)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

// Who wants something done, as the policy knows them. Beside these there are
// interfaces and programs with a token, each by its id behind a prefix.
const (
	ActorOperator  = "operator"  // the person
	ActorReasoning = "reasoning" // Chalie, unprompted
)

const (
	actorInterface = "interface:"
	actorProgram   = "program:"
)

// InterfaceActor is an interface: what it says made Chalie do it, or its own page
// asks for it.
func InterfaceActor(id ID) string { return actorInterface + id.UUID() }

// ProgramNamed is the program that has a name, as rules name it. It is the actor itself only
// in records of builds that told programs by their names.
func ProgramNamed(name string) string { return actorProgram + name }

// Through what something was asked for, where it wasn't a request whose source
// says so.
const (
	ChannelChat       = "chat"       // an answer to what the person said
	ChannelMessage    = "message"    // an answer to what an interface said
	ChannelAction     = "action"     // a button that the person pressed
	ChannelBackground = "background" // nobody asked
	ChannelGateway    = "gateway"    // an interface's page, to that interface
	ChannelToken      = "token"      // a request with a token
	ChannelNested     = "nested"     // an interface, for what it was asked to do
	ChannelMCP        = "mcp"        // a call of a program that speaks MCP
)

// ActorOf is the actor with a principal of its own: the person, an interface, or else a
// program.
func ActorOf(who Principal) string {
	if who == PrincipalOperator {
		return ActorOperator
	}
	if id, err := ParseID(string(who)); err == nil {
		return InterfaceActor(id)
	}
	if _, ok := who.Program(); ok {
		return string(who)
	}
	return ProgramNamed(string(who))
}

// ActingFor says on whose behalf, and through what, an episode does what it
// does, by the envelope that opened it.
func ActingFor(opening Envelope) (actor, channel string) {
	person := opening.Principal == PrincipalOperator
	switch {
	case opening.Type == MessageReceivedType && person:
		return ActorOperator, ChannelChat
	case opening.Type == ActionReceivedType && person:
		return ActorOperator, ChannelAction
	case opening.Type == MessageReceivedType || opening.Type == ActionReceivedType:
		return ActorOf(opening.Principal), ChannelMessage
	}
	return ActorReasoning, ChannelBackground
}

// ActorKind is an actor without the part that names which one.
func ActorKind(actor string) string {
	kind, _, _ := strings.Cut(actor, ":")
	return kind
}
