package watermillbus

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"chalie/domain"

	"github.com/ThreeDotsLabs/watermill/message"
)

// The metadata of an envelope's message. A message that has metaType is an
// envelope.
const (
	metaTrace     = "envelope.trace_id"  // ULID
	metaParent    = "envelope.parent_id" // ULID; absent when there is none
	metaTimestamp = "envelope.timestamp" // Unix milliseconds
	metaKind      = "envelope.kind"
	metaSource    = "envelope.source"
	metaPrincipal = "envelope.principal"
	metaType      = "envelope.type"
	metaVersion   = "envelope.version"
	metaKeys      = "envelope.keys"     // see joinList; absent when there are none
	metaSubjects  = "envelope.subjects" // likewise
	metaEncoding  = "envelope.encoding" // number of the domain.Encoding; absent for JSON
	metaKeyID     = "envelope.key_id"   // absent when there is none
	metaNonce     = "envelope.nonce"    // base64; absent when there is none
	metaErrors    = "envelope.errors"   // JSON; absent when there are none
)

// smallHeader is how many fields the header of nearly every envelope has at
// most. A Go map of up to 8 entries is one small allocation.
const smallHeader = 8

// MessageOf is the envelope as a Watermill message. The payload's memory is
// shared.
func MessageOf(e domain.Envelope) *message.Message {
	msg := message.NewMessage(e.ID.String(), e.Payload.Bytes)
	msg.Metadata = header(&e)
	return msg
}

// outgoing is MessageOf for a message that nobody will ack.
func outgoing(e *domain.Envelope) *message.Message {
	return &message.Message{UUID: e.ID.String(), Payload: e.Payload.Bytes, Metadata: header(e)}
}

func header(e *domain.Envelope) message.Metadata {
	size := smallHeader
	if len(e.Keys) > 0 || len(e.Subjects) > 0 || e.Payload.Encoding != domain.EncodingJSON || len(e.Errors) > 0 {
		size = 2 * smallHeader
	}
	m := make(message.Metadata, size)
	m[metaType] = string(e.Type)
	m[metaVersion] = strconv.FormatUint(uint64(e.Version), 10)
	m[metaTrace] = e.Trace.String()
	if !e.Parent.IsZero() {
		m[metaParent] = e.Parent.String()
	}
	m[metaTimestamp] = strconv.FormatInt(int64(e.Timestamp), 10)
	m[metaKind] = string(e.Kind)
	m[metaSource] = string(e.Source)
	m[metaPrincipal] = string(e.Principal)
	if size > smallHeader || e.Payload.KeyID != "" || len(e.Payload.Nonce) > 0 {
		rareHeader(m, e)
	}
	return m
}

// rareHeader sets the fields that most envelopes don't have.
func rareHeader(m message.Metadata, e *domain.Envelope) {
	if len(e.Keys) > 0 {
		m[metaKeys] = joinList(e.Keys)
	}
	if len(e.Subjects) > 0 {
		m[metaSubjects] = joinList(e.Subjects)
	}
	if e.Payload.Encoding != domain.EncodingJSON {
		m[metaEncoding] = strconv.FormatUint(uint64(e.Payload.Encoding), 10)
	}
	if e.Payload.KeyID != "" {
		m[metaKeyID] = e.Payload.KeyID
	}
	if len(e.Payload.Nonce) > 0 {
		m[metaNonce] = base64.StdEncoding.EncodeToString(e.Payload.Nonce)
	}
	if len(e.Errors) > 0 {
		text, err := json.Marshal(e.Errors)
		if err != nil {
			// What isn't JSON can't be stored either. The text makes EnvelopeOf refuse it.
			text = []byte(err.Error())
		}
		m[metaErrors] = string(text)
	}
}

// IsEnvelope reports whether the message claims to be an envelope.
func IsEnvelope(msg *message.Message) bool {
	_, ok := msg.Metadata[metaType]
	return ok
}

