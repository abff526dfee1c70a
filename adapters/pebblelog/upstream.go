package pebblelog

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chalie/domain"
	"chalie/domain/retain"

	"github.com/cockroachdb/pebble/v2"
)

// Follow adds records that are in the upstream log, as they are stored there, at position
// first and those that follow it. What is here already is passed over. Errors, besides
// those of Append: Conflict with CodeGap when first is beyond the next position, or with
// CodeForked when another record stands here; Dependency with CodeCorrupt.
func (l *Log) Follow(ctx context.Context, first domain.Position, records [][]byte) error {
	req := &request{follows: first, done: make(chan answer, 1), entries: make([]prepared, len(records))}
	var dec decoder
	for i, bytes := range records {
		var rec domain.Record
		if err := dec.record(&rec, first+domain.Position(i), bytes); err != nil {
			return err
		}
		req.entries[i] = prepared{topic: rec.Topic, envelope: &rec.Envelope, record: bytes}
		req.bytes += len(bytes)
	}
	_, err := l.await(ctx, req)
	return err
}

// CodeGap says that records are missing between the end of the log and what was to follow.
const CodeGap domain.Code = "gap"

// CodeForked says that the upstream log has another record at a position than this one.
const CodeForked domain.Code = "forked"

// CodeIsCopy says that the log is a copy of one elsewhere, and not of what it was opened for.
const CodeIsCopy domain.Code = "is_a_copy"

// CodeIsNoCopy says that the log has records of its own, and can't become a copy.
const CodeIsNoCopy domain.Code = "is_no_copy"

// upstreamKey holds what the log is a copy of, when it is one.
var upstreamKey = append([]byte{prefixMeta}, "upstream"...)

// checkUpstream refuses to write to a copy without its upstream log, and to make one of a
// log that has records of its own. It stamps a new copy.
func (l *Log) checkUpstream(s *store, tail domain.Position) error {
	if l.cfg.ReadOnly {
		return nil
	}
	value, closer, err := s.db.Get(upstreamKey)
	if errors.Is(err, pebble.ErrNotFound) {
		if l.cfg.Of == "" {
			return nil
		}
		if tail > 0 && !l.cfg.Adopt {
			return &domain.Error{Op: "open log", Category: domain.Conflict, Code: CodeIsNoCopy,
				Message: fmt.Sprintf("the log in %s has %d records and is kept on this machine alone; nothing was changed; stop Chalie and move it with `chalie move --to esdb://…`, or start it without --log", l.cfg.Dir, tail)}
		}
		return s.change(func() error { return s.db.Set(upstreamKey, []byte(l.cfg.Of), pebble.Sync) })
	}
	if err != nil {
		return err
	}
	defer closer.Close()
	if is := string(value); is != l.cfg.Of {
		return &domain.Error{Op: "open log", Category: domain.Conflict, Code: CodeIsCopy,
			Message: fmt.Sprintf("the log in %s is a copy of the stream %s of a cluster, and can't be written without it; start it with `chalie serve --log esdb://… --log-stream %s`, or name another data directory with --data", l.cfg.Dir, is, is)}
	}
	return nil
}

// SetUpstream says what the log is a copy of from its next opening on; "" for a log of its
// own. What was appended before is on the disk first. The log is to be closed then.
func (l *Log) SetUpstream(of string) error {
	s, err := l.pin()
	if err != nil {
		return err
	}
	defer s.release()
	err = s.change(func() error {
		if of == "" {
			return s.db.Delete(upstreamKey, pebble.Sync)
		}
		return s.db.Set(upstreamKey, []byte(of), pebble.Sync)
	})
	if err != nil {
		return diskFailed(err)
	}
	return nil
}

// CodeSpansRetired says that a log lacks records that a stream of a cluster would need.
const CodeSpansRetired domain.Code = "spans_retired"

// cantLeave refuses to take a log elsewhere whose positions aren't all taken.
func cantLeave(cfg Config, pos domain.Position) error {
	return &domain.Error{Op: "move", Category: domain.Conflict, Code: CodeSpansRetired,
		Message: fmt.Sprintf("the log in %s can't be kept by a cluster: from position %d on records went when their time to be kept was over, and a stream of a cluster has no gaps; nothing was changed; keep it on this machine, with `chalie backup` to another disk", cfg.Dir, pos)}
}

// MayLeave is the Conflict with CodeSpansRetired of a log that can't be taken to a cluster: records
// went from it, or are to go by what it says. Other errors are those of reading.
func (l *Log) MayLeave(ctx context.Context) error {
	_, spans, err := retain.Spans(ctx, l)
	if err != nil {
		return err
	}
	for _, span := range spans {
		if went, err := span.Positions(); err == nil && len(went) > 0 {
			return cantLeave(l.cfg, went[0].From)
		}
	}
	return nil
}

