package pebblelog

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// A run of positions whose records were retired has one value under the key of its first: a
// marker, which begins with a format that no record has. Under the keys of the others there is
// nothing.
//
//	byte      format, 3
//	through   the last position of the run (uint64)
//	trailer   recorded_at of its last record (int64)
//	          CRC-32C(uint32) over the first position(uint64) and all bytes before
const (
	formatSpan = 3
	spanBytes  = 1 + 8 + 8 + 4
)

// gone is what a marker says.
type gone struct {
	from, through domain.Position
	at            domain.Millis // when the last of its records was recorded
}

func (g gone) encode() []byte {
	out := append(make([]byte, 0, spanBytes), formatSpan)
	out = binary.BigEndian.AppendUint64(out, uint64(g.through))
	out = binary.BigEndian.AppendUint64(out, uint64(g.at))
	var at [8]byte
	binary.BigEndian.PutUint64(at[:], uint64(g.from))
	return binary.BigEndian.AppendUint32(out, checksum(&at, out))
}

// goneAt reads the marker that stands at a position; false of anything else, and of a damaged
// one, which then is a record that can't be read.
func goneAt(pos domain.Position, value []byte) (gone, bool) {
	if len(value) != spanBytes || value[0] != formatSpan {
		return gone{}, false
	}
	var at [8]byte
	binary.BigEndian.PutUint64(at[:], uint64(pos))
	end := spanBytes - 4
	if checksum(&at, value[:end]) != binary.BigEndian.Uint32(value[end:]) {
		return gone{}, false
	}
	g := gone{pos, domain.Position(binary.BigEndian.Uint64(value[1:])), domain.Millis(binary.BigEndian.Uint64(value[9:]))}
	return g, g.through >= pos
}

// covering is the run of retired records that a position is in; false when it is in none.
func covering(db pebble.Reader, pos domain.Position) (g gone, found bool, err error) {
	iter, err := db.NewIter(&pebble.IterOptions{LowerBound: recordKey(nil, 0), UpperBound: recordKey(nil, pos+1)})
	if err != nil {
		return gone{}, false, err
	}
	defer iter.Close()
	if !iter.Last() {
		return gone{}, false, iter.Error()
	}
	value, err := iter.ValueAndErr()
	if err != nil {
		return gone{}, false, err
	}
	g, found = goneAt(positionOf(iter.Key()), value)
	return g, found && g.through >= pos, nil
}

// retiredError is of a record that was there.
func retiredError(pos domain.Position) error {
	return &domain.Error{Op: "read log", Category: domain.NotFound, Code: domain.CodeRetired,
		Message: fmt.Sprintf("the record at position %d went when its time to be kept was over; `chalie log --type span.retired` lists what went, and why", pos)}
}

// Retired are the runs of positions from one through another whose records were retired, as
// they are in the store.
func (l *Log) Retired(ctx context.Context, from, through domain.Position) (domain.Runs, error) {
	s, err := l.pin()
	if err != nil {
		return nil, err
	}
	defer s.release()
	if through = min(through, l.Tail()); through < from {
		return nil, nil
	}
	var out domain.Runs
	first, found, err := covering(s.db, from)
	if err != nil {
		return nil, unreadableIndex(err)
	}
	if found {
		out = out.Add(from, min(first.through, through))
	}
	iter, err := s.db.NewIter(&pebble.IterOptions{LowerBound: recordKey(nil, from), UpperBound: recordKey(nil, through+1)})
	if err != nil {
		return nil, unreadableIndex(err)
	}
	defer iter.Close()
	for n, ok := 0, iter.First(); ok; n, ok = n+1, iter.Next() {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		lazy := iter.LazyValue()
		if lazy.Len() != spanBytes {
			continue
		}
		value, err := iter.ValueAndErr()
		if err != nil {
			return nil, corrupt(positionOf(iter.Key()), err)
		}
		if g, ok := goneAt(positionOf(iter.Key()), value); ok && g.through > out.Last() {
			out = out.Add(max(g.from, out.Last()+1), min(g.through, through))
		}
	}
	if err := iter.Error(); err != nil {
		return nil, unreadableIndex(err)
	}
	return out, nil
}

