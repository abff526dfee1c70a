package commands

import (
	"chalie/domain"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// erasedText stands for what can't be read any more.
const erasedText = "(erased)"

// maxFaultBytes bounds what is recorded of an error.
const maxFaultBytes = 2 << 10

// cut shortens a text to at most bound bytes, without splitting a character.
func cut(text string, bound int) string {
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

// inWords is what an error says to people, without a full stop.
func inWords(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		return strings.TrimSuffix(e.Message, ".")
	}
	return err.Error()
}

// plainWords are the words of a text in small letters.
func plainWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// zoneOf is a recorded zone. One that this machine doesn't know is UTC: a log
// must stay readable wherever it is.
func zoneOf(name string) *time.Location {
	if zone, err := time.LoadLocation(name); err == nil {
		return zone
	}
	return time.UTC
}
