package domain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// DefaultActivationEnergy is the energy of a signal whose sender gives none.
const DefaultActivationEnergy = 0.5

// MaxSignalsPerBatch bounds one batch request.
const MaxSignalsPerBatch = 50

// Bounds of a signal's fields, in bytes.
const (
	MaxSignalTypeBytes = 128
	MaxContentBytes    = 64 << 10
	MaxTopicHintBytes  = 256
	MaxMetadataBytes   = 256 << 10
)

// SignalReceived is something overheard: free, never reasoned about on arrival,
// and forgotten as its salience decays. The signal's id is its envelope's id.
type SignalReceived struct {
	SignalType       string          `json:"signal_type"`
	Content          string          `json:"content"`
	Source           string          `json:"source"` // where it originated, as its sender says
	Topic            *string         `json:"topic"`  // a hint for salience, not a topic of the log
	ActivationEnergy float64         `json:"activation_energy"`
	Metadata         json.RawMessage `json:"metadata"` // an object or null
	Marks            *Marks          `json:"marks,omitempty"`
}

// Check returns a validation error that names the field and what it must be.
func (s SignalReceived) Check() error {
	const op = "check signal"
	switch {
	case isBlank(s.SignalType):
		return Invalid(op, "signal_type", "signal_type is required: name the category, such as \"weather_update\"")
	case len(s.SignalType) > MaxSignalTypeBytes:
		return tooLong(op, "signal_type", len(s.SignalType), MaxSignalTypeBytes)
	case isBlank(s.Content):
		return Invalid(op, "content", "content is required: say what happened in words a person can read")
	case len(s.Content) > MaxContentBytes:
		return tooLong(op, "content", len(s.Content), MaxContentBytes)
	case len(s.Source) > MaxNameBytes:
		return tooLong(op, "source", len(s.Source), MaxNameBytes)
	case s.Topic != nil && len(*s.Topic) > MaxTopicHintBytes:
		return tooLong(op, "topic", len(*s.Topic), MaxTopicHintBytes)
	case len(s.Metadata) > MaxMetadataBytes:
		return tooLong(op, "metadata", len(s.Metadata), MaxMetadataBytes)
	// Written so that NaN fails too.
	case !(s.ActivationEnergy >= 0 && s.ActivationEnergy <= 1):
		return Invalid(op, "activation_energy", fmt.Sprintf("activation_energy is %v: give a number from 0 to 1", s.ActivationEnergy))
	case !utf8.ValidString(s.SignalType) || !utf8.ValidString(s.Content) || !utf8.ValidString(s.Source),
		s.Topic != nil && !utf8.ValidString(*s.Topic), !utf8.Valid(s.Metadata):
		return Invalid(op, "", "the signal is not valid UTF-8")
	case hasControl(s.SignalType) || hasControl(s.Source) || s.Topic != nil && hasControl(*s.Topic):
		return Invalid(op, "", "signal_type, source or topic has control characters: use those that can be read")
	case !isObjectOrNull(s.Metadata):
		return Invalid(op, "metadata", "metadata is neither a JSON object nor null")
	}
	if err := checkSeen(op, "source", s.Source); err != nil {
		return err
	}
	return CheckNesting(op, "metadata", s.Metadata, 0)
}

// isBlank reports whether a person would see nothing.
func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

func isObjectOrNull(text json.RawMessage) bool {
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	switch {
	case len(trimmed) == 0:
		return len(text) == 0
	case trimmed[0] == '{':
		return json.Valid(trimmed)
	}
	return string(bytes.TrimRight(trimmed, " \t\r\n")) == "null"
}

func tooLong(op, field string, got, bound int) error {
	return Invalid(op, field, fmt.Sprintf("%s has %d bytes, the bound is %d: shorten it", field, got, bound))
}

// energyOf is the activation energy of a signal, with Decode's errors. Folding
// the whole log is mostly this, so it reads the layout that New writes without
// decoding the rest; any other layout is decoded.
func energyOf(e Envelope) (float64, error) {
	if e.Version == 1 && e.Payload.Encoding == EncodingJSON {
		if energy, ok := scanEnergy(e.Payload.Bytes); ok {
			return energy, nil
		}
	}
	p, err := Decode[SignalReceived](e)
	return p.ActivationEnergy, err
}

// scanEnergy reads the energy out of a signal's payload whose members are in
// the order of SignalReceived, without spaces between them. It leans on the
// text being JSON, which every log checks before it takes an envelope.
func scanEnergy(text []byte) (float64, bool) {
	for _, name := range [...]string{`{"signal_type":`, `,"content":`, `,"source":`} {
		if text = skipString(skipText(text, name)); text == nil {
			return 0, false
		}
	}
	if text = skipText(text, `,"topic":`); text == nil {
		return 0, false
	}
	if null := skipText(text, "null"); null != nil {
		text = null
	} else if text = skipString(text); text == nil {
		return 0, false
	}
	if text = skipText(text, `,"activation_energy":`); text == nil {
		return 0, false
	}
	digits := bytes.IndexByte(text, ',')
	if digits < 0 {
		return 0, false
	}
	energy, err := strconv.ParseFloat(string(text[:digits]), 64)
	if err != nil {
		return 0, false
	}
	// Metadata has to be the last: of two members of one name the later counts. A
	// signal with marks is rare, and is decoded.
	text = skipMetadata(skipText(text[digits:], `,"metadata":`))
	return energy, string(text) == "}"
}

// skipText cuts a text off the front; nil when it is not there.
func skipText(text []byte, front string) []byte {
	if len(text) < len(front) || string(text[:len(front)]) != front {
		return nil
	}
	return text[len(front):]
}

// skipString cuts a JSON string off the front; nil when there is none.
func skipString(text []byte) []byte {
	if len(text) == 0 || text[0] != '"' {
		return nil
	}
	for from := 1; ; {
		end := bytes.IndexByte(text[from:], '"')
		if end < 0 {
			return nil
		}
		end += from
		escapes := 0
		for text[end-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return text[end+1:]
		}
		from = end + 1
	}
}

// skipMetadata cuts an object or null off the front; nil when there is neither.
func skipMetadata(text []byte) []byte {
	if len(text) == 0 || text[0] != '{' {
		return skipText(text, "null")
	}
	for depth := 0; len(text) > 0; {
		switch text[0] {
		case '"':
			if text = skipString(text); text == nil {
				return nil
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		text = text[1:]
		if depth == 0 {
			return text
		}
	}
	return nil
}
