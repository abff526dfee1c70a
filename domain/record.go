package domain

import (
	"encoding/json"
)

// Position is an envelope's place in the log: 1, 2, 3 …, each given once. Records may go, and their
// positions stay taken. Zero is before the first.
type Position uint64

// Record is an envelope as the log holds it.
type Record struct {
	Position   Position
	Topic      Topic
	RecordedAt Millis // the writer's clock; never less than the record before
	// Ahead is how far RecordedAt is ahead of the writer's clock: zero, unless the
	// clock stood before a record that is in the log already.
	Ahead    Millis
	Envelope Envelope
}

// Clock is the writer's clock at the append. Ages and windows go by
// it; RecordedAt is the order, and may be as far in the future as a clock ever was.
func (r Record) Clock() Millis { return r.RecordedAt - r.Ahead }

type recordJSON struct {
	Position   Position     `json:"position"`
	Topic      Topic        `json:"topic"`
	RecordedAt Millis       `json:"recorded_at" doc:"The writer's clock; never less than that of the record before."`
	Clock      *Millis      `json:"clock,omitempty" doc:"What the writer's clock showed, where that is not recorded_at: it had been put back."`
	Envelope   envelopeJSON `json:"envelope"`
}

type envelopeJSON struct {
	ID        ID              `json:"envelope_id"`
	Trace     ID              `json:"trace_id" doc:"The first envelope of a message has the same as its own."`
	Parent    *ID             `json:"parent_id" doc:"The envelope that caused it, maybe of an earlier trace; null for none."`
	Timestamp Millis          `json:"timestamp" doc:"The emitter's clock, Unix milliseconds."`
	Kind      Kind            `json:"kind" enum:"command|event|result|stream"`
	Source    Source          `json:"source" doc:"Who emitted it."`
	Principal Principal       `json:"principal" doc:"Who answers for it."`
	Type      EventType       `json:"type"`
	Version   uint16          `json:"version" doc:"Of the type's schema."`
	Keys      []Key           `json:"keys,omitempty" doc:"What it can be found by."`
	Subjects  []Subject       `json:"subjects,omitempty" doc:"Pseudonyms of whom it is about."`
	Encoding  string          `json:"encoding,omitempty" enum:"json_text|opaque|sealed|erased" doc:"Missing for a payload in clear; json_text for one that nests too deep to stand in an answer, which is its JSON as a string; else opaque or sealed, with the payload as base64, or erased."`
	KeyID     string          `json:"key_id,omitempty" doc:"Of a payload that is sealed, as nonce."`
	Nonce     []byte          `json:"nonce,omitempty"`
	Payload   json.RawMessage `json:"payload" doc:"The event's own fields, as an object; null once erased; see encoding."`
	Errors    []Fault         `json:"errors"`
}

var encodingNames = map[Encoding]string{
	EncodingJSON: "", EncodingOpaque: "opaque", EncodingSealed: "sealed", EncodingErased: "erased",
}

// MarshalJSON writes the record in its one published shape. A payload that is
// JSON is written without spaces between its tokens, so its bytes may change
// and its meaning does not.
func (r Record) MarshalJSON() ([]byte, error) {
	env, err := r.Envelope.toJSON()
	if err != nil {
		return nil, err
	}
	out := recordJSON{r.Position, r.Topic, r.RecordedAt, nil, env}
	if clock := r.Clock(); clock != r.RecordedAt {
		out.Clock = &clock
	}
	return json.Marshal(out)
}

// JSONShapes is what its JSON is made of, as a struct with tags.
func (Record) JSONShapes() []any { return []any{recordJSON{}} }

// UnmarshalJSON reads the published shape; unknown fields are ignored.
func (r *Record) UnmarshalJSON(text []byte) error {
	var in recordJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	env, err := in.Envelope.toEnvelope()
	if err != nil {
		return err
	}
	*r = Record{in.Position, in.Topic, in.RecordedAt, 0, env}
	if in.Clock != nil {
		r.Ahead = in.RecordedAt - *in.Clock
	}
	return nil
}

// MarshalJSON writes the envelope in its one published shape.
func (e Envelope) MarshalJSON() ([]byte, error) {
	out, err := e.toJSON()
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads the published shape; unknown fields are ignored.
func (e *Envelope) UnmarshalJSON(text []byte) error {
	var in envelopeJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	env, err := in.toEnvelope()
	if err != nil {
		return err
	}
	*e = env
	return nil
}

func (e Envelope) toJSON() (envelopeJSON, error) {
	out := envelopeJSON{
		ID: e.ID, Trace: e.Trace.ID, Timestamp: e.Timestamp, Kind: e.Kind,
		Source: e.Source, Principal: e.Principal, Type: e.Type, Version: e.Version,
		Keys: e.Keys, Subjects: e.Subjects, Encoding: encodingNames[e.Payload.Encoding],
		KeyID: e.Payload.KeyID, Nonce: e.Payload.Nonce, Errors: e.Errors,
	}
	if !e.Parent.IsZero() {
		out.Parent = &e.Parent
	}
	if out.Errors == nil {
		out.Errors = []Fault{}
	}
	switch e.Payload.Encoding {
	case EncodingJSON:
		out.Payload = e.Payload.Bytes
		if Nesting(out.Payload) > shownNesting {
			text, err := json.Marshal(string(out.Payload))
			if err != nil {
				return envelopeJSON{}, err
			}
			out.Encoding, out.Payload = jsonAsText, text
		}
	case EncodingErased:
		out.Payload = json.RawMessage("null")
	default:
		text, err := json.Marshal(e.Payload.Bytes)
		if err != nil {
			return envelopeJSON{}, err
		}
		out.Payload = text
	}
	return out, nil
}

// jsonAsText marks a payload that is JSON and is written as the text of it, because it
// nests too deep to stand inside of another value. Reading one gives the JSON back.
const jsonAsText = "json_text"

// shownNesting is how deep a payload may nest to be written as it is: more than one can
// that was taken in under MaxNesting, in a shape of ours around it.
const shownNesting = 2 * MaxNesting

func (in envelopeJSON) toEnvelope() (Envelope, error) {
	e := Envelope{
		ID: in.ID, Trace: TraceID{in.Trace}, Timestamp: in.Timestamp, Kind: in.Kind,
		Source: in.Source, Principal: in.Principal, Type: in.Type, Version: in.Version,
		Keys: in.Keys, Subjects: in.Subjects,
		Payload: Payload{KeyID: in.KeyID, Nonce: in.Nonce},
	}
	if in.Parent != nil {
		e.Parent = *in.Parent
	}
	if len(in.Errors) > 0 {
		e.Errors = in.Errors
	}
	if in.Encoding == jsonAsText {
		var text string
		if err := json.Unmarshal(in.Payload, &text); err != nil {
			return Envelope{}, Invalid("read envelope", "payload", "payload is not the text of JSON")
		}
		in.Encoding, in.Payload = encodingNames[EncodingJSON], json.RawMessage(text)
	}
	found := false
	for enc, name := range encodingNames {
		if name == in.Encoding {
			e.Payload.Encoding, found = enc, true
		}
	}
	switch {
	case !found:
		return Envelope{}, Invalid("read envelope", "encoding", "encoding "+in.Encoding+" is unknown")
	case e.Payload.Encoding == EncodingJSON:
		e.Payload.Bytes = in.Payload
	case e.Payload.Encoding != EncodingErased:
		if err := json.Unmarshal(in.Payload, &e.Payload.Bytes); err != nil {
			return Envelope{}, Invalid("read envelope", "payload", "payload is not base64 text")
		}
	}
	return e, nil
}