// EnvelopeOf reads an envelope's message back. It judges the form of each field
// only; the log checks the envelope. The error is a validation error that names
// the metadata at fault.
func EnvelopeOf(msg *message.Message) (domain.Envelope, error) {
	e := domain.Envelope{Payload: domain.Payload{Bytes: msg.Payload}}
	if !IsEnvelope(msg) {
		return e, refused(metaType, "is missing: the message is no envelope", nil)
	}
	if msg.UUID != "" {
		var err error
		if e.ID, err = domain.ParseID(msg.UUID); err != nil {
			return e, refused("the UUID", "is no envelope id", err)
		}
	}
	for name, value := range msg.Metadata {
		if err := setField(&e, name, value); err != nil {
			return e, err
		}
	}
	return e, nil
}

func setField(e *domain.Envelope, name, value string) (err error) {
	switch name {
	case metaType:
		e.Type = domain.EventType(value)
	case metaKind:
		e.Kind = domain.Kind(value)
	case metaSource:
		e.Source = domain.Source(value)
	case metaPrincipal:
		e.Principal = domain.Principal(value)
	case metaKeyID:
		e.Payload.KeyID = value
	case metaKeys:
		e.Keys = splitList[domain.Key](value)
	case metaSubjects:
		e.Subjects = splitList[domain.Subject](value)
	case metaTrace:
		err = setID(&e.Trace.ID, value)
	case metaParent:
		err = setID(&e.Parent, value)
	case metaTimestamp:
		var n int64
		n, err = strconv.ParseInt(value, 10, 64)
		e.Timestamp = domain.Millis(n)
	case metaVersion:
		var n uint64
		n, err = strconv.ParseUint(value, 10, 16)
		e.Version = uint16(n)
	case metaEncoding:
		var n uint64
		n, err = strconv.ParseUint(value, 10, 8)
		e.Payload.Encoding = domain.Encoding(n)
	case metaNonce:
		e.Payload.Nonce, err = base64.StdEncoding.DecodeString(value)
	case metaErrors:
		e.Errors, err = readErrors(value)
	default:
		return refused(name, "is no field of an envelope and would be lost: put it into the payload, or publish a message without "+metaType, nil)
	}
	if err != nil {
		return refused(name, fmt.Sprintf("is %.60q, which can't be read", value), err)
	}
	return nil
}

func setID(id *domain.ID, value string) (err error) {
	if value != "" {
		*id, err = domain.ParseID(value)
	}
	return err
}

// readErrors keeps numbers as they are written: a float would round large ones.
func readErrors(value string) ([]domain.Fault, error) {
	dec := json.NewDecoder(bytes.NewReader([]byte(value)))
	dec.UseNumber()
	var errs []domain.Fault
	if err := dec.Decode(&errs); err != nil {
		return nil, err
	}
	if dec.More() {
		return nil, fmt.Errorf("something follows the list")
	}
	return errs, nil
}

// joinList writes names with commas between them; a comma or percent sign
// within one is written as %2C or %25.
func joinList[S ~string](list []S) string {
	if len(list) == 1 && !strings.ContainsAny(string(list[0]), ",%") {
		return string(list[0])
	}
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(string(s), "%", "%25"), ",", "%2C"))
	}
	return b.String()
}

func splitList[S ~string](text string) []S {
	list := make([]S, 0, 1+strings.Count(text, ","))
	for part := range strings.SplitSeq(text, ",") {
		if strings.Contains(part, "%") {
			part = strings.ReplaceAll(strings.ReplaceAll(part, "%2C", ","), "%25", "%")
		}
		list = append(list, S(part))
	}
	return list
}

func refused(field, why string, cause error) error {
	return &domain.Error{Op: "publish", Category: domain.Validation, Code: "invalid", Field: field, Err: cause,
		Message: "the message can't be stored: " + field + " " + why}
}
