package speech

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
)

// Refusal is the error of something that can't be done as it was said, or is asked about: a validation that
// has what it says as a value, too.
type Refusal struct {
	Says Message
	err  *domain.Error
}

// Refuse is a refusal with the words that are the message's in English.
func Refuse(op string, code domain.Code, field string, says Message, v Voice) error {
	words := strings.TrimSuffix(English().Say(says, v), ".")
	first, size := utf8.DecodeRuneInString(words)
	words = string(unicode.ToLower(first)) + words[size:]
	return &Refusal{says, &domain.Error{Op: op, Category: domain.Validation, Code: code, Field: field, Message: words}}
}

// Error is the operation and the words.
func (r *Refusal) Error() string { return r.err.Error() }

// Unwrap is the error with its category and code.
func (r *Refusal) Unwrap() error { return r.err }

// RefusalOf is what an error says as a value; false where it has words alone.
func RefusalOf(err error) (Message, bool) {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.Says, true
	}
	return Message{}, false
}
