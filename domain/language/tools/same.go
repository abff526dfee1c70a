package tools

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/deed"
	"chalie/domain/language/when"
)

// SameParams reports whether two calls are given the same: each name, and each value,
// where texts may differ in capitals, spaces and what closes a sentence, and times in
// how they are written.
func SameParams(own, asked json.RawMessage, p language.Prompt) bool {
	a, errA := deed.Values(own)
	b, errB := deed.Values(asked)
	if errA != nil || errB != nil || len(a) != len(b) {
		return false
	}
	for name, value := range a {
		other, given := b[name]
		if !given || !sameValue(value, other, p) {
			return false
		}
	}
	return true
}

func sameValue(a, b any, p language.Prompt) bool {
	x, isText := a.(string)
	y, areTexts := b.(string)
	if !isText || !areTexts {
		return reflect.DeepEqual(a, b)
	}
	if plainValue(x) == plainValue(y) {
		return true
	}
	at, errA := momentIn(x, p)
	other, errB := momentIn(y, p)
	return errA == nil && errB == nil && reflect.DeepEqual(at, other)
}

func plainValue(text string) string {
	return strings.TrimRight(strings.Join(strings.Fields(strings.ToLower(text)), " "), ".!? ")
}

// momentIn is the time that a text says, when it says nothing else.
func momentIn(text string, p language.Prompt) (when.Time, error) {
	zone := p.Zone
	if zone == nil {
		zone = time.UTC
	}
	at, err := when.Parse(text, p.AsOf, zone)
	if err != nil {
		return when.Time{}, err
	}
	if strings.TrimSpace(at.Rest(text)) != "" {
		return when.Time{}, &domain.Error{Op: "compare times", Category: domain.Validation, Message: "it says more than a time"}
	}
	return when.Time{At: at.At, Recurrence: at.Recurrence}, nil
}
