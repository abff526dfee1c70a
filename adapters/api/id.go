package api

import (
	"time"

	"chalie/domain"
)

// UUID is an id written with dashes. Requests may give an id in any spelling.
type UUID struct{ domain.ID }

// String is the id with dashes.
func (u UUID) String() string { return u.UUID() }

// MarshalText implements encoding.TextMarshaler.
func (u UUID) MarshalText() ([]byte, error) { return []byte(u.UUID()), nil }

// UUIDs converts ids; the result is never nil.
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

// TimestampOf converts a moment; nil for 0.
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