// retirePiece bounds the positions of one write to the disk.
const retirePiece = 1024

// Retire deletes the records at runs of positions, which ascend, with what the indexes say of
// them, and leaves a marker for each run: so their positions stay taken, and what is missing
// there is no loss. It is done piece by piece, each durable before the next: after a kill
// the same call goes on, and one that is done changes nothing. Reads and appends go on
// meanwhile. Errors: Conflict with CodeIsCopy of a log that a cluster keeps; those of the disk
// and ctx's.
func (l *Log) Retire(ctx context.Context, runs domain.Runs) error {
	if err := l.MayRetire(); err != nil {
		return err
	}
	s, err := l.pin()
	if err != nil {
		return err
	}
	defer s.release()
	l.retiring.Lock()
	defer l.retiring.Unlock()
	where, changed := touched{}, false
	for _, run := range runs {
		if run.Through >= l.Tail() || run.From == 0 || run.Through < run.From {
			return domain.Invalid("retire", "runs", fmt.Sprintf("positions %d to %d aren't behind the end of the log", run.From, run.Through))
		}
		for from := run.From; from <= run.Through; from += retirePiece {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			some, err := l.retire(s, where, from, min(run.Through, from+retirePiece-1))
			if err != nil {
				return cantRetire(l.cfg, err)
			}
			changed = changed || some
		}
	}
	if !changed {
		return nil
	}
	return l.compact(ctx, s, where)
}

// MayRetire is the Conflict with CodeIsCopy of a log that can't have gaps, because a cluster keeps it.
func (l *Log) MayRetire() error {
	cfg := l.cfg
	if cfg.Of == "" {
		return nil
	}
	return &domain.Error{Op: "retire", Category: domain.Conflict, Code: CodeIsCopy,
		Message: fmt.Sprintf("the log in %s is a copy of the stream %s of a cluster, whose positions are the stream's own and stay without gaps, so nothing goes from it; set the times to keep back to 0s, or bring the log back to this machine with `chalie move --from`", cfg.Dir, cfg.Of)}
}

func cantRetire(cfg Config, cause error) error {
	if known, ok := errors.AsType[*domain.Error](cause); ok {
		return known
	}
	return &domain.Error{Op: "retire", Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Err: cause,
		Message: fmt.Sprintf("the disk of %s refused to delete what is to go; what is left of it goes with the next try", cfg.Dir)}
}

// retire deletes one piece of a run, in one write. It reports whether there was anything left.
func (l *Log) retire(s *store, where touched, from, through domain.Position) (bool, error) {
	r, err := newRecordReader(s.db, through)
	if err != nil {
		return false, err
	}
	defer r.close()
	var at domain.Millis
	edits := &postingsEdit{db: s.db, entries: map[string][]domain.Position{}}
	batch := s.db.NewBatch()
	defer batch.Close()
	less := map[domain.TypeVersion]uint64{}
	for pos := from; pos <= through; {
		recs, err := r.pick([]domain.Position{pos})
		if err != nil {
			return false, err
		}
		if len(recs) == 0 {
			g, _, err := covering(s.db, pos)
			if err != nil {
				return false, err
			}
			at, pos = max(at, g.at), max(pos, g.through)+1
			continue
		}
		rec := &recs[0]
		at = max(at, rec.RecordedAt)
		less[domain.TypeVersion{Type: rec.Envelope.Type, Version: rec.Envelope.Version}]++
		for _, key := range [][]byte{recordKey(nil, pos), idKey(nil, rec.Envelope.ID)} {
			where.add(key)
			if err := batch.Delete(key, nil); err != nil {
				return false, err
			}
		}
		if err := edits.drop(rec); err != nil {
			return false, err
		}
		pos++
	}
	if len(less) == 0 {
		return false, nil
	}
	left := l.fewer(less)
	for tv, n := range left {
		if err := batch.Set(retiredKey(tv), binary.AppendUvarint(nil, n), nil); err != nil {
			return false, err
		}
	}
	err = firstOf(edits.write(batch, where), batch.Set(recordKey(nil, from), gone{from, through, at}.encode(), nil))
	if err == nil {
		err = s.change(func() error { return s.db.Apply(batch, pebble.Sync) })
	}
	if err != nil {
		return false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.Copy(l.retired, left)
	return true, nil
}

// fewer is how many records of each schema will have been retired with these.
func (l *Log) fewer(these map[domain.TypeVersion]uint64) map[domain.TypeVersion]uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[domain.TypeVersion]uint64{}
	for tv, n := range these {
		out[tv] = l.retired[tv] + n
	}
	return out
}

