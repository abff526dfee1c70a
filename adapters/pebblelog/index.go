package pebblelog

import (
	"encoding/binary"
	"slices"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

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
	if sel.Trace.IsZero() {
		return out, nil
	}
	return withNamesake(db, sel.Trace, out, from, tail, limit)
}

// withNamesake adds the envelope that has the trace's own id, which has no
// entry in the trace's index.
func withNamesake(db *pebble.DB, trace domain.TraceID, found []domain.Position, from, tail domain.Position, limit int) ([]domain.Position, error) {
	pos, err := positionOfID(db, trace.ID)
	if err != nil {
		return nil, unreadableIndex(err)
	}
	if pos < from || pos > tail {
		return found, nil
	}
	rec, err := recordAt(db, pos)
	if domain.CodeOf(err) == domain.CodeRetired { // meanwhile
		return found, nil
	}
	if err != nil {
		return nil, err
	}
	if rec.Envelope.Trace != trace { // an id of another trace that happens to be this one's
		return found, nil
	}
	at, _ := slices.BinarySearch(found, pos)
	found = slices.Insert(found, at, pos)
	return found[:min(len(found), limit)], nil
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
	if err := refused("read log", "an index of the log", cause); err != nil {
		return err
	}
	return &domain.Error{Op: "read log", Category: domain.Dependency, Code: domain.CodeCorrupt, Err: cause,
		Message: "an index of the log can't be read; `chalie verify` says more; stop Chalie and run `chalie repair`, or restore the folder from a backup"}
}
