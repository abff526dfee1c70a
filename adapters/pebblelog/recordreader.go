package pebblelog

import (
	"bytes"
	"context"
	"errors"
	"math"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// recordReader reads records through one iterator, forward.
type recordReader struct {
	iter  *pebble.Iterator
	tail  domain.Position
	dec   decoder
	arena []byte // the unused rest of the memory that records share
	size  int    // of the last arena
	room  int    // bytes that may still be read; the last record may exceed it
}

// Records are cut from arenas that begin small, for a tail that moves by a few,
// and double until allocating is no cost any more; no larger, so that one record
// kept doesn't hold much.
const (
	smallestArena = 4 << 10
	largestArena  = 64 << 10
)

func newRecordReader(db *pebble.DB, tail domain.Position) (*recordReader, error) {
	iter, err := db.NewIter(&pebble.IterOptions{
		LowerBound: recordKey(nil, 0), UpperBound: recordKey(nil, tail+1),
	})
	if err != nil {
		return nil, unreadableIndex(err)
	}
	return &recordReader{iter: iter, tail: tail, room: math.MaxInt}, nil
}

func (r *recordReader) close() { _ = r.iter.Close() }

// recordAt reads the record at one position, which must be there. For one record an
// iterator would be most of the work.
func recordAt(db *pebble.DB, pos domain.Position) (domain.Record, error) {
	value, closer, err := db.Get(recordKey(nil, pos))
	if errors.Is(err, pebble.ErrNotFound) {
		if _, went, unread := covering(db, pos); went {
			return domain.Record{}, retiredError(pos)
		} else if unread != nil {
			return domain.Record{}, corrupt(pos, unread)
		}
		err = errMissing
	}
	if err != nil {
		return domain.Record{}, corrupt(pos, err)
	}
	own := bytes.Clone(value)
	if err := closer.Close(); err != nil {
		return domain.Record{}, corrupt(pos, err)
	}
	if _, went := goneAt(pos, own); went {
		return domain.Record{}, retiredError(pos)
	}
	var rec domain.Record
	if err := new(decoder).record(&rec, pos, own); err != nil {
		return domain.Record{}, err
	}
	return rec, nil
}

// run reads up to limit records, from the first at from or later, without a gap but where
// records were retired.
func (r *recordReader) run(ctx context.Context, from domain.Position, limit int) ([]domain.Record, error) {
	out := make([]domain.Record, 0, min(uint64(limit), uint64(r.tail-from)+1, 1<<14))
	var expect domain.Position
	for ok := r.iter.SeekGE(recordKey(nil, from)); ok && len(out) < limit && r.room > 0; ok = r.iter.Next() {
		pos := positionOf(r.iter.Key())
		if expect != 0 && pos != expect {
			return out, corrupt(expect, errMissing)
		}
		g, went, err := r.gone(pos)
		if err != nil {
			return out, err
		}
		if went {
			expect = g.through + 1
			continue
		}
		if out, err = r.here(out, pos); err != nil {
			return out, err
		}
		expect = pos + 1
		if len(out)%4096 == 0 && ctx.Err() != nil {
			return out, ctx.Err()
		}
	}
	if err := r.iter.Error(); err != nil {
		return out, corrupt(max(expect, from), err)
	}
	if len(out) < limit && r.room > 0 && expect != 0 && expect <= r.tail {
		return out, corrupt(expect, errMissing)
	}
	return out, nil
}

// within reports whether a position is in a run that was retired. It moves the iterator.
func (r *recordReader) within(pos domain.Position) (bool, error) {
	if !r.iter.SeekLT(recordKey(nil, pos)) {
		return false, r.iter.Error()
	}
	g, went, err := r.gone(positionOf(r.iter.Key()))
	return went && g.through >= pos, err
}

// gone reads the marker under the iterator, if it is one's.
func (r *recordReader) gone(pos domain.Position) (gone, bool, error) {
	lazy := r.iter.LazyValue()
	if lazy.Len() != spanBytes {
		return gone{}, false, nil
	}
	value, err := r.iter.ValueAndErr()
	if err != nil {
		return gone{}, false, corrupt(pos, err)
	}
	g, went := goneAt(pos, value)
	return g, went, nil
}

// timeAt is when the record at a position was recorded.
func (r *recordReader) timeAt(db pebble.Reader, pos domain.Position) (domain.Millis, error) {
	found, err := r.pick([]domain.Position{pos})
	if err != nil {
		return 0, err
	}
	if len(found) > 0 {
		return found[0].RecordedAt, nil
	}
	g, _, err := covering(db, pos)
	return g.at, err
}

// pick reads the records at ascending positions, each of which must be there, or was retired
// meanwhile and is passed over.
func (r *recordReader) pick(positions []domain.Position) ([]domain.Record, error) {
	out := make([]domain.Record, 0, len(positions))
	var key [recordKeyBytes]byte
	for _, pos := range positions {
		if r.room <= 0 {
			break
		}
		var ok bool
		if r.iter.Valid() && len(out) > 0 && out[len(out)-1].Position+1 == pos {
			ok = r.iter.Next()
		} else {
			ok = r.iter.SeekGE(recordKey(key[:0], pos))
		}
		if err := r.iter.Error(); err != nil {
			return out, corrupt(pos, err)
		}
		there := ok && positionOf(r.iter.Key()) == pos
		var went bool
		var err error
		if there {
			_, went, err = r.gone(pos)
		} else {
			went, err = r.within(pos)
		}
		switch {
		case err != nil:
			return out, corrupt(pos, err)
		case went:
			continue
		case !there:
			return out, corrupt(pos, errMissing)
		}
		if out, err = r.here(out, pos); err != nil {
			return out, err
		}
	}
	return out, nil
}

// here decodes the record under the iterator to the end of out, from memory of
// its own.
func (r *recordReader) here(out []domain.Record, pos domain.Position) ([]domain.Record, error) {
	value, err := r.iter.ValueAndErr()
	if err != nil {
		return out, corrupt(pos, err)
	}
	if len(value) > len(r.arena) {
		r.size = min(max(2*r.size, smallestArena), largestArena)
		r.arena = make([]byte, max(r.size, len(value)))
	}
	own := r.arena[:len(value):len(value)]
	r.arena = r.arena[len(value):]
	copy(own, value)
	r.room -= len(own)
	out = append(out, domain.Record{})
	if err := r.dec.record(&out[len(out)-1], pos, own); err != nil {
		return out[:len(out)-1], err
	}
	return out, nil
}
