package domain

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf8"
)

// CommandReceived is a request of a program that names its envelopes itself, with the
// metadata as the program wrote it. Its own envelope has an id of Chalie's, because random
// ones would scatter the log's index: what the program calls it by is an alias of that.
//
// The zero ids of the texts are "".
type CommandReceived struct {
	Route              string    `json:"route"`
	EnvelopeID         string    `json:"envelope_id"`
	TraceID            string    `json:"trace_id"`
	ParentID           string    `json:"parent_id"`
	Source             string    `json:"source"`
	Principal          string    `json:"principal"`
	SentAt             string    `json:"timestamp"` // ISO 8601
	Actor              string    `json:"actor"`
	Channel            string    `json:"channel"`
	InvocationID       string    `json:"invocation_id"` // by which the program knows the invocation that it asks for
	ParentInvocationID string    `json:"parent_invocation_id"`
	Confirmed          bool      `json:"confirmed"`
	Invocation         ID        `json:"invocation"` // the id of that invocation here; none when it asks for none
	Sender             Principal `json:"sender"`     // who sent it: of a nested invocation not its principal
	BodyHash           string    `json:"body_hash"`  // SHA-256 of the request without its timestamp, in hex
}

// ForeignID is what a program calls something by, as it is looked up: the 128 bits of an id in
// any of its spellings, and of another text the first of its hash.
func ForeignID(text string) ID {
	if id, err := ParseID(text); err == nil {
		return id
	}
	sum := sha256.Sum256([]byte(text))
	return ID(sum[:16])
}

// checkForeign judges an id that a program gave.
func checkForeign(field, text string) error {
	if text == "" {
		return nil
	}
	if _, err := ParseID(text); err != nil {
		return Invalid("receive command", field, field+" is no id: give a UUID, 32 hex digits or a ULID")
	}
	return nil
}

// Check returns a validation error that names the field.
func (c CommandReceived) Check() error {
	const op = "receive command"
	for _, f := range []struct{ field, id string }{{"envelope_id", c.EnvelopeID}, {"trace_id", c.TraceID}, {"parent_id", c.ParentID}} {
		if err := checkForeign(f.field, f.id); err != nil {
			return err
		}
	}
	for _, f := range []struct{ field, text string }{
		{"source", c.Source}, {"principal", c.Principal}, {"timestamp", c.SentAt}, {"actor", c.Actor}, {"channel", c.Channel},
		{"invocation_id", c.InvocationID}, {"parent_invocation_id", c.ParentInvocationID},
	} {
		if len(f.text) > MaxNameBytes || hasControl(f.text) || !utf8.ValidString(f.text) {
			return Invalid(op, f.field, fmt.Sprintf("%s must be printable and have at most %d bytes", f.field, MaxNameBytes))
		}
	}
	if strings.TrimSpace(c.Source) != c.Source {
		return Invalid(op, "source", "source has spaces around it: leave them out")
	}
	return nil
}
