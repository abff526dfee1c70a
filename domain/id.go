package domain

import (
	"encoding/hex"
	"fmt"

	"github.com/oklog/ulid/v2"
)

// ID is a 128-bit identifier whose first 48 bits are Unix milliseconds, so ids
// sort by the time they were minted.
//
// The same bits are a ULID and, version and variant bits included, a UUIDv7.
// Inside Chalie an id is written as a ULID (26 characters); the REST contracts
// write it as a UUID (36). The zero ID means "none".
type ID [16]byte

// TraceID names one execution episode. It is its own type because mixing it up
// with an envelope's id compiles into lineage that is quietly wrong.
type TraceID struct{ ID }

// IDs mints identifiers. NewID never returns the same id twice and, within one
// process, each id is greater than the one before. It is safe for concurrent use.
type IDs interface {
	NewID() ID
}

// IsZero reports whether the id means "none".
func (id ID) IsZero() bool { return id == ID{} }

// String writes the id as a ULID, or as "" when it is none.
func (id ID) String() string {
	if id.IsZero() {
		return ""
	}
	return ulid.ULID(id).String()
}

// UUID writes the id the way the REST contracts do, or "" when it is none.
func (id ID) UUID() string {
	if id.IsZero() {
		return ""
	}
	var buf [36]byte
	hex.Encode(buf[0:8], id[0:4])
	buf[8] = '-'
	hex.Encode(buf[9:13], id[4:6])
	buf[13] = '-'
	hex.Encode(buf[14:18], id[6:8])
	buf[18] = '-'
	hex.Encode(buf[19:23], id[8:10])
	buf[23] = '-'
	hex.Encode(buf[24:36], id[10:16])
	return string(buf[:])
}

// Millis is the Unix millisecond in the id's first 48 bits.
func (id ID) Millis() Millis { return Millis(ulid.ULID(id).Time()) }

// ParseID reads an id in any of its three spellings: ULID, UUID or 32 hex
// digits, upper or lower case. It returns a validation error that names them.
// An id of nothing but zeros is refused: it means "none", and a caller
// that wrote it out meant some.
func ParseID(s string) (ID, error) {
	var id ID
	var err error
	switch {
	case len(s) == ulid.EncodedSize:
		var u ulid.ULID
		u, err = ulid.ParseStrict(s)
		id = ID(u)
	case len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-':
		_, err = hex.Decode(id[:], []byte(s[0:8]+s[9:13]+s[14:18]+s[19:23]+s[24:36]))
	case len(s) == 32:
		_, err = hex.Decode(id[:], []byte(s))
	}
	if err != nil || id.IsZero() {
		return ID{}, badID(s)
	}
	return id, nil
}

func badID(s string) error {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return Invalid("parse id", "", fmt.Sprintf("%q is not an id: give a ULID (26 characters), a UUID (36) or 32 hex digits", s))
}

// MarshalText writes the id as a ULID; none is the empty text.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads any spelling ParseID takes; the empty text is none.
func (id *ID) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*id = ID{}
		return nil
	}
	parsed, err := ParseID(string(text))
	if err != nil {
		return err
	}
	*id = parsed
	return nil
}

// Lineage is what a new envelope inherits: the episode it belongs to, what
// caused it, and its principal.
type Lineage struct {
	Trace     TraceID
	Parent    ID
	Principal Principal
}

// Begin opens an episode for something that arrived from outside, a timer that
// fell due or an idle cycle: a fresh trace, no parent. Give the envelope that
// opens it the trace's id: one id then finds both, and a log needs no index
// entry for the pair.
func Begin(trace TraceID, who Principal) Lineage {
	return Lineage{Trace: trace, Principal: who}
}

// Continue is the lineage of what e directly causes in the same episode. The
// principal passes through unchanged.
func Continue(e Envelope) Lineage {
	return Lineage{Trace: e.Trace, Parent: e.ID, Principal: e.Principal}
}

// Resume opens a new episode that e, in an earlier one, caused: a reminder set
// yesterday, a signal heard this morning. The parent points across traces.
func Resume(e Envelope, trace TraceID) Lineage {
	return Lineage{Trace: trace, Parent: e.ID, Principal: e.Principal}
}

// Evidence names a further cause of an envelope, beside its parent, in the
// payload. Lineage follows parent and evidence: a graph without cycles, since
// both point to what was already recorded.
type Evidence struct {
	EnvelopeID ID     `json:"envelope_id"`
	Role       string `json:"role"`
	Weight     PPM    `json:"weight"`
}
