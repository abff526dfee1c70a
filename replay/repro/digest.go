package repro

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"

	"chalie/domain"
)

// Digest is a hash of the decisions in a trace without its texts: types, ids, scores,
// gates and other numbers, and the number of texts. It is the same for a trace and for
// its bundle.
type Digest struct {
	trace domain.TraceID
	sum   hash.Hash
}

// NewDigest makes the digest of a trace.
func NewDigest(trace domain.TraceID) *Digest { return &Digest{trace, sha256.New()} }

// Add takes one record; of another trace it takes nothing. Records come in order.
func (d *Digest) Add(rec domain.Record) {
	e := rec.Envelope
	if e.Trace != d.trace {
		return
	}
	var payload bytes.Buffer
	if e.Payload.Encoding == domain.EncodingJSON {
		text := eachText(e.Payload.Bytes, func(text string) string {
			if _, err := domain.ParseID(text); err == nil {
				return text
			}
			return ""
		})
		if json.Compact(&payload, text) != nil {
			payload.Reset()
		}
	}
	// Writing to a hash can't fail.
	_, _ = fmt.Fprintf(d.sum, "%s %d %s %s %s\n", e.Type, e.Version, e.ID, e.Parent, payload.Bytes())
}

// String is the hash of what was added, in hexadecimal digits.
func (d *Digest) String() string { return hex.EncodeToString(d.sum.Sum(nil)[:16]) }
