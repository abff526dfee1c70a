package pebblelog

import (
	"context"
	"encoding/binary"
	"fmt"
	"sort"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// Select implements domain.Reader.
func (l *Log) Select(ctx context.Context, sel domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, err := l.pin()
	if err != nil {
		return nil, err
	}
	defer s.release()
	from, tail := max(from, 1), l.Tail()
	if limit <= 0 || from > tail {
		return nil, nil
	}
	r, err := newRecordReader(s.db, tail)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if sel == (domain.Selector{}) || sel.Topic == domain.TopicAll {
		return r.run(ctx, from, limit)
	}
	positions, err := selected(s.db, sel, from, tail, limit)
	if err != nil {
		return nil, err
	}
	return r.pick(positions)
}

// Find implements domain.Reader.
func (l *Log) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	if err := ctx.Err(); err != nil {
		return domain.Record{}, err
	}
	s, err := l.pin()
	if err != nil {
		return domain.Record{}, err
	}
	defer s.release()
	tail := l.Tail()
	pos, err := positionOfID(s.db, id)
	if err != nil {
		return domain.Record{}, unreadableIndex(err)
	}
	if pos == 0 || pos > tail {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "unknown_envelope",
			Message: fmt.Sprintf("there is no envelope %s in the log", id)}
	}
	r, err := newRecordReader(s.db, tail)
	if err != nil {
		return domain.Record{}, err
	}
	defer r.close()
	found, err := r.pick([]domain.Position{pos})
	if err != nil {
		return domain.Record{}, err
	}
	return found[0], nil
}

// Since implements domain.Reader: recorded_at never decreases, so a binary
// search over positions finds the first at t or later.
func (l *Log) Since(ctx context.Context, t domain.Millis) (domain.Position, error) {
	s, err := l.pin()
	if err != nil {
		return 0, err
	}
	defer s.release()
	tail := l.Tail()
	if tail == 0 {
		return 1, nil
	}
	r, err := newRecordReader(s.db, tail)
	if err != nil {
		return 0, err
	}
	defer r.close()
	first, err := r.run(ctx, 1, 1)
	if err != nil {
		return 0, err
	}
	low := first[0].Position
	var failed error
	n := sort.Search(int(tail-low)+1, func(i int) bool {
		if failed != nil {
			return true
		}
		found, err := r.pick([]domain.Position{low + domain.Position(i)})
		if err != nil {
			failed = err
			return true
		}
		return found[0].RecordedAt >= t
	})
	return low + domain.Position(n), failed
}

// Counts implements domain.Counter.
func (l *Log) Counts(context.Context) (map[domain.TypeVersion]uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store == nil {
		return nil, closedError()
	}
	return cloneCounts(l.counts), nil
}

// recordReader reads records through one iterator, forward.
type recordReader struct {
	iter  *pebble.Iterator
	tail  domain.Position
	known names
	arena []byte // what is left of the memory the records share
}

// arenaBytes is how much memory records are cut from at a time: large enough
// that allocating is no cost, small enough that one record kept doesn't hold much.
const arenaBytes = 64 << 10

func newRecordReader(db *pebble.DB, tail domain.Position) (*recordReader, error) {
	iter, err := db.NewIter(&pebble.IterOptions{
		LowerBound: recordKey(nil, 0), UpperBound: recordKey(nil, tail+1),
	})
	if err != nil {
		return nil, unreadableIndex(err)
	}
	return &recordReader{iter: iter, tail: tail, known: names{}}, nil
}

func (r *recordReader) close() { _ = r.iter.Close() }

// run reads up to limit records without a gap, from the first at from or later.
func (r *recordReader) run(ctx context.Context, from domain.Position, limit int) ([]domain.Record, error) {
	out := make([]domain.Record, 0, min(uint64(limit), uint64(r.tail-from)+1, 1<<14))
	expect := domain.Position(0)
	for ok := r.iter.SeekGE(recordKey(nil, from)); ok && len(out) < limit; ok = r.iter.Next() {
		pos := positionOf(r.iter.Key())
		if expect != 0 && pos != expect {
			return out, corrupt(expect, errMissing)
		}
		rec, err := r.here(pos)
		if err != nil {
			return out, err
		}
		out = append(out, rec)
		expect = pos + 1
		if len(out)%4096 == 0 && ctx.Err() != nil {
			return out, ctx.Err()
		}
	}
	if err := r.iter.Error(); err != nil {
		return out, corrupt(max(expect, from), err)
	}
	if len(out) < limit && expect != 0 && expect <= r.tail {
		return out, corrupt(expect, errMissing)
	}
	return out, nil
}

