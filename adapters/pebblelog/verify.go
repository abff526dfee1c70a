package pebblelog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// Problem is one thing that is wrong with the log.
type Problem struct {
	Position domain.Position `json:"position"`          // 0 when it belongs to no record
	Through  domain.Position `json:"through,omitempty"` // the last one of a run; 0 for a single position
	Error    string          `json:"error"`             // of the first one of a run
}

// Report is what Verify found.
type Report struct {
	Records  uint64    `json:"records"` // readable ones
	Problems []Problem `json:"problems"`
	More     uint64    `json:"more"` // problems beyond the first maxProblems
	// Lost counts the records of type record.lost that a repair or an import wrote;
	// LostAt are the first runs of them. They are no problem of this log: the loss was
	// reported then.
	Lost   uint64 `json:"lost"`
	LostAt []Span `json:"lost_at"`
	// Retired counts the positions whose records went when their time to be kept was over.
	Retired uint64 `json:"retired,omitempty"`

	unreadable domain.Position // the last unreadable position
}

// OK reports whether nothing is wrong.
func (r Report) OK() bool { return len(r.Problems) == 0 }

// maxProblems bounds a report: the first ones tell what happened.
const maxProblems = 100

func (r *Report) add(pos domain.Position, err error) {
	if len(r.Problems) == maxProblems {
		r.More++
		return
	}
	r.Problems = append(r.Problems, Problem{Position: pos, Error: what(err)})
}

// cantRead adds a run of records that can't be read. Adjacent runs are one problem:
// damage on a disk is seldom as small as a record.
func (r *Report) cantRead(from, through domain.Position, err error) {
	follows := r.unreadable > 0 && r.unreadable+1 == from
	r.unreadable = through
	if !follows {
		r.add(from, err)
	}
	if last := len(r.Problems) - 1; r.More == 0 && through > r.Problems[last].Position {
		r.Problems[last].Through = through
	}
}

// missing adds what the log lacks behind the end that was walked to.
func (r *Report) missing(loss *Loss, tail domain.Position) {
	if loss == nil {
		return
	}
	if loss.Lost() == 0 {
		r.add(0, errors.New(loss.String()))
	}
	for _, span := range loss.Spans {
		if span.From > tail {
			r.add(span.From, fmt.Errorf("the log ends before this position, and %s went through %d: it has lost its end", loss.Witness, loss.Through))
		}
	}
}

// maxLostAt bounds the runs of lost positions that a report lists.
const maxLostAt = 100

// lost counts a record of type record.lost.
func (r *Report) lost(pos domain.Position) {
	r.Lost++
	if n := len(r.LostAt); n < maxLostAt || pos == r.LostAt[n-1].Through+1 {
		r.LostAt = addTo(r.LostAt, pos)
	}
}

