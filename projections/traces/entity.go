package traces

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"iter"

	"chalie/domain"
	"chalie/projections"
)

// located is the beginning of a trace, in one of the two forms of the index.
type located struct {
	trace domain.TraceID
	first domain.Position
}

// Entities tells each line, in the order they began, and then where the index says
// that each trace began, in the order of their ids. How the index is cut into
// blocks depends on when it was saved; what it says doesn't.
func (p *Projection) Entities(s projections.Snapshot, fn func(key, value []byte) bool) error {
	var damaged error
	going := true
	var value []byte
	err := s.Scan([]byte{blockPrefix}, false, func(_, block []byte) bool {
		var lines []Line
		lines, damaged = decodeBlock(block)
		for i := range lines {
			value = lines[i].encode(value[:0], nil)
			if going = fn(binary.BigEndian.AppendUint64([]byte{blockPrefix}, uint64(lines[i].First)), value); !going {
				break
			}
		}
		return going && damaged == nil
	})
	if err := errors.Join(err, damaged); err != nil || !going {
		return err
	}
	return eachLocated(s, func(l located) bool {
		return fn(idKey(indexPrefix, l.trace), binary.AppendUvarint(nil, uint64(l.first)))
	})
}

// eachLocated merges the index's blocks with the strays, by the ids of the traces.
func eachLocated(s projections.Snapshot, fn func(located) bool) error {
	scattered := strays{store: s}
	stray, stop := iter.Pull(scattered.each)
	defer stop()
	next, more := stray()
	going := true
	emit := func(l located) {
		for ; going && more && compareIDs(next.trace, l.trace) < 0; next, more = stray() {
			going = fn(next)
		}
		going = going && fn(l)
	}
	var damaged error
	err := s.Scan([]byte{indexPrefix}, false, func(_, block []byte) bool {
		damaged = eachTrace(block, func(trace domain.TraceID, first domain.Position) {
			if going {
				emit(located{trace, first})
			}
		})
		return going && damaged == nil
	})
	for ; err == nil && damaged == nil && going && more; next, more = stray() {
		going = fn(next)
	}
	return errors.Join(err, damaged, scattered.err)
}

// strays are the traces that came out of order.
type strays struct {
	store projections.Snapshot
	err   error // why each ended early
}

func (s *strays) each(yield func(located) bool) {
	var damaged error
	err := s.store.Scan([]byte{strayPrefix}, false, func(key, value []byte) bool {
		l := located{}
		copy(l.trace.ID[:], key[1:])
		first, size := binary.Uvarint(value)
		if size <= 0 {
			damaged = errDamaged
			return false
		}
		l.first = domain.Position(first)
		return yield(l)
	})
	s.err = errors.Join(err, damaged)
}

// Describe tells a line, or where a trace began.
func (p *Projection) Describe(key, value []byte) (json.RawMessage, error) {
	if !bytes.HasPrefix(key, []byte{blockPrefix}) {
		first, size := binary.Uvarint(value)
		if size <= 0 {
			return nil, errDamaged
		}
		return json.Marshal(map[string]uint64{"first": first})
	}
	line, _, err := decode(value, nil)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		Line
		Outcome Outcome
		Waiting uint64
	}{line, line.Outcome(), line.waiting})
}