// pick reads the records at ascending positions, each of which must be there.
func (r *recordReader) pick(positions []domain.Position) ([]domain.Record, error) {
	out := make([]domain.Record, 0, len(positions))
	var key [recordKeyBytes]byte
	for _, pos := range positions {
		ok := false
		if r.iter.Valid() && len(out) > 0 && out[len(out)-1].Position+1 == pos {
			ok = r.iter.Next()
		} else {
			ok = r.iter.SeekGE(recordKey(key[:0], pos))
		}
		if err := r.iter.Error(); err != nil {
			return out, corrupt(pos, err)
		}
		if !ok || positionOf(r.iter.Key()) != pos {
			return out, corrupt(pos, errMissing)
		}
		rec, err := r.here(pos)
		if err != nil {
			return out, err
		}
		out = append(out, rec)
	}
	return out, nil
}

// here decodes the record under the iterator from memory of its own.
func (r *recordReader) here(pos domain.Position) (domain.Record, error) {
	value, err := r.iter.ValueAndErr()
	if err != nil {
		return domain.Record{}, corrupt(pos, err)
	}
	if len(value) > len(r.arena) {
		r.arena = make([]byte, max(arenaBytes, len(value)))
	}
	own := r.arena[:len(value):len(value)]
	r.arena = r.arena[len(value):]
	copy(own, value)
	return decodeRecord(pos, own, r.known)
}

// selected lists the positions of a selector in [from, tail], at most limit.
func selected(db *pebble.DB, sel domain.Selector, from, tail domain.Position, limit int) ([]domain.Position, error) {
	prefix := indexKey(nil, sel)
	iter, err := db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: after(prefix)})
	if err != nil {
		return nil, unreadableIndex(err)
	}
	defer iter.Close()
	start := binary.BigEndian.AppendUint64(append([]byte(nil), prefix...), uint64(from))
	// The entry before may begin earlier and reach past from.
	ok := iter.SeekLT(start)
	if !ok {
		ok = iter.SeekGE(start)
	}
	var out []domain.Position
	for more := true; ok && more; ok = iter.Next() {
		gaps, err := iter.ValueAndErr()
		if err != nil {
			return nil, unreadableIndex(err)
		}
		first := domain.Position(binary.BigEndian.Uint64(iter.Key()[len(prefix):]))
		more = eachPosting(first, gaps, func(pos domain.Position) bool {
			if pos >= from && pos <= tail {
				out = append(out, pos)
			}
			return pos <= tail && len(out) < limit
		})
	}
	if err := iter.Error(); err != nil {
		return nil, unreadableIndex(err)
	}
	return out, nil
}

// lastPosting is the last position of a selector, applied or durable: 0 for none.
func lastPosting(db *pebble.DB, sel domain.Selector) (domain.Position, error) {
	var last domain.Position
	prefix := indexKey(nil, sel)
	err := lastIn(db, prefix, func(key, gaps []byte) error {
		first := domain.Position(binary.BigEndian.Uint64(key[len(prefix):]))
		eachPosting(first, gaps, func(pos domain.Position) bool {
			last = pos
			return true
		})
		return nil
	})
	return last, err
}

func lastIn(db *pebble.DB, prefix []byte, fn func(key, value []byte) error) error {
	iter, err := db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: after(prefix)})
	if err != nil {
		return err
	}
	defer iter.Close()
	if !iter.Last() {
		return iter.Error()
	}
	value, err := iter.ValueAndErr()
	if err != nil {
		return err
	}
	return fn(iter.Key(), value)
}

func eachIn(db *pebble.DB, prefix []byte, fn func(key, value []byte) error) error {
	iter, err := db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: after(prefix)})
	if err != nil {
		return err
	}
	defer iter.Close()
	for ok := iter.First(); ok; ok = iter.Next() {
		value, err := iter.ValueAndErr()
		if err != nil {
			return err
		}
		if err := fn(iter.Key(), value); err != nil {
			return err
		}
	}
	return iter.Error()
}

func unreadableIndex(cause error) error {
	return &domain.Error{Op: "read log", Category: domain.Dependency, Code: domain.CodeCorrupt, Err: cause,
		Message: "an index of the log can't be read; run `chalie verify`, and restore the folder from a backup"}
}
