package pebblelog

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"chalie/domain"
)

const (
	recordFormat = 1
	trailerBytes = 8 + 4

	flagParent = 1 << 0
	flagErrors = 1 << 1
)

var (
	emptyTrailer [trailerBytes]byte

	castagnoli = crc32.MakeTable(crc32.Castagnoli)

	kindCodes = map[domain.Kind]byte{domain.KindCommand: 1, domain.KindEvent: 2, domain.KindResult: 3, domain.KindStream: 4}
	kindNames = [...]domain.Kind{1: domain.KindCommand, 2: domain.KindEvent, 3: domain.KindResult, 4: domain.KindStream}

	errMissing   = errors.New("the record is missing")
	errTruncated = errors.New("the record ends early")
	errChecksum  = errors.New("the checksum does not match the stored bytes")
)

// appendBody writes a record without its trailer: everything that is known
// before the writer gives a position and a time. Two envelopes are the same
// exactly when their bodies are.
func appendBody(dst []byte, topic domain.Topic, e *domain.Envelope) ([]byte, error) {
	flags := byte(0)
	if !e.Parent.IsZero() {
		flags |= flagParent
	}
	if len(e.Errors) > 0 {
		flags |= flagErrors
	}
	dst = append(dst, recordFormat)
	dst = append(dst, e.ID[:]...)
	dst = append(dst, e.Trace.ID[:]...)
	dst = append(dst, flags)
	if flags&flagParent != 0 {
		dst = append(dst, e.Parent[:]...)
	}
	dst = binary.AppendVarint(dst, int64(e.Timestamp))
	dst = append(dst, kindCodes[e.Kind])
	dst = binary.AppendUvarint(dst, uint64(e.Version))
	dst = appendText(dst, topic)
	dst = appendText(dst, e.Type)
	dst = appendText(dst, e.Source)
	dst = appendText(dst, e.Principal)
	dst = binary.AppendUvarint(dst, uint64(len(e.Keys)))
	for _, k := range e.Keys {
		dst = appendText(dst, k)
	}
	dst = binary.AppendUvarint(dst, uint64(len(e.Subjects)))
	for _, s := range e.Subjects {
		dst = appendText(dst, s)
	}
	dst = append(dst, byte(e.Payload.Encoding))
	dst = appendText(dst, e.Payload.KeyID)
	dst = appendText(dst, e.Payload.Nonce)
	dst = appendText(dst, e.Payload.Bytes)
	if flags&flagErrors != 0 {
		faults, err := json.Marshal(e.Errors)
		if err != nil {
			return nil, domain.Invalid("append", "errors", "an error's metadata can't be written as JSON: "+err.Error())
		}
		dst = appendText(dst, faults)
	}
	return dst, nil
}

func appendText[T ~string | ~[]byte](dst []byte, text T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(dst, text...)
}

// putTrailer completes a record whose body fills all but the last trailerBytes.
func putTrailer(record []byte, pos domain.Position, at domain.Millis) {
	body := len(record) - trailerBytes
	binary.BigEndian.PutUint64(record[body:], uint64(at))
	binary.BigEndian.PutUint32(record[body+8:], checksum(pos, record[:body+8]))
}

func checksum(pos domain.Position, bytes []byte) uint32 {
	var at [8]byte
	binary.BigEndian.PutUint64(at[:], uint64(pos))
	return crc32.Update(crc32.Update(0, castagnoli, at[:]), castagnoli, bytes)
}

// names keeps one copy of each type, topic, source and principal, so that
// decoding a million records doesn't make a million of them.
type names map[string]string

// maxNames bounds the copies kept: sources come from outside.
const maxNames = 4096