// touched are the keys that were deleted, the first and the last of each prefix.
type touched map[byte]*keyRange

type keyRange struct{ first, end []byte }

func (t touched) add(key []byte) {
	r := t[key[0]]
	if r == nil {
		r = &keyRange{first: slices.Clone(key)}
		t[key[0]] = r
	}
	if bytes.Compare(key, r.first) < 0 {
		r.first = slices.Clone(key)
	}
	if bytes.Compare(key, r.end) >= 0 {
		r.end = append(slices.Clone(key), 0)
	}
}

// compact gives back the room that the deleted records took, and of the indexes what spoke of them.
func (l *Log) compact(ctx context.Context, s *store, where touched) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-s.failed:
			stop() // nothing is compacted any more
		case <-ctx.Done():
		}
	}()
	for _, keys := range where {
		if err := s.db.Compact(ctx, keys.first, keys.end, false); err != nil {
			return cantRetire(l.cfg, err)
		}
	}
	return nil
}

// postingsEdit takes positions out of the indexes.
type postingsEdit struct {
	db      *pebble.DB
	entries map[string][]domain.Position // by stored key; what is left of each
}

// drop takes a record out of every index but that of ids.
func (e *postingsEdit) drop(rec *domain.Record) error {
	env := &rec.Envelope
	selectors := []domain.Selector{{Topic: rec.Topic}}
	if !namesTrace(env) {
		selectors = append(selectors, domain.Selector{Trace: env.Trace})
	}
	if !env.Parent.IsZero() {
		selectors = append(selectors, domain.Selector{Parent: env.Parent})
	}
	for i, k := range env.Keys {
		if !slices.Contains(env.Keys[:i], k) {
			selectors = append(selectors, domain.Selector{Key: k})
		}
	}
	for _, sel := range selectors {
		if err := e.take(indexKey(nil, sel), rec.Position); err != nil {
			return err
		}
	}
	return nil
}

// take takes a position out of the entry of an index that holds it.
func (e *postingsEdit) take(prefix []byte, pos domain.Position) error {
	iter, err := e.db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: after(prefix)})
	if err != nil {
		return err
	}
	defer iter.Close()
	if !iter.SeekLT(binary.BigEndian.AppendUint64(slices.Clone(prefix), uint64(pos)+1)) {
		return iter.Error()
	}
	key := string(iter.Key())
	left, known := e.entries[key]
	if !known {
		gaps, err := iter.ValueAndErr()
		if err != nil {
			return err
		}
		eachPosting(domain.Position(binary.BigEndian.Uint64(iter.Key()[len(prefix):])), gaps, func(at domain.Position) bool {
			left = append(left, at)
			return true
		})
	}
	e.entries[key] = slices.DeleteFunc(left, func(at domain.Position) bool { return at == pos })
	return nil
}

// write puts what is left of each entry under the key of its first position.
func (e *postingsEdit) write(batch *pebble.Batch, where touched) error {
	for key, left := range e.entries {
		where.add([]byte(key))
		if err := batch.Delete([]byte(key), nil); err != nil {
			return err
		}
		if len(left) == 0 {
			continue
		}
		var p postings
		for _, pos := range left {
			p.add(pos)
		}
		at := binary.BigEndian.AppendUint64([]byte(key[:len(key)-8]), uint64(p.first))
		if err := batch.Set(at, p.gaps, nil); err != nil {
			return err
		}
	}
	return nil
}

// retiredKey counts the records of a schema that were retired: the counts beside it are of all
// that were ever written, because the writer keeps those in its own hands.
func retiredKey(tv domain.TypeVersion) []byte {
	key := countKey(nil, tv)
	key[0] = prefixRetired
	return key
}
