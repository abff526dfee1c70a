package models

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Secret is a text that no output shows: every way of printing and encoding it
// writes "(secret)", or nothing when it is empty. Expose gives it away.
//
// The text follows a pointer: where fmt is given a verb that doesn't fit,
// it prints what it finds in a nested struct without asking its methods, but
// doesn't follow a pointer.
type Secret struct{ text *string }

// NewSecret keeps a text.
func NewSecret(text string) Secret {
	text = strings.TrimSpace(text)
	if text == "" {
		return Secret{}
	}
	return Secret{&text}
}

// IsZero reports whether there is none.
func (s Secret) IsZero() bool { return s.text == nil }

// Expose is the text itself, for who sends it.
func (s Secret) Expose() string {
	if s.text == nil {
		return ""
	}
	return *s.text
}

func (s Secret) String() string {
	if s.text == nil {
		return ""
	}
	return "(secret)"
}

// Format writes String, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(s.String())) }

// MarshalText is String: what is written down can't be read back.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalJSON reads a text.
func (s *Secret) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		// The standard library's error would repeat the value.
		return fmt.Errorf("a key must be a text")
	}
	*s = NewSecret(text)
	return nil
}

// scrubbed takes the secret out of a text that came from outside.
func (s Secret) scrubbed(text string) string {
	const tooShort = 6 // it would tear other words apart, and protects nothing
	if len(s.Expose()) < tooShort {
		return text
	}
	return strings.ReplaceAll(text, s.Expose(), "(secret)")
}
