package pebblelog

import (
	"encoding/binary"

	"chalie/domain"
)

// The first byte of every stored key.
const (
	prefixRecord     = 'r'
	prefixID         = 'i'
	prefixTopic      = 't'
	prefixTrace      = 'c'
	prefixParent     = 'p'
	prefixKey        = 'k'
	prefixCount      = 'n'
	prefixCheckpoint = 'g'
	prefixMeta       = 'm'
	prefixRetired    = 'd'
)

const (
	recordKeyBytes = 1 + 8
	idKeyBytes     = 1 + 16
)

func recordKey(dst []byte, pos domain.Position) []byte {
	return binary.BigEndian.AppendUint64(append(dst, prefixRecord), uint64(pos))
}

// ofRecord is the position of the record that a key is of, if it is one's.
func ofRecord(key []byte) (domain.Position, bool) {
	if len(key) != recordKeyBytes || key[0] != prefixRecord {
		return 0, false
	}
	return positionOf(key), true
}

func positionOf(recordKey []byte) domain.Position {
	return domain.Position(binary.BigEndian.Uint64(recordKey[1:]))
}

func idKey(dst []byte, id domain.ID) []byte {
	return append(append(dst, prefixID), id[:]...)
}

// indexKey is what all postings of one selector start with.
func indexKey(dst []byte, s domain.Selector) []byte {
	switch {
	case !s.Trace.IsZero():
		return append(append(dst, prefixTrace), s.Trace.ID[:]...)
	case !s.Parent.IsZero():
		return append(append(dst, prefixParent), s.Parent[:]...)
	case s.Key != "":
		return appendName(append(dst, prefixKey), s.Key)
	default:
		return appendName(append(dst, prefixTopic), s.Topic)
	}
}

// appendName writes a name so that no name's keys run into another's.
func appendName[T ~string](dst []byte, name T) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(name)))
	return append(dst, name...)
}

func countKey(dst []byte, tv domain.TypeVersion) []byte {
	dst = append(append(dst, prefixCount), tv.Type...)
	return binary.BigEndian.AppendUint16(append(dst, 0), tv.Version)
}

// countOf reads the key of a count, of all or of those retired.
func countOf(key []byte) (domain.TypeVersion, bool) {
	at := len(key) - 3
	if at < 1 || key[at] != 0 {
		return domain.TypeVersion{}, false
	}
	return domain.TypeVersion{Type: domain.EventType(key[1:at]), Version: binary.BigEndian.Uint16(key[at+1:])}, true
}

func checkpointKey(dst []byte, name string) []byte {
	return append(append(dst, prefixCheckpoint), name...)
}

// after is the smallest key greater than all that start with prefix.
func after(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		end[i]++
		if end[i] != 0 {
			return end[:i+1]
		}
	}
	return nil
}

// postings collects the positions of one group under one index entry.
type postings struct {
	first, last domain.Position
	gaps        []byte
}

func (p *postings) add(pos domain.Position) {
	if p.first == 0 {
		p.first, p.last = pos, pos
		return
	}
	if pos == p.last {
		return
	}
	p.gaps = binary.AppendUvarint(p.gaps, uint64(pos-p.last))
	p.last = pos
}

// eachPosting calls fn with every position of one stored entry until it returns
// false; it reports whether fn never did. Bytes that are no postings end it.
func eachPosting(first domain.Position, gaps []byte, fn func(domain.Position) bool) bool {
	if !fn(first) {
		return false
	}
	for len(gaps) > 0 {
		gap, n := binary.Uvarint(gaps)
		if n <= 0 || gap == 0 {
			return true
		}
		gaps = gaps[n:]
		first += domain.Position(gap)
		if !fn(first) {
			return false
		}
	}
	return true
}
