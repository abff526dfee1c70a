package domain

import (
	"bytes"
	"encoding/json"
	"fmt"
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
	case !isObjectOrNull(s.Metadata):
		return Invalid(op, "metadata", "metadata is neither a JSON object nor null")
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
