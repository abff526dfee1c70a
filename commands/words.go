package commands

import (
	"errors"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // zones are known by name also on machines without a database of them

	"chalie/domain"
)

// ErasedText stands for what can no longer be read.
const ErasedText = "(erased)"

// MaxFaultBytes bounds what is recorded of an error.
const MaxFaultBytes = 2 << 10

// InWords is an error in words for people, without a full stop.
func InWords(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Message != "" {
		return strings.TrimSuffix(e.Message, ".")
	}
	return err.Error()
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
		Message: fmt.Sprintf("%q is no time zone that Chalie knows: give timezone an IANA name such as Europe/Malta, or leave it out to be where the person was last", domain.Cut(name, shown))}
}
