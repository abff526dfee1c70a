package commands

import (
	"errors"
	"strings"
	"time"
	_ "time/tzdata" // zones are known by name also on machines without a database of them
	"unicode"
	"unicode/utf8"

	"chalie/domain"
)

// ErasedText stands for what can no longer be read.
const ErasedText = "(erased)"

// MaxFaultBytes bounds what is recorded of an error.
const MaxFaultBytes = 2 << 10

// Cut shortens a text to at most bound bytes, without splitting a character.
func Cut(text string, bound int) string {
	if len(text) <= bound {
		return text
	}
	const mark = "…"
	end := bound - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}

// InWords is an error in words for people, without a full stop.
func InWords(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		return strings.TrimSuffix(e.Message, ".")
	}
	return err.Error()
}

// PlainWords are the words of a text in small letters.
func PlainWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// ZoneOf is a recorded zone. One that this machine doesn't know is UTC: a log
// must stay readable wherever it is.
func ZoneOf(name string) *time.Location {
	if zone, err := time.LoadLocation(name); err == nil {
		return zone
	}
	return time.UTC
}

// ZoneNamed is a timezone by its IANA name. This machine's own zone is nobody's answer,
// and no name is UTC's.
func ZoneNamed(name string) (*time.Location, bool) {
	if name == "" || strings.EqualFold(name, "local") {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}