// Sealed are records as they are stored, from a position on: at most so many, and so many
// bytes after the first.
func (l *Log) Sealed(ctx context.Context, from domain.Position, limit, bytes int) (out []domain.Sealed, err error) {
	s, err := l.pin()
	if err != nil {
		return nil, err
	}
	defer s.release()
	r, err := newRecordReader(s.db, l.Tail())
	if err != nil {
		return nil, err
	}
	defer r.close()
	var dec decoder
	next := max(from, 1)
	for ok := r.iter.SeekGE(recordKey(nil, next)); ok && len(out) < limit; ok = r.iter.Next() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		value, err := r.iter.ValueAndErr()
		if _, went := goneAt(positionOf(r.iter.Key()), value); err == nil && went {
			return nil, cantLeave(l.cfg, next)
		}
		if err == nil && positionOf(r.iter.Key()) != next {
			err = errMissing
		}
		if err != nil {
			return nil, corrupt(next, err)
		}
		if bytes -= len(value); bytes < 0 && len(out) > 0 {
			break
		}
		var rec domain.Record
		if err := dec.record(&rec, next, value); err != nil {
			return nil, err
		}
		out = append(out, domain.Sealed{Topic: rec.Topic, Envelope: &rec.Envelope, Bytes: slices.Clone(value)})
		next++
	}
	if err := r.iter.Error(); err != nil {
		return nil, corrupt(next, err)
	}
	return out, nil
}

// follow judges records that are upstream already.
func (w *writer) follow(g *group, req *request) error {
	for i := range req.entries {
		p, pos, next := &req.entries[i], req.follows+domain.Position(i), g.last()+1
		switch {
		case pos > next:
			return &domain.Error{Op: "follow", Category: domain.Conflict, Code: CodeGap,
				Message: fmt.Sprintf("the log ends at position %d, and the cluster's record of position %d was to follow; read it from %d on", next-1, pos, next)}
		case pos < next:
			if err := w.isHere(g, p, pos); err != nil {
				return err
			}
		default:
			_, t, err := split(p.record)
			if err != nil {
				return corrupt(pos, err)
			}
			w.at = max(w.at, t.at)
			w.enter(g, p)
		}
	}
	return nil
}

// isHere fails when the record at a position differs in any byte.
func (w *writer) isHere(g *group, p *prepared, pos domain.Position) error {
	if mine, ok := w.has(g, pos); ok {
		if !bytes.Equal(mine.record, p.record) {
			return forked(pos)
		}
		return nil
	}
	value, closer, err := w.store.db.Get(recordKey(nil, pos))
	if err != nil {
		return unreadable(err)
	}
	defer closer.Close()
	if !bytes.Equal(value, p.record) {
		return forked(pos)
	}
	return nil
}

func forked(pos domain.Position) error {
	return &domain.Error{Op: "follow", Category: domain.Conflict, Code: CodeForked,
		Message: fmt.Sprintf("the cluster has another record at position %d than the copy on this machine; one of the two is another Chalie's: compare them with `chalie log`, and begin a copy anew in another folder with --data", pos)}
}

// takes reports whether a request may be committed in one call with the group.
func (g *group) takes(req *request) bool {
	return g.follows == (req.follows > 0) && g.bytes+req.bytes <= domain.MaxBatchBytes
}

// commit has what is new in a group committed upstream.
func (w *writer) commit(g *group) error {
	up := w.log.cfg.Upstream
	if up == nil || g.follows || len(g.entries) == 0 {
		return nil
	}
	records := make([]domain.Sealed, len(g.entries))
	for i, p := range g.entries {
		records[i] = domain.Sealed{Topic: p.topic, Envelope: p.envelope, Bytes: p.record}
	}
	// Nothing here waits for another goroutine as long as all is well: among a crowd of
	// publishers it would wait for its turn.
	done, told := make(chan struct{}), make(chan struct{})
	timer := time.AfterFunc(w.log.cfg.Patience, func() {
		defer close(told)
		w.impatient(up, done)
	})
	err := up.Commit(w.log.ending, g.first, records)
	close(done)
	if !timer.Stop() {
		<-told
	}
	return err
}

// impatient tells those who have waited for Config.Patience that the outcome isn't known,
// and refuses who comes then, until done is closed: nobody should wait for machines that
// may never come back.
func (w *writer) impatient(up domain.Upstream, done <-chan struct{}) {
	away := func() error { return clusterAway(up.Away()) }
	why, unknown := away(), outcomeUnknown(unanswered(up))
	w.away.Store(&why)
	defer w.away.Store(nil)
	w.mu.Lock()
	for _, waiting := range w.pending {
		for _, req := range waiting.requests {
			req.reply(domain.Receipt{}, unknown)
		}
	}
	w.mu.Unlock()
	w.log.refuse(away, done)
}

// unanswered is why it isn't known what came of an append.
func unanswered(up domain.Upstream) error {
	return cmp.Or(up.Away(), errors.New("the cluster that keeps the log gives no answer"))
}

func clusterAway(cause error) error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeClusterAway, Retriable: true, Err: cause,
		Message: "the cluster that keeps the log doesn't take it and is tried again all the time; nothing was appended; /health and the System page say what it answers"}
}

// afresh is a start on the same store, after a group that Upstream refused: the writer
// took it for written.
func (l *Log) afresh(w *writer, s *store) (start, error) {
	w.abandon(w.refused)
	return readStart(s.db)
}