func (n names) of(b []byte) string {
	if s, ok := n[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(n) < maxNames {
		n[s] = s
	}
	return s
}

// decodeRecord reads a stored record. The result's payload shares bytes.
func decodeRecord(pos domain.Position, bytes []byte, known names) (domain.Record, error) {
	if len(bytes) < trailerBytes+1 {
		return domain.Record{}, corrupt(pos, errTruncated)
	}
	end := len(bytes) - 4
	if checksum(pos, bytes[:end]) != binary.BigEndian.Uint32(bytes[end:]) {
		return domain.Record{}, corrupt(pos, errChecksum)
	}
	rec, err := decodeBody(bytes[:end-8], known)
	if err != nil {
		return domain.Record{}, corrupt(pos, err)
	}
	rec.Position = pos
	rec.RecordedAt = domain.Millis(binary.BigEndian.Uint64(bytes[end-8:]))
	return rec, nil
}

func decodeBody(body []byte, known names) (domain.Record, error) {
	in := cursor{rest: body}
	var rec domain.Record
	e := &rec.Envelope
	if format := in.byte(); format != recordFormat {
		return rec, fmt.Errorf("record format %d is not known to this version", format)
	}
	copy(e.ID[:], in.take(16))
	copy(e.Trace.ID[:], in.take(16))
	flags := in.byte()
	if flags&^(flagParent|flagErrors) != 0 {
		return rec, fmt.Errorf("record flags %#x are not known to this version", flags)
	}
	if flags&flagParent != 0 {
		copy(e.Parent[:], in.take(16))
	}
	e.Timestamp = domain.Millis(in.varint())
	if code := in.byte(); code > 0 && int(code) < len(kindNames) {
		e.Kind = kindNames[code]
	} else if in.err == nil {
		return rec, fmt.Errorf("kind code %d is not known to this version", code)
	}
	version := in.uvarint()
	if version == 0 || version > 1<<16-1 {
		in.fail()
	}
	e.Version = uint16(version)
	rec.Topic = domain.Topic(known.of(in.text()))
	e.Type = domain.EventType(known.of(in.text()))
	e.Source = domain.Source(known.of(in.text()))
	e.Principal = domain.Principal(known.of(in.text()))
	e.Keys = list[domain.Key](&in)
	e.Subjects = list[domain.Subject](&in)
	e.Payload.Encoding = domain.Encoding(in.byte())
	e.Payload.KeyID = string(in.text())
	e.Payload.Nonce = in.text()
	e.Payload.Bytes = in.text()
	if flags&flagErrors != 0 {
		if err := json.Unmarshal(in.text(), &e.Errors); err != nil && in.err == nil {
			return rec, fmt.Errorf("the errors are not JSON: %w", err)
		}
	}
	if in.err == nil && len(in.rest) > 0 {
		return rec, fmt.Errorf("%d bytes are left over", len(in.rest))
	}
	return rec, in.err
}

// list reads a counted list of short texts.
func list[T ~string](in *cursor) []T {
	n := in.uvarint()
	if n == 0 || in.err != nil {
		return nil
	}
	if n > domain.MaxKeys {
		in.fail()
		return nil
	}
	out := make([]T, 0, n)
	for range n {
		out = append(out, T(in.text()))
	}
	return out
}

// cursor reads forward until the bytes end, and then keeps its first error.
type cursor struct {
	rest []byte
	err  error
}

func (c *cursor) fail() {
	if c.err == nil {
		c.err = errTruncated
	}
	c.rest = nil
}

func (c *cursor) take(n uint64) []byte {
	if uint64(len(c.rest)) < n {
		c.fail()
		return nil
	}
	out := c.rest[:n:n]
	c.rest = c.rest[n:]
	return out
}

func (c *cursor) byte() byte {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

func (c *cursor) varint() int64 {
	v, n := binary.Varint(c.rest)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

func (c *cursor) text() []byte {
	n := c.uvarint()
	if n == 0 {
		return nil
	}
	return c.take(n)
}

func corrupt(pos domain.Position, cause error) error {
	return &domain.Error{Op: "read log", Category: domain.Dependency, Code: domain.CodeCorrupt, Err: cause,
		Message: fmt.Sprintf("the record at position %d is damaged; run `chalie verify` to find every damaged record, and restore the folder from a backup", pos)}
}
