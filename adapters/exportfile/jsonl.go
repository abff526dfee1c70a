package exportfile

import (
	"encoding/json"
	"strconv"

	"chalie/domain"
)

// appendRecord writes a record as a line of JSON Lines, without its end: the
// shape the API gives, with payload_base64 in the place of payload where the
// payload can't be in a line.
func appendRecord(dst []byte, rec *domain.Record) ([]byte, error) {
	e := &rec.Envelope
	dst = strconv.AppendUint(append(dst, `{"position":`...), uint64(rec.Position), 10)
	dst = appendString(append(dst, `,"topic":`...), rec.Topic)
	dst = strconv.AppendInt(append(dst, `,"recorded_at":`...), int64(rec.RecordedAt), 10)
	if rec.Ahead != 0 {
		dst = strconv.AppendInt(append(dst, `,"clock":`...), int64(rec.Clock()), 10)
	}
	dst = appendString(append(dst, `,"envelope":{"envelope_id":`...), e.ID.String())
	dst = appendString(append(dst, `,"trace_id":`...), e.Trace.String())
	dst = append(dst, `,"parent_id":`...)
	if e.Parent.IsZero() {
		dst = append(dst, "null"...)
	} else {
		dst = appendString(dst, e.Parent.String())
	}
	dst = strconv.AppendInt(append(dst, `,"timestamp":`...), int64(e.Timestamp), 10)
	dst = appendString(append(dst, `,"kind":`...), e.Kind)
	dst = appendString(append(dst, `,"source":`...), e.Source)
	dst = appendString(append(dst, `,"principal":`...), e.Principal)
	dst = appendString(append(dst, `,"type":`...), e.Type)
	dst = strconv.AppendUint(append(dst, `,"version":`...), uint64(e.Version), 10)
	if len(e.Keys) > 0 {
		dst = appendStrings(append(dst, `,"keys":`...), e.Keys)
	}
	if len(e.Subjects) > 0 {
		dst = appendStrings(append(dst, `,"subjects":`...), e.Subjects)
	}
	dst = appendPayload(dst, e.Payload)
	dst = append(dst, `,"errors":`...)
	if len(e.Errors) == 0 {
		return append(dst, `[]}`...), nil
	}
	faults, err := json.Marshal(e.Errors)
	if err != nil {
		return nil, cantWrite(rec.Position, err)
	}
	return append(append(dst, faults...), '}'), nil
}

func appendPayload(dst []byte, p domain.Payload) []byte {
	if p.Encoding != domain.EncodingJSON {
		dst = appendString(append(dst, `,"encoding":`...), encodings[p.Encoding])
	}
	if p.KeyID != "" {
		dst = appendString(append(dst, `,"key_id":`...), p.KeyID)
	}
	if len(p.Nonce) > 0 {
		dst = appendBase64(append(dst, `,"nonce":`...), p.Nonce)
	}
	if fitsLine(p) {
		return append(append(dst, `,"payload":`...), p.Bytes...)
	}
	return appendBase64(append(dst, `,"payload_base64":`...), p.Bytes)
}

// recordLine is a line of JSON Lines as it is read: a record, or the trailer.
type recordLine struct {
	Position   domain.Position `json:"position"`
	Topic      domain.Topic    `json:"topic"`
	RecordedAt domain.Millis   `json:"recorded_at"`
	Clock      *domain.Millis  `json:"clock"` // none when it is recorded_at
	Envelope   *envelopeLine   `json:"envelope"`

	End     bool   `json:"end"`
	Records uint64 `json:"records"`
	Sum     string `json:"sum"`
}

type envelopeLine struct {
	ID        domain.ID        `json:"envelope_id"`
	Trace     domain.ID        `json:"trace_id"`
	Parent    *domain.ID       `json:"parent_id"`
	Timestamp domain.Millis    `json:"timestamp"`
	Kind      domain.Kind      `json:"kind"`
	Source    domain.Source    `json:"source"`
	Principal domain.Principal `json:"principal"`
	Type      domain.EventType `json:"type"`
	Version   uint16           `json:"version"`
	Keys      []domain.Key     `json:"keys"`
	Subjects  []domain.Subject `json:"subjects"`
	Encoding  string           `json:"encoding"`
	KeyID     string           `json:"key_id"`
	Nonce     []byte           `json:"nonce"`
	Payload   json.RawMessage  `json:"payload"`
	Base64    []byte           `json:"payload_base64"`
	Errors    []domain.Fault   `json:"errors"`
}

// readRecord reads what appendRecord and appendTrailer write.
func readRecord(text []byte) (line, error) {
	var in recordLine
	if err := strictly(text, &in); err != nil {
		return line{}, err
	}
	switch {
	case in.End && in.Envelope == nil:
		return line{end: true, records: in.Records}, nil
	case in.End || in.Envelope == nil:
		return line{}, errNoRecord
	}
	e := in.Envelope
	payload, err := readPayload(e.Encoding, e.KeyID, e.Nonce, e.Payload, e.Base64)
	if err != nil {
		return line{}, err
	}
	rec := domain.Record{Position: in.Position, Topic: in.Topic, RecordedAt: in.RecordedAt, Envelope: domain.Envelope{
		ID: e.ID, Trace: domain.TraceID{ID: e.Trace}, Timestamp: e.Timestamp, Kind: e.Kind, Source: e.Source,
		Principal: e.Principal, Type: e.Type, Version: e.Version, Keys: none(e.Keys), Subjects: none(e.Subjects),
		Payload: payload, Errors: none(e.Errors),
	}}
	if in.Clock != nil {
		rec.Ahead = in.RecordedAt - *in.Clock
	}
	if e.Parent != nil {
		rec.Envelope.Parent = *e.Parent
	}
	return line{record: rec}, nil
}

// readPayload puts a payload together from the parts of a line.
func readPayload(encoding, keyID string, nonce []byte, text json.RawMessage, raw []byte) (domain.Payload, error) {
	enc, ok := encodingNamed(encoding)
	if !ok {
		return domain.Payload{}, errEncoding
	}
	p := domain.Payload{Encoding: enc, KeyID: keyID, Nonce: none(nonce), Bytes: none(raw)}
	if len(text) == 0 {
		return p, nil
	}
	if enc != domain.EncodingJSON || raw != nil {
		return domain.Payload{}, errTwoPayloads
	}
	p.Bytes = text
	return p, nil
}

// none is nil for a list without elements, as the log reads one.
func none[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}
