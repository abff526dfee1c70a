package api

import (
	"time"

	"chalie/domain"
)

// UUID is an id as the outside writes those of its own. Every place that takes an id
// takes it in any spelling.
type UUID struct{ domain.ID }

// String is the id with dashes.
func (u UUID) String() string { return u.UUID() }

// MarshalText implements encoding.TextMarshaler.
func (u UUID) MarshalText() ([]byte, error) { return []byte(u.UUID()), nil }

// UUIDs are ids, never nil.
func UUIDs(ids []domain.ID) []UUID {
	out := make([]UUID, len(ids))
	for i, id := range ids {
		out[i] = UUID{id}
	}
	return out
}

// TimestampFormat is RFC 3339 with milliseconds.
const TimestampFormat = "2006-01-02T15:04:05.000Z07:00"

// Timestamp is a moment in RFC 3339, in UTC with milliseconds.
type Timestamp struct{ time.Time }

// TimestampOf is nil for no moment.
func TimestampOf(at domain.Millis) *Timestamp {
	if at == 0 {
		return nil
	}
	return &Timestamp{at.Time()}
}

// String is the moment as it is written.
func (t Timestamp) String() string { return t.Format(TimestampFormat) }

// MarshalJSON writes all three digits of the milliseconds.
func (t Timestamp) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }
