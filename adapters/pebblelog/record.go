package pebblelog

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"chalie/domain"
)

const (
	// The formats differ in their trailers alone, so that a record can be compared
	// with another before it is known which of them the writer's clock asks for.
	formatPlain = 1 // the writer's clock is recorded_at
	formatClock = 2 // the writer's clock is in the trailer, too

	trailerBytes = 8 + 4
	clockBytes   = 8

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
	errAhead     = errors.New("the writer's clock stands there, and is not before the time it was recorded at")
)

// appendBody writes a record without its trailer: the part that doesn't depend on the
// position and the time that the writer gives. Two envelopes are equal exactly when their
// bodies are, apart from the format byte.
func appendBody(dst []byte, topic domain.Topic, e *domain.Envelope) ([]byte, error) {
	flags := byte(0)
	if !e.Parent.IsZero() {
		flags |= flagParent
	}
	if len(e.Errors) > 0 {
		flags |= flagErrors
	}
	dst = append(dst, formatPlain)
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
// It grows where the clock has to be kept, too.
func putTrailer(record []byte, pos domain.Position, at, ahead domain.Millis) []byte {
	end := len(record) - trailerBytes
	if ahead != 0 {
		record[0] = formatClock
		record = append(record, make([]byte, clockBytes)...)
		binary.BigEndian.PutUint64(record[end:], uint64(at-ahead))
		end += clockBytes
	}
	binary.BigEndian.PutUint64(record[end:], uint64(at))
	var place [8]byte
	binary.BigEndian.PutUint64(place[:], uint64(pos))
	binary.BigEndian.PutUint32(record[end+8:], checksum(&place, record[:end+8]))
	return record
}

// trailer is what a record ends with, but for its checksum.
type trailer struct {
	at, ahead domain.Millis
}

// split parts a whole record from its trailer. It doesn't look at the checksum.
func split(record []byte) (body []byte, t trailer, err error) {
	end := len(record) - trailerBytes
	if end < 1 {
		return nil, trailer{}, errTruncated
	}
	t.at = domain.Millis(binary.BigEndian.Uint64(record[end:]))
	if record[0] != formatClock {
		return record[:end], t, nil
	}
	if end -= clockBytes; end < 1 {
		return nil, trailer{}, errTruncated
	}
	if t.ahead = t.at - domain.Millis(binary.BigEndian.Uint64(record[end:])); t.ahead <= 0 {
		return nil, trailer{}, errAhead
	}
	return record[:end], t, nil
}

// sameBody compares two bodies.
func sameBody(a, b []byte) bool { return bytes.Equal(a[1:], b[1:]) }

// checksum covers the position, too: a record at another's place is damage.
func checksum(at *[8]byte, bytes []byte) uint32 {
	return crc32.Update(crc32.Update(0, castagnoli, at[:]), castagnoli, bytes)
}

// decoder reads records. It keeps one copy of each type, topic, source and
// principal, so that reading a million records doesn't make a million of them.
// The zero decoder is ready; it is for one goroutine.
type decoder struct {
	names map[string]string
	last  [4]string // the names of the record before, which are mostly these again
	at    [8]byte
	in    cursor
}

// maxNames bounds the copies kept: sources come from outside.
const maxNames = 4096

// name reads a name. slot tells which of a record's four it is.
func (d *decoder) name(slot int) string {
	b := d.in.text()
	if string(b) == d.last[slot] {
		return d.last[slot]
	}
	s, ok := d.names[string(b)]
	if !ok {
		s = string(b)
		if d.names == nil {
			d.names = map[string]string{}
		}
		if len(d.names) < maxNames {
			d.names[s] = s
		}
	}
	d.last[slot] = s
	return s
}

// record reads a stored record into rec, which must be zero. The payload shares
// bytes.
func (d *decoder) record(rec *domain.Record, pos domain.Position, bytes []byte) error {
	if len(bytes) < trailerBytes+1 {
		return corrupt(pos, errTruncated)
	}
	end := len(bytes) - 4
	binary.BigEndian.PutUint64(d.at[:], uint64(pos))
	if checksum(&d.at, bytes[:end]) != binary.BigEndian.Uint32(bytes[end:]) {
		return corrupt(pos, errChecksum)
	}
	body, t, err := split(bytes)
	if err == nil {
		err = d.body(rec, body)
	}
	if err != nil {
		return corrupt(pos, err)
	}
	rec.Position, rec.RecordedAt, rec.Ahead = pos, t.at, t.ahead
	return nil
}

func (d *decoder) body(rec *domain.Record, body []byte) error {
	d.in = cursor{rest: body}
	in, e := &d.in, &rec.Envelope
	if format := in.byte(); format != formatPlain && format != formatClock {
		return fmt.Errorf("record format %d is not known to this version", format)
	}
	copy(e.ID[:], in.take(16))
	copy(e.Trace.ID[:], in.take(16))
	flags := in.byte()
	if flags&^(flagParent|flagErrors) != 0 {
		return fmt.Errorf("record flags %#x are not known to this version", flags)
	}
	if flags&flagParent != 0 {
		copy(e.Parent[:], in.take(16))
	}
	e.Timestamp = domain.Millis(in.varint())
	if code := in.byte(); code > 0 && int(code) < len(kindNames) {
		e.Kind = kindNames[code]
	} else if in.err == nil {
		return fmt.Errorf("kind code %d is not known to this version", code)
	}
	version := in.uvarint()
	if version == 0 || version > 1<<16-1 {
		in.fail()
	}
	e.Version = uint16(version)
	rec.Topic = domain.Topic(d.name(0))
	e.Type = domain.EventType(d.name(1))
	e.Source = domain.Source(d.name(2))
	e.Principal = domain.Principal(d.name(3))
	e.Keys = list[domain.Key](in)
	e.Subjects = list[domain.Subject](in)
	e.Payload.Encoding = domain.Encoding(in.byte())
	e.Payload.KeyID = string(in.text())
	e.Payload.Nonce = in.text()
	e.Payload.Bytes = in.text()
	if flags&flagErrors != 0 {
		if err := json.Unmarshal(in.text(), &e.Errors); err != nil && in.err == nil {
			return fmt.Errorf("the errors are not JSON: %w", err)
		}
	}
	if in.err == nil && len(in.rest) > 0 {
		return fmt.Errorf("%d bytes are left over", len(in.rest))
	}
	return in.err
}

// corrupt is the error of a record that can't be read.
func corrupt(pos domain.Position, cause error) error {
	if err := refused("read log", fmt.Sprintf("the record at position %d", pos), cause); err != nil {
		return err
	}
	return &domain.Error{Op: "read log", Category: domain.Dependency, Code: domain.CodeCorrupt, Err: cause,
		Message: fmt.Sprintf("the record at position %d is damaged; `chalie verify` finds every damaged record; stop Chalie and run `chalie repair`, or restore the folder from a backup", pos)}
}