// what is an error's text for a report, without the advice to verify. Of Pebble's errors
// only the first line is for users.
func what(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok && e.Err != nil {
		err = e.Err
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// Verify walks the whole log up to its tail: every record's checksum, position
// and time, and that each index holds exactly what the records say. It calls
// progress now and then with how many positions it has seen. It changes
// nothing, and a running log goes on meanwhile. The error is ctx's, or that the
// log is closed; what is wrong with the log is in the report.
func (l *Log) Verify(ctx context.Context, progress func(done, total domain.Position)) (Report, error) {
	s, err := l.pin()
	if err != nil {
		return Report{}, err
	}
	defer s.release()
	v := &verifier{db: s.db, tail: l.Tail(), counts: map[domain.TypeVersion]uint64{}}
	for i := range v.sums {
		v.seeds[i] = maphash.MakeSeed()
	}
	if err := v.records(ctx, progress); err != nil {
		return v.report, err
	}
	v.report.missing(l.Loss(), v.tail)
	if v.report.OK() {
		// With records missing the indexes can't agree, which would say nothing new.
		err = v.indexes(ctx)
	}
	return v.report, err
}

// The indexes are compared by sums: one hash for each (entry, position) that
// the records imply, one for each that the index holds. Order doesn't matter
// and nothing is kept in memory.
const (
	indexID = iota
	indexTopic
	indexTrace
	indexParent
	indexKeys
	indexes
)

type verifier struct {
	db     *pebble.DB
	tail   domain.Position
	report Report
	at     domain.Millis
	seeds  [indexes]maphash.Seed
	sums   [indexes]uint64
	counts map[domain.TypeVersion]uint64
	buf    []byte
}

func (v *verifier) hash(index int, prefix []byte, pos domain.Position) uint64 {
	v.buf = binary.BigEndian.AppendUint64(append(v.buf[:0], prefix...), uint64(pos))
	return maphash.Bytes(v.seeds[index], v.buf)
}

func (v *verifier) records(ctx context.Context, progress func(done, total domain.Position)) error {
	const chunk = 4096
	next := domain.Position(1)
	for next <= v.tail {
		if err := ctx.Err(); err != nil {
			return err
		}
		if progress != nil {
			progress(next-1, v.tail)
		}
		r, err := newRecordReader(v.db, v.tail)
		if err != nil {
			return err
		}
		recs, err := r.run(ctx, next, chunk)
		r.close()
		for i := range recs {
			v.before(next, recs[i].Position)
			v.record(&recs[i])
			next = recs[i].Position + 1
		}
		if err == nil && len(recs) == 0 {
			break
		}
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if domain.CodeOf(err) == domain.CodeNoDescriptors {
				return err // the walk was cancelled
			}
			next = v.unreadable(next, err)
		}
	}
	v.before(next, v.tail+1)
	if progress != nil {
		progress(v.tail, v.tail)
	}
	return nil
}

// before looks at the positions that were passed over before another: either their records
// were retired, or they are missing.
func (v *verifier) before(next, pos domain.Position) {
	for next < pos {
		if behind, went := v.passed(next); went {
			next = behind
			continue
		}
		v.report.cantRead(next, next, errMissing)
		next++
	}
}

// passed counts the rest of the run of retired records that a position is in, and returns the
// position behind it; false when it is in none.
func (v *verifier) passed(pos domain.Position) (domain.Position, bool) {
	g, went, err := covering(v.db, pos)
	if err != nil || !went { // where a marker can't be read, nothing says that its records went
		return pos, false
	}
	v.report.Retired += uint64(g.through-pos) + 1
	return g.through + 1, true
}

// unreadable notes a position at which reading stopped, behind the runs that were retired
// before it, and returns the one to go on from.
func (v *verifier) unreadable(next domain.Position, cause error) domain.Position {
	for {
		behind, went := v.passed(next)
		if !went {
			v.report.cantRead(next, next, cause)
			return next + 1
		}
		next = behind
	}
}

func (v *verifier) record(rec *domain.Record) {
	if rec.RecordedAt < v.at {
		v.report.add(rec.Position, fmt.Errorf("position %d was recorded before its predecessor", rec.Position))
	}
	v.at = rec.RecordedAt
	v.report.Records++
	e := &rec.Envelope
	if e.Type == domain.RecordLostType {
		v.report.lost(rec.Position)
	}
	v.counts[domain.TypeVersion{Type: e.Type, Version: e.Version}]++
	v.sums[indexID] += v.hash(indexID, idKey(nil, e.ID), rec.Position)
	v.sums[indexTopic] += v.hash(indexTopic, indexKey(nil, domain.Selector{Topic: rec.Topic}), rec.Position)
	if !namesTrace(e) {
		v.sums[indexTrace] += v.hash(indexTrace, indexKey(nil, domain.Selector{Trace: e.Trace}), rec.Position)
	}
	if !e.Parent.IsZero() {
		v.sums[indexParent] += v.hash(indexParent, indexKey(nil, domain.Selector{Parent: e.Parent}), rec.Position)
	}
	seen := map[domain.Key]bool{}
	for _, k := range e.Keys {
		if !seen[k] {
			seen[k] = true
			v.sums[indexKeys] += v.hash(indexKeys, indexKey(nil, domain.Selector{Key: k}), rec.Position)
		}
	}
}

func (v *verifier) indexes(ctx context.Context) error {
	for index, prefix := range map[int]byte{indexTopic: prefixTopic, indexTrace: prefixTrace, indexParent: prefixParent, indexKeys: prefixKey, indexID: prefixID} {
		if err := ctx.Err(); err != nil {
			return err
		}
		var sum uint64
		err := eachIn(v.db, []byte{prefix}, func(key, value []byte) error {
			if prefix == prefixID {
				if pos := domain.Position(binary.BigEndian.Uint64(value)); pos <= v.tail {
					sum += v.hash(index, key, pos)
				}
				return nil
			}
			first := domain.Position(binary.BigEndian.Uint64(key[len(key)-8:]))
			eachPosting(first, value, func(pos domain.Position) bool {
				if pos <= v.tail {
					sum += v.hash(index, key[:len(key)-8], pos)
				}
				return true
			})
			return nil
		})
		switch {
		case domain.CodeOf(unreadableIndex(err)) == domain.CodeNoDescriptors:
			return unreadableIndex(err)
		case err != nil:
			v.report.add(0, fmt.Errorf("the index %q can't be read: %w", prefix, err))
		case sum != v.sums[index]:
			v.report.add(0, fmt.Errorf("the index %q does not hold what the records say", prefix))
		}
	}
	return nil
}
