package commands

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones are known by name also on machines without a database of them
	"unicode"
	"unicode/utf8"

	"chalie/domain"
	"chalie/domain/tongue"
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

// CodeUnknownZone says that what came as a time zone is none.
const CodeUnknownZone domain.Code = "unknown_zone"

// CheckZone returns a validation error about a name that is no time zone. None is no mistake.
func CheckZone(op, name string) error {
	if _, known := ZoneNamed(name); known || name == "" {
		return nil
	}
	const shown = 64
	return &domain.Error{Op: op, Category: domain.Validation, Code: CodeUnknownZone, Field: "timezone",
		Message: fmt.Sprintf("%q is no time zone that Chalie knows: give timezone an IANA name such as Europe/Malta, or leave it out to be where the person was last", Cut(name, shown))}
}

// nothingTold are words that don't tell one thing from another.
var nothingTold = map[string]bool{
	"the": true, "a": true, "an": true, "my": true, "me": true, "to": true, "of": true, "about": true, "for": true, "with": true,
	"that": true, "this": true, "it": true, "reminder": true, "remind": true, "task": true, "and": true, "on": true, "in": true, "at": true,
	"i": true, "is": true, "what": true, "whats": true, "who": true, "s": true, "please": true, "do": true, "you": true, "know": true,
}

// TellingWords are the words of a text by which a person names something, in lower case:
// all but those that tell nothing.
func TellingWords(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !nothingTold[w] {
			out = append(out, w)
		}
	}
	return out
}

// HasAll reports whether something with these words may be meant by all that was said of
// it: "tax" is enough for "taxes", and the other way round.
func HasAll(words, said []string) bool {
	words, said = unaccented(words), unaccented(said)
	for _, want := range said {
		found := false
		for _, w := range words {
			found = found || w == want || len(want) > 2 && strings.HasPrefix(w, want) || len(w) > 2 && strings.HasPrefix(want, w) && len(want)-len(w) <= 2
		}
		if !found {
			return false
		}
	}
	return true
}

// unaccented are words as they are typed where a keyboard has no accents: reunion for reunión.
func unaccented(words []string) []string {
	beyond := func(w string) bool {
		return strings.IndexFunc(w, func(r rune) bool { return r > unicode.MaxASCII }) >= 0
	}
	if !slices.ContainsFunc(words, beyond) {
		return words
	}
	out := slices.Clone(words)
	for i, w := range out {
		if beyond(w) {
			out[i] = tongue.Fold(w)
		}
	}
	return out
}

// pairs are things with an "and" in their names.
var pairs = []string{"mac and cheese", "macaroni and cheese", "fish and chips", "peanut butter and jelly", "pork and beans", "rice and beans", "half and half", "cookies and cream", "bread and butter pickles", "sweet and sour", "ham and cheese", "head and shoulders", "arm and hammer", "oil and vinegar dressing", "black and decker", "m and ms"}

// IsOneThing reports whether the words before and behind an "and" name one thing together: mac
// and cheese.
func IsOneThing(before, behind string) bool {
	before, behind = " "+strings.ToLower(before), strings.ToLower(behind)+" "
	for _, p := range pairs {
		left, right, _ := strings.Cut(p, " and ")
		if strings.HasSuffix(before, " "+left) && strings.HasPrefix(behind, right+" ") {
			return true
		}
	}
	return false
}
